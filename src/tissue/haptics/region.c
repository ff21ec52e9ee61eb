/* The simulation thread's side for bodies with a stiffness. The compliance of the points near the probe is that of
 * the whole body: columns of the inverse of its stiffness, computed with a kept factorisation. They are computed
 * when a point first comes near, and reused as long as the factorisation. */
#include <string.h>

#include "base/vec.h"
#include "tissue/haptics/haptics.h"

enum {
  CORRECTIONS = 6, /* maximum corrections of the shape in one frame, each one solution with the kept factorisation, */
  LARGE_CORRECTIONS = 2, /* and of a body with more nodes than */
  LARGE_BODY = 2000,
  LINEARISATIONS = 3, /* of the probe's surface */
  SMALL_BODY = 200,   /* nodes: in motion such a body is factorised in every frame, a larger one only at first */
  AT_ONCE = 16        /* points whose columns are computed together */
};
static const double small_rest = 1e-9; /* residual relative to the largest force, */
static const double small_mm = 1e-10;  /* or to stiffness times this */

struct syn_region {
  syn_system *system;
  bool factorised;
  double stiffness; /* maximum diagonal entry */
  double (*blocks)[9];
  syn_vec3 *r, *d;      /* per node */
  syn_vec3 *base_load;  /* loads on the nodes without the probe */
  syn_vec3 *points;     /* of the skin */
  syn_vec3 *skin_force; /* of the probe on them, in the last frame */
  uint32_t *near;       /* vertices within reach, the nearest first */
  double *near_mm;
  /* points with known compliance */
  uint32_t slot_count, *slot_of, *vertex_of; /* slot_of each vertex, or SYN_NONE; vertex_of each slot, or SYN_NONE */
  uint64_t *used;                            /* the last frame that used the slot */
  double (*pairs)[9];                        /* slot_count x slot_count */
  syn_vec3 *columns;                         /* 3 AT_ONCE solutions */
};

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

static const syn_sim_body *body_of(const syn_haptics *h) { return &h->simulation->bodies[h->body]; }
static bool is_dynamic(const syn_haptics *h) { return h->simulation->options.integrator == SYN_INTEGRATOR_IMPLICIT; }

void syn_region_destroy(syn_haptics *h) {
  syn_region *g = h->region;
  if (!g) return;
  syn_system_destroy(g->system);
  void *const blocks[] = {g->blocks,  g->r,       g->d,         g->base_load, g->points, g->skin_force, g->near,
                          g->near_mm, g->slot_of, g->vertex_of, g->used,      g->pairs,  g->columns};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(h->context, blocks[i]);
  syn_free(h->context, g);
}

static void forget_slots(syn_haptics *h) {
  syn_region *g = h->region;
  for (uint32_t i = 0; i < h->soft->skin->vertex_count; ++i) g->slot_of[i] = SYN_NONE;
  for (uint32_t i = 0; i < g->slot_count; ++i) {
    g->vertex_of[i] = SYN_NONE;
    g->used[i] = 0;
  }
}

syn_status syn_region_create(syn_haptics *h, syn_error *error) {
  const syn_soft *soft = h->soft;
  if (!soft->model->stiffness || !soft->model->force)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the model %s has no stiffness that could be felt",
                    soft->model->info.name);
  const syn_simulation *s = h->simulation;
  if (s->options.integrator != SYN_INTEGRATOR_STATIC && !is_dynamic(h))
    return syn_fail(error, SYN_BAD_ARGUMENT, "haptics needs the static or the implicit integrator, not %s",
                    syn_integrator_name(s->options.integrator));
  syn_region *g;
  SYN_TRY(SYN_NEW_ZEROED(h->context, &g, 1, error));
  h->region = g;
  const size_t nodes = soft->node_count, vertices = soft->skin->vertex_count, most = h->options.max_points;
  g->slot_count = 2 * (uint32_t)most;
  SYN_TRY(SYN_NEW(h->context, &g->blocks, syn_block_count(soft->pattern), error));
  SYN_TRY(SYN_NEW_ZEROED(h->context, &g->r, nodes, error));
  SYN_TRY(SYN_NEW_ZEROED(h->context, &g->d, nodes, error));
  SYN_TRY(SYN_NEW(h->context, &g->base_load, nodes, error));
  SYN_TRY(SYN_NEW(h->context, &g->points, vertices, error));
  SYN_TRY(SYN_NEW_ZEROED(h->context, &g->skin_force, vertices, error));
  SYN_TRY(SYN_NEW(h->context, &g->near, most, error));
  SYN_TRY(SYN_NEW(h->context, &g->near_mm, most, error));
  SYN_TRY(SYN_NEW(h->context, &g->slot_of, vertices, error));
  SYN_TRY(SYN_NEW(h->context, &g->vertex_of, g->slot_count, error));
  SYN_TRY(SYN_NEW(h->context, &g->used, g->slot_count, error));
  SYN_TRY(SYN_NEW(h->context, &g->pairs, (size_t)g->slot_count * g->slot_count, error));
  SYN_TRY(SYN_NEW(h->context, &g->columns, 3 * AT_ONCE * nodes, error));
  memcpy(g->base_load, s->load + body_of(h)->first_node, nodes * sizeof *g->base_load);
  forget_slots(h);
  syn_system_options how = syn_default_system_options();
  how.prescribed = s->held + body_of(h)->first_node;
  return syn_system_create(h->context, soft->pattern, &how, &g->system, error);
}

