#include "collide/rotation/rotation_body.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "collide/rotation/triangle_order.h"

typedef struct build {
  const syn_trimesh *mesh;
  const syn_rotation_part *part;
  const syn_topology *topology;
  uint32_t halvings;
  double margin;
  const uint32_t *order; /* the triangles that count, */
  uint32_t count;        /* and their number */
  bool *edge_seen, *vertex_seen;
  double *distance; /* of vertices from the centre */
  rotation_body *body;
} build;

/* ---- features of a part ------------------------------------------------------------------------------------------ */

/* A part in the making. */
typedef struct part_corners {
  uint32_t vertex[PART_CORNERS];
  uint8_t count;
  uint8_t of[PART_TRIANGLES][3]; /* the triangles' */
} part_corners;

static uint8_t corner_of(part_corners *list, uint32_t vertex) {
  for (uint8_t i = 0; i < list->count; ++i)
    if (list->vertex[i] == vertex) return i;
  list->vertex[list->count] = vertex;
  return list->count++;
}

static void list_corners(const build *b, part_corners *list, const uint32_t *triangles, uint32_t count) {
  list->count = 0;
  for (uint32_t i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) list->of[i][c] = corner_of(list, b->body->triangles[triangles[i]].v[c]);
}

/* `hollow2`: the square of how far a point of the feature may be from the nearest of its corners. */
static void add_feature(build *b, uint32_t id, const uint8_t corner[3], const part_corners *list, double hollow2) {
  double near = INFINITY, far = 0;
  for (int c = 0; c < 3; ++c) {
    const double distance = b->distance[list->vertex[corner[c]]];
    near = min2(near, distance);
    far = max2(far, distance);
  }
  /* The point next to the centre is the foot of a perpendicular, or a corner: Pythagoras with the nearest corner. */
  near = sqrt(max2(near * near - hollow2, 0));
  const double margin = rotation_margin(b->margin, far);
  b->body->features[b->body->feature_count++] =
      (part_feature){(float)(near - margin), (float)(far + margin), id, {corner[0], corner[1], corner[2]}};
}

static double length2_between(const build *b, const part_corners *list, uint8_t p, uint8_t q) {
  return vec3_length2(vec3_sub(b->body->vertices[list->vertex[p]], b->body->vertices[list->vertex[q]]));
}

static void add_edges(build *b, body_part *part, const part_corners *list, const uint32_t *triangles, uint32_t count) {
  for (uint32_t i = 0; i < 3 * count; ++i) {
    const uint8_t *v = list->of[i / 3], first = v[i % 3], second = v[(i % 3 + 1) % 3];
    const uint32_t e = b->topology->triangle_edges[triangles[i / 3]][i % 3];
    if (b->edge_seen[e]) continue;
    b->edge_seen[e] = true;
    add_feature(b, e, (uint8_t[3]){first, second, second}, list, length2_between(b, list, first, second) / 4);
    ++part->edge_count;
  }
}

static void add_vertices(build *b, body_part *part, const part_corners *list) {
  for (uint8_t i = 0; i < list->count; ++i) {
    if (b->vertex_seen[list->vertex[i]]) continue;
    b->vertex_seen[list->vertex[i]] = true;
    add_feature(b, list->vertex[i], (uint8_t[3]){i, i, i}, list, 0);
    ++part->vertex_count;
  }
}

/* No point of a triangle is further from all corners than the longest side over the square root of 3. */
static void add_faces(build *b, body_part *part, const part_corners *list, const uint32_t *triangles, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint8_t *v = list->of[i];
    const double longest2 = max2(length2_between(b, list, v[0], v[1]),
                                 max2(length2_between(b, list, v[1], v[2]), length2_between(b, list, v[2], v[0])));
    add_feature(b, triangles[i], v, list, longest2 / 3);
    ++part->face_count;
  }
}

