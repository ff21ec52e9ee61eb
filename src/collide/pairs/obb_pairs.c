/* Crossing triangles by two trees of oriented boxes, both kept in the frames of their bodies: a node is transformed
 * when the search reaches it, so that the first contact of two bodies costs microseconds. The 15 axes of Gottschalk's
 * separating test are taken three at a time. */
#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "collide/pairs/obb_tree.h"
#include "geometry/triangle_filter.h"

typedef struct obb_pairs {
  const syn_context *context;
  pair_surface fixed, mobile;
  obb_tree fixed_tree, mobile_tree;
} obb_pairs;

/* The mobile tree's frame relative to the fixed tree's origin. */
typedef struct placing {
  float4 column[3], shift;
  float margin;   /* for what floats lose in shifting; see place_node for what they lose in turning */
  float wandered; /* how far the pose moves the centre */
} placing;

/* Triangles of one mobile leaf at the pose, stored because searches return to the same leaf. */
typedef struct placed_leaf {
  const obb_node *node;
  syn_vec3 corners[OBB_LEAF][3];
  syn_box boxes[OBB_LEAF];
  sided_plane planes[OBB_LEAF];
} placed_leaf;

typedef struct search {
  pair_search pairs;
  const obb_tree *fixed, *mobile;
  placing placing;
  placed_leaf leaf;
} search;

/* ---- boxes -------------------------------------------------------------------------------------------------------
 */

static inline float4 all(float x) { return (float4){x, x, x, x}; }
static inline float4 magnitude(float4 a) { return (float4)((int4)a & 0x7fffffff); }
static inline float4 next_axis(float4 a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }  /* y z x */
static inline float4 third_axis(float4 a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3); } /* z x y */
/* Returns whether one of the first three lanes is set. */
static inline bool any(int4 a) { return (a[0] | a[1] | a[2]) != 0; }

/* Transforms a mobile node to the frame of the fixed tree. */
static inline obb_node place_node(const placing *p, const obb_node *node) {
  obb_node placed = *node;
  const float4 m = node->middle;
  placed.middle = p->shift + p->column[0] * all(m[0]) + p->column[1] * all(m[1]) + p->column[2] * all(m[2]);
  placed.middle[3] = m[3] - p->wandered;
  /* relative to this node: one far vertex of a body must not widen all its boxes */
  const float4 size = magnitude(m) + node->half;
  const float margin = p->margin + 1e-6f * (size[0] + size[1] + size[2]);
  placed.half = node->half + (float4){margin, margin, margin, p->wandered};
  for (int k = 0; k < 3; ++k)
    placed.row[k] =
        all(p->column[0][k]) * node->row[0] + all(p->column[1][k]) * node->row[1] + all(p->column[2][k]) * node->row[2];
  return placed;
}

/* Returns true only if the boxes, or their shells about the centre, are disjoint. Computed in the frame of box b: r[i]
 * is axis i of a. */
