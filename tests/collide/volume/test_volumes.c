/* The methods on tetrahedra, against every element tried with every other. */
#include "support.h"
#include "v_body.h"

#include "base/vec.h"
#include "geometry/convex_contact.h"
#include "mesh/tet/tet_topology.h"

enum { MOST = 20000 };

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static syn_tetmesh *make_tets(const syn_vec3 *vertices, uint32_t vertex_count, const syn_tet *tets, uint32_t count) {
  syn_tetmesh *mesh;
  syn_error error;
  ASSERT_OK(syn_tetmesh_create(NULL, vertices, vertex_count, tets, count, &mesh, &error));
  return mesh;
}

/* Tetrahedra over random points, or points of a small grid where much touches and much is flat. */
static syn_tetmesh *tet_soup(test_random *random, bool grid, uint32_t vertices, uint32_t tets, double size) {
  syn_vec3 points[64];
  syn_tet cells[64];
  for (uint32_t v = 0; v < vertices; ++v) {
    points[v] = random_vec3(random, size);
    if (grid) points[v] = vec3(round(points[v].x * 2) / 2, round(points[v].y * 2) / 2, round(points[v].z * 2) / 2);
  }
  for (uint32_t t = 0; t < tets; ++t)
    for (int c = 0; c < 4; ++c) cells[t].v[c] = random_below(random, vertices);
  return make_tets(points, vertices, cells, tets);
}

/* The legs of a V turned towards each other by `angle`: beyond 30 degrees they cross. */
static void close_legs(const syn_tetmesh *mesh, double angle, syn_vec3 *places) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const syn_vec3 p = mesh->vertices[v];
    const double turn = p.y > 0 ? -angle : angle;
    places[v] = vec3(p.x * cos(turn) - p.y * sin(turn), p.x * sin(turn) + p.y * cos(turn), p.z);
  }
}

/* ---- the slow twins ---------------------------------------------------------------------------------------------- */

typedef struct found {
  size_t count;
  struct {
    uint32_t mobile, fixed;
    syn_contact_of of;
  } pairs[MOST];
} found;

static void find(found *all, syn_contact_of of, uint32_t fixed, uint32_t mobile) {
  assert_true(all->count < MOST);
  all->pairs[all->count].of = of;
  all->pairs[all->count].fixed = fixed;
  all->pairs[all->count++].mobile = mobile;
}

static int compare_found(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
  if (a[1] != b[1]) return a[1] < b[1] ? -1 : 1;
  return (a[2] > b[2]) - (a[2] < b[2]);
}

static void corners_of(const syn_tetmesh *mesh, const syn_vec3 *places, const syn_pose *pose, uint32_t t,
                       syn_vec3 corners[4]) {
  for (int c = 0; c < 4; ++c) corners[c] = syn_pose_point(pose, places[mesh->tets[t].v[c]]);
}

static bool has_vertex(const syn_tet *tet, uint32_t v) {
  return tet->v[0] == v || tet->v[1] == v || tet->v[2] == v || tet->v[3] == v;
}

static bool in_use(const syn_tetmesh *mesh, uint32_t v) {
  for (uint32_t t = 0; t < mesh->tet_count; ++t)
    if (has_vertex(&mesh->tets[t], v)) return true;
  return false;
}

static void find_vertices(const syn_tetmesh *fixed, const syn_vec3 *fixed_places, const syn_tetmesh *mobile,
                          const syn_vec3 *places, const syn_pose *pose, bool self, found *all) {
  const syn_pose identity = syn_pose_identity();
  all->count = 0;
  for (uint32_t v = 0; v < mobile->vertex_count; ++v) {
    if (!in_use(mobile, v)) continue;
    const syn_vec3 point = syn_pose_point(pose, places[v]);
    for (uint32_t t = 0; t < fixed->tet_count; ++t) {
      syn_vec3 corners[4];
      corners_of(fixed, fixed_places, &identity, t, corners);
      if (self && has_vertex(&fixed->tets[t], v)) continue;
      if (syn_point_in_tet(point, corners)) find(all, SYN_OF_VERTEX_TET, t, v);
    }
  }
}

