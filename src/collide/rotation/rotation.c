/* Computes how far a body rotates about an axis before it touches another one.
 *
 * The first touch over all pairs of features (rotation_turned.h) is the answer; two trees of balls exclude most pairs.
 * All coordinates are in a frame whose origin is the centre and whose z axis is the axis. */
#include <float.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "collide/magnitude.h"
#include "collide/rotation/pair_queue.h"
#include "collide/rotation/rotation.h"
#include "collide/rotation/rotation_turned.h"
#include "geometry/triangle_pair.h"
#include <synovia/collide.h>

struct syn_rotation {
  const syn_context *context;
  syn_vec3 center;
  double grain;  /* error of coordinates relative to the centre; see grain_of */
  double margin; /* the far larger margin of all bounds for it; see rotation_margin */
  rotation_body fixed, mobile;
};

SYN_ENUM_NAMES(syn_event_kind, SYN_EVENT_KINDS, [SYN_EVENT_NONE] = "none", [SYN_EVENT_VERTEX_FACE] = "vertex-face",
               [SYN_EVENT_FACE_VERTEX] = "face-vertex", [SYN_EVENT_EDGE_EDGE] = "edge-edge");

/* ---- building ---------------------------------------------------------------------------------------------------- */

typedef struct building {
  syn_rotation *made;
  const syn_rotation_part *fixed, *mobile;
  const syn_rotation *like;
} building;

static syn_status build_body(void *user, size_t which, syn_error *error) {
  const building *b = user;
  syn_rotation *made = b->made;
  const rotation_body *fixed = b->like ? &b->like->fixed : NULL, *mobile = b->like ? &b->like->mobile : NULL;
  if (which == 0) return syn_rotation_body_build(b->fixed, fixed, made->center, made->margin, &made->fixed, error);
  return syn_rotation_body_build(b->mobile, mobile, made->center, made->margin, &made->mobile, error);
}

static syn_status build_bodies(building *b, syn_error *error) {
  syn_rotation *made = b->made;
  made->grain = 32 * DBL_EPSILON * vec3_length(made->center);
  made->margin = 1000 * made->grain;
  return syn_parallel_tasks(made->context, 2, build_body, b, error);
}

syn_status syn_rotation_create(const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center,
                               syn_rotation **rotation, syn_error *error) {
  const syn_rotation_part still = {.mesh = fixed}, turning = {.mesh = mobile};
  return syn_rotation_create_of(&still, &turning, center, NULL, rotation, error);
}

static syn_status check_part(const syn_rotation_part *part, const char *which, syn_error *error) {
  return syn_check_surface(part->mesh, part->vertices ? part->vertices : part->mesh->vertices, which, error);
}

