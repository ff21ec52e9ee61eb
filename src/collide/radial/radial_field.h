/* Computes radial depths of points against a table: of one point, and of all vertices of a mobile body at a pose. */
#ifndef SYN_COLLIDE_RADIAL_FIELD_H
#define SYN_COLLIDE_RADIAL_FIELD_H

#include "base/simd.h"
#include "base/vec.h"
#include "collide/radial/radial_table.h"

/* The layer that decides the depth of a point. */
typedef struct radial_hit {
  double depth;      /* -INFINITY: free, with no wall ahead */
  uint32_t triangle; /* the caller's number, SYN_NONE: none */
} radial_hit;

/* The layers on a point's ray, as the ratio of the point's radius to theirs, negative if the body is inside: passed
 * layers have larger ratios than the point itself, the last one passed the smallest. */
typedef struct radial_layers {
  double limit; /* the ratio of the point itself, 1 or -1; INFINITY if normals are not used */
  double passed, ahead, back;
  uint32_t passed_by, ahead_by; /* the deciding walls */
} radial_layers;

static inline radial_layers radial_no_layers(bool outside, bool use_normals) {
  return (radial_layers){
      use_normals ? (outside ? 1 : -1) : HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL, SYN_NONE, SYN_NONE};
}
/* Adds a wall. Among walls at the same position the lowest number counts, independent of the order. */
static inline void radial_add_wall(radial_layers *at, double ratio, uint32_t number) {
  if (ratio >= at->limit) {
    if (ratio < at->passed || (ratio == at->passed && number < at->passed_by)) {
      at->passed = ratio;
      at->passed_by = number;
    }
  } else if (ratio > at->ahead || (ratio == at->ahead && number < at->ahead_by)) {
    at->ahead = ratio;
    at->ahead_by = number;
  }
}
static inline void radial_add_back(radial_layers *at, double ratio) {
  if (ratio >= at->limit && ratio < at->back) at->back = ratio;
}
/* Computes the depth from the layers. At equal radius a wall comes before a back. */
static inline radial_hit radial_depth_of(const radial_layers *at, bool outside, double radius) {
  const bool inside = at->passed < HUGE_VAL && at->passed <= at->back;
  const double ratio = inside ? at->passed : at->ahead;
  if (!(ratio > -HUGE_VAL)) return (radial_hit){-INFINITY, SYN_NONE};
  return (radial_hit){(outside ? 1 : -1) * radius - radius / ratio, inside ? at->passed_by : at->ahead_by};
}
/* The first of the deepest vertices, in the caller's order, and the count of penetrating vertices. */
typedef struct radial_deepest {
  double depth;    /* -INFINITY: all free, with no wall ahead */
  uint32_t vertex; /* SYN_NONE: none */
  size_t positive;
} radial_deepest;

static inline radial_deepest radial_none_deep(void) { return (radial_deepest){-HUGE_VAL, SYN_NONE, 0}; }
static inline void radial_note_depth(radial_deepest *most, double depth, uint32_t vertex) {
  if (!(depth > most->depth || (depth == most->depth && vertex < most->vertex && depth > -HUGE_VAL))) return;
  most->depth = depth;
  most->vertex = vertex;
}

/* Computes the depth of one point. `point` is relative to the centre. `forced` (SYN_NONE: none) is a triangle of the
 * table that counts as hit in any case. */
radial_hit syn_radial_depth(const radial_table *table, syn_vec3 point, uint32_t forced);
/* Returns the caller's number of the member that the ray hits at this ratio: among several close to it, the one hit
 * exactly; among those that share an edge, the lowest. */
uint32_t syn_radial_name(const radial_table *table, const radial_members *members, syn_vec3 point, double ratio);

/* The bounding ball of a block of points, with a margin for rounding. */
typedef struct radial_ball {
  syn_vec3 middle;
  double radius;
} radial_ball;
enum { RADIAL_PACKET = 8, RADIAL_BLOCK = 128 };

/* Vertices of a body in a spatially coherent order, one array per coordinate, relative to the centre. */
typedef struct radial_points {
  const syn_context *context;
  uint32_t count;
  double *x, *y, *z;  /* padded to whole packets */
  uint32_t *order;    /* the caller's number of each */
  syn_vec3 *given;    /* the same points in the caller's order */
  radial_ball *balls; /* of each block */
} radial_points;

syn_status syn_radial_points_create(const syn_context *context, const syn_vec3 *vertices, uint32_t count,
                                    syn_vec3 center, radial_points *points, syn_error *error);
void syn_radial_points_move(radial_points *points, const syn_vec3 *vertices, syn_vec3 center);
void syn_radial_points_release(radial_points *points); /* clears all but the context */
/* Allocates for some of the points; then selects those for whose numbers wanted(user, number) holds. Their `given` is
 * not used. */
syn_status syn_radial_points_like(const radial_points *all, radial_points *some, syn_error *error);
void syn_radial_points_pick(const radial_points *all, bool (*wanted)(const void *user, uint32_t vertex),
                            const void *user, radial_points *some);

typedef struct radial_field {
  const radial_table *table;
  const radial_points *points;
  syn_mat3 rotation; /* about the centre, then the shift */
  syn_vec3 shift;
  double *depth;      /* results, in the caller's order */
  uint32_t *triangle; /* may be NULL */
} radial_field;

/* Prepares a field. `pose` transforms the points' frame into the table's. */
radial_field syn_radial_field_at(const radial_table *table, const radial_points *points, const syn_pose *pose);
static inline syn_vec3 radial_place(const radial_field *field, syn_vec3 point) {
  return vec3_add(mat3_apply(&field->rotation, point), field->shift);
}
/* Computes the depths of all points, on the context's threads. */
radial_deepest syn_radial_field_compute(const radial_field *field);

/* Computes packets begin … end-1, where begin starts a block. All kernels give the same bits. */
typedef void radial_kernel(const radial_field *field, size_t begin, size_t end, radial_deepest *most);
radial_kernel syn_radial_kernel_portable;
#if SYN_AVX2
radial_kernel syn_radial_kernel_avx2;
#endif
radial_kernel *syn_radial_best_kernel(void); /* the fastest one that this machine can run */

/* Returns the depth of point number `i` in the points' internal order. */
double syn_radial_point(const radial_field *field, size_t i);

#endif
