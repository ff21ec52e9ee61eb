#include "support.h"
#include "surfaces.h"

#include "base/status.h"
#include "base/vec.h"
#include "shape/closed_surface.h"

/* A unit sphere by latitude rings, poles first and last. */
static syn_vec3 on_sphere(const void *user, uint32_t ring, uint32_t column) {
  const syn_loft *loft = user;
  double polar = SYN_PI * ring / (loft->rings - 1), turn = 2 * SYN_PI * column / loft->columns;
  return vec3(sin(polar) * cos(turn), sin(polar) * sin(turn), cos(polar));
}

static syn_vec3 on_mirrored_sphere(const void *user, uint32_t ring, uint32_t column) {
  syn_vec3 p = on_sphere(user, ring, column);
  return vec3(-p.x, p.y, p.z);
}

/* A ring of radius 3 with a round section of radius 1. */
static syn_vec3 on_torus(const void *user, uint32_t ring, uint32_t column) {
  const syn_loft *loft = user;
  double section = 2 * SYN_PI * ring / loft->rings, turn = 2 * SYN_PI * column / loft->columns;
  double away = 3 + cos(section);
  return vec3(away * cos(turn), away * sin(turn), sin(section));
}

/* A strip 3 wide and 1 thick, 2 long, bent into a wave; columns run along one side and back along the other. */
static syn_vec3 on_strip(const void *user, uint32_t ring, uint32_t column) {
  const syn_loft *loft = user;
  uint32_t half = loft->columns / 2;
  bool back = column >= half;
  double along = 3.0 * (back ? loft->columns - 1 - column : column) / (half - 1);
  return vec3(along, 2.0 * ring / (loft->rings - 1), sin(along) + back);
}

/* Out along radius 2, back along radius 2 - 0.01 times a rough thickness: the sheets are close and not flat. */
static syn_vec3 on_thin_shell(const void *user, uint32_t ring, uint32_t column) {
  const syn_loft *loft = user;
  uint32_t edge = (loft->rings - 1) / 2, i = ring <= edge ? ring : 2 * edge - ring;
  double rough = 1 + 0.3 * sin(5.0 * column + 3.0 * i), turn = 2 * SYN_PI * column / loft->columns;
  double polar = i * (2.0 + 0.2 * sin(2 * turn)) / edge;
  double radius = (2 + 0.2 * rough) * (ring <= edge ? 1 : 1 - 1e-4 * (edge - i) * (1.2 + sin(7.0 * column + i)));
  return vec3(radius * sin(polar) * cos(turn), radius * sin(polar) * sin(turn), radius * cos(polar));
}

static syn_trimesh *made(syn_loft *loft) {
  syn_error error;
  syn_trimesh *mesh;
  loft->user = loft;
  ASSERT_OK(syn_loft_make(NULL, loft, &mesh, &error));
  return mesh;
}

static void a_sphere_is_closed_outward_and_whole(void **state) {
  (void)state;
  for (uint32_t rings = 3; rings < 20; rings += 4)
    for (uint32_t columns = 3; columns < 20; columns += 4)
      for (uint32_t fold = 0; fold <= rings; fold += 3) {
        syn_loft loft = {rings, columns, SYN_LOFT_POLES, fold, rings % 8 ? on_sphere : on_mirrored_sphere, NULL};
        syn_trimesh *mesh = made(&loft);
        assert_int_equal(mesh->vertex_count, (rings - 2) * columns + 2);
        assert_int_equal(mesh->triangle_count, 2 * (rings - 2) * columns);
        assert_int_equal(check_closed_manifold(mesh), 2);
        assert_true(surface_volume(mesh) > 0);
        assert_int_equal(count_self_meetings(mesh), 0);
        syn_trimesh_destroy(mesh);
      }
  syn_loft fine = {61, 120, SYN_LOFT_POLES, 61, on_mirrored_sphere, NULL};
  syn_trimesh *mesh = made(&fine);
  ASSERT_NEAR(surface_volume(mesh), 4 * SYN_PI / 3, 0.01);
  syn_trimesh_destroy(mesh);
}

static void a_torus_has_a_hole(void **state) {
  (void)state;
  syn_loft loft = {40, 60, SYN_LOFT_TORUS, 20, on_torus, NULL};
  syn_trimesh *mesh = made(&loft);
  assert_int_equal(mesh->triangle_count, 2 * 40 * 60);
  assert_int_equal(check_closed_manifold(mesh), 0);
  assert_int_equal(count_self_meetings(mesh), 0);
  ASSERT_NEAR(surface_volume(mesh), 2 * SYN_PI * 3 * SYN_PI, 0.6);
  syn_trimesh_destroy(mesh);
}

static void the_ends_of_a_strip_are_closed(void **state) {
  (void)state;
  for (uint32_t half = 2; half < 12; ++half) {
    syn_loft loft = {5, 2 * half, SYN_LOFT_FOLDED, 5, on_strip, NULL};
    syn_trimesh *mesh = made(&loft);
    assert_int_equal(check_closed_manifold(mesh), 2);
    assert_int_equal(count_self_meetings(mesh), 0);
    ASSERT_NEAR(surface_volume(mesh), 3 * 2 * 1, 1e-12); /* moved sideways, the wave keeps its volume */
    syn_trimesh_destroy(mesh);
  }
}

static void sheets_that_come_back_keep_apart_only_with_a_fold(void **state) {
  (void)state;
  syn_loft folded = {21, 24, SYN_LOFT_POLES, 10, on_thin_shell, NULL}, straight = folded;
  straight.fold = straight.rings;
  syn_trimesh *good = made(&folded), *bad = made(&straight);
  assert_int_equal(check_closed_manifold(good), 2);
  assert_int_equal(count_self_meetings(good), 0);
  assert_true(count_self_meetings(bad) > 0);
  syn_trimesh_destroy(good);
  syn_trimesh_destroy(bad);
}

static syn_status make_strip(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh *mesh;
  SYN_TRY(syn_loft_make(context, user, &mesh, error));
  syn_trimesh_destroy(mesh);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_loft loft = {9, 30, SYN_LOFT_FOLDED, 9, on_strip, NULL};
  loft.user = &loft;
  check_every_allocation(make_strip, &loft);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sphere_is_closed_outward_and_whole),
      cmocka_unit_test(a_torus_has_a_hole),
      cmocka_unit_test(the_ends_of_a_strip_are_closed),
      cmocka_unit_test(sheets_that_come_back_keep_apart_only_with_a_fold),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
