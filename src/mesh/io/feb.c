/* Meshes of FEBio input files, specifications 1.2 to 4.0. Read: all <Nodes>, and the <Elements> that are tetrahedra or
 * shells; each part gets a number by its first appearance, found in the field "part". A <Surface> only marks faces of
 * elements, for contact and loads, so surfaces become triangles only in a file without any element. Written: the <Mesh>
 * of specification 4.0, with tetrahedra as one part and triangles as shells of another. */
#define _GNU_SOURCE /* memmem */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "mesh/io/cells.h"
#include "mesh/io/format.h"
#include "mesh/io/numbers.h"
#include "mesh/io/xml.h"

enum { ELEMENT_NODES_MAX = 32 }; /* the largest element of FEBio has 27 */

typedef struct numbered_node {
  uint64_t id;
  uint32_t index;
} numbered_node;

typedef struct feb_file {
  const syn_context *context;
  syn_error *error;
  syn_xml xml;
  syn_builder *builder;
  syn_cells cells;
  numbered_node *nodes; /* by ascending id once all are read */
  size_t node_count, node_capacity;
  syn_numbers parts;       /* of each cell */
  const char **part_names; /* in the tree */
  size_t part_count, part_capacity;
} feb_file;

/* ---- lists of numbers ------------------------------------------------------------------------------------------- */

