/* Writes a layer as VTU: hexahedra or quadratic tetrahedra, then rigid faces as quads. */

#include <inttypes.h>

#include "base/files/file.h"
#include "pressure/layer/layer.h"

/* ---- quality --------------------------------------------------------------------------------------------------- */
/* Measures the quality of a layer's hexahedra, and its size. */

static const int corner_neighbours[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                            {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};

/* ---- one hexahedron ------------------------------------------------------------------------------------------------
 */

static double corner_jacobian(const syn_vec3 p[8], int corner, double *scaled) {
  const int *to = corner_neighbours[corner];
  const syn_vec3 a = vec3_sub(p[to[0]], p[corner]), b = vec3_sub(p[to[1]], p[corner]),
                 c = vec3_sub(p[to[2]], p[corner]);
  const double jacobian = vec3_dot(a, vec3_cross(b, c)), lengths = vec3_length(a) * vec3_length(b) * vec3_length(c);
  *scaled = lengths > 0 ? jacobian / lengths : 0;
  return jacobian;
}

/* Jacobian at a point of the unit cube from -1 to 1, over eight. */
static double jacobian_at(const syn_vec3 p[8], const double at[3]) {
  static const double corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  syn_vec3 slope[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int n = 0; n < 8; ++n)
    for (int k = 0; k < 3; ++k) {
      double weight = corners[n][k] / 8;
      for (int other = 1; other < 3; ++other) weight *= 1 + corners[n][(k + other) % 3] * at[(k + other) % 3];
      slope[k] = vec3_madd(slope[k], weight, p[n]);
    }
  return vec3_dot(slope[0], vec3_cross(slope[1], slope[2]));
}

/* Returns the volume, and records whether all Jacobians are positive. */
static double check_hexahedron(const syn_vec3 p[8], syn_layer *layer) {
  const double g = 1 / sqrt(3);
  double volume = 0, shortest = INFINITY, longest = 0;
  bool positive = true;
  for (int i = 0; i < 8; ++i) {
    const double at[3] = {i & 1 ? g : -g, i & 2 ? g : -g, i & 4 ? g : -g};
    const double jacobian = jacobian_at(p, at);
    double scaled;
    positive = corner_jacobian(p, i, &scaled) > 0 && jacobian > 0 && positive;
    layer->min_jacobian = min2(layer->min_jacobian, scaled);
    volume += jacobian;
    for (int k = 0; k < 3; ++k) {
      const double length = vec3_distance(p[i], p[corner_neighbours[i][k]]);
      shortest = min2(shortest, length);
      longest = max2(longest, length);
    }
  }
  layer->inverted += !positive;
  layer->max_aspect = max2(layer->max_aspect, shortest > 0 ? longest / shortest : (double)INFINITY);
  return volume;
}

/* ---- faces ---------------------------------------------------------------------------------------------------------
 */

static double quad_area(const syn_layer *layer, const uint32_t v[4]) {
  const syn_vec3 *p = layer->nodes;
  return 0.5 * vec3_length(vec3_cross(vec3_sub(p[v[2]], p[v[0]]), vec3_sub(p[v[3]], p[v[1]])));
}

static void check_face(syn_layer *layer, uint32_t face) {
  const uint32_t *v = layer->faces[face], element = layer->face_element[face];
  const double area = quad_area(layer, v);
  if (element == SYN_NONE) {
    layer->rigid_area_mm2 += area;
    return;
  }
  layer->area_mm2 += area;
  layer->region_area_mm2[layer->element_region[element]] += area;
  for (int k = 0; k < 4; ++k) {
    const double thickness = layer->thickness_mm[v[k]];
    layer->mean_thickness_mm += 0.25 * area * thickness;
    layer->min_thickness_mm = min2(layer->min_thickness_mm, thickness);
    layer->max_thickness_mm = max2(layer->max_thickness_mm, thickness);
  }
}

void syn_layer_check(syn_layer *layer) {
  layer->inverted = 0;
  layer->min_jacobian = layer->max_aspect = 1;
  layer->area_mm2 = layer->rigid_area_mm2 = layer->volume_mm3 = 0;
  for (int r = 0; r < 4; ++r) layer->region_area_mm2[r] = layer->region_volume_mm3[r] = 0;
  layer->min_thickness_mm = INFINITY;
  layer->mean_thickness_mm = layer->max_thickness_mm = 0;
  for (uint32_t e = 0; e < layer->element_count; ++e) {
    syn_vec3 p[8];
    for (int k = 0; k < 8; ++k) p[k] = layer->nodes[layer->elements[8 * (size_t)e + k]];
    const double volume = check_hexahedron(p, layer);
    layer->volume_mm3 += volume;
    layer->region_volume_mm3[layer->element_region[e]] += volume;
  }
  for (uint32_t f = 0; f < layer->face_count; ++f) check_face(layer, f);
  layer->mean_thickness_mm /= layer->area_mm2;
  if (!layer->element_count)
    layer->min_jacobian = layer->max_aspect = layer->min_thickness_mm = layer->mean_thickness_mm =
        layer->max_thickness_mm = NAN;
}

/* ---- layer write ----------------------------------------------------------------------------------------------- */

enum { VTK_QUAD = 9, VTK_HEXAHEDRON = 12, VTK_QUADRATIC_TETRA = 24 };

typedef struct writer {
  const syn_layer *layer;
  FILE *stream;
  uint32_t rigid; /* faces */
} writer;

static void begin(const writer *w, const char *type, const char *name, uint32_t components) {
  fprintf(w->stream, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\" format=\"ascii\">\n", type, name,
          components);
}
static void end(const writer *w) { fputs("</DataArray>\n", w->stream); }

static void put_numbers(const writer *w, const char *name, uint32_t components, const double *values, uint32_t count,
                        uint32_t without) {
  begin(w, "Float64", name, components);
  for (size_t i = 0; i < (size_t)components * count; ++i)
    fprintf(w->stream, isnan(values[i]) ? "nan\n" : "%.9g\n", values[i]);
  for (size_t i = 0; i < (size_t)components * without; ++i) fputs("nan\n", w->stream);
  end(w);
}

static void put_fields(const writer *w, const syn_field *fields, size_t count, syn_field_on on) {
  const syn_layer *layer = w->layer;
  const bool points = on == SYN_ON_POINTS;
  for (size_t i = 0; i < count; ++i)
    if (fields[i].on == on)
      put_numbers(w, fields[i].name, fields[i].components, fields[i].values,
                  points ? layer->node_count : layer->element_count, points ? 0 : w->rigid);
}

static void put_points(const writer *w, const syn_vec3 *nodes, const syn_field *fields, size_t count) {
  const syn_layer *layer = w->layer;
  fputs("<PointData>\n", w->stream);
  put_numbers(w, "thickness_mm", 1, layer->thickness_mm, layer->node_count, 0);
  begin(w, "UInt8", "on_bone", 1);
  for (uint32_t i = 0; i < layer->node_count; ++i) fprintf(w->stream, "%u\n", layer->on_bone[i]);
  end(w);
  put_fields(w, fields, count, SYN_ON_POINTS);
  fputs("</PointData>\n<Points>\n", w->stream);
  begin(w, "Float64", "Points", 3);
  for (uint32_t i = 0; i < layer->node_count; ++i)
    fprintf(w->stream, "%.12g %.12g %.12g\n", nodes[i].x, nodes[i].y, nodes[i].z);
  end(w);
  fputs("</Points>\n", w->stream);
}

static void put_nodes(const writer *w, const uint32_t *nodes, int count) {
  for (int k = 0; k < count; ++k) fprintf(w->stream, k + 1 < count ? "%" PRIu32 " " : "%" PRIu32 "\n", nodes[k]);
}

/* Writes the regions of the hexahedra; rigid faces have the number of no region. */
static void put_cells(const writer *w, const syn_field *fields, size_t count) {
  const syn_layer *layer = w->layer;
  const size_t per = layer_element_nodes(layer);
  fputs("<CellData>\n", w->stream);
  begin(w, "UInt8", "region", 1);
  for (uint32_t e = 0; e < layer->element_count; ++e) fprintf(w->stream, "%u\n", layer->element_region[e]);
  for (uint32_t f = 0; f < w->rigid; ++f) fprintf(w->stream, "%d\n", LAYER_RIGID);
  end(w);
  put_fields(w, fields, count, SYN_ON_ELEMENTS);
  fputs("</CellData>\n<Cells>\n", w->stream);
  begin(w, "Int64", "connectivity", 1);
  for (uint32_t e = 0; e < layer->element_count; ++e) put_nodes(w, layer->elements + per * e, (int)per);
  for (uint32_t f = 0; f < layer->face_count; ++f)
    if (layer->face_element[f] == SYN_NONE) put_nodes(w, layer->faces[f], 4);
  end(w);
  begin(w, "Int64", "offsets", 1);
  for (uint64_t e = 1; e <= layer->element_count; ++e) fprintf(w->stream, "%" PRIu64 "\n", per * e);
  for (uint64_t f = 1; f <= w->rigid; ++f) fprintf(w->stream, "%" PRIu64 "\n", per * layer->element_count + 4 * f);
  end(w);
  begin(w, "UInt8", "types", 1);
  for (uint32_t e = 0; e < layer->element_count; ++e)
    fprintf(w->stream, "%d\n", layer->edge_nodes ? VTK_QUADRATIC_TETRA : VTK_HEXAHEDRON);
  for (uint32_t f = 0; f < w->rigid; ++f) fprintf(w->stream, "%d\n", VTK_QUAD);
  end(w);
  fputs("</Cells>\n", w->stream);
}

syn_status syn_layer_write(const syn_layer *layer, const syn_vec3 *nodes, const syn_field *fields, size_t field_count,
                           const char *path, syn_error *error) {
  syn_output output;
  writer w = {.layer = layer};
  SYN_TRY(syn_output_open(layer->context, path, &output, error));
  w.stream = output.stream;
  for (uint32_t f = 0; f < layer->face_count; ++f) w.rigid += layer->face_element[f] == SYN_NONE;
  fprintf(w.stream,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%" PRIu32 "\" NumberOfCells=\"%" PRIu32
          "\">\n",
          layer->node_count, layer->element_count + w.rigid);
  put_points(&w, nodes ? nodes : layer->nodes, fields, field_count);
  put_cells(&w, fields, field_count);
  fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", w.stream);
  return syn_output_commit(&output, error);
}
