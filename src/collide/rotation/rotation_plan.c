#include "collide/rotation/rotation_plan.h"
#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

/* The sorted items: small enough to be moved. */
typedef struct item {
  float at[3]; /* three times the triangle's centroid, relative to the mesh's first vertex */
  uint32_t triangle;
} item;

/* Compares two items; numbers break ties, so that the order is the same everywhere. Branchless, because the outcome
 * cannot be predicted. */
static bool before(const item *p, const item *q, int axis) {
  return (p->at[axis] < q->at[axis]) | ((p->at[axis] == q->at[axis]) & (p->triangle < q->triangle));
}

static uint32_t median_of_three(const item *items, uint32_t p, uint32_t q, uint32_t r, int axis) {
  const bool pq = before(&items[p], &items[q], axis), qr = before(&items[q], &items[r], axis),
             pr = before(&items[p], &items[r], axis);
  return pq == qr ? q : pq == pr ? r : p;
}

static uint32_t choose_pivot(const item *items, uint32_t begin, uint32_t end, int axis) {
  const uint32_t last = end - 1, step = (end - begin) / 8, middle = order_middle(begin, end);
  if (step < 8) return median_of_three(items, begin, middle, last, axis);
  const uint32_t low = median_of_three(items, begin, begin + step, begin + 2 * step, axis),
                 mid = median_of_three(items, middle - step, middle, middle + step, axis),
                 high = median_of_three(items, last - 2 * step, last - step, last, axis);
  return median_of_three(items, low, mid, high, axis);
}

static void exchange(item *a, item *b) {
  const item kept = *a;
  *a = *b;
  *b = kept;
}

/* Partitions the items around the pivot and returns its index. Every item is moved, needed or not (Lomuto's scheme),
 * which costs less than mispredicted branches. */
static uint32_t part_at(item *items, uint32_t begin, uint32_t end, uint32_t pivot, int axis) {
  const item key = items[pivot];
  uint32_t firsts = begin;
  exchange(&items[pivot], &items[end - 1]);
  for (uint32_t i = begin; i < end - 1; ++i) {
    const bool first = before(&items[i], &key, axis);
    exchange(&items[i], &items[firsts]);
    firsts += first;
  }
  exchange(&items[firsts], &items[end - 1]);
  return firsts;
}

/* Selects the item at `middle` in the order along `axis`: smaller ones are moved before it. */
static void select_middle(item *items, int axis, uint32_t begin, uint32_t end, uint32_t middle) {
  while (end - begin > 1) {
    const uint32_t at = part_at(items, begin, end, choose_pivot(items, begin, end, axis), axis);
    if (at == middle) return;
    *(middle < at ? &end : &begin) = middle < at ? at : at + 1;
  }
}

/* Returns the axis of the widest extent of the items. */
static int widest_axis(const item *items, uint32_t begin, uint32_t end) {
  float low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = high[k] = items[begin].at[k];
  for (uint32_t i = begin + 1; i < end; ++i)
    for (int k = 0; k < 3; ++k) {
      low[k] = items[i].at[k] < low[k] ? items[i].at[k] : low[k];
      high[k] = items[i].at[k] > high[k] ? items[i].at[k] : high[k];
    }
  const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static void halve(item *items, uint32_t begin, uint32_t end, uint32_t halvings) {
  if (halvings == 0 || end - begin < 2) return;
  const uint32_t middle = order_middle(begin, end);
  select_middle(items, widest_axis(items, begin, end), begin, end, middle);
  halve(items, begin, middle, halvings - 1);
  halve(items, middle, end, halvings - 1);
}

/* Divides between whole groups, and inside a group between whole parts of it, so that all but the last are full. */
static void cut_groups(item *items, uint32_t begin, uint32_t end, uint32_t group, uint32_t part) {
  const uint32_t count = end - begin, unit = count > group ? group : part;
  if (count <= part) return;
  const uint32_t middle = begin + (count / 2 + unit - 1) / unit * unit;
  select_middle(items, widest_axis(items, begin, end), begin, end, middle);
  cut_groups(items, begin, middle, group, part);
  cut_groups(items, middle, end, group, part);
}

syn_status syn_triangle_order(const syn_trimesh *mesh, uint32_t halvings, uint32_t *order, syn_error *error) {
  const uint32_t n = mesh->triangle_count;
  item *items;
  SYN_TRY(SYN_NEW(mesh->context, &items, n, error));
  for (uint32_t t = 0; t < n; ++t) {
    syn_vec3 at = {0, 0, 0};
    for (int c = 0; c < 3; ++c) at = vec3_add(at, vec3_sub(mesh->vertices[mesh->triangles[t].v[c]], mesh->vertices[0]));
    items[t] = (item){{(float)at.x, (float)at.y, (float)at.z}, t};
  }
  halve(items, 0, n, halvings);
  for (uint32_t i = 0; i < n; ++i) order[i] = items[i].triangle;
  syn_free(mesh->context, items);
  return SYN_OK;
}

syn_status syn_point_order(const syn_context *context, const syn_vec3 *points, uint32_t count, uint32_t group,
                           uint32_t part, uint32_t *order, syn_error *error) {
  item *items;
  SYN_TRY(SYN_NEW(context, &items, count, error));
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 at = vec3_sub(points[i], points[0]);
    items[i] = (item){{(float)at.x, (float)at.y, (float)at.z}, i};
  }
  cut_groups(items, 0, count, group, part);
  for (uint32_t i = 0; i < count; ++i) order[i] = items[i].triangle;
  syn_free(context, items);
  return SYN_OK;
}