static void add_corners(build *b, body_part *part, const part_corners *list) {
  for (uint32_t i = 0; i < 4 * packs_for(list->count); ++i) {
    const syn_vec3 v = b->body->vertices[list->vertex[i < list->count ? i : list->count - 1U]];
    corner_group *group = &b->body->corners[part->corner_begin + i / 4];
    group->x[i % 4] = (float)v.x;
    group->y[i % 4] = (float)v.y;
    group->z[i % 4] = (float)v.z;
  }
  part->corner_groups = (uint8_t)packs_for(list->count);
  b->body->corner_group_count += part->corner_groups;
}

static void add_part(build *b, uint32_t begin, uint32_t end) {
  rotation_body *body = b->body;
  body_part *part = &body->parts[body->part_count++];
  part_corners list;
  *part = (body_part){
      .corner_begin = body->corner_group_count, .feature_begin = body->feature_count, .pack_begin = body->pack_count};
  list_corners(b, &list, &b->order[begin], end - begin);
  add_edges(b, part, &list, &b->order[begin], end - begin);
  add_vertices(b, part, &list);
  add_faces(b, part, &list, &b->order[begin], end - begin);
  add_corners(b, part, &list);
  body->pack_count += packs_for(part->edge_count) + packs_for(part->vertex_count) + packs_for(part->face_count);
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

/* What a parent needs to know of a child. */
typedef struct extent {
  syn_box box;
  float near, far;
} extent;

static extent extent_of_part(const build *b, const body_part *part) {
  const part_feature *faces = &b->body->features[part->feature_begin + part->edge_count + part->vertex_count];
  extent e = {box_empty(), INFINITY, -INFINITY};
  for (uint32_t i = 0; i < part->face_count; ++i) {
    for (int c = 0; c < 3; ++c) box_add(&e.box, b->body->vertices[b->body->triangles[faces[i].id].v[c]]);
    e.near = faces[i].near < e.near ? faces[i].near : e.near;
    e.far = faces[i].far > e.far ? faces[i].far : e.far;
  }
  return e;
}

static extent joined(const extent *a, const extent *b) {
  return (extent){{vec3_min(a->box.min, b->box.min), vec3_max(a->box.max, b->box.max)},
                  a->near < b->near ? a->near : b->near,
                  a->far > b->far ? a->far : b->far};
}

/* Of all corners where they are few; else of the balls below, which is nearly as good and takes no time. */
static double radius_about(const build *b, syn_vec3 middle, uint32_t ball, uint32_t begin, uint32_t end) {
  const rotation_body *body = b->body;
  const uint32_t few = 16 * PART_TRIANGLES;
  double radius = 0;
  if (end - begin > few) {
    const ball_group *below = &body->groups[body_group_below(body, ball)];
    for (int i = 0; i < 4; ++i) {
      const syn_vec3 at = vec3((double)below->middle[0][i], (double)below->middle[1][i], (double)below->middle[2][i]);
      radius = max2(radius, vec3_distance(at, middle) + (double)below->radius[i]);
    }
    return radius;
  }
  for (uint32_t i = begin; i < end; ++i)
    for (int c = 0; c < 3; ++c)
      radius = max2(radius, vec3_length2(vec3_sub(body->vertices[body->triangles[b->order[i]].v[c]], middle)));
  return sqrt(radius);
}

/* Ball about the middle of the box; the roundings are far below the margin. */
static void set_ball(build *b, uint32_t ball, const extent *e, uint32_t begin, uint32_t end) {
  ball_group *group = &b->body->groups[ball / 4];
  const uint32_t i = ball % 4;
  const bool empty = begin == end;
  const syn_vec3 middle = empty ? vec3(0, 0, 0) : vec3_lerp(e->box.min, e->box.max, 0.5);
  const double margin = empty ? 0 : rotation_margin(b->margin, (double)e->far);
  for (int k = 0; k < 3; ++k) {
    group->middle[k][i] = (float)vec3_at(middle, k);
    group->half[k][i] = (float)(vec3_at(e->box.max, k) - vec3_at(middle, k) + margin);
  }
  group->radius[i] = empty ? -INFINITY : (float)(radius_about(b, middle, ball, begin, end) + margin);
  group->near[i] = e->near;
  group->far[i] = e->far;
}

/* Below a group the triangles are halved twice; below the top one once where their halvings are odd. */
static extent build_group(build *b, uint32_t group, uint32_t begin, uint32_t end) {
  const bool once = group == 0 && b->halvings % 2 == 1;
  const uint32_t middle = order_middle(begin, end);
  const uint32_t cuts[5] = {begin, once ? middle : order_middle(begin, middle), once ? end : middle,
                            once ? end : order_middle(middle, end), end};
  extent all = {box_empty(), INFINITY, -INFINITY};
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t ball = 4 * group + i;
    extent e = {box_empty(), INFINITY, -INFINITY};
    if (body_is_part(b->body, ball)) {
      add_part(b, cuts[i], cuts[i + 1]);
      e = extent_of_part(b, &b->body->parts[ball - b->body->first_part]);
    } else if (!once || i < 2) {
      e = build_group(b, body_group_below(b->body, ball), cuts[i], cuts[i + 1]);
    }
    set_ball(b, ball, &e, cuts[i], cuts[i + 1]);
    all = joined(&all, &e);
  }
  return all;
}

