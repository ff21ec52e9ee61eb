/* How far a body turns about an axis before it touches another one.
 *
 * The first touch over all pairs of features (rotation_touch.h) is the answer; two trees of balls leave few pairs to
 * look at. Everything happens in a frame whose origin is the centre and whose z axis is the axis. */
#include <assert.h>
#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "collide/pair_queue.h"
#include "collide/rotation_body.h"
#include "collide/rotation_touch.h"
#include <synovia/collide.h>

struct syn_rotation {
  const syn_context *context;
  syn_vec3 center;
  double grain;  /* what coordinates may be wrong by; see rotation_touch.h */
  double margin; /* what bounds are widened by: far more than grain and roundings to float */
  rotation_body fixed, mobile;
};

const char *syn_event_kind_name(syn_event_kind kind) {
  static const char *const names[] = {"none", "vertex-face", "face-vertex", "edge-edge"};
  return names[kind];
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

static double farthest(const syn_trimesh *mesh, syn_vec3 center) {
  double far2 = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    far2 = max2(far2, vec3_length2(vec3_sub(mesh->vertices[i], center)));
  return sqrt(far2);
}

static syn_status build_bodies(syn_rotation *made, const syn_trimesh *fixed, const syn_trimesh *mobile,
                               syn_error *error) {
  /* Squares of lengths are kept as floats. */
  const double farthest_allowed = 1e15, reach = max2(farthest(fixed, made->center), farthest(mobile, made->center));
  if (!(reach <= farthest_allowed))
    return syn_fail(error, SYN_BAD_MESH,
                    "a vertex lies %.3g mm from the centre of rotation; more than %.0e mm cannot be turned", reach,
                    farthest_allowed);
  made->grain = 32 * DBL_EPSILON * (vec3_length(made->center) + reach);
  made->margin = max2(1e-6 * reach, 1000 * made->grain);
  SYN_TRY(syn_rotation_body_build(fixed, made->center, made->margin, &made->fixed, error));
  return syn_rotation_body_build(mobile, made->center, made->margin, &made->mobile, error);
}

syn_status syn_rotation_create(const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center,
                               syn_rotation **rotation, syn_error *error) {
  *rotation = NULL;
  if (!vec3_finite(center)) return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of rotation is not a finite point");
  syn_rotation *made;
  SYN_TRY(SYN_NEW_ZEROED(fixed->context, &made, 1, error));
  made->context = fixed->context;
  made->center = center;
  const syn_status status = build_bodies(made, fixed, mobile, error);
  if (status != SYN_OK) {
    syn_rotation_destroy(made);
    return status;
  }
  *rotation = made;
  return SYN_OK;
}

void syn_rotation_destroy(syn_rotation *rotation) {
  if (!rotation) return;
  syn_rotation_body_release(&rotation->fixed);
  syn_rotation_body_release(&rotation->mobile);
  syn_free(rotation->context, rotation);
}

/* ---- what a query works on: the scratch -------------------------------------------------------------------------- */

/* A ball seen from the axis: its middle in cylinder coordinates and its half width in angle. */
typedef struct turned_node {
  float axial, radial, angle, half_width;
  float radius, near, far; /* these and `next` as in body_node */
  int32_t next;
} turned_node;

/* Where a feature, or all of a leaf, lies: its distance from the centre, its place along the axis and the square of its
 * distance from the axis. No turn changes any of these, so what lies apart in one of them never meets. */
typedef struct span {
  float near, far, low, high, near2, far2;
} span;

/* A body as the axis sees it. Filled where the search comes by. */
typedef struct turned_body {
  const rotation_body *of;
  syn_mat3 frame;
  float frame_as_floats[3][3];
  double margin;
  syn_vec3 *corners;
  turned_node *nodes;
  span *edges, *faces, *leaves;
  uint8_t *opened; /* by node: its children, or the features of a leaf, are filled */
} turned_body;

typedef struct search {
  turned_body fixed, mobile;
  double grain;
  double best[2];          /* angle reached so far in either direction */
  syn_turns_wanted wanted; /* the same as ranks */
  syn_event *event[2];     /* positive, negative */
} search;

static const float whole_turn = 6.28318531f;

static size_t scratch_of(const rotation_body *b) {
  return b->corner_count * sizeof(syn_vec3) + b->node_count * sizeof(turned_node) +
         ((size_t)b->edge_count + b->face_count + b->leaf_count) * sizeof(span) +
         (b->node_count + (size_t)15) / 16 * 16;
}

/* Some thousand pairs wait in a search between whole bones. */
static uint32_t waiting_capacity(const syn_rotation *rotation) {
  const uint64_t nodes = (uint64_t)rotation->fixed.node_count + rotation->mobile.node_count, enough = 8192;
  return PAIR_QUEUE_DEPTH + 1 + (uint32_t)(nodes < enough ? nodes : enough);
}

size_t syn_rotation_scratch(const syn_rotation *rotation) {
  return scratch_of(&rotation->fixed) + scratch_of(&rotation->mobile) +
         waiting_capacity(rotation) * sizeof(waiting_pair);
}

/* atan2 within 1e-4: odd polynomial for the first octant, the rest by symmetry. Exactness is the half width's business.
 */
static inline float rough_angle(float y, float x) {
  const float ax = fabsf(x), ay = fabsf(y), low = ax < ay ? ax : ay, high = ax < ay ? ay : ax;
  const float t = high > 0 ? low / high : 0, t2 = t * t;
  float angle = t * (0.9998660f + t2 * (-0.3302995f + t2 * (0.1801410f + t2 * (-0.0851330f + t2 * 0.0208351f))));
  angle = ay > ax ? 1.57079633f - angle : angle;
  angle = x < 0 ? 3.14159265f - angle : angle;
  return copysignf(angle, y);
}

static void turn_node(turned_body *b, uint32_t i) {
  const body_node *n = &b->of->nodes[i];
  float(*m)[3] = b->frame_as_floats;
  const float x = m[0][0] * n->x + m[0][1] * n->y + m[0][2] * n->z,
              y = m[1][0] * n->x + m[1][1] * n->y + m[1][2] * n->z;
  const float z = m[2][0] * n->x + m[2][1] * n->y + m[2][2] * n->z, radial = sqrtf(x * x + y * y);
  const float q = radial > n->radius ? n->radius / radial : 1;
  /* asin(q) <= q + (pi/2 - 1) q^3 on [0, 1]; a ball that reaches the axis is all around it */
  const float half_width = q < 1 ? q + 0.5707964f * q * q * q + 3e-4f : whole_turn;
  b->nodes[i] = (turned_node){z, radial, rough_angle(y, x), half_width, n->radius, n->near, n->far, n->next};
}

/* Lays a body out in the scratch as the axis sees it; returns where the next one may go. */
static char *turn_body(const rotation_body *b, const syn_mat3 *frame, double margin, char *scratch,
                       turned_body *turned) {
  turned->of = b;
  turned->margin = margin;
  turned->frame = *frame;
  turned->corners = (syn_vec3 *)(void *)scratch;
  turned->nodes = (turned_node *)(void *)(turned->corners + b->corner_count);
  turned->edges = (span *)(void *)(turned->nodes + b->node_count);
  turned->faces = turned->edges + b->edge_count;
  turned->leaves = turned->faces + b->face_count;
  turned->opened = (uint8_t *)(turned->leaves + b->leaf_count);
  memset(turned->opened, 0, b->node_count);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) turned->frame_as_floats[i][j] = (float)vec3_at(frame->row[i], j);
  turn_node(turned, 0);
  return scratch + scratch_of(b);
}

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

