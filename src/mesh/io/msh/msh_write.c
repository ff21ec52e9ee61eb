/* Writing Gmsh 2.2: the version that every program reads. */
#include <math.h>
#include <string.h>

#include "mesh/io/msh/msh.h"

typedef struct writer {
  const syn_geometry *geometry;
  FILE *stream;
  bool binary;
} writer;

/* An integer and the blank after it, or four bytes. */
static void put_int(const writer *w, int32_t value) {
  if (w->binary)
    fwrite(&value, sizeof value, 1, w->stream);
  else
    fprintf(w->stream, "%d ", value);
}

static void put_doubles(const writer *w, const double *values, size_t count) {
  char room[32];
  if (w->binary) {
    fwrite(values, sizeof *values, count, w->stream);
    return;
  }
  for (size_t i = 0; i < count; ++i)
    fprintf(w->stream, "%s%c", syn_format_double(values[i], room), i + 1 < count ? ' ' : '\n');
}

static bool is_tag(const syn_field *field) {
  return field->components == 1 && field->on != SYN_ON_POINTS &&
         (strcmp(field->name, "physical") == 0 || strcmp(field->name, "entity") == 0);
}

/* "physical" and "entity" are written as tags of the elements. Tags are whole numbers of 32 bits. */
static syn_status check_tags(const syn_geometry *g, syn_error *error) {
  for (size_t i = 0; i < g->field_count; ++i) {
    const syn_field *f = &g->fields[i];
    const size_t count = f->on == SYN_ON_TETS ? g->tet_count : g->triangle_count;
    for (size_t k = 0; is_tag(f) && k < count; ++k)
      if (!(f->values[k] == floor(f->values[k]) && fabs(f->values[k]) < 0x1p31))
        return syn_fail(error, SYN_BAD_MESH,
                        "the field '%s' is %g for cell %zu, but msh files want whole numbers there", f->name,
                        f->values[k], k);
  }
  return SYN_OK;
}

static const double *tag_values(const syn_geometry *g, const char *name, syn_field_on on) {
  for (size_t i = 0; i < g->field_count; ++i)
    if (is_tag(&g->fields[i]) && g->fields[i].on == on && strcmp(g->fields[i].name, name) == 0)
      return g->fields[i].values;
  return NULL;
}

static void write_nodes(const writer *w) {
  fprintf(w->stream, "$Nodes\n%zu\n", w->geometry->point_count);
  for (size_t i = 0; i < w->geometry->point_count; ++i) {
    const syn_vec3 p = w->geometry->points[i];
    put_int(w, (int32_t)(i + 1));
    put_doubles(w, (const double[3]){p.x, p.y, p.z}, 3);
  }
  fputs(w->binary ? "\n$EndNodes\n" : "$EndNodes\n", w->stream);
}

static void write_cells(const writer *w, syn_field_on on, size_t first) {
  const syn_geometry *g = w->geometry;
  const bool tets = on == SYN_ON_TETS;
  const size_t count = tets ? g->tet_count : g->triangle_count;
  const int corners = tets ? 4 : 3, type = tets ? 4 : 2;
  const double *physical = tag_values(g, "physical", on), *entity = tag_values(g, "entity", on);
  if (w->binary && count > 0) {
    put_int(w, type);
    put_int(w, (int32_t)count);
    put_int(w, 2);
  }
  for (size_t i = 0; i < count; ++i) {
    const uint32_t *v = tets ? g->tets[i].v : g->triangles[i].v;
    put_int(w, (int32_t)(first + i));
    if (!w->binary) put_int(w, type);
    if (!w->binary) put_int(w, 2);
    put_int(w, physical ? (int32_t)physical[i] : 0);
    put_int(w, entity ? (int32_t)entity[i] : 1);
    for (int c = 0; c < corners; ++c) put_int(w, (int32_t)(v[c] + 1));
    if (!w->binary) fputc('\n', w->stream);
  }
}

/* Between quotes on one line. */
static void put_name(const writer *w, const char *name) {
  fputc('"', w->stream);
  for (; *name; ++name) fputc(*name == '"' || (unsigned char)*name < ' ' ? '_' : *name, w->stream);
  fputs("\"\n", w->stream);
}

static void write_field(const writer *w, const syn_field *f) {
  const syn_geometry *g = w->geometry;
  const bool points = f->on == SYN_ON_POINTS;
  const size_t count = points ? g->point_count : f->on == SYN_ON_TETS ? g->tet_count : g->triangle_count;
  const size_t first = 1 + (f->on == SYN_ON_TETS ? g->triangle_count : 0);
  const char *section = points ? "NodeData" : "ElementData";
  fprintf(w->stream, "$%s\n1\n", section);
  put_name(w, f->name);
  fprintf(w->stream, "1\n0\n3\n0\n%u\n%zu\n", f->components, count);
  for (size_t i = 0; i < count; ++i) {
    put_int(w, (int32_t)(first + i));
    put_doubles(w, f->values + i * f->components, f->components);
  }
  fprintf(w->stream, "%s$End%s\n", w->binary ? "\n" : "", section);
}

syn_status syn_msh_write(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                         FILE *stream, syn_error *error) {
  (void)context;
  const writer w = {g, stream, options->binary};
  if (g->point_count > INT32_MAX || g->triangle_count + g->tet_count > INT32_MAX)
    return syn_fail(error, SYN_TOO_LARGE, "msh 2.2 counts nodes and elements with 31 bits");
  SYN_TRY(check_tags(g, error));
  fprintf(stream, "$MeshFormat\n2.2 %d 8\n", w.binary);
  if (w.binary) {
    put_int(&w, 1);
    fputc('\n', stream);
  }
  fputs("$EndMeshFormat\n", stream);
  write_nodes(&w);
  fprintf(stream, "$Elements\n%zu\n", g->triangle_count + g->tet_count);
  write_cells(&w, SYN_ON_TRIANGLES, 1);
  write_cells(&w, SYN_ON_TETS, 1 + g->triangle_count);
  fprintf(stream, "%s$EndElements\n", w.binary ? "\n" : "");
  for (size_t i = 0; i < g->field_count; ++i)
    if (!is_tag(&g->fields[i])) write_field(&w, &g->fields[i]);
  return SYN_OK;
}
