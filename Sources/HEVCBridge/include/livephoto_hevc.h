#ifndef LIVEPHOTO_HEVC_H
#define LIVEPHOTO_HEVC_H
#endif
