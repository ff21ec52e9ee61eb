/* Gmsh meshes, versions 2.x and 4.1, text and binary. Node numbers may have gaps. Physical groups and elementary
 * entities become the cell fields "physical" and "entity" if they carry information. */
#define _GNU_SOURCE /* memmem */
#include "mesh/io/msh/msh.h"

#include <string.h>

/* A number per input cell. */
typedef struct tags {
  double *values;
  size_t capacity;
} tags;

typedef struct reader {
  const syn_context *context;
  const syn_source *source;
  syn_builder *builder;
  syn_msh_cursor in;
  int version; /* 2 or 4 */
  bool has_nodes, has_elements;
  bool number_elements;       /* some section gives values to elements by their number */
  syn_id_map nodes, elements; /* elements -> input cells */
  syn_id_map physical[4];     /* version 4: entity of each dimension -> its first physical group */
  syn_cells cells;
  tags physical_of, entity_of; /* each input cell */
  syn_msh_fields fields;
} reader;

/* ---- nodes --------------------------------------------------------------------------------------------------------
 */

static syn_status add_point(reader *r, syn_error *error) {
  syn_vec3 p;
  SYN_TRY(syn_msh_double(&r->in, "a coordinate", &p.x, error));
  SYN_TRY(syn_msh_double(&r->in, "a coordinate", &p.y, error));
  SYN_TRY(syn_msh_double(&r->in, "a coordinate", &p.z, error));
  if (r->builder->point_count >= SYN_NONE - 1) return syn_msh_fail(&r->in, error, "there are more than 2^32 - 2 nodes");
  return syn_builder_point(r->builder, p, error);
}

static syn_status add_node_number(reader *r, uint64_t id, uint64_t index, syn_error *error) {
  if (index >= SYN_NONE - 1) return syn_msh_fail(&r->in, error, "there are more than 2^32 - 2 nodes");
  return syn_id_map_add(&r->nodes, id, (uint32_t)index, error);
}

static syn_status read_nodes_2(reader *r, syn_error *error) {
  uint64_t count;
  SYN_TRY(syn_text_uint64(&r->in.text, 0, "the number of nodes", &count, error));
  syn_msh_begin_values(&r->in);
  for (uint64_t i = 0; i < count; ++i) {
    int64_t id;
    SYN_TRY(syn_msh_int(&r->in, "a node number", &id, error));
    if (id < 0) return syn_msh_fail(&r->in, error, "node number %lld is negative", (long long)id);
    SYN_TRY(add_node_number(r, (uint64_t)id, r->builder->point_count, error));
    SYN_TRY(add_point(r, error));
  }
  return SYN_OK;
}

/* The heads of $Nodes and $Elements: blocks, total, lowest and highest number. Only the first is relied on. */
static syn_status read_head_4(reader *r, uint64_t *blocks, syn_error *error) {
  uint64_t unused;
  SYN_TRY(syn_msh_size(&r->in, "the number of blocks", blocks, error));
  SYN_TRY(syn_msh_size(&r->in, "the total number", &unused, error));
  SYN_TRY(syn_msh_size(&r->in, "the lowest number", &unused, error));
  return syn_msh_size(&r->in, "the highest number", &unused, error);
}

/* A block: the dimension and number of its entity, a flag or type, how many items follow. */
typedef struct block {
  int64_t dimension, entity, kind;
  uint64_t count;
} block;

static syn_status read_block_4(reader *r, block *b, syn_error *error) {
  SYN_TRY(syn_msh_int(&r->in, "the dimension of an entity", &b->dimension, error));
  SYN_TRY(syn_msh_int(&r->in, "the number of an entity", &b->entity, error));
  SYN_TRY(syn_msh_int(&r->in, "the kind of a block", &b->kind, error));
  SYN_TRY(syn_msh_size(&r->in, "the size of a block", &b->count, error));
  if (b->dimension < 0 || b->dimension > 3)
    return syn_msh_fail(&r->in, error, "an entity has the dimension %lld", (long long)b->dimension);
  return SYN_OK;
}