static inline bool apart(const obb_node *a, const obb_node *b) {
  if (a->middle[3] > b->half[3] || b->middle[3] > a->half[3]) return true;
  const float4 d = a->middle - b->middle, dx = all(d[0]), dy = all(d[1]), dz = all(d[2]);
  const float4 ha = a->half, hb = b->half;
  /* distances along the axes of b and of a */
  const float4 t = dx * b->row[0] + dy * b->row[1] + dz * b->row[2];
  const float4 s = dx * a->row[0] + dy * a->row[1] + dz * a->row[2];
  /* many times the rounding of floats in these sums */
  const float slack = 2e-6f * (fabsf(d[0]) + fabsf(d[1]) + fabsf(d[2]) + ha[0] + ha[1] + ha[2] + hb[0] + hb[1] + hb[2]);
  float4 r[3], size[3];
  for (int i = 0; i < 3; ++i) {
    r[i] = all(a->row[0][i]) * b->row[0] + all(a->row[1][i]) * b->row[1] + all(a->row[2][i]) * b->row[2];
    size[i] = magnitude(r[i]);
  }
  const float4 reach_b = hb + all(slack) + all(ha[0]) * size[0] + all(ha[1]) * size[1] + all(ha[2]) * size[2];
  const float4 xy = __builtin_shufflevector(size[0], size[1], 0, 4, 1, 5);
  const float4 column0 = __builtin_shufflevector(xy, size[2], 0, 1, 4, 4);
  const float4 column1 = __builtin_shufflevector(xy, size[2], 2, 3, 5, 5);
  const float4 column2 = (float4){size[0][2], size[1][2], size[2][2], 0};
  const float4 reach_a = ha + all(slack) + all(hb[0]) * column0 + all(hb[1]) * column1 + all(hb[2]) * column2;
  if (any((magnitude(t) > reach_b) | (magnitude(s) > reach_a))) return true;
  /* axis i of a times each axis of b */
  const float4 hb_next = next_axis(hb), hb_third = third_axis(hb), t_next = next_axis(t), t_third = third_axis(t);
  int4 found = {0, 0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const float4 along = next_axis(r[i]) * t_third - third_axis(r[i]) * t_next;
    const float4 reach = hb_next * third_axis(size[i]) + hb_third * next_axis(size[i]) + all(ha[j]) * size[k] +
                         all(ha[k]) * size[j] + all(slack);
    found |= magnitude(along) > reach;
  }
  return any(found);
}

static float size_of(const obb_node *node) { return node->half[0] + node->half[1] + node->half[2]; }

/* ---- the search --------------------------------------------------------------------------------------------------
 */

static syn_box triangle_box(const syn_vec3 t[3]) {
  return (syn_box){vec3_min(t[0], vec3_min(t[1], t[2])), vec3_max(t[0], vec3_max(t[1], t[2]))};
}

static void place_leaf(search *s, const obb_node *node) {
  if (s->leaf.node == node) return;
  s->leaf.node = node;
  for (uint32_t i = node->begin; i < node->end; ++i) {
    syn_vec3 *corners = s->leaf.corners[i - node->begin];
    pair_search_place(&s->pairs, s->mobile->triangles[i], corners);
    s->leaf.boxes[i - node->begin] = triangle_box(corners);
    s->leaf.planes[i - node->begin] = sided_plane_of(corners);
  }
}

static bool visit_leaves(search *s, const obb_node *f, const obb_node *m) {
  place_leaf(s, m);
  for (uint32_t i = f->begin; i < f->end; ++i) {
    const uint32_t fixed = s->fixed->triangles[i];
    const syn_vec3 *corners = pair_surface_triangle(s->pairs.fixed, fixed);
    const syn_box box = triangle_box(corners);
    const sided_plane plane = sided_plane_of(corners);
    for (uint32_t j = 0; j < m->end - m->begin; ++j) {
      const syn_vec3 *moved = s->leaf.corners[j];
      if (!box_overlap(&box, &s->leaf.boxes[j])) continue;
      if (triangles_meet_filtered(moved, &s->leaf.planes[j], corners, &plane) &&
          !syn_pair_search_report(&s->pairs, fixed, s->mobile->triangles[m->begin + j], moved))
        return false;
    }
  }
  return true;
}

/* Descends the larger box. `placed` is the mobile node `m` in the fixed frame. No deeper than both trees together.
 * False: stop. */
static bool visit_boxes(search *s, const obb_node *f, const obb_node *m, const obb_node *placed) {
  if (apart(f, placed)) return true;
  if (f->child == 0 && m->child == 0) return visit_leaves(s, f, m);
  if (m->child == 0 || (f->child != 0 && size_of(f) > size_of(m))) {
    const obb_node *children = &s->fixed->nodes[f->child];
    return visit_boxes(s, children, m, placed) && visit_boxes(s, children + 1, m, placed);
  }
  for (uint32_t side = 0; side < 2; ++side) {
    const obb_node *child = &s->mobile->nodes[m->child + side];
    const obb_node child_placed = place_node(&s->placing, child);
    if (!visit_boxes(s, f, child, &child_placed)) return false;
  }
  return true;
}

