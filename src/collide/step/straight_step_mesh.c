/* Straight steps of whole meshes: trees over the boxes that triangles sweep, then every pair of features once. */
#include "collide/step/straight_step_mesh.h"
#include "base/memory.h"
#include "base/vec.h"
#include "collide/magnitude.h"
#include "collide/step/straight_step.h"
#include "mesh/tree/box_tree.h"
#include <synovia/collide.h>

typedef syn_moving_surface moving_body;

typedef struct search {
  const moving_body *fixed, *mobile;
  syn_step_event *event;
} search;

/* ---- preparing --------------------------------------------------------------------------------------------------- */

static syn_status check_places(const moving_body *b, const char *which, syn_error *error) {
  SYN_TRY(syn_check_places(b->before, b->mesh->vertex_count, which, SYN_LARGEST_MM, SYN_BAD_ARGUMENT, error));
  return syn_check_places(b->after, b->mesh->vertex_count, which, SYN_LARGEST_MM, SYN_BAD_ARGUMENT, error);
}

void syn_swept_boxes(const syn_trimesh *mesh, const syn_vec3 *before, const syn_vec3 *after, double margin_mm,
                     syn_box *boxes) {
  const syn_vec3 margin = vec3(margin_mm, margin_mm, margin_mm);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    boxes[t] = box_empty();
    for (int c = 0; c < 3; ++c) {
      const uint32_t v = mesh->triangles[t].v[c];
      box_add(&boxes[t], before[v]);
      box_add(&boxes[t], after[v]);
    }
    boxes[t] = (syn_box){vec3_sub(boxes[t].min, margin), vec3_add(boxes[t].max, margin)};
  }
}

static syn_status build_tree(moving_body *b, syn_error *error) {
  const syn_context *context = b->mesh->context;
  syn_box *boxes;
  SYN_TRY(SYN_NEW(context, &boxes, b->mesh->triangle_count, error));
  syn_swept_boxes(b->mesh, b->before, b->after, 0, boxes);
  const syn_status status = syn_box_tree_create(context, boxes, b->mesh->triangle_count, &b->tree, error);
  syn_free(context, boxes);
  return status;
}

static syn_status prepare_body(moving_body *b, const char *which, syn_error *error) {
  SYN_TRY(check_places(b, which, error));
  SYN_TRY(syn_topology_create(b->mesh, &b->topology, error));
  return build_tree(b, error);
}

/* ---- pairs of features ------------------------------------------------------------------------------------------- */

static void corner(const moving_body *b, uint32_t vertex, int at, syn_vec3 before[4], syn_vec3 after[4]) {
  before[at] = b->before[vertex];
  after[at] = b->after[vertex];
}

/* Returns whether a touch is the new result: the earliest wins, among equal times the lowest numbers, independent of
 * the order. */
static bool wins(const syn_step_event *event, double time, syn_event_kind kind, uint32_t fixed, uint32_t mobile) {
  if (time != event->time || event->kind == SYN_EVENT_NONE) return time <= event->time;
  if (kind != event->kind) return kind < event->kind;
  return fixed != event->fixed_element ? fixed < event->fixed_element : mobile < event->mobile_element;
}

static void record_event(syn_step_event *event, double time, syn_event_kind kind, uint32_t fixed, uint32_t mobile) {
  if (wins(event, time, kind, fixed, mobile)) *event = (syn_step_event){kind, time, fixed, mobile};
}

/* Returns whether a touch could still win: none is earlier than the start, and bodies that coincide touch in all their
 * pairs then. */
static bool can_win(const syn_step_event *event, syn_event_kind kind, uint32_t fixed, uint32_t mobile) {
  return wins(event, 0, kind, fixed, mobile);
}

/* Returns whether the swept boxes of the first `split` corners and of the others touch. */
static bool swept_boxes_touch(const syn_vec3 before[4], const syn_vec3 after[4], int split) {
  syn_box boxes[2] = {box_empty(), box_empty()};
  for (int i = 0; i < 4; ++i) {
    box_add(&boxes[i >= split], before[i]);
    box_add(&boxes[i >= split], after[i]);
  }
  return box_overlap(&boxes[0], &boxes[1]);
}

