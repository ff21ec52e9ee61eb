/* A folder with a mask for each structure, as TotalSegmentator writes: the name of a file is the name of a label. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/files/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "image/io/image_format.h"
#include "image/io/mask_layers.h"
#include "image/io/raster.h"
#include "image/label_tally.h"

enum { MOST_FILES = 4096 };

typedef struct image_folder {
  const syn_context *context;
  const char *path;
  const syn_image_read_options *options;
  syn_arena arena;
  char *names[MOST_FILES]; /* sorted, so that numbers do not depend on the disk */
  size_t count;
  syn_image **masks; /* cropped, one for each name; NULL: not wanted */
} image_folder;

/* ---- files --------------------------------------------------------------------------------------------------------
 */

static bool is_image_name(const char *name) {
  static const char *const endings[] = {".nii", ".nii.gz", ".nrrd", ".nhdr", ".mha", ".mhd"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i)
    if (name[0] != '.' && syn_path_ends(name, endings[i])) return true;
  return false;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool is_dicom_file(const char *folder, const char *name) {
  char path[SYN_LONGEST_PATH], head[132];
  if (name[0] == '.' || (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) return false;
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  const size_t size = fread(head, 1, sizeof head, file);
  fclose(file);
  return size == sizeof head && memcmp(head + 128, "DICM", 4) == 0;
}

/* Lists the files that `dicom` asks for, sorted, so that numbers do not depend on the disk. */
static syn_status list_files(image_folder *folder, bool dicom, syn_error *error) {
  DIR *entries = opendir(folder->path);
  if (!entries) return syn_fail_errno(error, SYN_NOT_FOUND, folder->path, "cannot open the folder");
  syn_status status = SYN_OK;
  folder->count = 0;
  for (const struct dirent *entry; status == SYN_OK && (entry = readdir(entries)) != NULL;) {
    if (dicom ? !is_dicom_file(folder->path, entry->d_name) : !is_image_name(entry->d_name)) continue;
    if (folder->count == MOST_FILES)
      status =
          syn_fail_at(error, SYN_TOO_LARGE, folder->path, 0, -1, "there are more than %d images in it", MOST_FILES);
    else
      status =
          syn_arena_text(&folder->arena, entry->d_name, strlen(entry->d_name), &folder->names[folder->count], error);
    folder->count += status == SYN_OK;
  }
  closedir(entries);
  qsort(folder->names, folder->count, sizeof *folder->names, compare_names);
  return status;
}

static syn_status path_in(image_folder *folder, size_t i, char **path, syn_error *error) {
  const size_t before = strlen(folder->path), after = strlen(folder->names[i]);
  SYN_TRY(SYN_TAKE(&folder->arena, path, before + after + 2, error));
  memcpy(*path, folder->path, before);
  (*path)[before] = '/';
  memcpy(*path + before + 1, folder->names[i], after + 1);
  return SYN_OK;
}

/* Is the mask of this name one of the parts that are asked for? */
static bool is_wanted(const syn_image_read_options *options, const char *stem) {
  const char *part, *wanted;
  syn_side side, wanted_side;
  syn_image_part_find(stem, &part, &side);
  for (size_t i = 0; i < options->part_count; ++i) {
    syn_image_part_find(options->parts[i], &wanted, &wanted_side);
    if (strcmp(stem, options->parts[i]) == 0) return true;
    if (part && wanted && strcmp(part, wanted) == 0 && (wanted_side == SYN_SIDES || wanted_side == side)) return true;
  }
  return false;
}

/* ---- one mask -----------------------------------------------------------------------------------------------------
 */

static bool same_grid(const syn_image *a, const syn_image *b) {
  if (memcmp(a->file_size, b->file_size, sizeof a->file_size) != 0) return false;
  for (int corner = 0; corner < 8; ++corner) {
    syn_vec3 points[2];
    for (int n = 0; n < 2; ++n) {
      const syn_image *image = n ? b : a;
      double at[3];
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = (corner >> axis & 1 ? image->file_size[axis] - 1.0 : 0.0) - image->file_first[axis];
      points[n] = syn_image_point(image, vec3(at[0], at[1], at[2]));
    }
    if (!(vec3_distance(points[0], points[1]) < 0.01)) return false;
  }
  return true;
}

static syn_status read_mask(image_folder *folder, size_t i, syn_error *error) {
  char *path;
  syn_image_read_options options = syn_default_image_read_options();
  options.margin = 0;
  SYN_TRY(path_in(folder, i, &path, error));
  SYN_TRY(syn_image_read_file(folder->context, path, &options, &folder->masks[i], error));
  if (folder->masks[i]->label_count > 1)
    return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                       "this is no mask of one structure, it has %zu labels: give the file itself, not its folder",
                       folder->masks[i]->label_count);
  for (size_t k = 0; k < i; ++k)
    if (folder->masks[k] && !same_grid(folder->masks[k], folder->masks[i]))
      return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                         "this mask has another grid than '%s': masks of one folder must be of one scan",
                         folder->names[k]);
  return SYN_OK;
}

