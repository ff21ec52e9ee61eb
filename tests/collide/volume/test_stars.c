/* What meets in each vertex of a volume, against looking at every cell for every vertex. */
#include "collide/volume/volume.h"

#include "spring_body.h"
#include "support.h"

static bool list_holds(const vertex_lists *lists, uint32_t vertex, uint32_t item) {
  uint32_t found = 0;
  for (uint32_t i = lists->first[vertex]; i < lists->first[vertex + 1]; ++i) found += lists->items[i] == item;
  assert_true(found <= 1);
  return found == 1;
}

static bool among(const uint32_t *vertices, uint32_t count, uint32_t v) {
  for (uint32_t i = 0; i < count; ++i)
    if (vertices[i] == v) return true;
  return false;
}

static void every_vertex_has_its_cells_and_its_faces_of_the_surface(void **state) {
  (void)state;
  for (uint32_t size = 1; size <= 3; ++size) {
    const uint32_t cells[3] = {size, 2, 1};
    syn_tetmesh *block = make_tet_block(NULL, cells, 2, vec3(0, 0, 0));
    const syn_body body = {.volume = block};
    volume_pair pair = {0};
    volume_stars stars = {0};
    syn_error error;
    ASSERT_OK(syn_volume_pair_create(NULL, &body, &body, &pair, &error));
    const volume *v = &pair.mobile;
    ASSERT_OK(syn_volume_stars_create(v, &stars, &error));
    uint8_t *surface = malloc(v->cell_count);
    ASSERT_OK(syn_volume_surface(v, surface, &error));
    uint32_t total = 0, faces = 0;
    for (uint32_t vertex = 0; vertex < block->vertex_count; ++vertex)
      for (uint32_t cell = 0; cell < v->cell_count; ++cell) {
        uint32_t corners[HULL_POINTS];
        const bool has = among(corners, syn_cell_vertices(v, cell, corners), vertex);
        assert_int_equal(list_holds(&stars.cells, vertex, cell), has);
        total += has;
        for (uint32_t f = 0; f < v->faces; ++f) {
          uint32_t sides[4];
          const bool on =
              (surface[cell] >> f & 1) && among(sides, syn_face_vertices(v, v->faces * cell + f, sides), vertex);
          assert_int_equal(list_holds(&stars.faces, vertex, v->faces * cell + f), on);
          faces += on;
        }
      }
    /* The lists end where the last one does, and nothing else is in them. */
    assert_int_equal(stars.cells.first[block->vertex_count], total);
    assert_int_equal(total, 4 * block->tet_count);
    assert_int_equal(stars.faces.first[block->vertex_count], faces);
    free(surface);
    syn_volume_stars_release(NULL, &stars);
    syn_volume_pair_release(&pair);
    syn_tetmesh_destroy(block);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_vertex_has_its_cells_and_its_faces_of_the_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
