/* Surfaces in volumes by two BucketTrees (Erleben & Sporring 2005): every surface face of one body that meets a
 * tetrahedron of the other body, or of the same one.
 *
 * The mobile tree stays in the mobile frame. There a tetrahedron counts for its lowest bucket only, whose box is
 * widened by the largest tetrahedron; in the fixed tree a pair counts for the bucket that holds the lowest corner of
 * the two boxes' common part. So every pair of tetrahedra with overlapping boxes is tested exactly once. */
#include "collide/volume/bucket_pairs.h"
#include "base/vec.h"
#include "collide/volume/bucket_tree.h"
#include "geometry/convex_contact.h"

#include <stdbool.h>
#include <string.h>

/* Gives up, leaving a permutation, when that takes more than `budget` moves. */
static bool insertion_sort(coordinate *list, size_t count, size_t budget) {
  for (size_t i = 1; i < count; ++i) {
    const coordinate moved = list[i];
    size_t j = i;
    for (; j > 0 && list[j - 1].value > moved.value && budget > 0; --j, --budget) list[j] = list[j - 1];
    list[j] = moved;
    if (budget == 0) return false;
  }
  return true;
}

static void merge(const coordinate *from, size_t begin, size_t middle, size_t end, coordinate *to) {
  size_t i = begin, j = middle;
  for (size_t k = begin; k < end; ++k)
    to[k] = i < middle && (j == end || from[i].value <= from[j].value) ? from[i++] : from[j++];
}

static void merge_sort(coordinate *list, size_t count, coordinate *spare) {
  enum { RUN = 16 };
  coordinate *from = list, *to = spare;
  for (size_t begin = 0; begin < count; begin += RUN)
    insertion_sort(list + begin, count - begin < RUN ? count - begin : RUN, SIZE_MAX);
  for (size_t width = RUN; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      const size_t middle = count - begin < width ? count : begin + width;
      merge(from, begin, middle, count - middle < width ? count : middle + width, to);
    }
    coordinate *swap = from;
    from = to;
    to = swap;
  }
  if (from != list) memcpy(list, from, count * sizeof *list);
}

void syn_sort_coordinates(coordinate *list, size_t count, coordinate *spare) {
  enum { MOVES = 4 }; /* per coordinate; with more, merging is faster */
  if (!insertion_sort(list, count, MOVES * count + 1)) merge_sort(list, count, spare);
}

void syn_place_coordinates(const coordinate *list, size_t count, const double *bounds, uint32_t intervals,
                           uint16_t *index, size_t stride) {
  uint32_t i = 0;
  for (size_t k = 0; k < count; ++k) {
    while (i + 1 < intervals && list[k].value >= bounds[i + 1]) ++i;
    index[stride * list[k].point] = (uint16_t)i;
  }
}

typedef struct bucket_method {
  const syn_context *context;
  volume_pair bodies;
  bucket_tree fixed_tree, mobile_tree; /* of one body with itself only the mobile one is used */
} bucket_method;

/* A node by its level and position. */
typedef struct node_at {
  uint32_t level, at[3];
} node_at;

typedef struct node_pair {
  node_at fixed, mobile;
} node_pair;

/* A pair is replaced by at most eight others, one level lower in one of the trees. */
enum { STACK = 7 * 2 * (BUCKET_LEVELS + 1) + 8 };

/* A tetrahedron in the fixed frame. */
typedef struct placed_tet {
  syn_vec3 corners[HULL_POINTS];
  syn_box box;
  uint32_t tet;
  uint8_t surface; /* bit f: face f */
} placed_tet;

typedef struct search {
  const bucket_tree *fixed, *mobile;
  const syn_pose *pose;
  syn_contacts *result;
  double rounding;              /* upper bound of the rounding of a placed box */
  const bucket_node *placed_of; /* the mobile bucket whose tetrahedra are in `placed` */
  uint32_t placed_count;
  placed_tet *placed, *met; /* of the mobile bucket, and what they may meet of the fixed one */
} search;

/* ---- nodes -------------------------------------------------------------------------------------------------------
 */

