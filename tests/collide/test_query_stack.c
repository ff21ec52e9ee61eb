/* How much stack a thread needs that calls the library, as include/synovia/collide.h and base.h promise: threads of
 * exactly that size, which end at a guard page. */
#include <pthread.h>

#include "support.h"

#include "base/vec.h"

enum { STACK = 300 << 10 };

/* What a thread is to do, and what came of it. */
typedef struct job {
  void (*work)(struct job *job);
  const syn_joint *bodies[2];
  syn_status status;
  size_t done;
} job;

static void *start(void *user) {
  job *j = user;
  j->work(j);
  return NULL;
}

static void run(job *j) {
  pthread_attr_t attributes;
  pthread_t thread;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, start, j), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
}

static void ask_in_poses(job *j, const syn_collider *collider) {
  void *scratch = calloc(1, syn_collider_scratch(collider) + 1);
  double *field = calloc(100000, sizeof *field);
  for (int i = 0; i < 6 && scratch && field; ++i) {
    const syn_pose pose = {syn_pose_identity().rotation, {2.5 * i, 0.1, 0.2}};
    syn_contacts result = {.vertex_depth = field};
    if (!j->status) j->status = syn_collider_query(collider, &pose, scratch, &result);
    j->done += result.penetrating;
  }
  free(field);
  free(scratch);
}

/* All methods, made and asked by the thread itself; both roles and points on edges where the method has them. */
static void ask_all_methods(job *j) {
  syn_context context = syn_default_context();
  const double thresholds[] = {4};
  context.threads = 1;
  for (size_t m = 0; m < syn_method_count() && !j->status; ++m) {
    const syn_method_info info = syn_method_at(m);
    for (int more = 0; more < 2; ++more) {
      syn_collider *collider;
      syn_collide_options options = syn_default_collide_options();
      options.center = vec3(5.1, 0.2, -0.1);
      options.fixed_outside = false;
      options.both_roles = options.between_vertices = more == 1;
      options.table_size = strcmp(info.name, "ray-table") == 0 ? 1600 : 0;
      options.thresholds_mm = thresholds;
      options.threshold_count = 1;
      const syn_status status = syn_collider_create(&context, info.name, &j->bodies[0]->bodies[0],
                                                    &j->bodies[1]->bodies[0], &options, &collider, NULL);
      if (status != SYN_OK && more == 1) continue; /* such an option is not for every method */
      j->status = status;
      if (status == SYN_OK) ask_in_poses(j, collider);
      if (status == SYN_OK) syn_collider_destroy(collider);
    }
  }
}

static void every_method_answers_on_the_promised_stack(void **state) {
  (void)state;
  SLOW_UNDER_SANITIZERS(); /* their frames are larger */
  syn_error error;
  job j = {.work = ask_all_methods};
  syn_joint *bodies[2];
  for (int i = 0; i < 2; ++i) {
    const double size = i == 0 ? 10 : 8, cells = 8 + i;
    const syn_shape_value beam[] = {{"length", size},   {"width", size},    {"height", size},
                                    {"cells-x", cells}, {"cells-y", cells}, {"cells-z", cells}};
    ASSERT_OK(syn_shape_create(NULL, "beam", beam, 6, &bodies[i], &error));
  }
  for (int i = 0; i < 2; ++i) j.bodies[i] = bodies[i];
  run(&j);
  assert_int_equal(j.status, SYN_OK);
  assert_true(j.done > syn_method_count());
  for (int i = 0; i < 2; ++i) syn_joint_destroy(bodies[i]);
}

/* ---- a whole analysis ---------------------------------------------------------------------------------------------
 */

static void analyse_hip(job *j) {
  syn_context context = syn_default_context();
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  const syn_motion *motions[] = {syn_clinical_motion_named("flexion"), syn_clinical_motion_named("fadir")};
  syn_hip_analysis *analysis;
  char joint[600];
  context.threads = 1;
  snprintf(joint, sizeof joint, "%s/joint.json", temporary_path("stack hip"));
  input.joint = joint;
  options.parts = SYN_HIP_MEASURES | SYN_HIP_LIMITS | SYN_HIP_BANDS;
  options.motions = motions;
  options.motion_count = 2;
  options.bands.draws = 2;
  j->status = syn_hip_analyse(&context, &input, &options, &analysis, NULL);
  if (j->status != SYN_OK) return;
  j->done = analysis->limit_count;
  syn_hip_analysis_destroy(analysis);
}

static void a_hip_is_measured_and_turned_on_the_promised_stack(void **state) {
  (void)state;
  SLOW_UNDER_SANITIZERS();
  syn_error error;
  syn_joint *shape;
  job j = {.work = analyse_hip};
  const syn_shape_value coarse[] = {{"resolution", 3}};
  ASSERT_OK(syn_shape_create(NULL, "hip", coarse, 1, &shape, &error));
  ASSERT_OK(syn_joint_save(NULL, shape, temporary_path("stack hip"), NULL, &error));
  syn_joint_destroy(shape);
  run(&j);
  assert_int_equal(j.status, SYN_OK);
  assert_int_equal(j.done, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_answers_on_the_promised_stack),
      cmocka_unit_test(a_hip_is_measured_and_turned_on_the_promised_stack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
