/* The local model of the force loop: points of the skin near the probe. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/haptics/haptics.h"

/* ==== the probe =================================================================================================== */

syn_status syn_probe_prepare(const syn_probe *probe, syn_probe *unit, syn_error *error) {
  if (!(probe->radius_mm > 0 && probe->length_mm > 0) || isinf(probe->radius_mm) || isinf(probe->length_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "radius and length of the probe must be above 0 mm");
  if (!vec3_finite(probe->axis) || !(vec3_length(probe->axis) > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the axis of the probe must be a direction");
  *unit = *probe;
  unit->axis = vec3_unit(probe->axis);
  return SYN_OK;
}

/* As syn_probe_distance; with `under_tip` a point inside is pushed out by the tip, even if the side is nearer.
 * *tip_is_near: the distance is measured from the tip. */
static double probe_gap(const syn_probe *unit, syn_vec3 tip, syn_vec3 point, bool under_tip, syn_vec3 *normal,
                        bool *tip_is_near) {
  const syn_vec3 from_tip = vec3_sub(point, tip);
  const double height = vec3_dot(from_tip, unit->axis); /* above the tip's plane, within the handle */
  const syn_vec3 out = vec3_madd(from_tip, -height, unit->axis);
  const double radius = vec3_length(out);
  const syn_vec3 sideways = radius > 0 ? vec3_scale(out, 1 / radius) : vec3_any_normal(unit->axis);
  const bool at_end = height > unit->length_mm / 2; /* nearer to the handle's end than to the tip */
  const double beside = radius - unit->radius_mm, beyond = at_end ? height - unit->length_mm : -height;
  const syn_vec3 endways = at_end ? unit->axis : vec3_neg(unit->axis);
  *tip_is_near = false;
  if (beside > 0 && beyond > 0) {
    const double distance = sqrt(beside * beside + beyond * beyond);
    *normal = vec3_scale(vec3_madd(vec3_scale(sideways, beside), beyond, endways), 1 / distance);
    return distance;
  }
  const bool by_end = beside <= 0 && (beyond >= beside || (under_tip && !at_end));
  *normal = by_end ? endways : sideways;
  *tip_is_near = by_end && !at_end;
  return by_end ? beyond : beside;
}

double syn_probe_distance(const syn_probe *probe, syn_vec3 tip, syn_vec3 point, syn_vec3 *normal) {
  syn_probe unit = *probe;
  unit.axis = vec3_unit(probe->axis);
  syn_vec3 way;
  bool tip_is_near;
  const double distance = probe_gap(&unit, tip, point, false, &way, &tip_is_near);
  if (normal) *normal = way;
  return distance;
}

/* ==== Cholesky factorisation of small dense matrices
 * ========================================================================================= */

/* Sums in four independent parts, for instruction-level parallelism. */
static double product(const double *a, const double *b, uint32_t n) {
  double sum[4] = {0, 0, 0, 0};
  uint32_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (uint32_t c = 0; c < 4; ++c) sum[c] += a[k + c] * b[k + c];
  for (; k < n; ++k) sum[0] += a[k] * b[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void syn_dense_factor(double *a, uint32_t n, uint32_t stride) {
  for (uint32_t i = 0; i < n; ++i) {
    double *row = a + (size_t)i * stride;
    for (uint32_t j = 0; j < i; ++j) {
      const double *other = a + (size_t)j * stride;
      row[j] = (row[j] - product(row, other, j)) / other[j];
    }
    const double rest = row[i] - product(row, row, i);
    row[i] = rest > 1e-14 * row[i] ? sqrt(rest) : (double)INFINITY; /* its unknown becomes 0 */
  }
}

void syn_dense_solve(const double *factor, uint32_t n, uint32_t stride, double *x) {
  for (uint32_t i = 0; i < n; ++i) {
    const double *row = factor + (size_t)i * stride;
    x[i] = (x[i] - product(row, x, i)) / row[i];
  }
  for (uint32_t i = n; i-- > 0;) {
    const double *row = factor + (size_t)i * stride;
    x[i] /= row[i];
    for (uint32_t j = 0; j < i; ++j) x[j] -= row[j] * x[i];
  }
}

/* ==== contact of the points with the probe ======================================================================== */

/* Contact of a few points with the probe: a linear complementarity problem, solved exactly by block principal pivoting
 * (Júdice and Pires 1994). Only syn_local_alloc and syn_touching_alloc allocate. */

/* ---- memory ---------------------------------------------------------------------------------------------------------
 */

typedef struct array {
  void *pointer; /* address of the pointer */
  size_t count, size;
} array;

static syn_status take(const syn_context *context, const array *arrays, size_t count, syn_error *error) {
  for (size_t i = 0; i < count; ++i) {
    void *block;
    SYN_TRY(syn_allocate_zeroed(context, arrays[i].count, arrays[i].size, &block, error));
    memcpy(arrays[i].pointer, &block, sizeof block);
  }
  return SYN_OK;
}

syn_status syn_local_alloc(const syn_context *context, uint32_t most, bool buffer, syn_local *local, syn_error *error) {
  const size_t n = most, square = n * n;
  const array arrays[] = {
      {&local->vertex, n, sizeof(uint32_t)},
      {&local->start, n, sizeof(syn_vec3)},
      {&local->under_tip, n, 1},
      {&local->free, n, sizeof(syn_vec3)},
      {&local->compliance, buffer ? 0 : 9 * square, sizeof(double)},
      {&local->footprint, buffer ? n : 0, sizeof(uint32_t)},
      {&local->inverse, buffer ? 3 * square : 0, sizeof(double)},
      {&local->spread, buffer ? 3 * n : 0, sizeof(double)},
      {&local->lift, buffer ? 3 * n : 0, sizeof(double)},
      {&local->area, buffer ? n : 0, sizeof(double)},
      {&local->outward, buffer ? n : 0, sizeof(syn_vec3)},
  };
  return take(context, arrays, sizeof arrays / sizeof *arrays, error);
}

void syn_local_free(const syn_context *context, syn_local *local) {
  void *const blocks[] = {local->vertex,     local->start,     local->under_tip, local->free,
                          local->compliance, local->footprint, local->inverse,   local->spread,
                          local->lift,       local->area,      local->outward};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(context, blocks[i]);
}

syn_status syn_touching_alloc(const syn_context *context, uint32_t most, syn_touching *work, syn_error *error) {
  const size_t n = most, square = n * n;
  const array arrays[] = {
      {&work->vertex, n, sizeof(uint32_t)},
      {&work->at, n, sizeof(syn_vec3)},
      {&work->under_tip, n, 1},
      {&work->force, n, sizeof(syn_vec3)},
      {&work->normal, n, sizeof(syn_vec3)},
      {&work->kept_at, n, sizeof(syn_vec3)},
      {&work->kept_tip, n, 1},
      {&work->active, n, 1},
      {&work->gap, n, sizeof(double)},
      {&work->lambda, n, sizeof(double)},
      {&work->slack, n, sizeof(double)},
      {&work->matrix, square, sizeof(double)},
      {&work->factor, square, sizeof(double)},
      {&work->right, 6 * n, sizeof(double)},
      {&work->list, n, sizeof(uint32_t)},
  };
  return take(context, arrays, sizeof arrays / sizeof *arrays, error);
}

void syn_touching_free(const syn_context *context, syn_touching *work) {
  void *const blocks[] = {work->vertex,  work->at,       work->under_tip, work->force, work->normal,
                          work->kept_at, work->kept_tip, work->active,    work->gap,   work->lambda,
                          work->slack,   work->matrix,   work->factor,    work->right, work->list};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(context, blocks[i]);
}

/* Both lists ascend by vertex. */
static void touching_follow(syn_touching *work, const syn_local *local) {
  if (work->frame == local->frame) return;
  for (uint32_t i = 0, old = 0; i < local->count; ++i) {
    while (old < work->count && work->vertex[old] < local->vertex[i]) ++old;
    const bool known = old < work->count && work->vertex[old] == local->vertex[i];
    work->kept_at[i] = known ? work->at[old] : local->start[i];
    work->kept_tip[i] = known ? work->under_tip[old] : local->under_tip[i];
  }
  work->frame = local->frame;
  work->count = local->count;
  memcpy(work->vertex, local->vertex, local->count * sizeof *work->vertex);
  memcpy(work->at, work->kept_at, local->count * sizeof *work->at);
  memcpy(work->under_tip, work->kept_tip, local->count);
  memset(work->active, 0, local->count);
}

/* ---- the problem ----------------------------------------------------------------------------------------------------
 * Gaps along fixed normals: gap + matrix * lambda >= 0, lambda >= 0, and if one is above 0 the other is 0. */

/* Lists the points that the probe touches or nearly touches. The others do not come that near before the next frame,
 * and their compliance need not be read: reading it takes most of the time of a force. */
static uint32_t find_gaps(const syn_local *local, const syn_probe *unit, syn_vec3 tip, syn_touching *w) {
  const double margin = unit->radius_mm / 4;
  uint32_t count = 0;
  for (uint32_t i = 0; i < local->count; ++i) {
    bool by_tip;
    const double distance = probe_gap(unit, tip, w->at[i], w->under_tip[i], &w->normal[i], &by_tip);
    w->gap[i] = distance + vec3_dot(w->normal[i], vec3_sub(local->free[i], w->at[i]));
    w->under_tip[i] = by_tip;
    w->lambda[i] = w->slack[i] = 0;
    if (w->gap[i] < margin || distance < margin)
      w->list[count++] = i;
    else
      w->active[i] = 0;
  }
  return count;
}

static const double *block(const syn_local *local, uint32_t i, uint32_t j) {
  return local->compliance + (size_t)9 * local->count * i + (size_t)3 * j;
}

static syn_vec3 yield_of(const syn_local *local, uint32_t i, uint32_t j, syn_vec3 force) {
  const double *b = block(local, i, j);
  const size_t row = (size_t)3 * local->count;
  return vec3(b[0] * force.x + b[1] * force.y + b[2] * force.z,
              b[row] * force.x + b[row + 1] * force.y + b[row + 2] * force.z,
              b[2 * row] * force.x + b[2 * row + 1] * force.y + b[2 * row + 2] * force.z);
}

static void fill_matrix(const syn_local *local, uint32_t count, syn_touching *w) {
  const uint32_t n = local->count;
  for (uint32_t k = 0; k < count; ++k)
    for (uint32_t m = 0; m <= k; ++m) {
      const uint32_t i = w->list[k], j = w->list[m];
      w->matrix[(size_t)i * n + j] = w->matrix[(size_t)j * n + i] =
          vec3_dot(w->normal[i], yield_of(local, i, j, w->normal[j]));
    }
}

/* A point without compliance cannot be pushed out: it is skipped. */
static uint32_t keep_movable(uint32_t n, uint32_t count, syn_touching *w) {
  double largest = 0;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; ++k) largest = max2(largest, w->matrix[(size_t)w->list[k] * (n + 1)]);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = w->list[k];
    const bool movable = w->matrix[(size_t)i * (n + 1)] > 1e-9 * largest;
    if (!movable) w->active[i] = 0;
    if (movable) w->list[kept++] = i;
  }
  return kept;
}

/* Computes forces that close the gaps of all active points; the others' are 0. */
static void solve_active(uint32_t n, uint32_t movable, syn_touching *w) {
  uint32_t count = 0;
  for (uint32_t m = 0; m < movable; ++m) {
    const uint32_t i = w->list[m];
    if (!w->active[i]) continue;
    uint32_t column = 0;
    double *row = w->factor + (size_t)count * n;
    for (uint32_t k = 0; k <= m; ++k)
      if (w->active[w->list[k]]) row[column++] = w->matrix[(size_t)i * n + w->list[k]];
    w->right[count++] = -w->gap[i];
  }
  syn_dense_factor(w->factor, count, n);
  syn_dense_solve(w->factor, count, n, w->right);
}

/* Computes lambda and slack; returns the count of points that violate their condition, and the last of them. */
static uint32_t check(uint32_t n, uint32_t movable, syn_touching *w, uint32_t *last) {
  uint32_t next = 0, broken = 0;
  for (uint32_t m = 0; m < movable; ++m) w->lambda[w->list[m]] = w->active[w->list[m]] ? w->right[next++] : 0;
  for (uint32_t m = 0; m < movable; ++m) {
    const uint32_t i = w->list[m];
    w->slack[i] = 0;
    if (!w->active[i]) {
      double gap = w->gap[i];
      for (uint32_t k = 0; k < movable; ++k) gap += w->matrix[(size_t)i * n + w->list[k]] * w->lambda[w->list[k]];
      w->slack[i] = gap;
    }
    if (w->lambda[i] < 0 || w->slack[i] < -1e-12) {
      ++broken;
      *last = i;
    }
  }
  return broken;
}

/* All points that violate their condition change between active and inactive at once; if that does not help three
 * times in a row, only the last of them does, which is sure to terminate. */
static void pivot(uint32_t n, uint32_t movable, syn_touching *w) {
  uint32_t fewest = UINT32_MAX, patience = 3;
  for (uint32_t round = 0; round < 20 + 4 * n; ++round) {
    uint32_t last = 0;
    solve_active(n, movable, w);
    const uint32_t broken = check(n, movable, w, &last);
    if (broken == 0) return;
    if (broken < fewest) {
      fewest = broken;
      patience = 3;
    } else if (patience > 0)
      --patience;
    for (uint32_t m = 0; m < movable; ++m) {
      const uint32_t i = w->list[m];
      const bool breaks = w->lambda[i] < 0 || w->slack[i] < -1e-12;
      if (breaks && (patience > 0 || i == last)) w->active[i] = !w->active[i];
    }
  }
  for (uint32_t m = 0; m < movable; ++m) w->lambda[w->list[m]] = max2(w->lambda[w->list[m]], 0);
}

static bool all_apart(uint32_t count, const syn_touching *w) {
  for (uint32_t k = 0; k < count; ++k)
    if (w->gap[w->list[k]] < 0) return false;
  return true;
}

/* Computes the positions of the points under the forces on them. */
static void follow_forces(const syn_local *local, uint32_t count, syn_touching *w) {
  memcpy(w->at, local->start, local->count * sizeof *w->at);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = w->list[k];
    w->at[i] = local->free[i];
    for (uint32_t m = 0; m < count; ++m)
      if (w->lambda[w->list[m]] > 0)
        w->at[i] = vec3_add(w->at[i], yield_of(local, i, w->list[m], w->force[w->list[m]]));
  }
}

syn_vec3 syn_local_solve(const syn_local *local, const syn_probe *unit, syn_vec3 tip, syn_touching *w) {
  const uint32_t n = local->count;
  touching_follow(w, local);
  uint32_t count = find_gaps(local, unit, tip, w);
  w->touching = 0;
  memset(w->force, 0, n * sizeof *w->force);
  syn_vec3 on_probe = vec3(0, 0, 0);
  if (all_apart(count, w)) {
    memset(w->active, 0, n);
    memcpy(w->at, local->free, n * sizeof *w->at);
    return on_probe;
  }
  fill_matrix(local, count, w);
  count = keep_movable(n, count, w);
  pivot(n, count, w);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = w->list[k];
    w->force[i] = vec3_scale(w->normal[i], w->lambda[i]);
    on_probe = vec3_sub(on_probe, w->force[i]);
    w->touching += w->lambda[i] > 0;
  }
  follow_forces(local, count, w);
  return on_probe;
}