static const bucket_node *node_of(const bucket_tree *tree, const node_at *n) {
  return &tree->nodes[bucket_number(&tree->levels[n->level], n->at[0], n->at[1], n->at[2])];
}

static syn_box node_box(const bucket_tree *tree, const node_at *n) {
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    const uint32_t size = tree->levels[0].size[k], end = (n->at[k] + 1) << n->level;
    low[k] = tree->bounds[k][n->at[k] << n->level];
    high[k] = tree->bounds[k][end < size ? end : size];
  }
  return (syn_box){vec3(low[0], low[1], low[2]), vec3(high[0], high[1], high[2])};
}

/* Returns a box in the fixed frame around the tetrahedra whose lowest bucket is in the mobile node. */
static syn_box placed_box(const search *s, const node_at *n) {
  syn_box box = node_box(s->mobile, n);
  box.max = vec3_add(box.max, s->mobile->largest);
  return box_placed(&box, s->pose, s->rounding);
}

/* ---- buckets ------------------------------------------------------------------------------------------------------
 */

static void place_bucket(search *s, const node_at *n) {
  const bucket_tree *tree = s->mobile;
  const bucket_node *bucket = node_of(tree, n);
  if (s->placed_of == bucket) return;
  s->placed_of = bucket;
  s->placed_count = 0;
  for (uint32_t i = bucket->begin; i < bucket->begin + bucket->count; ++i) {
    const uint32_t tet = tree->entries[i];
    const uint16_t *low = tree->spans[tet].low;
    if (low[0] != n->at[0] || low[1] != n->at[1] || low[2] != n->at[2]) continue;
    placed_tet *placed = &s->placed[s->placed_count++];
    placed->tet = tet;
    placed->surface = tree->surface[tet];
    volume_cell(tree->body, tet, placed->corners);
    for (uint32_t c = 0; c < tree->body->corners; ++c) placed->corners[c] = syn_pose_point(s->pose, placed->corners[c]);
    placed->box = volume_cell_box(tree->body, placed->corners);
  }
}

/* Around the parts of the placed tetrahedra that lie in the bucket's box, empty (min > max) where there are none;
 * `surface`: has one of them any? */
static syn_box box_in_bucket(const search *s, const syn_box *bucket_box, bool *surface) {
  syn_box near = box_empty();
  *surface = false;
  for (uint32_t j = 0; j < s->placed_count; ++j) {
    const placed_tet *w = &s->placed[j];
    if (!box_overlap(&w->box, bucket_box)) continue;
    box_add(&near, w->box.min);
    box_add(&near, w->box.max);
    *surface |= w->surface != 0;
  }
  return (syn_box){vec3_max(near.min, bucket_box->min), vec3_min(near.max, bucket_box->max)};
}

/* Lists the fixed tetrahedra of the bucket that the placed ones may meet; returns their count. */
static uint32_t gather_met(search *s, const bucket_node *bucket, const syn_box *bucket_box) {
  const bucket_tree *tree = s->fixed;
  bool surface;
  const syn_box near = box_in_bucket(s, bucket_box, &surface);
  uint32_t count = 0;
  if (near.min.x > near.max.x) return 0;
  for (uint32_t i = bucket->begin; i < bucket->begin + bucket->count; ++i) {
    placed_tet *met = &s->met[count];
    met->tet = tree->entries[i];
    met->surface = tree->surface[met->tet];
    if (!surface && !met->surface) continue;
    volume_cell(tree->body, met->tet, met->corners);
    met->box = volume_cell_box(tree->body, met->corners);
    count += box_overlap(&met->box, &near);
  }
  return count;
}

static syn_vec3 middle_of(const syn_vec3 *points, int count) {
  syn_vec3 sum = points[0];
  for (int i = 1; i < count; ++i) sum = vec3_add(sum, points[i]);
  return vec3_scale(sum, 1.0 / count);
}

/* Reports a contact. False: stop, a single contact was requested. */
static bool report(search *s, syn_contact_of of, uint32_t fixed, uint32_t mobile, syn_vec3 point) {
  const syn_contact contact = {
      .of = of, .fixed_element = fixed, .mobile_element = mobile, .depth_mm = NAN, .point = point};
  syn_contacts_add(s->result, &contact);
  return !s->result->first_only;
}

