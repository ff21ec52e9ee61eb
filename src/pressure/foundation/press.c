/* Computes depth and pressure at every node of the socket, for a pose and a shift of the head. */
#include "pressure/foundation/foundation.h"

/* ---- the law ------------------------------------------------------------------------------------------------------
 */

/* Beyond this strain of the softer layer the nonlinear law is continued linearly. */
#define MOST_STRAIN 0.9

/* Solves d = sum of h (1 - exp(-p / K)) + give p for p by Newton's method: from below, since the sum is concave. */
static double nonlinear_pressure(double depth, const double h[2], const double k[2], double give, double *slope) {
  double softest = INFINITY;
  for (int i = 0; i < 2; ++i)
    if (h[i] > 0) softest = min2(softest, k[i]);
  const double most = -softest * log(1 - MOST_STRAIN);
  double p = depth / (h[0] / k[0] + h[1] / k[1] + give);
  for (int step = 0; step < 50; ++step) {
    const double at = min2(p, most), e0 = exp(-at / k[0]), e1 = exp(-at / k[1]);
    const double rate = h[0] / k[0] * e0 + h[1] / k[1] * e1 + give;
    const double off = depth - h[0] * (1 - e0) - h[1] * (1 - e1) - give * at - (p - at) * rate;
    p += off / rate;
    *slope = 1 / rate;
    if (fabs(off) <= 1e-13 * depth) break;
  }
  return p;
}

/* Two rigid surfaces resist as a layer of this compliance: hard, but with a finite stiffness. */
#define LEAST_COMPLIANCE 1e-4 /* mm/MPa */

double syn_foundation_law(bool nonlinear, double depth, const double thickness[2], const double modulus[2], double give,
                          double *slope) {
  const double compliance = thickness[0] / modulus[0] + thickness[1] / modulus[1] + give;
  if (nonlinear && depth > 0 && compliance > LEAST_COMPLIANCE)
    return nonlinear_pressure(depth, thickness, modulus, give, slope);
  *slope = 1 / max2(compliance, LEAST_COMPLIANCE);
  return depth * *slope;
}

/* ---- along the normal ---------------------------------------------------------------------------------------------
 */

enum { WAY_STEPS = 2 }; /* of Newton's method: depths and shifts are small compared with the radii */

/* Returns the distance of the shifted head from a point of the socket, along the normal; `gradient` is its
 * derivative with the shift. All in the frame of the head. */
static double way_to_head(const foundation_table *table, syn_vec3 from, syn_vec3 along, syn_vec3 *gradient) {
  double way = 0, facing = 1;
  syn_vec3 normal = along;
  for (int step = 0; step <= WAY_STEPS; ++step) {
    const syn_vec3 p = vec3_madd(from, way, along);
    const double length = vec3_length(p);
    const double off = length - syn_foundation_radius(table, p, &normal);
    normal = vec3_sub(vec3_scale(p, 1 / length), normal);
    facing = vec3_dot(normal, along);
    if (step < WAY_STEPS) way -= off / facing;
  }
  *gradient = vec3_scale(normal, 1 / facing);
  return way;
}

/* As way_to_head, to the shifted socket around one of its nodes, whose radius changes linearly with the direction. */
static double way_to_socket(double radius, syn_vec3 unit, syn_vec3 normal, syn_vec3 shift, syn_vec3 *gradient) {
  const double straight = vec3_dot(normal, unit);
  const syn_vec3 slope = vec3_scale(vec3_sub(vec3_scale(unit, straight), normal), radius / straight);
  const syn_vec3 from = vec3_sub(vec3_scale(unit, radius), shift);
  double way = vec3_dot(shift, normal), facing = 1;
  for (int step = 0; step <= WAY_STEPS; ++step) {
    const syn_vec3 p = vec3_madd(from, way, normal);
    const double length = vec3_length(p);
    const syn_vec3 v = vec3_scale(p, 1 / length);
    const double tilt = vec3_dot(slope, v), off = length - radius - tilt;
    *gradient = vec3_sub(v, vec3_scale(vec3_madd(slope, -tilt, v), 1 / length));
    facing = vec3_dot(*gradient, normal);
    if (step < WAY_STEPS) way -= off / facing;
  }
  *gradient = vec3_scale(*gradient, 1 / facing);
  return way;
}

/* ---- nodes --------------------------------------------------------------------------------------------------------
 */

/* The point opposite to a node depends on the rotation only: pressures then change smoothly with the shift. */
void syn_foundation_take_pose(const syn_foundation *f, const syn_loaded_pose *loaded, foundation_state *state) {
  const syn_mat3 turn_back = mat3_transpose(&loaded->pose.rotation);
  state->loaded = *loaded;
  for (uint32_t i = 0; i < f->socket.node_count; ++i) {
    const syn_vec3 p = f->socket.nodes[i], along = mat3_apply(&turn_back, p);
    foundation_node *node = &state->nodes[i];
    node->opposite =
        vec3_dot(p, f->socket.normals[i]) > 0.1 * vec3_length(p) && syn_foundation_is_covered(&f->table, along);
    if (!node->opposite) continue;
    const foundation_below below = syn_foundation_below_at(&f->table, along);
    node->head_thickness_mm = below.thickness_mm;
    node->head_modulus_mpa = below.modulus_mpa;
  }
}

static void press_node(const syn_foundation *f, uint32_t i, const syn_mat3 *turn, const syn_mat3 *turn_back,
                       syn_vec3 shift, foundation_node *node) {
  const syn_vec3 place = f->socket.nodes[i], normal = f->socket.normals[i], half = vec3_scale(shift, 0.5);
  const double radius = vec3_length(place);
  syn_vec3 of_head, of_socket;
  const double head =
      way_to_head(&f->table, mat3_apply(turn_back, vec3_sub(place, half)), mat3_apply(turn_back, normal), &of_head);
  const double socket = way_to_socket(radius, vec3_scale(place, 1 / radius), normal, vec3_neg(half), &of_socket);
  node->depth = head - socket;
  node->gradient = vec3_scale(vec3_add(mat3_apply(turn, of_head), of_socket), 0.5);
  const double thickness[2] = {f->socket.thickness_mm[i], node->head_thickness_mm},
               modulus[2] = {f->socket.modulus_mpa[i], node->head_modulus_mpa};
  node->pressure = syn_foundation_law(f->options.nonlinear, node->depth, thickness, modulus,
                                      f->socket.give_mm_per_mpa[i], &node->slope);
}

static const foundation_node apart = {.depth = NAN, .pressure = -INFINITY};

void syn_foundation_press_at(const syn_foundation *f, syn_vec3 shift, foundation_state *state) {
  const syn_pose *pose = &state->loaded.pose;
  const syn_mat3 turn_back = mat3_transpose(&pose->rotation);
  const syn_vec3 whole = vec3_add(shift, vec3_sub(pose_point(pose, f->center), f->center));
  state->shift = shift;
  for (uint32_t i = 0; i < f->socket.node_count; ++i) {
    foundation_node *node = &state->nodes[i];
    if (node->opposite) press_node(f, i, &pose->rotation, &turn_back, whole, node);
    if (!node->opposite || !isfinite(node->pressure)) {
      node->depth = apart.depth;
      node->pressure = apart.pressure;
    }
  }
  syn_foundation_integrate(&f->socket, state);
}