typedef struct planning {
  const syn_topology *topology;
  const uint32_t *order; /* the included triangles, */
  uint32_t count;        /* and their count */
  bool *edge_seen, *vertex_seen;
  rotation_plan *plan;
} planning;

/* ---- features of a part ------------------------------------------------------------------------------------------ */

/* A part during construction. */
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

static void list_corners(const planning *p, part_corners *list, const uint32_t *triangles, uint32_t count) {
  list->count = 0;
  for (uint32_t i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) list->of[i][c] = corner_of(list, p->plan->triangles[triangles[i]].v[c]);
}

static void add_feature(rotation_plan *plan, uint32_t id, uint8_t first, uint8_t second, uint8_t third) {
  plan->features[plan->feature_count++] = (part_feature){id, {first, second, third}};
}

static void add_edges(planning *p, body_part *part, const part_corners *list, const uint32_t *triangles,
                      uint32_t count) {
  for (uint32_t i = 0; i < 3 * count; ++i) {
    const uint8_t *v = list->of[i / 3], first = v[i % 3], second = v[(i % 3 + 1) % 3];
    const uint32_t e = p->topology->triangle_edges[triangles[i / 3]][i % 3];
    if (p->edge_seen[e]) continue;
    p->edge_seen[e] = true;
    add_feature(p->plan, e, first, second, second);
    ++part->edge_count;
  }
}

static void add_vertices(planning *p, body_part *part, const part_corners *list) {
  for (uint8_t i = 0; i < list->count; ++i) {
    if (p->vertex_seen[list->vertex[i]]) continue;
    p->vertex_seen[list->vertex[i]] = true;
    add_feature(p->plan, list->vertex[i], i, i, i);
    ++part->vertex_count;
  }
}

static void add_faces(planning *p, body_part *part, const part_corners *list, const uint32_t *triangles,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    add_feature(p->plan, triangles[i], list->of[i][0], list->of[i][1], list->of[i][2]);
  part->face_count = (uint8_t)count;
}

static void add_corners(rotation_plan *plan, body_part *part, const part_corners *list) {
  part->corner_groups = (uint8_t)packs_for(list->count);
  for (uint32_t i = 0; i < 4U * part->corner_groups; ++i)
    plan->corner_vertices[part->corner_begin + i / 4][i % 4] = list->vertex[i < list->count ? i : list->count - 1U];
  plan->corner_group_count += part->corner_groups;
}

static void add_part(planning *p, uint32_t begin, uint32_t end) {
  rotation_plan *plan = p->plan;
  body_part *part = &plan->parts[plan->part_count++];
  part_corners list;
  *part = (body_part){
      .corner_begin = plan->corner_group_count, .feature_begin = plan->feature_count, .pack_begin = plan->pack_count};
  list_corners(p, &list, &p->order[begin], end - begin);
  add_edges(p, part, &list, &p->order[begin], end - begin);
  add_vertices(p, part, &list);
  add_faces(p, part, &list, &p->order[begin], end - begin);
  add_corners(plan, part, &list);
  plan->pack_count += packs_for(part->edge_count) + packs_for(part->vertex_count) + packs_for(part->face_count);
}

