/* Reading PLY. Whatever the types in the file, each value passes through a double, which holds all of them exactly. */
#include "mesh/io/ply/ply.h"

#include <string.h>

#include "base/platform.h"

typedef struct reader {
  const syn_source *source;
  syn_builder *builder;
  ply_header header;
  syn_text text;            /* the cursor, in binary data as well */
  bool swap;                /* the file's byte order is not ours */
  const ply_property *kept; /* the list whose items go to `list`; others are passed over */
  uint32_t *list, *face_of; /* the polygon just read; for every triangle its face */
  size_t list_count, list_capacity, face_of_capacity;
} reader;

static size_t bytes_left(const reader *r) { return (size_t)(r->text.end - r->text.at); }

/* Fails at the line of a text, at the byte of binary data. */
static syn_status fail(const reader *r, syn_error *error, const char *message) {
  if (r->header.encoding == PLY_ASCII) return syn_text_fail(&r->text, error, "%s", message);
  return syn_source_fail(r->source, (size_t)(r->text.at - r->source->bytes), error, "%s", message);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static double load_value(const char *at, ply_type type, bool swap) {
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  float f32;
  double f64;
  switch (syn_ply_type_size(type)) {
  case 1: memcpy(&u8, at, 1); return type == PLY_INT8 ? (int8_t)u8 : u8;
  case 2:
    memcpy(&u16, at, 2);
    if (swap) u16 = __builtin_bswap16(u16);
    return type == PLY_INT16 ? (int16_t)u16 : u16;
  case 4:
    memcpy(&u32, at, 4);
    if (swap) u32 = __builtin_bswap32(u32);
    memcpy(&f32, &u32, 4);
    return type == PLY_FLOAT32 ? (double)f32 : type == PLY_INT32 ? (double)(int32_t)u32 : (double)u32;
  default:
    memcpy(&u64, at, 8);
    if (swap) u64 = __builtin_bswap64(u64);
    memcpy(&f64, &u64, 8);
    return f64;
  }
}

static syn_status next_value(reader *r, ply_type type, double *value, syn_error *error) {
  if (r->header.encoding == PLY_ASCII) return syn_text_double(&r->text, 0, "a number", value, error);
  const size_t size = syn_ply_type_size(type);
  if (bytes_left(r) < size) return fail(r, error, "the file ends inside its data");
  *value = load_value(r->text.at, type, r->swap);
  r->text.at += size;
  return SYN_OK;
}

/* The fewest bytes that a value takes: in a text one digit and what parts it from the next. */
static size_t least_bytes(const reader *r, ply_type type) {
  return r->header.encoding == PLY_ASCII ? 2 : syn_ply_type_size(type);
}

/* Returns how many items of `least` bytes the rest of the file can hold; the last one of a text needs no separator. */
static uint64_t room_for(const reader *r, size_t least) {
  return (bytes_left(r) + (r->header.encoding == PLY_ASCII)) / least;
}

static syn_status keep_index(reader *r, double value, syn_error *error) {
  char message[128];
  if (value >= 0 && value < (double)r->builder->point_count && value == (double)(uint32_t)value) {
    r->list[r->list_count++] = (uint32_t)value;
    return SYN_OK;
  }
  snprintf(message, sizeof message, "a face refers to vertex %.17g, but there are only %zu", value,
           r->builder->point_count);
  return fail(r, error, message);
}

static syn_status read_list(reader *r, const ply_property *property, syn_error *error) {
  char message[128];
  double count, value;
  SYN_TRY(next_value(r, property->count_type, &count, error));
  if (!(count >= 0) || count > (double)room_for(r, least_bytes(r, property->type)) || count != (double)(size_t)count) {
    snprintf(message, sizeof message, "a list of %.17g items cannot be in the %zu bytes that follow", count,
             bytes_left(r));
    return fail(r, error, message);
  }
  const bool keep = property == r->kept;
  if (keep) {
    r->list_count = 0;
    SYN_TRY(SYN_RESERVE(r->source->context, &r->list, 0, (size_t)count, &r->list_capacity, error));
  }
  for (size_t i = 0; i < (size_t)count; ++i) {
    SYN_TRY(next_value(r, property->type, &value, error));
    if (keep) SYN_TRY(keep_index(r, value, error));
  }
  return SYN_OK;
}

/* ---- elements --------------------------------------------------------------------------------------------------- */

static ply_property *properties_of(const reader *r, const ply_element *element) {
  return r->header.property_count ? r->header.properties + element->first_property : NULL;
}

static ply_property *find_property(const reader *r, const ply_element *element, const char *name) {
  ply_property *properties = properties_of(r, element);
  for (size_t i = 0; i < element->property_count; ++i)
    if (syn_word_is(properties[i].name, name)) return &properties[i];
  return NULL;
}

/* Nothing is allocated for an element before this: the file must be long enough for what its header promises. (One
 * without properties takes no bytes, so any count is true; vertices and faces must have some.) */
static syn_status check_count(const reader *r, const ply_element *element, syn_error *error) {
  size_t least = 0;
  char message[200], shown[48];
  const ply_property *properties = properties_of(r, element);
  for (size_t i = 0; i < element->property_count; ++i)
    least += least_bytes(r, properties[i].count_type ? properties[i].count_type : properties[i].type);
  if (least == 0 || element->count <= room_for(r, least)) return SYN_OK;
  snprintf(message, sizeof message, "the header promises %llu items of '%s', but the file can hold at most %llu",
           (unsigned long long)element->count, syn_word_shown(element->name, shown),
           (unsigned long long)room_for(r, least));
  return fail(r, error, message);
}

static syn_status read_item(reader *r, const ply_element *element, size_t item, syn_error *error) {
  ply_property *properties = properties_of(r, element);
  for (ply_property *p = properties; p < properties + element->property_count; ++p) {
    double value = 0;
    if (p->count_type) {
      SYN_TRY(read_list(r, p, error));
      continue;
    }
    SYN_TRY(next_value(r, p->type, &value, error));
    if (p->to) p->to[item * p->step] = value;
  }
  return SYN_OK;
}

/* ---- fields ----------------------------------------------------------------------------------------------------- */

static bool group_fits(const ply_property *properties, size_t left, const char *const *names, size_t count) {
  if (left < count) return false;
  for (size_t i = 0; i < count; ++i)
    if (properties[i].count_type || !syn_word_is(properties[i].name, names[i])) return false;
  return true;
}

/* Returns whether the property is named "BASE_NUMBER". */
static bool is_numbered(const ply_property *property, syn_word base, size_t number) {
  char ending[24];
  const size_t length = (size_t)snprintf(ending, sizeof ending, "_%zu", number);
  return !property->count_type && property->name.length == base.length + length &&
         memcmp(property->name.at, base.at, base.length) == 0 &&
         memcmp(property->name.at + base.length, ending, length) == 0;
}

/* How many of the properties from here on are components of one field, and its name. */
static size_t group_at(const ply_property *properties, size_t left, syn_word *name) {
  static const char *const color[] = {"red", "green", "blue", "alpha"}, *const normal[] = {"nx", "ny", "nz"};
  *name = (syn_word){"color", 5};
  if (group_fits(properties, left, color, 4)) return 4;
  if (group_fits(properties, left, color, 3)) return 3;
  *name = (syn_word){"normal", 6};
  if (group_fits(properties, left, normal, 3)) return 3;
  *name = properties->name;
  const syn_word base = {name->at, name->length > 2 ? name->length - 2 : 0};
  if (base.length == 0 || left < 2 || !is_numbered(properties, base, 0) || !is_numbered(properties + 1, base, 1))
    return 1;
  size_t count = 2;
  while (count < left && is_numbered(properties + count, base, count)) ++count;
  *name = base;
  return count;
}

/* Every scalar property that has no place yet gets one in a new field; lists other than the kept one are named. */
static syn_status bind_fields(reader *r, const ply_element *element, syn_field_on on, syn_error *error) {
  ply_property *properties = properties_of(r, element);
  char shown[48], owner[48];
  for (size_t i = 0, group; i < element->property_count; i += group) {
    ply_property *first = properties + i;
    syn_word name;
    group = 1;
    if (first->to || first == r->kept) continue;
    if (first->count_type) {
      syn_warn(r->source->context, "%s: the lists '%s' of '%s' were left out", r->source->name,
               syn_word_shown(first->name, shown), syn_word_shown(element->name, owner));
      continue;
    }
    group = group_at(first, element->property_count - i, &name);
    double *values;
    SYN_TRY(syn_builder_field(r->builder, name.at, name.length, on, (uint32_t)group, (size_t)element->count, &values,
                              error));
    for (size_t k = 0; k < group; ++k) {
      first[k].to = values + k;
      first[k].step = group;
    }
  }
  return SYN_OK;
}

/* ---- vertices and faces ----------------------------------------------------------------------------------------- */

static syn_status read_vertices(reader *r, const ply_element *element, syn_error *error) {
  static const char *const axes[3] = {"x", "y", "z"};
  syn_builder *b = r->builder;
  const size_t count = (size_t)element->count;
  if (element->count >= SYN_NONE)
    return syn_fail_at(error, SYN_TOO_LARGE, r->source->name, 0, -1, "%zu vertices are more than 32-bit indices count",
                       count);
  ply_property *xyz[3];
  for (int axis = 0; axis < 3; ++axis) {
    xyz[axis] = find_property(r, element, axes[axis]);
    if (!xyz[axis] || xyz[axis]->count_type)
      return syn_fail_at(error, SYN_BAD_FORMAT, r->source->name, 0, -1, "the vertices have no scalar property '%s'",
                         axes[axis]);
  }
  SYN_TRY(SYN_RESERVE(b->context, &b->points, 0, count + 1, &b->point_capacity, error)); /* never NULL */
  for (int axis = 0; axis < 3; ++axis) {
    xyz[axis]->to = (double *)b->points + axis;
    xyz[axis]->step = 3;
  }
  SYN_TRY(bind_fields(r, element, SYN_ON_POINTS, error));
  for (size_t i = 0; i < count; ++i) SYN_TRY(read_item(r, element, i, error));
  b->point_count = count;
  return SYN_OK;
}

/* Turns the polygon just read into triangles that remember their face. */
static syn_status add_face(reader *r, size_t face, syn_error *error) {
  syn_builder *b = r->builder;
  if (r->list_count == 3)
    SYN_TRY(syn_builder_triangle(b, r->list[0], r->list[1], r->list[2], error));
  else
    SYN_TRY(syn_builder_polygon(b, r->list, r->list_count, error));
  SYN_TRY(SYN_RESERVE(b->context, &r->face_of, b->triangle_count, 0, &r->face_of_capacity, error));
  for (size_t i = b->triangle_count - (r->list_count - 2); i < b->triangle_count; ++i) r->face_of[i] = (uint32_t)face;
  return SYN_OK;
}

/* Fields were read per face; give every triangle the value of its face. One vast polygon with very many properties
 * could blow a small file up without measure, hence a limit that no honest file comes near. */
static syn_status spread_fields(const reader *r, size_t first_field, syn_error *error) {
  syn_builder *b = r->builder;
  uint64_t room = 64 * (uint64_t)r->source->size;
  for (size_t f = first_field; f < b->field_count; ++f) {
    syn_field *field = &b->fields[f];
    const size_t components = field->components;
    double *values;
    if (b->triangle_count * components > room)
      return syn_fail_at(error, SYN_TOO_LARGE, r->source->name, 0, -1,
                         "the properties of the faces, repeated for each of %zu triangles, would far exceed the file",
                         b->triangle_count);
    room -= b->triangle_count * components;
    SYN_TRY(SYN_NEW(b->context, &values, b->triangle_count * components, error));
    for (size_t i = 0; i < b->triangle_count; ++i)
      memcpy(values + i * components, field->values + r->face_of[i] * components, components * sizeof *values);
    syn_free_const(b->context, field->values);
    field->values = values;
  }
  return SYN_OK;
}

static syn_status read_faces(reader *r, const ply_element *element, syn_error *error) {
  syn_builder *b = r->builder;
  const size_t count = (size_t)element->count, first_field = b->field_count;
  r->kept = find_property(r, element, "vertex_indices");
  if (!r->kept) r->kept = find_property(r, element, "vertex_index");
  if (!r->kept || !r->kept->count_type)
    return syn_fail_at(error, SYN_BAD_FORMAT, r->source->name, 0, -1, "the faces have no list 'vertex_indices'");
  if (element->count > (uint64_t)1 << 31)
    return syn_fail_at(error, SYN_TOO_LARGE, r->source->name, 0, -1, "%zu faces are more than the 2^31 supported",
                       count);
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, 0, count, &b->triangle_capacity, error));
  SYN_TRY(SYN_RESERVE(b->context, &r->face_of, 0, count, &r->face_of_capacity, error));
  SYN_TRY(bind_fields(r, element, SYN_ON_TRIANGLES, error));
  size_t left_out = 0;
  for (size_t i = 0; i < count; ++i) {
    SYN_TRY(read_item(r, element, i, error));
    if (r->list_count >= 3)
      SYN_TRY(add_face(r, i, error));
    else
      ++left_out;
  }
  r->kept = NULL;
  if (left_out)
    syn_warn(r->source->context, "%s: %zu faces with fewer than three corners were left out", r->source->name,
             left_out);
  return spread_fields(r, first_field, error);
}