/* Not one `and` of these can be foreseen, so there is no branch between them. */
static bool spans_meet(const span *a, const span *b) {
  return (a->near <= b->far) & (b->near <= a->far) & (a->low <= b->high) & (b->low <= a->high) & (a->near2 <= b->far2) &
         (b->near2 <= a->far2);
}

static float lower(float a, float b) { return a < b ? a : b; }
static float upper(float a, float b) { return a > b ? a : b; }

static void span_grow(span *s, const span *by) {
  *s = (span){lower(s->near, by->near), upper(s->far, by->far),     lower(s->low, by->low),
              upper(s->high, by->high), lower(s->near2, by->near2), upper(s->far2, by->far2)};
}

/* near and far come with their margin. */
static span span_from(const turned_body *b, float near, float far, double low, double high, double near2, double far2) {
  const double squares = 4e-6, margin2 = b->margin * b->margin; /* (r + grain)^2 < (1 + 4e-6) r^2 + margin^2 */
  return (span){near,
                far,
                (float)(low - b->margin),
                (float)(high + b->margin),
                (float)(near2 * (1 - squares) - margin2),
                (float)(far2 * (1 + squares) + margin2)};
}

static span edge_span(const turned_body *b, const edge_feature *edge, const syn_vec3 *corners) {
  const syn_vec3 p = corners[edge->v[0]], q = corners[edge->v[1]];
  const double p2 = p.x * p.x + p.y * p.y, q2 = q.x * q.x + q.y * q.y, x = q.x - p.x, y = q.y - p.y;
  const double along = p.x * x + p.y * y, length2 = x * x + y * y;
  const bool foot_inside = along < 0 && -along < length2;
  const double near2 = foot_inside ? p2 - along * along / length2 : min2(p2, q2);
  return span_from(b, edge->near, edge->far, min2(p.z, q.z), max2(p.z, q.z), near2, max2(p2, q2));
}