/* ---- stiffness ------------------------------------------------------------------------------------------------------
 */

/* Factorises the matrix of the static body, or of one implicit step. */
static syn_status factorise(syn_haptics *h, syn_error *error) {
  syn_region *g = h->region;
  const syn_soft *soft = h->soft;
  const double per_s = is_dynamic(h) ? 1 / h->simulation->options.step_s : 0;
  memset(g->blocks, 0, syn_block_count(soft->pattern) * sizeof *g->blocks);
  soft->model->stiffness(soft->state, h->simulation->x + body_of(h)->first_node, per_s, true, g->blocks);
  for (uint32_t i = 0; per_s > 0 && i < soft->node_count; ++i)
    for (int c = 0; c < 9; c += 4) g->blocks[soft->pattern->row_start[i]][c] += soft->mass[i] * per_s * per_s;
  g->stiffness = 0;
  for (uint32_t i = 0; i < soft->node_count; ++i)
    for (int c = 0; c < 9; c += 4) g->stiffness = max2(g->stiffness, g->blocks[soft->pattern->row_start[i]][c]);
  SYN_TRY(syn_system_update(g->system, (const double(*)[9])g->blocks, NULL, error));
  g->factorised = true;
  forget_slots(h);
  return SYN_OK;
}

static void put(double *block, int column, syn_vec3 value) {
  block[column] = value.x;
  block[3 + column] = value.y;
  block[6 + column] = value.z;
}

static syn_vec3 skin_moves(const syn_soft *soft, const syn_vec3 *d, uint32_t vertex) {
  syn_vec3 sum = vec3(0, 0, 0);
  for (uint32_t k = soft->skin_start[vertex]; k < soft->skin_start[vertex + 1]; ++k)
    sum = vec3_madd(sum, soft->skin_weights[k], d[soft->skin_nodes[k]]);
  return sum;
}

static void add_skin_force(const syn_soft *soft, uint32_t vertex, syn_vec3 force, syn_vec3 *f) {
  for (uint32_t k = soft->skin_start[vertex]; k < soft->skin_start[vertex + 1]; ++k)
    f[soft->skin_nodes[k]] = vec3_madd(f[soft->skin_nodes[k]], soft->skin_weights[k], force);
}

/* The compliance is symmetric: rows follow from columns. */
static void mirror(syn_region *g, uint32_t slot) {
  for (uint32_t i = 0; i < g->slot_count; ++i) {
    const double *from = g->pairs[(size_t)i * g->slot_count + slot];
    double *to = g->pairs[(size_t)slot * g->slot_count + i];
    for (int k = 0; i != slot && k < 9; ++k) to[k] = from[3 * (k % 3) + k / 3];
  }
  double *own = g->pairs[(size_t)slot * (g->slot_count + 1)]; /* symmetric but for rounding */
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < r; ++c) own[3 * r + c] = own[3 * c + r] = (own[3 * r + c] + own[3 * c + r]) / 2;
}

