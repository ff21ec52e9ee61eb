/* The bones of both hips from a label map. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "clinic/hip_mend.h"
#include "clinic/hip_recognise.h"
#include "result/value.h"
#include <synovia/clinic.h>

/* Voxels from which on a range of motion is refused: at 3 mm a motion of a data hip changed by 70 degrees. Maps of
 * nominally 3 mm are included. */
static const double coarse_mm = 2.9;
/* Smaller pieces of a bone are errors of a segmentation. */
static const double island_fraction = 0.02;

syn_hip_scan_options syn_default_hip_scan_options(void) {
  return (syn_hip_scan_options){.mend = true, .cookie = SYN_COOKIE};
}

/* ---- labels ----------------------------------------------------------------------------------------------------- */

static bool is_part(const syn_label *label, const char *part, syn_side side) {
  return label->part && label->voxel_count > 0 && strcmp(label->part, part) == 0 && label->side == side;
}

static bool belongs_to_hip(const syn_label *label) {
  if (label->voxel_count == 0 || !label->part) return false;
  const bool sided = strcmp(label->part, "femur") == 0 || strcmp(label->part, "hip_bone") == 0;
  const bool whole = strcmp(label->part, "pelvis") == 0 || strcmp(label->part, "sacrum") == 0;
  return whole || (sided && label->side != SYN_SIDES);
}

/* Adds the surfaces of a part to a list. */
static void list_part(const syn_hip_scan *scan, const char *part, syn_side side, const syn_trimesh **list,
                      size_t *count) {
  const syn_image_surfaces *s = scan->surfaces;
  for (size_t i = 0; i < s->count; ++i)
    if (s->surfaces[i].mesh && is_part(&s->image->labels[s->surfaces[i].label], part, side))
      list[(*count)++] = s->surfaces[i].mesh;
}

/* ---- bones ------------------------------------------------------------------------------------------------------ */

static syn_status merge_list(const syn_context *context, const syn_trimesh *const *list, size_t count,
                             syn_trimesh **bone, syn_error *error) {
  if (count == 0) return SYN_OK;
  return count == 1 ? syn_trimesh_share(list[0], bone, error) : syn_trimesh_merge(context, list, count, bone, error);
}

/* The pelvis of a side: its hip bone with all others, else a label of the whole pelvis. */
static void list_pelvis(const syn_hip_scan *scan, syn_side side, const syn_trimesh **list, size_t *count) {
  list_part(scan, "hip_bone", side, list, count);
  if (*count == 0) {
    list_part(scan, "pelvis", SYN_SIDES, list, count);
    list_part(scan, "pelvis", side, list, count);
    return;
  }
  list_part(scan, "hip_bone", side == SYN_SIDE_LEFT ? SYN_SIDE_RIGHT : SYN_SIDE_LEFT, list, count);
  list_part(scan, "sacrum", SYN_SIDES, list, count);
}

static syn_status make_side(syn_hip_scan *scan, syn_side side, const syn_trimesh **list, syn_error *error) {
  size_t femur = 0, pelvis = 0;
  list_part(scan, "femur", side, list, &femur);
  SYN_TRY(merge_list(scan->context, list, femur, &scan->femur[side], error));
  list_pelvis(scan, side, list, &pelvis);
  if (femur && pelvis) return merge_list(scan->context, list, pelvis, &scan->pelvis[side], error);
  snprintf(scan->why_not[side], sizeof scan->why_not[side], "no label is the %s %s",
           femur    ? "hip bone or the pelvis of the"
           : pelvis ? "femur of the"
                    : "femur or the hip bone of the",
           syn_side_name(side));
  syn_trimesh_destroy(scan->femur[side]);
  scan->femur[side] = NULL;
  return SYN_OK;
}

static syn_status make_bones(syn_hip_scan *scan, const syn_hip_scan_options *options, syn_error *error) {
  const syn_trimesh **list;
  SYN_TRY(SYN_NEW(scan->context, &list, scan->surfaces->count + 1, error));
  syn_status status = SYN_OK;
  for (int side = 0; side < SYN_SIDES && status == SYN_OK; ++side) {
    if (!options->side || *options->side == (syn_side)side)
      status = make_side(scan, (syn_side)side, list, error);
    else
      snprintf(scan->why_not[side], sizeof scan->why_not[side], "it is not asked for");
  }
  syn_free(scan->context, (void *)list);
  return status;
}