/* Returns whether face f of a tetrahedron meets the other one, of another body, and the middle of the face. */
static bool face_meets(const volume *body, const placed_tet *from, uint32_t f, const volume *other_body,
                       const placed_tet *other, syn_vec3 *middle) {
  syn_vec3 face[4];
  const int count = syn_cell_face_corners(body, from->tet, from->corners, f, face);
  const syn_box face_box = syn_box_of_points(face, count);
  if (!box_overlap(&face_box, &other->box) || !syn_face_meets_cell(face, count, other_body, other->corners))
    return false;
  *middle = middle_of(face, count);
  return true;
}

/* Tests the surface faces of each tetrahedron against the volume of the other (Listing 1.5.10). False: stop. */
static bool test_pair(search *s, const placed_tet *q, const placed_tet *w) {
  const volume *fixed = s->fixed->body, *mobile = s->mobile->body;
  syn_vec3 middle;
  for (uint32_t f = 0; f < fixed->faces; ++f)
    if ((q->surface >> f & 1) && face_meets(fixed, q, f, mobile, w, &middle) &&
        !report(s, SYN_OF_FACE_TET, fixed->faces * q->tet + f, w->tet, middle_of(w->corners, (int)mobile->corners)))
      return false;
  for (uint32_t f = 0; f < mobile->faces; ++f)
    if ((w->surface >> f & 1) && face_meets(mobile, w, f, fixed, q, &middle) &&
        !report(s, SYN_OF_TET_FACE, q->tet, mobile->faces * w->tet + f, middle))
      return false;
  return true;
}

/* Returns whether the bucket contains the lowest corner of the common part of two overlapping boxes. */
static bool holds_corner(const bucket_tree *tree, const node_at *n, const syn_box *a, const syn_box *b) {
  for (int k = 0; k < 3; ++k) {
    const double corner = max2(vec3_at(a->min, k), vec3_at(b->min, k)), *bounds = &tree->bounds[k][n->at[k]];
    if (corner < bounds[0] || (corner >= bounds[1] && n->at[k] + 1 < tree->levels[0].size[k])) return false;
  }
  return true;
}

static bool visit_buckets(search *s, const node_pair *pair) {
  const syn_box bucket_box = node_box(s->fixed, &pair->fixed);
  place_bucket(s, &pair->mobile);
  const uint32_t met_count = gather_met(s, node_of(s->fixed, &pair->fixed), &bucket_box);
  for (uint32_t j = 0; j < s->placed_count && met_count > 0; ++j) {
    const placed_tet *w = &s->placed[j];
    if (!box_overlap(&w->box, &bucket_box)) continue;
    for (uint32_t i = 0; i < met_count; ++i) {
      const placed_tet *q = &s->met[i];
      if ((w->surface || q->surface) && box_overlap(&q->box, &w->box) &&
          holds_corner(s->fixed, &pair->fixed, &q->box, &w->box) && !test_pair(s, q, w))
        return false;
    }
  }
  return true;
}

/* ---- tandem traversal --------------------------------------------------------------------------------------------
 */

/* Returns whether to test a pair: both have content, one of them surface, and they may overlap (Listing 1.5.8). */
static bool worthwhile(const search *s, const node_pair *pair) {
  const bucket_node *a = node_of(s->fixed, &pair->fixed), *b = node_of(s->mobile, &pair->mobile);
  if (a->stamp != s->fixed->stamp || b->stamp != s->mobile->stamp || !(a->surface | b->surface)) return false;
  const syn_box fixed = node_box(s->fixed, &pair->fixed), mobile = placed_box(s, &pair->mobile);
  return box_overlap(&fixed, &mobile);
}

/* Finds the child in octant `o`; false if the tree has none. */
static bool child_of(const bucket_tree *tree, const node_at *n, uint32_t o, node_at *child) {
  child->level = n->level - 1;
  for (int k = 0; k < 3; ++k) {
    child->at[k] = 2 * n->at[k] + (o >> k & 1);
    if (child->at[k] >= tree->levels[child->level].size[k]) return false;
  }
  return true;
}

