/* A contact loop as in a simulator: a collider prepared once, then one pose each millisecond; depth and normal come
 * out. cc contact_loop.c $(pkg-config --cflags --static --libs synovia) -o contact_loop && ./contact_loop */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <synovia/synovia.h>

enum { POSES = 1000, CONTACTS = 4096 };

static double now_ms(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static syn_contact contacts[CONTACTS]; /* the collider writes here; nothing is allocated in the loop */
  static double time_ms[POSES];
  syn_context context = syn_default_context();
  syn_collide_options options = syn_default_collide_options();
  syn_joint *hip;
  syn_collider *collider;
  syn_error error;
  char text[1024];
  context.threads = 1; /* for work below a millisecond waking other threads costs more than they bring */
  options.reach_mm = 5;
  if (syn_shape_create(&context, "hip", NULL, 0, &hip, &error) != SYN_OK ||
      syn_collider_create(&context, "distance", syn_joint_body_named(hip, "labrum"), syn_joint_body_named(hip, "femur"),
                          &options, &collider, &error) != SYN_OK)
    return fprintf(stderr, "%s\n", syn_error_text(&error, text, sizeof text)), 1;
  void *scratch = malloc(syn_collider_scratch(collider));
  if (!scratch) return fprintf(stderr, "no memory\n"), 1;
  double sum_ms = 0;
  for (int i = 0; i < POSES; ++i) { /* bends to 120 degrees and back in a second */
    const double angle = 120 * sin(3.14159265358979 * i / POSES) * 3.14159265358979 / 180, start = now_ms();
    const syn_pose pose = syn_pose_about_axis(hip->center, hip->axes.flexion, angle);
    syn_contacts result = {.contacts = contacts, .capacity = CONTACTS};
    syn_collider_query(collider, &pose, scratch, &result);
    sum_ms += time_ms[i] = now_ms() - start;
    const syn_contact *deepest = NULL;
    for (size_t k = 0; k < result.count && k < CONTACTS; ++k)
      if (!deepest || contacts[k].depth_mm > deepest->depth_mm) deepest = &contacts[k];
    if (deepest && i % 50 == 0)
      printf("%4d ms: %6.3f mm deep, push along %6.3f %6.3f %6.3f\n", i, deepest->depth_mm, deepest->direction.x,
             deepest->direction.y, deepest->direction.z);
  }
  qsort(time_ms, POSES, sizeof *time_ms, ascending);
  printf("%d poses: mean %.3f ms, 99.9 %% below %.3f ms\n", POSES, sum_ms / POSES, time_ms[POSES * 999 / 1000 - 1]);
  return free(scratch), syn_collider_destroy(collider), syn_joint_destroy(hip), 0;
}