static syn_status pass_over(reader *r, const ply_element *element, syn_error *error) {
  char shown[48];
  if (element->count)
    syn_warn(r->source->context, "%s: %llu items of '%s' were left out", r->source->name,
             (unsigned long long)element->count, syn_word_shown(element->name, shown));
  if (element->property_count == 0) return SYN_OK;
  for (uint64_t i = 0; i < element->count; ++i) SYN_TRY(read_item(r, element, 0, error));
  return SYN_OK;
}

static syn_status read_elements(reader *r, syn_error *error) {
  bool had_vertices = false, had_faces = false;
  for (size_t i = 0; i < r->header.element_count; ++i) {
    const ply_element *element = &r->header.elements[i];
    SYN_TRY(check_count(r, element, error));
    if (!had_vertices && syn_word_is(element->name, "vertex")) {
      had_vertices = true;
      SYN_TRY(read_vertices(r, element, error));
    } else if (!had_faces && element->count && syn_word_is(element->name, "face")) {
      if (!had_vertices)
        return syn_fail_at(error, SYN_BAD_FORMAT, r->source->name, 0, -1,
                           "the faces stand before the vertices: write the file with vertices first");
      had_faces = true;
      SYN_TRY(read_faces(r, element, error));
    } else {
      SYN_TRY(pass_over(r, element, error));
    }
  }
  if (!had_vertices)
    return syn_fail_at(error, SYN_BAD_FORMAT, r->source->name, 0, -1, "the file has no element 'vertex'");
  return SYN_OK;
}

static syn_status read_ply(const syn_source *source, syn_builder *builder, syn_error *error) {
  static const ply_encoding foreign[] = {PLY_BIG, PLY_LITTLE}; /* bytes the other way round, by this machine's order */
  reader r = {.source = source, .builder = builder, .text = syn_text_from(source->bytes, source->size, source->name)};
  syn_status status = syn_ply_read_header(source->context, &r.text, &r.header, error);
  if (status == SYN_OK) {
    r.swap = r.header.encoding == foreign[HOST_IS_BIG];
    builder->space = r.header.space;
    status = read_elements(&r, error);
  }
  syn_ply_release_header(source->context, &r.header);
  syn_free(source->context, r.list);
  syn_free(source->context, r.face_of);
  return status;
}

static bool sniff_ply(const syn_source *source) {
  return source->size >= 4 && memcmp(source->bytes, "ply", 3) == 0 &&
         (source->bytes[3] == '\n' || source->bytes[3] == '\r');
}

const syn_format syn_format_ply = {
    .info = {"ply", ".ply", .reads = true, .writes = true, .holds_triangles = true, .holds_fields = true,
             .doubles = true},
    .sniff = sniff_ply,
    .read = read_ply,
    .write = syn_ply_write,
};
