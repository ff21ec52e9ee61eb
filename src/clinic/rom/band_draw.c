/* The hips that bands are drawn from: moved surfaces, centres and frames, and the middle of what they give. Their
 * random numbers follow from the seed and the number of the draw alone. */
#include "clinic/rom/band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/rom/rom.h"
#include "mesh/derived.h"
#include "shape/noise.h"

/* Noise of a surface, in voxels: from vertex to vertex, and over hills of some millimetres, as segmentation errs. */
static const double white_per_voxel = 0.1, hills_per_voxel = 0.3, hill_mm = 6;
static const double deviation_of_noise = 0.401;              /* of syn_noise */
static const double ball_per_deviation = 2.7955;             /* 95 % of a normal variable in space lie in this ball */
static const double least_voxel_mm = 0.4, most_voxel_mm = 1; /* where it is not given */

syn_band_options syn_default_band_options(void) {
  return (syn_band_options){.draws = 200, .center_mm = 3, .seed = 1, .cookie = SYN_COOKIE};
}

const char *syn_band_source_name(syn_band_source source) {
  static const char *const names[] = {
      [SYN_BAND_ALL] = "all", [SYN_BAND_SURFACE] = "surface", [SYN_BAND_CENTER] = "center", [SYN_BAND_FRAME] = "frame"};
  return (size_t)source < SYN_BAND_SOURCES ? names[source] : "unknown";
}

/* ---- random numbers -----------------------------------------------------------------------------------------------
 */

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

/* A sum of twelve is normal enough, and has the same bits everywhere, unlike logarithm and sine. */
static double normal(uint64_t *state) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(state);
  return sum;
}

static syn_vec3 normal_vec3(uint64_t *state, syn_vec3 deviation) {
  const double x = normal(state), y = normal(state), z = normal(state);
  return vec3(x * deviation.x, y * deviation.y, z * deviation.z);
}

/* ---- the hips -----------------------------------------------------------------------------------------------------
 */

bool syn_band_moves(syn_band_source what, syn_band_source source) { return source == SYN_BAND_ALL || source == what; }

static uint64_t seed_of(const syn_band_base *base, size_t draw, uint64_t what) {
  return mixed(mixed(mixed(base->options->seed) ^ draw) ^ what);
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

void syn_band_move_surface(const syn_band_base *base, size_t draw, int part, syn_vec3 *moved) {
  const syn_trimesh *mesh = base->hip->parts[part];
  const double voxel = base->voxel_mm[part];
  const uint64_t seed = seed_of(base, draw, 10 + (uint64_t)part);
  const uint32_t hills = (uint32_t)mixed(seed);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const syn_vec3 p = mesh->vertices[v];
    uint64_t state = mixed(mixed(mixed(seed ^ bits_of(p.x)) ^ bits_of(p.y)) ^ bits_of(p.z));
    const double hill = syn_noise(hills, vec3_scale(vec3_sub(p, base->hip->center), 1 / hill_mm)) / deviation_of_noise;
    const double off = voxel * (white_per_voxel * normal(&state) + hills_per_voxel * hill);
    moved[v] = vec3_madd(p, off, base->normals[part][v]);
  }
}

/* Turned by a small vector along its own axes. */
static syn_hip_axes turned_axes(const syn_hip_axes *axes, syn_vec3 by) {
  syn_vec3 turn = vec3_scale(axes->flexion, by.x);
  turn = vec3_madd(turn, by.y, axes->adduction);
  turn = vec3_madd(turn, by.z, axes->rotation);
  if (!(vec3_length(turn) > 0)) return *axes;
  const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), turn, vec3_length(turn));
  return (syn_hip_axes){syn_pose_direction(&pose, axes->flexion), syn_pose_direction(&pose, axes->adduction),
                        syn_pose_direction(&pose, axes->rotation)};
}

void syn_band_move_hip(const syn_band_base *base, syn_band_source source, size_t draw, syn_hip *hip) {
  uint64_t frames = seed_of(base, draw, 1), center = seed_of(base, draw, 2);
  const double sd = base->options->center_mm / ball_per_deviation;
  if (syn_band_moves(SYN_BAND_FRAME, source)) {
    hip->pelvis_axes = turned_axes(&hip->pelvis_axes, normal_vec3(&frames, base->pelvis_sd));
    hip->femur_axes = turned_axes(&hip->femur_axes, normal_vec3(&frames, base->femur_sd));
  }
  if (syn_band_moves(SYN_BAND_CENTER, source))
    hip->center = vec3_add(hip->center, normal_vec3(&center, vec3(sd, sd, sd)));
}

/* ---- the scan -----------------------------------------------------------------------------------------------------
 */

/* Meshes of scans have about an edge per voxel; a coarser one was thinned out and shows none. */
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
  SYN_TRY(SYN_NEW(mesh->context, &far, mesh->triangle_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    far[t] = 1;
    for (int c = 0; c < 3; ++c)
      if (vec3_distance(mesh->vertices[mesh->triangles[t].v[c]], center) < reach) far[t] = 0;
  }
  const syn_status status = syn_rom_part_of(mesh, far, 0, part, error);
  syn_free(mesh->context, far);
  return status;
}

/* ---- the middle of the draws --------------------------------------------------------------------------------------
 */

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

syn_band syn_band_middle(double *draws, size_t count, double value) {
  const size_t off = (size_t)(0.025 * (double)(count - 1));
  qsort(draws, count, sizeof *draws, by_size);
  return (syn_band){fmin(draws[off], value), fmax(draws[count - 1 - off], value)};
}
