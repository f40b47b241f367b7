/* libheif as the writer of coded items: an encoder plug-in that hands out what was coded before. */
#include "internal.h"

#ifdef LP_HEVC

#include <libheif/heif.h>
#include <libheif/heif_plugin.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const library = "libheif";
static const char *const plugin_id = "livephoto-coded-hevc";

static lp_status heif_failure(lp_error *error, struct heif_error cause) {
  return lp_fail(error, LP_FAILED, library, (int32_t)cause.code * 65536 + (int32_t)cause.subcode, cause.message);
}

/* ---------------------------------------------------------------- the plug-in */

/* The access unit that the next heif_context_encode_image of this thread is about. libheif makes the plug-in's object
 * itself and passes it nothing but pixels, so the bytes take this way. */
static _Thread_local struct {
  const uint8_t *bytes;
  size_t size;
} current;

/* The plug-in's object: what is left of the access unit. */
typedef struct {
  const uint8_t *next;
  const uint8_t *end;
} coded;

static const struct heif_error fine = {heif_error_Ok, heif_suberror_Unspecified, "Success"};
static const struct heif_error no_parameter = {
    heif_error_Usage_error, heif_suberror_Unsupported_parameter, "The encoder has no parameters"};
static const struct heif_error no_memory = {
    heif_error_Memory_allocation_error, heif_suberror_Unspecified, "Out of memory"};

static const char *plugin_name(void) { return "Pictures that swift-live-photo has coded"; }

static struct heif_error new_encoder(void **out) {
  *out = calloc(1, sizeof(coded));
  return *out == NULL ? no_memory : fine;
}

static void free_encoder(void *encoder) { free(encoder); }

static struct heif_error set_number(void *encoder, int value) {
  (void)encoder, (void)value;
  return fine;
}

static struct heif_error get_number(void *encoder, int *value) {
  (void)encoder;
  *value = 0;
  return fine;
}

static const struct heif_encoder_parameter **list_parameters(void *encoder) {
  (void)encoder;
  static const struct heif_encoder_parameter *none[] = {NULL};
  return none;
}

static struct heif_error set_named_number(void *encoder, const char *name, int value) {
  (void)encoder, (void)name, (void)value;
  return no_parameter;
}

static struct heif_error get_named_number(void *encoder, const char *name, int *value) {
  (void)encoder, (void)name, (void)value;
  return no_parameter;
}

static struct heif_error set_named_text(void *encoder, const char *name, const char *value) {
  (void)encoder, (void)name, (void)value;
  return no_parameter;
}

static struct heif_error get_named_text(void *encoder, const char *name, char *value, int size) {
  (void)encoder, (void)name, (void)value, (void)size;
  return no_parameter;
}

/* Any colour space will do: the pixels are not looked at. */
static void keep_colorspace(enum heif_colorspace *colorspace, enum heif_chroma *chroma) {
  (void)colorspace, (void)chroma;
}

static void keep_colorspace2(void *encoder, enum heif_colorspace *colorspace, enum heif_chroma *chroma) {
  (void)encoder, (void)colorspace, (void)chroma;
}

static struct heif_error encode_image(
    void *encoder, const struct heif_image *image, enum heif_image_input_class class) {
  (void)image, (void)class;
  coded *self = encoder;
  self->next = current.bytes;
  self->end = current.bytes + current.size;
  return fine;
}

/* One NAL unit a call, without its length; NULL after the last. lp_heif_writer_add has checked the lengths. */
static struct heif_error get_compressed_data(
    void *encoder, uint8_t **data, int *size, enum heif_encoded_data_type *type) {
  (void)type;
  coded *self = encoder;
  *data = NULL;
  *size = 0;
  if (self->end - self->next < 4) return fine;
  const uint8_t *at = self->next;
  uint32_t length = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
  *data = (uint8_t *)(uintptr_t)(at + 4); /* libheif only reads */
  *size = (int)length;
  self->next = at + 4 + length;
  return fine;
}

