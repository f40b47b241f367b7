/* x265. */
#include "internal.h"

#ifdef LP_HEVC

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <x265.h>

static const char *const library = "x265";

struct lp_encoder {
  const x265_api *api;
  x265_param *param;
  x265_encoder *encoder;
  lp_encoder_config config;
  lp_buffer output;
};

/* x265 fills process-wide tables when the first encoder opens, without a lock of its own. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static int is_subsampled(const lp_encoder_config *config, int vertical) {
  return config->chroma == LP_CHROMA_420 || (config->chroma == LP_CHROMA_422 && !vertical);
}

static const char *flaw(const lp_encoder_config *config) {
  if (config->width < 64 || config->height < 64) return "pictures are at least 64x64";
  if (config->width > 65535 || config->height > 65535) return "pictures are at most 65535x65535";
  if (is_subsampled(config, 0) && config->width % 2 != 0) return "the width is odd, and chroma has half of it";
  if (is_subsampled(config, 1) && config->height % 2 != 0) return "the height is odd, and chroma has half of it";
  if (config->bit_depth != 8 && config->bit_depth != 10 && config->bit_depth != 12) return "8, 10 or 12 bits";
  if ((int)config->chroma < LP_CHROMA_400 || config->chroma > LP_CHROMA_444) return "unknown chroma format";
  if (!(config->rate_factor >= 0 && config->rate_factor <= 51)) return "the rate factor is 0 to 51";
  if (config->threads < 0 || config->threads > 1024) return "0 to 1024 threads";
  if (config->preset == NULL) return "no preset";
  /* x265 3.5 pads a picture to whole coding units, but reads rows beyond the sixteenth that it never wrote. */
  if (config->still && (config->width % LP_STILL_UNIT != 0 || config->height % LP_STILL_UNIT != 0))
    return "the sides of a still are multiples of 32";
  if (config->still) return NULL;
  if (config->key_interval < 2) return "the key interval is at least 2, or x265 writes a profile for stills";
  if (config->b_frames < -1 || config->b_frames > 16) return "-1 to 16 B pictures";
  if (config->rate_numerator == 0 || config->rate_denominator == 0) return "the picture rate is not positive";
  return NULL;
}

static void set_color(x265_param *param, const lp_color *color) {
  param->vui.bEnableVideoSignalTypePresentFlag = 1;
  param->vui.videoFormat = 5; /* unspecified */
  param->vui.bEnableVideoFullRangeFlag = color->full_range != 0;
  param->vui.bEnableColorDescriptionPresentFlag =
      color->primaries != 2 || color->transfer != 2 || color->matrix != 2;
  param->vui.colorPrimaries = color->primaries;
  param->vui.transferCharacteristics = color->transfer;
  param->vui.matrixCoeffs = color->matrix;
}

/* Where 4:2:0 has a profile without range extensions it is named, so that x265 refuses what does not fit into it. */
static const char *profile(const lp_encoder_config *config) {
  if (config->chroma != LP_CHROMA_420) return NULL;
  if (config->bit_depth == 8) return "main";
  return config->bit_depth == 10 ? "main10" : "main12";
}

/* Whether the caller says how the QP follows the content. */
static int takes_offsets(const lp_encoder_config *config) { return config->still && !config->lossless; }

/* Stills are looked at one by one and for long: what counts is structural similarity for the bytes. What remains of
 * x265's presets, and how it was measured, is in Documentation/Performance.md. */
static void tune_still(x265_param *param, const lp_encoder_config *config) {
  if (!takes_offsets(config)) return;
  param->psyRd = 0;
  param->psyRdoq = 0;
  if (param->rdLevel <= 3) {
    /* Small transforms in large coding units come to nearly the same as small coding units, in half the time. */
    param->maxCUSize = 64;
    param->minCUSize = param->minCUSize > 8 ? 32 : 16;
    param->tuQTMaxIntraDepth = 4;
    if (param->rdLevel == 3) param->rdoqLevel = 2;
    else param->rdLevel = 1; /* fewer intra modes are tried to the end */
  }
  /* x265 takes offsets with its own adaptive quantisation only, of which as good as nothing is left. */
  param->rc.aqMode = X265_AQ_VARIANCE;
  param->rc.aqStrength = 1e-6;
}