/* Computes the displacements of all points with slots by forces on these. */
static syn_status find_columns(syn_haptics *h, const uint32_t *slots, uint32_t count, syn_error *error) {
  syn_region *g = h->region;
  const syn_soft *soft = h->soft;
  static const syn_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const size_t nodes = soft->node_count;
  memset(g->columns, 0, 3 * count * nodes * sizeof *g->columns);
  for (uint32_t k = 0; k < 3 * count; ++k)
    add_skin_force(soft, g->vertex_of[slots[k / 3]], axes[k % 3], g->columns + k * nodes);
  SYN_TRY(syn_system_solve(g->system, 3 * count, g->columns, g->columns, error));
  for (uint32_t k = 0; k < 3 * count; ++k)
    for (uint32_t i = 0; i < g->slot_count; ++i)
      if (g->vertex_of[i] != SYN_NONE)
        put(g->pairs[(size_t)i * g->slot_count + slots[k / 3]], (int)(k % 3),
            skin_moves(soft, g->columns + k * nodes, g->vertex_of[i]));
  for (uint32_t k = 0; k < count; ++k) mirror(g, slots[k]);
  return SYN_OK;
}

/* Returns the least recently used slot. */
static uint32_t oldest_slot(const syn_region *g) {
  uint32_t oldest = 0;
  for (uint32_t i = 1; i < g->slot_count; ++i)
    if (g->used[i] < g->used[oldest]) oldest = i;
  return oldest;
}

/* ---- points ---------------------------------------------------------------------------------------------------------
 */

/* Finds the vertices within reach, at most `max_points`, in order of distance. */
static uint32_t find_near(syn_haptics *h, syn_vec3 tip, uint32_t *left_off) {
  syn_region *g = h->region;
  const uint32_t most = h->options.max_points;
  uint32_t count = 0, within = 0;
  for (uint32_t v = 0; v < h->soft->skin->vertex_count; ++v) {
    const double away = vec3_distance(g->points[v], tip);
    if (!(away <= h->options.reach_mm)) continue;
    ++within;
    if (count == most && away >= g->near_mm[most - 1]) continue;
    uint32_t at = count < most ? count++ : most - 1;
    for (; at > 0 && g->near_mm[at - 1] > away; --at) {
      g->near_mm[at] = g->near_mm[at - 1];
      g->near[at] = g->near[at - 1];
    }
    g->near_mm[at] = away;
    g->near[at] = v;
  }
  *left_off = within - count;
  return count;
}

static void sort_ascending(uint32_t *list, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    const uint32_t value = list[i];
    uint32_t at = i;
    for (; at > 0 && list[at - 1] > value; --at) list[at] = list[at - 1];
    list[at] = value;
  }
}

/* Assigns slots to points, the nearest first. In a large body new points wait for later frames if there are many,
 * unless `all` are new. */
static syn_status give_slots(syn_haptics *h, uint32_t near, bool all, syn_error *error) {
  syn_region *g = h->region;
  uint32_t budget = all ? SYN_NONE : 4 + 20000 / h->soft->node_count, fresh[AT_ONCE], count = 0;
  for (uint32_t i = 0; i < near; ++i)
    if (g->slot_of[g->near[i]] != SYN_NONE) g->used[g->slot_of[g->near[i]]] = h->frames;
  for (uint32_t i = 0; i < near && budget > 0; ++i) {
    const uint32_t vertex = g->near[i];
    if (g->slot_of[vertex] != SYN_NONE) continue;
    --budget;
    const uint32_t slot = oldest_slot(g);
    if (g->vertex_of[slot] != SYN_NONE) g->slot_of[g->vertex_of[slot]] = SYN_NONE;
    g->vertex_of[slot] = vertex;
    g->used[slot] = h->frames;
    g->slot_of[vertex] = slot;
    fresh[count++] = slot;
    if (count < AT_ONCE) continue;
    SYN_TRY(find_columns(h, fresh, count, error));
    count = 0;
  }
  return find_columns(h, fresh, count, error);
}

static void copy_compliance(const syn_region *g, syn_local *local) {
  const size_t row = (size_t)3 * local->count;
  for (uint32_t i = 0; i < local->count; ++i)
    for (uint32_t j = 0; j < local->count; ++j) {
      const double *pair =
          g->pairs[(size_t)g->slot_of[local->vertex[i]] * g->slot_count + g->slot_of[local->vertex[j]]];
      double *to = local->compliance + 3 * row * i + (size_t)3 * j;
      for (size_t k = 0; k < 9; ++k) to[row * (k / 3) + k % 3] = pair[k];
    }
}

