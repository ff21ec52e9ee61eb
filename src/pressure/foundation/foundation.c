/* Creates an elastic foundation, to be queried at any pose. */
#include "pressure/foundation/foundation.h"

syn_foundation_options syn_default_foundation_options(void) {
  return (syn_foundation_options){.resolution = 96, .tolerance = 1e-6, .cookie = SYN_COOKIE};
}

static syn_status check(const syn_context *context, const syn_layer *socket, const syn_layer *head,
                        const syn_trimesh *rigid, const syn_foundation_options *options, syn_error *error) {
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_foundation_options, error));
  if (!socket && !head) return syn_fail(error, SYN_BAD_ARGUMENT, "an elastic foundation needs at least one layer");
  if (!(socket && head) && !rigid)
    return syn_fail(error, SYN_BAD_ARGUMENT, "an elastic foundation needs two layers, or one and a rigid surface");
  if (options->resolution < 8 || options->resolution > 1024)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the resolution of the table of radii must be 8 to 1024, not %u",
                    options->resolution);
  if (!(options->tolerance >= 1e-12 && options->tolerance <= 0.1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the tolerance of the balance of forces must be 1e-12 to 0.1");
  return SYN_OK;
}

static syn_status make_side(const syn_context *context, const syn_layer *layer, const syn_trimesh *rigid,
                            syn_vec3 center, bool outward, foundation_side *side, syn_error *error) {
  return layer ? syn_foundation_side_of_layer(context, layer, center, outward, side, error)
               : syn_foundation_side_of_mesh(context, rigid, center, outward, side, error);
}

static syn_status make(syn_foundation *f, const syn_layer *socket, const syn_layer *head, const syn_trimesh *rigid,
                       syn_error *error) {
  const uint32_t resolution = f->options.resolution;
  SYN_TRY(make_side(f->context, socket, rigid, f->center, false, &f->socket, error));
  SYN_TRY(make_side(f->context, head, rigid, f->center, true, &f->head, error));
  SYN_TRY(syn_foundation_table_create(f->context, &f->head, resolution, true, &f->table, error));
  return syn_foundation_table_create(f->context, &f->socket, resolution, false, &f->socket_table, error);
}

syn_status syn_foundation_create(const syn_context *context, const syn_layer *socket, const syn_layer *head,
                                 const syn_trimesh *rigid, syn_vec3 center, const syn_foundation_options *options,
                                 syn_foundation **foundation, syn_error *error) {
  const syn_foundation_options standard = syn_default_foundation_options();
  syn_foundation *f;
  *foundation = NULL;
  if (!options) options = &standard;
  SYN_TRY(check(context, socket, head, rigid, options, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &f, 1, error));
  f->context = context;
  f->options = *options;
  f->center = center;
  const syn_status status = make(f, socket, head, rigid, error);
  if (status != SYN_OK) {
    syn_foundation_destroy(f);
    return status;
  }
  *foundation = f;
  return SYN_OK;
}

void syn_foundation_destroy(syn_foundation *f) {
  if (!f) return;
  syn_foundation_side_release(f->context, &f->socket);
  syn_foundation_side_release(f->context, &f->head);
  syn_foundation_table_release(f->context, &f->table);
  syn_foundation_table_release(f->context, &f->socket_table);
  syn_free(f->context, f);
}

size_t syn_foundation_scratch(const syn_foundation *f) {
  return sizeof(foundation_state) + f->socket.node_count * sizeof(foundation_node);
}

/* ---- fields -------------------------------------------------------------------------------------------------------
 */

static void clear(const foundation_side *side, double *pressure_mpa, double *gap_mm) {
  for (uint32_t i = 0; i < side->source_count; ++i) {
    if (pressure_mpa) pressure_mpa[i] = NAN;
    if (gap_mm) gap_mm[i] = NAN;
  }
}

void syn_foundation_socket_field(const syn_foundation *f, const void *scratch, double *pressure_mpa, double *gap_mm) {
  const foundation_state *state = scratch;
  clear(&f->socket, pressure_mpa, gap_mm);
  for (uint32_t i = 0; i < f->socket.node_count; ++i) {
    const uint32_t at = f->socket.source[i];
    if (pressure_mpa) pressure_mpa[at] = max2(state->nodes[i].pressure, 0);
    if (gap_mm) gap_mm[at] = -state->nodes[i].depth;
  }
}

/* Finds where the ray to a point crosses a triangle, as weights of its corners. Returns false if it passes the
 * triangle by more than a tolerance. */
static bool weights_in(const foundation_side *side, const uint32_t c[3], syn_vec3 direction, double w[3]) {
  const syn_vec3 a = side->nodes[c[0]], b = side->nodes[c[1]], d = side->nodes[c[2]];
  w[0] = vec3_dot(direction, vec3_cross(b, d));
  w[1] = vec3_dot(direction, vec3_cross(d, a));
  w[2] = vec3_dot(direction, vec3_cross(a, b));
  const double sum = w[0] + w[1] + w[2];
  if (!(fabs(sum) > 0)) return false;
  for (int i = 0; i < 3; ++i) {
    w[i] /= sum;
    if (w[i] < -1) return false;
  }
  return true;
}

/* Finds the socket's pressure, depth and radius in a direction. */
static void opposite(const syn_foundation *f, const foundation_state *state, syn_vec3 direction, double *pressure,
                     double *depth, double *radius) {
  const uint32_t triangle = syn_foundation_triangle_at(&f->socket_table, direction);
  uint32_t c[3];
  double w[3];
  *pressure = 0;
  *depth = *radius = NAN;
  if (triangle == SYN_NONE) return;
  foundation_corners(&f->socket, triangle, c);
  if (!weights_in(&f->socket, c, direction, w)) return;
  double p = 0, d = 0;
  syn_vec3 place = vec3(0, 0, 0);
  for (int i = 0; i < 3; ++i) {
    place = vec3_madd(place, w[i], f->socket.nodes[c[i]]);
    p += w[i] * state->nodes[c[i]].pressure;
    d += w[i] * state->nodes[c[i]].depth;
  }
  if (isfinite(p)) *pressure = max2(p, 0);
  *depth = d;
  *radius = vec3_length(place);
}

void syn_foundation_head_field(const syn_foundation *f, const void *scratch, double *pressure_mpa, double *gap_mm) {
  const foundation_state *state = scratch;
  const syn_pose *pose = &state->loaded.pose;
  clear(&f->head, pressure_mpa, gap_mm);
  for (uint32_t i = 0; i < f->head.node_count; ++i) {
    const syn_vec3 place = vec3_add(pose_point(pose, vec3_add(f->head.nodes[i], f->center)), state->shift);
    double pressure, depth, radius;
    opposite(f, state, vec3_sub(place, f->center), &pressure, &depth, &radius);
    if (pressure_mpa) pressure_mpa[f->head.source[i]] = pressure;
    if (gap_mm) gap_mm[f->head.source[i]] = -depth;
  }
}

void syn_foundation_pressure_at(const syn_foundation *f, const void *scratch, const syn_vec3 *points, size_t count,
                                bool moves, double reach_mm, double *pressure_mpa) {
  const foundation_state *state = scratch;
  const syn_pose *pose = &state->loaded.pose;
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 place = moves ? vec3_add(pose_point(pose, points[i]), state->shift) : points[i];
    const syn_vec3 direction = vec3_sub(place, f->center);
    double pressure, depth, radius;
    opposite(f, state, direction, &pressure, &depth, &radius);
    const bool near = fabs(vec3_length(direction) - radius) <= reach_mm;
    pressure_mpa[i] = near && pressure > 0 ? pressure : (double)NAN;
  }
}
