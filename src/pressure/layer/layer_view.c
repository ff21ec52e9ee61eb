/* Finds the hits of rays from a centre with a surface. */

#include "pressure/layer/layer.h"

syn_status syn_layer_view_open(const syn_trimesh *mesh, syn_vec3 center, layer_view *view, syn_error *error) {
  *view = (layer_view){.mesh = mesh, .center = center};
  if (!mesh) return SYN_OK;
  SYN_TRY(syn_derive(mesh, &syn_derive_box_tree, &view->derived, error));
  view->tree = view->derived->made;
  return SYN_OK;
}

void syn_layer_view_release(layer_view *view) {
  syn_derived_release(view->derived);
  *view = (layer_view){0};
}

/* Returns whether the part of the ray between two distances intersects a box. Boxes are rounded outward, and the
 * slack includes rays that graze one. */
static bool passes(const syn_box_node *node, syn_vec3 center, syn_vec3 direction, double from, double to) {
  const double slack = 1e-6 * (1 + to);
  for (int k = 0; k < 3; ++k) {
    const double d = vec3_at(direction, k), low = (double)node->min[k] - vec3_at(center, k) - slack,
                 high = (double)node->max[k] - vec3_at(center, k) + slack;
    if (fabs(d) < 1e-300) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const double a = low / d, b = high / d;
    from = max2(from, min2(a, b));
    to = min2(to, max2(a, b));
  }
  return from <= to;
}

/* Rays along an edge must hit at least one of its triangles: weights slightly below zero are accepted. */
static bool meet(const layer_view *view, uint32_t triangle, syn_vec3 direction, layer_hit *hit) {
  const double slack = -1e-9;
  const uint32_t *v = view->mesh->triangles[triangle].v;
  const syn_vec3 a = vec3_sub(view->mesh->vertices[v[0]], view->center);
  const syn_vec3 b = vec3_sub(view->mesh->vertices[v[1]], view->center);
  const syn_vec3 c = vec3_sub(view->mesh->vertices[v[2]], view->center);
  const double wa = vec3_dot(direction, vec3_cross(b, c)), wb = vec3_dot(direction, vec3_cross(c, a)),
               wc = vec3_dot(direction, vec3_cross(a, b)), sum = wa + wb + wc;
  if (sum == 0) return false;
  const double w[3] = {wa / sum, wb / sum, wc / sum};
  if (w[0] < slack || w[1] < slack || w[2] < slack) return false;
  const syn_vec3 at = vec3_add(vec3_add(vec3_scale(a, w[0]), vec3_scale(b, w[1])), vec3_scale(c, w[2]));
  *hit = (layer_hit){.distance = vec3_dot(at, direction),
                     .radius = w[0] * vec3_length(a) + w[1] * vec3_length(b) + w[2] * vec3_length(c),
                     .outward = sum > 0,
                     .triangle = triangle,
                     .weight = {w[0], w[1], w[2]}};
  return true;
}

/* Of equal distances the lower triangle is taken, so that the order of the tree does not matter. */
static bool better(const layer_hit *a, const layer_hit *b, bool last) {
  if (a->distance != b->distance) return last ? a->distance > b->distance : a->distance < b->distance;
  return a->triangle < b->triangle;
}

static bool find_hit(const layer_view *view, syn_vec3 direction, double from, double to, bool last, layer_hit *hit) {
  bool found = false;
  if (!view->mesh || !view->tree->node_count) return false;
  const syn_box_node *stack[SYN_BOX_TREE_DEPTH + 2];
  int depth = 0;
  stack[depth++] = view->tree->nodes;
  while (depth) {
    const syn_box_node *node = stack[--depth];
    layer_hit candidate;
    if (!passes(node, view->center, direction, from, to)) continue;
    if (node->count > 1) {
      stack[depth++] = view->tree->nodes + node->child;
      stack[depth++] = view->tree->nodes + node->child + 1;
    } else if (meet(view, node->child, direction, &candidate) && candidate.distance >= from &&
               candidate.distance <= to && (!found || better(&candidate, hit, last))) {
      *hit = candidate;
      found = true;
    }
  }
  return found;
}

bool syn_layer_first_hit(const layer_view *view, syn_vec3 direction, double from, double to, layer_hit *hit) {
  return find_hit(view, direction, from, to, false, hit);
}

bool syn_layer_last_hit(const layer_view *view, syn_vec3 direction, double from, double to, layer_hit *hit) {
  return find_hit(view, direction, from, to, true, hit);
}

/* ---- sight ----------------------------------------------------------------------------------------------------- */
/* Finds what rays from the centre hit, and the resolution of a grid. */

static const double step = SYN_DEGREE;

bool syn_layer_sees(const layer_side *side, const layer_view *view, double polar, double clock) {
  layer_hit hit;
  return syn_layer_first_hit(view, syn_layer_direction(&side->grid, polar, clock), layer_near(side), layer_far(side),
                             &hit);
}

/* Finds the edge of a hit region between two angles of which one is `inside`. */
static double edge_between(const layer_side *side, layer_sight see, double inside, double outside, double clock) {
  for (int i = 0; i < 30; ++i) {
    const double middle = 0.5 * (inside + outside);
    if (see(side, middle, clock))
      inside = middle;
    else
      outside = middle;
  }
  return 0.5 * (inside + outside);
}

void syn_layer_seen_between(const layer_side *side, layer_sight see, double clock, double *first, double *last) {
  *first = *last = NAN;
  for (double polar = 0.5 * step; polar < SYN_PI; polar += step) {
    if (!see(side, polar, clock)) continue;
    if (isnan(*first)) *first = polar;
    *last = polar;
  }
  if (isnan(*first)) return;
  if (*first > step) *first = edge_between(side, see, *first, *first - step, clock);
  *last = edge_between(side, see, *last, *last + step, clock);
}

bool syn_layer_painted(const layer_side *side, const double *paint, syn_vec3 direction) {
  layer_hit hit;
  if (!syn_layer_last_hit(&side->bone, direction, layer_near(side), layer_far(side), &hit)) return false;
  double value = 0;
  for (int k = 0; k < 3; ++k) value += hit.weight[k] * paint[side->bone.mesh->triangles[hit.triangle].v[k]];
  return value >= 0.5;
}

/* A multiple of twelve, so that a notch of 60 degrees and a core of four sides fit whole columns. */
uint32_t syn_layer_columns(const layer_side *side, double polar) {
  const double round = 2 * SYN_PI * side->maker->radius * sin(min2(polar, SYN_PI / 2));
  return 12 * (uint32_t)max2(2, ceil(round / side->maker->options.edge_mm / 12 - 0.25));
}

uint32_t syn_layer_steps(const layer_side *side, double angle, uint32_t least) {
  return (uint32_t)max2(least, round(angle * side->maker->radius / side->maker->options.edge_mm));
}
