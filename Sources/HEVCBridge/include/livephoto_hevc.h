/* HEVC through x265 and libde265, and HEIF through libheif, behind one small C interface.
 *
 * Rules that hold for every function:
 *  - Objects are used by one thread at a time; different objects may be used at once.
 *  - A function returns LP_OK or another status. Where it fails and `error` is not NULL, `error` tells the library,
 *    its own code and a text. Nothing is ever written to standard output or standard error.
 *  - NAL units travel as an access unit: each NAL unit behind its length in four bytes, big-endian, without start
 *    code (ISO/IEC 14496-15, 4.3.3.1).
 *  - Bytes and samples that a function hands out belong to the object and last until the next call on it.
 *  - Close functions accept NULL.
 *
 * Without LP_HEVC (the package trait is off) nothing is defined and nothing may be called.
 */
#ifndef LIVEPHOTO_HEVC_H
#define LIVEPHOTO_HEVC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. */
typedef enum {
  LP_OK = 0,
  LP_INVALID = 1,     /* an argument is outside what the function takes; a mistake of the caller */
  LP_UNSUPPORTED = 2, /* the library was built without this, or refuses these settings */
  LP_FAILED = 3,      /* the library reports an error; error->code is the library's own */
  LP_NO_MEMORY = 4    /* memory ran out */
} lp_status;

/* Why a call failed. */
typedef struct {
  lp_status status;
  int32_t code;         /* the library's own code; 0 where it gave none. libheif: code * 65536 + subcode */
  const char *library;  /* "x265", "libde265" or "libheif" */
  char text[160];       /* one line, no full stop */
} lp_error;

/* The text of `error` as a C string that lasts as long as `error` does. */
const char *lp_error_text(const lp_error *error);

/* Chroma sampling: the values of chroma_format_idc (ITU-T H.265, table 6-1). */
typedef enum { LP_CHROMA_400 = 0, LP_CHROMA_420 = 1, LP_CHROMA_422 = 2, LP_CHROMA_444 = 3 } lp_chroma;

/* What samples mean: ITU-T H.273 code points; 2 is "unspecified". */
typedef struct {
  uint16_t primaries;
  uint16_t transfer;
  uint16_t matrix;
  uint8_t full_range; /* 1: 0...255 at 8 bit; 0: 16...235 */
} lp_color;

/* Samples of 8 bits take one byte; deeper ones take two, in the machine's order, right-justified. */
typedef struct {
  const void *samples;
  int32_t stride; /* bytes from one row to the next */
  int32_t width;  /* samples a row */
  int32_t height; /* rows */
} lp_plane;

/* A planar picture. */
typedef struct {
  lp_plane planes[3]; /* Y, Cb, Cr; the last two empty for 4:0:0. G, B, R where color.matrix is 0 */
  int32_t bit_depth;     /* luma, 8 to 16 */
  int32_t chroma_bit_depth;
  lp_chroma chroma;
  lp_color color;  /* unspecified from the HEVC decoder: libde265 loses code points, the SPS tells them */
  int64_t tag;     /* the tag that came with the picture's NAL units, or the picture's presentation time */
  int32_t damage;  /* 0, or the libde265 warning that says this picture is not as it was coded */
} lp_picture;

/* ---------------------------------------------------------------- encoder */

typedef struct lp_encoder lp_encoder;

/* What divides the sides of a still: the smallest coding unit of the preset where that is largest. */
enum { LP_STILL_UNIT = 32 };

/* How to encode. */
typedef struct {
  int32_t width;           /* luma samples, 64 (a CTU; x265 takes no less) to 65535, even where chroma is halved; of a
                              still a multiple of LP_STILL_UNIT */
  int32_t height;          /* the same */
  int32_t bit_depth;       /* 8, 10 or 12 */
  lp_chroma chroma;
  lp_color color;          /* written to the VUI; the range always, code points unless all are 2 */
  const char *preset;      /* one of x265's presets, "ultrafast" to "placebo" */
  double rate_factor;      /* CRF, 0 (best) to 51; the base QP of every picture, as qcomp is 1 */
  int32_t lossless;        /* 1: samples come back as they are (cu_transquant_bypass_flag); no rate factor then */
  int32_t still;           /* 1: one picture, an IDR; Main Still Picture at 8 bit 4:2:0; no timing in the VUI; tuned for
                              structural similarity, with the caller's QP offsets unless it is lossless */
  int32_t key_interval;    /* most pictures from one IDR to the next, at least 2; not used for stills */
  int32_t b_frames;        /* most B pictures in a row, 0 to 16; -1 leaves it to the preset */
  uint32_t rate_numerator; /* pictures per second as a fraction; not used for stills */
  uint32_t rate_denominator;
  int32_t wavefront;       /* 1: CTU rows in parallel, which shapes the bytes, whatever the number of threads */
  int32_t threads;         /* threads of the wavefront, at least 1, or 0 for one a processor; never shapes the bytes */
} lp_encoder_config;

