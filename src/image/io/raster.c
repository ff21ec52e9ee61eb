/* Walks the voxels of a raster in pieces of rows: once to count the labels, again to keep those that are wanted. */
#include "image/io/raster.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/vec.h"
#include "image/label_choice.h"

enum { PIECE_BYTES = 1 << 16 };

typedef struct raster_walk {
  const raster *raster;
  byte_stream *stream;
  uint32_t first[3], last[3]; /* rows outside are skipped; of a row everything comes */
  size_t most;                /* voxels of a piece */
  unsigned char *bytes;
  double *values;
  const syn_context *context;
} raster_walk;

/* Gets `count` voxels from `at` on along i, their layers side by side. */
typedef syn_status visit_piece(void *user, const double *values, const uint32_t at[3], uint32_t count,
                               syn_error *error);

static size_t bytes_of_voxel(const raster *r) { return (size_t)r->layers * syn_voxel_bytes[r->type]; }

static bool all_zero(const unsigned char *bytes, size_t count) {
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

static syn_status walk_row(raster_walk *walk, uint32_t j, uint32_t k, visit_piece *visit, void *user,
                           syn_error *error) {
  const raster *r = walk->raster;
  const bool plain = r->intercept == 0;
  for (uint32_t i = 0, count; i < r->size[0]; i += count) {
    count = r->size[0] - i < walk->most ? r->size[0] - i : (uint32_t)walk->most;
    const size_t numbers = (size_t)count * r->layers, bytes = numbers * syn_voxel_bytes[r->type];
    SYN_TRY(syn_byte_stream_read(walk->stream, walk->bytes, bytes, error));
    if (plain && all_zero(walk->bytes, bytes)) continue;
    syn_raster_decode(r->type, r->big, walk->bytes, numbers, walk->values);
    if (r->slope != 0 && (r->slope != 1 || !plain))
      for (size_t n = 0; n < numbers; ++n) walk->values[n] = r->slope * walk->values[n] + r->intercept;
    SYN_TRY(visit(user, walk->values, (const uint32_t[3]){i, j, k}, count, error));
  }
  return SYN_OK;
}

/* Visits the rows of the box; pieces in which every value is 0 are left out. */
static syn_status walk_rows(raster_walk *walk, visit_piece *visit, void *user, syn_error *error) {
  const raster *r = walk->raster;
  const uint64_t row = (uint64_t)r->size[0] * bytes_of_voxel(r);
  SYN_TRY(syn_byte_stream_start(walk->stream, r->offset, r->packed, error));
  SYN_TRY(syn_byte_stream_skip(walk->stream, r->skip + (uint64_t)walk->first[2] * r->size[1] * row, error));
  for (uint32_t k = walk->first[2]; k <= walk->last[2]; ++k) {
    if (!syn_progress(walk->context, "reading the image", (double)(k - walk->first[2]) / r->size[2]))
      return syn_fail(error, SYN_CANCELLED, "reading the image was cancelled");
    SYN_TRY(syn_byte_stream_skip(walk->stream, walk->first[1] * row, error));
    for (uint32_t j = walk->first[1]; j <= walk->last[1]; ++j) SYN_TRY(walk_row(walk, j, k, visit, user, error));
    if (k < walk->last[2]) SYN_TRY(syn_byte_stream_skip(walk->stream, (r->size[1] - 1 - walk->last[1]) * row, error));
  }
  return SYN_OK;
}

static void walk_everything(raster_walk *walk) {
  for (int axis = 0; axis < 3; ++axis) {
    walk->first[axis] = 0;
    walk->last[axis] = walk->raster->size[axis] - 1;
  }
}

/* ---- labels -------------------------------------------------------------------------------------------------------
 */

static syn_status refuse_value(const char *name, double value, const uint32_t at[3], uint32_t i, syn_error *error) {
  const char *why = isnan(value)         ? "NaN"
                    : value < 0          ? "negative"
                    : value > UINT16_MAX ? "too large"
                                         : "no whole number";
  return syn_fail_at(error, SYN_BAD_FORMAT, name, 0, -1,
                     "this is no label map: voxel (%u, %u, %u) has the value %.6g, which is %s; labels are 0 to %d. "
                     "Give the segmentation of the scan, and the scan itself as its image",
                     at[0] + i, at[1], at[2], value, why, UINT16_MAX);
}

/* Labels stored as scaled floats are rounded, unless they are none. */
static bool as_label(double value, uint16_t *label) {
  const double whole = floor(value + 0.5);
  if (!(whole >= 0 && whole <= UINT16_MAX && fabs(value - whole) <= 1e-3)) return false;
  *label = (uint16_t)whole;
  return true;
}

typedef struct label_visit {
  const char *name;
  uint32_t layers;
  label_tally *tally;
  /* storing */
  const label_choice *choice;
  const uint32_t *first, *size; /* of the piece of the grid that is kept */
  const uint16_t *layer_of;     /* of an entry in the image */
  uint16_t *voxels;
} label_visit;

static syn_status tally_piece(void *user, const double *values, const uint32_t at[3], uint32_t count,
                              syn_error *error) {
  const label_visit *visit = user;
  for (uint32_t layer = 0; layer < visit->layers; ++layer)
    for (uint32_t i = 0, end; i < count; i = end) {
      const double value = values[(size_t)i * visit->layers + layer];
      uint16_t label;
      if (!as_label(value, &label)) return refuse_value(visit->name, value, at, i, error);
      for (end = i + 1; end < count && values[(size_t)end * visit->layers + layer] == value; ++end) {
      }
      if (label)
        SYN_TRY(syn_label_tally_run(visit->tally, (uint16_t)layer, label, (const uint32_t[3]){at[0] + i, at[1], at[2]},
                                    at[0] + end - 1, error));
    }
  return SYN_OK;
}

static syn_status store_piece(void *user, const double *values, const uint32_t at[3], uint32_t count,
                              syn_error *error) {
  const label_visit *visit = user;
  const uint32_t *first = visit->first, *size = visit->size;
  const size_t grid = (size_t)size[0] * size[1] * size[2];
  uint16_t *row = visit->voxels + size[0] * ((at[1] - first[1]) + (size_t)size[1] * (at[2] - first[2]));
  for (uint32_t layer = 0; layer < visit->layers; ++layer)
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t column = at[0] + i - first[0];
      uint16_t label;
      if (at[0] + i < first[0] || column >= size[0]) continue;
      if (!as_label(values[(size_t)i * visit->layers + layer], &label) || !label) continue;
      const syn_label *entry = syn_label_tally_find(visit->tally, (uint16_t)layer, label);
      if (!entry) return syn_fail_at(error, SYN_IO_ERROR, visit->name, 0, -1, "the file changes while it is read");
      const size_t number = (size_t)(entry - visit->tally->entries);
      if (visit->choice->kept[number]) row[visit->layer_of[number] * grid + column] = visit->choice->kept[number];
    }
  return SYN_OK;
}

