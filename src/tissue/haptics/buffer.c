/* The buffer model (Sundaraj 2004, §6.2.3) for bodies of the volume distribution method. */
#include <string.h>

#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/haptics/haptics.h"
#include "tissue/vdm/vdm.h"

/* ==== UPDATE and LINK: the force loop ============================================================================= */

/* The deformable buffer model in the force loop (Sundaraj 2004, §6.2.3): the equations of the volume distribution
 * method for the nodes W near the probe, with the inverse of their matrix computed by the simulation thread. The
 * probe prescribes the touched nodes (Eq. 6.4); the others take up the volume. */

/* Returns the displacement of a point of the footprint by the probe along its axis; 0 if it does not touch the
 * point. */
static double buffer_depth(const syn_local *local, const syn_probe *unit, syn_vec3 tip, uint32_t point) {
  return max2(0, vec3_dot(vec3_sub(local->free[point], tip), unit->axis));
}

/* Lists the points of the footprint that the probe moves, and their displacements: collision with W, and the
 * right-hand side. */
static uint32_t list_touched(const syn_local *local, const syn_probe *unit, syn_vec3 tip, syn_touching *w) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < local->footprint_count; ++k) {
    const double depth = buffer_depth(local, unit, tip, local->footprint[k]);
    if (!(depth > 0)) continue;
    w->gap[count] = -depth;
    w->list[count++] = local->footprint[k];
  }
  return count;
}

/* Solves one direction: reactions of the touched nodes are a - pressure * b. */
static void solve_direction(const syn_local *local, int c, double push, uint32_t touched, syn_touching *w) {
  const uint32_t n = local->count;
  const double *inverse = local->inverse + (size_t)c * n * n, *spread = local->spread + (size_t)c * n;
  double *a = w->right, *b = w->right + n;
  for (uint32_t i = 0; i < touched; ++i) {
    const uint32_t at = w->list[i];
    for (uint32_t j = 0; j <= i; ++j) w->factor[(size_t)i * n + j] = inverse[(size_t)at * n + w->list[j]];
    a[i] = local->area[at] * -w->gap[i] * push;
    b[i] = spread[at];
  }
  syn_dense_factor(w->factor, touched, n);
  syn_dense_solve(w->factor, touched, n, a);
  syn_dense_solve(w->factor, touched, n, b);
}

syn_vec3 syn_buffer_solve(const syn_local *local, const syn_probe *unit, syn_vec3 tip, syn_touching *w,
                          double *pressure) {
  if (pressure) *pressure = 0;
  w->touching = list_touched(local, unit, tip, w);
  if (w->touching == 0) return vec3(0, 0, 0);
  double volume = 0, give = local->give;
  for (int c = 0; c < 3; ++c) {
    const double *lift = local->lift + (size_t)c * local->count;
    solve_direction(local, c, -vec3_at(unit->axis, c), w->touching, w);
    for (uint32_t i = 0; i < w->touching; ++i) {
      volume += lift[w->list[i]] * w->right[i];
      give -= lift[w->list[i]] * w->right[local->count + i];
    }
  }
  if (!(give > 0)) return vec3(0, 0, 0); /* all nodes are touched: no other node can take up the volume */
  const double p = -volume / give;
  if (pressure) *pressure = p;
  syn_vec3 out = vec3(0, 0, 0);
  for (uint32_t k = 0; k < local->footprint_count; ++k)
    out = vec3_madd(out, local->area[local->footprint[k]], local->outward[local->footprint[k]]);
  return vec3_scale(vec3_unit(out), p * local->buffer_volume * local->haptic_area / local->body_volume);
}

/* ==== CONSTRUCT: the simulation =================================================================================== */

/* The simulation thread's side for a body of the volume distribution method: solves the whole body with the probe
 * prescribing the touched nodes (Eq. 6.3 and 6.4), and builds the buffer model of the nodes around them (CONSTRUCT). */

struct syn_buffer {
  syn_vdm *vdm;
  uint32_t *start, *neighbours, *pair_of; /* of each node; start has one more entry */
  uint32_t *queue, *number;               /* nodes in the order of their distance; index in W, or SYN_NONE */
  uint32_t *moved;                        /* by the last frame */
  uint32_t moved_count;
  double body_volume; /* of the free nodes */
};

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

static const uint8_t *held_of(const syn_haptics *h) {
  return h->simulation->held + h->simulation->bodies[h->body].first_node;
}

void syn_buffer_destroy(syn_haptics *h) {
  struct syn_buffer *b = h->buffer;
  if (!b) return;
  void *const blocks[] = {b->start, b->neighbours, b->pair_of, b->queue, b->number, b->moved};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(h->context, blocks[i]);
  syn_free(h->context, b);
}