syn_status syn_rotation_create_of(const syn_rotation_part *fixed, const syn_rotation_part *mobile, syn_vec3 center,
                                  const syn_rotation *like, syn_rotation **rotation, syn_error *error) {
  *rotation = NULL;
  SYN_TRY(syn_check_point(center, "the centre of rotation", error));
  SYN_TRY(check_part(fixed, "fixed", error));
  SYN_TRY(check_part(mobile, "mobile", error));
  syn_rotation *made;
  SYN_TRY(SYN_NEW_ZEROED(fixed->mesh->context, &made, 1, error));
  made->context = fixed->mesh->context;
  made->center = center;
  building b = {made, fixed, mobile, like};
  const syn_status status = build_bodies(&b, error);
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

typedef struct search {
  turned_body fixed, mobile;
  double grain;            /* error of coordinates relative to the centre */
  double best[2];          /* best angle so far in either direction */
  float limit[2];          /* the same for boxes */
  syn_turns_wanted wanted; /* the same as ranks */
  syn_event *event[2];     /* positive, negative */
  bool standing;           /* no rotation: do triangles intersect? */
  bool met;
} search;

static uint64_t part_count(const rotation_body *body) { return body->plan ? body->plan->part_count : 0; }

/* A search between whole bones queues some thousand pairs. */
static uint32_t waiting_capacity(const syn_rotation *rotation) {
  const uint64_t parts = part_count(&rotation->fixed) + part_count(&rotation->mobile), enough = 8192;
  return PAIR_QUEUE_DEPTH + 1 + (uint32_t)(parts < enough ? parts : enough);
}

size_t syn_rotation_scratch(const syn_rotation *rotation) {
  return syn_turned_size(&rotation->fixed) + syn_turned_size(&rotation->mobile) +
         waiting_capacity(rotation) * sizeof(waiting_pair);
}

/* ---- features ---------------------------------------------------------------------------------------------------- */

/* Records a touch for both directions. */
static void record_touch(search *q, double cosine, double sine, syn_vec3 point, syn_event_kind kind, uint32_t fixed,
                         uint32_t mobile) {
  const double angle = syn_atan2(sine, cosine);
  /* added to or taken from 0, an angle of 0 has no sign */
  const double reached[2] = {angle < 0 ? angle + 2 * SYN_PI : angle + 0, angle > 0 ? 2 * SYN_PI - angle : 0 - angle};
  for (int d = 0; d < 2; ++d) {
    syn_event *event = q->event[d];
    if (reached[d] > q->best[d]) continue;
    /* Several pairs touch at once at a shared vertex or edge: the lowest numbers win, independent of the order. */
    if (reached[d] == q->best[d] && event->kind != SYN_EVENT_NONE &&
        (event->kind < kind ||
         (event->kind == kind &&
          (event->fixed_element < fixed || (event->fixed_element == fixed && event->mobile_element <= mobile)))))
      continue;
    q->best[d] = reached[d];
    q->limit[d] = (float)reached[d];
    *event = (syn_event){kind, reached[d], point, fixed, mobile};
    *(d == 0 ? &q->wanted.positive : &q->wanted.negative) = syn_turn_rank(cosine, d == 0 ? sine : -sine);
  }
}

/* Tries a pair of features by their numbers. */
typedef void try_features(search *q, uint32_t mobile, uint32_t fixed);

static syn_vec3 vertex_of(const turned_body *b, uint32_t vertex) {
  return mat3_apply(&b->frame, b->of->vertices[vertex]);
}

/* Returns the error of the coordinates of these features (rotation_turned.h): it depends on their size, not on that of
 * the bodies, so that one far vertex does not affect all others. */
static double grain_of(const search *q, const syn_vec3 *mobile, int mobile_count, const syn_vec3 *fixed,
                       int fixed_count) {
  double far2 = 0;
  for (int i = 0; i < mobile_count; ++i) far2 = max2(far2, vec3_length2(mobile[i]));
  for (int i = 0; i < fixed_count; ++i) far2 = max2(far2, vec3_length2(fixed[i]));
  return q->grain + 32 * DBL_EPSILON * sqrt(far2);
}

static void try_edges(search *q, uint32_t mobile, uint32_t fixed) {
  syn_vec3 m[2], f[2];
  for (int end = 0; end < 2; ++end) {
    m[end] = vertex_of(&q->mobile, q->mobile.of->plan->edges[mobile][end]);
    f[end] = vertex_of(&q->fixed, q->fixed.of->plan->edges[fixed][end]);
  }
  syn_touch touches[SYN_TOUCHES];
  const int count = syn_touch_edge_edge(m, f, grain_of(q, m, 2, f, 2), &q->wanted, touches);
  for (int i = 0; i < count; ++i)
    record_touch(q, touches[i].cosine, touches[i].sine, touches[i].point, SYN_EVENT_EDGE_EDGE, fixed, mobile);
}

static void try_vertex_face(search *q, uint32_t mobile, uint32_t fixed) {
  const syn_vec3 p = vertex_of(&q->mobile, mobile);
  syn_vec3 v[3];
  for (int c = 0; c < 3; ++c) v[c] = vertex_of(&q->fixed, q->fixed.of->plan->triangles[fixed].v[c]);
  syn_touch touches[SYN_TOUCHES];
  const int count = syn_touch_vertex_face(p, v, grain_of(q, &p, 1, v, 3), &q->wanted, touches);
  for (int i = 0; i < count; ++i)
    record_touch(q, touches[i].cosine, touches[i].sine, touches[i].point, SYN_EVENT_VERTEX_FACE, fixed, mobile);
}

/* The triangle rotates, which equals the vertex rotating the other way. */
static void try_face_vertex(search *q, uint32_t mobile, uint32_t fixed) {
  const syn_vec3 p = vertex_of(&q->fixed, fixed);
  const syn_turns_wanted swapped = {q->wanted.negative, q->wanted.positive};
  syn_vec3 v[3];
  for (int c = 0; c < 3; ++c) v[c] = vertex_of(&q->mobile, q->mobile.of->plan->triangles[mobile].v[c]);
  syn_touch touches[SYN_TOUCHES];
  const int count = syn_touch_vertex_face(p, v, grain_of(q, &p, 1, v, 3), &swapped, touches);
  for (int i = 0; i < count; ++i)
    record_touch(q, touches[i].cosine, -touches[i].sine, p, SYN_EVENT_FACE_VERTEX, fixed, mobile);
}

/* Tests two triangles without a rotation. */
static void try_faces(search *q, uint32_t mobile, uint32_t fixed) {
  syn_vec3 m[3], f[3];
  for (int c = 0; c < 3; ++c) {
    m[c] = vertex_of(&q->mobile, q->mobile.of->plan->triangles[mobile].v[c]);
    f[c] = vertex_of(&q->fixed, q->fixed.of->plan->triangles[fixed].v[c]);
  }
  q->met = q->met || syn_triangles_meet(m, f);
}

/* Warm start: try the previous contact pair first to get a tight bound. */
static void try_hint(search *q, const syn_event *hint) {
  static try_features *const attempts[] = {[SYN_EVENT_VERTEX_FACE] = try_vertex_face,
                                           [SYN_EVENT_FACE_VERTEX] = try_face_vertex,
                                           [SYN_EVENT_EDGE_EDGE] = try_edges};
  const rotation_plan *m = q->mobile.of->plan, *f = q->fixed.of->plan;
  const uint32_t mobile_counts[] = {0, m->vertex_count, m->triangle_count, m->edge_count};
  const uint32_t fixed_counts[] = {0, f->triangle_count, f->vertex_count, f->edge_count};
  if (hint->mobile_element < mobile_counts[hint->kind] && hint->fixed_element < fixed_counts[hint->kind])
    attempts[hint->kind](q, hint->mobile_element, hint->fixed_element);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Features of one kind in a part. */
typedef struct feature_list {
  const part_feature *features;
  const turn_boxes *packs;
  uint32_t pack_count;
} feature_list;

enum { EDGES, VERTICES, FACES, FEATURE_KINDS };

static void list_features(turned_body *b, uint32_t number, feature_list lists[FEATURE_KINDS]) {
  const body_part *part = &b->of->plan->parts[number];
  const uint32_t counts[FEATURE_KINDS] = {part->edge_count, part->vertex_count, part->face_count};
  const part_feature *features = &b->of->plan->features[part->feature_begin];
  const turn_boxes *packs = turned_part(b, number);
  for (int k = 0; k < FEATURE_KINDS; ++k) {
    lists[k] = (feature_list){features, packs, packs_for(counts[k])};
    features += counts[k];
    packs += packs_for(counts[k]);
  }
}

/* Tries the pairs whose boxes meet within the limits; `box` is around the whole fixed part. */
static inline void try_lists(search *q, const feature_list *mobile, const feature_list *fixed, const turn_box *box,
                             try_features *attempt) {
  turn_ways ways;
  for (uint32_t i = 0; i < mobile->pack_count; ++i) {
    const float swapped[2] = {q->limit[1], q->limit[0]};
    for (unsigned some = turn_box_meets(box, &mobile->packs[i], swapped, &ways); some; some &= some - 1) {
      const unsigned m = (unsigned)__builtin_ctz(some);
      const turn_box one = turn_boxes_at(&mobile->packs[i], m);
      for (uint32_t j = 0; j < fixed->pack_count; ++j)
        for (unsigned met = turn_box_meets(&one, &fixed->packs[j], q->limit, &ways); met; met &= met - 1)
          attempt(q, mobile->features[4 * i + m].id, fixed->features[4 * j + (unsigned)__builtin_ctz(met)].id);
    }
  }
}

static void try_parts(search *q, const node_pair *p) {
  feature_list mobile[FEATURE_KINDS], fixed[FEATURE_KINDS];
  const turn_box box = turned_box(&q->fixed, p->fixed);
  list_features(&q->mobile, p->mobile - q->mobile.of->plan->first_part, mobile);
  list_features(&q->fixed, p->fixed - q->fixed.of->plan->first_part, fixed);
  if (q->standing) {
    try_lists(q, &mobile[FACES], &fixed[FACES], &box, try_faces);
    return;
  }
  try_lists(q, &mobile[EDGES], &fixed[EDGES], &box, try_edges);
  try_lists(q, &mobile[VERTICES], &fixed[FACES], &box, try_vertex_face);
  try_lists(q, &mobile[FACES], &fixed[VERTICES], &box, try_face_vertex);
}

/* ---- branch and bound -------------------------------------------------------------------------------------------- */

/* Returns the first angle, in the directions that still matter, at which the pair may touch; INFINITY if there is none.
 */
static float soonest(const search *q, const node_pair *p) {
  const float positive = p->least[0] <= q->limit[0] ? p->least[0] : INFINITY;
  const float negative = p->least[1] <= q->limit[1] ? p->least[1] : INFINITY;
  return positive < negative ? positive : negative;
}

static void put_pair(const search *q, uint32_t mobile, uint32_t fixed, float positive, float negative,
                     pair_queue *queue) {
  node_pair p = {mobile, fixed, {positive, negative}, 0};
  p.key = soonest(q, &p);
  pair_queue_put(queue, &p);
}

/* Pairs a ball of the mobile body with each of a fixed group. */
static void pair_with_group(search *q, uint32_t mobile, uint32_t group, pair_queue *queue) {
  const turn_box one = turned_box(&q->mobile, mobile);
  turn_ways ways;
  for (unsigned met = turn_box_meets(&one, &q->fixed.groups[group], q->limit, &ways); met; met &= met - 1) {
    const unsigned i = (unsigned)__builtin_ctz(met);
    put_pair(q, mobile, 4 * group + i, ways.onwards[i], ways.backwards[i], queue);
  }
}

/* Pairs each ball of a mobile group with one of the fixed body, which rotates the other way. */
static void pair_group_with(search *q, uint32_t group, uint32_t fixed, pair_queue *queue) {
  const turn_box one = turned_box(&q->fixed, fixed);
  const float swapped[2] = {q->limit[1], q->limit[0]};
  turn_ways ways;
  for (unsigned met = turn_box_meets(&one, &q->mobile.groups[group], swapped, &ways); met; met &= met - 1) {
    const unsigned i = (unsigned)__builtin_ctz(met);
    put_pair(q, 4 * group + i, fixed, ways.backwards[i], ways.onwards[i], queue);
  }
}

/* Pairs each ball of a mobile group with each below one of the fixed body. */
static void pair_groups(search *q, uint32_t group, uint32_t fixed, pair_queue *queue) {
  const uint32_t below = turned_below(&q->fixed, fixed);
  const turn_box one = turned_box(&q->fixed, fixed);
  const float swapped[2] = {q->limit[1], q->limit[0]};
  turn_ways ways;
  for (unsigned met = turn_box_meets(&one, &q->mobile.groups[group], swapped, &ways); met; met &= met - 1)
    pair_with_group(q, 4 * group + (unsigned)__builtin_ctz(met), below, queue);
}

static float radius_of(const rotation_body *b, uint32_t ball) { return b->groups[ball / 4].radius[ball % 4]; }

/* Replaces a pair by those of the children of both or, if one is far larger, of that one. */
static void look_at(search *q, const node_pair *p, pair_queue *queue) {
  const rotation_body *mobile = q->mobile.of, *fixed = q->fixed.of;
  const bool mobile_ends = plan_is_part(mobile->plan, p->mobile), fixed_ends = plan_is_part(fixed->plan, p->fixed);
  if (mobile_ends && fixed_ends) {
    try_parts(q, p);
    return;
  }
  const float m = radius_of(mobile, p->mobile), f = radius_of(fixed, p->fixed), far_larger = 1.3f;
  if (mobile_ends || (!fixed_ends && f > far_larger * m))
    pair_with_group(q, p->mobile, turned_below(&q->fixed, p->fixed), queue);
  else if (fixed_ends || m > far_larger * f)
    pair_group_with(q, turned_below(&q->mobile, p->mobile), p->fixed, queue);
  else
    pair_groups(q, turned_below(&q->mobile, p->mobile), p->fixed, queue);
}

static void descend_pairs(search *q, waiting_pair *room, uint32_t capacity) {
  pair_queue queue;
  node_pair now;
  pair_queue_open(&queue, room, capacity);
  for (uint32_t i = 0; i < 4; ++i) pair_with_group(q, i, 0, &queue);
  while (!q->met && pair_queue_take(&queue, &now)) {
    /* One direction may have finished in the meantime; the other one then has a later key or none. */
    const float key = soonest(q, &now);
    if (key <= now.key) {
      look_at(q, &now, &queue);
    } else if (key < INFINITY) {
      now.key = key;
      pair_queue_put(&queue, &now);
    }
  }
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

/* Starts a search with the mobile body rotated by `start`, in the frame. False if there is nothing to search. */
static bool open_search(search *q, const syn_rotation *rotation, const syn_mat3 *frame, const syn_pose *start,
                        void *scratch) {
  if (!rotation->fixed.plan || !rotation->mobile.plan) return false;
  const syn_mat3 mobile_frame = start ? mat3_multiply(frame, &start->rotation) : *frame;
  char *const mobile_room = (char *)scratch + syn_turned_size(&rotation->fixed);
  syn_turned_open(&rotation->fixed, frame, rotation->margin, scratch, &q->fixed);
  syn_turned_open(&rotation->mobile, &mobile_frame, rotation->margin, mobile_room, &q->mobile);
  return true;
}

static void run_search(search *q, const syn_rotation *rotation, void *scratch) {
  char *const room = (char *)scratch + syn_turned_size(&rotation->fixed) + syn_turned_size(&rotation->mobile);
  descend_pairs(q, (waiting_pair *)(void *)room, waiting_capacity(rotation));
}

syn_rotation_options syn_default_rotation_options(void) {
  return (syn_rotation_options){.limit = {2 * SYN_PI, 2 * SYN_PI}, .cookie = SYN_COOKIE};
}

/* Sets the limit of direction d, without a touch yet. */
static void set_limit(search *q, int d, double limit) {
  const bool all_around = limit >= 2 * SYN_PI;
  const double rank = all_around ? 4 : limit < 0 ? -1 : syn_turn_rank(syn_cos(limit), syn_sin(limit));
  q->best[d] = all_around ? 2 * SYN_PI : limit;
  q->limit[d] = (float)q->best[d];
  *(d == 0 ? &q->wanted.positive : &q->wanted.negative) = rank;
  *q->event[d] = (syn_event){.angle = q->best[d], .fixed_element = SYN_NONE, .mobile_element = SYN_NONE};
}

static syn_status check_query(const syn_pose *start, syn_vec3 unit_axis, const syn_rotation_options *options) {
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_rotation_options, NULL));
  SYN_TRY(syn_pose_check(start, NULL));
  return vec3_length2(unit_axis) > 0 ? SYN_OK : SYN_BAD_ARGUMENT;
}

static void search_both_ways(const syn_rotation *rotation, const syn_pose *start, syn_vec3 k,
                             const syn_rotation_options *options, void *scratch, syn_event *positive,
                             syn_event *negative) {
  const syn_vec3 x = vec3_any_normal(k);
  const syn_mat3 frame = {{x, vec3_cross(k, x), k}}, back = mat3_transpose(&frame);
  /* the results may overwrite the hints */
  const syn_event none = {.kind = SYN_EVENT_NONE},
                  hints[2] = {options->hint[0] ? *options->hint[0] : none, options->hint[1] ? *options->hint[1] : none};
  search q = {.grain = rotation->grain, .event = {positive, negative}};
  for (int d = 0; d < 2; ++d) set_limit(&q, d, options->limit[d]);
  if (!open_search(&q, rotation, &frame, start, scratch)) return;
  for (int d = 0; d < 2; ++d) try_hint(&q, &hints[d]);
  run_search(&q, rotation, scratch);
  for (int d = 0; d < 2; ++d)
    if (q.event[d]->kind != SYN_EVENT_NONE)
      q.event[d]->point = vec3_add(mat3_apply(&back, q.event[d]->point), rotation->center);
}

syn_status syn_rotation_query(const syn_rotation *rotation, const syn_pose *start, syn_vec3 axis,
                              const syn_rotation_options *options, void *scratch, syn_event *positive,
                              syn_event *negative) {
  const syn_rotation_options standard = syn_default_rotation_options();
  if (!options) options = &standard;
  const syn_vec3 unit_axis = vec3_unit(axis);
  const syn_status status = check_query(start, unit_axis, options);
  if (status == SYN_OK)
    search_both_ways(rotation, start, unit_axis, options, scratch, positive, negative);
  else
    *positive = *negative = (syn_event){.angle = NAN, .fixed_element = SYN_NONE, .mobile_element = SYN_NONE};
  return status;
}

bool syn_rotation_meets(const syn_rotation *rotation, const syn_pose *start, void *scratch) {
  if (syn_pose_check(start, NULL) != SYN_OK) return false;
  const syn_mat3 upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  search q = {.standing = true};
  if (open_search(&q, rotation, &upright, start, scratch)) run_search(&q, rotation, scratch);
  return q.met;
}
