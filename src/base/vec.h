/* Small vector algebra, inline because it is everywhere. */
#ifndef SYN_BASE_VEC_H
#define SYN_BASE_VEC_H

#include <math.h>

#include <synovia/base.h>

/* The smaller and the larger of two numbers, as one instruction each: fmin and fmax must handle NaN and become
 * calls. */
static inline double min2(double a, double b) { return a < b ? a : b; }
static inline double max2(double a, double b) { return a > b ? a : b; }

static inline syn_vec3 vec3(double x, double y, double z) { return (syn_vec3){x, y, z}; }
static inline syn_vec3 vec3_add(syn_vec3 a, syn_vec3 b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline syn_vec3 vec3_sub(syn_vec3 a, syn_vec3 b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline syn_vec3 vec3_scale(syn_vec3 a, double s) { return vec3(a.x * s, a.y * s, a.z * s); }
static inline syn_vec3 vec3_neg(syn_vec3 a) { return vec3(-a.x, -a.y, -a.z); }
/* a + s b */
static inline syn_vec3 vec3_madd(syn_vec3 a, double s, syn_vec3 b) {
  return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double vec3_dot(syn_vec3 a, syn_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline syn_vec3 vec3_cross(syn_vec3 a, syn_vec3 b) {
  return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double vec3_length2(syn_vec3 a) { return vec3_dot(a, a); }
static inline double vec3_length(syn_vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline double vec3_distance(syn_vec3 a, syn_vec3 b) { return vec3_length(vec3_sub(a, b)); }
/* a + t (b - a), exact at both ends */
static inline syn_vec3 vec3_lerp(syn_vec3 a, syn_vec3 b, double t) {
  return vec3_add(vec3_scale(a, 1 - t), vec3_scale(b, t));
}
/* Unit vector, or zero where the length is zero or not finite. */
static inline syn_vec3 vec3_unit(syn_vec3 a) {
  double length = vec3_length(a);
  return length > 0 && isfinite(length) ? vec3_scale(a, 1 / length) : vec3(0, 0, 0);
}
static inline syn_vec3 vec3_min(syn_vec3 a, syn_vec3 b) { return vec3(min2(a.x, b.x), min2(a.y, b.y), min2(a.z, b.z)); }
static inline syn_vec3 vec3_max(syn_vec3 a, syn_vec3 b) { return vec3(max2(a.x, b.x), max2(a.y, b.y), max2(a.z, b.z)); }
static inline bool vec3_finite(syn_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
static inline bool vec3_equal(syn_vec3 a, syn_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
/* Coordinate 0, 1 or 2 by number. */
static inline double vec3_at(syn_vec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
/* Some unit vector at right angles to the unit vector `a`. */
static inline syn_vec3 vec3_any_normal(syn_vec3 a) {
  return vec3_unit(vec3_cross(a, fabs(a.x) < 0.5 ? vec3(1, 0, 0) : vec3(0, 1, 0)));
}

static inline syn_vec3 mat3_apply(const syn_mat3 *m, syn_vec3 a) {
  return vec3(vec3_dot(m->row[0], a), vec3_dot(m->row[1], a), vec3_dot(m->row[2], a));
}
/* syn_pose_point for many points, inline. */
static inline syn_vec3 pose_point(const syn_pose *pose, syn_vec3 a) {
  return vec3_add(mat3_apply(&pose->rotation, a), pose->translation);
}
static inline syn_mat3 mat3_transpose(const syn_mat3 *m) {
  return (syn_mat3){{{m->row[0].x, m->row[1].x, m->row[2].x},
                     {m->row[0].y, m->row[1].y, m->row[2].y},
                     {m->row[0].z, m->row[1].z, m->row[2].z}}};
}
static inline syn_mat3 mat3_multiply(const syn_mat3 *a, const syn_mat3 *b) {
  syn_mat3 columns = mat3_transpose(b), product;
  for (int i = 0; i < 3; ++i)
    product.row[i] = vec3(vec3_dot(a->row[i], columns.row[0]), vec3_dot(a->row[i], columns.row[1]),
                          vec3_dot(a->row[i], columns.row[2]));
  return product;
}
static inline double mat3_determinant(const syn_mat3 *m) {
  return vec3_dot(m->row[0], vec3_cross(m->row[1], m->row[2]));
}

static inline syn_box box_empty(void) {
  return (syn_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}
static inline void box_add(syn_box *box, syn_vec3 point) {
  box->min = vec3_min(box->min, point);
  box->max = vec3_max(box->max, point);
}
static inline bool box_overlap(const syn_box *a, const syn_box *b) {
  return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
         a->min.z <= b->max.z && b->min.z <= a->max.z;
}

#endif