/* The next item of "1, 2,3 4": commas and white space part them. */
static bool next_item(syn_text *text, syn_word *item) {
  static const char separators[] = ", \t\r\n";
  while (text->at < text->end && memchr(separators, *text->at, 5)) text->line += *text->at++ == '\n';
  const char *begin = text->at;
  while (text->at < text->end && !memchr(separators, *text->at, 5)) ++text->at;
  *item = (syn_word){begin, (size_t)(text->at - begin)};
  return item->length > 0;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

static syn_status read_node(feb_file *f, const syn_xml_element *element) {
  double xyz[3];
  syn_text text;
  syn_word item;
  char shown[48];
  numbered_node node = {.index = (uint32_t)f->node_count};
  if (f->node_count == SYN_NONE - 1) return syn_fail(f->error, SYN_TOO_LARGE, "there are more than 2^32 - 2 nodes");
  SYN_TRY(syn_xml_uint64(&f->xml, element, "id", f->node_count + 1, &node.id, f->error));
  SYN_TRY(syn_xml_text(&f->xml, element, &text, f->error));
  for (int i = 0; i < 3; ++i) {
    if (!next_item(&text, &item)) return syn_text_fail(&text, f->error, "a node needs three coordinates, not %d", i);
    if (!syn_word_double(item, &xyz[i]))
      return syn_text_fail(&text, f->error, "expected a coordinate, found '%s'", syn_word_shown(item, shown));
  }
  if (next_item(&text, &item)) return syn_text_fail(&text, f->error, "a node has three coordinates, here are more");
  SYN_TRY(SYN_RESERVE(f->context, &f->nodes, f->node_count, 1, &f->node_capacity, f->error));
  f->nodes[f->node_count++] = node;
  return syn_builder_point(f->builder, vec3(xyz[0], xyz[1], xyz[2]), f->error);
}

static int compare_nodes(const void *a, const void *b) {
  const uint64_t x = ((const numbered_node *)a)->id, y = ((const numbered_node *)b)->id;
  return (x > y) - (x < y);
}

static syn_status sort_nodes(feb_file *f) {
  bool ascending = true;
  for (size_t i = 1; i < f->node_count; ++i) ascending &= f->nodes[i - 1].id <= f->nodes[i].id;
  if (!ascending) qsort(f->nodes, f->node_count, sizeof *f->nodes, compare_nodes);
  for (size_t i = 1; i < f->node_count; ++i)
    if (f->nodes[i - 1].id == f->nodes[i].id)
      return syn_fail_at(f->error, SYN_BAD_FORMAT, f->xml.file, 0, -1, "two nodes have the id %llu",
                         (unsigned long long)f->nodes[i].id);
  return SYN_OK;
}

/* Ids mostly run without gaps, so the first guess mostly hits. */
static const numbered_node *find_node(const feb_file *f, uint64_t id) {
  if (f->node_count == 0) return NULL;
  const uint64_t guess = id - f->nodes[0].id;
  if (guess < f->node_count && f->nodes[guess].id == id) return &f->nodes[guess];
  return bsearch(&(numbered_node){.id = id}, f->nodes, f->node_count, sizeof *f->nodes, compare_nodes);
}

static syn_status read_nodes(feb_file *f, const syn_xml_element *mesh) {
  for (const syn_xml_element *n = syn_xml_find(mesh->child, "Nodes"); n; n = syn_xml_find(n->next, "Nodes"))
    for (const syn_xml_element *node = syn_xml_find(n->child, "node"); node; node = syn_xml_find(node->next, "node"))
      SYN_TRY(read_node(f, node));
  return sort_nodes(f);
}

/* ---- elements --------------------------------------------------------------------------------------------------- */

/* FEBio's names of shapes; SYN_CELL_EMPTY for those unknown here. */
static syn_cell_shape find_shape(const char *name) {
  static const struct {
    const char *name;
    syn_cell_shape shape;
  } shapes[] = {{"tet4", SYN_CELL_TET},
                {"tet10", SYN_CELL_QUADRATIC_TET},
                {"tri3", SYN_CELL_TRIANGLE},
                {"tri6", SYN_CELL_QUADRATIC_TRIANGLE},
                {"tri7", SYN_CELL_BIQUADRATIC_TRIANGLE},
                {"quad4", SYN_CELL_QUAD},
                {"q4eas", SYN_CELL_QUAD},
                {"q4ans", SYN_CELL_QUAD},
                {"quad8", SYN_CELL_QUADRATIC_QUAD},
                {"quad9", SYN_CELL_BIQUADRATIC_QUAD},
                {"hex8", SYN_CELL_HEXAHEDRON},
                {"hex20", SYN_CELL_QUADRATIC_HEXAHEDRON},
                {"penta6", SYN_CELL_WEDGE},
                {"penta15", SYN_CELL_QUADRATIC_WEDGE},
                {"pyra5", SYN_CELL_PYRAMID},
                {"pyra13", SYN_CELL_QUADRATIC_PYRAMID},
                {"line2", SYN_CELL_LINE},
                {"truss2", SYN_CELL_LINE},
                {"line3", SYN_CELL_QUADRATIC_LINE}};
  for (size_t i = 0; name && i < sizeof shapes / sizeof *shapes; ++i)
    if (strcmp(shapes[i].name, name) == 0) return shapes[i].shape;
  return SYN_CELL_EMPTY;
}

static syn_status read_element(feb_file *f, const syn_xml_element *element, syn_cell_shape shape) {
  uint32_t nodes[ELEMENT_NODES_MAX];
  size_t count = 0;
  syn_text text;
  syn_word item;
  char shown[48];
  SYN_TRY(syn_xml_text(&f->xml, element, &text, f->error));
  while (next_item(&text, &item)) {
    uint64_t id;
    if (count == ELEMENT_NODES_MAX) return syn_text_fail(&text, f->error, "no element has that many nodes");
    if (!syn_word_uint64(item, &id))
      return syn_text_fail(&text, f->error, "expected the id of a node, found '%s'", syn_word_shown(item, shown));
    const numbered_node *node = find_node(f, id);
    if (!node) return syn_text_fail(&text, f->error, "there is no node with the id %llu", (unsigned long long)id);
    nodes[count++] = node->index;
  }
  f->cells.line = element->line;
  return syn_cells_add(&f->cells, shape, nodes, count, f->error);
}

/* Parts are identified by name or, in versions without names, by material. */
static syn_status find_part(feb_file *f, const syn_xml_element *section, size_t *part) {
  const char *name = syn_xml_attribute(section, "name");
  if (!name) name = syn_xml_attribute(section, "mat");
  if (!name) name = "";
  for (*part = 0; *part < f->part_count; ++*part)
    if (strcmp(f->part_names[*part], name) == 0) return SYN_OK;
  SYN_TRY(SYN_RESERVE(f->context, &f->part_names, f->part_count, 1, &f->part_capacity, f->error));
  f->part_names[f->part_count++] = name;
  return SYN_OK;
}

/* Since 2.0 the section names the type of its <elem>s; before, and in surfaces, each element is called by its type. */
static syn_status read_section(feb_file *f, const syn_xml_element *section) {
  const char *type = syn_xml_attribute(section, "type");
  size_t part, unknown = 0;
  SYN_TRY(find_part(f, section, &part));
  for (const syn_xml_element *e = section->child; e; e = e->next) {
    const syn_cell_shape shape = find_shape(type ? type : e->name);
    if (shape == SYN_CELL_EMPTY) {
      ++unknown;
      continue;
    }
    SYN_TRY(read_element(f, e, shape));
    SYN_TRY(SYN_RESERVE(f->context, &f->parts.values, f->parts.count, 1, &f->parts.capacity, f->error));
    f->parts.values[f->parts.count++] = (double)(part + 1);
  }
  if (unknown)
    syn_warn(f->context, "%s:%lld: %zu elements of a type that Synovia does not know were left out ('%.40s')",
             f->xml.file, (long long)section->line, unknown, type ? type : "");
  return SYN_OK;
}

static syn_status read_sections(feb_file *f, const syn_xml_element *mesh, const char *name) {
  for (const syn_xml_element *s = syn_xml_find(mesh->child, name); s; s = syn_xml_find(s->next, name))
    SYN_TRY(read_section(f, s));
  return SYN_OK;
}

static syn_status read_mesh(feb_file *f, const syn_xml_element *mesh) {
  const char *elsewhere = syn_xml_attribute(mesh, "from");
  if (elsewhere)
    return syn_xml_fail(&f->xml, mesh, f->error, "the mesh is kept in another file, read that one: %.200s", elsewhere);
  SYN_TRY(read_nodes(f, mesh));
  SYN_TRY(read_sections(f, mesh, "Elements"));
  if (f->cells.count == 0)
    SYN_TRY(read_sections(f, mesh, "Surface"));
  else if (syn_xml_find(mesh->child, "Surface"))
    syn_warn(f->context, "%s: surfaces were left out, since they only mark faces of the elements", f->xml.file);
  if (syn_xml_find(mesh->child, "Part"))
    syn_warn(f->context, "%s: <Part>s inside of the geometry were left out; write them as <Elements>", f->xml.file);
  if (f->cells.count) SYN_TRY(syn_cells_field(&f->cells, "part", 4, 1, f->parts.values, f->error));
  syn_cells_warn(&f->cells);
  return SYN_OK;
}

static syn_status read_tree(feb_file *f) {
  const syn_xml_element *root = f->xml.root;
  if (strcmp(root->name, "febio_spec") != 0)
    return syn_xml_fail(&f->xml, root, f->error, "this is not an FEBio file: it begins with <%.60s>", root->name);
  const syn_xml_element *mesh = syn_xml_find(root->child, "Mesh");
  if (!mesh) mesh = syn_xml_find(root->child, "Geometry");
  if (!mesh) return syn_xml_fail(&f->xml, root, f->error, "the file has neither <Mesh> nor <Geometry>");
  return read_mesh(f, mesh);
}

static syn_status read_feb(const syn_source *source, syn_builder *builder, syn_error *error) {
  feb_file file = {.context = source->context, .error = error, .builder = builder};
  syn_cells_begin(&file.cells, builder, source->name);
  syn_status status = syn_xml_parse(source->context, source->bytes, source->size, source->name, NULL, &file.xml, error);
  if (status == SYN_OK) status = read_tree(&file);
  syn_free(file.context, file.nodes);
  syn_free(file.context, file.parts.values);
  syn_free(file.context, file.part_names);
  syn_cells_release(&file.cells);
  syn_xml_release(&file.xml);
  return status;
}

static bool sniff_feb(const syn_source *source) {
  const size_t window = source->size < 4096 ? source->size : 4096;
  return memmem(source->bytes, window, "<febio_spec", 11) != NULL;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static void write_nodes(const syn_geometry *g, FILE *stream) {
  char x[32], y[32], z[32];
  fputs("\t\t<Nodes name=\"nodes\">\n", stream);
  for (size_t i = 0; i < g->point_count; ++i)
    fprintf(stream, "\t\t\t<node id=\"%zu\">%s,%s,%s</node>\n", i + 1, syn_format_double(g->points[i].x, x),
            syn_format_double(g->points[i].y, y), syn_format_double(g->points[i].z, z));
  fputs("\t\t</Nodes>\n", stream);
}

/* `cells` are `count` rows of `corners` nodes. */
static void write_elements(const char *type, const char *name, const uint32_t *cells, size_t corners, size_t count,
                           size_t first_id, FILE *stream) {
  if (count == 0) return;
  fprintf(stream, "\t\t<Elements type=\"%s\" name=\"%s\">\n", type, name);
  for (size_t i = 0; i < count; ++i) {
    fprintf(stream, "\t\t\t<elem id=\"%zu\">", first_id + i);
    for (size_t k = 0; k < corners; ++k)
      fprintf(stream, "%s%llu", k ? "," : "", (unsigned long long)cells[i * corners + k] + 1);
    fputs("</elem>\n", stream);
  }
  fputs("\t\t</Elements>\n", stream);
}

static syn_status write_feb(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  (void)context, (void)options, (void)error;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<febio_spec version=\"4.0\">\n\t<Module "
        "type=\"solid\"/>\n\t<Mesh>\n",
        stream);
  write_nodes(g, stream);
  write_elements("tet4", "tetrahedra", g->tet_count ? g->tets->v : NULL, 4, g->tet_count, 1, stream);
  write_elements("tri3", "shells", g->triangle_count ? g->triangles->v : NULL, 3, g->triangle_count, g->tet_count + 1,
                 stream);
  fputs("\t</Mesh>\n</febio_spec>\n", stream);
  return SYN_OK;
}

const syn_format syn_format_feb = {.info = {"feb", ".feb", true, true, true, true, false, true},
                                   .sniff = sniff_feb,
                                   .read = read_feb,
                                   .write = write_feb};
