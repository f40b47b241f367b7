/* libheif as the decoder of items that are not HEVC. */
#include "internal.h"

#ifdef LP_HEVC

#include <libheif/heif.h>
#include <stdlib.h>

static const char *const library = "libheif";

struct lp_heif_image {
  struct heif_image *image;
};

static void describe(const struct heif_image *image, lp_picture *out) {
  static const enum heif_channel luma_chroma[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  static const enum heif_channel green_blue_red[] = {heif_channel_G, heif_channel_B, heif_channel_R};
  int is_rgb = heif_image_get_colorspace(image) == heif_colorspace_RGB;
  const enum heif_channel *channels = is_rgb ? green_blue_red : luma_chroma;
  out->chroma = (lp_chroma)heif_image_get_chroma_format(image);
  int planes = out->chroma == LP_CHROMA_400 ? 1 : 3;
  for (int index = 0; index < planes; index++) {
    int stride = 0;
    out->planes[index].samples = heif_image_get_plane_readonly(image, channels[index], &stride);
    out->planes[index].stride = stride;
    out->planes[index].width = heif_image_get_width(image, channels[index]);
    out->planes[index].height = heif_image_get_height(image, channels[index]);
  }
  out->bit_depth = heif_image_get_bits_per_pixel_range(image, channels[0]);
  out->chroma_bit_depth =
      planes > 1 ? heif_image_get_bits_per_pixel_range(image, channels[1]) : out->bit_depth;
  out->color = (lp_color){2, 2, 2, 1};
  struct heif_color_profile_nclx *color = NULL;
  if (heif_image_get_nclx_color_profile(image, &color).code == heif_error_Ok && color != NULL) {
    out->color = (lp_color){
        (uint16_t)color->color_primaries, (uint16_t)color->transfer_characteristics,
        (uint16_t)color->matrix_coefficients, color->full_range_flag != 0};
    heif_nclx_color_profile_free(color);
  }
  if (is_rgb) {
    out->color.matrix = 0;
    out->color.full_range = 1;
  }
}

/* In the item's own colour space where that is planar, else as planar RGB. */
static struct heif_error decode(const struct heif_image_handle *handle, struct heif_image **out) {
  struct heif_decoding_options *options = heif_decoding_options_alloc();
  if (options == NULL)
    return (struct heif_error){heif_error_Memory_allocation_error, heif_suberror_Unspecified, "Out of memory"};
  options->ignore_transformations = 1;
  options->strict_decoding = 1;
  struct heif_error result =
      heif_decode_image(handle, out, heif_colorspace_undefined, heif_chroma_undefined, options);
  if (result.code == heif_error_Ok && heif_image_get_chroma_format(*out) > heif_chroma_444) {
    heif_image_release(*out);
    *out = NULL;
    result = heif_decode_image(handle, out, heif_colorspace_RGB, heif_chroma_444, options);
  }
  heif_decoding_options_free(options);
  return result;
}

lp_status lp_heif_decode(
    const uint8_t *file, size_t size, uint32_t id, int32_t max_side, lp_heif_image **out, lp_picture *picture,
    lp_error *error) {
  *out = NULL;
  *picture = (lp_picture){0};
  struct heif_context *context = heif_context_alloc();
  lp_heif_image *self = calloc(1, sizeof *self);
  struct heif_image_handle *handle = NULL;
  lp_status status = LP_OK;
  if (context == NULL || self == NULL) {
    status = lp_fail(error, LP_NO_MEMORY, library, 0, "no memory for a reader");
  } else {
    heif_context_set_maximum_image_size_limit(context, max_side);
    heif_context_set_max_decoding_threads(context, 0);
    struct heif_error result = heif_context_read_from_memory_without_copy(context, file, size, NULL);
    if (result.code == heif_error_Ok) result = heif_context_get_image_handle(context, id, &handle);
    if (result.code == heif_error_Ok) result = decode(handle, &self->image);
    if (result.code != heif_error_Ok)
      status = lp_fail(
          error, LP_FAILED, library, (int32_t)result.code * 65536 + (int32_t)result.subcode, result.message);
    else describe(self->image, picture);
  }
  if (handle != NULL) heif_image_handle_release(handle);
  if (context != NULL) heif_context_free(context);
  if (status != LP_OK) lp_heif_image_close(self);
  else *out = self;
  return status;
}

void lp_heif_image_close(lp_heif_image *self) {
  if (self == NULL) return;
  if (self->image != NULL) heif_image_release(self->image);
  free(self);
}

const char *lp_heif_version(void) { return heif_get_version(); }

#endif
