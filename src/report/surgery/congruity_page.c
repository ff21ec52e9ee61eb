/* Writes cartilages in motion as a page, and as frames for ParaView. */
#include "report/surgery/congruity_page.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/virtual_hip/virtual_hip.h"

/* ---- curves ------------------------------------------------------------------------------------------------------ */

static double contact_force(const void *moment) { return vec3_length(((const syn_congruity_moment *)moment)->force); }

/* Of the acetabular cartilage. */
#define OF(NAME) .offset = offsetof(syn_congruity_moment, surfaces[SYN_CONGRUITY_ACETABULAR].NAME)
static const syn_page_column curves[] = {
    {"contact", "Contact area", "mm²", OF(contact_mm2)},
    {"above", "Area above the threshold", "mm²", OF(above_mm2)},
    {"pressure", "Greatest contact pressure", "kPa", OF(pressure_mpa), .factor = 1e3},
    {"stress", "Greatest stress of the acetabular cartilage", "kPa", OF(peak_mpa), .factor = 1e3},
    {"strain", "Greatest strain of it", "%", OF(strain), .factor = 100},
    {"force", "Contact force", "N", .of = contact_force}};
static const syn_page_column columns[] = {
    {"time", "Time", "s", .offset = offsetof(syn_congruity_moment, time_s)},
    {"flexion", "Flexion", "°", .offset = offsetof(syn_congruity_moment, angles.flexion), .factor = SYN_RADIAN},
    {"adduction", "Adduction", "°", .offset = offsetof(syn_congruity_moment, angles.adduction), .factor = SYN_RADIAN},
    {"rotation", "Internal rotation", "°", .offset = offsetof(syn_congruity_moment, angles.rotation),
     .factor = SYN_RADIAN},
    {"contact", "Contact area", "mm²", OF(contact_mm2)},
    {"above", "Above the threshold", "mm²", OF(above_mm2)},
    {"pressure", "Contact pressure", "kPa", OF(pressure_mpa), .factor = 1e3},
    {"even", "Mean pressure by the greatest", "", OF(even)},
    {"force", "Force", "N", .of = contact_force}};
#undef OF

static syn_page_rows rows_of(const syn_congruity_path *p) { return SYN_PAGE_ROWS(p->moments, p->moment_count); }