static syn_status read_nodes_4(reader *r, syn_error *error) {
  uint64_t blocks;
  SYN_TRY(read_head_4(r, &blocks, error));
  for (uint64_t i = 0; i < blocks; ++i) {
    block b;
    SYN_TRY(read_block_4(r, &b, error));
    const uint64_t first = r->builder->point_count;
    for (uint64_t k = 0; k < b.count; ++k) {
      uint64_t id;
      SYN_TRY(syn_msh_size(&r->in, "a node number", &id, error));
      SYN_TRY(add_node_number(r, id, first + k, error));
    }
    for (uint64_t k = 0; k < b.count; ++k) {
      SYN_TRY(add_point(r, error));
      double parameter; /* where on its curve or surface a node lies */
      for (int64_t d = 0; b.kind != 0 && d < b.dimension; ++d)
        SYN_TRY(syn_msh_double(&r->in, "a parameter", &parameter, error));
    }
  }
  return SYN_OK;
}

/* ---- entities: which physical group an entity belongs to --------------------------------------------------------- */

static syn_status skip_doubles(reader *r, int count, syn_error *error) {
  double unused;
  for (int i = 0; i < count; ++i) SYN_TRY(syn_msh_double(&r->in, "a bound of an entity", &unused, error));
  return SYN_OK;
}

static syn_status read_entity(reader *r, int dimension, syn_error *error) {
  int64_t tag, group;
  uint64_t groups, bounds = 0;
  SYN_TRY(syn_msh_int(&r->in, "the number of an entity", &tag, error));
  SYN_TRY(skip_doubles(r, dimension == 0 ? 3 : 6, error));
  SYN_TRY(syn_msh_size(&r->in, "the number of physical groups", &groups, error));
  for (uint64_t i = 0; i < groups; ++i) {
    SYN_TRY(syn_msh_int(&r->in, "a physical group", &group, error));
    if (group > INT32_MAX || group < -INT32_MAX)
      return syn_msh_fail(&r->in, error, "the physical group %lld has more than 31 bits", (long long)group);
    if (i == 0) /* negative: the same group, reversed */
      SYN_TRY(syn_id_map_add(&r->physical[dimension], (uint64_t)tag, (uint32_t)(group < 0 ? -group : group), error));
  }
  if (dimension > 0) SYN_TRY(syn_msh_size(&r->in, "the number of bounding entities", &bounds, error));
  for (uint64_t i = 0; i < bounds; ++i) SYN_TRY(syn_msh_int(&r->in, "a bounding entity", &tag, error));
  return SYN_OK;
}

static syn_status read_entities(reader *r, syn_error *error) {
  uint64_t counts[4];
  for (int d = 0; d < 4; ++d) SYN_TRY(syn_msh_size(&r->in, "the number of entities", &counts[d], error));
  for (int d = 0; d < 4; ++d) {
    for (uint64_t i = 0; i < counts[d]; ++i) SYN_TRY(read_entity(r, d, error));
    SYN_TRY(syn_id_map_finish(&r->physical[d], r->source->name, "entity", error));
  }
  return SYN_OK;
}

/* ---- elements -----------------------------------------------------------------------------------------------------
 */

static syn_status set_tag(reader *r, tags *t, int64_t value, syn_error *error) {
  SYN_TRY(SYN_RESERVE(r->context, &t->values, r->cells.count, 1, &t->capacity, error));
  t->values[r->cells.count] = (double)value;
  return SYN_OK;
}

static syn_status check_type(const reader *r, int64_t type, syn_error *error) {
  if (syn_msh_element_nodes(type) > 0) return SYN_OK;
  return syn_msh_fail(&r->in, error, "element type %lld is not known", (long long)type);
}

