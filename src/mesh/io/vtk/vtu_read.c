/* PolyData and UnstructuredGrid of the VTK XML formats. Several pieces become one mesh. */
#define _GNU_SOURCE /* memmem */
#include "mesh/io/vtk/vtu_read.h"

#include <string.h>

#include "mesh/io/vtk/vtk_mesh.h"
#include "mesh/io/vtk/vtu_data.h"

typedef struct vtu_file {
  const syn_context *context;
  syn_xml xml;
  syn_vtu_data data;
  syn_vtk_mesh mesh;
  syn_error *error;
} vtu_file;

bool syn_vtu_sniff(const syn_source *source) {
  const size_t window = source->size < 4096 ? source->size : 4096;
  return memmem(source->bytes, window, "<VTKFile", 8) != NULL;
}

/* The child array called `name`, or the first one of any name. */
static const syn_xml_element *find_array(const syn_xml_element *parent, const char *name) {
  const syn_xml_element *array = parent ? syn_xml_find(parent->child, "DataArray") : NULL;
  while (array && name && !syn_xml_attribute_is(array, "Name", name)) array = syn_xml_find(array->next, "DataArray");
  return array;
}

static syn_status read_count(const vtu_file *f, const syn_xml_element *piece, const char *name, size_t *count) {
  uint64_t value;
  *count = 0;
  SYN_TRY(syn_xml_uint64(&f->xml, piece, name, 0, &value, f->error));
  if (value > UINT32_MAX)
    return syn_fail_at(f->error, SYN_TOO_LARGE, f->xml.file, piece->line, -1, "%s=\"%llu\" is more than 2^32 - 1", name,
                       (unsigned long long)value);
  *count = (size_t)value;
  return SYN_OK;
}

static syn_status read_points(vtu_file *f, const syn_xml_element *piece, size_t count) {
  const syn_xml_element *array = find_array(syn_xml_find(piece->child, "Points"), NULL);
  if (count == 0) return SYN_OK;
  if (!array) return syn_xml_fail(&f->xml, piece, f->error, "the piece has no <Points> with a <DataArray>");
  syn_numbers numbers = {0};
  syn_status status = syn_vtu_read_array(&f->data, array, 3 * count, &numbers, f->error);
  if (status == SYN_OK) status = syn_vtk_mesh_points(&f->mesh, &numbers, f->error);
  syn_free(f->context, numbers.values);
  return status;
}

static syn_status read_part(vtu_file *f, const syn_xml_element *group, const char *name, size_t expected,
                            syn_numbers *numbers) {
  const syn_xml_element *array = find_array(group, name);
  if (!array) return syn_xml_fail(&f->xml, group, f->error, "<%s> has no <DataArray> named \"%s\"", group->name, name);
  return syn_vtu_read_array(&f->data, array, expected, numbers, f->error);
}

/* The cells of one kind: <Cells>, or one of the four lists of PolyData. */
static syn_status read_cells(vtu_file *f, const syn_xml_element *piece, const char *name, size_t count,
                             syn_cell_shape shape, size_t first_point) {
  const syn_xml_element *group = syn_xml_find(piece->child, name);
  if (count == 0) return SYN_OK;
  if (!group) return syn_xml_fail(&f->xml, piece, f->error, "the piece has no <%s>", name);
  syn_vtk_cells cells = {.line = group->line, .shape = shape};
  syn_status status = read_part(f, group, "offsets", count, &cells.ends);
  if (status == SYN_OK) status = read_part(f, group, "connectivity", SIZE_MAX, &cells.connectivity);
  if (status == SYN_OK && shape == SYN_CELL_EMPTY) status = read_part(f, group, "types", count, &cells.types);
  if (status == SYN_OK) status = syn_vtk_mesh_cells(&f->mesh, &cells, first_point, f->error);
  syn_vtk_cells_release(f->context, &cells);
  return status;
}

/* VTK numbers the cells of PolyData in this order, whatever the order in the file. */
static syn_status read_polydata(vtu_file *f, const syn_xml_element *piece, size_t first_point) {
  static const struct {
    const char *name, *count;
    syn_cell_shape shape;
  } lists[] = {{"Verts", "NumberOfVerts", SYN_CELL_VERTEX},
               {"Lines", "NumberOfLines", SYN_CELL_LINE},
               {"Polys", "NumberOfPolys", SYN_CELL_POLYGON},
               {"Strips", "NumberOfStrips", SYN_CELL_STRIP}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
    size_t count;
    SYN_TRY(read_count(f, piece, lists[i].count, &count));
    SYN_TRY(read_cells(f, piece, lists[i].name, count, lists[i].shape, first_point));
  }
  return SYN_OK;
}