static void list_neighbours(struct syn_buffer *b) {
  const syn_vdm *vdm = b->vdm;
  memset(b->start, 0, ((size_t)vdm->node_count + 1) * sizeof *b->start);
  for (uint32_t p = 0; p < vdm->pair_count; ++p)
    for (int e = 0; e < 2; ++e) ++b->start[vdm->pairs[p][e] + 1];
  for (uint32_t i = 0; i < vdm->node_count; ++i) b->start[i + 1] += b->start[i];
  memcpy(b->number, b->start, vdm->node_count * sizeof *b->number);
  for (uint32_t p = 0; p < vdm->pair_count; ++p)
    for (int e = 0; e < 2; ++e) {
      const uint32_t at = b->number[vdm->pairs[p][e]]++;
      b->neighbours[at] = vdm->pairs[p][1 - e];
      b->pair_of[at] = p;
    }
}

/* Nodes that the scene prescribes are prescribed in the equations, too. */
static syn_status hold(syn_haptics *h, uint32_t node, syn_error *error) {
  const unsigned held = held_of(h)[node];
  SYN_TRY(syn_vdm_prescribe(h->soft, node, SYN_XYZ & ~held, SYN_VDM_FREE, vec3(0, 0, 0), error));
  return syn_vdm_prescribe(h->soft, node, held, SYN_VDM_FIXED, vec3(0, 0, 0), error);
}

syn_status syn_buffer_create(syn_haptics *h, syn_error *error) {
  struct syn_buffer *b;
  SYN_TRY(SYN_NEW_ZEROED(h->context, &b, 1, error));
  h->buffer = b;
  SYN_TRY(syn_vdm_of(h->soft, &b->vdm, error));
  const syn_vdm *vdm = b->vdm;
  for (uint32_t p = 0; p < vdm->pair_count; ++p)
    if (isinf(vdm->connectivity[p]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "a body with infinite connectivities has no buffer model");
  SYN_TRY(SYN_NEW(h->context, &b->start, (size_t)vdm->node_count + 1, error));
  SYN_TRY(SYN_NEW(h->context, &b->neighbours, 2 * (size_t)vdm->pair_count, error));
  SYN_TRY(SYN_NEW(h->context, &b->pair_of, 2 * (size_t)vdm->pair_count, error));
  SYN_TRY(SYN_NEW(h->context, &b->queue, vdm->node_count, error));
  SYN_TRY(SYN_NEW(h->context, &b->number, vdm->node_count, error));
  SYN_TRY(SYN_NEW(h->context, &b->moved, h->options.max_points, error));
  list_neighbours(b);
  const double height = vdm->rest.volume / vdm->rest.total_area;
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    SYN_TRY(hold(h, i, error));
    if (held_of(h)[i] != SYN_XYZ) b->body_volume += vdm->rest.area[i] * height;
  }
  return SYN_OK;
}

/* ---- the set W ------------------------------------------------------------------------------------------------------
 */

/* Returns whether a node is under the tip: within its radius around the axis and with its normal towards it. */
static bool is_under(const syn_haptics *h, syn_vec3 tip, uint32_t node, double *beside_mm) {
  const syn_probe *probe = &h->probe;
  const syn_vec3 from_tip = vec3_sub(h->soft->rest[node], tip);
  const double height = vec3_dot(from_tip, probe->axis);
  *beside_mm = vec3_length(vec3_madd(from_tip, -height, probe->axis));
  return held_of(h)[node] == 0 && fabs(height) <= probe->length_mm &&
         vec3_dot(syn_vdm_normal(&h->buffer->vdm->rest, node), probe->axis) > 0;
}

/* The footprint is the first nodes of the queue. If all are beside the tip, as on a coarse mesh, the nearest within
 * reach is moved. */
static uint32_t find_footprint(syn_haptics *h, syn_vec3 tip) {
  struct syn_buffer *b = h->buffer;
  uint32_t count = 0, nearest = SYN_NONE;
  double least = h->options.reach_mm;
  for (uint32_t i = 0; i < b->vdm->node_count; ++i) {
    double beside;
    b->number[i] = SYN_NONE;
    if (!is_under(h, tip, i, &beside)) continue;
    if (beside < least) {
      least = beside;
      nearest = i;
    }
    if (beside <= h->probe.radius_mm && count < h->options.max_points) b->queue[count++] = i;
  }
  if (count == 0 && nearest != SYN_NONE) b->queue[count++] = nearest;
  return count;
}

/* Adds neighbours of neighbours, up to max_points. Prescribed nodes are excluded. */
static uint32_t grow(syn_haptics *h, uint32_t count) {
  struct syn_buffer *b = h->buffer;
  for (uint32_t i = 0; i < count; ++i) b->number[b->queue[i]] = i;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = b->start[b->queue[i]]; k < b->start[b->queue[i] + 1] && count < h->options.max_points; ++k) {
      const uint32_t node = b->neighbours[k];
      if (b->number[node] != SYN_NONE || held_of(h)[node] != 0) continue;
      b->number[node] = count;
      b->queue[count++] = node;
    }
  return count;
}

