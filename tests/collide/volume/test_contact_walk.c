/* Contacts followed through neighbours, against every face tried with every cell. */
#include "support.h"
#include "v_body.h"

#include "base/vec.h"
#include "geometry/convex_contact.h"
#include "mesh/tet/tet_topology.h"

enum { MOST = 20000 };

/* ---- the slow twin ----------------------------------------------------------------------------------------------- */

static bool share_vertex(const uint32_t *a, int count, const uint32_t *b, int others) {
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < others; ++k)
      if (a[i] == b[k]) return true;
  return false;
}

static void face_vertices(const syn_tetmesh *mesh, uint32_t face, uint32_t vertices[3]) {
  for (int c = 0; c < 3; ++c) vertices[c] = mesh->tets[face / 4].v[syn_tet_face[face % 4][c]];
}

/* All pairs of a surface face of one mesh and a tetrahedron of the other that meet; returns how many. */
static size_t add_pairs(const syn_tetmesh *surface, const syn_vec3 *places, const syn_tetmesh *volume,
                        const syn_vec3 *others, bool face_moves, const syn_pose *pose, syn_contact *pairs) {
  uint32_t *same;
  size_t count = 0;
  syn_error error;
  const bool self = surface == volume;
  ASSERT_OK(syn_tet_same_faces(surface, &same, &error));
  for (uint32_t face = 0; face < 4 * surface->tet_count; ++face) {
    uint32_t corners[3];
    syn_vec3 triangle[3];
    if (same[face] != face) continue;
    face_vertices(surface, face, corners);
    for (int c = 0; c < 3; ++c)
      triangle[c] = face_moves && !self ? syn_pose_point(pose, places[corners[c]]) : places[corners[c]];
    const syn_box box = syn_box_of_points(triangle, 3);
    for (uint32_t t = 0; t < volume->tet_count; ++t) {
      syn_vec3 cell[4];
      if (self && share_vertex(surface->tets[face / 4].v, 4, volume->tets[t].v, 4)) continue;
      for (int c = 0; c < 4; ++c) {
        cell[c] = others[volume->tets[t].v[c]];
        if (!face_moves) cell[c] = syn_pose_point(pose, cell[c]);
      }
      const syn_box other = syn_box_of_points(cell, 4);
      if (!box_overlap(&box, &other) || !syn_triangle_meets_tet(triangle, cell)) continue;
      assert_true(count < MOST);
      pairs[count++] = face_moves ? (syn_contact){.of = SYN_OF_TET_FACE, .fixed_element = t, .mobile_element = face}
                                  : (syn_contact){.of = SYN_OF_FACE_TET, .fixed_element = face, .mobile_element = t};
    }
  }
  syn_free(NULL, same);
  return count;
}

typedef struct scene {
  const syn_tetmesh *meshes[2]; /* fixed, mobile */
  const syn_vec3 *places[2];
  syn_pose pose;
} scene;

static size_t all_pairs(const scene *s, syn_contact *pairs) {
  const size_t count = add_pairs(s->meshes[1], s->places[1], s->meshes[0], s->places[0], true, &s->pose, pairs);
  if (s->meshes[0] == s->meshes[1]) return count;
  return count + add_pairs(s->meshes[0], s->places[0], s->meshes[1], s->places[1], false, &s->pose, pairs + count);
}

/* One face and two cells, or two faces and one cell, that share a vertex. */
static bool neighbours(const scene *s, const syn_contact *a, const syn_contact *b) {
  if (a->of != b->of) return false;
  const bool moves = a->of == SYN_OF_TET_FACE;
  const uint32_t face[2] = {moves ? a->mobile_element : a->fixed_element, moves ? b->mobile_element : b->fixed_element};
  const uint32_t cell[2] = {moves ? a->fixed_element : a->mobile_element, moves ? b->fixed_element : b->mobile_element};
  uint32_t corners[2][3];
  for (int k = 0; k < 2; ++k) face_vertices(s->meshes[moves], face[k], corners[k]);
  const syn_tet *tets = s->meshes[!moves]->tets;
  return (face[0] == face[1] && share_vertex(tets[cell[0]].v, 4, tets[cell[1]].v, 4)) ||
         (cell[0] == cell[1] && share_vertex(corners[0], 3, corners[1], 3));
}