static syn_status read_masks(image_folder *folder, syn_error *error) {
  const syn_image_read_options *options = folder->options;
  bool wanted[MOST_FILES] = {false}, some = false;
  SYN_TRY(SYN_TAKE(&folder->arena, &folder->masks, folder->count, error));
  memset(folder->masks, 0, folder->count * sizeof *folder->masks);
  for (size_t i = 0; i < folder->count; ++i) {
    const char *stem;
    SYN_TRY(syn_image_stem(&folder->arena, folder->names[i], &stem, error));
    wanted[i] = options->part_count && !options->labels && is_wanted(options, stem);
    some |= wanted[i];
  }
  for (size_t i = 0; i < folder->count; ++i)
    if (!some || wanted[i]) SYN_TRY(read_mask(folder, i, error));
  return SYN_OK;
}

/* ---- all of them --------------------------------------------------------------------------------------------------
 */

static syn_status join_masks(image_folder *folder, syn_image **image, syn_error *error) {
  mask_layers layers = {.context = folder->context, .arena = &folder->arena, .path = folder->path};
  syn_status status = syn_mask_layers_create(&layers, folder->options, folder->count, error);
  for (size_t i = 0; i < folder->count && status == SYN_OK; ++i) {
    const syn_image *mask = folder->masks[i];
    if (!mask) continue;
    const char *stem = NULL;
    status = syn_image_stem(&folder->arena, folder->names[i], &stem, error);
    const syn_label *known = mask->label_count ? &mask->labels[0] : NULL;
    syn_label label = {.value = (uint16_t)(i + 1), .name = stem, .side = SYN_SIDES};
    syn_image_part_find(stem, &label.part, &label.side);
    if (!label.part && known) {
      label.part = known->part;
      label.side = known->side;
    }
    if (known) {
      label.voxel_count = known->voxel_count;
      for (int axis = 0; axis < 3; ++axis) {
        label.first[axis] = known->first[axis] + mask->file_first[axis];
        label.last[axis] = known->last[axis] + mask->file_first[axis];
      }
    }
    if (status == SYN_OK) status = syn_mask_layers_announce(&layers, &label, error);
  }
  const syn_image *grid = NULL;
  for (size_t i = 0; i < folder->count && !grid; ++i) grid = folder->masks[i];
  if (status == SYN_OK) status = syn_mask_layers_begin(&layers, grid, error);
  for (size_t i = 0; i < folder->count && status == SYN_OK; ++i)
    if (folder->masks[i]) status = syn_mask_layers_add_image(&layers, (uint16_t)(i + 1), folder->masks[i], error);
  if (status == SYN_OK) status = syn_mask_layers_finish(&layers, "masks", image, error);
  syn_mask_layers_release(&layers);
  return status;
}

/* ---- any folder ---------------------------------------------------------------------------------------------------
 */

/* A lone file of DICOM may be a segmentation; several are slices of a scan. */
static syn_status read_dicom(image_folder *folder, syn_image **image, syn_error *error) {
  char **paths;
  const syn_image_read_options *options = folder->options;
  SYN_TRY(SYN_TAKE(&folder->arena, &paths, folder->count, error));
  for (size_t i = 0; i < folder->count; ++i) SYN_TRY(path_in(folder, i, &paths[i], error));
  if (options->kind == SYN_IMAGE_INTENSITIES)
    return syn_dicom_series_read(folder->context, folder->path, paths, folder->count, options, image, error);
  if (folder->count == 1) return syn_image_read_file(folder->context, paths[0], options, image, error);
  return syn_fail_at(error, SYN_BAD_FORMAT, folder->path, 0, -1,
                     "these %zu DICOM files are a scan and no label map: segment it (TotalSegmentator, 3D Slicer) and "
                     "give the segmentation",
                     folder->count);
}

static syn_status read_any(image_folder *folder, syn_image **image, syn_error *error) {
  const syn_image_read_options *options = folder->options;
  SYN_TRY(list_files(folder, false, error));
  if (folder->count == 0) {
    SYN_TRY(list_files(folder, true, error));
    if (folder->count > 0) return read_dicom(folder, image, error);
    return syn_fail_at(
        error, SYN_NOT_FOUND, folder->path, 0, -1,
        "the folder has no masks (.nii.gz, .nii, .nrrd, .mha), one file for each structure, and no DICOM "
        "files");
  }
  if (folder->count == 1) {
    char *only;
    SYN_TRY(path_in(folder, 0, &only, error));
    return syn_image_read_file(folder->context, only, options, image, error);
  }
  if (options->kind == SYN_IMAGE_INTENSITIES)
    return syn_fail_at(error, SYN_BAD_FORMAT, folder->path, 0, -1,
                       "the folder has %zu images: give the scan among them", folder->count);
  SYN_TRY(read_masks(folder, error));
  return join_masks(folder, image, error);
}

syn_status syn_image_read_folder(const syn_context *context, const char *path, const syn_image_read_options *options,
                                 syn_image **image, syn_error *error) {
  image_folder *folder;
  SYN_TRY(SYN_NEW_ZEROED(context, &folder, 1, error));
  *folder = (image_folder){.context = context, .path = path, .options = options, .arena = {.context = context}};
  const syn_status status = read_any(folder, image, error);
  for (size_t i = 0; folder->masks && i < folder->count; ++i) syn_image_destroy(folder->masks[i]);
  syn_arena_release(&folder->arena);
  syn_free(context, folder);
  return status;
}
