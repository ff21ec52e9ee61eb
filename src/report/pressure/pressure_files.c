/* The files of a run: report.html, steps.csv, and the articular surfaces at every step for ParaView. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "report/pressure/pressure_page.h"

/* ---- the table ----------------------------------------------------------------------------------------------------
 */

/* Fields of a step that fit into columns: a point takes three. */
static bool in_columns(const syn_result_field *field) {
  return field->kind == SYN_VALUE_REAL || field->kind == SYN_VALUE_INTEGER || field->kind == SYN_VALUE_POINT ||
         field->kind == SYN_VALUE_BOOLEAN;
}

static void put_number(FILE *to, double value) {
  if (isfinite(value)) fprintf(to, "%.9g", value);
}

static void put_value(FILE *to, const syn_result_field *field, const syn_value *value) {
  if (field->kind == SYN_VALUE_BOOLEAN) {
    fputs(value->boolean ? "1" : "0", to);
    return;
  }
  if (field->kind != SYN_VALUE_POINT) {
    put_number(to, syn_value_number(value));
    return;
  }
  const bool known = value->kind == SYN_VALUE_POINT;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis) fputc(',', to);
    put_number(to, known ? vec3_at(value->point, axis) : (double)NAN);
  }
}

/* The columns of a record; values of (object, index), or names with a prefix where there is no object. */
static void put_columns(FILE *to, const syn_record *record, const void *object, size_t index, const char *prefix,
                        bool *first) {
  for (size_t i = 0; i < syn_record_count(record); ++i) {
    const syn_result_field field = syn_record_field(record, i);
    if (!in_columns(&field)) continue;
    if (!*first) fputc(',', to);
    *first = false;
    if (object) {
      const syn_value value = syn_record_value(record, i, object, index);
      put_value(to, &field, &value);
    } else if (field.kind == SYN_VALUE_POINT) {
      fprintf(to, "%s%s_x,%s%s_y,%s%s_z", prefix, field.key, prefix, field.key, prefix, field.key);
    } else {
      fprintf(to, "%s%s", prefix, field.key);
    }
  }
}

/* Names of what is to be doubted, with spaces between them. */
static void put_marks(FILE *to, uint64_t marks) {
  const char *between = "";
  for (int mark = 0; mark < SYN_PRESSURE_MARKS; ++mark) {
    if (!(marks >> mark & 1)) continue;
    fprintf(to, "%s%s", between, syn_pressure_mark_name((syn_pressure_mark)mark));
    between = " ";
  }
}

static void put_row(FILE *to, const syn_pressure *p, size_t step, bool names) {
  bool first = true;
  put_columns(to, &syn_pressure_step_record, names ? NULL : p, step, "", &first);
  for (uint32_t r = 0; r < p->socket.region_count; ++r) {
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s_", syn_tissue_name(p->socket.regions[r].tissue));
    for (char *c = prefix; *c; ++c)
      if (*c == ' ') *c = '_';
    put_columns(to, &syn_pressure_region_record, names ? NULL : p, 4 * step + r, prefix, &first);
  }
  fputc(',', to);
  if (names)
    fputs("marks", to);
  else
    put_marks(to, p->steps[step].marks);
}

static syn_status write_steps(const syn_context *context, const syn_pressure *p, const char *path, syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  put_row(output.stream, p, 0, true);
  syn_csv_end(context, output.stream, true);
  for (size_t i = 0; i < p->step_count; ++i) {
    put_row(output.stream, p, i, false);
    syn_csv_end(context, output.stream, false);
  }
  return syn_output_commit(&output, error);
}

/* ---- surfaces -----------------------------------------------------------------------------------------------------
 */

typedef struct articular_surface {
  const syn_pressure *pressure;
  int number;       /* 0: socket, 1: head */
  syn_vec3 *points; /* room for its vertices */
} articular_surface;

static syn_status write_step(const syn_context *context, const void *of, size_t step, const char *path,
                             syn_error *error) {
  const articular_surface *a = of;
  const syn_pressure *p = a->pressure;
  const syn_pressure_surface *s = &p->surfaces[a->number];
  const size_t count = s->mesh->vertex_count, at = step * count;
  const syn_pose pose = a->number ? syn_pressure_pose(&p->steps[step]) : syn_pose_identity();
  for (size_t i = 0; i < count; ++i) a->points[i] = pose_point(&pose, s->mesh->vertices[i]);
  syn_field fields[5] = {{"pressure_mpa", SYN_ON_POINTS, 1, s->pressure_mpa + at},
                         {"gap_mm", SYN_ON_POINTS, 1, s->gap_mm + at},
                         {"thickness_mm", SYN_ON_POINTS, 1, s->thickness_mm}};
  size_t used = 3;
  if (s->von_mises_mpa) fields[used++] = (syn_field){"von_mises_mpa", SYN_ON_POINTS, 1, s->von_mises_mpa + at};
  if (s->foundation_mpa) fields[used++] = (syn_field){"foundation_mpa", SYN_ON_POINTS, 1, s->foundation_mpa + at};
  syn_geometry geometry = syn_trimesh_geometry(s->mesh);
  geometry.points = a->points;
  geometry.fields = fields;
  geometry.field_count = used;
  return syn_geometry_write(context, &geometry, path, NULL, error);
}

static syn_status write_surfaces(syn_publication *to, const syn_pressure *p, syn_error *error) {
  static const char *const names[2] = {"socket", "head"};
  double *times;
  if (!p->surfaces[0].mesh) return SYN_OK;
  SYN_TRY(SYN_TAKE(&to->page.arena, &times, p->step_count, error));
  for (size_t i = 0; i < p->step_count; ++i) times[i] = p->loads.times_s ? p->loads.times_s[i] : p->steps[i].loaded.at;
  for (int k = 0; k < 2; ++k) {
    articular_surface surface = {.pressure = p, .number = k};
    SYN_TRY(SYN_TAKE(&to->page.arena, &surface.points, p->surfaces[k].mesh->vertex_count, error));
    const syn_publication_series series = {names[k], times, p->step_count, write_step, &surface};
    SYN_TRY(syn_publication_add_series(to, &series, error));
  }
  return SYN_OK;
}

/* ---- everything ---------------------------------------------------------------------------------------------------
 */

/* What the checkpoint of a stopped run was for is then done. */
static syn_status write_files(syn_publication *to, const void *result, syn_error *error) {
  const syn_pressure *p = result;
  const char *path;
  if (to->options->what & SYN_PUBLISH_FILES) {
    SYN_TRY(syn_publication_path(to, "steps.csv", &path, error));
    SYN_TRY(write_steps(&to->files, p, path, error));
    SYN_TRY(syn_publication_add(to, path, error));
    SYN_TRY(write_surfaces(to, p, error));
  }
  return p->checkpoint ? syn_outbox_replace(to->outbox, p->checkpoint, error) : SYN_OK;
}

static const char *name_files(syn_publication *to, const void *result) {
  const syn_pressure *p = result;
  return syn_page_hip_name(&to->page, p->hip_case->hip.side, to->options->title);
}

const syn_published_kind syn_published_pressure = {.record = &syn_pressure_record,
                                                   .kind = "pressure",
                                                   .command = "pressure",
                                                   .title = "Contact pressure",
                                                   .name_files = name_files,
                                                   .add = syn_pressure_add_page,
                                                   .write = write_files};
