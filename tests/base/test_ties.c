// test: own-program
/* No two items that are sorted compare equal unless they are the same bytes: their order would be the C library's
 * choice, and glibc's depends on whether there is memory for a merge sort. */
#include "report/svg/svg.h"
#include "support.h"

static size_t sorted, ties;

/* Takes the place of the C library's. */
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *list = items, *kept = malloc(size + 1);
  for (size_t i = 1; i < count; ++i) {
    size_t at = i;
    memcpy(kept, list + i * size, size);
    for (; at > 0 && compare(list + (at - 1) * size, kept) > 0; --at)
      memcpy(list + at * size, list + (at - 1) * size, size);
    memcpy(list + at * size, kept, size);
  }
  for (size_t i = 1; i < count; ++i) {
    const char *a = list + (i - 1) * size, *b = a + size;
    ties += compare(a, b) == 0 && memcmp(a, b, size) != 0;
  }
  sorted += count;
  free(kept);
}

static void check_sorted(const char *what) {
  const size_t equal = ties, all = sorted;
  ties = sorted = 0;
  if (equal) fail_msg("%s: %zu pairs of %zu items compare equal", what, equal, all);
  assert_true(all > 1);
}

static void the_faces_of_a_picture_have_one_order(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 2);
  const syn_svg_body body = {cube, syn_pose_identity(), {255, 255, 255}};
  const syn_svg_view view = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  FILE *to = fopen("/dev/null", "w");
  ASSERT_OK(syn_svg_draw(NULL, to, &body, 1, &view, 3, "a cube", &error));
  fclose(to);
  syn_trimesh_destroy(cube);
  check_sorted("the picture");
}

static void the_places_where_a_head_is_sought_have_one_order(void **state) {
  (void)state;
  syn_error error;
  syn_joint *hip;
  syn_anatomy *anatomy;
  const syn_shape_value resolution = {"resolution", 2};
  ASSERT_OK(syn_shape_create(NULL, "hip", &resolution, 1, &hip, &error));
  ASSERT_OK(syn_anatomy_create(NULL, hip->bodies[0].surface, hip->bodies[1].surface, NULL, &anatomy, &error));
  syn_anatomy_destroy(anatomy);
  syn_joint_destroy(hip);
  check_sorted("the femur's head");
}

/* Two cubes that share an edge: four faces there, and two contours that start where it goes into another body. */
static syn_trimesh *cubes_with_a_common_edge(void) {
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 2), *result;
  syn_vec3 points[16];
  syn_triangle triangles[24];
  for (uint32_t i = 0; i < 16; ++i) {
    const syn_vec3 p = cube->vertices[i % 8];
    points[i] = i < 8 ? p : (syn_vec3){p.x + 2, p.y + 2, p.z};
  }
  for (uint32_t t = 0; t < 24; ++t)
    for (int k = 0; k < 3; ++k) {
      uint32_t v = cube->triangles[t % 12].v[k] + (t < 12 ? 0 : 8), first = 0;
      while (memcmp(&points[first], &points[v], sizeof *points) != 0) ++first;
      triangles[t].v[k] = first;
    }
  ASSERT_OK(syn_trimesh_create(NULL, points, 16, triangles, 24, &result, &error));
  syn_trimesh_destroy(cube);
  return result;
}

static void the_pieces_of_a_contour_have_one_order(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *pair = cubes_with_a_common_edge(), *other = make_cube(NULL, 1.5);
  syn_pose pose = syn_pose_identity();
  syn_overlap *overlap;
  pose.translation = (syn_vec3){1.1, 0.9, 1.3};
  ASSERT_OK(syn_overlap_create(pair, other, &pose, &overlap, &error));
  syn_overlap_destroy(overlap);
  syn_trimesh_destroy(pair);
  syn_trimesh_destroy(other);
  check_sorted("the contour");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_faces_of_a_picture_have_one_order),
      cmocka_unit_test(the_places_where_a_head_is_sought_have_one_order),
      cmocka_unit_test(the_pieces_of_a_contour_have_one_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
