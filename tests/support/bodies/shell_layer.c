#include "shell_layer.h"

#include "base/memory.h"
#include "base/vec.h"

/* Square to disk (Nowell's map), then around the ball by the angle from its axis. */
static syn_vec3 direction(double u, double v, double widest) {
  const double x = u * sqrt(1 - v * v / 2), y = v * sqrt(1 - u * u / 2), r = sqrt(x * x + y * y);
  if (!(r > 0)) return vec3(0, 0, 1);
  return vec3(sin(widest * r) * x / r, sin(widest * r) * y / r, cos(widest * r));
}

static syn_vec3 direction_at(const shell *s, double i, double j) {
  const double u = i / s->across, v = j / s->across;
  return s->quarter ? direction(u, v, s->widest) : direction(2 * u - 1, 2 * v - 1, s->widest);
}

static void take(syn_layer *layer, size_t nodes, size_t elements, size_t faces) {
  syn_error error;
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer->nodes, nodes, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer->on_bone, nodes, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer->elements, 8 * elements, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer->element_region, elements, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer->faces, faces, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer->face_element, faces, &error));
  ASSERT_OK(SYN_NEW_ZEROED(NULL, &layer->thickness_mm, nodes, &error));
  layer->node_count = (uint32_t)nodes;
  layer->element_count = (uint32_t)elements;
  layer->face_count = (uint32_t)faces;
}

syn_layer make_shell_layer(const shell *s, syn_material inner, syn_material outer, double labrum) {
  const uint32_t n = s->across + 1, deep = s->thickness > 0 ? s->deep : 0;
  syn_layer layer = {.moves = s->head, .region_count = 2};
  take(&layer, (size_t)n * n * (deep + 1), (size_t)s->across * s->across * deep, (size_t)s->across * s->across);
  layer.tissues[0] = SYN_TISSUE_CARTILAGE, layer.materials[0] = inner;
  layer.tissues[1] = SYN_TISSUE_LABRUM, layer.materials[1] = outer;
  uint32_t element = 0, face = 0;
  for (uint32_t k = 0; k <= deep; ++k) /* 0: the bone */
    for (uint32_t j = 0; j < n; ++j)
      for (uint32_t i = 0; i < n; ++i) {
        const uint32_t node = (k * n + j) * n + i;
        const double out = deep > 0 ? s->thickness * (1 - (double)k / deep) : 0;
        const syn_vec3 d = direction_at(s, i, j);
        layer.nodes[node] = vec3_scale(d, s->radius + (s->head ? -out : out));
        layer.on_bone[node] = k == 0;
        layer.thickness_mm[node] = k == deep ? s->thickness : (double)NAN;
        if (i == s->across || j == s->across) continue;
        const uint32_t around[4] = {node, node + 1, node + n + 1, node + n}; /* seen from outside */
        const uint32_t turned[4] = {around[0], around[3], around[2], around[1]};
        const uint32_t *seen = s->head ? around : turned;
        const syn_vec3 middle = direction_at(s, i + 0.5, j + 0.5);
        if (k < deep) {
          for (uint32_t q = 0; q < 4; ++q) {
            layer.elements[8 * element + q] = seen[q];
            layer.elements[8 * element + 4 + q] = seen[q] + n * n;
          }
          layer.element_region[element++] = acos(middle.z) > labrum;
        }
        if (k == deep) {
          memcpy(layer.faces[face], seen, sizeof layer.faces[face]);
          layer.face_element[face] = deep > 0 ? (deep - 1) * s->across * s->across + face : SYN_NONE;
          ++face;
        }
      }
  return layer;
}