/* ---- resolution and what was mended ----------------------------------------------------------------------------- */

static syn_status check_resolution(syn_hip_scan *scan, bool coarse, syn_error *error) {
  const syn_image_surfaces *s = scan->surfaces;
  double coarsest = 0;
  bool resampled = false;
  for (int a = 0; a < 3; ++a) {
    coarsest = fmax(coarsest, s->resolution_mm[a]);
    resampled |= s->resolution_mm[a] > 1.01 * s->voxel_mm[a];
  }
  scan->voxel_mm = cbrt(s->resolution_mm[0] * s->resolution_mm[1] * s->resolution_mm[2]);
  if (resampled)
    syn_warn(scan->context,
             "the labels were made with voxels of %.2g x %.2g x %.2g mm, as their stairs show, and resampled to %.2g x "
             "%.2g x %.2g mm: the larger ones count",
             s->resolution_mm[0], s->resolution_mm[1], s->resolution_mm[2], s->voxel_mm[0], s->voxel_mm[1],
             s->voxel_mm[2]);
  if (coarsest < coarse_mm) return SYN_OK;
  if (!coarse)
    return syn_fail(
        error, SYN_BAD_MESH,
        "voxels of %.2g mm are too coarse for a range of motion: at 3 mm angles of known bones came out wrong "
        "by 9 degrees and more, and some contacts vanished; segment again at 1.5 mm (TotalSegmentator "
        "without --fast), or take --coarse to see what comes out",
        coarsest);
  syn_warn(scan->context, "voxels of %.2g mm: angles may be wrong by ten degrees and more", coarsest);
  return SYN_OK;
}

