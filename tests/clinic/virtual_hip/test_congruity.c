// test: early
/* Cartilages of the parametric hip that are pressed together and turned. */
#include "program.h"

#include "base/vec.h"
#include "clinic/virtual_hip/cartilage.h"

#include <synovia/surgery.h>

static syn_hip_case *make_case(void) {
  char folder[512], joint[600];
  syn_error error;
  syn_hip_case *made;
  snprintf(folder, sizeof folder, "%s", temporary_path("congruent"));
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "--anatomy", "1", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  syn_hip_input input = syn_default_hip_input();
  input.joint = joint;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &made, &error));
  return made;
}

/* Ten degrees there and back, as they are meshed. */
static const syn_hip_angles points[] = {{0, 0, 0}, {SYN_PI / 18, 0, 0}, {0, 0, 0}};
static const syn_hip_path there_and_back = {"nod", "A nod", points, 3};

static syn_congruity_options options_of(double young, double press) {
  static const syn_hip_path *const paths[] = {&there_and_back};
  syn_congruity_options o = syn_default_congruity_options();
  o.edge_mm = 0;
  o.young_mpa = young;
  o.press_mm = press;
  o.paths = paths;
  o.path_count = 1;
  return o;
}

static syn_congruity *simulate_as(const syn_hip_case *of, const syn_congruity_options *o) {
  syn_error error;
  syn_congruity *made;
  const syn_status status = syn_congruity_create(NULL, of, o, &made, &error);
  if (status == SYN_NO_PROGRAM) SKIP("gmsh is not installed");
  if (status) fail_msg("%s", error.message);
  return made;
}

static syn_congruity *simulate(const syn_hip_case *of, double young, double press) {
  const syn_congruity_options o = options_of(young, press);
  return simulate_as(of, &o);
}

/* The hip and the equilibrium that most tests begin from, made once. */
static syn_hip_case *hip_case;
static syn_congruity *equilibrium;

static const syn_congruity *still_one(void) {
  if (!equilibrium) equilibrium = simulate(hip_case, 0.01, 0.3);
  return equilibrium;
}

static int make_hip(void **state) {
  (void)state;
  hip_case = make_case();
  return 0;
}

static int drop_hip(void **state) {
  (void)state;
  syn_result_destroy(equilibrium);
  syn_hip_case_destroy(hip_case);
  return 0;
}

static const syn_congruity_surface *socket_at(const syn_congruity *c, size_t moment) {
  return &c->paths[0].moments[moment].surfaces[SYN_CONGRUITY_ACETABULAR];
}

static bool surfaces_cross(const syn_congruity *c, size_t moment) {
  syn_trimesh *now[SYN_CONGRUITY_SIDES];
  syn_error error;
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side)
    ASSERT_OK(syn_trimesh_create(NULL, c->paths[0].fields[side].places + moment * c->volumes[side]->vertex_count,
                                 c->surfaces[side]->vertex_count, c->surfaces[side]->triangles,
                                 c->surfaces[side]->triangle_count, &now[side], &error));
  const syn_body fixed = {.surface = now[1]}, mobile = {.surface = now[0]};
  syn_collision *collision;
  ASSERT_OK(syn_collision_create(NULL, "obb", &fixed, &mobile, NULL, NULL, 1, &collision, &error));
  const bool cross = collision->contacts.penetrating;
  syn_collision_destroy(collision);
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) syn_trimesh_destroy(now[side]);
  return cross;
}

/* Equilibria depend on the pose alone; stresses are in proportion to the modulus; what is pressed further touches more;
 * nothing crosses. */
static void pressed_cartilages_touch(void **state) {
  (void)state;
  const syn_congruity *soft = still_one();
  syn_congruity *stiff = simulate(hip_case, 1, 0.3), *deep = simulate(hip_case, 0.01, 0.6);
  assert_int_equal(soft->paths[0].moment_count, 3);
  assert_true(soft->paths[0].complete);
  for (size_t i = 0; i < 3; ++i) {
    assert_false(surfaces_cross(soft, i));
    assert_false(surfaces_cross(deep, i));
    assert_true(socket_at(soft, i)->contact_mm2 > 100);
    assert_true(socket_at(deep, i)->pressure_mpa > socket_at(soft, i)->pressure_mpa);
    assert_true(vec3_length(deep->paths[0].moments[i].force) > 1.5 * vec3_length(soft->paths[0].moments[i].force));
    ASSERT_NEAR(socket_at(stiff, i)->peak_mpa, 100 * socket_at(soft, i)->peak_mpa, socket_at(stiff, i)->peak_mpa / 50);
  }
  ASSERT_NEAR(socket_at(soft, 2)->peak_mpa, socket_at(soft, 0)->peak_mpa, socket_at(soft, 0)->peak_mpa / 50);
  /* the socket is pressed upward */
  const syn_vec3 force = soft->paths[0].moments[0].force;
  assert_true(vec3_dot(force, hip_case->hip.pelvis_axes.rotation) > 0.8 * vec3_length(force));
  syn_result_destroy(stiff);
  syn_result_destroy(deep);
}

