#include "layer_caps.h"

#include "base/memory.h"
#include "base/vec.h"
#include "support.h"

static syn_layer empty_layer(uint32_t cells, bool moves) {
  syn_layer layer = {.moves = moves, .region_count = 1};
  syn_error error;
  const uint32_t sheet = (cells + 1) * (cells + 1);
  layer.node_count = 2 * sheet;
  layer.element_count = layer.face_count = cells * cells;
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer.nodes, layer.node_count, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer.on_bone, layer.node_count, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer.elements, 8 * layer.element_count, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer.element_region, layer.element_count, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer.faces, layer.face_count, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer.face_element, layer.face_count, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer.thickness_mm, layer.node_count, &error));
  layer.tissues[0] = SYN_TISSUE_CARTILAGE;
  layer.materials[0] = (syn_material){12, 0.45, 1100};
  return layer;
}

/* Nodes of the sheet on the bone come first, those of the articular surface after them in the same order. `flip`: seen
 * from the joint space the grid runs clockwise. */
static void connect(syn_layer *layer, uint32_t cells, double thickness, bool flip) {
  const uint32_t row = cells + 1, sheet = row * row;
  for (uint32_t j = 0; j < cells; ++j)
    for (uint32_t i = 0; i < cells; ++i) {
      const uint32_t at = j * cells + i, a = j * row + i;
      const uint32_t around[4] = {a, flip ? a + row : a + 1, a + row + 1, flip ? a + 1 : a + row};
      for (int c = 0; c < 4; ++c) {
        layer->elements[8 * at + c] = around[c];
        layer->elements[8 * at + 4 + c] = layer->faces[at][c] = around[c] + sheet;
      }
      layer->face_element[at] = at;
    }
  for (uint32_t n = 0; n < sheet; ++n) {
    layer->on_bone[n] = 1;
    layer->thickness_mm[n] = NAN;
    layer->thickness_mm[n + sheet] = thickness;
  }
}

/* The square -1 to 1 as a disc, by concentric squares and circles. */
static syn_vec3 on_disc(double u, double v) {
  if (u == 0 && v == 0) return vec3(0, 0, 0);
  const bool wide = fabs(u) > fabs(v);
  const double radius = wide ? u : v, angle = wide ? SYN_PI / 4 * v / u : SYN_PI / 2 - SYN_PI / 4 * u / v;
  return vec3(radius * cos(angle), radius * sin(angle), 0);
}

syn_layer make_cap(double radius, double thickness, double half_angle, uint32_t cells, bool outward, double wave) {
  syn_layer layer = empty_layer(cells, outward);
  const uint32_t row = cells + 1, sheet = row * row;
  for (uint32_t n = 0; n < sheet; ++n) {
    const syn_vec3 disc = on_disc(2.0 * (n % row) / cells - 1, 2.0 * (n / row) / cells - 1);
    const double part = vec3_length(disc), angle = part * half_angle;
    const syn_vec3 across = vec3_unit(disc);
    const syn_vec3 unit = vec3(sin(angle) * across.x, sin(angle) * across.y, cos(angle));
    const double r = radius * (1 + wave * unit.x * unit.y);
    layer.nodes[n + sheet] = vec3_scale(unit, r);
    layer.nodes[n] = vec3_scale(unit, outward ? r - thickness : r + thickness);
  }
  connect(&layer, cells, thickness, !outward);
  return layer;
}

syn_layer make_plate(double half_width, double thickness, uint32_t cells) {
  syn_layer layer = empty_layer(cells, false);
  const uint32_t row = cells + 1, sheet = row * row;
  for (uint32_t n = 0; n < sheet; ++n) {
    const double x = half_width * (2.0 * (n % row) / cells - 1), y = half_width * (2.0 * (n / row) / cells - 1);
    layer.nodes[n + sheet] = vec3(x, y, 0);
    layer.nodes[n] = vec3(x, y, thickness);
  }
  connect(&layer, cells, thickness, true);
  return layer;
}