static struct heif_encoder_plugin plugin = {
    .plugin_api_version = 3,
    .compression_format = heif_compression_HEVC,
    .id_name = NULL, /* set when it is registered */
    .priority = 1,   /* x265's is 100 */
    .supports_lossy_compression = 1,
    .supports_lossless_compression = 1,
    .get_plugin_name = plugin_name,
    .new_encoder = new_encoder,
    .free_encoder = free_encoder,
    .set_parameter_quality = set_number,
    .get_parameter_quality = get_number,
    .set_parameter_lossless = set_number,
    .get_parameter_lossless = get_number,
    .set_parameter_logging_level = set_number,
    .get_parameter_logging_level = get_number,
    .list_parameters = list_parameters,
    .set_parameter_integer = set_named_number,
    .get_parameter_integer = get_named_number,
    .set_parameter_boolean = set_named_number,
    .get_parameter_boolean = get_named_number,
    .set_parameter_string = set_named_text,
    .get_parameter_string = get_named_text,
    .query_input_colorspace = keep_colorspace,
    .encode_image = encode_image,
    .get_compressed_data = get_compressed_data,
    .query_input_colorspace2 = keep_colorspace2,
};

static pthread_once_t registration = PTHREAD_ONCE_INIT;
static const struct heif_encoder_descriptor *descriptor;

static void register_plugin(void) {
  /* A first context makes libheif load its own plug-ins, which it does without a lock. */
  heif_context_free(heif_context_alloc());
  plugin.id_name = plugin_id;
  if (heif_register_encoder_plugin(&plugin).code != heif_error_Ok) return;
  const struct heif_encoder_descriptor *found[64];
  int count = heif_context_get_encoder_descriptors(NULL, heif_compression_HEVC, plugin_id, found, 64);
  for (int index = 0; index < count; index++) {
    if (strcmp(heif_encoder_descriptor_get_id_name(found[index]), plugin_id) == 0) descriptor = found[index];
  }
}

/* ---------------------------------------------------------------- the writer */

enum { MAX_ITEMS = 65536 };

struct lp_heif_writer {
  struct heif_context *context;
  struct heif_encoder *encoder;
  int count;
  lp_buffer output;
};

lp_status lp_heif_writer_open(lp_heif_writer **out, lp_error *error) {
  *out = NULL;
  pthread_once(&registration, register_plugin);
  if (descriptor == NULL) return lp_fail(error, LP_UNSUPPORTED, library, 0, "libheif did not take our encoder");
  lp_heif_writer *self = calloc(1, sizeof *self);
  if (self != NULL) self->context = heif_context_alloc();
  if (self == NULL || self->context == NULL) {
    lp_heif_writer_close(self);
    return lp_fail(error, LP_NO_MEMORY, library, 0, "no memory for a writer");
  }
  struct heif_error result = heif_context_get_encoder(self->context, descriptor, &self->encoder);
  if (result.code != heif_error_Ok) {
    heif_failure(error, result);
    lp_heif_writer_close(self);
    return LP_FAILED;
  }
  *out = self;
  return LP_OK;
}