/* ---- the body ---------------------------------------------------------------------------------------------------- */

/* As often halved as makes parts of up to four triangles, and at least twice. */
static uint32_t halvings_of(uint32_t triangles) {
  uint32_t halvings = 2;
  while (((uint64_t)PART_TRIANGLES << halvings) < triangles) ++halvings;
  return halvings;
}

static void plan(build *b) {
  rotation_body *body = b->body;
  b->halvings = halvings_of(b->count);
  const uint32_t parts = UINT32_C(1) << b->halvings;
  const bool odd = b->halvings % 2 == 1;
  /* groups from the top: 1, 4, 16 ... or 1, 2, 8, 32 ... up to a quarter of the parts */
  body->group_count = odd ? 1 + 2 * ((parts / 2 - 1) / 3) : (parts - 1) / 3;
  body->first_part = 4 * body->group_count - parts;
  body->below = odd ? -1 : 1;
}

static void copy_mesh(build *b, syn_vec3 center) {
  rotation_body *body = b->body;
  const syn_vec3 *vertices = b->part->vertices ? b->part->vertices : b->mesh->vertices;
  for (uint32_t v = 0; v < body->vertex_count; ++v) {
    body->vertices[v] = vec3_sub(vec3_add(vertices[v], b->part->shift), center);
    b->distance[v] = vec3_length(body->vertices[v]);
  }
  body->edges = b->topology->edge_vertices;
  memcpy(body->triangles, b->mesh->triangles, body->triangle_count * sizeof *body->triangles);
}

static syn_status allocate(build *b, syn_arena *arena, syn_error *error) {
  rotation_body *body = b->body;
  const syn_context *context = body->context;
  body->vertex_count = b->mesh->vertex_count;
  body->edge_count = b->topology->edge_count;
  body->triangle_count = b->mesh->triangle_count;
  SYN_TRY(SYN_TAKE(arena, &b->edge_seen, body->edge_count, error));
  SYN_TRY(SYN_TAKE(arena, &b->vertex_seen, body->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &b->distance, body->vertex_count, error));
  memset(b->edge_seen, 0, body->edge_count * sizeof *b->edge_seen);
  memset(b->vertex_seen, 0, body->vertex_count * sizeof *b->vertex_seen);
  const size_t triangles = body->triangle_count, parts = 4 * (size_t)body->group_count - body->first_part;
  SYN_TRY(SYN_NEW(context, &body->groups, body->group_count, error));
  SYN_TRY(SYN_NEW(context, &body->parts, parts, error));
  SYN_TRY(SYN_NEW(context, &body->corners, triangles, error));
  SYN_TRY(SYN_NEW(context, &body->features, triangles + body->vertex_count + body->edge_count, error));
  SYN_TRY(SYN_NEW(context, &body->vertices, body->vertex_count, error));
  return SYN_NEW(context, &body->triangles, triangles, error);
}

