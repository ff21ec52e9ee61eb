/* Topological continuation: what Erleben & Sporring 2005 announce in their conclusion. BucketTree finds the first
 * contacts; from then on a search goes from each contact to the neighbours of its face and of its cell, those that
 * share a vertex with it. It costs what is in contact, not what the bodies consist of: no tree is mapped again.
 *
 * The parts in which a face and a cell meet are convex. Two of them that have a point in common are neighbours, by way
 * of one face and two cells or two faces and one cell; so whatever hangs together with a contact is found, exactly. A
 * new place of contact, apart from all others, is not. */
#include <math.h>
#include <stdio.h>

#include "base/hash_table.h"
#include "base/vec.h"
#include "collide/magnitude.h"
#include "collide/volume/bucket_tree.h"
#include "collide/volume/volume.h"

/* A face of one body's surface and a cell of the other, or of the same body. */
typedef struct walk_pair {
  uint32_t face, cell;
  bool face_moves; /* the face is the mobile body's */
} walk_pair;

struct syn_contact_walk {
  const syn_context *context;
  volume_pair bodies;
  volume_stars stars[2]; /* of the fixed and of the mobile body; with itself only the latter */
  walk_pair *pairs;      /* all that were looked at in this step, in that order */
  size_t count, capacity;
  hash_table known; /* numbers of pairs */
};

typedef struct walk_step {
  syn_contact_walk *walk;
  const syn_vec3 *places[2];
  const syn_pose *pose;
  syn_contacts *result;
} walk_step;

/* ---- pairs that were looked at ------------------------------------------------------------------------------------
 */

static uint64_t hash_of(const walk_pair *p) {
  return hash_finish(hash_add(hash_add(0, (uint64_t)p->face << 32 | p->cell), p->face_moves));
}

static bool same_pair(const void *pairs, uint32_t i, const void *key) {
  const walk_pair *a = (const walk_pair *)pairs + i, *b = key;
  return a->face == b->face && a->cell == b->cell && a->face_moves == b->face_moves;
}

/* Doubles the slots and keeps the known pairs. */
static syn_status grow(syn_contact_walk *walk, syn_error *error) {
  hash_table larger;
  SYN_TRY(hash_table_create(walk->context, walk->known.bits + 1, &larger, error));
  for (size_t i = 0; i < walk->count; ++i) hash_table_put(&larger, hash_of(&walk->pairs[i]), (uint32_t)i);
  syn_free(walk->context, walk->known.slots);
  walk->known = larger;
  return SYN_OK;
}

/* Appends a pair to those to be tested, unless it is known. */
static syn_status propose(syn_contact_walk *walk, walk_pair pair, syn_error *error) {
  const uint32_t item = (uint32_t)walk->count;
  if (hash_table_join(&walk->known, hash_of(&pair), item, same_pair, walk->pairs, &pair) != item) return SYN_OK;
  if (walk->count + 1 >= SYN_NONE) return syn_fail(error, SYN_TOO_LARGE, "too many pairs are near each other");
  SYN_TRY(SYN_RESERVE(walk->context, &walk->pairs, walk->count, 1, &walk->capacity, error));
  walk->pairs[walk->count++] = pair;
  return walk->count > (size_t)1 << (walk->known.bits - 1) ? grow(walk, error) : SYN_OK;
}

/* ---- neighbours --------------------------------------------------------------------------------------------------
 */

static const volume *body_of(const syn_contact_walk *walk, bool mobile) {
  return mobile ? &walk->bodies.mobile : &walk->bodies.fixed;
}
/* Of one body with itself both are the mobile one. */
static bool cell_moves(const syn_contact_walk *walk, const walk_pair *p) { return walk->bodies.self || !p->face_moves; }

static syn_status propose_neighbours(syn_contact_walk *walk, walk_pair pair, syn_error *error) {
  const bool moves = cell_moves(walk, &pair);
  const vertex_lists *cells = &walk->stars[moves].cells, *faces = &walk->stars[pair.face_moves].faces;
  uint32_t vertices[HULL_POINTS];
  uint32_t count = syn_cell_vertices(body_of(walk, moves), pair.cell, vertices);
  for (uint32_t v = 0; v < count; ++v)
    for (uint32_t i = cells->first[vertices[v]]; i < cells->first[vertices[v] + 1]; ++i)
      SYN_TRY(propose(walk, (walk_pair){pair.face, cells->items[i], pair.face_moves}, error));
  count = syn_face_vertices(body_of(walk, pair.face_moves), pair.face, vertices);
  for (uint32_t v = 0; v < count; ++v)
    for (uint32_t i = faces->first[vertices[v]]; i < faces->first[vertices[v] + 1]; ++i)
      SYN_TRY(propose(walk, (walk_pair){faces->items[i], pair.cell, pair.face_moves}, error));
  return SYN_OK;
}