static syn_status choose_points(syn_haptics *h, syn_vec3 tip, bool all, syn_local *local, syn_error *error) {
  syn_region *g = h->region;
  const uint32_t near = find_near(h, tip, &local->left_off);
  SYN_TRY(give_slots(h, near, all, error));
  local->count = 0;
  for (uint32_t i = 0; i < near; ++i)
    if (g->slot_of[g->near[i]] != SYN_NONE) local->vertex[local->count++] = g->near[i];
  sort_ascending(local->vertex, local->count);
  copy_compliance(g, local);
  memset(local->under_tip, 0, local->count);
  return SYN_OK;
}

static void place_points(syn_haptics *h, syn_local *local) {
  const syn_vec3 *x = h->simulation->x + body_of(h)->first_node;
  for (uint32_t i = 0; i < local->count; ++i) {
    const uint32_t v = local->vertex[i];
    syn_vec3 point = h->soft->skin->vertices[v];
    for (uint32_t k = h->soft->skin_start[v]; k < h->soft->skin_start[v + 1]; ++k) {
      const uint32_t node = h->soft->skin_nodes[k];
      point = vec3_madd(point, h->soft->skin_weights[k], vec3_sub(x[node], h->soft->rest[node]));
    }
    local->start[i] = point;
  }
}

/* ---- equilibrium ----------------------------------------------------------------------------------------------------
 */

/* Computes the positions of the points without the present forces of the probe. */
static void free_points(const syn_haptics *h, syn_local *local) {
  const size_t row = (size_t)3 * local->count;
  for (uint32_t i = 0; i < local->count; ++i) {
    double moved[3] = {0, 0, 0};
    const double *c = local->compliance + 3 * row * i;
    for (uint32_t j = 0; j < local->count; ++j) {
      const syn_vec3 f = h->region->skin_force[local->vertex[j]];
      for (size_t k = 0; k < 3; ++k)
        moved[k] += c[k * row + (size_t)3 * j] * f.x + c[k * row + (size_t)3 * j + 1] * f.y +
                    c[k * row + (size_t)3 * j + 2] * f.z;
    }
    local->free[i] = vec3_sub(local->start[i], vec3(moved[0], moved[1], moved[2]));
  }
}

static void touch(syn_haptics *h, syn_vec3 tip, const syn_local *local) {
  syn_region *g = h->region;
  for (int i = 0; i < LINEARISATIONS; ++i) h->frame_force = syn_local_solve(local, &h->probe, tip, &h->sim_work);
  memset(g->skin_force, 0, h->soft->skin->vertex_count * sizeof *g->skin_force);
  for (uint32_t i = 0; i < local->count; ++i) g->skin_force[local->vertex[i]] = h->sim_work.force[i];
}

/* Computes forces on the nodes without the probe's; returns the largest load, the scale of the tolerance. */
static double other_forces(syn_haptics *h, syn_vec3 *r) {
  const syn_simulation *s = h->simulation;
  const uint32_t first = body_of(h)->first_node;
  double largest = 0;
  for (uint32_t i = 0; i < h->soft->node_count; ++i) {
    r[i] = vec3_madd(h->region->base_load[i], h->soft->mass[i], s->options.gravity);
    r[i] = vec3_add(r[i], s->contact_force[first + i]);
    largest = max2(largest, vec3_length(r[i]));
  }
  h->soft->model->force(h->soft->state, s->x + first, NULL, r);
  return largest;
}

/* Returns whether the residual no longer decreases with the kept factorisation. A new one of a large body takes many
 * frames: it is made only if the residual can be felt. */
static bool grows(double before, double left, double scale, uint32_t nodes) {
  return nodes > LARGE_BODY ? left > before && left > 0.02 * scale : left > 0.9 * before;
}

