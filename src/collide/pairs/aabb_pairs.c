/* Crossing triangles by two trees of axis-aligned boxes. The mobile tree stays in the mobile frame; a node's box is
 * transformed only when the search reaches it. After a deformation only boxes around moved triangles are fitted
 * (Sundaraj 2004, §5.4). */
#include "collide/pairs/pair_search.h"
#include "collide/pairs/posed_box.h"
#include "geometry/triangle_filter.h"

typedef struct aabb_pairs {
  const syn_context *context;
  pair_surface fixed, mobile;
} aabb_pairs;

typedef struct search {
  pair_search pairs;
  box_poser poser;
  const syn_box_node *fixed, *mobile; /* nodes */
  float wandered;
} search;

static bool visit_leaves(search *s, uint32_t f, uint32_t m) {
  const syn_vec3 *fixed = pair_surface_triangle(s->pairs.fixed, f);
  syn_vec3 moved[3];
  pair_search_place(&s->pairs, m, moved);
  const sided_plane fixed_plane = sided_plane_of(fixed), moved_plane = sided_plane_of(moved);
  return !triangles_meet_filtered(fixed, &fixed_plane, moved, &moved_plane) ||
         syn_pair_search_report(&s->pairs, f, m, moved);
}

/* Returns whether the nodes are in disjoint shells about the centre. */
static bool shells_apart(const search *s, const syn_box_node *f, const syn_box_node *m) {
  const shell *a = &s->pairs.fixed->shells[f - s->fixed], *b = &s->pairs.mobile->shells[m - s->mobile];
  return a->near > b->far + s->wandered || a->far < b->near - s->wandered;
}

/* Descends the node with more triangles below; `box` is the mobile node's in the fixed frame. No deeper than both trees
 * together. False: stop. */
static bool visit_boxes(search *s, const syn_box_node *f, const syn_box_node *m, const syn_box *box) {
  if (shells_apart(s, f, m) || !box_may_touch(box, f)) return true;
  if (f->count == 1 && m->count == 1) return visit_leaves(s, f->child, m->child);
  if (f->count >= m->count)
    return visit_boxes(s, &s->fixed[f->child], m, box) && visit_boxes(s, &s->fixed[f->child + 1], m, box);
  for (uint32_t side = 0; side < 2; ++side) {
    const syn_box_node *child = &s->mobile[m->child + side];
    const syn_box placed = box_posed(&s->poser, child);
    if (!visit_boxes(s, f, child, &placed)) return false;
  }
  return true;
}

static void query_aabb(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result) {
  const aabb_pairs *method = state;
  (void)scratch;
  search s = {.pairs = {&method->fixed, &method->mobile, pose, result},
              .poser = box_poser_make(pose, method->mobile.tree),
              .fixed = method->fixed.tree->nodes,
              .mobile = method->mobile.tree->nodes};
  s.wandered = pair_search_wandered(&s.pairs);
  if (method->fixed.tree->item_count > 0 && method->mobile.tree->item_count > 0) {
    const syn_box root = box_posed(&s.poser, s.mobile);
    visit_boxes(&s, s.fixed, s.mobile, &root);
  }
  syn_pair_search_finish(&s.pairs);
}

static void destroy_aabb(void *state) {
  aabb_pairs *method = state;
  syn_pair_surface_release(&method->fixed);
  syn_pair_surface_release(&method->mobile);
  syn_free(method->context, method);
}

static syn_status create_aabb(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                              const syn_collide_options *options, void **state, syn_error *error) {
  aabb_pairs *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  syn_status status = syn_pair_surface_create(context, fixed->surface, options->center, "fixed", &made->fixed, error);
  if (status == SYN_OK)
    status = syn_pair_surface_create(context, mobile->surface, options->center, "mobile", &made->mobile, error);
  return syn_method_keep(status, made, destroy_aabb, state);
}

static syn_status update_aabb(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                              syn_error *error) {
  aabb_pairs *method = state;
  if (fixed_vertices) SYN_TRY(syn_pair_surface_update(&method->fixed, fixed_vertices, NULL, error));
  if (mobile_vertices) SYN_TRY(syn_pair_surface_update(&method->mobile, mobile_vertices, NULL, error));
  return SYN_OK;
}

const syn_method syn_method_aabb = {
    .info = {.name = "aabb", .summary = "all pairs of triangles that meet, by trees of axis-aligned boxes"},
    create_aabb,
    destroy_aabb,
    update_aabb,
    NULL,
    query_aabb,
    SYN_SIDES_IGNORED};
