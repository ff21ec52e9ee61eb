/* $NodeData and $ElementData of Gmsh files. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mesh/io/msh/msh.h"

enum { MAX_COMPONENTS = 1 << 16 };

/* The header of the values: strings (the first is the name), reals, integers (step, components, count). */
typedef struct header {
  syn_word name;
  int64_t step, components, count;
} header;

/* Reads the header, which is text even if the values are bytes. */
static syn_status read_header(syn_msh_cursor *in, header *h, syn_error *error) {
  syn_text *text = &in->text;
  uint64_t strings, reals, integers;
  double real;
  int64_t number;
  *h = (header){.name = {"data", 4}};
  SYN_TRY(syn_text_uint64(text, 0, "the number of strings", &strings, error));
  syn_text_skip_space(text, 0);
  for (uint64_t i = 0; i < strings; ++i) {
    syn_word line;
    if (!syn_text_line(text, &line)) return syn_text_fail(text, error, "the file ends where a string was expected");
    if (i > 0) continue;
    h->name = line;
    if (line.length >= 2 && line.at[0] == '"' && line.at[line.length - 1] == '"')
      h->name = (syn_word){line.at + 1, line.length - 2};
  }
  SYN_TRY(syn_text_uint64(text, 0, "the number of reals", &reals, error));
  for (uint64_t i = 0; i < reals; ++i) SYN_TRY(syn_text_double(text, 0, "a real tag", &real, error));
  SYN_TRY(syn_text_uint64(text, 0, "the number of integers", &integers, error));
  if (integers < 3)
    return syn_text_fail(text, error, "a data section needs a step, a number of components and a count");
  int64_t *const places[3] = {&h->step, &h->components, &h->count};
  for (uint64_t i = 0; i < integers; ++i)
    SYN_TRY(syn_text_int64(text, 0, "an integer tag", i < 3 ? places[i] : &number, error));
  if (h->components < 1 || h->components > MAX_COMPONENTS)
    return syn_text_fail(text, error, "%lld is no number of components", (long long)h->components);
  if (h->count < 0) return syn_text_fail(text, error, "%lld is no number of values", (long long)h->count);
  return SYN_OK;
}

/* Later steps get separate names: "pressure", then "pressure@2". */
static void full_name(const header *h, char *name, size_t size) {
  const int length = h->name.length < 200 ? (int)h->name.length : 200;
  if (h->step > 0)
    snprintf(name, size, "%.*s@%lld", length, h->name.at, (long long)h->step);
  else
    snprintf(name, size, "%.*s", length, h->name.at);
}

static syn_status find_field(syn_msh_fields *fields, const char *name, bool on_nodes, uint32_t components, size_t count,
                             syn_msh_field **found, syn_error *error) {
  for (size_t i = 0; i < fields->count; ++i) {
    syn_msh_field *f = &fields->fields[i];
    if (f->on_nodes != on_nodes || f->components != components || strcmp(f->name, name) != 0) continue;
    *found = f;
    return SYN_OK;
  }
  SYN_TRY(SYN_RESERVE(fields->context, &fields->fields, fields->count, 1, &fields->capacity, error));
  syn_msh_field *f = *found = &fields->fields[fields->count++];
  *f = (syn_msh_field){.on_nodes = on_nodes, .components = components, .count = count};
  const size_t length = strlen(name);
  SYN_TRY(SYN_NEW(fields->context, &f->name, length + 1, error));
  memcpy(f->name, name, length + 1);
  const size_t total = count * components;
  SYN_TRY(SYN_NEW(fields->context, &f->values, total, error));
  for (size_t i = 0; i < total; ++i) f->values[i] = NAN;
  return SYN_OK;
}

/* Before memory is allocated for a field, the file must be long enough for what its header states. A field may name
 * only some of the nodes or cells, but all fields together must stay in proportion to the file. */
static syn_status check_room(const syn_msh_cursor *in, const header *h, size_t count, syn_msh_fields *fields,
                             syn_error *error) {
  assert(h->components > 0); /* checked by read_header */
  const size_t left = (size_t)(in->text.end - in->text.at), least = in->binary ? 8 : 2;
  if ((uint64_t)h->count > left / ((uint64_t)h->components * least))
    return syn_msh_fail(in, error, "%lld values of %lld components are more than the file holds", (long long)h->count,
                        (long long)h->components);
  fields->values += (uint64_t)h->components * count; /* below 2^16 times 2^32 */
  if (fields->values > 16 * (uint64_t)in->source->size)
    return syn_msh_fail(in, error, "data sections that name so few of %zu items cannot be right", count);
  return SYN_OK;
}

syn_status syn_msh_read_data(syn_msh_cursor *in, bool on_nodes, const syn_id_map *ids, size_t count,
                             syn_msh_fields *fields, syn_error *error) {
  header h;
  const bool binary = in->binary;
  /* The header is text even in binary files. */
  in->binary = false;
  syn_status status = read_header(in, &h, error);
  in->binary = binary;
  SYN_TRY(status);
  syn_msh_begin_values(in);
  SYN_TRY(check_room(in, &h, count, fields, error));
  char name[256];
  syn_msh_field *field;
  full_name(&h, name, sizeof name);
  SYN_TRY(find_field(fields, name, on_nodes, (uint32_t)h.components, count, &field, error));
  for (int64_t i = 0; i < h.count; ++i) {
    int64_t id;
    SYN_TRY(syn_msh_int(in, on_nodes ? "a node number" : "an element number", &id, error));
    const uint32_t place = id < 0 ? SYN_NONE : syn_id_map_find(ids, (uint64_t)id);
    for (uint32_t c = 0; c < field->components; ++c) {
      double value;
      SYN_TRY(syn_msh_double(in, "a value", &value, error));
      if (place != SYN_NONE) field->values[(size_t)place * field->components + c] = value;
    }
    if (place == SYN_NONE && on_nodes)
      return syn_msh_fail(in, error, "the field '%s' has a value for node %lld, which is not defined", name,
                          (long long)id);
  }
  return SYN_OK;
}

syn_status syn_msh_finish_data(const syn_msh_fields *fields, const syn_cells *cells, syn_error *error) {
  for (size_t i = 0; i < fields->count; ++i) {
    const syn_msh_field *f = &fields->fields[i];
    const size_t length = strlen(f->name);
    double *values;
    if (!f->on_nodes) {
      SYN_TRY(syn_cells_field(cells, f->name, length, f->components, f->values, error));
      continue;
    }
    SYN_TRY(syn_builder_field(cells->builder, f->name, length, SYN_ON_POINTS, f->components, f->count, &values, error));
    if (f->count) memcpy(values, f->values, f->count * f->components * sizeof *values);
  }
  return SYN_OK;
}

void syn_msh_release_data(syn_msh_fields *fields) {
  for (size_t i = 0; i < fields->count; ++i) {
    syn_free(fields->context, fields->fields[i].name);
    syn_free(fields->context, fields->fields[i].values);
  }
  syn_free(fields->context, fields->fields);
}
