/* The acetabular index of a spherical cup with a fossa of known size. */
#include <synovia/clinic.h>

#include "base/vec.h"
#include "clinic/anatomy/pelvis.h"
#include "support.h"

static const double degree = SYN_PI / 180;

/* The joint surface ends at `fossa`, an angle from the floor of the cup. */
static void cut_fossa(const syn_trimesh *pelvis, syn_anatomy *anatomy, syn_vec3 center, double fossa) {
  for (uint32_t i = 0; i < pelvis->vertex_count; ++i) {
    const syn_vec3 off = vec3_unit(vec3_sub(pelvis->vertices[i], center));
    if (acos(-vec3_dot(off, anatomy->rim_normal)) < fossa) anatomy->lunate_vertices[i] = 0;
  }
}

/* Both ends of the roof lie on one circle, at `ce` to the side of straight up and at `medial` to the midline: their
 * chord rises by half the difference. */
static void the_index_is_the_slope_of_the_chord(void **state) {
  (void)state;
  static const double tilt = 40;
  for (double ce = 10; ce <= 40; ce += 10)
    for (double fossa = 25; fossa <= 40; fossa += 15) {
      syn_error error;
      syn_joint *shape;
      const syn_shape_value values[] = {{"ce", ce}, {"acetabular-version", 0}, {"cup-tilt", tilt}, {"resolution", 6}};
      ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, &shape, &error));
      const syn_trimesh *pelvis = syn_joint_body_named(shape, "pelvis")->surface;
      const syn_anatomy_options options = {0};
      const syn_sphere_fit head = {.center = shape->center, .radius_mm = 23};
      syn_anatomy anatomy = {
          .side = SYN_SIDE_RIGHT, .side_confidence = 1, .pelvis_frame = SYN_FRAME_GIVEN, .pelvis_axes = shape->axes};
      ASSERT_OK(syn_find_pelvis(NULL, pelvis, &options, &head, &anatomy, &error));
      cut_fossa(pelvis, &anatomy, shape->center, fossa * degree);
      syn_measures measures = {0};
      syn_measure_pelvis(pelvis, &anatomy, shape->center, &measures);
      /* the floor lies at 90 - tilt from up to the midline, the fossa's edge nearer to up */
      const double medial = tilt - fossa;
      const double expected = (medial - ce) / 2, index = measures.value[SYN_MEASURE_ACETABULAR_INDEX_DEG];
      /* the marked surface ends up to a facet of four degrees before the fossa's edge */
      if (!(index > expected - 2 && index < expected + 0.1)) fail_msg("index %g, expected %g", index, expected);
      syn_free(NULL, anatomy.lunate_vertices);
      syn_joint_destroy(shape);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_index_is_the_slope_of_the_chord)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
