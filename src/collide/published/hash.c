/* Finds mobile vertices in fixed cells, and vertices of one body in cells of the same body, by spatial hashing. Cells
 * are tetrahedra or any other convex solids of the volume; the cells of the hash grid are called places to distinguish
 * them.
 *
 * The mobile vertices are hashed in their own frame, where no pose moves them; every fixed cell looks in the places
 * that it covers there. Linear in the number of cells. */
#include "collide/published/hash.h"
#include "base/vec.h"
#include "collide/published/published.h"
#include "collide/volume/volume.h"
#include "geometry/convex_contact.h"

enum { MOST_CELLS = 1 << 21 }; /* along an axis: three numbers of 21 bits make a key */

typedef struct cell {
  uint32_t at[3];
} cell;

syn_status syn_vertex_hash_create(const syn_context *context, uint32_t vertex_count, vertex_hash *hash,
                                  syn_error *error) {
  *hash = (vertex_hash){.context = context, .vertex_count = vertex_count};
  if (vertex_count >= 1u << 30)
    return syn_fail(error, SYN_TOO_LARGE, "%u vertices are more than the 2^30 that can be hashed", vertex_count);
  SYN_TRY(SYN_NEW(context, &hash->next, vertex_count, error));
  syn_status status = SYN_NEW(context, &hash->blocks, vertex_count, error);
  if (status == SYN_OK) status = hash_table_create(context, hash_table_bits(vertex_count), &hash->table, error);
  if (status != SYN_OK) syn_vertex_hash_release(hash);
  return status;
}

void syn_vertex_hash_release(vertex_hash *hash) {
  syn_free(hash->context, hash->next);
  syn_free(hash->context, hash->blocks);
  syn_free(hash->context, hash->table.slots);
  *hash = (vertex_hash){0};
}

/* Returns the cell of a point. Monotonic in each coordinate despite rounding and clamping, so that a vertex in a box is
 * in one of the box's cells. */
static cell cell_of(const vertex_hash *hash, syn_vec3 point) {
  cell c;
  for (int k = 0; k < 3; ++k) {
    const double place = (vec3_at(point, k) - vec3_at(hash->box.min, k)) * hash->cells_per_mm;
    c.at[k] = !(place > 0) ? 0 : place < MOST_CELLS ? (uint32_t)place : MOST_CELLS - 1;
  }
  return c;
}

static uint64_t block_place(cell c) {
  return (uint64_t)(c.at[0] >> 1) << 42 | (uint64_t)(c.at[1] >> 1) << 21 | c.at[2] >> 1;
}
static uint32_t cell_in_block(cell c) { return (c.at[0] & 1) | (c.at[1] & 1) << 1 | (c.at[2] & 1) << 2; }

static uint64_t hash_of(uint64_t place) { return hash_finish(hash_add(0, place)); }

static bool same_block(const void *blocks, uint32_t i, const void *place) {
  return ((const hash_block *)blocks)[i].place == *(const uint64_t *)place;
}

/* Returns the block at this position, or NULL if it is empty. */
static const hash_block *find_block(const vertex_hash *hash, uint64_t place) {
  const uint32_t found = hash_table_find(&hash->table, hash_of(place), same_block, hash->blocks, &place);
  return found == SYN_NONE ? NULL : &hash->blocks[found];
}

static hash_block *join_block(vertex_hash *hash, uint64_t place) {
  const uint32_t next = hash->block_count;
  const uint32_t found = hash_table_join(&hash->table, hash_of(place), next, same_block, hash->blocks, &place);
  if (found == next) {
    hash->blocks[hash->block_count++] = (hash_block){.place = place};
    for (int i = 0; i < 8; ++i) hash->blocks[next].first[i] = SYN_NONE;
  }
  return &hash->blocks[found];
}

void syn_vertex_hash_fill(vertex_hash *hash, const syn_vec3 *places, const bool *used, double cell_mm) {
  hash_table_clear(&hash->table);
  hash->block_count = 0;
  hash->box = box_empty();
  for (uint32_t v = 0; v < hash->vertex_count; ++v)
    if (used[v]) box_add(&hash->box, places[v]);
  hash->cells_per_mm = cell_mm > 0 && isfinite(1 / cell_mm) ? 1 / cell_mm : 0;
  for (uint32_t v = 0; v < hash->vertex_count; ++v) {
    if (!used[v]) continue;
    const cell c = cell_of(hash, places[v]);
    hash_block *block = join_block(hash, block_place(c));
    uint32_t *first = &block->first[cell_in_block(c)];
    hash->next[v] = *first;
    *first = v;
  }
}