/* Layers of which nothing is kept go. Returns how many stay. */
static uint32_t number_layers(const label_tally *tally, const label_choice *choice, uint32_t layers,
                              uint16_t *layer_of) {
  uint16_t stays[SYN_MOST_LAYERS] = {0};
  uint32_t count = 0;
  for (size_t i = 0; i < tally->count; ++i)
    if (choice->kept[i] && tally->entries[i].voxel_count) stays[tally->entries[i].layer] = 1;
  for (uint32_t layer = 0; layer < layers; ++layer)
    if (stays[layer]) stays[layer] = (uint16_t)++count;
  for (size_t i = 0; i < tally->count; ++i) {
    const uint16_t layer = stays[tally->entries[i].layer];
    layer_of[i] = layer ? (uint16_t)(layer - 1) : 0;
  }
  return count ? count : 1;
}

/* The labels that are kept, with their names, as the image will know them. */
static syn_status list_kept(const label_tally *tally, const label_choice *choice, const uint16_t *layer_of,
                            syn_arena *arena, syn_image *image, syn_error *error) {
  syn_label *labels;
  SYN_TRY(SYN_TAKE(arena, &labels, tally->count, error));
  image->labels = labels;
  for (size_t i = 0; i < tally->count; ++i) {
    if (choice->kept[i] != tally->entries[i].value) continue; /* dropped, or joined with another */
    labels[image->label_count] = tally->entries[i];
    labels[image->label_count++].layer = layer_of[i];
  }
  return SYN_OK;
}