/* ---- tests -------------------------------------------------------------------------------------------------------
 */

/* Only what is looked at is checked: the time of a step does not depend on the size of the bodies. */
static syn_status check_cell(const walk_step *s, bool mobile, uint32_t cell, syn_error *error) {
  uint32_t vertices[HULL_POINTS];
  const uint32_t count = syn_cell_vertices(body_of(s->walk, mobile), cell, vertices);
  for (uint32_t c = 0; c < count; ++c) {
    const syn_vec3 p = s->places[mobile][vertices[c]];
    if (fabs(p.x) <= SYN_LARGEST_MM && fabs(p.y) <= SYN_LARGEST_MM && fabs(p.z) <= SYN_LARGEST_MM) continue;
    char what[64];
    snprintf(what, sizeof what, "%s vertex %u", mobile ? "mobile" : "fixed", vertices[c]);
    return syn_check_point(p, what, error);
  }
  return SYN_OK;
}

/* Computes the corners of a cell in the fixed frame, and their box. */
static syn_box place_cell(const walk_step *s, bool mobile, uint32_t cell, syn_vec3 corners[HULL_POINTS]) {
  const volume *body = body_of(s->walk, mobile);
  uint32_t vertices[HULL_POINTS];
  const uint32_t count = syn_cell_vertices(body, cell, vertices);
  for (uint32_t c = 0; c < count; ++c) {
    const syn_vec3 p = s->places[mobile][vertices[c]];
    corners[c] = mobile && !s->walk->bodies.self ? syn_pose_point(s->pose, p) : p;
  }
  return syn_box_of_points(corners, (int)count);
}

/* A body's own neighbouring cells always touch; they do not count (Listing 1.5.3). */
static bool are_joined(const volume *body, uint32_t one, uint32_t other) {
  uint32_t a[HULL_POINTS], b[HULL_POINTS];
  const uint32_t count = syn_cell_vertices(body, one, a);
  syn_cell_vertices(body, other, b);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < count; ++k)
      if (a[i] == b[k]) return true;
  return false;
}

static syn_vec3 middle_of(const syn_vec3 *points, uint32_t count) {
  syn_vec3 sum = points[0];
  for (uint32_t i = 1; i < count; ++i) sum = vec3_add(sum, points[i]);
  return vec3_scale(sum, 1.0 / count);
}

/* Reports the pair if it meets, as BucketTree does. */
static bool meets(const walk_step *s, walk_pair p) {
  const bool moves = cell_moves(s->walk, &p);
  const volume *of_face = body_of(s->walk, p.face_moves), *of_cell = body_of(s->walk, moves);
  syn_vec3 behind[HULL_POINTS], corners[HULL_POINTS], face[4];
  if (s->walk->bodies.self && are_joined(of_cell, p.face / of_face->faces, p.cell)) return false;
  place_cell(s, p.face_moves, p.face / of_face->faces, behind);
  const int sides = syn_cell_face_corners(of_face, p.face / of_face->faces, behind, p.face % of_face->faces, face);
  const syn_box of_sides = syn_box_of_points(face, sides), box = place_cell(s, moves, p.cell, corners);
  if (!box_overlap(&of_sides, &box) || !syn_face_meets_cell(face, sides, of_cell, corners)) return false;
  const syn_contact contact = {.of = p.face_moves ? SYN_OF_TET_FACE : SYN_OF_FACE_TET,
                               .fixed_element = p.face_moves ? p.cell : p.face,
                               .mobile_element = p.face_moves ? p.face : p.cell,
                               .depth_mm = NAN,
                               .point = p.face_moves ? middle_of(face, (uint32_t)sides)
                                                     : middle_of(corners, of_cell->corners)};
  syn_contacts_add(s->result, &contact);
  return true;
}

/* ---- a step ------------------------------------------------------------------------------------------------------
 */

static bool is_surface(const syn_contact_walk *walk, bool mobile, uint32_t face) {
  const vertex_lists *faces = &walk->stars[mobile].faces;
  uint32_t vertices[4];
  if (syn_face_vertices(body_of(walk, mobile), face, vertices) == 0) return false;
  for (uint32_t i = faces->first[vertices[0]]; i < faces->first[vertices[0] + 1]; ++i)
    if (faces->items[i] == face) return true;
  return false;
}

