/* A contact loop as in a simulator: a collider prepared once, then one pose each millisecond; depth and normal come
 * out. cc contact_loop.c $(pkg-config --cflags --static --libs synovia) -o contact_loop && ./contact_loop
 *
 * A haptic device pushes along the normal, so the normal must not jump from one millisecond to the next. "radial"
 * pushes along the ray through the centre of the joint: the direction turns only as far as the deepest point moves,
 * however thin the labrum is. "distance" pushes along the shortest way out, which flips to the other side of a thin
 * body as soon as a vertex passes its middle. */
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

/* The push on the femur: the mean of all directions, each weighted by its depth. The deepest vertex alone would hand
 * over to another one from one pose to the next, and the direction with it. */
static syn_vec3 push_of(const syn_contact *contacts, size_t count) {
  syn_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; ++i) {
    sum.x += contacts[i].depth_mm * contacts[i].direction.x;
    sum.y += contacts[i].depth_mm * contacts[i].direction.y;
    sum.z += contacts[i].depth_mm * contacts[i].direction.z;
  }
  const double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
  return length > 0 ? (syn_vec3){sum.x / length, sum.y / length, sum.z / length} : sum;
}

static double angle_between_deg(syn_vec3 a, syn_vec3 b) {
  const double cosine = a.x * b.x + a.y * b.y + a.z * b.z;
  return acos(fmax(-1, fmin(cosine, 1))) * SYN_RADIAN;
}

/* Bends to 120 degrees and back in a second. */
static void run_loop(const syn_joint *hip, const syn_collider *collider, void *scratch) {
  static syn_contact contacts[CONTACTS]; /* the collider writes here; nothing is allocated in the loop */
  static double time_ms[POSES];
  double sum_ms = 0, largest_turn_deg = 0;
  syn_vec3 last = {0, 0, 0};
  for (int i = 0; i < POSES; ++i) {
    const double angle = 120 * SYN_DEGREE * sin(SYN_PI * i / POSES), start = now_ms();
    const syn_pose pose = syn_pose_about_axis(hip->center, hip->axes.flexion, angle);
    syn_contacts result = {.contacts = contacts, .capacity = CONTACTS};
    syn_collider_query(collider, &pose, scratch, &result);
    const syn_vec3 push = push_of(contacts, result.count < CONTACTS ? result.count : CONTACTS);
    time_ms[i] = now_ms() - start;
    sum_ms += time_ms[i];
    const bool touches = result.count > 0, touched = last.x != 0 || last.y != 0 || last.z != 0;
    if (touches && touched) largest_turn_deg = fmax(largest_turn_deg, angle_between_deg(last, push));
    last = push;
    if (touches && i % 50 == 0)
      printf("%4d ms: %6.3f mm deep, push along %6.3f %6.3f %6.3f\n", i, result.max_depth_mm, push.x, push.y, push.z);
  }
  qsort(time_ms, POSES, sizeof *time_ms, ascending);
  printf("the push turned by %.2f degrees at most from one millisecond to the next\n", largest_turn_deg);
  printf("%d poses: mean %.3f ms, 99.9 %% below %.3f ms\n", POSES, sum_ms / POSES, time_ms[POSES * 999 / 1000 - 1]);
}

int main(void) {
  syn_context context = syn_default_context();
  syn_collide_options options = syn_default_collide_options();
  syn_joint *hip;
  syn_collider *collider;
  syn_error error;
  char text[1024];
  context.threads = 1; /* for work below a millisecond waking other threads costs more than they bring */
  if (syn_shape_create(&context, "hip", NULL, 0, &hip, &error) != SYN_OK) {
    fprintf(stderr, "%s\n", syn_error_text(&error, text, sizeof text));
    return 1;
  }
  options.center = hip->center;
  if (syn_collider_create(&context, "radial", syn_joint_body_named(hip, "labrum"), syn_joint_body_named(hip, "femur"),
                          &options, &collider, &error) != SYN_OK) {
    fprintf(stderr, "%s\n", syn_error_text(&error, text, sizeof text));
    syn_joint_destroy(hip);
    return 1;
  }
  void *scratch = malloc(syn_collider_scratch(collider));
  if (scratch)
    run_loop(hip, collider, scratch);
  else
    fprintf(stderr, "no memory\n");
  free(scratch);
  syn_collider_destroy(collider);
  syn_joint_destroy(hip);
  return scratch ? 0 : 1;
}
