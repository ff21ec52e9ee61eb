/* Abaqus and CalculiX input files: the nodes and elements in them. Everything else (materials, steps, loads) concerns
 * the solver and is skipped. Parts and instances number their nodes separately. The set named by an element block
 * becomes the field "part": 1, 2, … in order of appearance, 0 for blocks without a set. */
#include <string.h>
#include <strings.h>

#include "base/hash_table.h"
#include "base/text.h"
#include "mesh/io/cells.h"
#include "mesh/io/format.h"

enum { MAX_NODES = 20 };

/* Families by the start of the name; the rest has no digits: C3D10MH is a C3D10. */
static const struct {
  uint8_t shape, nodes;
  const char *names;
} families[] = {
    {SYN_CELL_TET, 4, "C3D4 DC3D4"},
    {SYN_CELL_QUADRATIC_TET, 10, "C3D10 DC3D10"},
    {SYN_CELL_TRIANGLE, 3, "S3 STRI3 CPS3 CPE3 CAX3 M3D3 SFM3D3 R3D3 DS3"},
    {SYN_CELL_QUADRATIC_TRIANGLE, 6, "S6 STRI65 CPS6 CPE6 CAX6 M3D6 SFM3D6 DS6"},
    {SYN_CELL_QUAD, 4, "S4 S4R5 CPS4 CPE4 CAX4 M3D4 SFM3D4 R3D4 DS4"},
    {SYN_CELL_QUADRATIC_QUAD, 8, "S8 S8R5 CPS8 CPE8 CAX8 M3D8 SFM3D8 DS8"},
    {SYN_CELL_PYRAMID, 5, "C3D5"},
    {SYN_CELL_WEDGE, 6, "C3D6"},
    {SYN_CELL_HEXAHEDRON, 8, "C3D8"},
    {SYN_CELL_QUADRATIC_WEDGE, 15, "C3D15"},
    {SYN_CELL_QUADRATIC_HEXAHEDRON, 20, "C3D20"},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* A set named by an element block of one part. */
typedef struct set {
  syn_word name;
  size_t scope;
} set;

typedef struct reader {
  const syn_context *context;
  const syn_source *source;
  syn_builder *builder;
  bool elements; /* the second walk over the file; the first takes the nodes */
  size_t scope;  /* scope of numbers: 0 the file itself, then parts and instances in order */
  size_t scopes_seen;
  size_t placed;     /* instances that have a separate position */
  syn_id_map *nodes; /* of each scope */
  size_t map_count, map_capacity;
  set *sets;
  size_t set_count, set_capacity;
  hash_table set_table;
  syn_cells cells;
  double *part; /* of each input cell */
  size_t part_capacity;
} reader;

/* ---- lines --------------------------------------------------------------------------------------------------------
 */

static syn_word trimmed(const char *begin, const char *end) {
  while (begin < end && (unsigned char)*begin <= ' ') ++begin;
  while (end > begin && (unsigned char)end[-1] <= ' ') --end;
  return (syn_word){begin, (size_t)(end - begin)};
}

/* Takes the next item up to a comma; false at the end. */
static bool next_piece(syn_word *line, syn_word *piece) {
  if (line->length == 0) return false;
  const char *end = line->at + line->length, *comma = memchr(line->at, ',', line->length);
  *piece = trimmed(line->at, comma ? comma : end);
  *line = comma ? (syn_word){comma + 1, (size_t)(end - comma - 1)} : (syn_word){end, 0};
  return true;
}

/* Takes the next data line; false before a keyword and at the end. Skips comments and empty lines. */
static bool next_data_line(syn_text *text, syn_word *line) {
  for (;;) {
    syn_text ahead = *text;
    if (!syn_text_line(&ahead, line)) return false;
    const bool comment = syn_word_starts(*line, "**");
    if (!comment && line->length > 0 && line->at[0] == '*') return false;
    *text = ahead;
    if (!comment && line->length > 0) return true;
  }
}

/* Returns the value of NAME=value in a keyword line, without quotes; empty if missing. */
static syn_word parameter(syn_word line, const char *name) {
  syn_word piece;
  while (next_piece(&line, &piece)) {
    const char *equals = memchr(piece.at, '=', piece.length);
    if (!equals || !syn_word_is_nocase(trimmed(piece.at, equals), name)) continue;
    syn_word value = trimmed(equals + 1, piece.at + piece.length);
    if (value.length >= 2 && value.at[0] == '"' && value.at[value.length - 1] == '"')
      value = (syn_word){value.at + 1, value.length - 2};
    return value;
  }
  return (syn_word){line.at, 0};
}

/* ---- nodes --------------------------------------------------------------------------------------------------------
 */

static syn_status read_number(const syn_text *text, syn_word piece, const char *what, uint64_t *number,
                              syn_error *error) {
  char shown[48];
  if (syn_word_uint64(piece, number)) return SYN_OK;
  return syn_text_fail(text, error, "expected %s, found '%s'", what, syn_word_shown(piece, shown));
}

/* Lines: number, x, y, z; coordinates left out are 0. */
static syn_status read_node(reader *r, const syn_text *text, syn_word line, syn_error *error) {
  double p[3] = {0, 0, 0};
  uint64_t id;
  syn_word piece = {line.at, 0};
  char shown[48];
  next_piece(&line, &piece);
  SYN_TRY(read_number(text, piece, "a node number", &id, error));
  for (int i = 0; i < 3 && next_piece(&line, &piece); ++i)
    if (piece.length > 0 && !syn_word_double(piece, &p[i]))
      return syn_text_fail(text, error, "expected a coordinate, found '%s'", syn_word_shown(piece, shown));
  if (r->builder->point_count >= SYN_NONE - 1) return syn_text_fail(text, error, "there are more than 2^32 - 2 nodes");
  SYN_TRY(syn_id_map_add(&r->nodes[r->scope], id, (uint32_t)r->builder->point_count, error));
  return syn_builder_point(r->builder, (syn_vec3){p[0], p[1], p[2]}, error);
}

static syn_status read_nodes(reader *r, syn_text *text, syn_word keyword, syn_error *error) {
  syn_word line, system = parameter(keyword, "SYSTEM");
  if (parameter(keyword, "INPUT").length > 0)
    return syn_text_fail(text, error, "nodes in another file (INPUT=) are not read: put them into this one");
  if (system.length > 0 && !syn_word_is_nocase(system, "R"))
    return syn_text_fail(text, error, "only rectangular coordinates (SYSTEM=R) are read");
  while (next_data_line(text, &line)) SYN_TRY(read_node(r, text, line, error));
  return SYN_OK;
}

/* ---- elements -----------------------------------------------------------------------------------------------------
 */

/* Returns whether a type belongs to the family of a name. */
static bool is_of_family(syn_word type, const char *name, size_t length) {
  if (type.length < length || strncasecmp(type.at, name, length) != 0) return false;
  for (size_t k = length; k < type.length; ++k)
    if (type.at[k] >= '0' && type.at[k] <= '9') return false;
  return true;
}

static int find_family(syn_word type) {
  for (int i = 0; i < FAMILIES; ++i)
    for (const char *name = families[i].names; *name; name += strspn(name, " ")) {
      const size_t length = strcspn(name, " ");
      if (is_of_family(type, name, length)) return i;
      name += length;
    }
  return -1;
}

static uint64_t hash_set(syn_word name, size_t scope) {
  uint64_t hash = hash_add(0, scope);
  for (size_t i = 0; i < name.length; ++i) {
    const char c = name.at[i];
    hash = hash_add(hash, (uint64_t)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
  }
  return hash_finish(hash);
}

static bool same_set(const void *sets, uint32_t i, const void *key) {
  const set *a = (const set *)sets + i, *b = key;
  return a->scope == b->scope && a->name.length == b->name.length &&
         strncasecmp(a->name.at, b->name.at, b->name.length) == 0;
}

/* Keeps the table at most half full. */
static syn_status grow_table(reader *r, syn_error *error) {
  const unsigned bits = hash_table_bits(r->set_count + 1);
  if (r->set_count + 1 >= SYN_NONE) return syn_fail(error, SYN_TOO_LARGE, "the file has more than 2^32 - 2 sets");
  if (r->set_table.slots && bits == r->set_table.bits) return SYN_OK;
  syn_free(r->context, r->set_table.slots);
  SYN_TRY(hash_table_create(r->context, bits, &r->set_table, error));
  for (size_t i = 0; i < r->set_count; ++i)
    hash_table_put(&r->set_table, hash_set(r->sets[i].name, r->sets[i].scope), (uint32_t)i);
  return SYN_OK;
}

/* Finds the number of the set, from 1; adds a set not seen before. 0 for a block without a set. */
static syn_status number_of_set(reader *r, syn_word name, size_t *number, syn_error *error) {
  *number = 0;
  if (name.length == 0 && r->scope == 0) return SYN_OK;
  SYN_TRY(grow_table(r, error));
  SYN_TRY(SYN_RESERVE(r->context, &r->sets, r->set_count, 1, &r->set_capacity, error));
  const set key = {name, r->scope};
  const uint32_t next = (uint32_t)r->set_count;
  const uint32_t found = hash_table_join(&r->set_table, hash_set(name, r->scope), next, same_set, r->sets, &key);
  if (found == next) r->sets[r->set_count++] = key;
  *number = (size_t)found + 1;
  return SYN_OK;
}

static syn_status add_element(reader *r, const syn_text *text, int family, const uint64_t *ids, size_t part,
                              syn_error *error) {
  uint32_t nodes[MAX_NODES];
  for (unsigned i = 0; i < families[family].nodes; ++i) {
    nodes[i] = syn_id_map_find(&r->nodes[r->scope], ids[i + 1]);
    if (nodes[i] == SYN_NONE)
      return syn_text_fail(text, error, "element %llu uses node %llu, which is not defined", (unsigned long long)ids[0],
                           (unsigned long long)ids[i + 1]);
  }
  SYN_TRY(SYN_RESERVE(r->context, &r->part, r->cells.count, 1, &r->part_capacity, error));
  r->part[r->cells.count] = (double)part;
  r->cells.line = text->line;
  return syn_cells_add(&r->cells, families[family].shape, nodes, families[family].nodes, error);
}

/* Reads elements; one continues over as many lines as its nodes need. */
static syn_status read_elements(reader *r, syn_text *text, syn_word keyword, syn_error *error) {
  const syn_word type = parameter(keyword, "TYPE");
  syn_word line, piece;
  char shown[48];
  size_t part;
  if (parameter(keyword, "INPUT").length > 0)
    return syn_text_fail(text, error, "elements in another file (INPUT=) are not read: put them into this one");
  const int family = find_family(type);
  if (family < 0) {
    syn_warn(r->context, "%s: elements of type '%s' were left out", r->source->name, syn_word_shown(type, shown));
    return SYN_OK; /* the data lines are skipped with the others */
  }
  SYN_TRY(number_of_set(r, parameter(keyword, "ELSET"), &part, error));
  uint64_t ids[1 + MAX_NODES];
  unsigned count = 0;
  while (next_data_line(text, &line)) {
    while (next_piece(&line, &piece)) {
      SYN_TRY(read_number(text, piece, count == 0 ? "an element number" : "a node number", &ids[count], error));
      if (++count <= families[family].nodes) continue;
      SYN_TRY(add_element(r, text, family, ids, part, error));
      count = 0;
    }
  }
  if (count > 0)
    return syn_text_fail(text, error, "element %llu has %u nodes, but its type needs %u", (unsigned long long)ids[0],
                         count - 1, families[family].nodes);
  return SYN_OK;
}

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

static syn_status enter_scope(reader *r, syn_error *error) {
  r->scope = ++r->scopes_seen;
  if (r->scope < r->map_count) return SYN_OK;
  SYN_TRY(SYN_RESERVE(r->context, &r->nodes, r->map_count, 1, &r->map_capacity, error));
  r->nodes[r->map_count++] = (syn_id_map){.context = r->context};
  return SYN_OK;
}

static syn_status read_block(reader *r, syn_text *text, syn_word keyword, syn_error *error) {
  syn_word rest = keyword, name = {keyword.at, 0}, line;
  next_piece(&rest, &name);
  if (syn_word_is_nocase(name, "*NODE")) return r->elements ? SYN_OK : read_nodes(r, text, keyword, error);
  if (syn_word_is_nocase(name, "*ELEMENT")) return r->elements ? read_elements(r, text, keyword, error) : SYN_OK;
  if (syn_word_is_nocase(name, "*INCLUDE"))
    return syn_text_fail(text, error, "*INCLUDE is not followed: put the mesh into one file");
  if (syn_word_is_nocase(name, "*SYSTEM"))
    return syn_text_fail(text, error, "*SYSTEM is not read: give the nodes in global coordinates");
  if (syn_word_is_nocase(name, "*PART") || syn_word_is_nocase(name, "*INSTANCE")) {
    SYN_TRY(enter_scope(r, error));
    if (syn_word_is_nocase(name, "*INSTANCE")) r->placed += next_data_line(text, &line);
  }
  if (syn_word_is_nocase(name, "*END PART") || syn_word_is_nocase(name, "*END INSTANCE")) r->scope = 0;
  return SYN_OK;
}

/* Joins continued lines: a keyword line that ends in a comma continues in the next one. */
static void join_lines(syn_text *text, syn_word *keyword) {
  syn_word line;
  while (keyword->at[keyword->length - 1] == ',') {
    syn_text ahead = *text;
    if (!syn_text_line(&ahead, &line) || line.length == 0 || line.at[0] == '*') return;
    keyword->length = (size_t)(line.at + line.length - keyword->at);
    *text = ahead;
  }
}

static syn_status walk_sections(reader *r, bool elements, syn_error *error) {
  syn_text text = syn_text_from(r->source->bytes, r->source->size, r->source->name);
  syn_word line;
  r->elements = elements;
  r->scope = r->scopes_seen = r->placed = 0;
  while (syn_text_line(&text, &line)) {
    if (line.length == 0 || line.at[0] != '*' || syn_word_starts(line, "**")) continue;
    join_lines(&text, &line);
    SYN_TRY(read_block(r, &text, line, error));
  }
  return SYN_OK;
}

/* Returns whether some kind of cell has more than one part; otherwise the field carries no information. */
static bool has_parts(const reader *r) {
  const syn_builder *b = r->builder;
  for (size_t i = 1; i < b->triangle_count; ++i)
    if (r->part[r->cells.triangle_cell[i]] != r->part[r->cells.triangle_cell[0]]) return true;
  for (size_t i = 1; i < b->tet_count; ++i)
    if (r->part[r->cells.tet_cell[i]] != r->part[r->cells.tet_cell[0]]) return true;
  return false;
}

static syn_status read_all(reader *r, syn_error *error) {
  SYN_TRY(SYN_RESERVE(r->context, &r->nodes, 0, 1, &r->map_capacity, error));
  r->nodes[r->map_count++] = (syn_id_map){.context = r->context};
  SYN_TRY(walk_sections(r, false, error));
  if (r->builder->point_count == 0)
    return syn_fail_at(error, SYN_BAD_FORMAT, r->source->name, 0, -1, "there is no *NODE with nodes in it");
  for (size_t i = 0; i < r->map_count; ++i) SYN_TRY(syn_id_map_finish(&r->nodes[i], r->source->name, "node", error));
  SYN_TRY(walk_sections(r, true, error));
  if (has_parts(r)) SYN_TRY(syn_cells_field(&r->cells, "part", 4, 1, r->part, error));
  if (r->placed)
    syn_warn(r->context, "%s: %zu instances have a position of their own, which was not applied", r->source->name,
             r->placed);
  syn_cells_warn(&r->cells);
  return SYN_OK;
}

static syn_status read_inp(const syn_source *source, syn_builder *builder, syn_error *error) {
  reader r = {.context = source->context, .source = source, .builder = builder};
  syn_cells_begin(&r.cells, builder, source->name);
  syn_status status = read_all(&r, error);
  syn_cells_release(&r.cells);
  for (size_t i = 0; i < r.map_count; ++i) syn_id_map_release(&r.nodes[i]);
  syn_free(r.context, r.nodes);
  syn_free(r.context, r.sets);
  syn_free(r.context, r.set_table.slots);
  syn_free(r.context, r.part);
  return status;
}

/* The first line that is no comment is a keyword. */
static bool is_inp(const syn_source *source) {
  static const char *const first[] = {"*HEADING", "*NODE", "*PART", "*INCLUDE", "*ELEMENT", "*ASSEMBLY", "*PREPRINT"};
  syn_text text = syn_text_from(source->bytes, source->size, source->name);
  syn_word line, name;
  while (syn_text_line(&text, &line)) {
    if (line.length == 0 || syn_word_starts(line, "**")) continue;
    next_piece(&line, &name);
    for (size_t i = 0; i < sizeof first / sizeof *first; ++i)
      if (syn_word_is_nocase(name, first[i])) return true;
    return false;
  }
  return false;
}

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

static void write_cells(FILE *stream, const char *head, const uint32_t *indices, size_t count, size_t corners,
                        size_t first) {
  if (count == 0) return;
  fprintf(stream, "%s\n", head);
  for (size_t i = 0; i < count; ++i) {
    fprintf(stream, "%zu", first + i);
    for (size_t c = 0; c < corners; ++c) fprintf(stream, ", %llu", indices[i * corners + c] + 1ull);
    fputc('\n', stream);
  }
}

static syn_status write_inp(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  (void)context, (void)options;
  char x[32], y[32], z[32];
  if (g->point_count == 0)
    return syn_fail(error, SYN_BAD_MESH, "a mesh without points cannot be an .inp file: a *NODE needs nodes");
  fputs("*HEADING\nmesh in mm\n*NODE, NSET=NALL\n", stream);
  for (size_t i = 0; i < g->point_count; ++i) {
    const syn_vec3 p = g->points[i];
    fprintf(stream, "%zu, %s, %s, %s\n", i + 1, syn_format_double(p.x, x), syn_format_double(p.y, y),
            syn_format_double(p.z, z));
  }
  write_cells(stream, "*ELEMENT, TYPE=S3, ELSET=TRIANGLES", g->triangle_count ? g->triangles->v : NULL,
              g->triangle_count, 3, 1);
  write_cells(stream, "*ELEMENT, TYPE=C3D4, ELSET=TETS", g->tet_count ? g->tets->v : NULL, g->tet_count, 4,
              g->triangle_count + 1);
  return SYN_OK;
}

const syn_format syn_format_inp = {.info = {"inp", ".inp", true, true, true, true, false, true},
                                   .sniff = is_inp,
                                   .read = read_inp,
                                   .write = write_inp};
