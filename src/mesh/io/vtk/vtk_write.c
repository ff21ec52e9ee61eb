/* VTK's legacy format, version 3.0, which every tool reads: POLYDATA where there are triangles only, otherwise
 * UNSTRUCTURED_GRID. */
#include "base/text.h"
#include "mesh/io/format.h"
#include "mesh/io/vtk/vtk_columns.h"
#include "mesh/io/vtk/vtk_read.h"

static const char *type_name(syn_number_type type) {
  return type == SYN_FLOAT64 ? "double" : type == SYN_FLOAT32 ? "float" : "int";
}

static void write_values(const syn_context *context, const syn_vtk_column *column, bool binary, FILE *stream) {
  unsigned char bytes[1 << 13];
  const size_t count = syn_vtk_column_values(column), size = syn_number_size(column->type);
  const size_t per_block = sizeof bytes / size;
  if (!binary) {
    const size_t not_finite = syn_vtk_column_print(column, stream);
    if (not_finite)
      syn_warn(context,
               "%zu values of '%.100s' are not finite; VTK itself does not read these from text, so write the file in "
               "binary",
               not_finite, column->name);
    return;
  }
  for (size_t begin = 0; begin < count; begin += per_block) {
    const size_t end = begin + per_block < count ? begin + per_block : count;
    syn_vtk_column_encode(column, begin, end, true, bytes);
    fwrite(bytes, size, end - begin, stream);
  }
  fputc('\n', stream);
}

/* Characters that would break the line are written as %20 and so on, as VTK does. */
static void write_name(const char *name, FILE *stream) {
  for (const unsigned char *c = (const unsigned char *)name; *c; ++c) {
    if (*c <= ' ' || *c > 126 || *c == '"' || *c == '%')
      fprintf(stream, "%%%02X", *c);
    else
      fputc(*c, stream);
  }
}

static void write_fields(const syn_context *context, const syn_geometry *g, bool on_cells, bool tets,
                         const syn_write_options *options, FILE *stream) {
  syn_vtk_column column;
  size_t fields = 0;
  for (size_t cursor = 0; syn_vtk_next_field(g, on_cells, tets, options->single, &cursor, &column);) ++fields;
  if (fields == 0) return;
  fprintf(stream, "%s %zu\nFIELD FieldData %zu\n", on_cells ? "CELL_DATA" : "POINT_DATA", column.tuples, fields);
  for (size_t cursor = 0; syn_vtk_next_field(g, on_cells, tets, options->single, &cursor, &column);) {
    write_name(column.name, stream);
    fprintf(stream, " %u %zu %s\n", column.components, column.tuples, type_name(column.type));
    write_values(context, &column, options->binary, stream);
  }
}

static void write_cells(const syn_context *context, const syn_geometry *g, bool tets, bool binary, FILE *stream) {
  const syn_vtk_column rows = syn_vtk_rows(g, tets);
  const size_t cells = g->triangle_count + (tets ? g->tet_count : 0);
  if (cells == 0) return;
  fprintf(stream, "%s %zu %zu\n", tets ? "CELLS" : "POLYGONS", cells, rows.tuples);
  write_values(context, &rows, binary, stream);
  if (!tets) return;
  syn_vtk_column types = syn_vtk_types(g);
  types.type = SYN_INT32;
  fprintf(stream, "CELL_TYPES %zu\n", cells);
  write_values(context, &types, binary, stream);
}

static syn_status write_vtk(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  static const char *const spaces[] = {
      [SYN_SPACE_UNKNOWN] = "", [SYN_SPACE_LPS] = " SPACE=LPS", [SYN_SPACE_RAS] = " SPACE=RAS"};
  const bool tets = g->tet_count > 0;
  if (g->point_count > INT32_MAX)
    return syn_fail(error, SYN_TOO_LARGE, "vtk files hold up to 2^31 - 1 points; write a .vtu file");
  const syn_vtk_column points = syn_vtk_points(g, options->single);
  fprintf(stream, "# vtk DataFile Version 3.0\nSynovia output.%s", spaces[g->space]);
  syn_put_title(context, stream, " ", "");
  fprintf(stream, "\n%s\nDATASET %s\nPOINTS %zu %s\n", options->binary ? "BINARY" : "ASCII",
          tets ? "UNSTRUCTURED_GRID" : "POLYDATA", g->point_count, type_name(points.type));
  write_values(context, &points, options->binary, stream);
  write_cells(context, g, tets, options->binary, stream);
  write_fields(context, g, false, tets, options, stream);
  write_fields(context, g, true, tets, options, stream);
  return SYN_OK;
}

const syn_format syn_format_vtk = {.info = {"vtk", ".vtk", true, true, true, true, true, true},
                                   .sniff = syn_vtk_sniff,
                                   .read = syn_vtk_read,
                                   .write = write_vtk};