static void note(syn_hip_scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(syn_hip_scan *scan, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(scan->mended[scan->mended_count++], sizeof *scan->mended, format, arguments);
  va_end(arguments);
}

static void note_pieces(syn_hip_scan *scan) {
  const syn_image_surfaces *s = scan->surfaces;
  for (size_t i = 0; i < s->count; ++i)
    if (s->surfaces[i].removed)
      note(scan, "%.80s: %u islands and cavities left out", s->surfaces[i].name, s->surfaces[i].removed);
}

static void note_joint(syn_hip_scan *scan, const syn_hip_mend *mend, uint64_t to_femur, uint64_t to_hip) {
  const syn_label *labels = scan->surfaces->image->labels;
  const char *femur = labels[mend->femur].name, *hip = labels[mend->hip].name;
  if (to_femur)
    note(scan, "%llu voxels of the head of %.50s were labelled %.50s", (unsigned long long)to_femur, femur, hip);
  if (to_hip)
    note(scan, "%llu voxels beyond the head of %.50s were labelled so; they are %.50s", (unsigned long long)to_hip,
         femur, hip);
}

/* ---- labels of the joint ---------------------------------------------------------------------------------------- */

/* The only surface of a part; NULL if there are several. */
static const syn_label_surface *only_part(const syn_hip_scan *scan, const char *part, syn_side side) {
  const syn_image_surfaces *s = scan->surfaces;
  const syn_label_surface *found = NULL;
  for (size_t i = 0; i < s->count; ++i) {
    if (!s->surfaces[i].mesh || !is_part(&s->image->labels[s->surfaces[i].label], part, side)) continue;
    if (found) return NULL;
    found = &s->surfaces[i];
  }
  return found;
}

/* Fills `voxels` with the mended ones; returns how many changed in *changed. */
static syn_status mend_joints(syn_hip_scan *scan, uint16_t *voxels, uint64_t counts[SYN_SIDES][2], uint64_t *changed,
                              syn_hip_mend mends[SYN_SIDES], syn_error *error) {
  const syn_image *image = scan->surfaces->image;
  for (int side = 0; side < SYN_SIDES; ++side) {
    const syn_label_surface *femur = only_part(scan, "femur", (syn_side)side),
                            *hip = only_part(scan, "hip_bone", (syn_side)side);
    if (!hip) hip = only_part(scan, "pelvis", SYN_SIDES);
    if (!femur || !hip || image->labels[femur->label].layer != image->labels[hip->label].layer) continue;
    mends[side] = (syn_hip_mend){.femur = femur->label, .hip = hip->label, .surface = femur->mesh};
    SYN_TRY(syn_hip_mend_find(image, scan->voxel_mm, &mends[side], voxels, error));
    counts[side][0] += mends[side].to_femur;
    counts[side][1] += mends[side].to_hip;
    *changed += mends[side].to_femur + mends[side].to_hip;
  }
  return SYN_OK;
}

/* An image with the mended voxels, or NULL where nothing changed. */
static syn_status make_mended(syn_hip_scan *scan, uint64_t counts[SYN_SIDES][2], syn_hip_mend mends[SYN_SIDES],
                              syn_image **mended, syn_error *error) {
  const syn_image *image = scan->surfaces->image;
  const size_t count = syn_image_voxel_count(image) * image->layer_count;
  uint16_t *voxels;
  uint64_t changed = 0;
  *mended = NULL;
  SYN_TRY(SYN_NEW(scan->context, &voxels, count, error));
  memcpy(voxels, image->voxels, count * sizeof *voxels);
  syn_status status = mend_joints(scan, voxels, counts, &changed, mends, error);
  if (status == SYN_OK && changed > 0) {
    syn_image described = *image;
    described.voxels = voxels;
    described.shared = NULL;
    status = syn_image_create(scan->context, &described, mended, error);
  }
  syn_free(scan->context, voxels);
  return status;
}

static syn_status make_surfaces(syn_hip_scan *scan, const syn_image *image, const syn_hip_scan_options *options,
                                syn_error *error);

/* Mends the labels of the joints, and again with the better spheres of the mended heads. */
static syn_status mend_labels(syn_hip_scan *scan, const syn_hip_scan_options *options, syn_error *error) {
  enum { ROUNDS = 3 };
  uint64_t counts[SYN_SIDES][2] = {{0}};
  syn_hip_mend mends[SYN_SIDES] = {{0}};
  for (int round = 0; round < ROUNDS; ++round) {
    syn_image *mended;
    SYN_TRY(make_mended(scan, counts, mends, &mended, error));
    if (!mended) break;
    syn_image_surfaces_destroy(scan->surfaces);
    scan->surfaces = NULL;
    const syn_status status = make_surfaces(scan, mended, options, error);
    syn_image_destroy(mended);
    SYN_TRY(status);
  }
  SYN_TRY(SYN_NEW_ZEROED(scan->context, &scan->mended, scan->surfaces->count + 2 * SYN_SIDES, error));
  for (int side = 0; side < SYN_SIDES; ++side) note_joint(scan, &mends[side], counts[side][0], counts[side][1]);
  note_pieces(scan);
  for (size_t i = 0; i < scan->mended_count; ++i) syn_warn(scan->context, "mended: %s", scan->mended[i]);
  return SYN_OK;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static syn_image_surface_options surface_options(const syn_hip_scan_options *options) {
  if (options->surfaces) return *options->surfaces;
  syn_image_surface_options how = syn_default_image_surface_options();
  how.island_fraction = island_fraction;
  how.apart = true;
  return how;
}

static syn_status make_surfaces(syn_hip_scan *scan, const syn_image *image, const syn_hip_scan_options *options,
                                syn_error *error) {
  syn_image_surface_options how = surface_options(options);
  uint32_t *labels;
  SYN_TRY(SYN_NEW(scan->context, &labels, image->label_count + 1, error));
  how.label_count = 0;
  for (size_t i = 0; i < image->label_count; ++i)
    if (belongs_to_hip(&image->labels[i])) labels[how.label_count++] = (uint32_t)i;
  how.labels = labels;
  const bool any = how.label_count > 0;
  const syn_status status =
      any ? syn_image_surfaces_create(image, &how, &scan->surfaces, error)
          : syn_fail(
                error, SYN_BAD_MESH,
                "no label is recognised as a femur, hip bone or pelvis, neither by name nor by shape: say which are "
                "which, for example --labels hip_right=1,femur_right=2,hip_left=3,femur_left=4,sacrum=5");
  syn_free(scan->context, labels);
  return status;
}

/* Without a femur of a known side the bones are recognised by their shape. */
static syn_status name_by_shape(const syn_image *image, const syn_hip_scan_options *options, syn_image **named,
                                syn_error *error) {
  *named = NULL;
  for (int side = 0; side < SYN_SIDES; ++side)
    for (size_t i = 0; i < image->label_count; ++i)
      if (is_part(&image->labels[i], "femur", (syn_side)side)) return SYN_OK;
  const syn_image_surface_options how = surface_options(options);
  SYN_TRY(syn_hip_recognise(image, &how, named, error));
  for (size_t i = 0; *named && i < (*named)->label_count; ++i) {
    const syn_label *label = &(*named)->labels[i];
    if (belongs_to_hip(label))
      syn_warn(image->context, "label '%.60s' is taken for the %s%s%s by its shape; --labels says it otherwise",
               label->name, label->side == SYN_SIDES ? "" : syn_side_name(label->side),
               label->side == SYN_SIDES ? "" : " ", strcmp(label->part, "hip_bone") == 0 ? "hip bone" : label->part);
  }
  return SYN_OK;
}

static syn_status fill_named(syn_hip_scan *scan, const syn_image *image, const syn_hip_scan_options *options,
                             syn_error *error) {
  SYN_TRY(make_surfaces(scan, image, options, error));
  SYN_TRY(check_resolution(scan, options->coarse, error));
  if (options->mend) SYN_TRY(mend_labels(scan, options, error));
  SYN_TRY(make_bones(scan, options, error));
  if (scan->pelvis[SYN_SIDE_RIGHT] || scan->pelvis[SYN_SIDE_LEFT]) return SYN_OK;
  const int first = options->side ? (int)*options->side : 0;
  return syn_fail(error, SYN_BAD_MESH, "there is no hip in these labels: %s side", scan->why_not[first]);
}

static syn_status fill_scan(syn_hip_scan *scan, const syn_image *image, const syn_hip_scan_options *options,
                            syn_error *error) {
  syn_image *named;
  SYN_TRY(name_by_shape(image, options, &named, error));
  const syn_status status = fill_named(scan, named ? named : image, options, error);
  syn_image_destroy(named);
  return status;
}

syn_status syn_hip_scan_create(const syn_image *image, const syn_hip_scan_options *options, syn_hip_scan **scan,
                               syn_error *error) {
  const syn_hip_scan_options standard = syn_default_hip_scan_options();
  *scan = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_hip_scan_options, error));
  syn_hip_scan *made;
  SYN_TRY(SYN_NEW_ZEROED(image->context, &made, 1, error));
  made->context = image->context;
  const syn_status status = fill_scan(made, image, options, error);
  if (status != SYN_OK) {
    syn_hip_scan_destroy(made);
    return status;
  }
  *scan = made;
  return SYN_OK;
}

