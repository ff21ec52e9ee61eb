/* Layers bonded to a rigid bone: finite elements approach the elastic foundation as the layer becomes thin beside the
 * contact. K = (1 - nu) E / ((1 + nu) (1 - 2 nu)), p = K d / h. */
#include "hertz_mesh.h"
#include "shell_layer.h"

#include "base/vec.h"
#include "element_box.h"
#include "tissue/factor.h"

static const double E = 12, NU = 0.3;

static double confined(void) { return (1 - NU) * E / ((1 + NU) * (1 - 2 * NU)); }

/* ---- a rigid ball on a flat layer: a quarter -----------------------------------------------------------------------
 */

static element_box make_layer(double width, double h, uint32_t across, uint32_t deep, uint8_t **held,
                              uint32_t **faces) {
  element_box box = make_element_box(SYN_ELEMENT_HEX8, across, across, deep, vec3(width, width, h));
  const uint32_t n = across + 1;
  *held = malloc(box.mesh.node_count);
  *faces = malloc((size_t)4 * across * across * sizeof **faces);
  for (uint32_t i = 0; i < box.mesh.node_count; ++i) {
    const syn_vec3 p = box.nodes[i];
    (*held)[i] = p.z == 0 ? SYN_HELD : (uint8_t)((p.x == 0 ? SYN_HELD_X : 0) | (p.y == 0 ? SYN_HELD_Y : 0));
    box.nodes[i].z -= h;
  }
  for (uint32_t j = 0, f = 0; j < across; ++j)
    for (uint32_t i = 0; i < across; ++i, ++f) {
      const uint32_t a = (deep * n + j) * n + i, face[4] = {a, a + 1, a + n + 1, a + n};
      memcpy(&(*faces)[4 * (size_t)f], face, sizeof face);
    }
  return box;
}

/* How far the highest pressure is from that of the foundation, as a part of it. */
static double ball_on_layer(double radius, double h, double force) {
  const double depth = sqrt(force * h / (SYN_PI * confined() * radius)), a = sqrt(2 * radius * depth),
               p0 = confined() * depth / h;
  uint8_t *held;
  uint32_t *faces;
  element_box box = make_layer(1.6 * a, h, 24, 3, &held, &faces);
  hertz_mesh ball = make_hertz_ball(radius, 48, 40, 2 * a, 1);
  const syn_soft_options options = elastic_options(E, NU, SYN_LAW_LINEAR);
  syn_bearing_options how = syn_default_bearing_options();
  how.small = true;
  syn_error error;
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
  const syn_bearing_body layer = {.soft = soft, .held = held, .face_count = 24 * 24, .face_nodes = 4, .faces = faces};
  const syn_bearing_body rigid = {.nodes = ball.nodes,
                                  .node_count = ball.mesh.node_count,
                                  .face_count = ball.face_count,
                                  .face_nodes = 4,
                                  .faces = ball.faces};
  const syn_bearing_load load = {
      .pose = syn_pose_identity(), .driven = SYN_HELD_X | SYN_HELD_Y, .force = {0, 0, -force / 4}};
  syn_bearing *bearing;
  ASSERT_OK(syn_bearing_create(NULL, &layer, &rigid, &how, &bearing, &error));
  ASSERT_OK(syn_bearing_solve(bearing, &load, &error));
  double peak = 0;
  for (uint32_t i = 0; i < box.mesh.node_count; ++i) peak = fmax(peak, syn_bearing_pressure(bearing, false)[i]);
  print_message(
      "ball on a layer, radius of contact / thickness %5.2f: peak %.4f MPa (foundation %.4f, %+.1f %%), depth "
      "%.5f mm (%+.1f %%)\n",
      a / h, peak, p0, 100 * (peak / p0 - 1), -syn_bearing_shift(bearing).z,
      100 * (-syn_bearing_shift(bearing).z / depth - 1));
  syn_bearing_destroy(bearing);
  syn_soft_destroy(soft);
  drop_hertz_mesh(&ball);
  drop_element_box(&box);
  free(held), free(faces);
  return fabs(peak / p0 - 1);
}

static void a_ball_on_a_thin_layer_is_on_a_foundation(void **state) {
  (void)state;
  double before = 1;
  for (double h = 1; h >= 0.12; h /= 2) {
    const double error = ball_on_layer(100, h, 10);
    assert_true(error < before);
    before = error;
  }
  assert_true(before < 0.03);
}

/* ---- a ball in a socket --------------------------------------------------------------------------------------------
 */

/* Depth at which the foundation bears the force: clearance c, radius R. */
static double foundation_depth(double k, double radius, double clearance, double force) {
  double low = clearance, high = clearance + 10;
  for (int i = 0; i < 200; ++i) {
    const double d = (low + high) / 2, cosine = clearance / d;
    const double f = k * 2 * SYN_PI * radius * radius *
                     (d * (1 - cosine * cosine * cosine) / 3 - clearance * (1 - cosine * cosine) / 2);
    *(f < force ? &low : &high) = d;
  }
  return low;
}

static syn_status keep(void *user, const syn_pressure_step *step, const syn_pressure_fields *fields, syn_error *error) {
  (void)fields, (void)error;
  *(syn_pressure_step *)user = *step;
  return SYN_OK;
}

static double ball_in_socket(double h) {
  const double radius = 25, clearance = 0.25, force = 800;
  const shell socket = {radius + clearance, h, 1.45, 40, 3, false}, head = {radius, 0, 1.5, 80, 1, true};
  const syn_material material = {E, NU, 1000};
  syn_layer layers[2] = {make_shell_layer(&socket, material, material, 9),
                         make_shell_layer(&head, material, material, 9)};
  const syn_loaded_pose pose = {.pose = syn_pose_identity(), .force = {0, 0, force}};
  syn_pressure_fem_options options = syn_default_pressure_fem_options();
  options.law = SYN_LAW_LINEAR;
  options.contact.small = true;
  syn_pressure_step step;
  syn_error error;
  ASSERT_OK(syn_pressure_fem_run(NULL, &layers[0], &layers[1], vec3(0, 0, 0), &pose, 1, &options, keep, &step, &error));
  const double depth = foundation_depth(confined() / h, radius, clearance, force),
               p0 = confined() / h * (depth - clearance);
  print_message("ball in a socket, thickness / radius %.3f: peak %.4f MPa (foundation %.4f, %+.1f %%), depth %.4f mm "
                "(%.4f, %+.1f %%), area %.0f mm2 (%.0f)\n",
                h / radius, step.total.peak_mpa, p0, 100 * (step.total.peak_mpa / p0 - 1), step.shift.z, depth,
                100 * (step.shift.z / depth - 1), step.total.area_mm2,
                2 * SYN_PI * radius * radius * (1 - clearance / depth));
  ASSERT_NEAR(step.contact_force.z, -force, 1e-3 * force);
  for (int k = 0; k < 2; ++k) syn_layer_release(&layers[k]);
  return fabs(step.total.peak_mpa / p0 - 1);
}

static void a_ball_in_a_thin_socket_is_on_a_foundation(void **state) {
  (void)state;
  double before = 1;
  for (double h = 4; h >= 0.9; h /= 2) {
    const double error = ball_in_socket(h);
    assert_true(error < before);
    before = error;
  }
  assert_true(before < 0.03);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_on_a_thin_layer_is_on_a_foundation),
      cmocka_unit_test(a_ball_in_a_thin_socket_is_on_a_foundation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
