/* MEDIT meshes (.mesh), text, versions 1 to 4: keywords, each with a count and that many rows. The reference number at
 * the end of every row becomes the field "ref" where it is not 0 everywhere. */
#include <string.h>

#include "base/text.h"
#include "mesh/io/cells.h"
#include "mesh/io/format.h"

enum { MAX_NODES = 10 };

static const struct {
  const char *keyword;
  uint8_t nodes, shape;
} cell_sections[] = {
    {"Triangles", 3, SYN_CELL_TRIANGLE},
    {"Quadrilaterals", 4, SYN_CELL_QUAD},
    {"Tetrahedra", 4, SYN_CELL_TET},
    {"TrianglesP2", 6, SYN_CELL_QUADRATIC_TRIANGLE},
    {"TetrahedraP2", 10, SYN_CELL_QUADRATIC_TET},
    {"Hexahedra", 8, SYN_CELL_HEXAHEDRON},
    {"Hexaedra", 8, SYN_CELL_HEXAHEDRON},
    {"Prisms", 6, SYN_CELL_WEDGE},
    {"Pentahedra", 6, SYN_CELL_WEDGE},
    {"Pyramids", 5, SYN_CELL_PYRAMID},
};
enum { CELL_SECTIONS = sizeof cell_sections / sizeof *cell_sections };

/* Lines, and marks on parts of the mesh: nothing is missed without them. */
static const char *const quiet_sections[] = {"Edges",         "Corners",          "Ridges",
                                             "RequiredEdges", "RequiredVertices", "RequiredTriangles"};
enum { QUIET_SECTIONS = sizeof quiet_sections / sizeof *quiet_sections };

/* A number per point or per input cell. */
typedef struct refs {
  double *values;
  size_t count, capacity;
  bool any; /* one is not 0 */
} refs;

typedef struct reader {
  syn_builder *builder;
  syn_text text;
  uint64_t dimension;
  bool has_vertices;
  syn_cells cells;
  refs point_refs, cell_refs;
} reader;

static syn_status read_ref(reader *r, refs *list, syn_error *error) {
  int64_t ref;
  SYN_TRY(syn_text_int64(&r->text, '#', "a reference number", &ref, error));
  SYN_TRY(SYN_RESERVE(r->builder->context, &list->values, list->count, 1, &list->capacity, error));
  list->values[list->count++] = (double)ref;
  list->any = list->any || ref != 0;
  return SYN_OK;
}

static syn_status read_vertices(reader *r, syn_error *error) {
  uint64_t count;
  if (r->dimension == 0) return syn_text_fail(&r->text, error, "Vertices come before the Dimension");
  if (r->has_vertices) return syn_text_fail(&r->text, error, "there are two sections Vertices");
  r->has_vertices = true;
  SYN_TRY(syn_text_uint64(&r->text, '#', "the number of vertices", &count, error));
  for (uint64_t i = 0; i < count; ++i) {
    syn_vec3 p = {0, 0, 0};
    SYN_TRY(syn_text_double(&r->text, '#', "a coordinate", &p.x, error));
    SYN_TRY(syn_text_double(&r->text, '#', "a coordinate", &p.y, error));
    if (r->dimension == 3) SYN_TRY(syn_text_double(&r->text, '#', "a coordinate", &p.z, error));
    SYN_TRY(read_ref(r, &r->point_refs, error));
    SYN_TRY(syn_builder_point(r->builder, p, error));
  }
  return SYN_OK;
}

static syn_status read_cells(reader *r, size_t section, syn_error *error) {
  const int nodes = cell_sections[section].nodes;
  uint32_t indices[MAX_NODES];
  uint64_t count, number;
  if (!r->has_vertices)
    return syn_text_fail(&r->text, error, "%s come before the Vertices", cell_sections[section].keyword);
  SYN_TRY(syn_text_uint64(&r->text, '#', "the number of cells", &count, error));
  for (uint64_t i = 0; i < count; ++i) {
    for (int k = 0; k < nodes; ++k) {
      SYN_TRY(syn_text_uint64(&r->text, '#', "a vertex number", &number, error));
      if (number < 1 || number > r->builder->point_count)
        return syn_text_fail(&r->text, error, "vertex %llu is used, but they run from 1 to %zu",
                             (unsigned long long)number, r->builder->point_count);
      indices[k] = (uint32_t)(number - 1);
    }
    SYN_TRY(read_ref(r, &r->cell_refs, error));
    r->cells.line = r->text.line;
    SYN_TRY(syn_cells_add(&r->cells, cell_sections[section].shape, indices, (size_t)nodes, error));
  }
  return SYN_OK;
}

static bool is_keyword(syn_word word) {
  return (word.at[0] >= 'A' && word.at[0] <= 'Z') || (word.at[0] >= 'a' && word.at[0] <= 'z');
}

/* Skips any other section, up to the next keyword. */
static void skip_section(reader *r, syn_word keyword) {
  bool quiet = false;
  char shown[48];
  for (int i = 0; i < QUIET_SECTIONS; ++i) quiet = quiet || syn_word_is(keyword, quiet_sections[i]);
  if (!quiet)
    syn_warn(r->builder->context, "%s: the section %s was left out", r->text.file, syn_word_shown(keyword, shown));
  syn_text ahead = r->text;
  for (syn_word word; syn_text_word(&ahead, '#', &word) && !is_keyword(word);) r->text = ahead;
}

