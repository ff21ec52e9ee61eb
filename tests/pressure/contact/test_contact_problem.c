/* What a contact problem refuses, how it fails, and what it writes. */
#include "block_pair.h"

#include "base/vec.h"

static const syn_material materials[2] = {{10, 0.3, 1000}, {20, 0.3, 1000}};

static block_pair small_pair(void) {
  static const uint32_t lower[3] = {2, 2, 1}, upper[3] = {3, 2, 1};
  return make_block_pair(SYN_ELEMENT_HEX8, lower, upper, 0.8, materials, SYN_LAW_NEO_HOOKEAN, 0, 0.1);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const block_pair *pair = user;
  const syn_load_step load = {.pose = syn_pose_identity(), .driven = 3, .force = {0, 0, -1}};
  syn_contact_problem *problem;
  syn_status status = syn_contact_problem_create(context, &pair->bodies[0], &pair->bodies[1], NULL, &problem, error);
  if (!status) status = syn_contact_problem_solve(problem, &load, error);
  syn_contact_problem_destroy(problem);
  return status;
}

static void any_allocation_may_be_refused(void **state) {
  (void)state;
  block_pair pair = small_pair();
  check_every_allocation(attempt, &pair);
  drop_block_pair(&pair);
}

#define REFUSED(code, part)                                                                                            \
  do {                                                                                                                 \
    ASSERT_FAILS(syn_contact_problem_create(NULL, &bodies[0], &bodies[1], &options, &problem, &error), (code),         \
                 (part));                                                                                              \
    assert_null(problem);                                                                                              \
  } while (0)

static void bad_bodies_are_refused(void **state) {
  (void)state;
  block_pair pair = small_pair();
  syn_contact_body bodies[2] = {pair.bodies[0], pair.bodies[1]};
  syn_contact_options options = syn_default_contact_options();
  syn_contact_problem *problem;
  syn_error error;
  bodies[0].face_nodes = 5;
  REFUSED(SYN_BAD_ARGUMENT, "3, 4 or 6 nodes, not 5");
  bodies[0].face_nodes = 4;
  bodies[1].face_count = 0;
  REFUSED(SYN_BAD_MESH, "the mobile body has no faces");
  bodies[1].face_count = pair.bodies[1].face_count;
  const uint32_t kept = pair.faces[1][5];
  pair.faces[1][5] = 999;
  REFUSED(SYN_BAD_MESH, "face 1 of the mobile body has node 999");
  pair.faces[1][5] = kept;
  options.tolerance = 0;
  REFUSED(SYN_BAD_ARGUMENT, "tolerance (0)");
  options = syn_default_contact_options();
  const syn_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const uint32_t face[4] = {0, 1, 2, 3};
  const syn_contact_body rigid = {.node_count = 4, .nodes = points, .face_count = 1, .face_nodes = 4, .faces = face};
  bodies[0] = bodies[1] = rigid;
  REFUSED(SYN_BAD_ARGUMENT, "both bodies are rigid");
  drop_block_pair(&pair);
}

/* Pulled away, nothing bears the force; afterwards the contact problem still serves. */
static void a_force_that_nothing_bears_is_named(void **state) {
  (void)state;
  block_pair pair = small_pair();
  syn_contact_problem *problem;
  syn_error error;
  ASSERT_OK(syn_contact_problem_create(NULL, &pair.bodies[0], &pair.bodies[1], NULL, &problem, &error));
  syn_load_step load = {.pose = syn_pose_identity(), .driven = 3, .force = {0, 0, 1}};
  ASSERT_FAILS(syn_contact_problem_solve(problem, &load, &error), SYN_NOT_CONVERGED, "points away");
  load.force.z = -1;
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  ASSERT_NEAR(syn_contact_problem_solution(problem).force.z, 1, 1e-3);
  const double before = syn_contact_problem_solution(problem).shift.z;
  load.force.z = 5;
  assert_int_equal(syn_contact_problem_solve(problem, &load, &error), SYN_NOT_CONVERGED);
  load.force.z = -1;
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  ASSERT_NEAR(syn_contact_problem_solution(problem).shift.z, before, 1e-4);
  load.driven = 9;
  ASSERT_FAILS(syn_contact_problem_solve(problem, &load, &error), SYN_BAD_ARGUMENT, "driven axes");
  syn_contact_problem_destroy(problem);
  drop_block_pair(&pair);
}

/* Every face of both surfaces is found among the elements. */
static void the_input_for_calculix_is_whole(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    const uint32_t lower[3] = {2, 2, 1}, upper[3] = {3, 2, 1};
    block_pair pair = make_block_pair((syn_element)element, lower, upper, 0.8, materials, SYN_LAW_LINEAR, 0, 0);
    syn_contact_problem *problem;
    syn_error error;
    ASSERT_OK(syn_contact_problem_create(NULL, &pair.bodies[0], &pair.bodies[1], NULL, &problem, &error));
    const syn_load_step load = {.pose = syn_pose_identity(), .driven = 3, .force = {0, 0, -1}};
    const char *path = temporary_path("contact.inp");
    ASSERT_OK(syn_contact_problem_write(problem, &load, path, &error));
    char line[256];
    uint32_t faces = 0;
    bool in_surface = false;
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    while (fgets(line, sizeof line, from)) {
      if (line[0] == '*')
        in_surface = strncmp(line, "*SURFACE,", 9) == 0;
      else if (in_surface)
        ++faces;
    }
    fclose(from);
    assert_int_equal(faces, pair.bodies[0].face_count + pair.bodies[1].face_count);
    syn_contact_problem_destroy(problem);
    drop_block_pair(&pair);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_allocation_may_be_refused),
      cmocka_unit_test(bad_bodies_are_refused),
      cmocka_unit_test(a_force_that_nothing_bears_is_named),
      cmocka_unit_test(the_input_for_calculix_is_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