static span face_span(const turned_body *b, const face_feature *face, const syn_vec3 *corners) {
  const syn_vec3 p = corners[face->v[0]], q = corners[face->v[1]], r = corners[face->v[2]];
  const double p2 = p.x * p.x + p.y * p.y, q2 = q.x * q.x + q.y * q.y, r2 = r.x * r.x + r.y * r.y;
  return span_from(b, face->near, face->far, min2(p.z, min2(q.z, r.z)), max2(p.z, max2(q.z, r.z)), 0,
                   max2(p2, max2(q2, r2)));
}

static void turn_features(turned_body *b, uint32_t number) {
  const leaf_features *leaf = &b->of->leaves[number];
  syn_vec3 *corners = &b->corners[leaf->corner_begin];
  span all = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (uint32_t i = 0; i < leaf->corner_count; ++i)
    corners[i] = mat3_apply(&b->frame, b->of->corners[leaf->corner_begin + i].place);
  for (uint32_t i = leaf->edge_begin; i < leaf->edge_begin + leaf->edge_count; ++i)
    b->edges[i] = edge_span(b, &b->of->edges[i], corners);
  for (uint32_t i = leaf->face_begin; i < leaf->face_begin + leaf->face_count; ++i) {
    b->faces[i] = face_span(b, &b->of->faces[i], corners);
    span_grow(&all, &b->faces[i]);
  }
  b->leaves[number] = all;
}

/* Takes a touch into the account of both directions. */
static void record(search *q, double cosine, double sine, syn_vec3 point, syn_event_kind kind, uint32_t fixed,
                   uint32_t mobile) {
  const double angle = atan2(sine, cosine);
  /* added to or taken from 0, an angle of 0 has no sign */
  const double reached[2] = {angle < 0 ? angle + 2 * SYN_PI : angle + 0, angle > 0 ? 2 * SYN_PI - angle : 0 - angle};
  for (int d = 0; d < 2; ++d) {
    syn_event *event = q->event[d];
    if (reached[d] > q->best[d]) continue;
    /* Several pairs touch at once where a vertex or edge is shared: the lowest numbers win, whatever the order. */
    if (reached[d] == q->best[d] && event->kind != SYN_EVENT_NONE &&
        (event->kind < kind ||
         (event->kind == kind &&
          (event->fixed_element < fixed || (event->fixed_element == fixed && event->mobile_element <= mobile)))))
      continue;
    q->best[d] = reached[d];
    *event = (syn_event){kind, reached[d], point, fixed, mobile};
    *(d == 0 ? &q->wanted.positive : &q->wanted.negative) = syn_turn_rank(cosine, d == 0 ? sine : -sine);
  }
}

static bool reaches(float near_a, float far_a, float near_b, float far_b) { return near_a <= far_b && near_b <= far_a; }

static void try_edges(search *q, const edge_feature *mobile, const syn_vec3 *mobile_corners, const edge_feature *fixed,
                      const syn_vec3 *fixed_corners) {
  const syn_vec3 m[2] = {mobile_corners[mobile->v[0]], mobile_corners[mobile->v[1]]};
  const syn_vec3 f[2] = {fixed_corners[fixed->v[0]], fixed_corners[fixed->v[1]]};
  syn_touch touches[SYN_TOUCHES];
  const int count = syn_touch_edge_edge(m, f, q->grain, &q->wanted, touches);
  for (int i = 0; i < count; ++i)
    record(q, touches[i].cosine, touches[i].sine, touches[i].point, SYN_EVENT_EDGE_EDGE, fixed->id, mobile->id);
}

