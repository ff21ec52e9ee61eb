/* Cartilages in motion as a page, and as frames for ParaView. */
#include <math.h>
#include <stdio.h>

#include "report/surgery/tissue_operation_page.h"

enum { CURVES = 6, COLUMNS = 9 };

/* ---- curves --------------------------------------------------------------------------------------------------------
 */

static double value_of(const syn_congruity_moment *m, size_t curve) {
  const syn_congruity_surface *s = &m->surfaces[SYN_CONGRUITY_ACETABULAR];
  const double values[CURVES] = {s->contact_mm2,    s->above_mm2,    s->pressure_mpa * 1e3,
                                 s->peak_mpa * 1e3, s->strain * 100, vec3_length(m->force)};
  return values[curve];
}

static syn_status fill_motion(tissue_writing *w, const syn_congruity_path *p, const char *prefix, const char *label,
                              syn_report_motion *motion, syn_error *error) {
  static const syn_report_curve shown[CURVES] = {{"contact", "Contact area", "mm²", NULL},
                                                 {"above", "Area above the threshold", "mm²", NULL},
                                                 {"pressure", "Greatest contact pressure", "kPa", NULL},
                                                 {"stress", "Greatest stress of the acetabular cartilage", "kPa", NULL},
                                                 {"strain", "Greatest strain of it", "%", NULL},
                                                 {"force", "Contact force", "N", NULL}};
  syn_report_curve *curves;
  double *along;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &curves, CURVES, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &along, p->moment_count, error));
  for (size_t i = 0; i < p->moment_count; ++i) along[i] = p->moments[i].time_s;
  for (size_t k = 0; k < CURVES; ++k) {
    double *values;
    SYN_TRY(SYN_TAKE(&w->hip.arena, &values, p->moment_count, error));
    for (size_t i = 0; i < p->moment_count; ++i) values[i] = value_of(&p->moments[i], k);
    curves[k] = shown[k];
    curves[k].values = values;
  }
  *motion = (syn_report_motion){.name = hip_text(&w->hip, "%s%s", prefix, p->path->name),
                                .label = hip_text(&w->hip, "%s%s", p->path->label, label),
                                .poses = p->poses,
                                .pose_count = p->moment_count,
                                .along_label = "Time",
                                .along_unit = "s",
                                .along = along,
                                .curves = curves,
                                .curve_count = CURVES};
  return SYN_OK;
}

/* ---- fields --------------------------------------------------------------------------------------------------------
 */

/* Values on the surface, whose vertices are the first nodes, in kPa or percent. */
static syn_status on_surface(tissue_writing *w, const double *values, size_t moments, uint32_t nodes, uint32_t vertices,
                             double scale, const double **out, syn_error *error) {
  double *taken;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &taken, moments * vertices, error));
  for (size_t i = 0; i < moments; ++i)
    for (uint32_t v = 0; v < vertices; ++v) taken[i * vertices + v] = scale * values[i * nodes + v];
  *out = taken;
  return SYN_OK;
}

enum { FIELDS_EACH = 3 };

/* Fields of one name and different motions are one field to a reader. */
static syn_status fill_fields(tissue_writing *w, const syn_congruity *c, const syn_congruity_path *p, int side,
                              const char *motion, syn_report_field *fields, syn_error *error) {
  const struct {
    const char *name, *label, *unit;
    const double *values;
    double scale;
  } kinds[FIELDS_EACH] = {{"stress", "Stress", "kPa", p->fields[side].stress_mpa, 1e3},
                          {"pressure", "Contact pressure", "kPa", p->fields[side].pressure_mpa, 1e3},
                          {"strain", "Strain", "%", p->fields[side].strain, 100}};
  for (size_t k = 0; k < FIELDS_EACH; ++k) {
    fields[k] = (syn_report_field){.name = kinds[k].name,
                                   .label = kinds[k].label,
                                   .unit = kinds[k].unit,
                                   .steps = p->moment_count,
                                   .motion = p->moment_count > 1 ? motion : NULL};
    SYN_TRY(on_surface(w, kinds[k].values, p->moment_count, c->volumes[side]->vertex_count,
                       c->surfaces[side]->vertex_count, kinds[k].scale, &fields[k].values, error));
  }
  return SYN_OK;
}

