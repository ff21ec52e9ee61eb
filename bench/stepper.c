#include "stepper.h"

#include <stdlib.h>

#include "base/vec.h"

typedef struct stepping {
  const bench_stepping *how;
  void *state;
  syn_vec3 center, axis;
} stepping;

static void *open_stepper(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  const bench_stepping *how = self->data;
  void *state = how->inner->open(how->inner, scene, error);
  if (!state) return NULL;
  stepping *s = malloc(sizeof *s);
  if (!s) abort();
  *s = (stepping){how, state, scene->center, scene->axis};
  return s;
}

static void close_stepper(void *state) {
  stepping *s = state;
  s->how->inner->close(s->state);
  free(s);
}

static bool collides_at(const stepping *s, double degrees) {
  bench_answer answer = {0};
  const syn_pose pose = syn_pose_about_axis(s->center, s->axis, degrees * SYN_PI / 180);
  s->how->inner->ask(s->state, &pose, &answer);
  return answer.count > 0;
}

/* Degrees of free turning one way (sign +1 or -1). */
static double free_turn(const stepping *s, double sign) {
  const double step = s->how->step_deg, precision = s->how->precision_deg;
  double hit = step;
  while (hit < 360 && !collides_at(s, sign * hit)) hit += step;
  if (hit >= 360) return 360;
  double low = hit - step;
  while (precision > 0 && hit - low > precision) {
    const double middle = (low + hit) / 2;
    *(collides_at(s, sign * middle) ? &hit : &low) = middle;
  }
  return low;
}

static void ask_stepper(void *state, const syn_pose *pose, bench_answer *answer) {
  (void)pose; /* sets off from where the meshes are */
  answer->turn_deg[0] = free_turn(state, 1);
  answer->turn_deg[1] = free_turn(state, -1);
}

bench_contender bench_stepper(const bench_stepping *how, const char *name, const char *detail) {
  return (bench_contender){.name = name,
                           .detail = detail,
                           .query = "rotation",
                           .data = how,
                           .open = open_stepper,
                           .ask = ask_stepper,
                           .close = close_stepper};
}