/* Whether the lengths in an access unit add up. */
static int is_whole(const uint8_t *bytes, size_t size) {
  while (size >= 4) {
    size_t length = (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
    if (length < 2 || length > size - 4) return 0;
    bytes += 4 + length;
    size -= 4 + length;
  }
  return size == 0;
}

static struct heif_error add_plane(
    struct heif_image *image, const lp_heif_item *item, enum heif_channel channel, int is_chroma) {
  int halve_x = is_chroma && (item->chroma == LP_CHROMA_420 || item->chroma == LP_CHROMA_422);
  int halve_y = is_chroma && item->chroma == LP_CHROMA_420;
  return heif_image_add_plane(
      image, channel, (item->width + halve_x) >> halve_x, (item->height + halve_y) >> halve_y, item->bit_depth);
}

/* libheif reads size, depth and colour from an image; its samples are never touched, so they cost no memory pages. */
static struct heif_error make_image(const lp_heif_item *item, struct heif_image **out) {
  enum heif_colorspace space =
      item->chroma == LP_CHROMA_400 ? heif_colorspace_monochrome : heif_colorspace_YCbCr;
  struct heif_error result = heif_image_create(item->width, item->height, space, (enum heif_chroma)item->chroma, out);
  if (result.code != heif_error_Ok) return result;
  static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  int planes = item->chroma == LP_CHROMA_400 ? 1 : 3;
  for (int index = 0; index < planes && result.code == heif_error_Ok; index++)
    result = add_plane(*out, item, channels[index], index > 0);
  return result;
}

static struct heif_error encode(
    lp_heif_writer *self, const lp_heif_item *item, struct heif_image *image) {
  struct heif_encoding_options *options = heif_encoding_options_alloc();
  struct heif_color_profile_nclx *color = heif_nclx_color_profile_alloc();
  struct heif_error result = no_memory;
  if (options != NULL && color != NULL) {
    /* Reserved code points are refused by libheif's setters; such a picture is written as unspecified. */
    color->color_primaries = heif_color_primaries_unspecified;
    color->transfer_characteristics = heif_transfer_characteristic_unspecified;
    color->matrix_coefficients = heif_matrix_coefficients_unspecified;
    heif_nclx_color_profile_set_color_primaries(color, item->color.primaries);
    heif_nclx_color_profile_set_transfer_characteristics(color, item->color.transfer);
    heif_nclx_color_profile_set_matrix_coefficients(color, item->color.matrix);
    color->full_range_flag = item->color.full_range;
    heif_image_set_nclx_color_profile(image, color);
    options->save_alpha_channel = 0;
    options->macOS_compatibility_workaround = 0;
    options->macOS_compatibility_workaround_no_nclx_profile = 0;
    options->output_nclx_profile = color;
    result = heif_context_encode_image(self->context, image, self->encoder, options, NULL);
    options->output_nclx_profile = NULL;
  }
  if (options != NULL) heif_encoding_options_free(options);
  if (color != NULL) heif_nclx_color_profile_free(color);
  return result;
}

lp_status lp_heif_writer_add(
    lp_heif_writer *self, const lp_heif_item *item, const uint8_t *access_unit, size_t size,
    lp_error *error) {
  if (size > INT_MAX || !is_whole(access_unit, size))
    return lp_fail(error, LP_INVALID, library, 0, "the access unit is damaged");
  if (self->count >= MAX_ITEMS) return lp_fail(error, LP_INVALID, library, 0, "too many items");
  struct heif_image *image = NULL;
  struct heif_error result = make_image(item, &image);
  if (result.code == heif_error_Ok) {
    current.bytes = access_unit;
    current.size = size;
    result = encode(self, item, image);
    current.bytes = NULL;
    current.size = 0;
  }
  if (image != NULL) heif_image_release(image);
  if (result.code != heif_error_Ok) return heif_failure(error, result);
  self->count++;
  return LP_OK;
}

static struct heif_error store(struct heif_context *context, const void *data, size_t size, void *user) {
  (void)context;
  return lp_buffer_append(user, data, size) ? fine : no_memory;
}

lp_status lp_heif_writer_finish(lp_heif_writer *self, const uint8_t **bytes, size_t *size, lp_error *error) {
  struct heif_writer writer = {.writer_api_version = 1, .write = store};
  self->output.size = 0;
  struct heif_error result = heif_context_write(self->context, &writer, &self->output);
  if (result.code != heif_error_Ok) return heif_failure(error, result);
  *bytes = self->output.bytes;
  *size = self->output.size;
  return LP_OK;
}

void lp_heif_writer_close(lp_heif_writer *self) {
  if (self == NULL) return;
  if (self->encoder != NULL) heif_encoder_release(self->encoder);
  if (self->context != NULL) heif_context_free(self->context);
  lp_buffer_free(&self->output);
  free(self);
}

#endif
