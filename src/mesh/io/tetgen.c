/* TetGen's .node, .ele and .face files: points in one, cells over them in the others. Reading .node takes the cells
 * beside it along; reading cells takes the points beside them. */
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/text.h"
#include "mesh/io/cells.h"
#include "mesh/io/format.h"

typedef struct reader {
  const syn_source *source;
  syn_builder *builder;
  syn_id_map nodes;
  syn_cells cells;
} reader;

enum { MAX_NODES = 10, MAX_ATTRIBUTES = 1 << 16 };

/* A number per row; grows as rows arrive. */
typedef struct column {
  double *values;
  size_t count, capacity;
} column;

static syn_status push(const syn_context *context, column *c, double value, syn_error *error) {
  SYN_TRY(SYN_RESERVE(context, &c->values, c->count, 1, &c->capacity, error));
  c->values[c->count++] = value;
  return SYN_OK;
}

/* The header of a file: up to `most` numbers on its first line; those missing are 0. */
static syn_status read_head(syn_text *text, uint64_t *numbers, int most, syn_error *error) {
  for (int i = 0; i < most; ++i) numbers[i] = 0;
  SYN_TRY(syn_text_uint64(text, '#', "the number of rows", &numbers[0], error));
  syn_word word;
  char shown[48];
  for (int i = 1; i < most && syn_text_word_on_line(text, &word) && word.at[0] != '#'; ++i)
    if (!syn_word_uint64(word, &numbers[i]))
      return syn_text_fail(text, error, "expected a number in the header, found '%s'", syn_word_shown(word, shown));
  syn_text_line(text, &word);
  return SYN_OK;
}

static syn_status column_to_field(reader *r, const column *c, const char *name, syn_field_on on, uint64_t components,
                                  syn_error *error) {
  double *values;
  if (c->count == 0) return SYN_OK;
  SYN_TRY(syn_builder_field(r->builder, name, strlen(name), on, (uint32_t)components, c->count / components, &values,
                            error));
  memcpy(values, c->values, c->count * sizeof *values);
  return SYN_OK;
}

/* ---- points -------------------------------------------------------------------------------------------------------
 */

/* Reads rows: number x y z attributes marker. */
static syn_status read_node_rows(reader *r, syn_text *text, const uint64_t head[4], column *attributes, column *markers,
                                 syn_error *error) {
  const syn_context *context = r->source->context;
  for (uint64_t i = 0; i < head[0]; ++i) {
    uint64_t id;
    syn_vec3 p;
    double value;
    SYN_TRY(syn_text_uint64(text, '#', "a node number", &id, error));
    SYN_TRY(syn_text_double(text, '#', "a coordinate", &p.x, error));
    SYN_TRY(syn_text_double(text, '#', "a coordinate", &p.y, error));
    SYN_TRY(syn_text_double(text, '#', "a coordinate", &p.z, error));
    for (uint64_t k = 0; k < head[2]; ++k) {
      SYN_TRY(syn_text_double(text, '#', "an attribute", &value, error));
      SYN_TRY(push(context, attributes, value, error));
    }
    if (head[3]) {
      SYN_TRY(syn_text_double(text, '#', "a boundary marker", &value, error));
      SYN_TRY(push(context, markers, value, error));
    }
    if (i >= SYN_NONE - 1) return syn_text_fail(text, error, "there are more than 2^32 - 2 nodes");
    SYN_TRY(syn_id_map_add(&r->nodes, id, (uint32_t)i, error));
    SYN_TRY(syn_builder_point(r->builder, p, error));
  }
  return SYN_OK;
}

static syn_status read_nodes(reader *r, syn_text text, syn_error *error) {
  uint64_t head[4]; /* rows, dimension, attributes, markers */
  SYN_TRY(read_head(&text, head, 4, error));
  if (head[1] != 3 && !(head[0] == 0 && head[1] == 0))
    return syn_text_fail(&text, error, "the nodes have %llu coordinates, not 3", (unsigned long long)head[1]);
  if (head[2] > MAX_ATTRIBUTES || head[3] > 1)
    return syn_text_fail(&text, error, "the header of a .node file is: nodes, 3, attributes, 0 or 1 for markers");
  column attributes = {0}, markers = {0};
  syn_status status = read_node_rows(r, &text, head, &attributes, &markers, error);
  if (status == SYN_OK) status = syn_id_map_finish(&r->nodes, text.file, "node", error);
  if (status == SYN_OK) status = column_to_field(r, &attributes, "attribute", SYN_ON_POINTS, head[2], error);
  if (status == SYN_OK) status = column_to_field(r, &markers, "marker", SYN_ON_POINTS, 1, error);
  syn_free(r->source->context, attributes.values);
  syn_free(r->source->context, markers.values);
  return status;
}

/* ---- cells --------------------------------------------------------------------------------------------------------
 */

