#include "collide/rotation/rotation_body.h"

#include "base/memory.h"
#include "base/vec.h"

typedef struct build {
  const rotation_plan *plan;
  double margin;
  uint32_t next_part; /* parts are visited in order */
  rotation_body *body;
} build;

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* The corners of a part, relative to the centre, and their distances from it. */
typedef struct part_corners {
  syn_vec3 at[PART_CORNERS];
  double distance[PART_CORNERS];
} part_corners;

static void take_corners(build *b, const body_part *part, part_corners *corners) {
  for (uint32_t i = 0; i < 4U * part->corner_groups; ++i) {
    const uint32_t group = part->corner_begin + i / 4;
    const syn_vec3 v = b->body->vertices[b->plan->corner_vertices[group][i % 4]];
    corner_group *to = &b->body->corners[group];
    corners->at[i] = v;
    corners->distance[i] = vec3_length(v);
    to->x[i % 4] = (float)v.x;
    to->y[i % 4] = (float)v.y;
    to->z[i % 4] = (float)v.z;
  }
}

static double length2_between(const part_corners *corners, uint8_t p, uint8_t q) {
  return vec3_length2(vec3_sub(corners->at[p], corners->at[q]));
}

/* The square of how far a point of an edge, a vertex or a triangle may be from the nearest of its corners. No point of
 * a triangle is further from all of them than the longest side over the square root of 3. */
static double edge_hollow2(const part_corners *corners, const uint8_t c[3]) {
  return length2_between(corners, c[0], c[1]) / 4;
}
static double face_hollow2(const part_corners *corners, const uint8_t c[3]) {
  return max2(length2_between(corners, c[0], c[1]),
              max2(length2_between(corners, c[1], c[2]), length2_between(corners, c[2], c[0]))) /
         3;
}

/* The extent of a child, from which that of its parent is computed. */
typedef struct extent {
  syn_box box;
  float near, far;
} extent;

/* Stores the distances of feature i of its kind, and adds them to the extent. */
static void put_reach(const build *b, const part_corners *corners, const uint8_t c[3], double hollow2, uint32_t i,
                      reach_pack *packs, extent *e) {
  const double *distance = corners->distance;
  double near = min2(distance[c[0]], min2(distance[c[1]], distance[c[2]]));
  const double far = max2(distance[c[0]], max2(distance[c[1]], distance[c[2]]));
  /* The point nearest to the centre is the foot of a perpendicular, or a corner: Pythagoras with the nearest corner. */
  near = sqrt(max2(near * near - hollow2, 0));
  const double margin = rotation_margin(b->margin, far);
  const float nearest = (float)(near - margin), farthest = (float)(far + margin);
  packs[i / 4].near[i % 4] = nearest;
  packs[i / 4].far[i % 4] = farthest;
  e->near = nearest < e->near ? nearest : e->near;
  e->far = farthest > e->far ? farthest : e->far;
}

static reach_pack *open_packs(reach_pack *packs, uint32_t count) {
  const float4 none = {INFINITY, INFINITY, INFINITY, INFINITY};
  for (uint32_t i = 0; i < packs_for(count); ++i) packs[i] = (reach_pack){none, -none};
  return packs + packs_for(count);
}