static void configure(x265_param *param, const lp_encoder_config *config, char *pool, size_t pool_size) {
  param->logLevel = X265_LOG_NONE;
  param->sourceWidth = config->width;
  param->sourceHeight = config->height;
  param->internalCsp = (int)config->chroma;
  param->internalBitDepth = config->bit_depth;
  param->fpsNum = config->still ? 25 : config->rate_numerator;
  param->fpsDenom = config->still ? 1 : config->rate_denominator;

  /* At 8 bit 4:2:0, one picture in all makes x265 write Main Still Picture, as cameras do. Deeper, the same (or a key
   * interval of 1 at any depth) makes it write RExt, which the brand 'heic' does not allow; there it stays Main 10. */
  param->totalFrames = config->still && config->bit_depth == 8 && config->chroma == LP_CHROMA_420 ? 1 : 0;
  param->keyframeMax = config->still ? 250 : config->key_interval;
  if (param->keyframeMin > param->keyframeMax) param->keyframeMin = param->keyframeMax;
  param->bOpenGOP = 0;
  if (config->still) param->bframes = 0;
  else if (config->b_frames >= 0) param->bframes = config->b_frames;
  if (config->still) param->lookaheadDepth = 0;
  else if (param->lookaheadDepth <= param->bframes) param->lookaheadDepth = param->bframes + 1;

  /* The rate factor is the QP of every picture only with qcomp 1, and AQ modes 2 and 3 normalise each picture by
   * its own content: either way neighbouring tiles would differ in quality. */
  param->rc.rateControlMode = X265_RC_CRF;
  param->rc.rfConstant = config->rate_factor;
  param->rc.qCompress = 1.0;
  if (param->rc.aqMode != X265_AQ_NONE) param->rc.aqMode = X265_AQ_VARIANCE;
  param->bLossless = config->lossless != 0;
  if (config->still) tune_still(param, config);

  param->bAnnexB = 0;
  param->bEmitInfoSEI = 0;
  param->bRepeatHeaders = 0;
  param->bEmitVUITimingInfo = config->still ? 0 : 1;
  set_color(param, &config->color);

  /* Frame threads change what the rate control knows, and so the bytes; wavefront threads do not. */
  param->frameNumThreads = 1;
  param->bEnableWavefront = config->wavefront ? 1 : 0;
  if (!config->wavefront) snprintf(pool, pool_size, "none");
  else if (config->threads == 0) snprintf(pool, pool_size, "*");
  else snprintf(pool, pool_size, "%d", (int)config->threads);
  param->numaPools = pool;
}

lp_status lp_encoder_open(const lp_encoder_config *config, lp_encoder **out, lp_error *error) {
  *out = NULL;
  const char *reason = flaw(config);
  if (reason != NULL) return lp_fail(error, LP_INVALID, library, 0, reason);

  lp_encoder *self = calloc(1, sizeof *self);
  if (self == NULL) return lp_fail(error, LP_NO_MEMORY, library, 0, "no memory for an encoder");
  self->config = *config;
  self->config.preset = NULL; /* the caller's string; not needed any more once the encoder is open */
  char pool[16];
  lp_status status = LP_OK;

  pthread_mutex_lock(&opening);
  self->api = x265_api_get(config->bit_depth);
  if (self->api == NULL || self->api->sizeof_param != (int)sizeof(x265_param) ||
      self->api->sizeof_picture != (int)sizeof(x265_picture)) {
    status = lp_fail(error, LP_UNSUPPORTED, library, 0, "this x265 has no encoder for this bit depth");
  } else if ((self->param = self->api->param_alloc()) == NULL) {
    status = lp_fail(error, LP_NO_MEMORY, library, 0, "no memory for an encoder");
  } else if (self->api->param_default_preset(self->param, config->preset, NULL) < 0) {
    status = lp_fail(error, LP_INVALID, library, 0, "unknown preset");
  } else {
    configure(self->param, config, pool, sizeof pool);
    if (profile(config) != NULL && self->api->param_apply_profile(self->param, profile(config)) < 0)
      status = lp_fail(error, LP_UNSUPPORTED, library, 0, "x265 refuses the profile");
    else if ((self->encoder = self->api->encoder_open(self->param)) == NULL)
      status = lp_fail(error, LP_UNSUPPORTED, library, 0, "x265 refuses these settings");
    self->param->numaPools = NULL; /* it pointed to this function's own memory */
  }
  pthread_mutex_unlock(&opening);

  if (status != LP_OK) lp_encoder_close(self);
  else *out = self;
  return status;
}

/* x265 puts each NAL unit behind its length in four bytes as bAnnexB is 0. */
static int collect(lp_encoder *self, const x265_nal *units, uint32_t count) {
  self->output.size = 0;
  for (uint32_t index = 0; index < count; index++) {
    if (!lp_buffer_append(&self->output, units[index].payload, units[index].sizeBytes)) return 0;
  }
  return 1;
}