/* Rows: number, nodes, then one attribute or marker where `has_value`; what else a row may carry is passed over. */
static syn_status read_cell_rows(reader *r, syn_text *text, uint64_t rows, unsigned nodes, unsigned shape,
                                 bool has_value, column *values, syn_error *error) {
  for (uint64_t i = 0; i < rows; ++i) {
    uint32_t indices[MAX_NODES];
    uint64_t id, node;
    double value;
    syn_word rest;
    SYN_TRY(syn_text_uint64(text, '#', "the number of a cell", &id, error));
    for (unsigned k = 0; k < nodes; ++k) {
      SYN_TRY(syn_text_uint64(text, '#', "a node of a cell", &node, error));
      indices[k] = syn_id_map_find(&r->nodes, node);
      if (indices[k] == SYN_NONE)
        return syn_text_fail(text, error, "cell %llu uses node %llu, which is not defined", (unsigned long long)id,
                             (unsigned long long)node);
    }
    if (has_value) {
      SYN_TRY(syn_text_double(text, '#', "an attribute or marker", &value, error));
      SYN_TRY(push(r->source->context, values, value, error));
    }
    r->cells.line = text->line;
    SYN_TRY(syn_cells_add(&r->cells, shape, indices, nodes, error));
    syn_text_line(text, &rest);
  }
  return SYN_OK;
}

static syn_status read_elements(reader *r, syn_text text, syn_error *error) {
  uint64_t head[3]; /* rows, nodes of each, attributes */
  SYN_TRY(read_head(&text, head, 3, error));
  if (head[1] != 4 && head[1] != 10)
    return syn_text_fail(&text, error, "tetrahedra of %llu nodes are not read, only of 4 or 10",
                         (unsigned long long)head[1]);
  column regions = {0};
  syn_status status =
      read_cell_rows(r, &text, head[0], (unsigned)head[1], head[1] == 4 ? SYN_CELL_TET : SYN_CELL_QUADRATIC_TET,
                     head[2] > 0, &regions, error);
  if (status == SYN_OK) status = column_to_field(r, &regions, "attribute", SYN_ON_TETS, 1, error);
  if (status == SYN_OK && head[2] > 1)
    syn_warn(r->source->context, "%s: only the first of %llu attributes is read", text.file,
             (unsigned long long)head[2]);
  syn_free(r->source->context, regions.values);
  return status;
}

static syn_status read_faces(reader *r, syn_text text, syn_error *error) {
  uint64_t head[2]; /* rows, markers */
  SYN_TRY(read_head(&text, head, 2, error));
  column markers = {0};
  syn_status status = read_cell_rows(r, &text, head[0], 3, SYN_CELL_TRIANGLE, head[1] > 0, &markers, error);
  if (status == SYN_OK) status = column_to_field(r, &markers, "marker", SYN_ON_TRIANGLES, 1, error);
  syn_free(r->source->context, markers.values);
  return status;
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

/* Reads the file of the same name that ends in `ending` and hands it to `read`; one that is not there is fine unless
 * `needed`. */
static syn_status read_sibling(reader *r, const char *ending, bool needed,
                               syn_status (*read)(reader *r, syn_text text, syn_error *error), syn_error *error) {
  const syn_context *context = r->source->context;
  const char *dot = strrchr(r->source->name, '.');
  const size_t stem = (size_t)(dot - r->source->name);
  char *path, *bytes;
  size_t size;
  SYN_TRY(SYN_NEW(context, &path, stem + strlen(ending) + 1, error));
  memcpy(path, r->source->name, stem);
  memcpy(path + stem, ending, strlen(ending) + 1);
  syn_status status = SYN_OK;
  if (access(path, F_OK) == 0) {
    status = syn_read_file(context, path, &bytes, &size, error);
    if (status == SYN_OK) {
      status = read(r, syn_text_from(bytes, size, path), error);
      syn_free(context, bytes);
    }
  } else if (needed) {
    status =
        syn_fail_at(error, SYN_NOT_FOUND, r->source->name, 0, -1, "the points are in %s, which is not there", path);
  }
  syn_free(context, path);
  return status;
}

static syn_status read_files(reader *r, syn_error *error) {
  const syn_source *source = r->source;
  const syn_text text = syn_text_from(source->bytes, source->size, source->name);
  const bool elements = syn_path_ends(source->name, ".ele"), faces = syn_path_ends(source->name, ".face");
  if ((elements || faces) && !source->on_disk)
    return syn_text_fail(&text, error, "the points are in a .node file, which cannot be found from memory");
  if (elements || faces) {
    SYN_TRY(read_sibling(r, ".node", true, read_nodes, error));
    return elements ? read_elements(r, text, error) : read_faces(r, text, error);
  }
  SYN_TRY(read_nodes(r, text, error));
  if (!source->on_disk || !syn_path_ends(source->name, ".node")) return SYN_OK;
  SYN_TRY(read_sibling(r, ".face", false, read_faces, error));
  return read_sibling(r, ".ele", false, read_elements, error);
}

static syn_status read_tetgen(const syn_source *source, syn_builder *builder, syn_error *error) {
  reader r = {.source = source, .builder = builder, .nodes = {.context = source->context}};
  syn_cells_begin(&r.cells, builder, source->name);
  syn_status status = read_files(&r, error);
  if (status == SYN_OK) syn_cells_warn(&r.cells);
  syn_cells_release(&r.cells);
  syn_id_map_release(&r.nodes);
  return status;
}

const syn_format syn_format_tetgen = {.info = {"tetgen", ".node .ele .face", true, false, true, true, true, true},
                                      .read = read_tetgen};
