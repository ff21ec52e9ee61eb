/* The state of a simulation as a list of numbers, for checkpoints. */
#include <string.h>

#include "tissue/simulation/simulation.h"

/* Visits all numbers in one order: counts them (NULL), gets them, or sets them. */
typedef struct walk {
  double *state;
  bool sets;
  size_t count;
} walk;

static void pass(walk *w, double *numbers, size_t count) {
  if (w->state && w->sets)
    memcpy(numbers, w->state + w->count, count * sizeof *numbers);
  else if (w->state)
    memcpy(w->state + w->count, numbers, count * sizeof *numbers);
  w->count += count;
}

static void pass_history(walk *w, const syn_soft *soft) {
  size_t count = 0;
  double *history = soft->model->history ? soft->model->history(soft->state, &count) : NULL;
  if (history) pass(w, history, count);
}

static size_t walk_state(syn_simulation *s, double *state, bool sets) {
  walk w = {state, sets, 0};
  double steps = (double)s->steps, cut = s->cut;
  pass(&w, &steps, 1);
  pass(&w, &cut, 1);
  pass(&w, &s->time_s, 1);
  syn_vec3 *const vectors[] = {s->x,          s->v,          s->target,   s->load, s->contact_force,
                               s->hold_force, s->step_force, s->last_load};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    if (s->node_count > 0) pass(&w, &vectors[i]->x, 3 * (size_t)s->node_count);
  for (size_t b = 0; b < s->body_count; ++b) {
    pass(&w, &s->bodies[b].pose.rotation.row[0].x, 12);
    pass(&w, &s->bodies[b].next.rotation.row[0].x, 12);
    if (s->bodies[b].soft) pass_history(&w, s->bodies[b].soft);
  }
  for (size_t i = 0; i < s->touch_count; ++i) pass(&w, &s->touches[i].overlap_mm3, 1);
  if (sets) s->steps = (uint64_t)steps;
  if (sets) s->cut = (uint32_t)cut;
  return w.count;
}
_Static_assert(sizeof(syn_pose) == 12 * sizeof(double), "a pose is twelve numbers");

size_t syn_simulation_state_count(const syn_simulation *s) {
  syn_simulation copy = *s; /* only to count */
  return walk_state(&copy, NULL, false);
}

void syn_sim_pass_state(syn_simulation *s, double *state, bool sets) { walk_state(s, state, sets); }

/* The kept factorisation has an order of elimination that depends on past contacts: both the simulation that
 * continues and the one that is set to this state start without it. */
void syn_simulation_get_state(syn_simulation *s, double *state) {
  walk_state(s, state, false);
  syn_newton_destroy(s);
}

void syn_simulation_set_state(syn_simulation *s, const double *state) {
  walk_state(s, (double *)(uintptr_t)state, true); /* read only */
  syn_newton_destroy(s);
}
