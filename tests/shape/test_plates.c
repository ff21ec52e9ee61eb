/* Outlines and the plates made of them. */
#include "surfaces.h"

#include "base/vec.h"
#include "shape/closed_surface.h"

enum { ROOM = 256 };

static double outline_area(const syn_outline *o) {
  double sum = 0;
  for (uint32_t i = 0; i < o->count; ++i) {
    const syn_point2 a = o->points[i], b = o->points[(i + 1) % o->count];
    sum += (a.x * b.y - a.y * b.x) / 2;
  }
  return sum;
}

static void check_plate(const syn_outline *outline, const char *name) {
  syn_error error;
  syn_trimesh *mesh;
  ASSERT_OK(syn_extrude(NULL, outline, -1, 2, 2, NULL, &mesh, &error));
  assert_int_equal(mesh->triangle_count, 6 * outline->count - 4);
  check_surface(mesh, name, 0);
  ASSERT_NEAR(syn_trimesh_mass(mesh).volume_mm3 / (3 * outline_area(outline)), 1, 1e-9);
  syn_trimesh_destroy(mesh);
}

/* Any radii along rising angles make a simple polygon. */
static void jagged_stars_become_sound_plates(void **state) {
  (void)state;
  test_random random = {23};
  for (int round = 0; round < 150; ++round) {
    syn_point2 room[ROOM];
    syn_outline outline = {room, 0, ROOM};
    const uint32_t corners = 3 + random_below(&random, 30);
    for (uint32_t i = 0; i < corners; ++i) {
      const double angle = 2 * SYN_PI * i / corners, radius = random_between(&random, 0.2, 10);
      syn_outline_add(&outline, radius * cos(angle), radius * sin(angle));
    }
    /* points on straight edges are what trips a careless triangulation */
    syn_outline_refine(&outline, corners + random_below(&random, 30));
    check_plate(&outline, "star");
  }
}

/* A comb: long thin teeth, all of whose edges carry further points. */
static void combs_become_sound_plates(void **state) {
  (void)state;
  for (uint32_t teeth = 1; teeth <= 8; ++teeth) {
    syn_point2 room[ROOM];
    syn_outline outline = {room, 0, ROOM};
    syn_outline_add(&outline, 0, -1);
    syn_outline_add(&outline, 2.0 * teeth, -1);
    for (uint32_t i = teeth; i > 0; --i) {
      syn_outline_add(&outline, 2.0 * i, 10);
      syn_outline_add(&outline, 2.0 * i - 0.5, 10);
      syn_outline_add(&outline, 2.0 * i - 0.5, 0);
      syn_outline_add(&outline, 2.0 * i - 2, 0);
    }
    syn_outline_refine(&outline, outline.count * 4);
    check_plate(&outline, "comb");
  }
}

static void refining_keeps_the_outline_and_evens_it(void **state) {
  (void)state;
  syn_point2 room[ROOM] = {{0, 0}, {8, 0}, {8, 1}, {0, 1}};
  syn_outline outline = {room, 4, ROOM};
  syn_outline_refine(&outline, 18);
  assert_int_equal(outline.count, 18);
  ASSERT_NEAR(outline_area(&outline), 8, 1e-12);
  for (uint32_t i = 0; i < 18; ++i) {
    const syn_point2 a = room[i], b = room[(i + 1) % 18];
    ASSERT_NEAR(hypot(b.x - a.x, b.y - a.y), 1, 1e-12);
  }
  syn_outline_refine(&outline, 10); /* fewer than there are: nothing to do */
  assert_int_equal(outline.count, 18);
}

static void arcs_include_both_ends(void **state) {
  (void)state;
  syn_point2 room[8];
  syn_outline outline = {room, 0, 8};
  syn_outline_arc(&outline, 1, 2, 3, SYN_PI / 2, -SYN_PI / 2, 4);
  assert_int_equal(outline.count, 5);
  ASSERT_NEAR(room[0].y, 5, 1e-12);
  ASSERT_NEAR(room[2].x, 4, 1e-12);
  ASSERT_NEAR(room[4].y, -1, 1e-12);
}

static void a_pose_moves_the_plate(void **state) {
  (void)state;
  syn_error error;
  syn_point2 square[4] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  const syn_outline outline = {square, 4, 4};
  const syn_pose pose = {syn_pose_identity().rotation, {10, 20, 30}};
  syn_trimesh *mesh;
  ASSERT_OK(syn_extrude(NULL, &outline, 0, 5, 1, &pose, &mesh, &error));
  ASSERT_NEAR(syn_trimesh_mass(mesh).volume_mm3, 20, 1e-12);
  ASSERT_NEAR(vec3_distance(mesh->vertices[6], (syn_vec3){12, 22, 35}), 0, 0);
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jagged_stars_become_sound_plates),
      cmocka_unit_test(combs_become_sound_plates),
      cmocka_unit_test(refining_keeps_the_outline_and_evens_it),
      cmocka_unit_test(arcs_include_both_ends),
      cmocka_unit_test(a_pose_moves_the_plate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