/* The nodes of an element whose number and tags have been read. */
static syn_status add_element(reader *r, uint64_t id, int64_t type, int64_t physical, int64_t entity,
                              syn_error *error) {
  uint32_t nodes[SYN_MSH_MAX_NODES];
  const int count = syn_msh_element_nodes(type), shape = syn_msh_element_shape(type);
  for (int i = 0; i < count; ++i) {
    uint64_t node = 0;
    int64_t number;
    if (r->version == 4) {
      SYN_TRY(syn_msh_size(&r->in, "a node of an element", &node, error));
    } else {
      SYN_TRY(syn_msh_int(&r->in, "a node of an element", &number, error));
      node = (uint64_t)number;
    }
    nodes[i] = syn_id_map_find(&r->nodes, node);
    if (nodes[i] == SYN_NONE)
      return syn_msh_fail(&r->in, error, "element %llu uses node %lld, which is not defined", (unsigned long long)id,
                          (long long)node);
  }
  if (shape < 0) return SYN_OK;
  SYN_TRY(set_tag(r, &r->physical_of, physical, error));
  SYN_TRY(set_tag(r, &r->entity_of, entity, error));
  if (r->number_elements) SYN_TRY(syn_id_map_add(&r->elements, id, (uint32_t)r->cells.count, error));
  r->cells.line = r->in.binary ? 0 : r->in.text.line;
  return syn_cells_add(&r->cells, (unsigned)shape, nodes, (size_t)count, error);
}

static syn_status read_element_2(reader *r, int64_t type, int64_t tag_count, int64_t id, syn_error *error) {
  int64_t tag, physical = 0, entity = 0;
  for (int64_t i = 0; i < tag_count; ++i) {
    SYN_TRY(syn_msh_int(&r->in, "a tag of an element", &tag, error));
    if (i == 0) physical = tag;
    if (i == 1) entity = tag;
  }
  return add_element(r, (uint64_t)id, type, physical, entity, error);
}

/* In text every element has its type; in bytes they come in groups: type, how many, tags. */
static syn_status read_elements_2(reader *r, syn_error *error) {
  uint64_t count;
  SYN_TRY(syn_text_uint64(&r->in.text, 0, "the number of elements", &count, error));
  syn_msh_begin_values(&r->in);
  for (uint64_t i = 0; i < count;) {
    int64_t id = 0, type, group = 1, tag_count;
    if (!r->in.binary) SYN_TRY(syn_msh_int(&r->in, "an element number", &id, error));
    SYN_TRY(syn_msh_int(&r->in, "the type of an element", &type, error));
    SYN_TRY(check_type(r, type, error));
    if (r->in.binary) SYN_TRY(syn_msh_int(&r->in, "the size of a group of elements", &group, error));
    SYN_TRY(syn_msh_int(&r->in, "the number of tags", &tag_count, error));
    if (group < 1 || (uint64_t)group > count - i)
      return syn_msh_fail(&r->in, error, "a group of %lld elements does not fit the %llu that are left",
                          (long long)group, (unsigned long long)(count - i));
    for (int64_t k = 0; k < group; ++k) {
      if (r->in.binary) SYN_TRY(syn_msh_int(&r->in, "an element number", &id, error));
      SYN_TRY(read_element_2(r, type, tag_count, id, error));
    }
    i += (uint64_t)group;
  }
  return SYN_OK;
}

static syn_status read_elements_4(reader *r, syn_error *error) {
  uint64_t blocks;
  SYN_TRY(read_head_4(r, &blocks, error));
  for (uint64_t i = 0; i < blocks; ++i) {
    block b;
    SYN_TRY(read_block_4(r, &b, error));
    SYN_TRY(check_type(r, b.kind, error));
    const uint32_t group = syn_id_map_find(&r->physical[b.dimension], (uint64_t)b.entity);
    for (uint64_t k = 0; k < b.count; ++k) {
      uint64_t id;
      SYN_TRY(syn_msh_size(&r->in, "an element number", &id, error));
      SYN_TRY(add_element(r, id, b.kind, group == SYN_NONE ? 0 : group, b.entity, error));
    }
  }
  return SYN_OK;
}

/* ---- sections -----------------------------------------------------------------------------------------------------
 */