static bool visit_list(const vertex_hash *hash, uint32_t v, bool (*visit)(void *user, uint32_t vertex), void *user) {
  for (; v != SYN_NONE; v = hash->next[v])
    if (!visit(user, v)) return false;
  return true;
}

/* Visits all blocks, for a box with more cells than the table has slots. */
static bool visit_blocks(const vertex_hash *hash, bool (*visit)(void *user, uint32_t vertex), void *user) {
  for (size_t i = 0; i < hash->block_count; ++i)
    for (int k = 0; k < 8; ++k)
      if (!visit_list(hash, hash->blocks[i].first[k], visit, user)) return false;
  return true;
}

bool syn_vertex_hash_visit(const vertex_hash *hash, const syn_box *box, bool (*visit)(void *user, uint32_t vertex),
                           void *user) {
  if (!box_overlap(&hash->box, box)) return true;
  const cell low = cell_of(hash, vec3_max(box->min, hash->box.min));
  const cell high = cell_of(hash, vec3_min(box->max, hash->box.max));
  double cells = 1;
  for (int k = 0; k < 3; ++k) cells *= (double)(high.at[k] - low.at[k]) + 1;
  if (cells > (double)((size_t)1 << hash->table.bits)) return visit_blocks(hash, visit, user);
  for (uint32_t z = low.at[2]; z <= high.at[2]; ++z)
    for (uint32_t y = low.at[1]; y <= high.at[1]; ++y)
      for (uint32_t x = low.at[0]; x <= high.at[0]; ++x) {
        const cell c = {{x, y, z}};
        const hash_block *block = find_block(hash, block_place(c));
        if (block && !visit_list(hash, block->first[cell_in_block(c)], visit, user)) return false;
      }
  return true;
}

typedef struct hash_method {
  const syn_context *context;
  volume_pair bodies;
  vertex_hash hash;
  bool *used;      /* vertices of some cell */
  double place_mm; /* side of the hash grid: mean edge of the fixed tetrahedra (Teschner et al. 2003) */
} hash_method;

/* The search of one cell for vertices. */
typedef struct search {
  const hash_method *method;
  const syn_pose *pose;
  syn_contacts *result;
  uint32_t cell;
  syn_vec3 corners[HULL_POINTS];
  bool prepared; /* `planes` is filled: computed when the first vertex comes near */
  tet_planes planes;
  syn_box box;        /* in the fixed frame */
  syn_box mobile_box; /* in the mobile frame, widened by the rounding */
} search;

static double mean_edge(const volume *v) {
  double sum = 0;
  for (uint32_t t = 0; t < v->mesh->tet_count; ++t) {
    syn_vec3 p[4];
    volume_corners(v, t, p);
    for (int i = 0; i < 3; ++i)
      for (int j = i + 1; j < 4; ++j) sum += vec3_distance(p[i], p[j]);
  }
  return v->mesh->tet_count ? sum / (6.0 * v->mesh->tet_count) : 0;
}

static bool contains_point(const syn_box *box, syn_vec3 p) {
  return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y && p.z >= box->min.z &&
         p.z <= box->max.z;
}

static bool is_corner(const search *s, uint32_t vertex) {
  const volume *body = &s->method->bodies.fixed;
  const uint32_t *corners = body->cells + (size_t)s->cell * body->corners;
  for (uint32_t c = 0; c < body->corners; ++c)
    if (corners[c] == vertex) return true;
  return false;
}

static bool is_inside(search *s, syn_vec3 point) {
  if (s->method->bodies.fixed.corners != 4) return syn_point_in_hull(point, s->corners, HULL_POINTS);
  if (!s->prepared) syn_tet_planes(s->corners, &s->planes);
  s->prepared = true;
  return syn_point_in_planes(&s->planes, point);
}

static bool visit_vertex(void *user, uint32_t vertex) {
  search *s = user;
  const syn_vec3 place = s->method->bodies.mobile.places[vertex];
  if (!contains_point(&s->mobile_box, place)) return true;
  if (s->method->bodies.self && is_corner(s, vertex)) return true;
  const syn_vec3 point = s->method->bodies.self ? place : syn_pose_point(s->pose, place);
  if (!contains_point(&s->box, point) || !is_inside(s, point)) return true;
  const syn_contact contact = {
      .of = SYN_OF_VERTEX_TET, .fixed_element = s->cell, .mobile_element = vertex, .depth_mm = NAN, .point = point};
  syn_contacts_add(s->result, &contact);
  return !s->result->first_only;
}