static void edges_of_leaves(search *q, uint32_t mobile_leaf, uint32_t fixed_leaf) {
  const turned_body *mobile = &q->mobile, *fixed = &q->fixed;
  const leaf_features *m = &mobile->of->leaves[mobile_leaf], *f = &fixed->of->leaves[fixed_leaf];
  for (uint32_t i = m->edge_begin; i < m->edge_begin + m->edge_count; ++i) {
    if (!spans_meet(&mobile->edges[i], &fixed->leaves[fixed_leaf])) continue;
    for (uint32_t j = f->edge_begin; j < f->edge_begin + f->edge_count; ++j)
      if (spans_meet(&mobile->edges[i], &fixed->edges[j]))
        try_edges(q, &mobile->of->edges[i], &mobile->corners[m->corner_begin], &fixed->of->edges[j],
                  &fixed->corners[f->corner_begin]);
  }
}

/* A vertex of ours against a triangle of theirs. With `backwards` the triangle turns, which is the vertex turning the
 * other way. */
static void try_vertex(search *q, syn_vec3 p, uint32_t vertex, const face_feature *face, const syn_vec3 *corners,
                       bool backwards) {
  const syn_vec3 v[3] = {corners[face->v[0]], corners[face->v[1]], corners[face->v[2]]};
  const syn_turns_wanted swapped = {q->wanted.negative, q->wanted.positive};
  syn_touch touches[SYN_TOUCHES];
  const int count = syn_touch_vertex_face(p, v, q->grain, backwards ? &swapped : &q->wanted, touches);
  for (int i = 0; i < count; ++i) {
    if (backwards)
      record(q, touches[i].cosine, -touches[i].sine, p, SYN_EVENT_FACE_VERTEX, vertex, face->id);
    else
      record(q, touches[i].cosine, touches[i].sine, touches[i].point, SYN_EVENT_VERTEX_FACE, face->id, vertex);
  }
}

static void vertices_of_leaf(search *q, const turned_body *ours, uint32_t our_leaf, const turned_body *theirs,
                             uint32_t their_leaf, bool backwards) {
  const leaf_features *us = &ours->of->leaves[our_leaf], *them = &theirs->of->leaves[their_leaf];
  for (uint32_t i = 0; i < us->own_vertex_count; ++i) {
    const uint32_t at = us->corner_begin + us->own_vertices[i];
    const corner *vertex = &ours->of->corners[at];
    const syn_vec3 p = ours->corners[at];
    const float z = (float)p.z, r2 = (float)(p.x * p.x + p.y * p.y);
    const span point = {vertex->far, vertex->far, z, z, r2, r2};
    if (!spans_meet(&point, &theirs->leaves[their_leaf])) continue;
    for (uint32_t j = them->face_begin; j < them->face_begin + them->face_count; ++j)
      if (spans_meet(&point, &theirs->faces[j]))
        try_vertex(q, p, vertex->id, &theirs->of->faces[j], &theirs->corners[them->corner_begin], backwards);
  }
}

static void try_leaves(search *q, uint32_t mobile, uint32_t fixed) {
  if (!spans_meet(&q->mobile.leaves[mobile], &q->fixed.leaves[fixed])) return;
  edges_of_leaves(q, mobile, fixed);
  vertices_of_leaf(q, &q->mobile, mobile, &q->fixed, fixed, false);
  vertices_of_leaf(q, &q->fixed, fixed, &q->mobile, mobile, true);
}

/* ---- branch and bound -------------------------------------------------------------------------------------------- */

/* Fills what lies directly below a node: children or features. */
static void open_node(turned_body *b, uint32_t node) {
  if (b->opened[node]) return;
  b->opened[node] = 1;
  const int32_t next = b->of->nodes[node].next;
  if (next > 0) {
    turn_node(b, node + 1);
    turn_node(b, (uint32_t)next);
  } else {
    turn_features(b, (uint32_t)-next);
  }
}

/* The first angle, over the directions in which it still matters, at which the pair may touch; INFINITY where none. */
static float soonest(const search *q, const node_pair *p) {
  const float positive = (double)p->least[0] <= q->best[0] ? p->least[0] : INFINITY;
  const float negative = (double)p->least[1] <= q->best[1] ? p->least[1] : INFINITY;
  return positive < negative ? positive : negative;
}

/* False when the two can never meet, because their circles about the axis or their distances from the centre are apart,
 * or not soon enough to matter. */