/* Corrects the shape for the forces with the kept factorisation. One correction is exact if the body is linear. */
static syn_status settle(syn_haptics *h, syn_vec3 tip, syn_local *local, syn_error *error) {
  syn_region *g = h->region;
  syn_simulation *s = h->simulation;
  const uint32_t first = body_of(h)->first_node, nodes = h->soft->node_count;
  const int most = nodes > LARGE_BODY ? LARGE_CORRECTIONS : CORRECTIONS;
  double before = INFINITY;
  for (int i = 0;; ++i) {
    place_points(h, local);
    free_points(h, local);
    touch(h, tip, local);
    /* Residual of the body with the probe's forces, in free axes */
    double scale = other_forces(h, g->r), left = 0;
    for (uint32_t k = 0; k < local->count; ++k) {
      add_skin_force(h->soft, local->vertex[k], h->sim_work.force[k], g->r);
      scale = max2(scale, vec3_length(h->sim_work.force[k]));
    }
    for (uint32_t k = 0; k < nodes; ++k) {
      g->r[k] = syn_mix_held(s->held[first + k], g->r[k], vec3(0, 0, 0));
      left = max2(left, vec3_length(g->r[k]));
    }
    if (!isfinite(left)) return syn_fail(error, SYN_NOT_CONVERGED, "the body has no finite forces any more");
    const bool done = i > 0 && left <= small_rest * scale + small_mm * g->stiffness;
    if (i > 1 && !done && grows(before, left, scale, nodes)) g->factorised = false; /* the next frame makes a new one */
    if (done || i == most) return SYN_OK;
    before = left;
    SYN_TRY(syn_system_solve(g->system, 1, g->r, g->d, error));
    for (uint32_t k = 0; k < nodes; ++k) s->x[first + k] = vec3_add(s->x[first + k], g->d[k]);
  }
}

/* ---- motion ---------------------------------------------------------------------------------------------------------
 */

/* One implicit step: free motion of the points without the probe, contact with the probe, then the whole scene. */
static syn_status move(syn_haptics *h, syn_vec3 tip, syn_local *local, syn_error *error) {
  syn_region *g = h->region;
  syn_simulation *s = h->simulation;
  const uint32_t first = body_of(h)->first_node, nodes = h->soft->node_count;
  /* Free motion of the points without the probe */
  other_forces(h, g->r);
  for (uint32_t i = 0; i < nodes; ++i)
    g->r[i] = vec3_madd(g->r[i], h->soft->mass[i] / s->options.step_s, s->v[first + i]);
  SYN_TRY(syn_system_solve(g->system, 1, g->r, g->d, error));
  place_points(h, local);
  for (uint32_t i = 0; i < local->count; ++i)
    local->free[i] = vec3_add(local->start[i], skin_moves(h->soft, g->d, local->vertex[i]));
  touch(h, tip, local);
  /* Implicit step of the scene with the probe's forces as loads */
  memcpy(s->load + first, g->base_load, nodes * sizeof *s->load);
  for (uint32_t i = 0; i < local->count; ++i)
    add_skin_force(h->soft, local->vertex[i], h->sim_work.force[i], s->load + first);
  const syn_status status = syn_simulation_step(s, error);
  memcpy(s->load + first, g->base_load, nodes * sizeof *s->load);
  return status;
}

static uint32_t steps_per_frame(const syn_haptics *h) {
  const double steps =
      h->options.simulation_hz > 0 ? 1 / (h->options.simulation_hz * h->simulation->options.step_s) : 1;
  return steps < 1 ? 1 : steps > 1000 ? 1000 : (uint32_t)(steps + 0.5);
}

static bool needs_factor(const syn_haptics *h) {
  return !h->region->factorised || (is_dynamic(h) && h->soft->node_count <= SMALL_BODY);
}

syn_status syn_region_frame(syn_haptics *h, syn_vec3 tip, syn_local *local, syn_error *error) {
  syn_region *g = h->region;
  const bool factorises = needs_factor(h);
  if (factorises) SYN_TRY(factorise(h, error));
  syn_soft_skin_points(h->soft, h->simulation->x + body_of(h)->first_node, g->points);
  local->frame = ++h->frames;
  SYN_TRY(choose_points(h, tip, factorises, local, error));
  const uint32_t steps = is_dynamic(h) ? steps_per_frame(h) : 0;
  for (uint32_t i = 0; i < steps; ++i) SYN_TRY(move(h, tip, local, error));
  if (steps == 0) SYN_TRY(settle(h, tip, local, error));
  memcpy(local->under_tip, h->sim_work.under_tip, local->count);
  local->frame_force = h->frame_force;
  return SYN_OK;
}
