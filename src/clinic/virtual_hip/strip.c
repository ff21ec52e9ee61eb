/* Makes a strip of hexahedra over its inner face, with fibres that follow its rows. */
#include "clinic/virtual_hip/virtual_hip.h"

static syn_vec3 point(const syn_strip *s, uint32_t across, uint32_t along) {
  return s->points[along * strip_row(s) + across % strip_row(s)];
}

static syn_vec3 difference(const syn_strip *s, uint32_t across, uint32_t along, bool lengthwise) {
  const uint32_t at = lengthwise ? along : across, last = s->cells[lengthwise ? 2 : 0];
  if (s->closed && !lengthwise)
    return vec3_sub(point(s, across + 1, along), point(s, across + strip_row(s) - 1, along));
  const uint32_t low = at > 0 ? at - 1 : 0, high = at < last ? at + 1 : last;
  return lengthwise ? vec3_sub(point(s, across, high), point(s, across, low))
                    : vec3_sub(point(s, high, along), point(s, low, along));
}

/* A sleeve is in hollows narrower than its thickness: averages each direction with its neighbours, so that the outer
 * face does not fold there. */
static void smooth_normals(const syn_strip *s, syn_vec3 *normals) {
  enum { ROUNDS = 12 };
  const uint32_t row = strip_row(s);
  for (int round = 0; round < ROUNDS; ++round)
    for (uint32_t along = 0; along <= s->cells[2]; ++along)
      for (uint32_t across = 0; across < row; ++across) {
        syn_vec3 *at = normals + along * row;
        syn_vec3 sum = vec3_add(at[across], vec3_add(at[(across + 1) % row], at[(across + row - 1) % row]));
        if (along > 0) sum = vec3_add(sum, at[across - (ptrdiff_t)row]);
        if (along < s->cells[2]) sum = vec3_add(sum, at[across + row]);
        at[across] = vec3_unit(sum);
      }
}

/* The whole strip has one sign, so that it never flips. */
void syn_strip_normals(const syn_strip *s, syn_vec3 center, syn_vec3 axis, syn_vec3 *normals) {
  double outward = 0;
  for (uint32_t along = 0; along <= s->cells[2]; ++along)
    for (uint32_t across = 0; across < strip_row(s); ++across) {
      const uint32_t i = along * strip_row(s) + across;
      const syn_vec3 off = vec3_sub(s->points[i], center);
      const double on_axis = max2(0, vec3_dot(off, axis));
      normals[i] = vec3_unit(vec3_cross(difference(s, across, along, false), difference(s, across, along, true)));
      outward += vec3_dot(normals[i], vec3_madd(off, -on_axis, axis));
    }
  for (uint32_t i = 0; outward < 0 && i < strip_point_count(s); ++i) normals[i] = vec3_neg(normals[i]);
  if (s->closed) smooth_normals(s, normals);
}

/* Returns the mean length of all fibres, by the nodes of each layer. */
double syn_strip_length(const syn_strip *s, const syn_vec3 *x) {
  syn_vec3 before = vec3(0, 0, 0);
  double length = 0;
  for (uint32_t along = 0; along <= s->cells[2]; ++along) {
    syn_vec3 sum = vec3(0, 0, 0);
    for (uint32_t i = 0; i < strip_layer(s); ++i) sum = vec3_add(sum, x[along * strip_layer(s) + i]);
    const syn_vec3 middle = vec3_scale(sum, 1.0 / strip_layer(s));
    if (along > 0) length += vec3_distance(before, middle);
    before = middle;
  }
  return length;
}

double syn_strip_width(const syn_strip *s) {
  double sum = 0;
  for (uint32_t along = 0; along <= s->cells[2]; ++along)
    for (uint32_t across = 0; across < s->cells[0]; ++across)
      sum += vec3_distance(point(s, across, along), point(s, across + 1, along));
  return sum / (s->cells[2] + 1);
}

/* ---- bricks ------------------------------------------------------------------------------------------------------ */

typedef struct bricks {
  syn_vec3 *nodes, *fibres;
  uint32_t *elements;
} bricks;