static syn_status read_dimension(reader *r, syn_error *error) {
  SYN_TRY(syn_text_uint64(&r->text, '#', "the dimension", &r->dimension, error));
  if (r->dimension != 2 && r->dimension != 3) return syn_text_fail(&r->text, error, "the dimension is neither 2 nor 3");
  return SYN_OK;
}

static syn_status read_section(reader *r, syn_word keyword, syn_error *error) {
  char shown[48];
  if (syn_word_is(keyword, "Dimension")) return read_dimension(r, error);
  if (syn_word_is(keyword, "Vertices")) return read_vertices(r, error);
  for (size_t i = 0; i < CELL_SECTIONS; ++i)
    if (syn_word_is(keyword, cell_sections[i].keyword)) return read_cells(r, i, error);
  if (!is_keyword(keyword))
    return syn_text_fail(&r->text, error, "expected a keyword such as Triangles, found '%s'",
                         syn_word_shown(keyword, shown));
  skip_section(r, keyword);
  return SYN_OK;
}

static syn_status read_all(reader *r, syn_error *error) {
  syn_word keyword;
  uint64_t version;
  if (!syn_text_word(&r->text, '#', &keyword) || !syn_word_is(keyword, "MeshVersionFormatted"))
    return syn_text_fail(&r->text, error, "a MEDIT file begins with MeshVersionFormatted");
  SYN_TRY(syn_text_uint64(&r->text, '#', "the version", &version, error));
  if (version < 1 || version > 4)
    return syn_text_fail(&r->text, error, "version %llu is not one of 1 to 4", (unsigned long long)version);
  bool ended = false;
  while (!ended && syn_text_word(&r->text, '#', &keyword)) {
    ended = syn_word_is(keyword, "End");
    if (!ended) SYN_TRY(read_section(r, keyword, error));
  }
  if (!r->has_vertices) return syn_text_fail(&r->text, error, "there is no section Vertices");
  if (r->point_refs.any) {
    double *values;
    SYN_TRY(syn_builder_field(r->builder, "ref", 3, SYN_ON_POINTS, 1, r->point_refs.count, &values, error));
    memcpy(values, r->point_refs.values, r->point_refs.count * sizeof *values);
  }
  if (r->cell_refs.any) SYN_TRY(syn_cells_field(&r->cells, "ref", 3, 1, r->cell_refs.values, error));
  syn_cells_warn(&r->cells);
  return SYN_OK;
}

static syn_status read_medit(const syn_source *source, syn_builder *builder, syn_error *error) {
  reader r = {.builder = builder, .text = syn_text_from(source->bytes, source->size, source->name)};
  syn_cells_begin(&r.cells, builder, source->name);
  syn_status status = read_all(&r, error);
  syn_cells_release(&r.cells);
  syn_free(source->context, r.point_refs.values);
  syn_free(source->context, r.cell_refs.values);
  return status;
}

static bool is_medit(const syn_source *source) {
  syn_text text = syn_text_from(source->bytes, source->size, source->name);
  syn_word word;
  return syn_text_word(&text, '#', &word) && syn_word_is(word, "MeshVersionFormatted");
}

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

/* Returns the values of the field "ref", or NULL. */
static const double *find_refs(const syn_geometry *g, syn_field_on on) {
  for (size_t i = 0; i < g->field_count; ++i)
    if (g->fields[i].on == on && g->fields[i].components == 1 && strcmp(g->fields[i].name, "ref") == 0)
      return g->fields[i].values;
  return NULL;
}

/* References are whole numbers; what does not fit is written as 0. */
static long ref_at(const double *values, size_t index) {
  return values && values[index] >= -2147483648.0 && values[index] < 2147483648.0 ? (long)values[index] : 0;
}

static void write_cells(FILE *stream, const char *keyword, const uint32_t *indices, size_t count, size_t corners,
                        const double *values) {
  if (count == 0) return;
  fprintf(stream, "\n%s\n%zu\n", keyword, count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t c = 0; c < corners; ++c) fprintf(stream, "%llu ", indices[i * corners + c] + 1ull);
    fprintf(stream, "%ld\n", ref_at(values, i));
  }
}

static syn_status write_medit(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                              FILE *stream, syn_error *error) {
  (void)context, (void)options, (void)error;
  const double *values = find_refs(g, SYN_ON_POINTS);
  char x[32], y[32], z[32];
  fprintf(stream, "MeshVersionFormatted 2\n\nDimension 3\n\nVertices\n%zu\n", g->point_count);
  for (size_t i = 0; i < g->point_count; ++i) {
    const syn_vec3 p = g->points[i];
    fprintf(stream, "%s %s %s %ld\n", syn_format_double(p.x, x), syn_format_double(p.y, y), syn_format_double(p.z, z),
            ref_at(values, i));
  }
  write_cells(stream, "Triangles", g->triangle_count ? g->triangles->v : NULL, g->triangle_count, 3,
              find_refs(g, SYN_ON_TRIANGLES));
  write_cells(stream, "Tetrahedra", g->tet_count ? g->tets->v : NULL, g->tet_count, 4, find_refs(g, SYN_ON_TETS));
  fputs("\nEnd\n", stream);
  return SYN_OK;
}

const syn_format syn_format_medit = {.info = {"medit", ".mesh", true, true, true, true, false, true},
                                     .own_field = "ref",
                                     .sniff = is_medit,
                                     .read = read_medit,
                                     .write = write_medit};