static syn_status read_nodes(reader *r, syn_error *error) {
  if (r->has_nodes) return syn_msh_fail(&r->in, error, "there are two sections $Nodes");
  r->has_nodes = true;
  SYN_TRY(r->version == 4 ? read_nodes_4(r, error) : read_nodes_2(r, error));
  return syn_id_map_finish(&r->nodes, r->source->name, "node", error);
}

static syn_status read_elements(reader *r, syn_error *error) {
  if (!r->has_nodes) return syn_msh_fail(&r->in, error, "$Elements come before $Nodes");
  if (r->has_elements) return syn_msh_fail(&r->in, error, "there are two sections $Elements");
  r->has_elements = true;
  SYN_TRY(r->version == 4 ? read_elements_4(r, error) : read_elements_2(r, error));
  return syn_id_map_finish(&r->elements, r->source->name, "element", error);
}

static syn_status read_node_data(reader *r, syn_error *error) {
  if (!r->has_nodes) return syn_msh_fail(&r->in, error, "$NodeData come before $Nodes");
  return syn_msh_read_data(&r->in, true, &r->nodes, r->builder->point_count, &r->fields, error);
}

static syn_status read_element_data(reader *r, syn_error *error) {
  if (!r->has_elements) return syn_msh_fail(&r->in, error, "$ElementData come before $Elements");
  return syn_msh_read_data(&r->in, false, &r->elements, r->cells.count, &r->fields, error);
}

/* "2.2 0 8": version, bytes or text, size of a number. */
static syn_status read_format(reader *r, syn_error *error) {
  syn_text *text = &r->in.text;
  syn_word version;
  uint64_t binary, size;
  char shown[48];
  if (!syn_text_word(text, 0, &version)) return syn_text_fail(text, error, "the file ends before its version");
  SYN_TRY(syn_text_uint64(text, 0, "0 for text or 1 for bytes", &binary, error));
  SYN_TRY(syn_text_uint64(text, 0, "the size of a number", &size, error));
  r->version = syn_word_is(version, "4.1") ? 4 : syn_word_is(version, "2") || syn_word_starts(version, "2.") ? 2 : 0;
  if (r->version == 0)
    return syn_text_fail(text, error, "version %s is not read: save as 2.2 or 4.1", syn_word_shown(version, shown));
  if (binary > 1) return syn_text_fail(text, error, "the file is neither text (0) nor bytes (1)");
  if (size != 8) return syn_text_fail(text, error, "numbers of %llu bytes are not read", (unsigned long long)size);
  r->in.binary = binary == 1;
  syn_msh_begin_values(&r->in);
  return binary ? syn_msh_byte_order(&r->in, error) : SYN_OK;
}

/* Skips a section that does not concern the mesh, up to its "$EndNAME". */
static syn_status skip_section(reader *r, syn_word name, syn_error *error) {
  syn_text *text = &r->in.text;
  char end[64], shown[48];
  const int length = snprintf(end, sizeof end, "$End%.*s", (int)(name.length < 50 ? name.length : 50) - 1, name.at + 1);
  const char *found = memmem(text->at, (size_t)(text->end - text->at), end, (size_t)length);
  if (!found) return syn_msh_fail(&r->in, error, "the file ends inside the section %s", syn_word_shown(name, shown));
  for (; text->at < found; ++text->at) text->line += *text->at == '\n';
  return SYN_OK;
}