/* Returns an upper bound of the rounding of a transformation into the fixed frame and back. */
static double rounding_of(const syn_box *box, const syn_pose *pose) {
  const double half = vec3_distance(box->min, box->max) / 2,
               middle = vec3_length(vec3_scale(vec3_add(box->min, box->max), 0.5));
  return 1e-9 * (half + middle + vec3_length(pose->translation));
}

/* Returns the bounding box of the cell in the mobile frame. */
static syn_box seen_from(const syn_pose *inverse, const syn_vec3 *corners, uint32_t count, double rounding) {
  syn_vec3 seen[HULL_POINTS];
  for (uint32_t c = 0; c < count; ++c) seen[c] = syn_pose_point(inverse, corners[c]);
  syn_box box = syn_box_of_points(seen, (int)count);
  const syn_vec3 wide = vec3(rounding, rounding, rounding);
  return (syn_box){vec3_sub(box.min, wide), vec3_add(box.max, wide)};
}

static void query_hash(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result) {
  const hash_method *method = state;
  const volume *fixed = &method->bodies.fixed;
  const syn_pose inverse = syn_pose_inverse(pose);
  search s = {.method = method, .pose = pose, .result = result};
  (void)scratch;
  if (method->hash.vertex_count == 0) return;
  const double rounding = rounding_of(&method->hash.box, pose);
  const syn_box mobile = method->bodies.self ? method->hash.box : box_placed(&method->hash.box, pose, rounding);
  for (s.cell = 0; s.cell < fixed->cell_count; ++s.cell) {
    volume_cell(fixed, s.cell, s.corners);
    s.box = volume_cell_box(fixed, s.corners);
    if (!box_overlap(&s.box, &mobile)) continue;
    s.prepared = false;
    s.mobile_box = method->bodies.self ? s.box : seen_from(&inverse, s.corners, fixed->corners, rounding);
    if (!syn_vertex_hash_visit(&method->hash, &s.mobile_box, visit_vertex, &s)) break;
  }
  syn_contacts_sort(result);
}

/* ---- life --------------------------------------------------------------------------------------------------------
 */

static void destroy_hash(void *state) {
  hash_method *method = state;
  syn_volume_pair_release(&method->bodies);
  syn_vertex_hash_release(&method->hash);
  syn_free(method->context, method->used);
  syn_free(method->context, method);
}

static void fill_hash(hash_method *method) {
  syn_vertex_hash_fill(&method->hash, method->bodies.mobile.places, method->used, method->place_mm);
}

static syn_status fill_method(hash_method *method, const syn_body *fixed, const syn_body *mobile, syn_error *error) {
  const syn_tetmesh *mesh = mobile->volume;
  SYN_TRY(syn_volume_pair_create(method->context, fixed, mobile, &method->bodies, error));
  SYN_TRY(SYN_NEW_ZEROED(method->context, &method->used, mesh->vertex_count, error));
  for (uint32_t t = 0; t < mesh->tet_count; ++t)
    for (int c = 0; c < 4; ++c) method->used[mesh->tets[t].v[c]] = true;
  SYN_TRY(syn_vertex_hash_create(method->context, mesh->vertex_count, &method->hash, error));
  method->place_mm = mean_edge(&method->bodies.fixed);
  fill_hash(method);
  return SYN_OK;
}

static syn_status create_hash(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                              const syn_collide_options *options, void **state, syn_error *error) {
  hash_method *made;
  (void)options;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  return syn_method_keep(fill_method(made, fixed, mobile, error), made, destroy_hash, state);
}

static syn_status update_hash(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                              syn_error *error) {
  hash_method *method = state;
  bool moved[2];
  SYN_TRY(syn_volume_pair_update(&method->bodies, fixed_vertices, mobile_vertices, moved, error));
  if (moved[1]) fill_hash(method);
  return SYN_OK;
}

const syn_method syn_method_hash = {
    .info = {.name = "hash",
             .summary =
                 "mobile vertices in fixed cells, or of one body in its own, by spatial hashing; any convex cells",
             .needs_volume = true,
             .published = true},
    create_hash,
    destroy_hash,
    update_hash,
    NULL,
    query_hash,
    SYN_SIDES_IGNORED};
