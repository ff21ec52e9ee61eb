/* BucketTree and the spatial hash on hexahedra, wedges, pyramids and tetrahedra as they are (Erleben & Sporring 2005:
 * "any convex cell"), against every face and every vertex tried with every cell. */
#include "io_support.h"

#include "base/vec.h"
#include "geometry/convex_contact.h"
#include "mesh/io/cells.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

enum { SIDE = 3, NODES = (SIDE + 1) * (SIDE + 1) * (SIDE + 1), MOST_CELLS = 6 * SIDE * SIDE * SIDE * 2 };

typedef struct cell_body {
  syn_tetmesh *mesh;
  uint32_t count;
  uint32_t corners[MOST_CELLS][8]; /* of each solid, as given */
  uint32_t corner_counts[MOST_CELLS];
  unsigned shapes[MOST_CELLS];
} cell_body;

static void add(cell_body *body, syn_cells *cells, unsigned shape, const uint32_t *nodes, uint32_t count) {
  syn_error error;
  ASSERT_OK(syn_cells_add(cells, shape, nodes, count, &error));
  body->shapes[body->count] = shape;
  body->corner_counts[body->count] = count;
  memcpy(body->corners[body->count++], nodes, count * sizeof *nodes);
}

/* One place of the grid as a hexahedron, a voxel, two wedges, six pyramids round its middle or a tetrahedron. */
static void add_place(cell_body *body, syn_cells *cells, const uint32_t n[8], uint32_t how) {
  static const int wedges[2][6] = {{0, 1, 3, 4, 5, 7}, {1, 2, 3, 5, 6, 7}};
  static const int pyramids[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  syn_builder *b = cells->builder;
  syn_error error;
  if (how == 0) add(body, cells, SYN_CELL_HEXAHEDRON, n, 8);
  if (how == 1) add(body, cells, SYN_CELL_VOXEL, (uint32_t[]){n[0], n[1], n[3], n[2], n[4], n[5], n[7], n[6]}, 8);
  for (int w = 0; w < 2 && how == 2; ++w) {
    uint32_t nodes[6];
    for (int c = 0; c < 6; ++c) nodes[c] = n[wedges[w][c]];
    add(body, cells, SYN_CELL_WEDGE, nodes, 6);
  }
  if (how == 3) {
    syn_vec3 middle = {0, 0, 0};
    for (int c = 0; c < 8; ++c) middle = vec3_madd(middle, 0.125, b->points[n[c]]);
    const uint32_t top = (uint32_t)b->point_count;
    ASSERT_OK(syn_builder_point(b, middle, &error));
    for (int p = 0; p < 6; ++p) {
      const int *q = pyramids[p];
      add(body, cells, SYN_CELL_PYRAMID, (uint32_t[]){n[q[0]], n[q[1]], n[q[2]], n[q[3]], top}, 5);
    }
  }
  if (how == 4) add(body, cells, SYN_CELL_TET, (uint32_t[]){n[0], n[1], n[2], n[5]}, 4);
}

static void add_grid(cell_body *body, syn_cells *cells, test_random *random, double jitter, syn_vec3 shift) {
  syn_builder *b = cells->builder;
  const uint32_t first = (uint32_t)b->point_count;
  syn_error error;
  for (int i = 0; i < NODES; ++i) {
    const syn_vec3 p = vec3(i % (SIDE + 1), i / (SIDE + 1) % (SIDE + 1), i / ((SIDE + 1) * (SIDE + 1)));
    ASSERT_OK(syn_builder_point(b, vec3_add(vec3_add(p, shift), random_vec3(random, jitter)), &error));
  }
  for (uint32_t i = 0; i < SIDE * SIDE * SIDE; ++i) {
    const uint32_t x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
    const uint32_t low = first + (z * (SIDE + 1) + y) * (SIDE + 1) + x, up = (SIDE + 1) * (SIDE + 1);
    const uint32_t n[8] = {low,      low + 1,      low + SIDE + 2,      low + SIDE + 1,
                           low + up, low + up + 1, low + up + SIDE + 2, low + up + SIDE + 1};
    add_place(body, cells, n, random_below(random, 5));
  }
}

/* Without jitter much touches. Two grids in one body meet each other. */
static void make_body(test_random *random, double jitter, bool twice, cell_body *body) {
  syn_builder builder = {0};
  syn_geometry geometry;
  syn_error error;
  syn_cells cells;
  body->count = 0;
  syn_cells_begin(&cells, &builder, "test");
  add_grid(body, &cells, random, jitter, vec3(0, 0, 0));
  if (twice) add_grid(body, &cells, random, jitter, vec3(2.5, 0.5, 0));
  syn_cells_release(&cells);
  syn_builder_finish(&builder, &geometry);
  ASSERT_OK(syn_tetmesh_from_geometry(NULL, &geometry, &body->mesh, &error));
  syn_geometry_free(NULL, &geometry);
}

/* ---- the slow twin ----------------------------------------------------------------------------------------------- */

/* Faces as the method numbers them: up to six of each cell, by the corners as given. */
static int face_of(const cell_body *body, uint32_t cell, uint32_t f, uint32_t nodes[4]) {
  static const int hexahedron[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                       {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const int voxel[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}};
  static const int wedge[5][4] = {{0, 1, 2, -1}, {3, 5, 4, -1}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}};
  static const int pyramid[5][4] = {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}};
  static const int tet[4][4] = {{1, 2, 3, -1}, {0, 3, 2, -1}, {0, 1, 3, -1}, {0, 2, 1, -1}};
  const unsigned shape = body->shapes[cell];
  const uint32_t faces = shape == SYN_CELL_TET ? 4 : shape == SYN_CELL_WEDGE || shape == SYN_CELL_PYRAMID ? 5 : 6;
  if (f >= faces) return 0;
  const int *corners = shape == SYN_CELL_TET       ? tet[f]
                       : shape == SYN_CELL_WEDGE   ? wedge[f]
                       : shape == SYN_CELL_PYRAMID ? pyramid[f]
                       : shape == SYN_CELL_VOXEL   ? voxel[f]
                                                   : hexahedron[f];
  int count = 0;
  for (; count < 4 && corners[count] >= 0; ++count) nodes[count] = body->corners[cell][corners[count]];
  return count;
}

