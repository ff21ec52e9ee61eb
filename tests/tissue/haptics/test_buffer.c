/* The buffer model of the volume distribution method beside the whole body. */
#include "support.h"

#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/haptics/haptics.h"
#include "tissue/haptics/haptics_scene.h"

typedef struct scene {
  syn_joint *shape;
  syn_soft *soft;
  syn_simulation *simulation;
  syn_haptics *haptics;
} scene;

static const double half = 20; /* of the cube's edge */

static scene make_scene(double bulk, double connectivity, bool held, uint32_t most) {
  syn_error error;
  scene s;
  const syn_shape_value cells = {"cells", 4};
  ASSERT_OK(syn_shape_create(NULL, "cube", &cells, 1, &s.shape, &error));
  syn_soft_options how = syn_default_soft_options();
  how.bulk_mpa = bulk;
  how.connectivity_mpa = connectivity;
  how.vdm_solver = SYN_VDM_LINEAR;
  syn_body body = s.shape->bodies[0];
  body.material = (syn_material){.young_mpa = 1, .poisson = 0.3, .density_kg_m3 = 1055};
  ASSERT_OK(syn_soft_create(NULL, "vdm", &body, &how, &s.soft, &error));
  ASSERT_OK(syn_simulation_create(NULL, NULL, &s.simulation, &error));
  uint32_t number;
  ASSERT_OK(syn_simulation_add_soft(s.simulation, s.soft, NULL, &number, &error));
  for (uint32_t i = 0; held && i < syn_soft_node_count(s.soft); ++i)
    if (syn_soft_rest(s.soft)[i].z < -half + 1e-9)
      ASSERT_OK(syn_simulation_prescribe(s.simulation, number, i, 7, SYN_NONE, &error));
  syn_haptics_options options = syn_default_haptics_options();
  options.probe_radius_mm = 11;
  options.max_points = most;
  ASSERT_OK(syn_haptics_create(NULL, s.simulation, number, &options, &s.haptics, &error));
  return s;
}

static void drop(scene *s) {
  syn_haptics_destroy(s->haptics);
  syn_simulation_destroy(s->simulation);
  syn_soft_destroy(s->soft);
  syn_joint_destroy(s->shape);
}

/* With all nodes in W the buffer is the body, and LINK changes nothing. */
static void a_buffer_of_all_nodes_is_the_body(void **state) {
  (void)state;
  scene s = make_scene(0.3, 0.1, false, 256);
  syn_error error;
  for (double depth = 0.5; depth < 3; depth += 0.5) {
    const syn_vec3 tip = vec3(0, 0, half - depth);
    ASSERT_OK(syn_haptics_update(s.haptics, tip, NULL, &error));
    const syn_vec3 frame = s.haptics->frame_force, force = syn_haptics_force(s.haptics, tip);
    assert_true(frame.z > 0);
    ASSERT_NEAR(force.z, frame.z, 1e-9 * frame.z);
    ASSERT_NEAR(vec3_distance(force, frame), 0, 1e-9 * frame.z);
    assert_int_equal(s.haptics->points, syn_soft_node_count(s.soft));
  }
  drop(&s);
}

/* Eq. 6.5: with nodes that resist far more than their connections do, the buffer's share of the volume is all that
 * counts. The touched nodes move but take up none of it: with as many of them as here that is the error. */
static void a_small_buffer_feels_like_the_body(void **state) {
  (void)state;
  scene s = make_scene(2700, 1.4, true, 48);
  syn_error error;
  double last = 0;
  for (double depth = 0; depth < 3; depth += 0.5) {
    const syn_vec3 tip = vec3(0, 0, half - depth);
    ASSERT_OK(syn_haptics_update(s.haptics, tip, NULL, &error));
    const double frame = s.haptics->frame_force.z, force = syn_haptics_force(s.haptics, tip).z;
    const uint32_t touched = s.haptics->force_work.touching;
    print_message("%.1f mm: body %.4f N, buffer %.4f N, %u nodes touched\n", depth, frame, force, touched);
    assert_int_equal(touched, depth > 0 ? 5 : 0);
    if (depth > 0) ASSERT_NEAR(force / frame, 1, 0.12);
    assert_true(depth == 0 ? force == 0 : force > last);
    last = force;
  }
  drop(&s);
}