static syn_status keep_labels(raster_walk *walk, label_visit *visit, const label_choice *choice, syn_image *image,
                              syn_error *error) {
  const raster *r = walk->raster;
  const label_tally *tally = visit->tally;
  uint16_t *layer_of, *voxels;
  SYN_TRY(SYN_TAKE(r->arena, &layer_of, tally->count, error));
  image->layer_count = number_layers(tally, choice, r->layers, layer_of);
  SYN_TRY(list_kept(tally, choice, layer_of, r->arena, image, error));
  const uint64_t count = (uint64_t)syn_image_voxel_count(image) * image->layer_count;
  if (count > SYN_MOST_VOXELS)
    return syn_fail_at(error, SYN_TOO_LARGE, walk->stream->name, 0, -1,
                       "%llu voxels in %u layers are too many: 2^31 is the limit", (unsigned long long)count,
                       image->layer_count);
  SYN_TRY(SYN_NEW_ZEROED(walk->context, &voxels, (size_t)count, error));
  image->voxels = voxels;
  if (!choice->some) return SYN_OK;
  visit->choice = choice;
  visit->first = image->file_first;
  visit->size = image->size;
  visit->layer_of = layer_of;
  visit->voxels = voxels;
  for (int axis = 0; axis < 3; ++axis) {
    walk->first[axis] = image->file_first[axis];
    walk->last[axis] = image->file_first[axis] + image->size[axis] - 1;
  }
  return walk_rows(walk, store_piece, visit, error);
}

/* ---- pieces of the grid -------------------------------------------------------------------------------------------
 */

static syn_image whole_grid(const raster *r, syn_image_kind kind) {
  syn_image image = {.kind = kind, .origin = r->origin, .layer_count = 1, .oriented = r->oriented, .format = r->format};
  memcpy(image.size, r->size, sizeof image.size);
  memcpy(image.file_size, r->size, sizeof image.file_size);
  memcpy(image.step, r->step, sizeof image.step);
  return image;
}

static void cut_grid(syn_image *image, const uint32_t first[3], const uint32_t last[3]) {
  image->origin = syn_image_point(image, vec3(first[0], first[1], first[2]));
  for (int axis = 0; axis < 3; ++axis) {
    image->file_first[axis] = first[axis];
    image->size[axis] = last[axis] - first[axis] + 1;
  }
}

/* An empty map is one voxel: there is nothing to keep. */
static void cut_around(syn_image *image, const label_choice *choice, uint32_t margin) {
  uint32_t first[3], last[3];
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t end = image->size[axis] - 1;
    first[axis] = choice->first[axis] > margin ? choice->first[axis] - margin : 0;
    last[axis] = end - choice->last[axis] > margin ? choice->last[axis] + margin : end;
    if (!choice->some) last[axis] = 0;
  }
  cut_grid(image, first, last);
}

static syn_status read_labels(raster_walk *walk, label_tally *tally, const syn_image_read_options *options,
                              syn_image *image, syn_error *error) {
  const raster *r = walk->raster;
  label_choice choice;
  label_visit visit = {.name = walk->stream->name, .layers = r->layers, .tally = tally};
  for (size_t i = 0; i < r->label_count; ++i)
    if (r->labels[i].layer < r->layers) SYN_TRY(syn_label_tally_name(tally, &r->labels[i], error));
  if (r->label_count == 0 && walk->stream->file)
    SYN_TRY(syn_dataset_labels_find(r->arena, r->header_path, tally, error));
  walk_everything(walk);
  SYN_TRY(walk_rows(walk, tally_piece, &visit, error));
  /* A mask is named by its file. */
  if (tally->count == 1 && !tally->entries[0].name)
    SYN_TRY(syn_image_stem(r->arena, r->header_path, &tally->entries[0].name, error));
  SYN_TRY(syn_label_choice_make(options, walk->stream->name, r->arena, tally, &choice, error));
  if (options->crop) cut_around(image, &choice, options->margin);
  return keep_labels(walk, &visit, &choice, image, error);
}