static extent fill_part(build *b, const body_part *part) {
  const part_feature *features = &b->plan->features[part->feature_begin];
  reach_pack *const edges = &b->body->reach[part->pack_begin], *const vertices = open_packs(edges, part->edge_count),
                    *const faces = open_packs(vertices, part->vertex_count);
  part_corners corners;
  extent e = {box_empty(), INFINITY, -INFINITY};
  take_corners(b, part, &corners);
  open_packs(faces, part->face_count);
  for (uint32_t i = 0; i < 4U * part->corner_groups; ++i) box_add(&e.box, corners.at[i]);
  for (uint32_t i = 0; i < part->edge_count; ++i, ++features)
    put_reach(b, &corners, features->corner, edge_hollow2(&corners, features->corner), i, edges, &e);
  for (uint32_t i = 0; i < part->vertex_count; ++i, ++features)
    put_reach(b, &corners, features->corner, 0, i, vertices, &e);
  for (uint32_t i = 0; i < part->face_count; ++i, ++features)
    put_reach(b, &corners, features->corner, face_hollow2(&corners, features->corner), i, faces, &e);
  return e;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static extent joined(const extent *a, const extent *b) {
  return (extent){{vec3_min(a->box.min, b->box.min), vec3_max(a->box.max, b->box.max)},
                  a->near < b->near ? a->near : b->near,
                  a->far > b->far ? a->far : b->far};
}

/* Returns the radius of a ball around the balls below: nearly as tight as around all corners if there are many. */
static double radius_around_balls(const ball_group *below, syn_vec3 middle) {
  double radius = 0;
  for (int i = 0; i < 4; ++i) {
    const syn_vec3 at = vec3((double)below->middle[0][i], (double)below->middle[1][i], (double)below->middle[2][i]);
    radius = max2(radius, vec3_distance(at, middle) + (double)below->radius[i]);
  }
  return radius;
}

/* Returns the radius of a ball around the corners of the parts from `first` on. Float rounding is far below the margin.
 */
static double radius_around_corners(const build *b, syn_vec3 middle, uint32_t first) {
  const body_part *last = &b->plan->parts[b->next_part - 1];
  double radius2[4] = {0};
  for (uint32_t i = b->plan->parts[first].corner_begin; i < last->corner_begin + last->corner_groups; ++i) {
    const corner_group *c = &b->body->corners[i];
    for (int k = 0; k < 4; ++k) {
      const double x = (double)c->x[k] - middle.x, y = (double)c->y[k] - middle.y, z = (double)c->z[k] - middle.z;
      radius2[k] = max2(radius2[k], x * x + y * y + z * z);
    }
  }
  return sqrt(max2(max2(radius2[0], radius2[1]), max2(radius2[2], radius2[3])));
}

/* Sets the ball about the middle of the box, around the parts from `first` on; rounding is far below the margin. */
static void set_ball(build *b, uint32_t ball, const extent *e, uint32_t first) {
  enum { FEW = 16 };
  ball_group *group = &b->body->groups[ball / 4];
  const uint32_t i = ball % 4;
  const bool empty = !(e->near <= e->far);
  const syn_vec3 middle = empty ? vec3(0, 0, 0) : vec3_lerp(e->box.min, e->box.max, 0.5);
  const double margin = empty ? 0 : rotation_margin(b->margin, (double)e->far);
  for (int k = 0; k < 3; ++k) {
    group->middle[k][i] = (float)vec3_at(middle, k);
    group->half[k][i] = (float)(vec3_at(e->box.max, k) - vec3_at(middle, k) + margin);
  }
  double radius = -INFINITY;
  if (!empty && b->next_part - first > FEW)
    radius = radius_around_balls(&b->body->groups[plan_group_below(b->plan, ball)], middle);
  else if (!empty)
    radius = radius_around_corners(b, middle, first);
  group->radius[i] = (float)(radius + margin);
  group->near[i] = e->near;
  group->far[i] = e->far;
}

/* Builds a group. The top group has two balls if the count of halvings is odd, else four like all others. */
static extent build_group(build *b, uint32_t group) {
  const uint32_t used = group == 0 && b->plan->halvings % 2 == 1 ? 2 : 4;
  extent all = {box_empty(), INFINITY, -INFINITY};
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t ball = 4 * group + i, first = b->next_part;
    extent e = {box_empty(), INFINITY, -INFINITY};
    if (plan_is_part(b->plan, ball))
      e = fill_part(b, &b->plan->parts[b->next_part++]);
    else if (i < used)
      e = build_group(b, plan_group_below(b->plan, ball));
    set_ball(b, ball, &e, first);
    all = joined(&all, &e);
  }
  return all;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void place_vertices(const syn_rotation_part *part, syn_vec3 center, rotation_body *body) {
  const syn_vec3 *vertices = part->vertices ? part->vertices : part->mesh->vertices;
  for (uint32_t v = 0; v < part->mesh->vertex_count; ++v)
    body->vertices[v] = vec3_sub(vec3_add(vertices[v], part->shift), center);
}

static syn_status allocate_body(rotation_body *body, syn_error *error) {
  const rotation_plan *plan = body->plan;
  SYN_TRY(SYN_NEW(body->context, &body->groups, plan->group_count, error));
  SYN_TRY(SYN_NEW(body->context, &body->corners, plan->corner_group_count, error));
  SYN_TRY(SYN_NEW(body->context, &body->reach, plan->pack_count, error));
  return SYN_NEW(body->context, &body->vertices, plan->vertex_count, error);
}

syn_status syn_rotation_body_build(const syn_rotation_part *part, const rotation_body *like, syn_vec3 center,
                                   double margin, rotation_body *body, syn_error *error) {
  *body = (rotation_body){.context = part->mesh->context};
  if (like)
    body->plan = syn_rotation_plan_share(like->plan);
  else
    SYN_TRY(syn_rotation_plan_create(part, &body->plan, error));
  if (!body->plan) return SYN_OK;
  SYN_TRY(allocate_body(body, error));
  build b = {.plan = body->plan, .margin = margin, .body = body};
  place_vertices(part, center, body);
  build_group(&b, 0);
  return SYN_OK;
}

void syn_rotation_body_release(rotation_body *body) {
  syn_free(body->context, body->groups);
  syn_free(body->context, body->corners);
  syn_free(body->context, body->reach);
  syn_free(body->context, body->vertices);
  syn_rotation_plan_release(body->plan);
  *body = (rotation_body){0};
}