/* Between frames the force follows the probe: at 1 kHz it has no steps of a thirtieth of a second. */
static void the_force_is_smooth_between_frames(void **state) {
  (void)state;
  scene s = make_scene(2700, 1.4, true, 48);
  syn_error error;
  syn_haptics_push push = syn_default_haptics_push();
  push.from = vec3(0, 0, half + 1);
  push.depth_mm = 4;
  push.period_s = 1;
  syn_haptics_device device;
  ASSERT_OK(syn_haptics_push_device(NULL, &push, &device, &error));
  double last = 0, steepest = 0, frame_steepest = 0, frame = 0, most = 0;
  for (int i = 0; i < 2000; ++i) {
    syn_vec3 tip;
    assert_true(device.read(device.user, i * 1e-3, &tip));
    if (i % 33 == 0) {
      ASSERT_OK(syn_haptics_update(s.haptics, tip, NULL, &error));
      frame_steepest = fmax(frame_steepest, fabs(s.haptics->frame_force.z - frame));
      frame = s.haptics->frame_force.z;
    }
    const double force = syn_haptics_force(s.haptics, tip).z;
    steepest = fmax(steepest, fabs(force - last));
    most = fmax(most, force);
    last = force;
  }
  print_message("force up to %.4f N; steps of %.4f N at 1 kHz, of %.4f N at 30 Hz\n", most, steepest, frame_steepest);
  assert_true(most > 0 && steepest < 0.05 * frame_steepest);
  syn_haptics_device_release(&device);
  drop(&s);
}

static void away_from_the_body_nothing_is_felt(void **state) {
  (void)state;
  scene s = make_scene(2700, 1.4, true, 48);
  syn_error error;
  const syn_vec3 away[] = {{0, 0, half + 5}, {500, 0, 0}, {0, 0, -half - 200}};
  for (size_t i = 0; i < sizeof away / sizeof *away; ++i) {
    ASSERT_OK(syn_haptics_update(s.haptics, away[i], NULL, &error));
    assert_true(vec3_length(syn_haptics_force(s.haptics, away[i])) == 0);
    assert_true(vec3_length(s.haptics->frame_force) == 0);
  }
  drop(&s);
}

/* The image moves with the tissue: pressed, the vein comes nearer to the tip. */
static double vein_depth(const scene *s, const syn_haptics_image *image, syn_vec3 tip) {
  syn_error error;
  uint8_t *pixels = malloc((size_t)image->width * image->height);
  ASSERT_OK(syn_haptics_draw(s->haptics, image, tip, pixels, &error));
  double sum = 0;
  uint32_t dark = 0;
  for (uint32_t row = 0; row < image->height; ++row)
    if (pixels[(size_t)row * image->width + image->width / 2] < 8) {
      sum += (row + 0.5) / image->height * image->depth_mm;
      ++dark;
    }
  free(pixels);
  assert_true(dark > 0);
  return sum / dark;
}

static void the_image_follows_the_body(void **state) {
  (void)state;
  scene s = make_scene(2700, 1.4, true, 48);
  syn_error error;
  syn_haptics_image image = syn_default_haptics_image();
  image.width = image.height = 64;
  image.depth_mm = 20;
  image.vein = vec3(0, 10, 3);
  const syn_vec3 above = vec3(0, 0, half), pressed = vec3(0, 0, half - 3);
  ASSERT_OK(syn_haptics_update(s.haptics, above, NULL, &error));
  const double before = vein_depth(&s, &image, above);
  ASSERT_OK(syn_haptics_update(s.haptics, pressed, NULL, &error));
  const double after = vein_depth(&s, &image, pressed);
  print_message("vein at %.2f mm, pressed by 3 mm at %.2f mm\n", before, after);
  ASSERT_NEAR(before, 10, 0.5);
  assert_true(after < before - 0.5 && after > before - 3);
  image.width = 0;
  uint8_t pixel;
  ASSERT_FAILS(syn_haptics_draw(s.haptics, &(syn_haptics_image){.width = 1}, above, &pixel, &error), SYN_BAD_ARGUMENT,
               "syn_default_haptics_image()");
  ASSERT_FAILS(syn_haptics_draw(s.haptics, &image, above, &pixel, &error), SYN_BAD_ARGUMENT, "pixels");
  image = syn_default_haptics_image();
  image.depth_mm = 1e300;
  ASSERT_FAILS(syn_haptics_draw(s.haptics, &image, above, &pixel, &error), SYN_BAD_ARGUMENT, "up to 1e+06 mm");
  image = syn_default_haptics_image();
  image.across = vec3(1e300, 0, 0);
  ASSERT_FAILS(syn_haptics_draw(s.haptics, &image, above, &pixel, &error), SYN_BAD_ARGUMENT, "within 1e+06 mm");
  drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_buffer_of_all_nodes_is_the_body),  cmocka_unit_test(a_small_buffer_feels_like_the_body),
      cmocka_unit_test(the_force_is_smooth_between_frames), cmocka_unit_test(away_from_the_body_nothing_is_felt),
      cmocka_unit_test(the_image_follows_the_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