/* Every surface face of one against every tetrahedron of the other. */
static void find_faces(const syn_tetmesh *surface, const syn_vec3 *surface_places, const syn_pose *surface_pose,
                       const syn_tetmesh *volume, const syn_vec3 *volume_places, const syn_pose *volume_pose, bool self,
                       bool surface_moves, found *all) {
  uint32_t *same;
  syn_error error;
  ASSERT_OK(syn_tet_same_faces(surface, &same, &error));
  for (uint32_t face = 0; face < 4 * surface->tet_count; ++face) {
    if (same[face] != face) continue;
    syn_vec3 corners[4], triangle[3];
    corners_of(surface, surface_places, surface_pose, face / 4, corners);
    for (int c = 0; c < 3; ++c) triangle[c] = corners[syn_tet_face[face % 4][c]];
    const syn_box box = syn_box_of_points(triangle, 3);
    for (uint32_t t = 0; t < volume->tet_count; ++t) {
      syn_vec3 other[4];
      bool neighbours = false;
      for (int c = 0; self && c < 4; ++c) neighbours |= has_vertex(&volume->tets[t], surface->tets[face / 4].v[c]);
      if (neighbours) continue;
      corners_of(volume, volume_places, volume_pose, t, other);
      const syn_box other_box = syn_box_of_points(other, 4);
      if (!box_overlap(&box, &other_box) || !syn_triangle_meets_tet(triangle, other)) continue;
      if (surface_moves)
        find(all, SYN_OF_TET_FACE, t, face);
      else
        find(all, SYN_OF_FACE_TET, face, t);
    }
  }
  syn_free(NULL, same);
}