static bool same_nodes(const uint32_t *a, int a_count, const uint32_t *b, int b_count) {
  int shared = 0;
  for (int i = 0; i < a_count; ++i)
    for (int j = 0; j < b_count; ++j) shared += a[i] == b[j];
  return a_count == b_count && shared == a_count;
}

static bool is_surface(const cell_body *body, uint32_t cell, uint32_t f) {
  uint32_t nodes[4], others[4];
  const int count = face_of(body, cell, f, nodes);
  for (uint32_t c = 0; c < body->count; ++c)
    for (uint32_t g = 0; g < 6; ++g)
      if ((c != cell || g != f) && same_nodes(nodes, count, others, face_of(body, c, g, others))) return false;
  return count > 0;
}

static bool share_node(const cell_body *body, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < body->corner_counts[a]; ++i)
    for (uint32_t j = 0; j < body->corner_counts[b]; ++j)
      if (body->corners[a][i] == body->corners[b][j]) return true;
  return false;
}

typedef struct place {
  const cell_body *body;
  const syn_vec3 *vertices;
  syn_pose pose;
} place;

static bool face_meets(const place *a, uint32_t cell, uint32_t f, const place *b, uint32_t other) {
  uint32_t nodes[4];
  syn_vec3 face[4], hull[8];
  const int count = face_of(a->body, cell, f, nodes), corners = (int)b->body->corner_counts[other];
  for (int c = 0; c < count; ++c) face[c] = syn_pose_point(&a->pose, a->vertices[nodes[c]]);
  for (int c = 0; c < corners; ++c) hull[c] = syn_pose_point(&b->pose, b->vertices[b->body->corners[other][c]]);
  return syn_face_meets_hull_exactly(face, count, hull, corners);
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

enum { MOST = 60000 };
static syn_contact contacts[MOST];

static bool is_told(const syn_contacts *result, syn_contact_of of, uint32_t fixed, uint32_t mobile) {
  for (size_t i = 0; i < result->count; ++i)
    if (contacts[i].of == of && contacts[i].fixed_element == fixed && contacts[i].mobile_element == mobile) return true;
  return false;
}

/* All faces of one body in cells of the other are told, and how many there are. */
static size_t check_faces(const place *from, const place *other, bool from_fixed, bool self, syn_contacts *result) {
  size_t found = 0;
  for (uint32_t c = 0; c < from->body->count; ++c)
    for (uint32_t f = 0; f < 6; ++f) {
      if (!is_surface(from->body, c, f)) continue;
      for (uint32_t o = 0; o < other->body->count; ++o) {
        if (self && (o == c || share_node(from->body, c, o))) continue;
        if (!face_meets(from, c, f, other, o)) continue;
        ++found;
        const syn_contact_of of = from_fixed ? SYN_OF_FACE_TET : SYN_OF_TET_FACE;
        const uint32_t face = 6 * c + f;
        if (!is_told(result, of, from_fixed ? face : o, from_fixed ? o : face))
          fail_msg("face %u of cell %u in cell %u was not told", f, c, o);
      }
    }
  return found;
}

static syn_contacts ask(const syn_collider *collider, const syn_pose *pose) {
  syn_contacts result = {.contacts = contacts, .capacity = MOST};
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  assert_int_equal(syn_collider_query(collider, pose, scratch, &result), SYN_OK);
  free(scratch);
  assert_true(result.count <= MOST);
  return result;
}

static syn_collider *make_by(const char *method, const syn_tetmesh *fixed, const syn_tetmesh *mobile) {
  syn_collider *collider;
  syn_error error;
  ASSERT_OK(syn_collider_create(NULL, method, &(syn_body){.volume = fixed}, &(syn_body){.volume = mobile}, NULL,
                                &collider, &error));
  return collider;
}

static syn_collider *make(const syn_tetmesh *fixed, const syn_tetmesh *mobile) {
  return make_by("buckettree", fixed, mobile);
}

/* In one of the tetrahedra that four corners make. */
static bool cell_holds(const place *at, uint32_t cell, syn_vec3 point) {
  const int n = (int)at->body->corner_counts[cell];
  syn_vec3 p[8];
  for (int c = 0; c < n; ++c) p[c] = at->vertices[at->body->corners[cell][c]];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < j; ++k)
        for (int l = 0; l < k; ++l)
          if (syn_point_in_tet(point, (syn_vec3[]){p[i], p[j], p[k], p[l]})) return true;
  return false;
}

