/* Writes contact pressure as a page: the pressure on the cartilage along the motion, curves and a table. */

#include <math.h>
#include <stdio.h>

#include "base/files/file.h"
#include "base/files/outbox.h"
#include "base/text.h"
#include "base/vec.h"
#include "report/hip/hip_page.h"
#include <synovia/pressure.h>

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static const char *peak_sentence(syn_page *page, const syn_pressure *p) {
  const syn_pressure_step *s = p->peak;
  const char *when =
      p->step_count > 1 ? syn_page_text(page, " at %.0f° of flexion", s->loaded.angles[0] * SYN_RADIAN) : "";
  if (isnan(s->total.force_n))
    return syn_page_text(page, "%s: the pressure is estimated to rise to %.1f MPa%s.", p->loads.label,
                         s->total.peak_mpa, when);
  return syn_page_text(
      page, "%s: the pressure rises to %.1f MPa%s, %.1f MPa on average over %.0f mm², under a load of %.0f N.",
      p->loads.label, s->total.peak_mpa, when, s->total.mean_mpa, s->total.area_mm2, vec3_length(s->loaded.force));
}

/* Writes the share of the load that each tissue of the socket carries, if there is more than cartilage. */
static const char *share_sentence(syn_page *page, const syn_pressure *p) {
  const char *text = "";
  for (uint32_t r = 1; r < p->socket.region_count; ++r)
    if (p->socket.tissues[r] == SYN_TISSUE_LABRUM && p->peak->regions[r].area_mm2 > 0)
      text = syn_page_text(page, "There the labrum bears %.1f %% of the load.",
                           100 * p->peak->regions[r].force_n / vec3_length(p->peak->loaded.force));
  return text;
}

/* The notes give the reason. */
static const char *validity_sentence(syn_page *page, const syn_pressure *p) {
  if (p->invalid_count == 0) return "";
  if (p->invalid_count == p->step_count) return "Not valid: the notes say why this pressure is no answer.";
  return syn_page_text(page, "%zu of %zu poses are not valid and do not count for the peak: the notes say why.",
                       p->invalid_count, p->step_count);
}