/* ---- intensities --------------------------------------------------------------------------------------------------
 */

typedef struct value_visit {
  const char *name;
  const syn_image *image;
  float *values;
} value_visit;

static syn_status store_values(void *user, const double *values, const uint32_t at[3], uint32_t count,
                               syn_error *error) {
  const value_visit *visit = user;
  const uint32_t *first = visit->image->file_first, *size = visit->image->size;
  float *row = visit->values + size[0] * ((at[1] - first[1]) + (size_t)size[1] * (at[2] - first[2]));
  for (uint32_t i = 0; i < count; ++i) {
    if (at[0] + i < first[0] || at[0] + i - first[0] >= size[0]) continue;
    if (!(fabs(values[i]) <= (double)FLT_MAX))
      return syn_fail_at(error, SYN_BAD_FORMAT, visit->name, 0, -1,
                         "voxel (%u, %u, %u) has the value %g: replace what is not finite in the program that wrote it",
                         at[0] + i, at[1], at[2], values[i]);
    row[at[0] + i - first[0]] = (float)values[i];
  }
  return SYN_OK;
}

bool syn_image_cut_to_box(syn_image *image, const syn_box *box) {
  syn_box voxels = box_empty();
  uint32_t first[3], last[3];
  for (int corner = 0; corner < 8; ++corner)
    box_add(&voxels,
            syn_image_voxel(image, vec3(corner & 1 ? box->max.x : box->min.x, corner & 2 ? box->max.y : box->min.y,
                                        corner & 4 ? box->max.z : box->min.z)));
  for (int axis = 0; axis < 3; ++axis) {
    const double low = floor(vec3_at(voxels.min, axis)), high = ceil(vec3_at(voxels.max, axis));
    const double end = image->size[axis] - 1;
    if (!(low <= end && high >= 0)) return false;
    first[axis] = low > 0 ? (uint32_t)low : 0;
    last[axis] = high < end ? (uint32_t)high : (uint32_t)end;
  }
  cut_grid(image, first, last);
  return true;
}

static syn_status read_values(raster_walk *walk, const syn_image_read_options *options, syn_image *image,
                              syn_error *error) {
  const raster *r = walk->raster;
  if (r->layers > 1)
    return syn_byte_stream_fail(walk->stream, -1, error,
                                "each voxel has %u numbers: give one volume, not colours, vectors or a series",
                                r->layers);
  if (options->box_mm && !syn_image_cut_to_box(image, options->box_mm))
    return syn_byte_stream_fail(walk->stream, -1, error,
                                "the image does not reach the bones: it is of another place, or its axes are wrong");
  const size_t count = syn_image_voxel_count(image);
  float *values;
  SYN_TRY(SYN_NEW_ZEROED(walk->context, &values, count, error));
  image->values = values;
  value_visit visit = {.name = walk->stream->name, .image = image, .values = values};
  for (int axis = 0; axis < 3; ++axis) {
    walk->first[axis] = image->file_first[axis];
    walk->last[axis] = image->file_first[axis] + image->size[axis] - 1;
  }
  return walk_rows(walk, store_values, &visit, error);
}

/* ---- both ---------------------------------------------------------------------------------------------------------
 */

static syn_status check_size(const raster *r, const byte_stream *stream, syn_error *error) {
  const syn_image grid = whole_grid(r, SYN_IMAGE_LABELS);
  syn_error why;
  const syn_status status = syn_image_check_grid(&grid, &why);
  if (status != SYN_OK)
    return syn_fail_at(error, status == SYN_TOO_LARGE ? status : SYN_BAD_FORMAT, stream->name, 0, -1, "%s",
                       why.message);
  if (r->layers == 0 || r->layers > SYN_MOST_LAYERS)
    return syn_byte_stream_fail(stream, -1, error, "the voxels have %u layers, 1 to %d are allowed", r->layers,
                                SYN_MOST_LAYERS);
  if (!isfinite(r->slope) || !isfinite(r->intercept))
    return syn_byte_stream_fail(stream, -1, error, "the scale of the values is not finite");
  const uint64_t bytes = (uint64_t)r->size[0] * r->size[1] * r->size[2] * bytes_of_voxel(r);
  if (!syn_byte_stream_may_hold(stream, r->offset, r->packed, r->skip + bytes))
    return syn_byte_stream_fail(stream, (int64_t)stream->size, error,
                                "the file is cut: %u x %u x %u voxels need %llu bytes%s, and it has %llu", r->size[0],
                                r->size[1], r->size[2], (unsigned long long)bytes, r->packed ? " unpacked" : "",
                                (unsigned long long)stream->size);
  return SYN_OK;
}

