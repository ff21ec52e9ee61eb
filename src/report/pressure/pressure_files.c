/* Writes the files of a run: report.html, steps.csv, and the articular surfaces at every step for ParaView. */
#include <math.h>
#include <stdio.h>

#include "base/files/file.h"
#include "base/files/outbox.h"
#include "base/text.h"
#include "base/vec.h"
#include "report/pressure/pressure_page.h"

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

typedef struct articular_surface {
  const syn_pressure *pressure;
  int number;       /* 0: socket, 1: head */
  syn_vec3 *points; /* buffer for its vertices */
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

/* ---- all files --------------------------------------------------------------------------------------------------- */

/* After that the checkpoint of a stopped run is no longer needed. */
static syn_status write_files(syn_publication *to, const void *result, syn_error *error) {
  const syn_pressure *p = result;
  const char *path;
  if (to->options->what & SYN_PUBLISH_FILES) {
    SYN_TRY(syn_publication_path(to, "steps.csv", &path, error));
    SYN_TRY(syn_csv_write(&to->files, &syn_pressure_csv, p, path, error));
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