lp_status lp_encoder_headers(lp_encoder *self, const uint8_t **bytes, size_t *size, lp_error *error) {
  x265_nal *units = NULL;
  uint32_t count = 0;
  if (self->api->encoder_headers(self->encoder, &units, &count) < 0)
    return lp_fail(error, LP_FAILED, library, 0, "x265 gave no parameter sets");
  if (!collect(self, units, count)) return lp_fail(error, LP_NO_MEMORY, library, 0, "no memory for the output");
  *bytes = self->output.bytes;
  *size = self->output.size;
  return LP_OK;
}

static const char *mismatch(const lp_encoder *self, const lp_picture *picture) {
  const lp_encoder_config *config = &self->config;
  if (picture->chroma != config->chroma || picture->bit_depth != config->bit_depth ||
      picture->planes[0].width != config->width || picture->planes[0].height != config->height)
    return "the picture has another size or format than the encoder";
  int planes = config->chroma == LP_CHROMA_400 ? 1 : 3;
  int bytes = config->bit_depth > 8 ? 2 : 1;
  for (int index = 0; index < planes; index++) {
    int width = index > 0 && is_subsampled(config, 0) ? config->width / 2 : config->width;
    if (picture->planes[index].samples == NULL) return "a plane is missing";
    if (picture->planes[index].stride < width * bytes) return "a stride is shorter than a row";
  }
  return NULL;
}

#if X265_BUILD >= 210 && X265_BUILD < 213
/* x265 4.0 hands out one picture a layer. */
#define LP_PICTURE_OUT(picture) ((x265_picture *[2]){(picture), (picture)})
#else
#define LP_PICTURE_OUT(picture) (picture)
#endif

static const char *offset_mismatch(const lp_encoder *self, const float *offsets, size_t count) {
  const lp_encoder_config *config = &self->config;
  if (!takes_offsets(config)) return offsets == NULL ? NULL : "this encoder takes no QP offsets";
  size_t wanted = (size_t)(config->width / 16) * (size_t)(config->height / 16);
  return offsets != NULL && count == wanted ? NULL : "not one QP offset for each block";
}

lp_status lp_encoder_encode(
    lp_encoder *self, const lp_picture *picture, const float *qp_offsets, size_t offset_count, int32_t force_idr,
    lp_access_unit *out, lp_error *error) {
  *out = (lp_access_unit){0};
  x265_picture input, output;
  if (picture != NULL) {
    const char *reason = mismatch(self, picture);
    if (reason == NULL) reason = offset_mismatch(self, qp_offsets, offset_count);
    if (reason != NULL) return lp_fail(error, LP_INVALID, library, 0, reason);
    self->api->picture_init(self->param, &input);
    for (int index = 0; index < 3; index++) {
      input.planes[index] = (void *)(uintptr_t)picture->planes[index].samples; /* x265 only reads */
      input.stride[index] = picture->planes[index].stride;
    }
    input.bitDepth = picture->bit_depth;
    input.colorSpace = (int)picture->chroma;
    input.pts = picture->tag;
    input.quantOffsets = (float *)(uintptr_t)qp_offsets; /* x265 only reads */
    input.sliceType = force_idr || self->config.still ? X265_TYPE_IDR : X265_TYPE_AUTO;
  }
  self->api->picture_init(self->param, &output);
  x265_nal *units = NULL;
  uint32_t count = 0;
  int result = self->api->encoder_encode(
      self->encoder, &units, &count, picture == NULL ? NULL : &input, LP_PICTURE_OUT(&output));
  if (result < 0) return lp_fail(error, LP_FAILED, library, result, "x265 could not encode the picture");
  if (count == 0) return LP_OK;
  if (!collect(self, units, count)) return lp_fail(error, LP_NO_MEMORY, library, 0, "no memory for the output");
  out->bytes = self->output.bytes;
  out->size = self->output.size;
  out->presentation = output.pts;
  out->decoding = output.dts;
  out->is_idr = output.sliceType == X265_TYPE_IDR;
  return LP_OK;
}

void lp_encoder_close(lp_encoder *self) {
  if (self == NULL) return;
  if (self->encoder != NULL) self->api->encoder_close(self->encoder);
  if (self->param != NULL) self->api->param_free(self->param);
  lp_buffer_free(&self->output);
  free(self);
}

#endif