static void place_nodes(const syn_strip *s, const syn_vec3 *outward, syn_vec3 *node) {
  for (uint32_t along = 0; along <= s->cells[2]; ++along)
    for (uint32_t through = 0; through <= s->cells[1]; ++through)
      for (uint32_t across = 0; across < strip_row(s); ++across) {
        const uint32_t i = along * strip_row(s) + across;
        *node++ = vec3_madd(s->points[i], s->thickness_mm * through / s->cells[1], outward[i]);
      }
}

/* On a left hip the strip runs the other way round, so its hexahedra have the opposite orientation. */
static bool is_left_handed(const syn_strip *s, const syn_vec3 *outward) {
  const uint32_t along = s->cells[2] / 2, across = s->cells[0] / 2;
  const syn_vec3 forward = vec3_cross(difference(s, across, along, false), outward[along * strip_row(s) + across]);
  return vec3_dot(forward, difference(s, across, along, true)) < 0;
}

/* Returns the direction along the strip, or across it where its fibres run around. */
static syn_vec3 fibre_of(const syn_strip *s, const syn_vec3 *nodes, const uint32_t corners[4], uint32_t along,
                         bool left_handed) {
  const double part = (along + 0.5) / s->cells[2];
  syn_vec3 fibre = vec3(0, 0, 0);
  if (part > s->around[0] && part < s->around[1]) {
    const int beside = left_handed ? 3 : 1; /* the next node across */
    return vec3_sub(nodes[corners[beside]], nodes[corners[0]]);
  }
  for (int c = 0; c < 4; ++c) fibre = vec3_add(fibre, vec3_sub(nodes[corners[c] + strip_layer(s)], nodes[corners[c]]));
  return fibre;
}

static void join_nodes(const syn_strip *s, bool left_handed, const bricks *b) {
  const uint32_t row = strip_row(s), layer = strip_layer(s);
  uint32_t *to = b->elements;
  syn_vec3 *fibre = b->fibres;
  for (uint32_t along = 0; along < s->cells[2]; ++along)
    for (uint32_t through = 0; through < s->cells[1]; ++through)
      for (uint32_t across = 0; across < s->cells[0]; ++across) {
        const uint32_t start = along * layer + through * row;
        const uint32_t first = start + across, next = start + (across + 1) % row;
        const uint32_t corners[] = {first, left_handed ? first + row : next, next + row,
                                    left_handed ? next : first + row};
        *fibre++ = fibre_of(s, b->nodes, corners, along, left_handed);
        for (int c = 0; c < 8; ++c) *to++ = corners[c % 4] + (c < 4 ? 0 : layer);
      }
}

static syn_status make_bricks(syn_arena *arena, const syn_strip *s, const syn_vec3 *outward,
                              const syn_ligament_options *o, syn_soft **soft, syn_error *error) {
  bricks b;
  syn_fem_mesh mesh = {.element = SYN_ELEMENT_HEX8,
                       .node_count = strip_layer(s) * (s->cells[2] + 1),
                       .element_count = s->cells[0] * s->cells[1] * s->cells[2]};
  SYN_TRY(SYN_TAKE(arena, &b.nodes, mesh.node_count, error));
  SYN_TRY(SYN_TAKE(arena, &b.fibres, mesh.element_count, error));
  SYN_TRY(SYN_TAKE(arena, &b.elements, 8 * (size_t)mesh.element_count, error));
  place_nodes(s, outward, b.nodes);
  join_nodes(s, is_left_handed(s, outward), &b);
  mesh.nodes = b.nodes;
  mesh.elements = b.elements;
  mesh.fibres = b.fibres;
  syn_soft_options tissue = syn_default_soft_options();
  tissue.law = SYN_LAW_FIBRES;
  tissue.material = (syn_material){o->across * o->young_mpa, o->poisson, o->density_kg_m3};
  tissue.fibre_mpa = o->young_mpa;
  return syn_soft_fem_create(arena->context, &mesh, &tissue, soft, error);
}

syn_status syn_strip_soft(const syn_context *context, const syn_strip *strip, const syn_vec3 *outward,
                          const syn_ligament_options *options, syn_soft **soft, syn_error *error) {
  syn_arena arena = {.context = context};
  *soft = NULL;
  const syn_status status = make_bricks(&arena, strip, outward, options, soft, error);
  syn_arena_release(&arena);
  return status;
}
