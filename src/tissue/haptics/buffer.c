/* The deformable buffer model in the force loop (Sundaraj 2004, §6.2.3): the equations of the volume distribution
 * method for the nodes W near the probe, with the inverse of their matrix computed by the simulation thread. The
 * probe prescribes the touched nodes (Eq. 6.4); the others take up the volume. */
#include <string.h>

#include "base/vec.h"
#include "tissue/haptics/haptics.h"

double syn_buffer_depth(const syn_local *local, const syn_probe *unit, syn_vec3 tip, uint32_t point) {
  return max2(0, vec3_dot(vec3_sub(local->free[point], tip), unit->axis));
}

/* Lists the points of the footprint that the probe moves, and their displacements: collision with W, and the
 * right-hand side. */
static uint32_t list_touched(const syn_local *local, const syn_probe *unit, syn_vec3 tip, syn_touching *w) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < local->footprint_count; ++k) {
    const double depth = syn_buffer_depth(local, unit, tip, local->footprint[k]);
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