/* Those of `pairs` that are around the last ones, and whatever hangs together with them; marked. */
static size_t spread(const scene *s, const syn_contact *last, size_t last_count, const syn_contact *pairs, size_t count,
                     bool *reached) {
  static size_t waiting[MOST];
  size_t first = 0, end = 0;
  for (size_t i = 0; i < count; ++i) {
    reached[i] = false;
    for (size_t k = 0; k < last_count && !reached[i]; ++k) reached[i] = neighbours(s, &last[k], &pairs[i]);
    if (reached[i]) waiting[end++] = i;
  }
  for (; first < end; ++first)
    for (size_t i = 0; i < count; ++i)
      if (!reached[i] && neighbours(s, &pairs[waiting[first]], &pairs[i])) {
        reached[i] = true;
        waiting[end++] = i;
      }
  return end;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static bool is_among(const syn_contact *contact, const syn_contacts *result) {
  for (size_t i = 0; i < result->count; ++i)
    if (result->contacts[i].of == contact->of && result->contacts[i].fixed_element == contact->fixed_element &&
        result->contacts[i].mobile_element == contact->mobile_element)
      return true;
  return false;
}

/* A step gives what hangs together with the last contacts and nothing else; returns how many others there are. */
static size_t check_step(syn_contact_walk *walk, const scene *s, const syn_contact *last, size_t last_count,
                         syn_contacts *result) {
  static syn_contact pairs[MOST];
  static bool reached[MOST];
  syn_error error;
  const size_t count = all_pairs(s, pairs), expected = spread(s, last, last_count, pairs, count, reached);
  result->last = last;
  result->last_count = last_count;
  ASSERT_OK(syn_contact_walk_step(walk, s->places[0], s->places[1], &s->pose, result, &error));
  assert_int_equal(result->count, expected);
  assert_int_equal(result->penetrating, expected > 0);
  for (size_t i = 0; i < count; ++i) assert_int_equal(is_among(&pairs[i], result), reached[i]);
  return count - expected;
}

/* What BucketTree finds: where a walk begins. */
static size_t begin(const scene *s, syn_contact *contacts) {
  const syn_body f = {.volume = s->meshes[0]}, m = {.volume = s->meshes[1]};
  syn_collider *collider;
  syn_error error;
  ASSERT_OK(syn_collider_create(NULL, "buckettree", &f, &m, NULL, &collider, &error));
  ASSERT_OK(syn_collider_update(collider, s->places[0], s->places[1], &error));
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  syn_contacts result = {.contacts = contacts, .capacity = MOST};
  assert_int_equal(syn_collider_query(collider, &s->pose, scratch, &result), SYN_OK);
  assert_true(result.count <= MOST);
  free(scratch);
  syn_collider_destroy(collider);
  return result.count;
}

static scene scene_of(const syn_joint *fixed, const syn_joint *mobile) {
  const syn_tetmesh *a = fixed->bodies[0].volume, *b = mobile->bodies[0].volume;
  return (scene){{a, b}, {a->vertices, b->vertices}, syn_pose_identity()};
}

/* Erleben & Sporring 2005, Fig. 1.5.4: two Vs are drawn out of each other in small steps; each step starts from the
 * contacts of the one before. Both arms of a V may come apart: nothing is missed as long as contacts only end. */
static void contacts_are_followed_while_bodies_part(void **state) {
  (void)state;
  static syn_contact found[2][MOST];
  syn_joint *v = make_v(2, 9), *w = make_v(3, 6);
  scene s = scene_of(v, w);
  syn_contact_walk *walk;
  syn_error error;
  ASSERT_OK(syn_contact_walk_create(NULL, s.meshes[0], s.meshes[1], &walk, &error));
  size_t steps = 0, missed = 0, last = 0;
  for (int i = 0; i < 20; ++i) {
    s.pose = (syn_pose){syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 3), 0.7 + 0.004 * i).rotation,
                        vec3(20 + 1.1 * i, 1.234, 0.5)};
    if (i == 0) last = begin(&s, found[0]);
    syn_contacts result = {.contacts = found[(i + 1) % 2], .capacity = MOST};
    missed += check_step(walk, &s, found[i % 2], last, &result);
    steps += last > 0;
    last = result.count;
  }
  assert_true(steps > 10);
  assert_int_equal(missed, 0);
  syn_contact_walk_destroy(walk);
  syn_joint_destroy(v);
  syn_joint_destroy(w);
}

