/* Draws joints under measurement noise: moved surfaces, centres and frames, and the interval of their results. The
 * random numbers follow from the seed and the number of the draw alone. */
#include "motion/joint_coordinates.h"
#include "motion/rom/band.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/vec.h"
#include "mesh/builder.h"
#include "mesh/derived.h"
#include "motion/rom/limit_text.h"
#include "motion/rom/noise_field.h"

/* Noise of a surface, in voxels, over hills of some millimetres, as segmentation errs. What differs from vertex to
 * vertex is smoothed away before anything is measured. */
static const double noise_per_voxel = 0.3, kernel_mm = 5;
static const double usual_center_mm = 3;         /* Arbabi 2009, §4.4.1 */
static const double ball_per_deviation = 2.7955; /* radius of the ball with 95 % of a normal variable in space */
static const double least_voxel_mm = 0.4, most_voxel_mm = 1; /* range of the estimated voxel size */

syn_band_options syn_default_band_options(void) {
  return (syn_band_options){.draws = 200, .seed = 1, .cookie = SYN_COOKIE};
}

SYN_ENUM_NAMES(syn_band_source, SYN_BAND_SOURCES, [SYN_BAND_ALL] = "all", [SYN_BAND_SURFACE] = "surface",
               [SYN_BAND_CENTER] = "center", [SYN_BAND_FRAME] = "frame");

/* ---- random numbers ---------------------------------------------------------------------------------------------- */

/* Steele et al. 2014, SplitMix64. */
static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static double uniform(uint64_t *state) {
  *state += 1;
  return ((double)(mixed(*state) >> 11) + 0.5) / 9007199254740992.0; /* 2^53: neither 0 nor 1 */
}

/* The sum of twelve uniform numbers is close enough to normal, and has the same bits on every platform, unlike
 * logarithm and sine. */
static double normal(uint64_t *state) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(state);
  return sum;
}

static syn_vec3 normal_vec3(uint64_t *state, syn_vec3 deviation) {
  const double x = normal(state), y = normal(state), z = normal(state);
  return vec3(x * deviation.x, y * deviation.y, z * deviation.z);
}

/* ---- the joints -------------------------------------------------------------------------------------------------- */

bool syn_band_moves(syn_band_source what, syn_band_source source) { return source == SYN_BAND_ALL || source == what; }

static uint64_t seed_of(const syn_band_options *options, size_t draw, uint64_t what) {
  return mixed(mixed(mixed(options->seed) ^ draw) ^ what);
}

syn_status syn_band_move_points(const syn_context *context, const syn_band_options *options, size_t draw, size_t body,
                                double voxel_mm, syn_vec3 center, const syn_vec3 *points, const syn_vec3 *normals,
                                size_t count, syn_vec3 *moved, syn_error *error) {
  syn_arena arena = {.context = context};
  syn_noise_field field;
  syn_box box = box_empty();
  for (size_t i = 0; i < count; ++i) box_add(&box, vec3_sub(points[i], center));
  if (count == 0) return SYN_OK;
  const syn_status status =
      syn_noise_field_make(&arena, seed_of(options, draw, 10 + (uint64_t)body), kernel_mm, &box, &field, error);
  for (size_t i = 0; status == SYN_OK && i < count; ++i) {
    const double off = noise_per_voxel * voxel_mm * syn_noise_field_at(&field, vec3_sub(points[i], center));
    moved[i] = vec3_madd(points[i], off, normals[i]);
  }
  syn_arena_release(&arena);
  return status;
}

syn_mat3 syn_band_center_root(const syn_band_options *options) {
  const double sd = (options->center_mm > 0 ? options->center_mm : usual_center_mm) / ball_per_deviation;
  return (syn_mat3){{{sd, 0, 0}, {0, sd, 0}, {0, 0, sd}}};
}

syn_vec3 syn_band_center_offset(const syn_band_options *options, size_t draw, const syn_mat3 *root) {
  uint64_t state = seed_of(options, draw, 2);
  return mat3_apply(root, normal_vec3(&state, vec3(1, 1, 1)));
}

syn_vec3 syn_band_move_center(const syn_band_options *options, size_t draw, syn_vec3 center) {
  const syn_mat3 root = syn_band_center_root(options);
  return vec3_add(center, syn_band_center_offset(options, draw, &root));
}

static void turn_axes(syn_joint_axes *axes, syn_vec3 by) { *axes = syn_joint_axes_turned(axes, by); }

void syn_band_move_axes(const syn_band_options *options, size_t draw, const syn_vec3 axes_sd[2], syn_joint_axes *fixed,
                        syn_joint_axes *mobile) {
  uint64_t state = seed_of(options, draw, 1);
  turn_axes(fixed, normal_vec3(&state, axes_sd[0]));
  turn_axes(mobile, normal_vec3(&state, axes_sd[1]));
}

