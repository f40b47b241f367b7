/* libde265. */
#include "internal.h"

#ifdef LP_HEVC

#include <libde265/de265.h>
#include <limits.h>
#include <stdlib.h>

static const char *const library = "libde265";

struct lp_decoder {
  de265_decoder_context *context;
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

lp_status lp_decoder_push(lp_decoder *self, const uint8_t *bytes, size_t size, int64_t tag, lp_error *error) {
  if (size < 2 || size > INT_MAX) return lp_fail(error, LP_INVALID, library, 0, "a NAL unit has 2 bytes or more");
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
    out->planes[index].samples = de265_get_image_plane(image, index, &stride);
    out->planes[index].stride = stride;
    out->planes[index].width = de265_get_image_width(image, index);
    out->planes[index].height = de265_get_image_height(image, index);
  }
  out->bit_depth = de265_get_bits_per_pixel(image, 0);
  out->chroma_bit_depth = planes > 1 ? de265_get_bits_per_pixel(image, 1) : out->bit_depth;
  out->color = (lp_color){2, 2, 2, 0};
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

const char *lp_decoder_damage_text(int32_t damage) { return de265_get_error_text((de265_error)damage); }

void lp_decoder_reset(lp_decoder *self) {
  de265_reset(self->context);
  take_warnings(self);
}

void lp_decoder_close(lp_decoder *self) {
  if (self == NULL) return;
  if (self->context != NULL) de265_free_decoder(self->context);
  free(self);
}

#endif