static void find_all(const char *method, const syn_tetmesh *fixed, const syn_vec3 *fixed_places,
                     const syn_tetmesh *mobile, const syn_vec3 *places, const syn_pose *pose, found *all) {
  const syn_pose identity = syn_pose_identity();
  const bool self = fixed == mobile;
  all->count = 0;
  if (self) pose = &identity;
  if (strcmp(method, "hash") == 0) {
    find_vertices(fixed, fixed_places, mobile, places, pose, self, all);
  } else {
    find_faces(mobile, places, pose, fixed, fixed_places, &identity, self, true, all);
    if (!self) find_faces(fixed, fixed_places, &identity, mobile, places, pose, false, false, all);
  }
  qsort(all->pairs, all->count, sizeof *all->pairs, compare_found);
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static const char *const methods[] = {"hash", "buckettree"};
enum { METHODS = 2 };

static syn_collider *make(const syn_context *context, const char *method, const syn_tetmesh *fixed,
                          const syn_tetmesh *mobile) {
  const syn_body f = {.volume = fixed}, m = {.volume = mobile};
  syn_collider *collider;
  syn_error error;
  ASSERT_OK(syn_collider_create(context, method, &f, &m, NULL, &collider, &error));
  return collider;
}

static void check_against(const syn_collider *collider, const syn_pose *pose, const found *all) {
  static syn_contact contacts[MOST];
  syn_contacts result = {.contacts = contacts, .capacity = MOST}, first = {.first_only = true};
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  syn_collider_query(collider, pose, scratch, &result);
  assert_int_equal(result.count, all->count);
  assert_int_equal(result.penetrating, all->count > 0);
  for (size_t i = 0; i < all->count; ++i) {
    assert_int_equal(contacts[i].mobile_element, all->pairs[i].mobile);
    assert_int_equal(contacts[i].fixed_element, all->pairs[i].fixed);
    assert_int_equal(contacts[i].of, all->pairs[i].of);
    assert_true(vec3_finite(contacts[i].point));
  }
  syn_collider_query(collider, pose, scratch, &first);
  assert_int_equal(first.count, all->count > 0);
  free(scratch);
}

static void random_tetrahedra_give_the_same_as_trying_all(void **state) {
  (void)state;
  test_random random = {131};
  static found all;
  size_t total[METHODS] = {0}, self_total[METHODS] = {0};
  for (int round = 0; round < repeats(150, 6); ++round) {
    const bool grid = round % 2;
    syn_tetmesh *fixed = tet_soup(&random, grid, 40, 1 + random_below(&random, 12), 1);
    syn_tetmesh *mobile = tet_soup(&random, grid, 40, 1 + random_below(&random, 12), round % 3 ? 1 : 0.2);
    for (int k = 0; k < METHODS; ++k) {
      syn_collider *collider = make(NULL, methods[k], fixed, mobile), *self = make(NULL, methods[k], fixed, fixed);
      for (int i = 0; i < 7; ++i) {
        syn_pose pose = random_pose(&random, 1);
        if (i % 2) pose.rotation = syn_pose_identity().rotation;
        if (i == 1) pose.translation = vec3(0, 0.5, -0.5);
        find_all(methods[k], fixed, fixed->vertices, mobile, mobile->vertices, &pose, &all);
        total[k] += all.count;
        check_against(collider, &pose, &all);
      }
      find_all(methods[k], fixed, fixed->vertices, fixed, fixed->vertices, NULL, &all);
      self_total[k] += all.count;
      check_against(self, NULL, &all);
      syn_collider_destroy(collider);
      syn_collider_destroy(self);
    }
    syn_tetmesh_destroy(fixed);
    syn_tetmesh_destroy(mobile);
  }
  for (int k = 0; k < METHODS; ++k)
    assert_true(total[k] > (size_t)repeats(1000, 1) && self_total[k] > (size_t)repeats(100, 1));
}

/* ---- two bodies and themselves ---- */

static void add_self(const syn_tetmesh *mesh, const syn_vec3 *places, syn_contact_of of, found *all) {
  static found self;
  find_all("buckettree", mesh, places, mesh, places, NULL, &self);
  for (size_t i = 0; i < self.count; ++i) find(all, of, self.pairs[i].fixed, self.pairs[i].mobile);
}

/* Erleben & Sporring 2005, Listing 1.5.1: the tissues against each other and each against itself, at rest and deformed.
 */
static void one_collider_finds_collisions_and_those_of_each_body_with_itself(void **state) {
  (void)state;
  test_random random = {137};
  static found all;
  size_t kinds[SYN_CONTACT_OF_KINDS] = {0};
  for (int round = 0; round < repeats(100, 2); ++round) {
    syn_tetmesh *fixed = tet_soup(&random, round % 2, 40, 1 + random_below(&random, 12), 1);
    syn_tetmesh *mobile = tet_soup(&random, round % 2, 40, 1 + random_below(&random, 12), 1);
    const syn_body f = {.volume = fixed}, m = {.volume = mobile};
    syn_collide_options options = syn_default_collide_options();
    syn_vec3 places[2][64];
    syn_collider *collider;
    syn_error error;
    options.with_self = true;
    ASSERT_OK(syn_collider_create(NULL, "buckettree", &f, &m, &options, &collider, &error));
    for (int step = 0; step < 4; ++step) {
      const syn_pose pose = random_pose(&random, 1);
      for (uint32_t v = 0; v < 40; ++v) {
        places[0][v] = vec3_madd(fixed->vertices[v], step ? 0.2 : 0, random_vec3(&random, 1));
        places[1][v] = vec3_madd(mobile->vertices[v], step ? 0.2 : 0, random_vec3(&random, 1));
      }
      ASSERT_OK(syn_collider_update(collider, places[0], places[1], &error));
      find_all("buckettree", fixed, places[0], mobile, places[1], &pose, &all);
      add_self(fixed, places[0], SYN_OF_FIXED_SELF, &all);
      add_self(mobile, places[1], SYN_OF_MOBILE_SELF, &all);
      qsort(all.pairs, all.count, sizeof *all.pairs, compare_found);
      for (size_t i = 0; i < all.count; ++i) ++kinds[all.pairs[i].of];
      check_against(collider, &pose, &all);
    }
    syn_collider_destroy(collider);
    syn_tetmesh_destroy(fixed);
    syn_tetmesh_destroy(mobile);
  }
  const size_t enough = (size_t)repeats(200, 1);
  assert_true(kinds[SYN_OF_FIXED_SELF] > enough && kinds[SYN_OF_MOBILE_SELF] > enough &&
              kinds[SYN_OF_TET_FACE] > enough);
}

/* Whatever is given as contacts of the last step, the bodies collide or do not; the contact is a true one. */
static void the_last_contacts_never_change_the_answer(void **state) {
  (void)state;
  test_random random = {139};
  static found all;
  static syn_contact last[MOST], contact;
  size_t colliding = 0, apart = 0;
  for (int round = 0; round < repeats(60, 6); ++round) {
    syn_tetmesh *fixed = tet_soup(&random, round % 2, 40, 1 + random_below(&random, 12), 1);
    syn_tetmesh *mobile = tet_soup(&random, round % 2, 40, 1 + random_below(&random, 12), round % 3 ? 1 : 0.3);
    syn_collider *collider = make(NULL, "buckettree", fixed, mobile);
    syn_pose pose = random_pose(&random, 1);
    void *scratch = malloc(syn_collider_scratch(collider) + 1);
    syn_contacts whole = {.contacts = last, .capacity = MOST};
    for (int step = 0; step < 20; ++step) {
      find_all("buckettree", fixed, fixed->vertices, mobile, mobile->vertices, &pose, &all);
      syn_contacts first = {.contacts = &contact, .capacity = 1, .first_only = true, .last = last};
      first.last_count = whole.count;
      if (step % 5 == 4) { /* nonsense */
        first.last_count = 30;
        for (int i = 0; i < 30; ++i)
          last[i] = (syn_contact){(syn_contact_of)random_below(&random, SYN_CONTACT_OF_KINDS),
                                  random_below(&random, 90),
                                  random_below(&random, 90) * (i % 3 ? 1 : 99999999u),
                                  0,
                                  {0, 0, 0},
                                  {0, 0, 0}};
      }
      syn_collider_query(collider, &pose, scratch, &first);
      assert_int_equal(first.penetrating, all.count > 0);
      assert_int_equal(first.count, all.count > 0);
      bool known = all.count == 0;
      for (size_t i = 0; i < all.count; ++i)
        known |= all.pairs[i].of == contact.of && all.pairs[i].fixed == contact.fixed_element &&
                 all.pairs[i].mobile == contact.mobile_element;
      assert_true(known);
      *(all.count ? &colliding : &apart) += 1;
      syn_collider_query(collider, &pose, scratch, &whole);
      pose.translation = vec3_madd(pose.translation, 0.1, random_vec3(&random, 1));
    }
    free(scratch);
    syn_collider_destroy(collider);
    syn_tetmesh_destroy(fixed);
    syn_tetmesh_destroy(mobile);
  }
  assert_true(colliding > (size_t)repeats(300, 1) && apart > (size_t)repeats(100, 1));
}

static void other_methods_refuse_it(void **state) {
  (void)state;
  syn_joint *v = make_v(1, 2);
  syn_collide_options options = syn_default_collide_options();
  syn_collider *collider;
  syn_error error;
  options.with_self = true;
  ASSERT_FAILS(syn_collider_create(NULL, "hash", &v->bodies[0], &v->bodies[0], &options, &collider, &error),
               SYN_BAD_ARGUMENT, "buckettree does");
  syn_joint_destroy(v);
}

/* The scene of Erleben & Sporring 2005, Fig. 1.5.4: two V's are drawn through each other. */
static void two_v_drawn_through_each_other(void **state) {
  (void)state;
  static found all;
  syn_joint *v = make_v(2, 9), *w = make_v(3, 6);
  const syn_tetmesh *fixed = v->bodies[0].volume, *mobile = w->bodies[0].volume;
  size_t most = 0;
  for (int k = 0; k < METHODS; ++k) {
    syn_collider *collider = make(NULL, methods[k], fixed, mobile);
    for (int step = 0; step < 4; ++step) {
      const syn_pose pose = {syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 3), 0.7 * step).rotation,
                             vec3(90 - 30 * step, 1.234, 0.5)};
      find_all(methods[k], fixed, fixed->vertices, mobile, mobile->vertices, &pose, &all);
      check_against(collider, &pose, &all);
      if (all.count > most) most = all.count;
    }
    syn_collider_destroy(collider);
  }
  assert_true(most > 200);
  syn_joint_destroy(v);
  syn_joint_destroy(w);
}