/* ---- the scan ---------------------------------------------------------------------------------------------------- */

/* Meshes of scans have about one edge per voxel; a coarser mesh was decimated and does not show the voxel size. */
syn_status syn_band_voxel(const syn_trimesh *mesh, double *mm, syn_error *error) {
  syn_derived *derived;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  const syn_topology *topology = derived_topology(derived);
  double sum = 0;
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    sum += vec3_distance(mesh->vertices[topology->edge_vertices[e][0]], mesh->vertices[topology->edge_vertices[e][1]]);
  const double mean = topology->edge_count ? sum / topology->edge_count : most_voxel_mm;
  *mm = fmin(fmax(mean, least_voxel_mm), most_voxel_mm);
  syn_derived_release(derived);
  return SYN_OK;
}

syn_status syn_band_near(const syn_trimesh *mesh, syn_vec3 center, double reach, syn_trimesh **part, syn_error *error) {
  uint8_t *far;
  *part = NULL;
  SYN_TRY(SYN_NEW(mesh->context, &far, mesh->triangle_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    far[t] = 1;
    for (int c = 0; c < 3; ++c)
      if (vec3_distance(mesh->vertices[mesh->triangles[t].v[c]], center) < reach) far[t] = 0;
  }
  const syn_status status = memchr(far, 0, mesh->triangle_count) ? syn_mesh_part(mesh, far, 0, part, error) : SYN_OK;
  syn_free(mesh->context, far);
  return status;
}

/* ---- intervals of the draws -------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

syn_band syn_band_middle(double *draws, size_t count, double value) {
  const size_t off = (size_t)(0.025 * (double)(count - 1));
  qsort(draws, count, sizeof *draws, by_size);
  return (syn_band){fmin(draws[off], value), fmax(draws[count - 1 - off], value)};
}

syn_band syn_band_of_angles(const double *angles, size_t stride, size_t count, double angle, double *sorted) {
  const double degrees = 180 / SYN_PI;
  for (size_t i = 0; i < count; ++i) sorted[i] = angles[i * stride];
  const syn_band band = syn_band_middle(sorted, count, angle);
  return (syn_band){isfinite(band.low) ? band.low * degrees : (double)NAN,
                    isfinite(band.high) ? band.high * degrees : (double)NAN};
}

double syn_band_stopped_part(const double *angles, size_t stride, size_t count, double max) {
  size_t stopped = 0;
  for (size_t i = 0; i < count; ++i) stopped += angles[i * stride] < max;
  return (double)stopped / (double)count;
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Rounds to whole per cent, with decimals if rounding would turn some draws into none or all. */
static int share_decimals(double percent) {
  return (percent > 0 && percent < 0.5) || (percent >= 99.5 && percent < 100) ? 1 : 0;
}

static void stopped_words(const syn_band *band, double max, double free_percent, char text[96]) {
  if (isnan(band->low) && isnan(band->high))
    text[0] = 0;
  else if (isnan(band->low))
    snprintf(text, 96, "95 %% from no free pose to %.0f°", band->high);
  else if (band->high >= max && free_percent > 0)
    snprintf(text, 96, "95 %% from %.0f°, no stop in %.*f %% of the draws", band->low, share_decimals(free_percent),
             free_percent);
  else
    snprintf(text, 96, "95 %% %.0f to %.0f°", band->low, band->high);
}

static void no_stop_words(const syn_band *band, double max, double free_percent, char text[96]) {
  if (free_percent == 100)
    snprintf(text, 96, "in all draws");
  else if (band->low < max)
    snprintf(text, 96, "in %.*f %% of the draws, 95 %% from %.0f°", share_decimals(free_percent), free_percent,
             band->low);
  else
    snprintf(text, 96, "in %.*f %% of the draws", share_decimals(free_percent), free_percent);
}

const char *syn_band_words(const syn_limit *limit, const syn_band *band, double stopped_part, double max_deg,
                           char text[96]) {
  const double free_percent = 100 * (1 - stopped_part);
  text[0] = 0;
  if (isnan(stopped_part)) return text;
  switch (limit->state) {
  case SYN_LIMIT_STOPPED: stopped_words(band, max_deg, free_percent, text); break;
  case SYN_LIMIT_NO_STOP: no_stop_words(band, max_deg, free_percent, text); break;
  case SYN_LIMIT_NO_FREE_POSE:
    if (isfinite(band->high)) snprintf(text, 96, "free in some draws, 95 %% up to %.0f°", band->high);
    break;
  case SYN_LIMIT_STATES: break;
  }
  return text;
}