static bool bound_pair(const search *q, node_pair *p) {
  const turned_node *m = &q->mobile.nodes[p->mobile], *f = &q->fixed.nodes[p->fixed];
  const float axial = m->axial - f->axial, radial = m->radial - f->radial, reach = m->radius + f->radius;
  if (!reaches(m->near, m->far, f->near, f->far) || axial * axial + radial * radial > reach * reach) return false;
  const float apart = f->angle - m->angle, ahead = apart < 0 ? apart + whole_turn : apart;
  const float width = m->half_width + f->half_width;
  const bool beside = ahead > width && ahead < whole_turn - width; /* else they share an angle from the start */
  p->least[0] = beside ? ahead - width : 0;
  p->least[1] = beside ? whole_turn - ahead - width : 0;
  p->key = soonest(q, p);
  return p->key < INFINITY;
}

/* Replaces a pair by those of the larger node's children with the smaller node. */
static void split(search *q, const node_pair *p, pair_queue *queue) {
  const turned_node *m = &q->mobile.nodes[p->mobile], *f = &q->fixed.nodes[p->fixed];
  node_pair left = *p, right = *p;
  if (m->next > 0 && (f->next <= 0 || m->radius >= f->radius)) {
    open_node(&q->mobile, p->mobile);
    left.mobile = p->mobile + 1;
    right.mobile = (uint32_t)m->next;
  } else {
    open_node(&q->fixed, p->fixed);
    left.fixed = p->fixed + 1;
    right.fixed = (uint32_t)f->next;
  }
  if (bound_pair(q, &left)) pair_queue_put(queue, &left);
  if (bound_pair(q, &right)) pair_queue_put(queue, &right);
}

static void look_at(search *q, const node_pair *p, pair_queue *queue) {
  const int32_t mobile = q->mobile.nodes[p->mobile].next, fixed = q->fixed.nodes[p->fixed].next;
  if (mobile > 0 || fixed > 0) {
    split(q, p, queue);
    return;
  }
  open_node(&q->mobile, p->mobile);
  open_node(&q->fixed, p->fixed);
  try_leaves(q, (uint32_t)-mobile, (uint32_t)-fixed);
}

static void descend(search *q, waiting_pair *room, uint32_t capacity) {
  pair_queue queue;
  node_pair now = {0, 0, {0, 0}, 0};
  pair_queue_open(&queue, room, capacity);
  if (bound_pair(q, &now)) pair_queue_put(&queue, &now);
  while (pair_queue_take(&queue, &now)) {
    /* Meanwhile one direction may be done with, and the other one's turn comes later or never. */
    const float key = soonest(q, &now);
    if (key <= now.key) {
      look_at(q, &now, &queue);
    } else if (key < INFINITY) {
      now.key = key;
      pair_queue_put(&queue, &now);
    }
  }
}

/* ---- the query --------------------------------------------------------------------------------------------------- */

void syn_rotation_query(const syn_rotation *rotation, const syn_pose *start, syn_vec3 axis, void *scratch,
                        syn_event *positive, syn_event *negative) {
  assert(vec3_length2(axis) > 0);
  const syn_vec3 k = vec3_unit(axis), x = vec3_any_normal(k);
  const syn_mat3 frame = {{x, vec3_cross(k, x), k}};
  const syn_mat3 mobile_frame = start ? mat3_multiply(&frame, &start->rotation) : frame;
  search q = {
      .grain = rotation->grain, .best = {2 * SYN_PI, 2 * SYN_PI}, .wanted = {4, 4}, .event = {positive, negative}};
  *positive = *negative = (syn_event){.angle = 2 * SYN_PI, .fixed_element = SYN_NONE, .mobile_element = SYN_NONE};
  if (rotation->fixed.node_count == 0 || rotation->mobile.node_count == 0) return;
  char *rest = turn_body(&rotation->fixed, &frame, rotation->margin, scratch, &q.fixed);
  rest = turn_body(&rotation->mobile, &mobile_frame, rotation->margin, rest, &q.mobile);
  descend(&q, (waiting_pair *)(void *)rest, waiting_capacity(rotation));
  const syn_mat3 back = mat3_transpose(&frame);
  for (int d = 0; d < 2; ++d)
    if (q.event[d]->kind != SYN_EVENT_NONE)
      q.event[d]->point = vec3_add(mat3_apply(&back, q.event[d]->point), rotation->center);
}