/* How far the vertices are from where the mesh has them, in the frame of the body. */
static syn_status fill_vectors(tissue_writing *w, const syn_congruity *c, const syn_congruity_path *p, int side,
                               const char *motion, syn_report_vectors *vectors, syn_error *error) {
  const uint32_t nodes = c->volumes[side]->vertex_count, vertices = c->surfaces[side]->vertex_count;
  syn_vec3 *values;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &values, p->moment_count * vertices, error));
  for (size_t i = 0; i < p->moment_count; ++i) {
    const syn_pose back = side == SYN_CONGRUITY_FEMORAL ? syn_pose_inverse(&p->poses[i]) : syn_pose_identity();
    for (uint32_t v = 0; v < vertices; ++v)
      values[i * vertices + v] =
          vec3_sub(syn_pose_point(&back, p->fields[side].places[i * nodes + v]), c->surfaces[side]->vertices[v]);
  }
  *vectors = (syn_report_vectors){.name = "displacement",
                                  .label = "Displacement",
                                  .unit = "mm",
                                  .values = values,
                                  .steps = p->moment_count,
                                  .motion = p->moment_count > 1 ? motion : NULL,
                                  .displaces = true};
  return SYN_OK;
}

/* ---- tables --------------------------------------------------------------------------------------------------------
 */

static syn_status fill_table(tissue_writing *w, const syn_congruity_path *p, const char *motion, const char *label,
                             syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[COLUMNS] = {{"time", "Time", "s", true},
                                                     {"flexion", "Flexion", "°", true},
                                                     {"adduction", "Adduction", "°", true},
                                                     {"rotation", "Internal rotation", "°", true},
                                                     {"contact", "Contact area", "mm²", true},
                                                     {"above", "Above the threshold", "mm²", true},
                                                     {"pressure", "Contact pressure", "kPa", true},
                                                     {"even", "Mean pressure by the greatest", "", true},
                                                     {"force", "Force", "N", true}};
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &cells, COLUMNS * p->moment_count, error));
  for (size_t i = 0; i < p->moment_count; ++i) {
    const syn_congruity_moment *m = &p->moments[i];
    const syn_congruity_surface *s = &m->surfaces[SYN_CONGRUITY_ACETABULAR];
    const double row[COLUMNS] = {m->time_s,
                                 m->angles.flexion * SYN_RADIAN,
                                 m->angles.adduction * SYN_RADIAN,
                                 m->angles.rotation * SYN_RADIAN,
                                 s->contact_mm2,
                                 s->above_mm2,
                                 s->pressure_mpa * 1e3,
                                 s->even,
                                 vec3_length(m->force)};
    for (size_t k = 0; k < COLUMNS; ++k) cells[i * COLUMNS + k] = syn_filled_number(row[k]);
  }
  *table = (syn_report_table){motion,
                              hip_text(&w->hip, "%s%s", p->path->label, label),
                              "Of the acetabular cartilage. The threshold is one of von Mises stress.",
                              columns,
                              COLUMNS,
                              p->moment_count,
                              cells,
                              NULL};
  return SYN_OK;
}