/* The scene of Erleben & Sporring 2005, Fig. 1.5.6: the legs of one V swing through each other. One collider lives
 * through all steps and must give the result of a new one. */
static void the_legs_of_a_v_swing_through_each_other(void **state) {
  (void)state;
  static found all;
  syn_error error;
  syn_joint *v = make_v(2, 10);
  const syn_tetmesh *mesh = v->bodies[0].volume;
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  for (int k = 0; k < METHODS; ++k) {
    syn_collider *collider = make(NULL, methods[k], mesh, mesh);
    size_t crossing = 0;
    for (int step = 0; step < 5; ++step) {
      close_legs(mesh, 0.3 * sin(step) + 0.35, places);
      /* of one body with itself either list will do */
      ASSERT_OK(syn_collider_update(collider, step % 2 ? places : NULL, step % 2 ? NULL : places, &error));
      find_all(methods[k], mesh, places, mesh, places, NULL, &all);
      check_against(collider, NULL, &all);
      crossing += all.count;
      syn_tetmesh *bent = make_tets(places, mesh->vertex_count, mesh->tets, mesh->tet_count);
      syn_collider *fresh = make(NULL, methods[k], bent, bent);
      check_against(fresh, NULL, &all);
      syn_collider_destroy(fresh);
      syn_tetmesh_destroy(bent);
    }
    assert_true(crossing > 50);
    ASSERT_OK(syn_collider_update(collider, NULL, mesh->vertices, &error));
    all.count = 0;
    check_against(collider, NULL, &all);
    syn_collider_destroy(collider);
  }
  free(places);
  syn_joint_destroy(v);
}

