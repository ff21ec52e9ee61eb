/* Creates an elastic foundation, to be queried at any pose. */

#include <string.h>

#include "geometry/small_matrix.h"
#include "pressure/foundation/foundation.h"

/* ---- foundation solve ------------------------------------------------------------------------------------------ */
/* Finds the shift of the head at which the pressure balances the load: Newton's method with Levenberg's damping. The
 * energy of a foundation is convex but for the small rotations of its normals, so that any start leads to the same
 * shift. */

enum { MOST_STEPS = 200 };
#define LONGEST_STEP_MM 1.0
/* Further from the centre than this part of the head's radius the head is out of its socket. */
#define LOST_PART 0.6

/* ---- results ------------------------------------------------------------------------------------------------------
 */

static syn_pressure_part part_of(const syn_foundation *f, const foundation_sum *sum) {
  const bool touches = sum->load > 0;
  return (syn_pressure_part){.peak_mpa = touches ? sum->peak : 0,
                             .mean_mpa = touches ? sum->load / sum->area : 0,
                             .area_mm2 = touches ? sum->area : 0,
                             .force_n = vec3_length(sum->force),
                             .center = touches ? vec3_madd(f->center, 1 / sum->load, sum->moment) : vec3(NAN, NAN, NAN),
                             .von_mises_mpa = NAN,
                             .principal_mpa = NAN};
}

static void report(const syn_foundation *f, const foundation_state *state, uint32_t iterations,
                   syn_pressure_step *step) {
  *step = (syn_pressure_step){.loaded = state->loaded,
                              .shift = state->shift,
                              .contact_force = vec3_neg(state->total.force),
                              .total = part_of(f, &state->total),
                              .iterations = iterations};
  for (int r = 0; r < 4; ++r) step->regions[r] = part_of(f, &state->regions[r]);
}

void syn_foundation_query(const syn_foundation *f, const syn_load_step *loaded, syn_vec3 shift, void *scratch,
                          syn_pressure_step *step) {
  foundation_state *state = scratch;
  syn_foundation_take_pose(f, loaded, state);
  syn_foundation_press_at(f, shift, state);
  report(f, state, 0, step);
}

/* ---- equilibrium --------------------------------------------------------------------------------------------------
 */

static syn_vec3 imbalance(const foundation_state *state) { return vec3_sub(state->loaded.force, state->total.force); }

/* Returns the distance along a direction until the head touches, with a small depth; INFINITY: never. */
static double way_to_contact(const syn_foundation *f, const foundation_state *state, syn_vec3 direction) {
  double way = INFINITY;
  for (uint32_t i = 0; i < f->socket.node_count; ++i) {
    const foundation_node *n = &state->nodes[i];
    const double closing = vec3_dot(n->gradient, direction);
    if (isnan(n->depth) || !(closing > 1e-3)) continue;
    way = min2(way, (0.02 - n->depth) / closing);
  }
  return max2(way, 0.01);
}

/* Solves (stiffness + damping) step = residual; returns false if the matrix is singular. */
static bool newton_step(const foundation_state *state, double damping, syn_vec3 *step) {
  const double *k = state->stiffness;
  const syn_vec3 r = imbalance(state);
  double a[9] = {k[0] + damping, k[1], k[2], k[1], k[3] + damping, k[4], k[2], k[4], k[5] + damping};
  double x[3] = {r.x, r.y, r.z};
  if (!syn_solve_symmetric(a, x, 3, 1e-12)) return false;
  *step = vec3(x[0], x[1], x[2]);
  const double length = vec3_length(*step);
  if (length > LONGEST_STEP_MM) *step = vec3_scale(*step, LONGEST_STEP_MM / length);
  return isfinite(length);
}

static bool is_lost(const syn_foundation *f, const foundation_state *state) {
  const syn_vec3 off = vec3_add(state->shift, vec3_sub(pose_point(&state->loaded.pose, f->center), f->center));
  return vec3_length(off) > LOST_PART * vec3_length(f->head.nodes[0]);
}

typedef enum outcome { GOING_ON, BALANCED, LOST, STUCK } outcome;

/* Without contact the head moves along the load. */
static outcome approach(const syn_foundation *f, foundation_state *state) {
  const syn_vec3 direction = vec3_unit(state->loaded.force);
  const double way = way_to_contact(f, state, direction);
  if (!isfinite(way)) return LOST;
  syn_foundation_press_at(f, vec3_madd(state->shift, way, direction), state);
  return is_lost(f, state) ? LOST : GOING_ON;
}