/* Adds the leaves below a range, the first half before the second. */
static void add_parts(planning *p, uint32_t begin, uint32_t end, uint32_t halvings) {
  if (halvings == 0) {
    add_part(p, begin, end);
    return;
  }
  const uint32_t middle = order_middle(begin, end);
  add_parts(p, begin, middle, halvings - 1);
  add_parts(p, middle, end, halvings - 1);
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

/* Returns the count of halvings for parts of up to four triangles, at least two. */
static uint32_t halvings_of(uint32_t triangles) {
  uint32_t halvings = 2;
  while (((uint64_t)PART_TRIANGLES << halvings) < triangles) ++halvings;
  return halvings;
}

static void lay_out_plan(rotation_plan *plan, uint32_t triangles) {
  plan->halvings = halvings_of(triangles);
  const uint32_t parts = UINT32_C(1) << plan->halvings;
  const bool odd = plan->halvings % 2 == 1;
  /* groups from the top: 1, 4, 16 ... or 1, 2, 8, 32 ... up to a quarter of the parts */
  plan->group_count = odd ? 1 + 2 * ((parts / 2 - 1) / 3) : (parts - 1) / 3;
  plan->first_part = 4 * plan->group_count - parts;
  plan->below = odd ? -1 : 1;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static syn_status allocate_plan(planning *p, const syn_trimesh *mesh, syn_arena *arena, syn_error *error) {
  rotation_plan *plan = p->plan;
  const size_t vertices = mesh->vertex_count, edges = p->topology->edge_count, triangles = mesh->triangle_count;
  SYN_TRY(SYN_TAKE(arena, &p->edge_seen, edges, error));
  SYN_TRY(SYN_TAKE(arena, &p->vertex_seen, vertices, error));
  memset(p->edge_seen, 0, edges * sizeof *p->edge_seen);
  memset(p->vertex_seen, 0, vertices * sizeof *p->vertex_seen);
  SYN_TRY(SYN_NEW(plan->context, &plan->parts, 4 * (size_t)plan->group_count - plan->first_part, error));
  SYN_TRY(SYN_NEW(plan->context, &plan->corner_vertices, triangles, error));
  SYN_TRY(SYN_NEW(plan->context, &plan->features, triangles + vertices + edges, error));
  return SYN_NEW(plan->context, &plan->triangles, triangles, error);
}

static syn_status make_parts(planning *p, const syn_trimesh *mesh, syn_error *error) {
  syn_arena arena = {.context = mesh->context};
  const syn_status status = allocate_plan(p, mesh, &arena, error);
  if (status == SYN_OK) {
    memcpy(p->plan->triangles, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
    add_parts(p, 0, p->count, p->plan->halvings);
  }
  syn_arena_release(&arena);
  return status;
}

/* ---- what is shared ---------------------------------------------------------------------------------------------- */

/* The order of the triangles, which depends on the mesh alone. */
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

/* Makes the plan of a body with excluded triangles: the order of the others remains compact in space. */
static syn_status make_rest(planning *p, const syn_rotation_part *part, syn_error *error) {
  const uint32_t *all = p->order;
  uint32_t *kept, count = 0;
  SYN_TRY(SYN_NEW(p->plan->context, &kept, p->count, error));
  for (uint32_t i = 0; i < part->mesh->triangle_count; ++i)
    if (!part->left_out[all[i]]) kept[count++] = all[i];
  p->order = kept;
  const syn_status status = make_parts(p, part->mesh, error);
  syn_free(p->plan->context, kept);
  return status;
}

static syn_status make_plan(const syn_rotation_part *part, uint32_t count, rotation_plan *plan, syn_error *error) {
  syn_derived *order;
  SYN_TRY(syn_derive(part->mesh, &syn_derive_topology, &plan->topology, error));
  SYN_TRY(syn_derive(part->mesh, &syn_derive_turn_order, &order, error));
  planning p = {.topology = derived_topology(plan->topology),
                .order = ((const turn_order *)order->made)->triangles,
                .count = count,
                .plan = plan};
  plan->vertex_count = part->mesh->vertex_count;
  plan->edge_count = p.topology->edge_count;
  plan->triangle_count = part->mesh->triangle_count;
  plan->edges = p.topology->edge_vertices;
  lay_out_plan(plan, count);
  const syn_status status = part->left_out ? make_rest(&p, part, error) : make_parts(&p, part->mesh, error);
  syn_derived_release(order);
  return status;
}

syn_status syn_rotation_plan_create(const syn_rotation_part *part, rotation_plan **plan, syn_error *error) {
  const uint32_t count = count_kept(part);
  rotation_plan *made;
  *plan = NULL;
  if (count == 0) return SYN_OK;
  SYN_TRY(SYN_NEW_ZEROED(part->mesh->context, &made, 1, error));
  made->context = part->mesh->context;
  made->references = 1;
  const syn_status status = make_plan(part, count, made, error);
  if (status == SYN_OK)
    *plan = made;
  else
    syn_rotation_plan_release(made);
  return status;
}

rotation_plan *syn_rotation_plan_share(rotation_plan *plan) {
  if (plan) __atomic_add_fetch(&plan->references, 1, __ATOMIC_RELAXED);
  return plan;
}

void syn_rotation_plan_release(rotation_plan *plan) {
  if (!plan || __atomic_sub_fetch(&plan->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  syn_free(plan->context, plan->parts);
  syn_free(plan->context, plan->features);
  syn_free(plan->context, plan->corner_vertices);
  syn_free(plan->context, plan->triangles);
  syn_derived_release(plan->topology);
  syn_free(plan->context, plan);
}
