/* Writes a layer as VTU: hexahedra or quadratic tetrahedra, then rigid faces as quads. */
#include <inttypes.h>

#include "base/files/file.h"
#include "pressure/layer/layer.h"

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
