/* What the files of the bridge share. */
#ifndef LIVEPHOTO_HEVC_INTERNAL_H
#define LIVEPHOTO_HEVC_INTERNAL_H

#include "livephoto_hevc.h"

/* Fills in `error` where it is not NULL and returns `status`. */
lp_status lp_fail(lp_error *error, lp_status status, const char *library, int32_t code, const char *text);

/* Bytes that grow. */
typedef struct {
  uint8_t *bytes;
  size_t size;
  size_t capacity;
} lp_buffer;

/* Appends; returns 0 when memory ran out, and leaves the buffer as it was. */
int lp_buffer_append(lp_buffer *buffer, const void *bytes, size_t size);

void lp_buffer_free(lp_buffer *buffer);

#endif