static bool has_corner(const cell_body *body, uint32_t cell, uint32_t vertex) {
  for (uint32_t c = 0; c < body->corner_counts[cell]; ++c)
    if (body->corners[cell][c] == vertex) return true;
  return false;
}

static bool is_used(const cell_body *body, uint32_t vertex) {
  for (uint32_t c = 0; c < body->count; ++c)
    if (has_corner(body, c, vertex)) return true;
  return false;
}

/* All vertices of one body in cells of the other are told, and how many there are. */
static size_t check_vertices(const place *fixed, const place *mobile, bool self, syn_contacts *result) {
  size_t found = 0;
  for (uint32_t v = 0; v < mobile->body->mesh->vertex_count; ++v) {
    const syn_vec3 point = syn_pose_point(&mobile->pose, mobile->vertices[v]);
    if (!is_used(mobile->body, v)) continue;
    for (uint32_t c = 0; c < fixed->body->count; ++c) {
      if ((self && has_corner(fixed->body, c, v)) || !cell_holds(fixed, c, point)) continue;
      ++found;
      if (!is_told(result, SYN_OF_VERTEX_TET, c, v)) fail_msg("vertex %u in cell %u was not told", v, c);
    }
  }
  return found;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* Followed through neighbours from where they are, the contacts are the same. */
static void check_walk(const place *fixed, const place *mobile, syn_contacts result) {
  const size_t count = result.count;
  syn_contact_walk *walk;
  syn_error error;
  ASSERT_OK(syn_contact_walk_create(NULL, fixed->body->mesh, mobile->body->mesh, &walk, &error));
  result.last = contacts;
  result.last_count = count;
  ASSERT_OK(syn_contact_walk_step(walk, NULL, NULL, &mobile->pose, &result, &error));
  assert_int_equal(result.count, count);
  assert_int_equal(check_faces(fixed, mobile, true, false, &result) + check_faces(mobile, fixed, false, false, &result),
                   count);
  syn_contact_walk_destroy(walk);
}

static void check_pair(test_random *random, double jitter, const syn_pose *pose) {
  static cell_body fixed, mobile;
  make_body(random, jitter, false, &fixed);
  make_body(random, jitter, false, &mobile);
  syn_collider *collider = make(fixed.mesh, mobile.mesh);
  syn_contacts result = ask(collider, pose);
  const place a = {&fixed, fixed.mesh->vertices, syn_pose_identity()}, b = {&mobile, mobile.mesh->vertices, *pose};
  const size_t found = check_faces(&a, &b, true, false, &result) + check_faces(&b, &a, false, false, &result);
  assert_int_equal(result.count, found);
  assert_true(found > 0);
  check_walk(&a, &b, result);
  syn_collider_destroy(collider);
  syn_tetmesh_destroy(fixed.mesh);
  syn_tetmesh_destroy(mobile.mesh);
}

static void test_cells_of_two_bodies_meet_as_the_twin_says(void **state) {
  (void)state;
  test_random random = {31};
  for (int round = 0; round < 3; ++round) {
    syn_pose pose = syn_pose_about_axis(vec3(1, 1, 1), random_vec3(&random, 1), 0.4 * round);
    pose.translation = vec3_add(pose.translation, vec3(2.2, 0.7, 0.4));
    check_pair(&random, 0.2, &pose);
  }
  /* grids that only touch: on a face, and shifted by half a cell */
  syn_pose touching = syn_pose_identity();
  touching.translation = vec3(SIDE, 0, 0);
  check_pair(&random, 0, &touching);
  touching.translation = vec3(SIDE, 0.5, 0.5);
  check_pair(&random, 0, &touching);
}

static void test_a_body_of_cells_meets_itself_as_the_twin_says(void **state) {
  (void)state;
  test_random random = {32};
  static cell_body body;
  for (int round = 0; round < 2; ++round) {
    make_body(&random, round ? 0.2 : 0, true, &body);
    syn_collider *collider = make(body.mesh, body.mesh);
    syn_contacts result = ask(collider, NULL);
    const place at = {&body, body.mesh->vertices, syn_pose_identity()};
    assert_int_equal(result.count, check_faces(&at, &at, false, true, &result));
    assert_true(result.count > 0);
    syn_collider_destroy(collider);
    syn_tetmesh_destroy(body.mesh);
  }
}

static void test_an_update_answers_as_the_twin_says(void **state) {
  (void)state;
  test_random random = {33};
  static cell_body fixed, mobile;
  make_body(&random, 0.1, false, &fixed);
  make_body(&random, 0.1, false, &mobile);
  syn_error error;
  syn_collider *collider = make(fixed.mesh, mobile.mesh);
  syn_vec3 *places = malloc(mobile.mesh->vertex_count * sizeof *places);
  for (uint32_t v = 0; v < mobile.mesh->vertex_count; ++v)
    places[v] = vec3_add(vec3_scale(mobile.mesh->vertices[v], 1.3), random_vec3(&random, 0.1));
  ASSERT_OK(syn_collider_update(collider, NULL, places, &error));
  syn_pose pose = syn_pose_identity();
  pose.translation = vec3(2.5, 0.3, -1);
  syn_contacts result = ask(collider, &pose);
  const place a = {&fixed, fixed.mesh->vertices, syn_pose_identity()}, b = {&mobile, places, pose};
  assert_int_equal(result.count,
                   check_faces(&a, &b, true, false, &result) + check_faces(&b, &a, false, false, &result));
  free(places);
  syn_collider_destroy(collider);
  syn_tetmesh_destroy(fixed.mesh);
  syn_tetmesh_destroy(mobile.mesh);
}

static void check_hash(test_random *random, double jitter, const syn_pose *pose) {
  static cell_body fixed, mobile;
  make_body(random, jitter, false, &fixed);
  make_body(random, jitter, false, &mobile);
  syn_collider *collider = make_by("hash", fixed.mesh, mobile.mesh);
  syn_contacts result = ask(collider, pose);
  const place a = {&fixed, fixed.mesh->vertices, syn_pose_identity()}, b = {&mobile, mobile.mesh->vertices, *pose};
  assert_int_equal(result.count, check_vertices(&a, &b, false, &result));
  assert_true(result.count > 0);
  syn_collider_destroy(collider);
  syn_tetmesh_destroy(fixed.mesh);
  syn_tetmesh_destroy(mobile.mesh);
}

/* Divided into tetrahedra, a vertex on the diagonal of a face was told once for each of them. */
static void test_the_hash_finds_vertices_in_cells_as_the_twin_says(void **state) {
  (void)state;
  test_random random = {35};
  syn_pose pose = syn_pose_identity();
  for (int round = 0; round < 3; ++round) {
    pose = syn_pose_about_axis(vec3(1, 1, 1), random_vec3(&random, 1), 0.4 * round);
    pose.translation = vec3_add(pose.translation, vec3(1.3, 0.7, 0.4));
    check_hash(&random, 0.2, &pose);
  }
  pose = syn_pose_identity();
  pose.translation = vec3(SIDE, 0.5, 0.5); /* vertices in the middle of faces */
  check_hash(&random, 0, &pose);
  static cell_body body;
  make_body(&random, 0.1, true, &body);
  syn_collider *collider = make_by("hash", body.mesh, body.mesh);
  syn_contacts result = ask(collider, NULL);
  const place at = {&body, body.mesh->vertices, syn_pose_identity()};
  assert_int_equal(result.count, check_vertices(&at, &at, true, &result));
  assert_true(result.count > 0);
  syn_collider_destroy(collider);
  syn_tetmesh_destroy(body.mesh);
}

/* One cube as a hexahedron is one cell; divided it was six, and its inner faces met what its outer ones did. */
static void test_a_file_with_hexahedra_keeps_them(void **state) {
  (void)state;
  static const char *const text = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 double\n"
                                  "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.5 0.5 2\n"
                                  "CELLS 2 15\n8 0 1 2 3 4 5 6 7\n5 4 5 6 7 8\nCELL_TYPES 2\n12 14\n";
  syn_error error;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry geometry = parsed_text(&context, "cube.vtk", text);
  syn_tetmesh *mesh;
  assert_int_equal(geometry.cell_count, 2);
  ASSERT_OK(syn_tetmesh_from_geometry(&context, &geometry, &mesh, &error));
  assert_int_equal(mesh->cell_count, 2);
  assert_int_equal(mesh->cells[0].kind, SYN_CELL_IS_HEXAHEDRON);
  assert_int_equal(mesh->cells[1].kind, SYN_CELL_IS_PYRAMID);
  assert_int_equal(mesh->cells[1].first_tet, mesh->cells[0].tet_count);
  syn_cell wrong[2] = {geometry.cells[0], geometry.cells[1]};
  wrong[1].v[3] = 9;
  syn_geometry spoiled = geometry;
  spoiled.cells = wrong;
  syn_tetmesh *none;
  ASSERT_FAILS(syn_tetmesh_from_geometry(&context, &spoiled, &none, &error), SYN_BAD_MESH, "cell 1");
  syn_collider *collider = make(mesh, mesh);
  assert_int_equal(ask(collider, NULL).count, 0); /* neighbours share corners */
  syn_collider_destroy(collider);
  syn_tetmesh_destroy(mesh);
  syn_geometry_free(&context, &geometry);
  assert_int_equal(memory.live, 0);
}

static syn_status live_once(const syn_context *context, void *user, syn_error *error) {
  const syn_geometry *geometry = user;
  syn_tetmesh *mesh;
  syn_collider *collider;
  SYN_TRY(syn_tetmesh_from_geometry(context, geometry, &mesh, error));
  const syn_status status = syn_collider_create(context, "buckettree", &(syn_body){.volume = mesh},
                                                &(syn_body){.volume = mesh}, NULL, &collider, error);
  if (status == SYN_OK) syn_collider_destroy(collider);
  syn_tetmesh_destroy(mesh);
  return status;
}

static void test_every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_random random = {34};
  static cell_body body;
  make_body(&random, 0.1, true, &body);
  syn_geometry geometry = syn_tetmesh_geometry(body.mesh);
  check_every_allocation(live_once, &geometry);
  syn_tetmesh_destroy(body.mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cells_of_two_bodies_meet_as_the_twin_says),
      cmocka_unit_test(test_a_body_of_cells_meets_itself_as_the_twin_says),
      cmocka_unit_test(test_an_update_answers_as_the_twin_says),
      cmocka_unit_test(test_the_hash_finds_vertices_in_cells_as_the_twin_says),
      cmocka_unit_test(test_a_file_with_hexahedra_keeps_them),
      cmocka_unit_test(test_every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