static syn_status read_from(const raster *r, byte_stream *stream, const syn_image_read_options *options,
                            syn_image **image, syn_error *error) {
  SYN_TRY(check_size(r, stream, error));
  const size_t voxel = bytes_of_voxel(r), most = PIECE_BYTES / voxel ? PIECE_BYTES / voxel : 1;
  raster_walk walk = {.raster = r, .stream = stream, .most = most < r->size[0] ? most : r->size[0]};
  walk.context = stream->context;
  SYN_TRY(SYN_TAKE(r->arena, &walk.bytes, walk.most * voxel, error));
  SYN_TRY(SYN_TAKE(r->arena, &walk.values, walk.most * r->layers, error));
  syn_image described = whole_grid(r, options->kind);
  syn_status status;
  if (options->kind == SYN_IMAGE_LABELS) {
    label_tally tally = {.context = stream->context};
    status = read_labels(&walk, &tally, options, &described, error);
    syn_label_tally_release(&tally);
  } else {
    status = read_values(&walk, options, &described, error);
  }
  if (status == SYN_OK) return syn_image_adopt(stream->context, &described, image, error);
  syn_free_const(stream->context, described.voxels);
  syn_free_const(stream->context, described.values);
  return status;
}

syn_status syn_raster_read(const raster *r, byte_stream *file, const syn_image_read_options *options, syn_image **image,
                           syn_error *error) {
  if (!r->data_path) return read_from(r, file, options, image, error);
  if (file->memory)
    return syn_byte_stream_fail(
        file, -1, error, "the voxels are in a file of their own, '%s', which must be given as well", r->data_path);
  byte_stream data;
  syn_status status = syn_byte_stream_open(file->context, r->data_path, &data, error);
  if (status == SYN_OK) status = read_from(r, &data, options, image, error);
  syn_byte_stream_close(&data);
  return status;
}

/* ---- for headers --------------------------------------------------------------------------------------------------
 */

void syn_raster_set_affine(raster *r, const double matrix[12], bool ras, double mm) {
  const double across = ras ? -mm : mm;
  for (int axis = 0; axis < 3; ++axis)
    r->step[axis] = vec3(across * matrix[axis] + 0.0, across * matrix[4 + axis] + 0.0, mm * matrix[8 + axis]);
  r->origin = vec3(across * matrix[3], across * matrix[7], mm * matrix[11]);
}

/* "femur_left" of "/data/femur_left.nii.gz". */
syn_status syn_image_stem(syn_arena *arena, const char *path, const char **stem, syn_error *error) {
  static const char *const endings[] = {".gz",   ".nii",  ".hdr", ".img", ".seg",
                                        ".nrrd", ".nhdr", ".mha", ".mhd", ".dcm"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = strlen(name);
  for (bool cut = true; cut;) {
    cut = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !cut; ++i) {
      const size_t end = strlen(endings[i]);
      cut = length > end && strncasecmp(name + length - end, endings[i], end) == 0;
      if (cut) length -= end;
    }
  }
  char *copy;
  SYN_TRY(syn_arena_text(arena, name, length, &copy, error));
  *stem = copy;
  return SYN_OK;
}

syn_status syn_raster_beside(syn_arena *arena, const char *header, const char *name, size_t length, char **path,
                             syn_error *error) {
  const char *slash = length > 0 && name[0] == '/' ? NULL : strrchr(header, '/');
  const size_t folder = slash ? (size_t)(slash - header) + 1 : 0;
  SYN_TRY(SYN_TAKE(arena, path, folder + length + 1, error));
  memcpy(*path, header, folder);
  memcpy(*path + folder, name, length);
  (*path)[folder + length] = 0;
  return SYN_OK;
}