/* With inertia and viscosity: slowly there and back it is the equilibrium of every pose; in a moment it is not, and the
 * way back differs from the way there (Maciel 2005, §5.4.1: "because of dynamics"). Nothing crosses either way. */
static void a_slow_motion_is_in_equilibrium(void **state) {
  (void)state;
  syn_congruity_options o = options_of(0.01, 0.3);
  const syn_congruity *still = still_one();
  o.moving = true;
  o.seconds = 1000;
  syn_congruity *slow = simulate_as(hip_case, &o);
  o.seconds = 0.01;
  syn_congruity *quick = simulate_as(hip_case, &o);
  assert_true(slow->paths[0].complete && quick->paths[0].complete);
  double apart = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double peak = socket_at(still, i)->peak_mpa;
    ASSERT_NEAR(socket_at(slow, i)->peak_mpa, peak, peak / 50);
    ASSERT_NEAR(socket_at(slow, i)->contact_mm2, socket_at(still, i)->contact_mm2,
                socket_at(still, i)->contact_mm2 / 50);
    assert_false(surfaces_cross(slow, i));
    assert_false(surfaces_cross(quick, i));
    apart = fmax(apart, fabs(socket_at(quick, i)->peak_mpa / peak - 1));
  }
  assert_true(apart > 0.05);
  const double there = socket_at(quick, 0)->peak_mpa, back = socket_at(quick, 2)->peak_mpa;
  assert_true(fabs(back / there - 1) > 0.02);
  syn_result_destroy(slow);
  syn_result_destroy(quick);
}

static double time_after(const syn_cartilages *c, uint64_t *steps) {
  syn_tissue_step report;
  syn_simulation_report(c->simulation, &report);
  *steps = report.step;
  return report.time_s;
}

/* Pressing in by several steps, and a turn that has no solution at once and is halved: each way takes the time of one.
 */
static void halves_of_a_way_take_no_longer_than_the_whole(void **state) {
  (void)state;
  syn_error error;
  const syn_congruity *still = still_one();
  syn_congruity_options o = options_of(0.01, 0.3);
  o.moving = true;
  const syn_hip_angles far = {SYN_PI / 2, 0, 0};
  const syn_vec3 out = vec3_neg(hip_case->hip.pelvis_axes.rotation);
  syn_cartilages c;
  uint64_t pressed, turned;
  ASSERT_OK(syn_cartilages_begin(NULL, &hip_case->hip, &o, still->surfaces, still->volumes, points[0], out, 0.01, &c,
                                 &error));
  ASSERT_OK(syn_cartilages_go(&c, points[0], points[0], &error));
  ASSERT_NEAR(time_after(&c, &pressed), 0.01, 1e-12);
  assert_true(pressed > 1);
  ASSERT_OK(syn_cartilages_go(&c, points[0], far, &error));
  ASSERT_NEAR(time_after(&c, &turned), 0.02, 1e-12);
  assert_true(turned > pressed + 1);
  syn_cartilages_release(&c);
}

static void files_are_written(void **state) {
  (void)state;
  syn_error error;
  const syn_congruity *made = still_one();
  char folder[512], path[600];
  snprintf(folder, sizeof folder, "%s", temporary_path("congruity"));
  ASSERT_OK(syn_publish(NULL, &syn_congruity_record, made, NULL, folder, &error));
  static const char *const files[] = {"report.html", "congruity.csv", "nod_femoral.pvd", "nod_acetabular_0002.vtu"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    assert_true(ftell(file) > 100);
    fclose(file);
  }
}

static void what_is_missing_is_named(void **state) {
  (void)state;
  syn_error error;
  syn_hip_case bare = *hip_case;
  syn_congruity *made;
  bare.hip.parts[SYN_HIP_FEMORAL_CARTILAGE] = NULL;
  ASSERT_FAILS(syn_congruity_create(NULL, &bare, NULL, &made, &error), SYN_BAD_ARGUMENT, "femoral_cartilage");
  syn_congruity_options o = syn_default_congruity_options();
  o.press_mm = -1;
  ASSERT_FAILS(syn_congruity_create(NULL, hip_case, &o, &made, &error), SYN_BAD_ARGUMENT, "negative");
  assert_string_equal(syn_hip_paths[2].name, "flexion-rotation");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pressed_cartilages_touch),
      cmocka_unit_test(a_slow_motion_is_in_equilibrium),
      cmocka_unit_test(halves_of_a_way_take_no_longer_than_the_whole),
      cmocka_unit_test(files_are_written),
      cmocka_unit_test(what_is_missing_is_named),
  };
  return cmocka_run_group_tests(tests, make_hip, drop_hip);
}