/* Inside of the section, then its end. */
static syn_status read_section(reader *r, syn_word name, syn_error *error) {
  static const struct {
    const char *name;
    syn_status (*read)(reader *r, syn_error *error);
  } known[] = {{"$MeshFormat", read_format},
               {"$Nodes", read_nodes},
               {"$Elements", read_elements},
               {"$NodeData", read_node_data},
               {"$ElementData", read_element_data}};
  /* Known sections are read, others are skipped. */
  size_t i = 0;
  while (i < sizeof known / sizeof *known && !syn_word_is(name, known[i].name)) ++i;
  if (i < sizeof known / sizeof *known) {
    if ((i == 0) == (r->version != 0))
      return syn_msh_fail(&r->in, error, "the file must begin with one section $MeshFormat");
    SYN_TRY(known[i].read(r, error));
  } else if (syn_word_is(name, "$Entities") && r->version == 4) {
    SYN_TRY(read_entities(r, error));
  } else {
    SYN_TRY(skip_section(r, name, error));
  }
  /* Every section ends with $End and its name. */
  syn_word end;
  char shown[48], expected[48];
  if (!syn_text_word(&r->in.text, 0, &end) || end.length != name.length + 3 || memcmp(end.at, "$End", 4) != 0 ||
      memcmp(end.at + 4, name.at + 1, name.length - 1) != 0)
    return syn_msh_fail(&r->in, error, "the section %s should end here, but there is '%s'",
                        syn_word_shown(name, expected), syn_word_shown(end, shown));
  return SYN_OK;
}

static bool tells_anything(const tags *t, size_t count, double nothing) {
  for (size_t i = 0; i < count; ++i)
    if (t->values[i] != nothing && t->values[i] != 0) return true;
  return false;
}

static syn_status read_all(reader *r, syn_error *error) {
  syn_word name;
  char shown[48];
  while (syn_text_word(&r->in.text, 0, &name)) {
    if (name.at[0] != '$')
      return syn_msh_fail(&r->in, error, "expected a section such as $Nodes, found '%s'", syn_word_shown(name, shown));
    syn_word rest;
    (void)syn_text_line(&r->in.text, &rest); /* at the end of the file the section will say what it misses */
    SYN_TRY(read_section(r, name, error));
  }
  if (!r->has_nodes) return syn_msh_fail(&r->in, error, "there is no section $Nodes");
  if (!r->has_elements) return syn_msh_fail(&r->in, error, "there is no section $Elements");
  if (tells_anything(&r->physical_of, r->cells.count, 0))
    SYN_TRY(syn_cells_field(&r->cells, "physical", 8, 1, r->physical_of.values, error));
  if (tells_anything(&r->entity_of, r->cells.count, 1)) /* 1 is the usual value without entities */
    SYN_TRY(syn_cells_field(&r->cells, "entity", 6, 1, r->entity_of.values, error));
  SYN_TRY(syn_msh_finish_data(&r->fields, &r->cells, error));
  syn_cells_warn(&r->cells);
  return SYN_OK;
}

static syn_status read_msh(const syn_source *source, syn_builder *builder, syn_error *error) {
  const syn_context *context = source->context;
  static const char data[] = "$ElementData";
  reader r = {.context = context,
              .source = source,
              .builder = builder,
              .in = {.source = source, .text = syn_text_from(source->bytes, source->size, source->name)},
              .number_elements = source->size && memmem(source->bytes, source->size, data, sizeof data - 1),
              .nodes = {.context = context},
              .elements = {.context = context},
              .fields = {.context = context}};
  for (int d = 0; d < 4; ++d) r.physical[d].context = context;
  syn_cells_begin(&r.cells, builder, source->name);
  syn_status status = read_all(&r, error);
  syn_cells_release(&r.cells);
  syn_msh_release_data(&r.fields);
  syn_id_map_release(&r.nodes);
  syn_id_map_release(&r.elements);
  for (int d = 0; d < 4; ++d) syn_id_map_release(&r.physical[d]);
  syn_free(context, r.physical_of.values);
  syn_free(context, r.entity_of.values);
  return status;
}

static bool is_msh(const syn_source *source) {
  syn_text text = syn_text_from(source->bytes, source->size, source->name);
  syn_word word;
  return syn_text_word(&text, 0, &word) && (syn_word_is(word, "$MeshFormat") || syn_word_is(word, "$Comments"));
}

const syn_format syn_format_msh = {.info = {"msh", ".msh", true, true, true, true, true, true},
                                   .sniff = is_msh,
                                   .read = read_msh,
                                   .write = syn_msh_write};