syn_status syn_congruity_fill(tissue_writing *w, const syn_congruity *c, const char *prefix, const char *label,
                              congruity_part *part, syn_error *error) {
  const size_t count = c->path_count;
  part->field_count = FIELDS_EACH * count;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &part->motions, count, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &part->tables, count, error));
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    SYN_TRY(SYN_TAKE(&w->hip.arena, &part->fields[side], part->field_count, error));
    SYN_TRY(SYN_TAKE(&w->hip.arena, &part->vectors[side], count, error));
  }
  for (size_t i = 0; i < count; ++i) {
    SYN_TRY(fill_motion(w, &c->paths[i], prefix, label, &part->motions[i], error));
    const char *name = part->motions[i].name;
    SYN_TRY(fill_table(w, &c->paths[i], name, label, &part->tables[i], error));
    for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
      SYN_TRY(fill_fields(w, c, &c->paths[i], side, name, part->fields[side] + FIELDS_EACH * i, error));
      SYN_TRY(fill_vectors(w, c, &c->paths[i], side, name, &part->vectors[side][i], error));
    }
  }
  return SYN_OK;
}

/* ---- the page ------------------------------------------------------------------------------------------------------
 */

static const char *sentence(tissue_writing *w, const syn_congruity_path *p) {
  if (p->moment_count == 0) return hip_text(&w->hip, "%s: no equilibrium was found.", p->path->label);
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < p->moment_count; ++i) {
    const double area = p->moments[i].surfaces[SYN_CONGRUITY_ACETABULAR].contact_mm2;
    least = fmin(least, area);
    most = fmax(most, area);
  }
  const syn_congruity_moment *worst = &p->moments[syn_congruity_worst(p)];
  return hip_text(
      &w->hip,
      "%s: the cartilages touch on %.0f to %.0f mm². The greatest contact pressure, %.2f kPa, comes at %.0f° "
      "of flexion, %.0f° of adduction and %.0f° of internal rotation.",
      p->path->label, least, most, worst->surfaces[SYN_CONGRUITY_ACETABULAR].pressure_mpa * 1e3,
      worst->angles.flexion * SYN_RADIAN, worst->angles.adduction * SYN_RADIAN, worst->angles.rotation * SYN_RADIAN);
}

static syn_status fill_page(tissue_writing *w, const syn_congruity *c, const char *title, syn_error *error) {
  congruity_part part;
  const char **summary;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &summary, c->path_count + 1, error));
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side)
    w->shown.hip.parts[syn_congruity_part((syn_congruity_side)side)] = c->surfaces[side];
  SYN_TRY(syn_tissue_fill_page(w, title, "stress of its cartilages", error));
  SYN_TRY(syn_congruity_fill(w, c, "", "", &part, error));
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    syn_report_body *body = syn_tissue_body(w, c->surfaces[side]);
    body->fields = part.fields[side];
    body->field_count = part.field_count;
    body->vectors = part.vectors[side];
    body->vector_count = c->path_count;
  }
  for (size_t i = 0; i < c->path_count; ++i) summary[i] = sentence(w, &c->paths[i]);
  summary[c->path_count] = hip_text(
      &w->hip,
      "Both cartilages have a modulus of %g MPa, and stresses are in proportion to it; the femur is pressed into "
      "the socket by %g mm.",
      c->options.young_mpa, c->options.press_mm);
  w->hip.report.summary = summary;
  w->hip.report.summary_count = c->path_count + 1;
  w->hip.report.motions = part.motions;
  w->hip.report.motion_count = c->path_count;
  w->hip.report.tables = part.tables;
  w->hip.report.table_count = c->path_count;
  return SYN_OK;
}

/* ---- frames --------------------------------------------------------------------------------------------------------
 */

static syn_status write_frame(const syn_context *context, const syn_congruity *c, const syn_congruity_path *p, int side,
                              size_t moment, const char *path, syn_error *error) {
  const size_t from = moment * c->volumes[side]->vertex_count;
  const syn_congruity_fields *f = &p->fields[side];
  const syn_field fields[] = {{"von_mises_mpa", SYN_ON_POINTS, 1, f->stress_mpa + from},
                              {"pressure_mpa", SYN_ON_POINTS, 1, f->pressure_mpa + from},
                              {"strain", SYN_ON_POINTS, 1, f->strain + from}};
  syn_geometry geometry = syn_tetmesh_geometry(c->volumes[side]);
  geometry.points = f->places + from;
  geometry.fields = fields;
  geometry.field_count = sizeof fields / sizeof *fields;
  return syn_geometry_write(context, &geometry, path, NULL, error);
}

