/* libde265. */
#include "internal.h"

#ifdef LP_HEVC

#include <libde265/de265.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const library = "libde265";

enum { VPS = 32, SPS = 33, PPS = 34 };

/* The parameter sets in force, by kind and id (ITU-T H.265, 7.4.3: 16 VPS, 16 SPS, 64 PPS). */
enum { KINDS = 3, IDS = 64 };

struct lp_decoder {
  de265_decoder_context *context;
  lp_buffer sets[KINDS][IDS];
};

lp_status lp_decoder_open(int32_t threads, lp_decoder **out, lp_error *error) {
  *out = NULL;
  if (threads < 1 || threads > 32) return lp_fail(error, LP_INVALID, library, 0, "1 to 32 threads");
  lp_decoder *self = calloc(1, sizeof *self);
  if (self != NULL) self->context = de265_new_decoder();
  if (self == NULL || self->context == NULL) {
    lp_decoder_close(self);
    return lp_fail(error, LP_NO_MEMORY, library, 0, "no memory for a decoder");
  }
  if (threads > 1) {
    de265_error code = de265_start_worker_threads(self->context, threads);
    if (!de265_isOK(code)) {
      lp_decoder_close(self);
      return lp_fail(error, LP_FAILED, library, (int32_t)code, de265_get_error_text(code));
    }
  }
  *out = self;
  return LP_OK;
}

/* ---------------------------------------------------------------- ids of parameter sets */

/* Bits of a NAL unit behind its header, without emulation prevention bytes. */
typedef struct {
  const uint8_t *bytes;
  size_t size;
  size_t at;    /* the byte that `bit` counts in */
  int bit;      /* bits of it that were read */
  int zeros;    /* zero bytes before `at`, for emulation prevention */
  int failed;   /* read beyond the end */
} bits;

static uint32_t read_bit(bits *self) {
  if (self->bit == 8) {
    self->zeros = self->bytes[self->at] == 0 ? self->zeros + 1 : 0;
    self->at++;
    self->bit = 0;
    if (self->zeros >= 2 && self->at < self->size && self->bytes[self->at] == 3) {
      self->at++;
      self->zeros = 0;
    }
  }
  if (self->at >= self->size) {
    self->failed = 1;
    self->bit = 0;
    return 0;
  }
  return (self->bytes[self->at] >> (7 - self->bit++)) & 1;
}

static uint32_t read_bits(bits *self, int count) {
  uint32_t value = 0;
  for (int index = 0; index < count; index++) value = value << 1 | read_bit(self);
  return value;
}

static uint32_t read_unsigned_golomb(bits *self) {
  int zeros = 0;
  while (!self->failed && read_bit(self) == 0) {
    if (++zeros > 16) return UINT32_MAX;
  }
  return self->failed ? UINT32_MAX : (1u << zeros) - 1 + read_bits(self, zeros);
}

/* profile_tier_level (7.3.3), stepped over. */
static void skip_profile(bits *self, uint32_t sub_layers) {
  uint32_t present[7][2] = {{0}};
  read_bits(self, 96 - 8);
  read_bits(self, 8);
  for (uint32_t index = 0; index < sub_layers; index++) {
    present[index][0] = read_bit(self);
    present[index][1] = read_bit(self);
  }
  if (sub_layers > 0) read_bits(self, (int)(8 - sub_layers) * 2);
  for (uint32_t index = 0; index < sub_layers; index++) {
    if (present[index][0]) read_bits(self, 88);
    if (present[index][1]) read_bits(self, 8);
  }
}

/* The id of a VPS, SPS or PPS; -1 when it cannot be read or is beyond what the standard allows. */
static int set_id(int kind, const uint8_t *bytes, size_t size) {
  bits reader = {.bytes = bytes, .size = size, .at = 2};
  uint32_t id, limit = 16;
  if (kind == VPS) {
    id = read_bits(&reader, 4);
  } else if (kind == SPS) {
    read_bits(&reader, 4);
    uint32_t sub_layers = read_bits(&reader, 3);
    read_bit(&reader);
    if (sub_layers > 6) return -1;
    skip_profile(&reader, sub_layers);
    id = read_unsigned_golomb(&reader);
  } else {
    id = read_unsigned_golomb(&reader);
    limit = 64;
  }
  return reader.failed || id >= limit ? -1 : (int)id;
}

/* ---------------------------------------------------------------- in and out */