static void updates_of_two_bodies_say_what_a_fresh_build_says(void **state) {
  (void)state;
  test_random random = {132};
  static found all;
  syn_error error;
  for (int round = 0; round < repeats(30, 1); ++round) {
    syn_tetmesh *fixed = tet_soup(&random, false, 30, 8, 1), *mobile = tet_soup(&random, false, 30, 8, 1);
    syn_vec3 moved[30], bent[30];
    const double size = pow(10, random_between(&random, -2, 2)); /* also far larger and smaller than before */
    for (int v = 0; v < 30; ++v) {
      moved[v] = random_vec3(&random, 1);
      bent[v] = vec3_scale(random_vec3(&random, 1), size);
    }
    const syn_pose pose = random_pose(&random, 0.3);
    for (int k = 0; k < METHODS; ++k) {
      syn_collider *collider = make(NULL, methods[k], fixed, mobile);
      ASSERT_OK(syn_collider_update(collider, NULL, moved, &error));
      find_all(methods[k], fixed, fixed->vertices, mobile, moved, &pose, &all);
      check_against(collider, &pose, &all);
      ASSERT_OK(syn_collider_update(collider, bent, NULL, &error));
      find_all(methods[k], fixed, bent, mobile, moved, &pose, &all);
      check_against(collider, &pose, &all);
      ASSERT_OK(syn_collider_update(collider, NULL, bent, &error));
      find_all(methods[k], fixed, bent, mobile, bent, &pose, &all);
      check_against(collider, &pose, &all);
      moved[3].z = INFINITY;
      ASSERT_FAILS(syn_collider_update(collider, NULL, moved, &error), SYN_BAD_MESH, "vertex 3 is not finite");
      ASSERT_FAILS(syn_collider_update(collider, moved, NULL, &error), SYN_BAD_MESH, "vertex 3 is not finite");
      ASSERT_FAILS(syn_collider_update(collider, mobile->vertices, moved, &error), SYN_BAD_MESH,
                   "vertex 3 is not finite"); /* and the good one has not moved either */
      moved[3].z = 0;
      check_against(collider, &pose, &all);
      syn_collider_destroy(collider);
    }
    syn_tetmesh_destroy(fixed);
    syn_tetmesh_destroy(mobile);
  }
}