static syn_status write_series(syn_arena *arena, const syn_congruity *c, const syn_congruity_path *p, int side,
                               const char *stem, syn_outbox *outbox, syn_error *error) {
  const char **files;
  double *times;
  SYN_TRY(SYN_TAKE(arena, &files, p->moment_count, error));
  SYN_TRY(SYN_TAKE(arena, &times, p->moment_count, error));
  for (size_t i = 0; i < p->moment_count; ++i) {
    times[i] = p->moments[i].time_s;
    files[i] = syn_filled_text(arena, "%s_%04zu.vtu", stem, i);
    SYN_TRY(syn_arena_check(arena, error));
    SYN_TRY(write_frame(arena->context, c, p, side, i, files[i], error));
    SYN_TRY(syn_outbox_add(outbox, files[i], error));
  }
  const char *list = syn_filled_text(arena, "%s.pvd", stem);
  SYN_TRY(syn_arena_check(arena, error));
  SYN_TRY(syn_pvd_write(arena->context, list, times, files, p->moment_count, error));
  return syn_outbox_add(outbox, list, error);
}

syn_status syn_congruity_write_frames(const syn_context *context, const syn_congruity *c, const char *prefix,
                                      const char *hidden, syn_outbox *outbox, syn_error *error) {
  syn_arena arena = {.context = context};
  syn_status status = SYN_OK;
  for (size_t i = 0; !status && i < c->path_count; ++i)
    for (int side = 0; !status && side < SYN_CONGRUITY_SIDES; ++side) {
      const char *stem = syn_filled_text(&arena, "%s/%s%s_%s", hidden, prefix, c->paths[i].path->name,
                                         syn_congruity_side_name((syn_congruity_side)side));
      status = write_series(&arena, c, &c->paths[i], side, stem, outbox, error);
    }
  syn_arena_release(&arena);
  return status;
}

/* ---- files ---------------------------------------------------------------------------------------------------------
 */

static syn_status write_files(tissue_writing *w, const syn_congruity *c, const char *title, syn_outbox *outbox,
                              const char *hidden, syn_error *error) {
  syn_context named;
  SYN_TRY(syn_hip_name_files(&w->hip, title, &named, error));
  SYN_TRY(fill_page(w, c, title, error));
  SYN_TRY(syn_tissue_write_page(w, hidden, outbox, error));
  const char *table = hip_text(&w->hip, "%s/congruity.csv", hidden);
  SYN_TRY(syn_arena_check(&w->hip.arena, error));
  SYN_TRY(syn_congruity_write_csv(w->hip.context, c, table, error));
  SYN_TRY(syn_outbox_add(outbox, table, error));
  return syn_congruity_write_frames(w->hip.context, c, "", hidden, outbox, error);
}

syn_status syn_congruity_stage(const syn_context *context, const syn_congruity *congruity, const char *title,
                               const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                               syn_error *error) {
  tissue_writing w;
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  syn_tissue_begin(&w, context, congruity->hip_case, provenance);
  const syn_status status = write_files(&w, congruity, title, outbox, hidden, error);
  syn_arena_release(&w.hip.arena);
  return status;
}

static syn_status stage(const syn_context *context, const void *object, const char *title,
                        const syn_provenance *provenance, syn_outbox *outbox, const char *folder, syn_error *error) {
  return syn_congruity_stage(context, object, title, provenance, outbox, folder, error);
}

syn_status syn_congruity_write_files(const syn_context *context, const syn_congruity *congruity, const char *title,
                                     const syn_provenance *provenance, const char *folder, syn_error *error) {
  return syn_tissue_publish(context, stage, congruity, title, provenance, folder, error);
}