void syn_hip_scan_destroy(syn_hip_scan *scan) {
  if (!scan) return;
  for (int side = 0; side < SYN_SIDES; ++side) {
    syn_trimesh_destroy(scan->pelvis[side]);
    syn_trimesh_destroy(scan->femur[side]);
  }
  syn_image_surfaces_destroy(scan->surfaces);
  syn_free(scan->context, scan->mended);
  syn_free(scan->context, scan);
}

/* ---- fields ----------------------------------------------------------------------------------------------------- */

static const char *mended_at(const void *mended, size_t i) {
  return (const char *)mended + sizeof *((syn_hip_scan *)0)->mended * i;
}
GET(mended_texts, syn_hip_scan, value_texts(mended_at, at->mended, at->mended_count))
GET(labels, syn_hip_scan, value_list(at->surfaces->surfaces, at->surfaces->count))

static const syn_result_field scan_fields[] = {
    MEMBER(syn_hip_scan, voxel_mm, "voxel_mm", "Voxel", "mm", FILE_ONLY),
    FIELD_OF(LIST, syn_label_surface_record, "labels", "Labels", FILE_ONLY, labels),
    FIELD(TEXTS, "mended", "Mended", "", FILE_ONLY, mended_texts)};
const syn_record syn_hip_scan_record = RECORD_OF(syn_hip_scan, "scan", scan_fields);