/* Returns the name of the motion. */
static const char *add_motion_and_table(syn_page *page, const syn_congruity_path *p, const char *prefix,
                                        const char *label) {
  const char *name = syn_page_text(page, "%s%s", prefix, p->path->name),
             *title = syn_page_text(page, "%s%s", p->path->label, label);
  syn_report_motion *motion =
      syn_page_add_motion(page, (syn_report_motion){.name = name,
                                                    .label = title,
                                                    .poses = p->poses,
                                                    .pose_count = p->moment_count,
                                                    .along_label = "Time",
                                                    .along_unit = "s",
                                                    .along = syn_page_values(page, &columns[0], rows_of(p))});
  syn_page_add_curves(page, motion, curves, sizeof curves / sizeof *curves, rows_of(p));
  const syn_report_table head = {
      .name = name, .title = title, .note = "Of the acetabular cartilage. The threshold is one of von Mises stress."};
  syn_page_add_rows(page, head, columns, sizeof columns / sizeof *columns, rows_of(p));
  return name;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

/* Computes values on the surface, whose vertices are the first nodes, in kPa or percent. */
static syn_status on_surface(syn_page *page, const double *values, size_t moments, const syn_congruity *c, int side,
                             double scale, const double **out, syn_error *error) {
  const uint32_t nodes = c->volumes[side]->vertex_count, vertices = c->surfaces[side]->vertex_count;
  double *taken;
  SYN_TRY(SYN_TAKE(&page->arena, &taken, moments * vertices, error));
  for (size_t i = 0; i < moments; ++i)
    for (uint32_t v = 0; v < vertices; ++v) taken[i * vertices + v] = scale * values[i * nodes + v];
  *out = taken;
  return SYN_OK;
}

/* Fields of one name and different motions appear as one field. */
static syn_status add_fields(syn_page *page, const syn_congruity *c, const syn_congruity_path *p, int side,
                             const char *motion, syn_report_body *body, syn_error *error) {
  const struct {
    const char *name, *label, *unit;
    const double *values;
    double scale;
  } kinds[] = {{"stress", "Stress", "kPa", p->fields[side].stress_mpa, 1e3},
               {"pressure", "Contact pressure", "kPa", p->fields[side].pressure_mpa, 1e3},
               {"strain", "Strain", "%", p->fields[side].strain, 100}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    syn_report_field field = {.name = kinds[k].name,
                              .label = kinds[k].label,
                              .unit = kinds[k].unit,
                              .steps = p->moment_count,
                              .motion = motion};
    SYN_TRY(on_surface(page, kinds[k].values, p->moment_count, c, side, kinds[k].scale, &field.values, error));
    syn_page_add_field(page, body, field);
  }
  return SYN_OK;
}

/* Adds the displacement of the vertices from the mesh position, in the frame of the body. */
static syn_status add_displacement(syn_page *page, const syn_congruity *c, const syn_congruity_path *p, int side,
                                   const char *motion, syn_report_body *body, syn_error *error) {
  const uint32_t nodes = c->volumes[side]->vertex_count, vertices = c->surfaces[side]->vertex_count;
  syn_vec3 *values;
  SYN_TRY(SYN_TAKE(&page->arena, &values, p->moment_count * vertices, error));
  for (size_t i = 0; i < p->moment_count; ++i) {
    const syn_pose back = side == SYN_CONGRUITY_FEMORAL ? syn_pose_inverse(&p->poses[i]) : syn_pose_identity();
    for (uint32_t v = 0; v < vertices; ++v)
      values[i * vertices + v] =
          vec3_sub(syn_pose_point(&back, p->fields[side].places[i * nodes + v]), c->surfaces[side]->vertices[v]);
  }
  syn_page_add_vectors(
      page, body, (syn_report_vectors){"displacement", "Displacement", "mm", values, p->moment_count, motion, true});
  return SYN_OK;
}

syn_status syn_page_add_congruity(syn_page *page, const syn_congruity *c, const syn_trimesh *const *bodies,
                                  const char *prefix, const char *label, syn_error *error) {
  for (size_t i = 0; i < c->path_count; ++i) {
    const syn_congruity_path *p = &c->paths[i];
    const char *name = add_motion_and_table(page, p, prefix, label), *motion = p->moment_count > 1 ? name : NULL;
    for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
      syn_report_body *body = syn_page_body(page, bodies[side]);
      SYN_TRY(add_fields(page, c, p, side, motion, body, error));
      SYN_TRY(add_displacement(page, c, p, side, motion, body, error));
    }
  }
  return SYN_OK;
}

syn_hip syn_congruity_hip(const syn_hip *hip, const syn_congruity *c) {
  syn_hip shown = *hip;
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side)
    shown.parts[syn_congruity_part((syn_congruity_side)side)] = c->surfaces[side];
  return shown;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static const char *path_sentence(syn_page *page, const syn_congruity_path *p) {
  if (p->moment_count == 0) return syn_page_text(page, "%s: no equilibrium was found.", p->path->label);
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < p->moment_count; ++i) {
    const double area = p->moments[i].surfaces[SYN_CONGRUITY_ACETABULAR].contact_mm2;
    least = fmin(least, area);
    most = fmax(most, area);
  }
  const syn_congruity_moment *worst = &p->moments[syn_congruity_worst(p)];
  return syn_page_text(
      page,
      "%s: the cartilages touch on %.0f to %.0f mm². The greatest contact pressure, %.2f kPa, comes at %.0f° "
      "of flexion, %.0f° of adduction and %.0f° of internal rotation.",
      p->path->label, least, most, worst->surfaces[SYN_CONGRUITY_ACETABULAR].pressure_mpa * 1e3,
      worst->angles.flexion * SYN_RADIAN, worst->angles.adduction * SYN_RADIAN, worst->angles.rotation * SYN_RADIAN);
}

