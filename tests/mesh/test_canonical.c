/* One numbering for one surface. */
#include "mesh/canonical.h"

#include "renumbered.h"

static syn_trimesh *renumber(const syn_trimesh *mesh) {
  syn_trimesh *made;
  syn_error error;
  ASSERT_OK(syn_trimesh_renumber(mesh, &made, &error));
  return made;
}

static bool are_equal(const syn_trimesh *a, const syn_trimesh *b) {
  return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
         memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
         memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0;
}

/* ---- the obvious twin: every triangle by its places, sorted --------------------------------------------------------
 */

typedef struct placed_triangle {
  syn_vec3 corner[3];
} placed_triangle;

static int compare_places(const void *a, const void *b) {
  const double *x = a, *y = b;
  for (int i = 0; i < 9; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static placed_triangle *list_triangles(const syn_trimesh *mesh) {
  placed_triangle *list = malloc((mesh->triangle_count + 1) * sizeof *list);
  assert_non_null(list);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    placed_triangle way[3];
    for (int first = 0; first < 3; ++first)
      for (int c = 0; c < 3; ++c) way[first].corner[c] = mesh->vertices[mesh->triangles[t].v[(first + c) % 3]];
    qsort(way, 3, sizeof *way, compare_places);
    list[t] = way[0];
  }
  qsort(list, mesh->triangle_count, sizeof *list, compare_places);
  return list;
}

static void check_same_surface(const syn_trimesh *a, const syn_trimesh *b) {
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_int_equal(a->vertex_count, b->vertex_count);
  placed_triangle *left = list_triangles(a), *right = list_triangles(b);
  for (uint32_t t = 0; t < a->triangle_count; ++t) assert_int_equal(compare_places(&left[t], &right[t]), 0);
  free(left);
  free(right);
}

/* ---- meshes to try --------------------------------------------------------------------------------------------------
 */

/* Vertices on a coarse lattice, so that many lie at one place, triangles repeat vertices, and zeros have both signs. */
static syn_trimesh *make_lattice_soup(test_random *random) {
  enum { VERTICES = 30, TRIANGLES = 40 };
  syn_vec3 vertices[VERTICES];
  syn_triangle triangles[TRIANGLES];
  for (int i = 0; i < VERTICES; ++i) {
    vertices[i] = random_vec3(random, 1.5);
    double *p[] = {&vertices[i].x, &vertices[i].y, &vertices[i].z};
    for (int k = 0; k < 3; ++k) *p[k] = round(*p[k]);
  }
  for (int i = 0; i < TRIANGLES; ++i)
    for (int c = 0; c < 3; ++c) triangles[i].v[c] = random_below(random, VERTICES);
  syn_trimesh *made;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, vertices, VERTICES, triangles, TRIANGLES, &made, &error));
  return made;
}

static syn_trimesh *make_mesh(int kind, test_random *random) {
  switch (kind) {
  case 0: return make_blob(NULL, random, 3 + random_below(random, 8), 3 + random_below(random, 8), 0.3);
  case 1: return make_cube(NULL, 10);
  case 2: return make_soup(NULL, random, 4 + random_below(random, 40), random_below(random, 60));
  default: return make_lattice_soup(random);
  }
}

/* Does more than what is alike keep vertices at one place apart? Then other numbers may be left over. */
static bool has_vertices_alike(const syn_trimesh *mesh) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    for (uint32_t j = 0; j < i; ++j)
      if (mesh->vertices[i].x == mesh->vertices[j].x && mesh->vertices[i].y == mesh->vertices[j].y &&
          mesh->vertices[i].z == mesh->vertices[j].z)
        return true;
  return false;
}

/* ---- tests ----------------------------------------------------------------------------------------------------------
 */

static void all_numberings_become_one(void **state) {
  (void)state;
  test_random random = {31};
  int compared = 0;
  for (int round = 0; round < repeats(400, 4); ++round) {
    syn_trimesh *mesh = make_mesh(round % 4, &random), *other = make_renumbered(mesh, &random);
    syn_trimesh *first = renumber(mesh), *second = renumber(other), *again = renumber(first);
    check_same_surface(mesh, first);
    check_same_surface(mesh, second);
    if (!has_vertices_alike(mesh)) {
      assert_true(are_equal(first, second));
      assert_true(are_equal(first, again));
      ++compared;
    }
    syn_trimesh_destroy(mesh);
    syn_trimesh_destroy(other);
    syn_trimesh_destroy(first);
    syn_trimesh_destroy(second);
    syn_trimesh_destroy(again);
  }
  assert_true(compared > 10);
}

/* Two tetrahedra that touch in a corner, which each has for itself: the triangles around tell the two corners apart. */
static void vertices_at_one_place_are_told_apart_by_their_triangles(void **state) {
  (void)state;
  const syn_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                               {0, 0, 0}, {-2, 0, 0}, {0, -2, 0}, {0, 0, -2}};
  const syn_triangle triangles[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}},
                                    {{4, 5, 6}}, {{4, 7, 5}}, {{4, 6, 7}}, {{5, 7, 6}}};
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 8, triangles, 8, &mesh, &error));
  syn_trimesh *first = renumber(mesh);
  test_random random = {32};
  for (int round = 0; round < 50; ++round) {
    syn_trimesh *other = make_renumbered(mesh, &random), *second = renumber(other);
    assert_true(are_equal(first, second));
    syn_trimesh_destroy(other);
    syn_trimesh_destroy(second);
  }
  syn_trimesh_destroy(first);
  syn_trimesh_destroy(mesh);
}

static void an_empty_mesh_stays_empty(void **state) {
  (void)state;
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &mesh, &error));
  syn_trimesh *same = renumber(mesh);
  assert_int_equal(same->vertex_count + same->triangle_count, 0);
  syn_trimesh_destroy(same);
  syn_trimesh_destroy(mesh);
}

static syn_status renumber_once(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  syn_trimesh *made;
  const syn_status status = syn_trimesh_renumber(&mesh, &made, error);
  if (status == SYN_OK) syn_trimesh_destroy(made);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(renumber_once, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_numberings_become_one),
      cmocka_unit_test(vertices_at_one_place_are_told_apart_by_their_triangles),
      cmocka_unit_test(an_empty_mesh_stays_empty),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