static double width_of(const bucket_tree *tree, uint32_t level) {
  return (tree->bounds[0][1] - tree->bounds[0][0]) * (double)(1u << level);
}

static void traverse(search *s) {
  node_pair stack[STACK];
  uint32_t waiting = 0;
  const node_pair roots = {{.level = s->fixed->level_count - 1}, {.level = s->mobile->level_count - 1}};
  if (worthwhile(s, &roots)) stack[waiting++] = roots;
  while (waiting > 0) {
    const node_pair pair = stack[--waiting];
    if (pair.fixed.level == 0 && pair.mobile.level == 0) {
      if (!visit_buckets(s, &pair)) return;
      continue;
    }
    /* descend the larger one; the mobile one first, so that its bucket stays placed for several fixed ones */
    const bool mobile = pair.fixed.level == 0 || (pair.mobile.level > 0 && width_of(s->mobile, pair.mobile.level) >=
                                                                               width_of(s->fixed, pair.fixed.level));
    for (uint32_t o = 0; o < 8; ++o) {
      node_pair next = pair;
      const bool exists =
          mobile ? child_of(s->mobile, &pair.mobile, o, &next.mobile) : child_of(s->fixed, &pair.fixed, o, &next.fixed);
      if (exists && worthwhile(s, &next)) stack[waiting++] = next;
    }
  }
}

/* ---- continuation -------------------------------------------------------------------------------------------------
 */

/* Finds the tetrahedra of an earlier contact; false if it is of another kind or of another mesh. */
static bool tets_of(const search *s, const syn_contact *contact, uint32_t *fixed, uint32_t *mobile) {
  const bool face = contact->of == SYN_OF_FACE_TET;
  if (!face && contact->of != SYN_OF_TET_FACE) return false;
  const volume *of_fixed = s->fixed->body, *of_mobile = s->mobile->body;
  *fixed = face ? contact->fixed_element / of_fixed->faces : contact->fixed_element;
  *mobile = face ? contact->mobile_element : contact->mobile_element / of_mobile->faces;
  return *fixed < of_fixed->cell_count && *mobile < of_mobile->cell_count;
}

/* Searches the buckets around an earlier contact. False: a contact was found again. */
static bool look_around(search *s, uint32_t fixed, uint32_t mobile) {
  const tet_span *span = &s->fixed->spans[fixed];
  const uint16_t *low = s->mobile->spans[mobile].low;
  node_pair pair = {.mobile = {0, {low[0], low[1], low[2]}}};
  for (uint32_t z = span->low[2]; z <= span->high[2]; ++z)
    for (uint32_t y = span->low[1]; y <= span->high[1]; ++y)
      for (uint32_t x = span->low[0]; x <= span->high[0]; ++x) {
        pair.fixed = (node_at){0, {x, y, z}};
        if (worthwhile(s, &pair) && !visit_buckets(s, &pair)) return false;
      }
  return true;
}

/* Where bodies move little, contacts stay near those of the last step (Erleben & Sporring 2005, Conclusion). True:
 * there is a contact, and nothing else was asked for. */
static bool continue_from(search *s, const syn_contact *last, size_t count) {
  enum { MOST = 16 };
  for (size_t i = 0; i < count && i < MOST; ++i) {
    const syn_contact *contact = &last[i * (count > MOST ? count / MOST : 1)];
    uint32_t fixed, mobile;
    if (tets_of(s, contact, &fixed, &mobile) && !look_around(s, fixed, mobile)) return true;
  }
  return false;
}

/* Reports contacts found while the body was mapped; `pose` NULL: identity. False: stop, a single contact was requested.
 */