/* One huge tetrahedron among tiny ones, points in a row, all in one place. */
static void uneven_and_flat_bodies_are_no_trouble(void **state) {
  (void)state;
  test_random random = {133};
  static found all;
  for (int round = 0; round < 16; ++round) {
    syn_tetmesh *fixed = tet_soup(&random, false, 40, 20, 1), *mobile = tet_soup(&random, false, 40, 20, 1);
    syn_vec3 places[40];
    for (int v = 0; v < 40; ++v) {
      const syn_vec3 p = fixed->vertices[v];
      const int kind = round % 4;
      places[v] = kind == 0   ? vec3_scale(p, v < 4 ? 1e6 : 1)
                  : kind == 1 ? vec3(p.x * 1e9, 0, 0)
                  : kind == 2 ? vec3(0.25, 0.5, 0.75)
                              : vec3(p.x, p.y, p.z * 1e-12);
    }
    syn_tetmesh *odd = make_tets(places, 40, fixed->tets, fixed->tet_count);
    const syn_pose pose = random_pose(&random, 0.3);
    for (int k = 0; k < METHODS; ++k) {
      syn_collider *a = make(NULL, methods[k], odd, mobile), *b = make(NULL, methods[k], mobile, odd);
      syn_collider *self = make(NULL, methods[k], odd, odd);
      find_all(methods[k], odd, places, mobile, mobile->vertices, &pose, &all);
      check_against(a, &pose, &all);
      find_all(methods[k], mobile, mobile->vertices, odd, places, &pose, &all);
      check_against(b, &pose, &all);
      find_all(methods[k], odd, places, odd, places, NULL, &all);
      check_against(self, NULL, &all);
      syn_collider_destroy(a);
      syn_collider_destroy(b);
      syn_collider_destroy(self);
    }
    syn_tetmesh_destroy(odd);
    syn_tetmesh_destroy(fixed);
    syn_tetmesh_destroy(mobile);
  }
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void an_empty_body_meets_nothing(void **state) {
  (void)state;
  test_random random = {134};
  static found none;
  syn_tetmesh *empty = make_tets(NULL, 0, NULL, 0), *full = tet_soup(&random, false, 10, 5, 1);
  none.count = 0;
  for (int k = 0; k < METHODS; ++k) {
    const syn_tetmesh *const pairs[3][2] = {{empty, full}, {full, empty}, {empty, empty}};
    for (int i = 0; i < 3; ++i) {
      syn_collider *collider = make(NULL, methods[k], pairs[i][0], pairs[i][1]);
      check_against(collider, NULL, &none);
      syn_collider_destroy(collider);
    }
  }
  syn_tetmesh_destroy(empty);
  syn_tetmesh_destroy(full);
}

typedef struct life {
  const char *method;
  const syn_tetmesh *fixed, *mobile;
  const syn_vec3 *places;
} life;

static syn_status live(const syn_context *context, void *user, syn_error *error) {
  const life *l = user;
  const syn_body f = {.volume = l->fixed}, m = {.volume = l->mobile};
  syn_collider *collider;
  syn_status status = syn_collider_create(context, l->method, &f, &m, NULL, &collider, error);
  if (status != SYN_OK) return status;
  status = syn_collider_update(collider, l->places, l->places, error);
  syn_contacts result = {0}; /* must not fall over, whatever became of the update */
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  syn_collider_query(collider, NULL, scratch, &result);
  free(scratch);
  syn_collider_destroy(collider);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_joint *v = make_v(2, 6);
  const syn_tetmesh *mesh = v->bodies[0].volume;
  syn_tetmesh *twin = make_tets(mesh->vertices, mesh->vertex_count, mesh->tets, mesh->tet_count);
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  close_legs(mesh, 0.6, places);
  for (int k = 0; k < METHODS; ++k) {
    life self = {methods[k], mesh, mesh, places}, both = {methods[k], mesh, twin, places};
    check_every_allocation(live, &self);
    check_every_allocation(live, &both);
  }
  free(places);
  syn_tetmesh_destroy(twin);
  syn_joint_destroy(v);
}

static void a_missing_volume_is_an_error(void **state) {
  (void)state;
  const syn_body body = {0};
  syn_collider *collider;
  syn_error error;
  for (int k = 0; k < METHODS; ++k)
    ASSERT_FAILS(syn_collider_create(NULL, methods[k], &body, &body, NULL, &collider, &error), SYN_BAD_ARGUMENT,
                 "tetrahedral mesh");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_tetrahedra_give_the_same_as_trying_all),
      cmocka_unit_test(one_collider_finds_collisions_and_those_of_each_body_with_itself),
      cmocka_unit_test(the_last_contacts_never_change_the_answer),
      cmocka_unit_test(other_methods_refuse_it),
      cmocka_unit_test(two_v_drawn_through_each_other),
      cmocka_unit_test(the_legs_of_a_v_swing_through_each_other),
      cmocka_unit_test(updates_of_two_bodies_say_what_a_fresh_build_says),
      cmocka_unit_test(uneven_and_flat_bodies_are_no_trouble),
      cmocka_unit_test(an_empty_body_meets_nothing),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(a_missing_volume_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