static syn_status add_page(syn_publication *to, const void *result, syn_error *error) {
  const syn_congruity *c = result;
  syn_page *page = &to->page;
  const syn_hip shown = syn_congruity_hip(&c->hip_case->hip, c);
  syn_page_show_hip(page, c->hip_case, "stress of its cartilages");
  syn_page_add_hip_notes(page, &(syn_hip_assumed){.hip_case = c->hip_case});
  syn_page_add_hip_parts(page, &shown);
  SYN_TRY(syn_page_add_hip_inputs(page, c->hip_case, NULL, error));
  SYN_TRY(syn_page_add_congruity(page, c, (const syn_trimesh *const *)c->surfaces, "", "", error));
  for (size_t i = 0; i < c->path_count; ++i) syn_page_add_finding(page, path_sentence(page, &c->paths[i]), NULL);
  syn_page_add_finding(
      page,
      syn_page_text(page,
                    "Both cartilages have a modulus of %g MPa, and stresses are in proportion to it; the femur is "
                    "pressed into the socket by %g mm.",
                    c->options.young_mpa, c->options.press_mm),
      NULL);
  return SYN_OK;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* One cartilage along one path. */
typedef struct cartilage_path {
  const syn_congruity *congruity;
  const syn_congruity_path *path;
  int side;
} cartilage_path;

static syn_status write_frame(const syn_context *context, const void *of, size_t moment, const char *path,
                              syn_error *error) {
  const cartilage_path *p = of;
  const syn_tetmesh *volume = p->congruity->volumes[p->side];
  const size_t from = moment * volume->vertex_count;
  const syn_congruity_fields *f = &p->path->fields[p->side];
  const syn_field fields[] = {{"von_mises_mpa", SYN_ON_POINTS, 1, f->stress_mpa + from},
                              {"pressure_mpa", SYN_ON_POINTS, 1, f->pressure_mpa + from},
                              {"strain", SYN_ON_POINTS, 1, f->strain + from}};
  syn_geometry geometry = syn_tetmesh_geometry(volume);
  geometry.points = f->places + from;
  geometry.fields = fields;
  geometry.field_count = sizeof fields / sizeof *fields;
  return syn_geometry_write(context, &geometry, path, NULL, error);
}

syn_status syn_publication_add_congruity(syn_publication *to, const syn_congruity *c, const char *prefix,
                                         syn_error *error) {
  for (size_t i = 0; i < c->path_count; ++i)
    for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
      const syn_congruity_path *p = &c->paths[i];
      const cartilage_path of = {c, p, side};
      const char *stem =
          syn_page_text(&to->page, "%s%s_%s", prefix, p->path->name, syn_congruity_side_name((syn_congruity_side)side));
      const double *times = syn_page_values(&to->page, &columns[0], rows_of(p));
      SYN_TRY(syn_arena_check(&to->page.arena, error));
      SYN_TRY(syn_publication_add_series(to, &(syn_publication_series){stem, times, p->moment_count, write_frame, &of},
                                         error));
    }
  return SYN_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static syn_status write_files(syn_publication *to, const void *result, syn_error *error) {
  const char *path;
  if (!(to->options->what & SYN_PUBLISH_FILES)) return SYN_OK;
  SYN_TRY(syn_publication_path(to, "congruity.csv", &path, error));
  SYN_TRY(syn_csv_write(&to->files, &syn_congruity_csv, result, path, error));
  SYN_TRY(syn_publication_add(to, path, error));
  return syn_publication_add_congruity(to, result, "", error);
}

static const char *name_files(syn_publication *to, const void *result) {
  const syn_congruity *c = result;
  return syn_page_hip_name(&to->page, c->hip_case->hip.side, to->options->title);
}

const syn_published_kind syn_published_congruity = {.record = &syn_congruity_record,
                                                    .kind = "surgery",
                                                    .command = "congruity",
                                                    .title = "Congruity",
                                                    .name_files = name_files,
                                                    .add = add_page,
                                                    .write = write_files};