static syn_status read_field(vtu_file *f, const syn_xml_element *array, bool on_cells, size_t places) {
  const char *name = syn_xml_attribute(array, "Name");
  if (!name) name = "unnamed";
  if (!syn_vtu_is_numeric(array)) {
    syn_warn(f->context, "%s: the field '%.100s' was left out: its values are not numbers", f->xml.file, name);
    return SYN_OK;
  }
  uint64_t components;
  SYN_TRY(syn_xml_uint64(&f->xml, array, "NumberOfComponents", 1, &components, f->error));
  if (components == 0) components = 1; /* some writers say 0 for scalars */
  syn_vtk_field *field;
  SYN_TRY(syn_vtk_mesh_field(&f->mesh, name, strlen(name), on_cells, components, &field, f->error));
  if (!field) return SYN_OK;
  return syn_vtu_read_array(&f->data, array, places * (size_t)components, &field->numbers, f->error);
}

static syn_status read_fields(vtu_file *f, const syn_xml_element *piece, const char *name, bool on_cells,
                              size_t places) {
  const syn_xml_element *group = syn_xml_find(piece->child, name);
  for (const syn_xml_element *a = group ? group->child : NULL; a; a = a->next)
    if (strcmp(a->name, "DataArray") == 0 || strcmp(a->name, "Array") == 0) SYN_TRY(read_field(f, a, on_cells, places));
  return SYN_OK;
}

static syn_status read_piece(vtu_file *f, const syn_xml_element *piece, bool polydata) {
  const size_t first_point = f->mesh.builder->point_count, first_cell = f->mesh.cells.count;
  size_t points, cells;
  if (!syn_xml_attribute(piece, "NumberOfPoints"))
    return syn_xml_fail(&f->xml, piece, f->error, "<Piece> does not say its NumberOfPoints");
  SYN_TRY(read_count(f, piece, "NumberOfPoints", &points));
  SYN_TRY(read_points(f, piece, points));
  if (polydata) {
    SYN_TRY(read_polydata(f, piece, first_point));
  } else {
    SYN_TRY(read_count(f, piece, "NumberOfCells", &cells));
    SYN_TRY(read_cells(f, piece, "Cells", cells, SYN_CELL_EMPTY, first_point));
  }
  SYN_TRY(read_fields(f, piece, "PointData", false, points));
  return read_fields(f, piece, "CellData", true, f->mesh.cells.count - first_cell);
}

/* 3D Slicer notes the patient axes as a text named SPACE in the field data. */
static syn_status read_space(vtu_file *f, const syn_xml_element *grid) {
  const syn_xml_element *group = syn_xml_find(grid->child, "FieldData");
  for (const syn_xml_element *a = group ? group->child : NULL; a; a = a->next) {
    if (!syn_xml_attribute_is(a, "Name", "SPACE") || !syn_xml_attribute_is(a, "type", "String")) continue;
    syn_numbers codes = {0};
    syn_status status = syn_vtu_read_array(&f->data, a, SIZE_MAX, &codes, f->error);
    char text[] = "SPACE=...";
    for (size_t i = 0; i < 3 && i < codes.count && status == SYN_OK; ++i)
      if (codes.values[i] >= 'A' && codes.values[i] <= 'Z') text[6 + i] = (char)codes.values[i];
    f->mesh.builder->space = syn_space_in_text(text, strlen(text));
    syn_free(f->context, codes.values);
    SYN_TRY(status);
  }
  return SYN_OK;
}

static syn_status check_type(const vtu_file *f, const char **type) {
  if (strcmp(f->xml.root->name, "VTKFile") != 0)
    return syn_xml_fail(&f->xml, f->xml.root, f->error, "this is not a VTK file: it begins with <%.60s>",
                        f->xml.root->name);
  *type = syn_xml_attribute(f->xml.root, "type");
  if (*type && (strcmp(*type, "PolyData") == 0 || strcmp(*type, "UnstructuredGrid") == 0)) return SYN_OK;
  return syn_xml_fail(&f->xml, f->xml.root, f->error,
                      "a VTK file of type '%.60s' holds no mesh; PolyData and UnstructuredGrid are read",
                      *type ? *type : "");
}

static syn_status read_tree(vtu_file *f, const syn_source *source) {
  const char *type = "";
  SYN_TRY(check_type(f, &type));
  SYN_TRY(syn_vtu_data_begin(f->context, &f->xml, source->bytes, source->size, &f->data, f->error));
  const syn_xml_element *grid = syn_xml_find(f->xml.root->child, type);
  if (!grid) return syn_xml_fail(&f->xml, f->xml.root, f->error, "the file has no <%s>", type);
  SYN_TRY(read_space(f, grid));
  for (const syn_xml_element *p = syn_xml_find(grid->child, "Piece"); p; p = syn_xml_find(p->next, "Piece"))
    SYN_TRY(read_piece(f, p, type[0] == 'P'));
  return syn_vtk_mesh_finish(&f->mesh, f->error);
}

syn_status syn_vtu_read(const syn_source *source, syn_builder *builder, syn_error *error) {
  vtu_file file = {.context = source->context, .error = error};
  syn_status status =
      syn_xml_parse(source->context, source->bytes, source->size, source->name, "AppendedData", &file.xml, error);
  if (status == SYN_OK) {
    syn_vtk_mesh_begin(&file.mesh, source, builder);
    status = read_tree(&file, source);
    syn_vtk_mesh_release(&file.mesh);
  }
  syn_xml_release(&file.xml);
  return status;
}
