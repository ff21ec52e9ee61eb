/* The loop of finite elements over the instants of a motion: what it prescribes, what it reports of the stresses, and
 * its warnings after a stop. */
#include "shell_layer.h"

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"
#include "pressure/run/pressure_run.h"

static const syn_material cartilage = {12, 0.42, 1000}, labrum = {20, 0.4, 1000};

typedef struct joint {
  syn_layer layers[2];
  syn_load_step pose;
} joint;

/* Members of a fem_loop over the one pose of a joint. */
#define LOOP_OF(j) .layers = {&(j).layers[0], &(j).layers[1]}, .poses = &(j).pose, .count = 1

static joint small_joint(void) {
  const shell socket = {20.2, 2, 1.3, 4, 1, false, false}, head = {20, 1.5, 1.5, 4, 1, true, false};
  joint j = {
      .layers = {make_shell_layer(&socket, cartilage, labrum, 1.1), make_shell_layer(&head, cartilage, cartilage, 9)},
      .pose = {.at = 0.25, .pose = syn_pose_identity(), .force = vec3(160, 80, 800)}};
  return j;
}

static void release_joint(joint *j) {
  for (int k = 0; k < 2; ++k) syn_layer_release(&j->layers[k]);
}

/* ---- nodes on bone ------------------------------------------------------------------------------------------------
 */

/* Looks into the contact problem before the first solution: its nodes are those of the layers, socket first. */
static syn_status look_at_nodes(void *user, syn_contact_problem *problem, syn_error *error) {
  const joint *j = user;
  (void)error;
  for (int k = 0; k < 2; ++k) {
    uint32_t bonded = 0;
    for (uint32_t i = 0; i < j->layers[k].node_count; ++i) {
      const uint32_t unknown = problem->bodies.unknown[problem->bodies.sides[k].first + i];
      const uint32_t frame = k ? problem->bodies.shift_unknown : SYN_NONE;
      assert_int_equal(unknown == frame, j->layers[k].on_bone[i]);
      bonded += j->layers[k].on_bone[i];
    }
    assert_true(bonded > 0 && bonded < j->layers[k].node_count);
  }
  return SYN_OK;
}

static void nodes_on_bone_move_with_their_bone(void **state) {
  (void)state;
  joint j = small_joint();
  const syn_pressure_step before = {.loaded = j.pose};
  const pressure_resume resume = {.user = &j, .done = 1, .steps = &before, .restore = look_at_nodes};
  syn_error error;
  ASSERT_OK(syn_pressure_fem_run(&(fem_loop){LOOP_OF(j), .resume = &resume}, &error));
  release_joint(&j);
}

/* ---- stresses -----------------------------------------------------------------------------------------------------
 */

/* The largest principal stress by size, in closed form (Smith 1961). */
static double principal_in_closed_form(const syn_sym3 *s) {
  const double mean = (s->xx + s->yy + s->zz) / 3, a = s->xx - mean, b = s->yy - mean, c = s->zz - mean;
  const double shear = s->xy * s->xy + s->yz * s->yz + s->zx * s->zx, p = sqrt((a * a + b * b + c * c + 2 * shear) / 6);
  const double determinant =
      a * (b * c - s->yz * s->yz) - s->xy * (s->xy * c - s->yz * s->zx) + s->zx * (s->xy * s->yz - b * s->zx);
  if (p == 0) return mean;
  const double angle = acos(fmax(-1, fmin(1, determinant / (2 * p * p * p)))) / 3;
  const double high = mean + 2 * p * cos(angle), low = mean + 2 * p * cos(angle + 2 * SYN_PI / 3);
  return fabs(low) > fabs(high) ? low : high;
}

static double larger_by_size(double a, double b) { return fabs(b) > fabs(a) ? b : a; }

/* What is reported is the largest of the stresses at the nodes, of all and of those of each region of the socket. */
static syn_status compare_stresses(void *user, const syn_pressure_step *step, const pressure_fields *fields,
                                   syn_error *error) {
  const joint *j = user;
  double all = 0, regions[4] = {0};
  (void)error;
  for (int k = 0; k < 2; ++k)
    for (uint32_t i = 0; i < j->layers[k].node_count; ++i)
      all = larger_by_size(all, principal_in_closed_form(&fields->stress[k][i]));
  for (uint32_t e = 0; e < j->layers[0].element_count; ++e)
    for (int c = 0; c < 8; ++c) {
      double *of_region = &regions[j->layers[0].element_region[e]];
      *of_region =
          larger_by_size(*of_region, principal_in_closed_form(&fields->stress[0][j->layers[0].elements[8 * e + c]]));
    }
  ASSERT_NEAR(step->total.principal_mpa, all, 1e-6 * fabs(all));
  for (uint32_t r = 0; r < j->layers[0].region_count; ++r)
    ASSERT_NEAR(step->regions[r].principal_mpa, regions[r], 1e-6 * fabs(regions[r]));
  assert_true(all < -0.1); /* pressed: the greatest stress is not the largest */
  print_message("principal %g MPa, by region %g and %g\n", all, regions[0], regions[1]);
  return SYN_OK;
}

static void the_largest_principal_stress_is_reported(void **state) {
  (void)state;
  joint j = small_joint();
  syn_error error;
  syn_pressure_fem_options options = syn_default_pressure_fem_options();
  options.contact.cuts = 1; /* ends soon where there is no equilibrium */
  ASSERT_OK(syn_pressure_fem_run(&(fem_loop){LOOP_OF(j), .options = &options, .report = compare_stresses, .user = &j},
                                 &error));
  release_joint(&j);
}

/* ---- warnings -----------------------------------------------------------------------------------------------------
 */

static syn_status restore_nothing(void *user, syn_contact_problem *problem, syn_error *error) {
  (void)user, (void)problem, (void)error;
  return SYN_OK;
}

/* A run that goes on after it was stopped warns of what came before, too: nothing else tells the files. */
static void warnings_of_steps_before_a_stop_are_given_again(void **state) {
  (void)state;
  joint j = small_joint();
  const syn_pressure_step before = {.loaded = j.pose, .squeezed = 3, .snap_mm = 2};
  const pressure_resume resume = {.done = 1, .steps = &before, .restore = restore_nothing};
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  ASSERT_OK(syn_pressure_fem_run(&(fem_loop){LOOP_OF(j), .context = &context, .resume = &resume}, &error));
  assert_non_null(
      strstr(memory.all_warnings, "at 0.25 of the motion no equilibrium is near: the mobile bone snaps by 2 mm"));
  assert_non_null(strstr(memory.all_warnings, "from 0.25 of the motion on bone presses on bone: up to 3 elements"));
  release_joint(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nodes_on_bone_move_with_their_bone),
                                     cmocka_unit_test(the_largest_principal_stress_is_reported),
                                     cmocka_unit_test(warnings_of_steps_before_a_stop_are_given_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