/* A coded picture. */
typedef struct {
  const uint8_t *bytes;  /* its access unit; without parameter sets, which lp_encoder_headers gives */
  size_t size;           /* 0: the encoder holds its pictures back, or, after a NULL picture, has none left */
  int64_t presentation;  /* the `tag` of the picture that was put in */
  int64_t decoding;      /* the decoding time, in the units of the tags; can be negative */
  int32_t is_idr;
} lp_access_unit;

/* Opens an encoder. 4:2:0 comes out as Main, Main 10 or Main Still Picture; 4:0:0, 4:2:2, 4:4:4 and 12 bit as RExt.
 * `out` receives the encoder, NULL on failure. */
lp_status lp_encoder_open(const lp_encoder_config *config, lp_encoder **out, lp_error *error);

/* The VPS, SPS and PPS, as an access unit. */
lp_status lp_encoder_headers(lp_encoder *encoder, const uint8_t **bytes, size_t *size, lp_error *error);

/* Puts in a picture (NULL when there are no more) and takes out the next coded one, if any.
 * `picture` has the configured size and format; `force_idr` 1 makes it an IDR picture. After the last picture, call
 * with NULL until out->size is 0.
 * `qp_offsets`, for encoders configured for them only and not NULL there, has what is added to the base QP of each block of
 * 16x16 luma samples, row by row; `offset_count` is the number of blocks. */
lp_status lp_encoder_encode(
    lp_encoder *encoder, const lp_picture *picture, const float *qp_offsets, size_t offset_count, int32_t force_idr,
    lp_access_unit *out, lp_error *error);

void lp_encoder_close(lp_encoder *encoder);

/* ---------------------------------------------------------------- decoder */

typedef struct lp_decoder lp_decoder;

/* Opens a decoder with `threads` threads (1: the caller's only). `out` receives it, NULL on failure. */
lp_status lp_decoder_open(int32_t threads, lp_decoder **out, lp_error *error);

/* Queues one NAL unit, without start code, and returns at once; lp_decoder_next decodes. `tag` comes back with the
 * picture that the unit belongs to. A VPS, SPS or PPS that equals the one in force must not be pushed again: libde265
 * 1.0.11 then spoils the RASL pictures of a CRA that follows. */
lp_status lp_decoder_push(lp_decoder *decoder, const uint8_t *bytes, size_t size, int64_t tag, lp_error *error);

/* Says that no more NAL units follow, so that every picture comes out. */
lp_status lp_decoder_flush(lp_decoder *decoder, lp_error *error);

/* Decodes on until a picture is ready, in output order and cropped by its conformance window. `out->planes[0]`
 * has no samples when more NAL units are needed, or, after a flush, when there is none left. */
lp_status lp_decoder_next(lp_decoder *decoder, lp_picture *out, lp_error *error);

/* What `damage` of a picture means, as a C string that lasts. */
const char *lp_decoder_damage_text(int32_t damage);

/* Forgets all pictures; push parameter sets again before the next ones. The decoder can begin another stream. */
void lp_decoder_reset(lp_decoder *decoder);

void lp_decoder_close(lp_decoder *decoder);

/* ---------------------------------------------------------------- libheif */

typedef struct lp_heif_writer lp_heif_writer;

/* What to say of a coded picture. */
typedef struct {
  int32_t width;   /* as the SPS crops it */
  int32_t height;
  int32_t bit_depth;
  lp_chroma chroma;
  lp_color color;            /* the nclx `colr` property */
} lp_heif_item;

/* Opens a writer. Our encoder is registered with libheif on the first call: below x265's own in priority, and chosen
 * by its id only, so that a host that uses libheif too keeps the encoder it has. */
lp_status lp_heif_writer_open(lp_heif_writer **out, lp_error *error);

/* Adds a picture that is coded already; the first one becomes the primary item. `access_unit` holds its parameter
 * sets and slices. Item ids rise in the order of adding. */
lp_status lp_heif_writer_add(
    lp_heif_writer *writer, const lp_heif_item *item, const uint8_t *access_unit, size_t size, lp_error *error);

/* The finished file. */
lp_status lp_heif_writer_finish(lp_heif_writer *writer, const uint8_t **bytes, size_t *size, lp_error *error);

void lp_heif_writer_close(lp_heif_writer *writer);

typedef struct lp_heif_image lp_heif_image;

/* Decodes item `id` of a HEIF file with whatever decoder libheif has, without clap, irot and imir. Pictures wider or
 * higher than `max_side` are refused. The samples are as libheif holds them: as coded, or planar RGB (matrix 0; libheif
 * 1.15 makes RGB of all that is not grey). `out` receives the picture's owner, `picture` its samples. */
lp_status lp_heif_decode(
    const uint8_t *file, size_t size, uint32_t id, int32_t max_side, lp_heif_image **out, lp_picture *picture,
    lp_error *error);

void lp_heif_image_close(lp_heif_image *image);

/* The version of libheif that is loaded, such as "1.15.1". */
const char *lp_heif_version(void);

#ifdef __cplusplus
}
#endif

#endif