/* The legs of a V swing through each other (Fig. 1.5.6): its own contacts, while it deforms. */
static void a_body_is_followed_through_itself(void **state) {
  (void)state;
  static syn_contact found[2][MOST];
  syn_joint *v = make_v(2, 10);
  scene s = scene_of(v, v);
  const syn_tetmesh *mesh = s.meshes[0];
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  syn_contact_walk *walk;
  syn_error error;
  size_t last = 0, steps = 0;
  ASSERT_OK(syn_contact_walk_create(NULL, mesh, mesh, &walk, &error));
  s.places[0] = s.places[1] = places;
  for (int i = 0; i < 12; ++i) {
    for (uint32_t k = 0; k < mesh->vertex_count; ++k) {
      const syn_vec3 p = mesh->vertices[k];
      const double turn = (p.y > 0 ? -1 : 1) * (0.62 - 0.006 * i);
      places[k] = vec3(p.x * cos(turn) - p.y * sin(turn), p.x * sin(turn) + p.y * cos(turn), p.z);
    }
    if (i == 0) last = begin(&s, found[0]);
    syn_contacts result = {.contacts = found[(i + 1) % 2], .capacity = MOST};
    check_step(walk, &s, found[i % 2], last, &result);
    steps += result.count > 0;
    last = result.count;
  }
  assert_true(steps > 5);
  free(places);
  syn_contact_walk_destroy(walk);
  syn_joint_destroy(v);
}

/* Two bodies that touch, and a walk over them. */
typedef struct touching {
  syn_joint *v, *w;
  scene scene;
  syn_contact_walk *walk;
  size_t all; /* contacts at first */
} touching;

static touching make_touching(syn_contact *found) {
  syn_error error;
  touching t = {.v = make_v(2, 9), .w = make_v(3, 6)};
  t.scene = scene_of(t.v, t.w);
  t.scene.pose.translation = vec3(20, 1.234, 0.5);
  ASSERT_OK(syn_contact_walk_create(NULL, t.scene.meshes[0], t.scene.meshes[1], &t.walk, &error));
  t.all = begin(&t.scene, found);
  assert_true(t.all > 0);
  return t;
}

static void drop_touching(touching *t) {
  syn_contact_walk_destroy(t->walk);
  syn_joint_destroy(t->v);
  syn_joint_destroy(t->w);
}

/* Where a contact leads to a vertex that cannot be computed, the step fails and names it; elsewhere it is not seen. */
static void vertices_beyond_the_limits_are_refused(void **state) {
  (void)state;
  static const double beyond[] = {1e300, -1.1e12, NAN, INFINITY};
  static syn_contact found[MOST], others[MOST];
  touching t = make_touching(found);
  scene s = t.scene;
  syn_contact_walk *walk = t.walk;
  const size_t all = t.all;
  syn_error error;
  const bool moves = found[0].of == SYN_OF_TET_FACE; /* then the cell is the fixed body's */
  const syn_tetmesh *mesh = s.meshes[!moves];
  const uint32_t near = mesh->tets[moves ? found[0].fixed_element : found[0].mobile_element].v[0];
  syn_vec3 *moved = malloc(mesh->vertex_count * sizeof *moved);
  memcpy(moved, mesh->vertices, mesh->vertex_count * sizeof *moved);
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i) {
    char name[32];
    syn_contacts result = {.contacts = others, .capacity = MOST, .last = found, .last_count = all};
    moved[near].y = beyond[i];
    snprintf(name, sizeof name, "%s vertex %u", moves ? "fixed" : "mobile", near);
    ASSERT_FAILS(syn_contact_walk_step(walk, moves ? moved : NULL, moves ? NULL : moved, &s.pose, &result, &error),
                 SYN_BAD_ARGUMENT, name);
    assert_int_equal(result.count, 0);
    assert_false(result.penetrating);
  }
  free(moved);
  drop_touching(&t);
}

