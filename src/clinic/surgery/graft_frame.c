/* Computes the position of a graft, how bones carry it, and the stretch of straight fibres between its ends while the
 * knee bends. */
#include <math.h>

#include "base/vec.h"
#include "clinic/surgery/graft.h"
#include "tissue/fem/polar.h"

syn_pose syn_graft_pose(const syn_graft_options *options, double flexion) {
  const syn_pose bend = syn_pose_about_axis(options->center, options->axis, flexion);
  const syn_pose turn = syn_pose_about_axis(options->center, options->long_axis, options->rotation);
  return syn_pose_compose(&bend, &turn);
}

size_t syn_graft_row_count(const syn_graft_options *options) {
  return (size_t)floor((options->to - options->from) / options->step + 1e-9) + 1;
}

double syn_graft_flexion(const syn_graft_options *options, size_t row) {
  return options->from + (double)row * options->step;
}

syn_status syn_graft_frame_of(const syn_graft_options *options, const syn_graft_tunnels *tunnels,
                              syn_graft_frame *frame, syn_error *error) {
  const syn_pose fixed = syn_graft_pose(options, options->from);
  const syn_vec3 way = vec3_sub(syn_pose_point(&fixed, tunnels->tibia), tunnels->femur);
  const syn_vec3 wide = vec3_length2(options->across) > 0 ? options->across : options->axis;
  frame->origin = tunnels->femur;
  frame->along = vec3_unit(way);
  frame->across = vec3_unit(vec3_madd(wide, -vec3_dot(wide, frame->along), frame->along));
  frame->up = vec3_cross(frame->along, frame->across);
  frame->length_mm = options->length_mm > 0 ? options->length_mm : vec3_length(way);
  if (vec3_length2(frame->along) == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "both tunnels of the graft end at the same place");
  if (vec3_length2(frame->across) == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the graft's width points along the graft; give another direction");
  return SYN_OK;
}

static syn_vec3 mean_of(const syn_vec3 *points, size_t count) {
  syn_vec3 sum = vec3(0, 0, 0);
  for (size_t i = 0; i < count; ++i) sum = vec3_add(sum, points[i]);
  return vec3_scale(sum, 1 / (double)count);
}

syn_pose syn_graft_carried(const syn_vec3 *rest, const syn_vec3 *places, size_t count) {
  const syn_vec3 from = mean_of(rest, count), to = mean_of(places, count);
  double product[9] = {0}, turn[9];
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 a = vec3_sub(rest[i], from), b = vec3_sub(places[i], to);
    for (int k = 0; k < 9; ++k) product[k] += vec3_at(b, k / 3) * vec3_at(a, k % 3);
  }
  syn_fem_polar_by_eigenvectors(product, turn);
  syn_pose pose;
  for (int i = 0; i < 3; ++i) pose.rotation.row[i] = vec3(turn[3 * i], turn[3 * i + 1], turn[3 * i + 2]);
  pose.translation = vec3_sub(to, syn_pose_direction(&pose, from));
  return pose;
}

/* Full width in the middle half, narrower from there to both ends. */
static double narrowed(double taper, double s) { return 1 - taper * fmax(0, 2 * fabs(2 * s - 1) - 1); }

syn_vec3 syn_graft_point(const syn_graft_options *options, const syn_graft_frame *frame, double u, double v, double s) {
  const double size = narrowed(options->taper, s);
  const syn_vec3 middle = vec3_madd(frame->origin, s * frame->length_mm, frame->along);
  const syn_vec3 aside = vec3_madd(middle, u * size * options->width_mm / 2, frame->across);
  return vec3_madd(aside, v * size * options->height_mm / 2, frame->up);
}

double syn_graft_part_below(const double values[3]) {
  int below = 0;
  for (int c = 0; c < 3; ++c) below += values[c] <= 0;
  if (below % 3 == 0) return below / 3;
  int alone = 0; /* the vertex alone on its side of 0: it cuts off a similar triangle */
  while ((values[alone] <= 0) != (below == 1)) ++alone;
  const double at = values[alone], next = values[(alone + 1) % 3], last = values[(alone + 2) % 3];
  const double cut = at / (at - next) * (at / (at - last));
  return below == 1 ? cut : 1 - cut;
}

double syn_graft_strain(const syn_graft_options *options, const syn_graft_frame *frame, double *slack_mm) {
  const syn_pose fixed = syn_graft_pose(options, options->from), back = syn_pose_inverse(&fixed);
  double most = 0;
  *slack_mm = 0;
  for (size_t row = 0; row < syn_graft_row_count(options); ++row) {
    const syn_pose there = syn_graft_pose(options, syn_graft_flexion(options, row));
    const syn_pose moved = syn_pose_compose(&there, &back);
    for (int u = -1; u <= 1; ++u)
      for (int v = -1; v <= 1; ++v) {
        const syn_vec3 from = syn_graft_point(options, frame, u, v, 0);
        const syn_vec3 to = syn_pose_point(&moved, syn_graft_point(options, frame, u, v, 1));
        const double longer = vec3_distance(from, to) - frame->length_mm;
        most = fmax(most, longer / frame->length_mm);
        if (u == 0 && v == 0) *slack_mm = fmax(*slack_mm, -longer);
      }
  }
  return most;
}
