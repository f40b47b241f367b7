#ifndef COUNTER_H
#define COUNTER_H

/// How often this process has allocated memory; -1 where that cannot be counted.
long allocation_count(void);

#endif