static void add_findings(syn_page *page, const syn_pressure *p) {
  syn_page_add_finding(page, peak_sentence(page, p), NULL);
  syn_page_add_finding(page, validity_sentence(page, p), NULL);
  syn_page_add_finding(page, share_sentence(page, p), NULL);
  if (p->stopped[0])
    syn_page_add_finding(page,
                         syn_page_text(page, "The motion ends early, after step %zu of %zu: %s.", p->step_count,
                                       p->loads.count, p->stopped),
                         NULL);
  if (p->socket.assumed || p->head.assumed)
    syn_page_add_finding(page, "The scan shows no cartilage: its thickness is assumed, and pressures depend on it.",
                         NULL);
  const char *load = isnan(p->loads.body_weight_n) ? syn_page_text(page, "Load: %s.", p->loads.source)
                                                   : syn_page_text(page, "Load: %s. Body weight %.0f N.",
                                                                   p->loads.source, p->loads.body_weight_n);
  syn_page_add_finding(page, load, NULL);
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

/* Without contact there is nothing to colour. */
static syn_status leave_out_zeros(syn_page *page, const double *values, size_t count, const double **kept,
                                  syn_error *error) {
  double *copy;
  SYN_TRY(SYN_TAKE(&page->arena, &copy, count, error));
  for (size_t i = 0; i < count; ++i) copy[i] = values[i] > 0 ? values[i] : (double)NAN;
  *kept = copy;
  return SYN_OK;
}

/* Keeps triangles with tissue below a vertex; bare bone would coincide with the bone itself. */
static syn_status with_tissue(syn_page *page, const syn_pressure_surface *s, const syn_trimesh **mesh,
                              syn_error *error) {
  syn_trimesh *shown_mesh;
  syn_triangle *triangles;
  uint32_t count = 0;
  SYN_TRY(SYN_TAKE(&page->arena, &shown_mesh, 1, error));
  SYN_TRY(SYN_TAKE(&page->arena, &triangles, s->mesh->triangle_count, error));
  for (uint32_t i = 0; i < s->mesh->triangle_count; ++i) {
    const uint32_t *v = s->mesh->triangles[i].v;
    if (s->thickness_mm[v[0]] > 0 || s->thickness_mm[v[1]] > 0 || s->thickness_mm[v[2]] > 0)
      triangles[count++] = s->mesh->triangles[i];
  }
  *shown_mesh = (syn_trimesh){.context = s->mesh->context,
                              .vertex_count = s->mesh->vertex_count,
                              .triangle_count = count,
                              .vertices = s->mesh->vertices,
                              .triangles = triangles};
  *mesh = shown_mesh;
  return SYN_OK;
}

/* Computes foundation minus finite elements, wherever either has a pressure. */
static syn_status difference(syn_page *page, const syn_pressure_surface *s, size_t count, const double **kept,
                             syn_error *error) {
  double *values;
  SYN_TRY(SYN_TAKE(&page->arena, &values, count, error));
  for (size_t i = 0; i < count; ++i)
    values[i] =
        s->pressure_mpa[i] > 0 || s->foundation_mpa[i] > 0 ? s->foundation_mpa[i] - s->pressure_mpa[i] : (double)NAN;
  *kept = values;
  return SYN_OK;
}

/* Adds a field with a set of values for each step. */
static void add_field(syn_page *page, syn_report_body *body, const char *const names[3], const double *values) {
  const syn_report_motion *motion = &page->report.motions[0];
  const size_t steps = motion->pose_count;
  syn_page_add_field(page, body,
                     (syn_report_field){.name = names[0],
                                        .label = names[1],
                                        .unit = names[2],
                                        .values = values,
                                        .steps = steps,
                                        .motion = steps > 1 ? motion->name : NULL});
}

static syn_status add_fields(syn_page *page, const syn_pressure_surface *s, size_t steps, syn_report_body *body,
                             syn_error *error) {
  static const char *const names[][3] = {{"pressure", "Contact pressure", "MPa"},
                                         {"von_mises", "von Mises stress", "MPa"},
                                         {"foundation", "Pressure by elastic foundation", "MPa"},
                                         {"difference", "Foundation less finite elements", "MPa"},
                                         {"gap", "Gap, below 0 in contact", "mm"}};
  const size_t count = steps * s->mesh->vertex_count;
  const double *pressure, *foundation, *less;
  SYN_TRY(leave_out_zeros(page, s->pressure_mpa, count, &pressure, error));
  add_field(page, body, names[0], pressure);
  if (s->von_mises_mpa) add_field(page, body, names[1], s->von_mises_mpa);
  if (s->foundation_mpa) {
    SYN_TRY(leave_out_zeros(page, s->foundation_mpa, count, &foundation, error));
    SYN_TRY(difference(page, s, count, &less, error));
    add_field(page, body, names[2], foundation);
    add_field(page, body, names[3], less);
  }
  add_field(page, body, names[4], s->gap_mm);
  syn_page_add_field(
      page, body, (syn_report_field){"thickness", "Thickness of the cartilage", "mm", s->thickness_mm, 1, NULL, 0, 0});
  return SYN_OK;
}

static syn_status add_surfaces(syn_page *page, const syn_pressure *p, syn_error *error) {
  static const char *const names[] = {"socket_surface", "head_surface"}, *const labels[] = {"Surface of the socket",
                                                                                            "Surface of the head"};
  for (int k = 0; p->surfaces[0].mesh && k < 2; ++k) {
    syn_body body = {.name = names[k], .tissue = SYN_TISSUE_CARTILAGE, .moves = k == 1};
    SYN_TRY(with_tissue(page, &p->surfaces[k], &body.surface, error));
    syn_report_body *added = syn_page_add_body(page, (syn_report_body){.body = body, .label = labels[k]});
    SYN_TRY(add_fields(page, &p->surfaces[k], p->step_count, added, error));
  }
  return SYN_OK;
}

/* ---- the motion -------------------------------------------------------------------------------------------------- */

/* Returns the pose of the femur at a step: rotated, and shifted into equilibrium. */
static syn_pose pressure_pose(const syn_pressure_step *step) {
  syn_pose pose = step->loaded.pose;
  if (vec3_finite(step->shift)) pose.translation = vec3_add(pose.translation, step->shift);
  return pose;
}

static syn_status add_loaded_motion(syn_page *page, const syn_pressure *p, syn_error *error) {
#define OF(MEMBER) .offset = offsetof(syn_pressure_step, total.MEMBER)
  static const syn_page_column columns[] = {{"peak", "Peak pressure", "MPa", OF(peak_mpa)},
                                            {"mean", "Mean pressure", "MPa", OF(mean_mpa)},
                                            {"area", "Contact area", "mm²", OF(area_mm2)}};
#undef OF
  syn_pose *poses;
  double *along;
  const bool timed = isfinite(p->steps[0].loaded.time_s);
  SYN_TRY(SYN_TAKE(&page->arena, &poses, p->step_count, error));
  SYN_TRY(SYN_TAKE(&page->arena, &along, p->step_count, error));
  for (size_t i = 0; i < p->step_count; ++i) {
    poses[i] = pressure_pose(&p->steps[i]);
    along[i] = timed ? p->steps[i].loaded.time_s : 100 * p->steps[i].loaded.at;
  }
  syn_report_motion *motion =
      syn_page_add_motion(page, (syn_report_motion){.name = "loaded",
                                                    .label = p->loads.label,
                                                    .poses = poses,
                                                    .pose_count = p->step_count,
                                                    .along_label = timed ? "Time" : "Part of the motion",
                                                    .along_unit = timed ? "s" : "%",
                                                    .along = along});
  syn_page_add_curves(page, motion, columns, sizeof columns / sizeof *columns, SYN_PAGE_ROWS(p->steps, p->step_count));
  return syn_arena_check(&page->arena, error);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status add_tables(syn_page *page, const syn_pressure *p, syn_error *error) {
  SYN_TRY(syn_page_add_record(page, &syn_pressure_step_record, p->steps, p->step_count, "Pressure at every step",
                              "Mean over the area in contact. The femur is free to shift until forces balance.",
                              error));
  if (!p->compared) return SYN_OK;
  return syn_page_add_record(page, &syn_contact_comparison_record, &p->comparison, 1, "Beside CalculiX",
                             "The first step. CalculiX takes small displacements and Hooke's law.", error);
}

/* Fills the page from a syn_pressure. */
static syn_status pressure_add_page(syn_publication *to, const void *result, syn_error *error) {
  const syn_pressure *p = result;
  syn_page *page = &to->page;
  const syn_hip bones = syn_hip_bones(&p->hip_case->hip);
  syn_page_show_hip(page, p->hip_case, syn_page_text(page, "contact pressure by %s", p->method));
  add_findings(page, p);
  syn_page_add_hip_notes(page, &(syn_hip_assumed){.hip_case = p->hip_case});
  SYN_TRY(add_loaded_motion(page, p, error));
  syn_page_add_hip_parts(page, &bones);
  SYN_TRY(add_surfaces(page, p, error));
  SYN_TRY(add_tables(page, p, error));
  return syn_page_add_hip_inputs(page, p->hip_case, NULL, error);
}

/* ---- pressure files -------------------------------------------------------------------------------------------- */
/* Writes the files of a run: report.html, steps.csv, and the articular surfaces at every step for ParaView. */

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
  const syn_pose pose = a->number ? pressure_pose(&p->steps[step]) : syn_pose_identity();
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
  const bool timed = isfinite(p->steps[0].loaded.time_s);
  if (!p->surfaces[0].mesh) return SYN_OK;
  SYN_TRY(SYN_TAKE(&to->page.arena, &times, p->step_count, error));
  for (size_t i = 0; i < p->step_count; ++i) times[i] = timed ? p->steps[i].loaded.time_s : p->steps[i].loaded.at;
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
                                                   .add = pressure_add_page,
                                                   .write = write_files};
