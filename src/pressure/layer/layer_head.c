/* Makes the head's grid: a core opposite the neck, rings to the edge of the cartilage, and rings of bare bone beyond
 * it. */
#include "pressure/layer/layer.h"

static bool sees_cartilage(const layer_side *side, double polar, double clock) {
  return syn_layer_sees(side, &side->cartilage, polar, clock);
}

static bool sees_sphere(const layer_side *side, double polar, double clock) {
  const uint8_t *head = side->maker->hip_case->anatomy->head_vertices;
  layer_hit hit;
  if (!syn_layer_last_hit(&side->bone, syn_layer_direction(&side->grid, polar, clock), layer_near(side),
                          layer_far(side), &hit))
    return false;
  const uint32_t *v = side->bone.mesh->triangles[hit.triangle].v;
  return head[v[0]] + head[v[1]] + head[v[2]] >= 2;
}

/* Finds the end of the spherical part: the first gap of some degrees beyond the part that every head has. */
static double sphere_edge(const layer_side *side, double clock) {
  const double least = 60 * SYN_DEGREE, most = 140 * SYN_DEGREE, gap = 6 * SYN_DEGREE;
  double edge = least;
  for (double polar = least; polar < most && polar - edge < gap; polar += SYN_DEGREE)
    if (sees_sphere(side, polar, clock)) edge = polar;
  return edge;
}

static double edge_at(const layer_side *side, double clock) {
  double first, last;
  if (!side->measured) return sphere_edge(side, clock);
  syn_layer_seen_between(side, sees_cartilage, clock, &first, &last);
  return last;
}

/* The axis points away from the neck; without anatomy, to the middle of the cartilage. */
static void set_frame(layer_side *side) {
  const syn_anatomy *anatomy = side->maker->hip_case->anatomy;
  const syn_vec3 up = side->maker->hip_case->hip.pelvis_axes.rotation;
  if (anatomy && anatomy->has_neck) {
    syn_layer_frame(&side->grid, anatomy->neck_axis, up);
    return;
  }
  syn_vec3 sum = {0, 0, 0};
  const syn_trimesh *mesh = side->cartilage.mesh;
  for (uint32_t v = 0; mesh && v < mesh->vertex_count; ++v)
    sum = vec3_add(sum, vec3_unit(vec3_sub(mesh->vertices[v], side->center)));
  const syn_vec3 inward = anatomy && anatomy->has_rim ? vec3_neg(anatomy->rim_normal) : up;
  syn_layer_frame(&side->grid, vec3_length2(sum) > 0 ? sum : inward, up);
}

static syn_status find_edges(layer_side *side, double (*polar)[LAYER_BREAKS], syn_error *error) {
  const layer_maker *maker = side->maker;
  layer_grid *grid = &side->grid;
  double least = INFINITY;
  for (uint32_t c = 0; c < grid->columns; ++c) {
    grid->clock[c] = 2 * SYN_PI * c / grid->columns;
    polar[c][1] = edge_at(side, grid->clock[c]);
    if (!(polar[c][1] > 10 * SYN_DEGREE))
      return syn_fail(error, SYN_BAD_MESH,
                      "the cartilage of the head does not surround its pole, seen from the centre of the joint: it has "
                      "a gap at clock %.0f degrees",
                      grid->clock[c] / SYN_DEGREE);
  }
  if (!side->measured) syn_layer_smooth_circle(&polar[0][1], LAYER_BREAKS, grid->columns, 12);
  for (uint32_t c = 0; c < grid->columns; ++c) least = min2(least, polar[c][1]);
  const double core = min2(0.55 * least, grid->columns * maker->options.edge_mm / (8 * maker->radius));
  for (uint32_t c = 0; c < grid->columns; ++c) {
    polar[c][0] = core;
    polar[c][2] = min2(polar[c][1] + maker->options.rigid_mm / maker->radius, 165 * SYN_DEGREE);
  }
  return SYN_OK;
}

static void set_kinds(layer_side *side, uint32_t cartilage_rings) {
  layer_grid *grid = &side->grid;
  const syn_layer_options *options = &side->maker->options;
  for (uint32_t q = 0; q < grid->quad_count; ++q) {
    const bool beyond = grid->ring_of[q] != SYN_NONE && grid->ring_of[q] >= cartilage_rings;
    const bool bare = options->extent == SYN_EXTENT_PAINTED &&
                      !syn_layer_painted(side, options->femur_painted, syn_layer_quad_direction(grid, q));
    grid->kind[q] = beyond || bare ? LAYER_RIGID : 0;
  }
}

syn_status syn_layer_head_grid(layer_side *side, syn_error *error) {
  layer_grid *grid = &side->grid;
  double(*polar)[LAYER_BREAKS];
  set_frame(side);
  grid->columns = syn_layer_columns(side, SYN_PI / 2);
  SYN_TRY(SYN_TAKE(grid->arena, &grid->clock, grid->columns, error));
  SYN_TRY(SYN_TAKE(grid->arena, &polar, grid->columns, error));
  SYN_TRY(find_edges(side, polar, error));
  double width = 0, beyond = 0;
  for (uint32_t c = 0; c < grid->columns; ++c) {
    width += (polar[c][1] - polar[c][0]) / grid->columns;
    beyond += (polar[c][2] - polar[c][1]) / grid->columns;
  }
  layer_breaks breaks = {.count = 2, .polar = polar};
  breaks.steps[0] = syn_layer_steps(side, width, 2);
  if (beyond > SYN_DEGREE) breaks.steps[breaks.count++ - 1] = syn_layer_steps(side, beyond, 2);
  SYN_TRY(syn_layer_grid_fill(grid, true, &breaks, error));
  set_kinds(side, breaks.steps[0]);
  return SYN_OK;
}
