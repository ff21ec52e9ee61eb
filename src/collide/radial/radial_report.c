#include "collide/radial/radial_report.h"

#include <math.h>

radial_deepest syn_radial_find_deepest(const double *depth, uint32_t count) {
  radial_deepest most = radial_none_deep();
  for (uint32_t v = 0; v < count; ++v) {
    radial_note_depth(&most, depth[v], v);
    most.positive += depth[v] > 0;
  }
  return most;
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

void syn_radial_report_vertices(const radial_field *field, const radial_deepest *most, syn_contacts *result) {
  const radial_table *table = field->table;
  const uint32_t count = field->points->count;
  const syn_vec3 *vertices = field->points->given;
  if (most->vertex == SYN_NONE) return;
  syn_radial_tell(result, most->depth, most->vertex,
                  vec3_add(radial_place(field, vertices[most->vertex]), table->center));
  if (!(most->depth > 0)) return;
  if (!result->contacts) { /* counting alone is fast */
    result->count += most->positive;
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
  const radial_deepest most = syn_radial_find_deepest(depth, count);
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
