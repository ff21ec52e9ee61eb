/* The files of a run: report.html, steps.csv, and the articular surfaces at every step for ParaView. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "report/pressure/pressure_writing.h"

const char *syn_pressure_surface_name(int surface) { return surface ? "head" : "socket"; }

syn_pose syn_pressure_pose(const syn_pressure_step *step) {
  syn_pose pose = step->loaded.pose;
  if (vec3_finite(step->shift)) pose.translation = vec3_add(pose.translation, step->shift);
  return pose;
}

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

syn_status syn_pressure_write_csv(const syn_context *context, const syn_pressure *p, const char *path,
                                  syn_error *error) {
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

typedef struct surface_files {
  pressure_writing *w;
  syn_outbox *outbox;
  const char *hidden;
  syn_vec3 *points;
  const char **paths;
  double *times;
} surface_files;

static syn_status write_step(const surface_files *to, int k, size_t step, syn_error *error) {
  const syn_pressure *p = to->w->pressure;
  const syn_pressure_surface *s = &p->surfaces[k];
  const size_t count = s->mesh->vertex_count;
  const syn_pose pose = k ? syn_pressure_pose(&p->steps[step]) : syn_pose_identity();
  for (size_t i = 0; i < count; ++i) to->points[i] = pose_point(&pose, s->mesh->vertices[i]);
  const size_t at = step * count;
  syn_field fields[5] = {{"pressure_mpa", SYN_ON_POINTS, 1, s->pressure_mpa + at},
                         {"gap_mm", SYN_ON_POINTS, 1, s->gap_mm + at},
                         {"thickness_mm", SYN_ON_POINTS, 1, s->thickness_mm}};
  size_t used = 3;
  if (s->von_mises_mpa) fields[used++] = (syn_field){"von_mises_mpa", SYN_ON_POINTS, 1, s->von_mises_mpa + at};
  if (s->foundation_mpa) fields[used++] = (syn_field){"foundation_mpa", SYN_ON_POINTS, 1, s->foundation_mpa + at};
  syn_geometry geometry = syn_trimesh_geometry(s->mesh);
  geometry.points = to->points;
  geometry.fields = fields;
  geometry.field_count = used;
  SYN_TRY(syn_geometry_write(to->w->hip.context, &geometry, to->paths[step], NULL, error));
  return syn_outbox_add(to->outbox, to->paths[step], error);
}

static syn_status write_surface(surface_files *to, int k, syn_error *error) {
  const syn_pressure *p = to->w->pressure;
  const char *name = syn_pressure_surface_name(k);
  for (size_t i = 0; i < p->step_count; ++i) {
    to->paths[i] = hip_text(&to->w->hip, "%s/%s_%04zu.vtu", to->hidden, name, i);
    to->times[i] = p->loads.times_s ? p->loads.times_s[i] : p->steps[i].loaded.at;
    SYN_TRY(syn_arena_check(&to->w->hip.arena, error));
    SYN_TRY(write_step(to, k, i, error));
  }
  const char *list = hip_text(&to->w->hip, "%s/%s.pvd", to->hidden, name);
  SYN_TRY(syn_arena_check(&to->w->hip.arena, error));
  SYN_TRY(syn_pvd_write(to->w->hip.context, list, to->times, to->paths, p->step_count, error));
  return syn_outbox_add(to->outbox, list, error);
}

static syn_status write_surfaces(pressure_writing *w, syn_outbox *outbox, const char *hidden, syn_error *error) {
  const syn_pressure *p = w->pressure;
  surface_files to = {.w = w, .outbox = outbox, .hidden = hidden};
  if (!p->surfaces[0].mesh) return SYN_OK;
  const uint32_t counts[2] = {p->surfaces[0].mesh->vertex_count, p->surfaces[1].mesh->vertex_count};
  SYN_TRY(SYN_TAKE(&w->hip.arena, &to.points, counts[0] > counts[1] ? counts[0] : counts[1], error));
  SYN_TRY(syn_arena_take(&w->hip.arena, p->step_count, sizeof *to.paths, (void **)&to.paths, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &to.times, p->step_count, error));
  SYN_TRY(write_surface(&to, 0, error));
  return write_surface(&to, 1, error);
}

/* ---- everything ---------------------------------------------------------------------------------------------------
 */

static syn_status write_files(pressure_writing *w, const char *title, syn_outbox *outbox, const char *hidden,
                              syn_error *error) {
  syn_context named;
  SYN_TRY(syn_hip_name_files(&w->hip, title, &named, error));
  SYN_TRY(syn_pressure_fill_page(w, title, error));
  const char *page = hip_text(&w->hip, "%s/report.html", hidden), *table = hip_text(&w->hip, "%s/steps.csv", hidden);
  SYN_TRY(syn_arena_check(&w->hip.arena, error));
  SYN_TRY(syn_report_write(w->hip.context, &w->hip.report, NULL, page, error));
  SYN_TRY(syn_outbox_add(outbox, page, error));
  SYN_TRY(syn_pressure_write_csv(w->hip.context, w->pressure, table, error));
  SYN_TRY(syn_outbox_add(outbox, table, error));
  return write_surfaces(w, outbox, hidden, error);
}

syn_status syn_pressure_stage(const syn_context *context, const syn_pressure *pressure, const char *title,
                              const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                              syn_error *error) {
  pressure_writing w;
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  syn_pressure_begin(&w, context, pressure, provenance);
  syn_status status = write_files(&w, title, outbox, hidden, error);
  if (status == SYN_OK && pressure->checkpoint) status = syn_outbox_replace(outbox, pressure->checkpoint, error);
  syn_arena_release(&w.hip.arena);
  return status;
}

syn_status syn_pressure_write_files(const syn_context *context, const syn_pressure *pressure, const char *title,
                                    const syn_provenance *provenance, const char *folder, syn_error *error) {
  syn_outbox *outbox;
  SYN_TRY(syn_outbox_create(context, NULL, &outbox, error));
  syn_status status = syn_pressure_stage(context, pressure, title, provenance, outbox, folder, error);
  if (status == SYN_OK) status = syn_outbox_publish(outbox, error);
  syn_outbox_destroy(outbox);
  return status;
}
