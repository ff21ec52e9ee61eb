#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "mesh/io/ply/ply.h"

typedef struct writer {
  const syn_context *context;
  const syn_geometry *geometry;
  FILE *stream;
  bool binary;
  bool single;      /* coordinates as float */
  bool *as_bytes;   /* per field: a colour of whole numbers 0 … 255, which viewers expect as uchar */
  bool line_begins; /* ASCII: no blank is due */
} writer;

/* ---- header ----------------------------------------------------------------------------------------------------- */

static bool is_color(const syn_field *field) {
  return strcmp(field->name, "color") == 0 && (field->components == 3 || field->components == 4);
}

static bool is_normal(const syn_field *field) { return strcmp(field->name, "normal") == 0 && field->components == 3; }

static size_t value_count(const syn_geometry *g, const syn_field *field) {
  return field->components * (field->on == SYN_ON_POINTS ? g->point_count : g->triangle_count);
}

static bool fits_bytes(const syn_geometry *g, const syn_field *field) {
  const size_t count = value_count(g, field);
  for (size_t i = 0; i < count; ++i)
    if (!(field->values[i] >= 0 && field->values[i] <= 255 && field->values[i] == floor(field->values[i])))
      return false;
  return true;
}

/* A name that would be taken for something else, or that blanks would cut, is changed with a warning. */
static void clean_name(const writer *w, const syn_field *field, char *name, size_t size) {
  static const char *const taken[] = {
      "", "x", "y", "z", "nx", "ny", "nz", "red", "green", "blue", "alpha", "vertex_index", "vertex_indices"};
  bool reserved = false;
  for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i) reserved |= strcmp(field->name, taken[i]) == 0;
  snprintf(name, size, "%s%s", reserved ? "field_" : "", field->name);
  for (char *c = name; *c; ++c)
    if ((unsigned char)*c <= ' ') *c = '_';
  if (strcmp(name, field->name) != 0)
    syn_warn(w->context, "ply files cannot name a property '%s': it was written as '%s'", field->name, name);
}

static void declare_field(const writer *w, size_t f) {
  static const char *const colors[] = {"red", "green", "blue", "alpha"}, *const normals[] = {"nx", "ny", "nz"};
  const syn_field *field = &w->geometry->fields[f];
  const char *type = w->as_bytes[f] ? "uchar" : "double";
  char name[256];
  const char *const *names = is_color(field) ? colors : is_normal(field) ? normals : NULL;
  if (names) {
    for (uint32_t c = 0; c < field->components; ++c) fprintf(w->stream, "property %s %s\n", type, names[c]);
    return;
  }
  clean_name(w, field, name, sizeof name);
  if (field->components == 1) fprintf(w->stream, "property %s %s\n", type, name);
  for (uint32_t c = 0; field->components > 1 && c < field->components; ++c)
    fprintf(w->stream, "property %s %s_%u\n", type, name, c);
}

static void declare_fields(const writer *w, syn_field_on on) {
  for (size_t f = 0; f < w->geometry->field_count; ++f)
    if (w->geometry->fields[f].on == on) declare_field(w, f);
}

static void write_header(const writer *w) {
  const syn_geometry *g = w->geometry;
  const char *real = w->single ? "float" : "double";
  fprintf(w->stream, "ply\nformat %s 1.0\ncomment written by Synovia, mm\n",
          w->binary ? "binary_little_endian" : "ascii");
  if (g->space != SYN_SPACE_UNKNOWN) fprintf(w->stream, "comment SPACE=%s\n", syn_space_name(g->space));
  syn_put_title(w->context, w->stream, "comment title ", "\n");
  fprintf(w->stream, "element vertex %zu\n", g->point_count);
  fprintf(w->stream, "property %s x\nproperty %s y\nproperty %s z\n", real, real, real);
  declare_fields(w, SYN_ON_POINTS);
  fprintf(w->stream, "element face %zu\nproperty list uchar uint vertex_indices\n", g->triangle_count);
  declare_fields(w, SYN_ON_TRIANGLES);
  fputs("end_header\n", w->stream);
}

/* ---- data ------------------------------------------------------------------------------------------------------- */

static void put_text(writer *w, const char *text) {
  if (!w->line_begins) fputc(' ', w->stream);
  fputs(text, w->stream);
  w->line_begins = false;
}

static void put_real(writer *w, double value, bool single) {
  char room[32];
  if (!w->binary) {
    put_text(w, syn_format_double(single ? (double)(float)value : value, room));
  } else if (single) {
    const float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    bits = little32(bits);
    fwrite(&bits, sizeof bits, 1, w->stream);
  } else {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = little64(bits);
    fwrite(&bits, sizeof bits, 1, w->stream);
  }
}

static void put_byte(writer *w, unsigned value) {
  char room[16];
  if (w->binary) {
    fputc((int)value, w->stream);
    return;
  }
  snprintf(room, sizeof room, "%u", value);
  put_text(w, room);
}

static void put_index(writer *w, uint32_t value) {
  char room[16];
  if (w->binary) {
    value = little32(value);
    fwrite(&value, sizeof value, 1, w->stream);
    return;
  }
  snprintf(room, sizeof room, "%u", value);
  put_text(w, room);
}

/* The fields of one point or triangle, which end its line. */
static void put_fields(writer *w, syn_field_on on, size_t item) {
  for (size_t f = 0; f < w->geometry->field_count; ++f) {
    const syn_field *field = &w->geometry->fields[f];
    if (field->on != on) continue;
    for (size_t c = 0; c < field->components; ++c) {
      const double value = field->values[item * field->components + c];
      if (w->as_bytes[f])
        put_byte(w, (unsigned)value);
      else
        put_real(w, value, false);
    }
  }
  if (!w->binary) fputc('\n', w->stream);
  w->line_begins = true;
}

static void write_data(writer *w) {
  const syn_geometry *g = w->geometry;
  for (size_t i = 0; i < g->point_count; ++i) {
    const double xyz[3] = {g->points[i].x, g->points[i].y, g->points[i].z};
    for (int axis = 0; axis < 3; ++axis) put_real(w, xyz[axis], w->single);
    put_fields(w, SYN_ON_POINTS, i);
  }
  for (size_t i = 0; i < g->triangle_count; ++i) {
    put_byte(w, 3);
    for (int c = 0; c < 3; ++c) put_index(w, g->triangles[i].v[c]);
    put_fields(w, SYN_ON_TRIANGLES, i);
  }
}

syn_status syn_ply_write(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                         FILE *stream, syn_error *error) {
  writer w = {context, g, stream, options->binary, options->single, NULL, true};
  SYN_TRY(SYN_NEW_ZEROED(context, &w.as_bytes, g->field_count, error));
  for (size_t f = 0; f < g->field_count; ++f) {
    const syn_field *field = &g->fields[f];
    if (field->on == SYN_ON_TETS)
      syn_warn(context, "ply files hold no tetrahedra: the field '%s' on them was left out", field->name);
    else
      w.as_bytes[f] = is_color(field) && fits_bytes(g, field);
  }
  write_header(&w);
  write_data(&w);
  syn_free(context, w.as_bytes);
  return SYN_OK;
}