/* ---- K_buffer -------------------------------------------------------------------------------------------------------
 */

/* Builds the equations of W alone: couplings with other nodes are omitted. */
static void fill_direction(const syn_haptics *h, int c, uint32_t n, double *matrix) {
  const struct syn_buffer *b = h->buffer;
  memset(matrix, 0, (size_t)n * n * sizeof *matrix);
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t node = b->queue[i];
    double sum = vec3_at(b->vdm->bulk[node], c);
    for (uint32_t k = b->start[node]; k < b->start[node + 1]; ++k) {
      const uint32_t j = b->number[b->neighbours[k]];
      if (j == SYN_NONE) continue;
      matrix[(size_t)i * n + j] -= b->vdm->connectivity[b->pair_of[k]];
      sum += b->vdm->connectivity[b->pair_of[k]];
    }
    matrix[(size_t)i * n + i] = isfinite(sum) ? sum : 1e9 * vec3_at(b->vdm->bulk[b->queue[0]], c);
  }
}

static void invert(double *matrix, uint32_t n, double *inverse) {
  syn_dense_factor(matrix, n, n);
  for (uint32_t i = 0; i < n; ++i) {
    double *row = inverse + (size_t)i * n;
    memset(row, 0, n * sizeof *row);
    row[i] = 1;
    syn_dense_solve(matrix, n, n, row);
  }
}

static void fill_local(syn_haptics *h, uint32_t footprint, uint32_t n, syn_local *local) {
  const struct syn_buffer *b = h->buffer;
  const syn_vdm_shape *rest = &b->vdm->rest;
  const double height = rest->volume / rest->total_area;
  local->count = n;
  local->left_off = 0;
  local->footprint_count = footprint;
  local->body_volume = b->body_volume;
  local->buffer_volume = local->haptic_area = local->give = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t node = local->vertex[i] = b->queue[i];
    local->free[i] = h->soft->rest[node];
    local->area[i] = rest->area[node];
    local->outward[i] = syn_vdm_normal(rest, node);
    local->buffer_volume += local->area[i] * height;
    if (i < footprint) local->haptic_area += local->area[i];
    if (i < footprint) local->footprint[i] = i;
  }
  for (int c = 0; c < 3; ++c) {
    double *inverse = local->inverse + (size_t)c * n * n, *spread = local->spread + (size_t)c * n,
           *lift = local->lift + (size_t)c * n;
    fill_direction(h, c, n, h->sim_work.factor);
    invert(h->sim_work.factor, n, inverse);
    for (uint32_t i = 0; i < n; ++i) {
      spread[i] = lift[i] = 0;
      for (uint32_t j = 0; j < n; ++j) {
        const double normal = vec3_at(local->outward[j], c) * inverse[(size_t)i * n + j];
        lift[i] += normal;
        spread[i] += local->area[j] * height * normal;
      }
      local->give += vec3_at(local->outward[i], c) * spread[i];
    }
  }
}

/* ---- the whole body -------------------------------------------------------------------------------------------------
 */

static syn_status move_nodes(syn_haptics *h, syn_vec3 tip, const syn_local *local, syn_error *error) {
  struct syn_buffer *b = h->buffer;
  for (uint32_t i = 0; i < b->moved_count; ++i) SYN_TRY(hold(h, b->moved[i], error));
  b->moved_count = 0;
  for (uint32_t k = 0; k < local->footprint_count; ++k) {
    const double depth = buffer_depth(local, &h->probe, tip, local->footprint[k]);
    if (!(depth > 0)) continue;
    const uint32_t node = local->vertex[local->footprint[k]];
    SYN_TRY(syn_vdm_prescribe(h->soft, node, SYN_XYZ, SYN_VDM_CONSTRAINED, vec3_scale(h->probe.axis, -depth), error));
    b->moved[b->moved_count++] = node;
  }
  return SYN_OK;
}

syn_status syn_buffer_frame(syn_haptics *h, syn_vec3 tip, syn_local *local, syn_error *error) {
  const uint32_t footprint = find_footprint(h, tip);
  fill_local(h, footprint, grow(h, footprint), local);
  SYN_TRY(move_nodes(h, tip, local, error));
  syn_vec3 *x = h->simulation->x + h->simulation->bodies[h->body].first_node, out = vec3(0, 0, 0);
  syn_vdm_report report;
  SYN_TRY(syn_vdm_solve(h->soft, x, &report, error));
  for (uint32_t i = 0; i < footprint; ++i) out = vec3_madd(out, local->area[i], local->outward[i]);
  const bool touches = h->buffer->moved_count > 0;
  h->frame_force = touches ? vec3_scale(vec3_unit(out), report.pressure_mpa * local->haptic_area) : vec3(0, 0, 0);
  local->frame_force = h->frame_force;
  local->frame = ++h->frames;
  return SYN_OK;
}