/* Takes one Newton step that lowers the energy. The change of energy is the mean residual at both ends times the
 * step: the norm of the residual is no criterion, since it also falls when the head leaves its socket. */
static outcome improve(const syn_foundation *f, foundation_state *state, double *damping) {
  const foundation_sum total = state->total;
  const syn_vec3 from = state->shift, before = imbalance(state);
  double stiffness[6];
  memcpy(stiffness, state->stiffness, sizeof stiffness);
  const double trace = stiffness[0] + stiffness[3] + stiffness[5];
  for (int attempt = 0; attempt < 25; ++attempt) {
    syn_vec3 step;
    if (newton_step(state, *damping * trace, &step)) {
      syn_foundation_press_at(f, vec3_add(from, step), state);
      /* Accept a step that lowers the energy, and reduce the damping. */
      if (vec3_dot(vec3_add(before, imbalance(state)), step) > 0.1 * vec3_dot(before, step)) {
        *damping = max2(*damping * 0.1, 1e-9);
        return is_lost(f, state) ? LOST : GOING_ON;
      }
    }
    /* Else restore the stiffness, and try with more damping. */
    *damping = max2(*damping * 6, 1e-6);
    state->total = total;
    memcpy(state->stiffness, stiffness, sizeof stiffness);
  }
  syn_foundation_press_at(f, from, state);
  return STUCK;
}

static syn_status explain(const foundation_state *state, outcome why, syn_error *error) {
  const double load = vec3_length(state->loaded.force), off = vec3_length(imbalance(state));
  const double *a = state->loaded.angles;
  if (why == LOST || !isfinite(off))
    return syn_fail(
        error, SYN_NOT_CONVERGED,
        "nothing holds the head in the socket at %.1f° of flexion, %.1f° of adduction and %.1f° of internal "
        "rotation: the force of %.0f N points out of the socket; check the load and its direction",
        a[0] * SYN_RADIAN, a[1] * SYN_RADIAN, a[2] * SYN_RADIAN, load);
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "the forces are not in balance at %.1f° of flexion, %.1f° of adduction and %.1f° of internal "
                  "rotation: %.3g of %.0f N are left; the head may ride on the edge of the socket",
                  a[0] * SYN_RADIAN, a[1] * SYN_RADIAN, a[2] * SYN_RADIAN, off, load);
}

/* Solves from one start. */
static outcome balance(const syn_foundation *f, syn_vec3 start, foundation_state *state, uint32_t *steps) {
  const double enough = f->options.tolerance * vec3_length(state->loaded.force);
  double damping = 1e-9;
  outcome how = GOING_ON;
  syn_foundation_press_at(f, start, state);
  for (uint32_t most = *steps + MOST_STEPS; how == GOING_ON && *steps < most; ++*steps) {
    if (vec3_length(imbalance(state)) <= enough) return BALANCED;
    how = state->total.load > 0 ? improve(f, state, &damping) : approach(f, state);
  }
  return how;
}

syn_status syn_foundation_solve(const syn_foundation *f, const syn_load_step *loaded, const syn_vec3 *start,
                                void *scratch, syn_pressure_step *step, syn_error *error) {
  const syn_vec3 centred = vec3_sub(f->center, pose_point(&loaded->pose, f->center));
  foundation_state *state = scratch;
  uint32_t steps = 0;
  syn_foundation_take_pose(f, loaded, state);
  if (!(vec3_length(loaded->force) > 0) || !vec3_finite(loaded->force)) {
    syn_foundation_query(f, loaded, start ? *start : centred, scratch, step);
    return syn_fail(error, SYN_BAD_ARGUMENT, "without a load there is no equilibrium: give a force above 0 N");
  }
  /* A start beside the socket may lead out of it; its centre does not, unless the load points out of it. */
  outcome how = balance(f, start ? *start : centred, state, &steps);
  if (how != BALANCED && start) how = balance(f, centred, state, &steps);
  report(f, state, steps, step);
  return how == BALANCED ? SYN_OK : explain(state, how, error);
}

/* ---- foundation ------------------------------------------------------------------------------------------------ */

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

static void socket_fields(const syn_foundation *f, const foundation_state *state, double *pressure_mpa,
                          double *gap_mm) {
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

static void head_fields(const syn_foundation *f, const foundation_state *state, double *pressure_mpa, double *gap_mm) {
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

void syn_foundation_fields(const syn_foundation *f, const void *scratch, bool head, double *pressure_mpa,
                           double *gap_mm) {
  (head ? head_fields : socket_fields)(f, scratch, pressure_mpa, gap_mm);
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