lp_status lp_decoder_push(lp_decoder *self, const uint8_t *bytes, size_t size, int64_t tag, lp_error *error) {
  if (size < 2 || size > INT_MAX) return lp_fail(error, LP_INVALID, library, 0, "a NAL unit has 2 bytes or more");
  int kind = bytes[0] >> 1 & 63;
  int layer = (bytes[0] & 1) << 5 | bytes[1] >> 3;
  if (layer != 0) return LP_OK;
  if (kind >= VPS && kind <= PPS) {
    int id = set_id(kind, bytes, size);
    if (id < 0) return lp_fail(error, LP_FAILED, library, 0, "a parameter set is damaged");
    lp_buffer *known = &self->sets[kind - VPS][id];
    if (known->size == size && memcmp(known->bytes, bytes, size) == 0) return LP_OK;
    known->size = 0;
    if (!lp_buffer_append(known, bytes, size)) return lp_fail(error, LP_NO_MEMORY, library, 0, "no memory");
  }
  de265_error code = de265_push_NAL(self->context, bytes, (int)size, tag, NULL);
  if (!de265_isOK(code)) return lp_fail(error, LP_FAILED, library, (int32_t)code, de265_get_error_text(code));
  return LP_OK;
}

lp_status lp_decoder_flush(lp_decoder *self, lp_error *error) {
  de265_error code = de265_flush_data(self->context);
  if (!de265_isOK(code)) return lp_fail(error, LP_FAILED, library, (int32_t)code, de265_get_error_text(code));
  return LP_OK;
}

/* Warnings that say nothing against the picture. */
static int is_harmless(de265_error code) {
  return code == DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING ||
         code == DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM ||
         code == DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI;
}

/* The first warning since the last call that matters, or 0. */
static int32_t take_warnings(lp_decoder *self) {
  int32_t first = 0;
  for (;;) {
    de265_error code = de265_get_warning(self->context);
    if (code == DE265_OK) return first;
    if (first == 0 && !is_harmless(code)) first = (int32_t)code;
  }
}

static void describe(const struct de265_image *image, lp_picture *out) {
  out->chroma = (lp_chroma)de265_get_chroma_format(image);
  int planes = out->chroma == LP_CHROMA_400 ? 1 : 3;
  for (int index = 0; index < planes; index++) {
    int stride = 0;
    out->planes[index] = de265_get_image_plane(image, index, &stride);
    out->strides[index] = stride;
    out->widths[index] = de265_get_image_width(image, index);
    out->heights[index] = de265_get_image_height(image, index);
  }
  out->bit_depth = de265_get_bits_per_pixel(image, 0);
  out->chroma_bit_depth = planes > 1 ? de265_get_bits_per_pixel(image, 1) : out->bit_depth;
  out->color.full_range = de265_get_image_full_range_flag(image) != 0;
  out->color.primaries = (uint16_t)de265_get_image_colour_primaries(image);
  out->color.transfer = (uint16_t)de265_get_image_transfer_characteristics(image);
  out->color.matrix = (uint16_t)de265_get_image_matrix_coefficients(image);
  out->tag = de265_get_image_PTS(image);
}

lp_status lp_decoder_next(lp_decoder *self, lp_picture *out, lp_error *error) {
  *out = (lp_picture){0};
  for (int is_done = 0;;) {
    const struct de265_image *image = de265_peek_next_picture(self->context);
    if (image != NULL) {
      out->damage = take_warnings(self);
      describe(de265_get_next_picture(self->context), out);
      return LP_OK;
    }
    if (is_done) return LP_OK;
    int more = 0;
    de265_error code = de265_decode(self->context, &more);
    if (code == DE265_ERROR_WAITING_FOR_INPUT_DATA || (more == 0 && de265_isOK(code))) is_done = 1;
    else if (!de265_isOK(code))
      return lp_fail(error, LP_FAILED, library, (int32_t)code, de265_get_error_text(code));
  }
}

static void forget_sets(lp_decoder *self) {
  for (int kind = 0; kind < KINDS; kind++) {
    for (int id = 0; id < IDS; id++) lp_buffer_free(&self->sets[kind][id]);
  }
}

void lp_decoder_reset(lp_decoder *self) {
  de265_reset(self->context);
  take_warnings(self);
  forget_sets(self);
}

void lp_decoder_close(lp_decoder *self) {
  if (self == NULL) return;
  if (self->context != NULL) de265_free_decoder(self->context);
  forget_sets(self);
  free(self);
}

#endif