static bool report_self(const bucket_tree *tree, syn_contact_of of, const syn_pose *pose, syn_contacts *result) {
  search s = {.mobile = tree, .result = result};
  for (size_t i = 0; i < tree->self_count; ++i) {
    const uint32_t cell = tree->self[i].face / tree->body->faces;
    syn_vec3 corners[HULL_POINTS], face[4];
    volume_cell(tree->body, cell, corners);
    const int count = syn_cell_face_corners(tree->body, cell, corners, tree->self[i].face % tree->body->faces, face);
    const syn_vec3 middle = middle_of(face, count);
    if (!report(&s, of, tree->self[i].tet, tree->self[i].face, pose ? syn_pose_point(pose, middle) : middle))
      return false;
  }
  return true;
}

static void query(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result) {
  const bucket_method *method = state;
  const bucket_tree *fixed = &method->fixed_tree, *mobile = &method->mobile_tree;
  if (method->bodies.self) {
    report_self(mobile, SYN_OF_TET_FACE, NULL, result);
  } else if (report_self(fixed, SYN_OF_FIXED_SELF, NULL, result) &&
             report_self(mobile, SYN_OF_MOBILE_SELF, pose, result) && fixed->level_count > 0 &&
             mobile->level_count > 0) {
    search s = {.fixed = fixed, .mobile = mobile, .pose = pose, .result = result, .placed = scratch};
    s.met = s.placed + mobile->most_in_bucket;
    const node_at root = {.level = mobile->level_count - 1};
    const syn_box box = node_box(mobile, &root);
    s.rounding = 0x1p-48 * (vec3_length(box.min) + vec3_length(box.max) + vec3_length(mobile->largest) +
                            vec3_length(pose->translation));
    if (!result->first_only || !result->last || !continue_from(&s, result->last, result->last_count)) traverse(&s);
  }
  syn_contacts_sort(result);
}

/* ---- life --------------------------------------------------------------------------------------------------------
 */

static void destroy(void *state) {
  bucket_method *method = state;
  syn_bucket_tree_release(&method->fixed_tree);
  syn_bucket_tree_release(&method->mobile_tree);
  syn_volume_pair_release(&method->bodies);
  syn_free(method->context, method);
}

static syn_status make_tree(const volume *body, bool find_self, bucket_tree *tree, syn_error *error) {
  SYN_TRY(syn_bucket_tree_create(body, find_self, tree, error));
  return syn_bucket_tree_remap(tree, error);
}

static syn_status fill(bucket_method *method, const syn_body *fixed, const syn_body *mobile, bool with_self,
                       syn_error *error) {
  SYN_TRY(syn_volume_pair_create(method->context, fixed, mobile, &method->bodies, error));
  const volume_pair *bodies = &method->bodies;
  SYN_TRY(make_tree(&bodies->mobile, with_self || bodies->self, &method->mobile_tree, error));
  return bodies->self ? SYN_OK : make_tree(&bodies->fixed, with_self, &method->fixed_tree, error);
}

static syn_status create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                         const syn_collide_options *options, void **state, syn_error *error) {
  bucket_method *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  return syn_method_keep(fill(made, fixed, mobile, options->with_self, error), made, destroy, state);
}

static syn_status update(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                         syn_error *error) {
  bucket_method *method = state;
  bool moved[2];
  SYN_TRY(syn_volume_pair_update(&method->bodies, fixed_vertices, mobile_vertices, moved, error));
  /* both even if one fails: no tree may be older than its body */
  const syn_status fixed = moved[0] ? syn_bucket_tree_remap(&method->fixed_tree, error) : SYN_OK;
  const syn_status mobile = moved[1] ? syn_bucket_tree_remap(&method->mobile_tree, error) : SYN_OK;
  return fixed != SYN_OK ? fixed : mobile;
}

/* A deformation may bring all cells of a body into one bucket: enough for that. */
static size_t scratch_size(const void *state) {
  const bucket_method *method = state;
  const size_t most = (size_t)method->bodies.fixed.cell_count + method->bodies.mobile.cell_count;
  return method->bodies.self ? 0 : most * sizeof(placed_tet);
}

const syn_method syn_method_buckettree = {
    .info = {.name = "buckettree",
             .summary = "surface faces in cells of the other body, or of one body in its own, by octrees of buckets; "
                        "any convex cells",
             .needs_volume = true},
    create,
    destroy,
    update,
    scratch_size,
    query,
    SYN_SIDES_IGNORED};