/* The pair of an earlier contact; false where it is of another kind or of other meshes. */
static bool pair_of(const syn_contact_walk *walk, const syn_contact *contact, walk_pair *pair) {
  const bool moves = contact->of == SYN_OF_TET_FACE;
  if (!moves && (contact->of != SYN_OF_FACE_TET || walk->bodies.self)) return false;
  *pair = moves ? (walk_pair){contact->mobile_element, contact->fixed_element, true}
                : (walk_pair){contact->fixed_element, contact->mobile_element, false};
  const volume *of_face = body_of(walk, moves), *of_cell = body_of(walk, cell_moves(walk, pair));
  return pair->cell < of_cell->cell_count && pair->face / of_face->faces < of_face->cell_count &&
         is_surface(walk, moves, pair->face);
}

/* What was in contact, and around it: it may have moved on by a cell. */
static syn_status start_from_contacts(syn_contact_walk *walk, const syn_contacts *result, syn_error *error) {
  walk_pair pair;
  walk->count = 0;
  hash_table_clear(&walk->known);
  for (size_t i = 0; i < result->last_count; ++i)
    if (pair_of(walk, &result->last[i], &pair)) SYN_TRY(propose_neighbours(walk, pair, error));
  return SYN_OK;
}

/* Tests the pairs in order; each contact adds its neighbours. */
static syn_status check_pairs(const walk_step *s, syn_error *error) {
  syn_contact_walk *walk = s->walk;
  for (size_t i = 0; i < walk->count; ++i) {
    const walk_pair p = walk->pairs[i];
    SYN_TRY(check_cell(s, p.face_moves, p.face / body_of(walk, p.face_moves)->faces, error));
    SYN_TRY(check_cell(s, cell_moves(walk, &p), p.cell, error));
    if (meets(s, p)) SYN_TRY(propose_neighbours(walk, p, error));
  }
  return SYN_OK;
}

static void clear_contacts(syn_contacts *result) {
  result->count = 0;
  result->penetrating = false;
  result->max_depth_mm = -INFINITY;
  result->max_vertex = SYN_NONE;
  result->max_point = vec3(0, 0, 0);
}

syn_status syn_contact_walk_step(syn_contact_walk *walk, const syn_vec3 *fixed_vertices,
                                 const syn_vec3 *mobile_vertices, const syn_pose *pose, syn_contacts *result,
                                 syn_error *error) {
  const syn_pose identity = syn_pose_identity();
  if (walk->bodies.self && !mobile_vertices) mobile_vertices = fixed_vertices;
  const walk_step step = {walk,
                          {fixed_vertices ? fixed_vertices : walk->bodies.fixed.places,
                           mobile_vertices ? mobile_vertices : walk->bodies.mobile.places},
                          pose ? pose : &identity,
                          result};
  SYN_TRY(syn_pose_check(pose, error));
  SYN_TRY(start_from_contacts(walk, result, error));
  clear_contacts(result);
  const syn_status status = check_pairs(&step, error);
  if (status != SYN_OK)
    clear_contacts(result);
  else
    syn_contacts_sort(result);
  return status;
}

/* ---- life --------------------------------------------------------------------------------------------------------
 */

void syn_contact_walk_destroy(syn_contact_walk *walk) {
  if (!walk) return;
  for (int k = 0; k < 2; ++k) syn_volume_stars_release(walk->context, &walk->stars[k]);
  syn_volume_pair_release(&walk->bodies);
  syn_free(walk->context, walk->pairs);
  syn_free(walk->context, walk->known.slots);
  syn_free(walk->context, walk);
}

static syn_status fill_contact_walk(syn_contact_walk *walk, const syn_tetmesh *fixed, const syn_tetmesh *mobile,
                                    syn_error *error) {
  enum { BITS = 12 };
  const syn_body f = {.volume = fixed}, m = {.volume = mobile};
  SYN_TRY(syn_check_volume(fixed, fixed->vertices, "fixed", error));
  SYN_TRY(syn_check_volume(mobile, mobile->vertices, "mobile", error));
  SYN_TRY(syn_volume_pair_create(walk->context, &f, &m, &walk->bodies, error));
  SYN_TRY(syn_volume_stars_create(&walk->bodies.mobile, &walk->stars[1], error));
  if (!walk->bodies.self) SYN_TRY(syn_volume_stars_create(&walk->bodies.fixed, &walk->stars[0], error));
  return hash_table_create(walk->context, BITS, &walk->known, error);
}

syn_status syn_contact_walk_create(const syn_context *context, const syn_tetmesh *fixed, const syn_tetmesh *mobile,
                                   syn_contact_walk **walk, syn_error *error) {
  syn_contact_walk *made;
  *walk = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  const syn_status status = fill_contact_walk(made, fixed, mobile, error);
  if (status == SYN_OK)
    *walk = made;
  else
    syn_contact_walk_destroy(made);
  return status;
}