static void try_vertices(search *s, const moving_body *ours, uint32_t our_triangle, const moving_body *theirs,
                         uint32_t their_triangle, syn_event_kind kind) {
  syn_vec3 before[4], after[4];
  for (int c = 0; c < 3; ++c) corner(theirs, theirs->mesh->triangles[their_triangle].v[c], 1 + c, before, after);
  for (int c = 0; c < 3; ++c) {
    const uint32_t vertex = ours->mesh->triangles[our_triangle].v[c];
    const bool is_mobile = kind == SYN_EVENT_VERTEX_FACE;
    const uint32_t fixed = is_mobile ? their_triangle : vertex, mobile = is_mobile ? vertex : their_triangle;
    double time;
    if (!syn_owns_vertex(ours, our_triangle, vertex) || !can_win(s->event, kind, fixed, mobile)) continue;
    corner(ours, vertex, 0, before, after);
    if (swept_boxes_touch(before, after, 1) && syn_step_vertex_face(before, after, s->event->time, &time))
      record_event(s->event, time, kind, fixed, mobile);
  }
}

static void try_edges(search *s, uint32_t fixed, uint32_t mobile) {
  syn_vec3 before[4], after[4];
  for (int i = 0; i < 3; ++i) {
    const uint32_t f = s->fixed->topology->triangle_edges[fixed][i];
    if (!syn_owns_edge(s->fixed, fixed, f)) continue;
    for (int end = 0; end < 2; ++end) corner(s->fixed, s->fixed->topology->edge_vertices[f][end], end, before, after);
    for (int j = 0; j < 3; ++j) {
      const uint32_t m = s->mobile->topology->triangle_edges[mobile][j];
      double time;
      if (!syn_owns_edge(s->mobile, mobile, m) || !can_win(s->event, SYN_EVENT_EDGE_EDGE, f, m)) continue;
      for (int end = 0; end < 2; ++end)
        corner(s->mobile, s->mobile->topology->edge_vertices[m][end], 2 + end, before, after);
      if (swept_boxes_touch(before, after, 2) && syn_step_edge_edge(before, after, s->event->time, &time))
        record_event(s->event, time, SYN_EVENT_EDGE_EDGE, f, m);
    }
  }
}

static bool try_triangles(void *user, uint32_t fixed, uint32_t mobile) {
  search *s = user;
  try_vertices(s, s->mobile, mobile, s->fixed, fixed, SYN_EVENT_VERTEX_FACE);
  try_vertices(s, s->fixed, fixed, s->mobile, mobile, SYN_EVENT_FACE_VERTEX);
  try_edges(s, fixed, mobile);
  return can_win(s->event, SYN_EVENT_VERTEX_FACE, 0, 0); /* else nothing can */
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

static void release_body(moving_body *b) {
  syn_topology_destroy(b->topology);
  syn_box_tree_destroy(b->tree);
}

void syn_step_first_touch(const syn_moving_surface *fixed, const syn_moving_surface *mobile, syn_step_event *event) {
  *event = (syn_step_event){SYN_EVENT_NONE, 1, SYN_NONE, SYN_NONE};
  search s = {fixed, mobile, event};
  syn_box_tree_pairs(fixed->tree, mobile->tree, try_triangles, &s);
}

static moving_body moving(const syn_trimesh *mesh, const syn_vec3 *after) {
  return (moving_body){.mesh = mesh, .before = mesh->vertices, .after = after ? after : mesh->vertices};
}

syn_status syn_step_event_find(const syn_trimesh *fixed, const syn_vec3 *fixed_after, const syn_trimesh *mobile,
                               const syn_vec3 *mobile_after, syn_step_event *event, syn_error *error) {
  moving_body f = moving(fixed, fixed_after), m = moving(mobile, mobile_after);
  *event = (syn_step_event){SYN_EVENT_NONE, 1, SYN_NONE, SYN_NONE};
  syn_status status = prepare_body(&f, "fixed", error);
  if (status == SYN_OK) status = prepare_body(&m, "mobile", error);
  if (status == SYN_OK) syn_step_first_touch(&f, &m, event);
  release_body(&f);
  release_body(&m);
  return status;
}
