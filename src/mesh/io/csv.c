/* Points and their fields as a table for spreadsheets and statistics; written, not read. */
#include "base/text.h"
#include "mesh/io/format.h"

/* `component` is -1 for a scalar. */
static void write_name(FILE *stream, const char *name, int64_t component) {
  char ending[24] = "";
  if (component >= 0) snprintf(ending, sizeof ending, "_%lld", (long long)component);
  fputc(',', stream);
  syn_csv_text(stream, name, ending);
}

static void write_titles(const syn_context *context, const syn_geometry *g, FILE *stream) {
  fputs("x,y,z", stream);
  for (size_t f = 0; f < g->field_count; ++f)
    for (uint32_t c = 0; g->fields[f].on == SYN_ON_POINTS && c < g->fields[f].components; ++c)
      write_name(stream, g->fields[f].name, g->fields[f].components == 1 ? -1 : (int64_t)c);
  syn_csv_end(context, stream, true);
}

static void write_row(const syn_context *context, const syn_geometry *g, size_t point, FILE *stream) {
  char x[32], y[32], z[32];
  const syn_vec3 *p = &g->points[point];
  fprintf(stream, "%s,%s,%s", syn_format_double(p->x, x), syn_format_double(p->y, y), syn_format_double(p->z, z));
  for (size_t f = 0; f < g->field_count; ++f)
    for (size_t c = 0; g->fields[f].on == SYN_ON_POINTS && c < g->fields[f].components; ++c)
      fprintf(stream, ",%s", syn_format_double(g->fields[f].values[point * g->fields[f].components + c], x));
  syn_csv_end(context, stream, false);
}

static syn_status write_csv(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  (void)options, (void)error;
  for (size_t i = 0; i < g->field_count; ++i)
    if (g->fields[i].on != SYN_ON_POINTS)
      syn_warn(context, "csv files hold points only: the field '%s' was left out", g->fields[i].name);
  write_titles(context, g, stream);
  for (size_t i = 0; i < g->point_count; ++i) write_row(context, g, i, stream);
  return SYN_OK;
}

const syn_format syn_format_csv = {
    .info = {"csv", ".csv", .writes = true, .holds_fields = true, .doubles = true},
    .write = write_csv,
};
