#include "mesh/io/vtk/vtk_mesh.h"

#include <string.h>

#include "base/vec.h"

void syn_vtk_mesh_begin(syn_vtk_mesh *mesh, const syn_source *source, syn_builder *builder) {
  *mesh = (syn_vtk_mesh){.context = source->context, .file = source->name, .builder = builder};
  syn_cells_begin(&mesh->cells, builder, source->name);
}

syn_status syn_vtk_mesh_points(syn_vtk_mesh *mesh, const syn_numbers *numbers, syn_error *error) {
  syn_builder *b = mesh->builder;
  SYN_TRY(SYN_RESERVE(b->context, &b->points, b->point_count, numbers->count / 3, &b->point_capacity, error));
  for (size_t i = 0; i < numbers->count; i += 3)
    b->points[b->point_count++] = vec3(numbers->values[i], numbers->values[i + 1], numbers->values[i + 2]);
  return SYN_OK;
}

static syn_status fail_cell(const syn_vtk_mesh *mesh, const syn_vtk_cells *cells, size_t cell, const char *what,
                            double value, syn_error *error) {
  return syn_fail_at(error, SYN_BAD_FORMAT, mesh->file, cells->line, -1, "cell %zu has %s %.17g", cell, what, value);
}

/* Checks the nodes of cell `i` and adds it; `begin` moves to its end. */
static syn_status add_cell(syn_vtk_mesh *mesh, const syn_vtk_cells *cells, size_t i, size_t first_point, size_t *begin,
                           uint32_t *nodes, syn_error *error) {
  uint64_t end, shape = cells->shape, node;
  if (!syn_number_index(cells->ends.values[i], cells->connectivity.count + 1, &end) || end < *begin)
    return fail_cell(mesh, cells, i, "the impossible end", cells->ends.values[i], error);
  if (cells->types.count && !syn_number_index(cells->types.values[i], SYN_CELL_SHAPES, &shape))
    return fail_cell(mesh, cells, i, "the impossible type", cells->types.values[i], error);
  for (size_t k = *begin; k < end; ++k) {
    if (!syn_number_index(cells->connectivity.values[k], SYN_NONE - first_point, &node))
      return fail_cell(mesh, cells, i, "the impossible point", cells->connectivity.values[k], error);
    nodes[k - *begin] = (uint32_t)(node + first_point);
  }
  const size_t count = (size_t)end - *begin;
  *begin = (size_t)end;
  return syn_cells_add(&mesh->cells, (unsigned)shape, nodes, count, error);
}

/* Space for the nodes of the largest cell. Ends are checked later: here they only bound from below. */
static size_t most_nodes(const syn_vtk_cells *cells) {
  double most = 0, begin = 0;
  for (size_t i = 0; i < cells->ends.count; ++i) {
    most = fmax(most, cells->ends.values[i] - begin);
    begin = cells->ends.values[i];
  }
  return most < (double)cells->connectivity.count ? (size_t)most : cells->connectivity.count;
}

syn_status syn_vtk_mesh_cells(syn_vtk_mesh *mesh, const syn_vtk_cells *cells, size_t first_point, syn_error *error) {
  if (cells->types.count && cells->types.count != cells->ends.count)
    return syn_fail_at(error, SYN_BAD_FORMAT, mesh->file, cells->line, -1, "there are %zu cells but %zu cell types",
                       cells->ends.count, cells->types.count);
  if (first_point >= SYN_NONE) return syn_fail_at(error, SYN_TOO_LARGE, mesh->file, 0, -1, "there are too many points");
  uint32_t *nodes;
  SYN_TRY(SYN_NEW(mesh->context, &nodes, most_nodes(cells), error));
  mesh->cells.line = cells->line;
  syn_status status = SYN_OK;
  size_t begin = 0;
  for (size_t i = 0; i < cells->ends.count && status == SYN_OK; ++i)
    status = add_cell(mesh, cells, i, first_point, &begin, nodes, error);
  if (status == SYN_OK && begin < cells->connectivity.count)
    syn_warn(mesh->context, "%s: %zu numbers after the last cell belong to no cell and were left out", mesh->file,
             cells->connectivity.count - begin);
  syn_free(mesh->context, nodes);
  return status;
}

syn_status syn_vtk_mesh_field(syn_vtk_mesh *mesh, const char *name, size_t name_length, bool on_cells,
                              uint64_t components, syn_vtk_field **field, syn_error *error) {
  *field = NULL;
  if (components > SYN_VTK_COMPONENTS_MAX) {
    syn_warn(mesh->context, "%s: the field '%.*s' was left out: %llu values in each place are more than %d", mesh->file,
             (int)(name_length < 100 ? name_length : 100), name, (unsigned long long)components,
             SYN_VTK_COMPONENTS_MAX);
    return SYN_OK;
  }
  for (size_t i = 0; i < mesh->field_count && !*field; ++i) {
    syn_vtk_field *f = &mesh->fields[i];
    if (f->on_cells == on_cells && f->components == components && strlen(f->name) == name_length &&
        memcmp(f->name, name, name_length) == 0)
      *field = f;
  }
  if (*field) return SYN_OK;
  SYN_TRY(SYN_RESERVE(mesh->context, &mesh->fields, mesh->field_count, 1, &mesh->field_capacity, error));
  char *copy;
  SYN_TRY(SYN_NEW(mesh->context, &copy, name_length + 1, error));
  memcpy(copy, name, name_length);
  copy[name_length] = 0;
  *field = &mesh->fields[mesh->field_count++];
  **field = (syn_vtk_field){.name = copy, .on_cells = on_cells, .components = (uint32_t)components};
  return SYN_OK;
}

static syn_status finish_field(syn_vtk_mesh *mesh, const syn_vtk_field *f, syn_error *error) {
  const size_t places = f->on_cells ? mesh->cells.count : mesh->builder->point_count;
  if (f->numbers.count != places * f->components) {
    syn_warn(mesh->context, "%s: the field '%.100s' was left out: it is missing in some pieces or stands there twice",
             mesh->file, f->name);
    return SYN_OK;
  }
  if (places == 0) return SYN_OK;
  if (f->on_cells)
    return syn_cells_field(&mesh->cells, f->name, strlen(f->name), f->components, f->numbers.values, error);
  double *values;
  SYN_TRY(
      syn_builder_field(mesh->builder, f->name, strlen(f->name), SYN_ON_POINTS, f->components, places, &values, error));
  memcpy(values, f->numbers.values, f->numbers.count * sizeof *values);
  return SYN_OK;
}

syn_status syn_vtk_mesh_finish(syn_vtk_mesh *mesh, syn_error *error) {
  for (size_t i = 0; i < mesh->field_count; ++i) SYN_TRY(finish_field(mesh, &mesh->fields[i], error));
  syn_cells_warn(&mesh->cells);
  return SYN_OK;
}

void syn_vtk_mesh_release(syn_vtk_mesh *mesh) {
  for (size_t i = 0; i < mesh->field_count; ++i) {
    syn_free(mesh->context, mesh->fields[i].name);
    syn_free(mesh->context, mesh->fields[i].numbers.values);
  }
  syn_free(mesh->context, mesh->fields);
  syn_cells_release(&mesh->cells);
}

void syn_vtk_cells_release(const syn_context *context, syn_vtk_cells *cells) {
  syn_free(context, cells->ends.values);
  syn_free(context, cells->connectivity.values);
  syn_free(context, cells->types.values);
  *cells = (syn_vtk_cells){0};
}
