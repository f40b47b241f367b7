#include "internal.h"

#ifdef LP_HEVC

#include <stdlib.h>
#include <string.h>

const char *lp_error_text(const lp_error *error) { return error->text; }

lp_status lp_fail(lp_error *error, lp_status status, const char *library, int32_t code, const char *text) {
  if (error != NULL) {
    size_t length = text == NULL ? 0 : strlen(text);
    if (length >= sizeof error->text) length = sizeof error->text - 1;
    error->status = status;
    error->code = code;
    error->library = library;
    if (length > 0) memcpy(error->text, text, length);
    error->text[length] = 0;
  }
  return status;
}

int lp_buffer_append(lp_buffer *buffer, const void *bytes, size_t size) {
  if (size == 0) return 1;
  if (size > SIZE_MAX / 4 - buffer->size) return 0;
  size_t needed = buffer->size + size;
  if (needed > buffer->capacity) {
    size_t capacity = needed + needed / 2;
    uint8_t *grown = realloc(buffer->bytes, capacity);
    if (grown == NULL) return 0;
    buffer->bytes = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->size, bytes, size);
  buffer->size = needed;
  return 1;
}

void lp_buffer_free(lp_buffer *buffer) {
  free(buffer->bytes);
  buffer->bytes = NULL;
  buffer->size = buffer->capacity = 0;
}

#endif