/* What it is not: a search. A body that comes in at another place is not seen, and without a contact nothing is. */
static void a_new_place_of_contact_is_not_found(void **state) {
  (void)state;
  static syn_contact found[MOST], others[MOST];
  touching t = make_touching(found);
  scene s = t.scene;
  syn_contact_walk *walk = t.walk;
  const size_t all = t.all;
  syn_error error;
  syn_contacts result = {.contacts = others, .capacity = MOST};
  assert_int_equal(check_step(walk, &s, found, 0, &result), all);
  assert_int_equal(result.count, 0);
  /* numbers of other meshes and other kinds are passed over; the list may be that of the results */
  for (int i = 0; i < 40; ++i)
    others[i] = (syn_contact){.of = (syn_contact_of)(i % SYN_CONTACT_OF_KINDS),
                              .fixed_element = i < 20 ? 4000000000u : 7,
                              .mobile_element = i < 20 ? 3 : 4000000001u};
  others[40] = found[0];
  result.last = others;
  result.last_count = 41;
  ASSERT_OK(syn_contact_walk_step(walk, NULL, NULL, &s.pose, &result, &error));
  assert_true(result.count > 0 && result.count <= all);
  /* nor does an inner face become a contact, whatever it meets */
  for (uint32_t face = 0; face < 2000; ++face)
    others[face] =
        (syn_contact){.of = SYN_OF_FACE_TET, .fixed_element = face, .mobile_element = found[0].mobile_element};
  result.last_count = 2000;
  ASSERT_OK(syn_contact_walk_step(walk, NULL, NULL, &s.pose, &result, &error));
  assert_true(result.count > 0 && result.count <= all);
  for (size_t i = 0; i < result.count; ++i)
    assert_true(is_among(&others[i], &(syn_contacts){.contacts = found, .count = all}));
  result.last_count = 0;
  s.pose.translation.x = NAN;
  ASSERT_FAILS(syn_contact_walk_step(walk, NULL, NULL, &s.pose, &result, &error), SYN_BAD_ARGUMENT, "");
  syn_contact_walk_destroy(NULL);
  drop_touching(&t);
}

static syn_status live(const syn_context *context, void *user, syn_error *error) {
  static syn_contact found[MOST];
  const scene *s = user;
  syn_contact_walk *walk;
  syn_contacts result = {.contacts = found, .capacity = MOST, .last = found};
  syn_status status = syn_contact_walk_create(context, s->meshes[0], s->meshes[1], &walk, error);
  if (status != SYN_OK) return status;
  result.last_count = begin(s, found);
  status = syn_contact_walk_step(walk, NULL, NULL, &s->pose, &result, error);
  syn_contact_walk_destroy(walk);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_joint *v = make_v(2, 9), *w = make_v(3, 6);
  scene s = scene_of(v, w);
  s.pose.translation = vec3(10, 1.234, 0.5);
  check_every_allocation(live, &s);
  syn_joint_destroy(v);
  syn_joint_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_are_followed_while_bodies_part), cmocka_unit_test(a_body_is_followed_through_itself),
      cmocka_unit_test(vertices_beyond_the_limits_are_refused),  cmocka_unit_test(a_new_place_of_contact_is_not_found),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