static syn_status build_with(build *b, syn_vec3 center, syn_error *error) {
  syn_arena arena = {.context = b->body->context};
  const syn_status status = allocate(b, &arena, error);
  if (status == SYN_OK) {
    copy_mesh(b, center);
    build_group(b, 0, 0, b->count);
  }
  syn_arena_release(&arena);
  return status;
}

/* ---- what is shared ---------------------------------------------------------------------------------------------- */

/* The order depends on the mesh alone. */
typedef struct turn_order {
  const syn_context *context;
  uint32_t *triangles;
} turn_order;

static void destroy_order(void *made) {
  turn_order *order = made;
  syn_free(order->context, order->triangles);
  syn_free(order->context, order);
}

static syn_status make_order(const syn_trimesh *mesh, void **made, syn_error *error) {
  turn_order *order;
  SYN_TRY(SYN_NEW_ZEROED(mesh->context, &order, 1, error));
  order->context = mesh->context;
  syn_status status = SYN_NEW(mesh->context, &order->triangles, mesh->triangle_count, error);
  if (status == SYN_OK) status = syn_triangle_order(mesh, halvings_of(mesh->triangle_count), order->triangles, error);
  if (status == SYN_OK)
    *made = order;
  else
    destroy_order(order);
  return status;
}

const syn_derivation syn_derive_turn_order = {SYN_DERIVED_TURN_ORDER, make_order, destroy_order, NULL, NULL};

/* ---- life -------------------------------------------------------------------------------------------------------- */

static uint32_t count_kept(const syn_rotation_part *part) {
  uint32_t kept = 0;
  for (uint32_t t = 0; t < part->mesh->triangle_count; ++t) kept += !part->left_out || !part->left_out[t];
  return kept;
}

/* What is compact in space stays so without some of it. */
static syn_status build_rest(build *b, syn_vec3 center, syn_error *error) {
  const uint32_t *all = b->order;
  uint32_t *kept, count = 0;
  SYN_TRY(SYN_NEW(b->body->context, &kept, b->count, error));
  for (uint32_t i = 0; i < b->mesh->triangle_count; ++i)
    if (!b->part->left_out[all[i]]) kept[count++] = all[i];
  b->order = kept;
  const syn_status status = build_with(b, center, error);
  syn_free(b->body->context, kept);
  return status;
}

syn_status syn_rotation_body_build(const syn_rotation_part *part, syn_vec3 center, double margin, rotation_body *body,
                                   syn_error *error) {
  const syn_trimesh *mesh = part->mesh;
  *body = (rotation_body){.context = mesh->context};
  const uint32_t count = count_kept(part);
  if (count == 0) return SYN_OK;
  syn_derived *order;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &body->topology, error));
  SYN_TRY(syn_derive(mesh, &syn_derive_turn_order, &order, error));
  build b = {.mesh = mesh,
             .part = part,
             .topology = derived_topology(body->topology),
             .order = ((const turn_order *)order->made)->triangles,
             .count = count,
             .margin = margin,
             .body = body};
  plan(&b);
  const syn_status status = part->left_out ? build_rest(&b, center, error) : build_with(&b, center, error);
  syn_derived_release(order);
  return status;
}

void syn_rotation_body_release(rotation_body *body) {
  syn_free(body->context, body->groups);
  syn_free(body->context, body->parts);
  syn_free(body->context, body->corners);
  syn_free(body->context, body->features);
  syn_free(body->context, body->vertices);
  syn_free(body->context, body->triangles);
  syn_derived_release(body->topology);
  *body = (rotation_body){0};
}
