#include "collide/radial_report.h"

#include <math.h>

typedef struct deepest {
  double depth;
  uint32_t vertex;
  size_t positive;
} deepest;

/* The first of the deepest, and how many penetrate. Block by block: the maximum of a block is quick to have, and looked
 * into only where it counts. */
enum { CHUNK = 64 };

static deepest find_deepest(const double *depth, uint32_t count) {
  deepest best = {-INFINITY, SYN_NONE, 0};
  for (uint32_t begin = 0; begin < count; begin += CHUNK) {
    const uint32_t end = count - begin < CHUNK ? count : begin + CHUNK;
    double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    uint32_t i = begin;
    for (; end - i >= 4; i += 4)
      for (uint32_t lane = 0; lane < 4; ++lane) most[lane] = max2(depth[i + lane], most[lane]);
    for (; i < end; ++i) most[0] = max2(depth[i], most[0]);
    const double all = max2(max2(most[0], most[1]), max2(most[2], most[3]));
    if (all > best.depth) {
      for (i = begin; depth[i] != all;) ++i;
      best.depth = all;
      best.vertex = i;
    }
    if (all > 0)
      for (i = begin; i < end; ++i) best.positive += depth[i] > 0;
  }
  return best;
}

void syn_radial_tell(syn_contacts *result, double depth, uint32_t element, syn_vec3 point) {
  if (!(depth > result->max_depth_mm)) return;
  result->max_depth_mm = depth;
  result->max_vertex = element;
  result->max_point = point;
}

syn_vec3 syn_radial_way_out(const radial_table *fixed, syn_vec3 from_center) {
  return vec3_scale(vec3_unit(from_center), fixed->outside ? -1 : 1);
}

void syn_radial_report_vertices(const radial_field *field, syn_contacts *result) {
  const radial_table *table = field->table;
  const uint32_t count = field->points->count;
  const syn_vec3 *vertices = field->points->given;
  const deepest most = find_deepest(field->depth, count);
  if (most.vertex == SYN_NONE) return;
  syn_radial_tell(result, most.depth, most.vertex, vec3_add(radial_place(field, vertices[most.vertex]), table->center));
  if (!(most.depth > 0)) return;
  if (!result->contacts) { /* counting alone is quick */
    result->count += most.positive;
    result->penetrating = true;
    return;
  }
  for (uint32_t v = 0; v < count; ++v) {
    if (!(field->depth[v] > 0)) continue;
    const syn_vec3 place = radial_place(field, vertices[v]);
    const syn_contact contact = {.of = SYN_OF_VERTEX_TRIANGLE,
                                 .fixed_element = field->triangle[v],
                                 .mobile_element = v,
                                 .depth_mm = field->depth[v],
                                 .point = vec3_add(place, table->center),
                                 .direction = syn_radial_way_out(table, place)};
    syn_contacts_add(result, &contact);
  }
}

void syn_radial_report_fixed(const radial_table *fixed, const double *depth, const uint32_t *triangle,
                             syn_contacts *result) {
  const uint32_t count = fixed->mesh->vertex_count;
  const deepest most = find_deepest(depth, count);
  if (most.vertex != SYN_NONE)
    syn_radial_tell(result, most.depth, triangle[most.vertex], vec3_add(fixed->points[most.vertex], fixed->center));
  for (uint32_t v = 0; v < count; ++v) {
    if (!(depth[v] > 0)) continue;
    const syn_contact contact = {.of = SYN_OF_TRIANGLE_VERTEX,
                                 .fixed_element = v,
                                 .mobile_element = triangle[v],
                                 .depth_mm = depth[v],
                                 .point = vec3_add(fixed->points[v], fixed->center),
                                 .direction = syn_radial_way_out(fixed, fixed->points[v])};
    syn_contacts_add(result, &contact);
  }
}