static placing make_placing(const obb_pairs *method, const syn_pose *pose) {
  const obb_tree *fixed = &method->fixed_tree, *mobile = &method->mobile_tree;
  const syn_mat3 columns = mat3_transpose(&pose->rotation);
  const syn_vec3 origin = syn_pose_point(pose, mobile->origin), shift = vec3_sub(origin, fixed->origin);
  placing p = {.shift = {(float)shift.x, (float)shift.y, (float)shift.z, 0}};
  for (int k = 0; k < 3; ++k)
    p.column[k] = (float4){(float)columns.row[k].x, (float)columns.row[k].y, (float)columns.row[k].z, 0};
  p.margin = (float)(1e-6 * vec3_length(shift) + 1e-14 * (vec3_length(mobile->origin) + vec3_length(fixed->origin) +
                                                          vec3_length(pose->translation)));
  return p;
}

static void query_obb(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result) {
  const obb_pairs *method = state;
  (void)scratch;
  search s = {.pairs = {&method->fixed, &method->mobile, pose, result},
              .fixed = &method->fixed_tree,
              .mobile = &method->mobile_tree,
              .placing = make_placing(method, pose)};
  s.placing.wandered = pair_search_wandered(&s.pairs);
  if (s.fixed->node_count > 0 && s.mobile->node_count > 0) {
    const obb_node root = place_node(&s.placing, s.mobile->nodes);
    visit_boxes(&s, s.fixed->nodes, s.mobile->nodes, &root);
  }
  syn_pair_search_finish(&s.pairs);
}

/* ---- life --------------------------------------------------------------------------------------------------------
 */

static void destroy_obb(void *state) {
  obb_pairs *method = state;
  syn_obb_tree_release(&method->fixed_tree);
  syn_obb_tree_release(&method->mobile_tree);
  syn_pair_surface_release(&method->fixed);
  syn_pair_surface_release(&method->mobile);
  syn_free(method->context, method);
}

typedef struct filling {
  obb_pairs *method;
  const syn_body *bodies[2]; /* fixed, mobile */
  syn_vec3 center;
} filling;

static syn_status fill_body(void *user, size_t i, syn_error *error) {
  const filling *f = user;
  obb_pairs *method = f->method;
  pair_surface *surface = i == 0 ? &method->fixed : &method->mobile;
  SYN_TRY(syn_pair_surface_create(method->context, f->bodies[i]->surface, f->center, i == 0 ? "fixed" : "mobile",
                                  surface, error));
  return syn_obb_tree_create(surface, i == 0 ? &method->fixed_tree : &method->mobile_tree, error);
}

static syn_status create_obb(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                             const syn_collide_options *options, void **state, syn_error *error) {
  obb_pairs *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  filling f = {made, {fixed, mobile}, options->center};
  return syn_method_keep(syn_parallel_tasks(context, 2, fill_body, &f, error), made, destroy_obb, state);
}

static syn_status update_obb(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                             syn_error *error) {
  obb_pairs *method = state;
  size_t fixed_touched = 0, mobile_touched = 0;
  if (fixed_vertices) SYN_TRY(syn_pair_surface_update(&method->fixed, fixed_vertices, &fixed_touched, error));
  if (fixed_touched > 0) syn_obb_tree_fit(&method->fixed_tree, &method->fixed);
  if (mobile_vertices) SYN_TRY(syn_pair_surface_update(&method->mobile, mobile_vertices, &mobile_touched, error));
  if (mobile_touched > 0) syn_obb_tree_fit(&method->mobile_tree, &method->mobile);
  return SYN_OK;
}

const syn_method syn_method_obb = {
    .info = {.name = "obb", .summary = "all pairs of triangles that meet, by trees of oriented boxes"},
    create_obb,
    destroy_obb,
    update_obb,
    NULL,
    query_obb,
    SYN_SIDES_IGNORED};
