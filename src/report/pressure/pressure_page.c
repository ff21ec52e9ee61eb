/* Contact pressure as a page: the pressure on the cartilage through the motion, curves and a table. */
#include "report/pressure/pressure_writing.h"

static const syn_pressure_step *worst_of(const syn_pressure *p) { return &p->steps[p->worst]; }

/* ---- words --------------------------------------------------------------------------------------------------------
 */

static const char *peak_sentence(pressure_writing *w) {
  const syn_pressure *p = w->pressure;
  const syn_pressure_step *s = worst_of(p);
  const char *when =
      p->step_count > 1 ? hip_text(&w->hip, " at %.0f° of flexion", s->loaded.angles[0] * SYN_RADIAN) : "";
  if (isnan(s->total.force_n))
    return hip_text(&w->hip, "%s: the pressure is estimated to rise to %.1f MPa%s.", p->loads.label, s->total.peak_mpa,
                    when);
  return hip_text(
      &w->hip, "%s: the pressure rises to %.1f MPa%s, %.1f MPa on average over %.0f mm², under a load of %.0f N.",
      p->loads.label, s->total.peak_mpa, when, s->total.mean_mpa, s->total.area_mm2, vec3_length(s->loaded.force));
}

/* How much of the load each tissue of the socket bears, where there is more than cartilage. */
static const char *share_sentence(pressure_writing *w) {
  const syn_pressure *p = w->pressure;
  const char *text = "";
  for (uint32_t r = 1; r < p->socket.region_count; ++r)
    if (p->socket.regions[r].tissue == SYN_TISSUE_LABRUM && worst_of(p)->regions[r].area_mm2 > 0)
      text = hip_text(&w->hip, "There the labrum bears %.1f %% of the load.",
                      100 * worst_of(p)->regions[r].force_n / vec3_length(worst_of(p)->loaded.force));
  return text;
}

/* The notes say why. */
static const char *validity_sentence(pressure_writing *w) {
  const syn_pressure *p = w->pressure;
  if (p->invalid_count == 0) return "";
  if (p->invalid_count == p->step_count) return "Not valid: the notes say why this pressure is no answer.";
  return hip_text(&w->hip, "%zu of %zu poses are not valid and do not count for the peak: the notes say why.",
                  p->invalid_count, p->step_count);
}

static void add_sentence(pressure_writing *w, const char *sentence) {
  if (sentence[0] && w->hip.report.summary_count < PRESSURE_SENTENCES)
    w->summary[w->hip.report.summary_count++] = sentence;
}

static void fill_summary(pressure_writing *w) {
  const syn_pressure *p = w->pressure;
  w->hip.report.summary = w->summary;
  add_sentence(w, peak_sentence(w));
  add_sentence(w, validity_sentence(w));
  add_sentence(w, share_sentence(w));
  if (p->stopped[0])
    add_sentence(w, hip_text(&w->hip, "The motion ends early, after step %zu of %zu: %s.", p->step_count,
                             p->loads.count, p->stopped));
  if (p->socket.assumed || p->head.assumed)
    add_sentence(w, "The scan shows no cartilage: its thickness is assumed, and pressures depend on it.");
  if (isnan(p->loads.body_weight_n))
    add_sentence(w, hip_text(&w->hip, "Load: %s.", p->loads.source));
  else
    add_sentence(w, hip_text(&w->hip, "Load: %s. Body weight %.0f N.", p->loads.source, p->loads.body_weight_n));
}

/* ---- the scene ----------------------------------------------------------------------------------------------------
 */

/* Where nothing touches there is nothing to colour. */
static syn_status shown(pressure_writing *w, const double *values, size_t count, const double **kept,
                        syn_error *error) {
  double *copy;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &copy, count, error));
  for (size_t i = 0; i < count; ++i) copy[i] = values[i] > 0 ? values[i] : (double)NAN;
  *kept = copy;
  return SYN_OK;
}

/* Without bare bone, which would lie in the bone itself: triangles with tissue below a corner. */
static syn_status with_tissue(pressure_writing *w, const syn_pressure_surface *s, const syn_trimesh **mesh,
                              syn_error *error) {
  syn_trimesh *shown_mesh;
  syn_triangle *triangles;
  uint32_t count = 0;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &shown_mesh, 1, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &triangles, s->mesh->triangle_count, error));
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

/* Foundation less elements, where either presses. */
static syn_status difference(pressure_writing *w, const syn_pressure_surface *s, size_t count, const double **kept,
                             syn_error *error) {
  double *values;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &values, count, error));
  for (size_t i = 0; i < count; ++i)
    values[i] =
        s->pressure_mpa[i] > 0 || s->foundation_mpa[i] > 0 ? s->foundation_mpa[i] - s->pressure_mpa[i] : (double)NAN;
  *kept = values;
  return SYN_OK;
}

static syn_status fill_surface(pressure_writing *w, int k, syn_error *error) {
  const syn_pressure *p = w->pressure;
  const syn_pressure_surface *s = &p->surfaces[k];
  const size_t steps = p->step_count, count = s->mesh->vertex_count;
  const char *motion = steps > 1 ? w->motion.name : NULL;
  syn_report_field *fields = w->fields[k];
  const syn_trimesh *mesh;
  size_t used = 0;
  SYN_TRY(with_tissue(w, s, &mesh, error));
  fields[used++] = (syn_report_field){"pressure", "Contact pressure", "MPa", NULL, steps, motion, 0, 0};
  SYN_TRY(shown(w, s->pressure_mpa, steps * count, &fields[0].values, error));
  if (s->von_mises_mpa)
    fields[used++] = (syn_report_field){"von_mises", "von Mises stress", "MPa", s->von_mises_mpa, steps, motion, 0, 0};
  if (s->foundation_mpa) {
    fields[used] = (syn_report_field){"foundation", "Pressure by elastic foundation", "MPa", NULL, steps, motion, 0, 0};
    SYN_TRY(shown(w, s->foundation_mpa, steps * count, &fields[used++].values, error));
    fields[used] =
        (syn_report_field){"difference", "Foundation less finite elements", "MPa", NULL, steps, motion, 0, 0};
    SYN_TRY(difference(w, s, steps * count, &fields[used++].values, error));
  }
  fields[used++] = (syn_report_field){"gap", "Gap, below 0 in contact", "mm", s->gap_mm, steps, motion, 0, 0};
  fields[used++] = (syn_report_field){"thickness", "Thickness of the cartilage", "mm", s->thickness_mm, 1, NULL, 0, 0};
  w->bodies[w->hip.report.body_count++] =
      (syn_report_body){.body = {.name = k ? "head_surface" : "socket_surface",
                                 .tissue = SYN_TISSUE_CARTILAGE,
                                 .moves = k == 1,
                                 .surface = mesh},
                        .label = k ? "Surface of the head" : "Surface of the socket",
                        .fields = fields,
                        .field_count = used};
  return SYN_OK;
}

static syn_status fill_bodies(pressure_writing *w, syn_error *error) {
  SYN_TRY(syn_hip_fill_bodies(&w->hip, error));
  for (size_t i = 0; i < w->hip.report.body_count; ++i) w->bodies[i] = w->hip.report.bodies[i];
  w->hip.report.bodies = w->bodies;
  if (!w->pressure->surfaces[0].mesh) return SYN_OK;
  SYN_TRY(fill_surface(w, 0, error));
  return fill_surface(w, 1, error);
}

/* ---- the motion ---------------------------------------------------------------------------------------------------
 */

static syn_status fill_curve(pressure_writing *w, size_t number, const char *name, const char *label, const char *unit,
                             syn_error *error) {
  const syn_pressure *p = w->pressure;
  double *values;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &values, p->step_count, error));
  for (size_t i = 0; i < p->step_count; ++i) {
    const syn_pressure_part *t = &p->steps[i].total;
    values[i] = number == 0 ? t->peak_mpa : number == 1 ? t->mean_mpa : t->area_mm2;
  }
  w->curves[number] = (syn_report_curve){name, label, unit, values};
  return SYN_OK;
}

static syn_status fill_motion(pressure_writing *w, syn_error *error) {
  const syn_pressure *p = w->pressure;
  syn_pose *poses;
  double *along;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &poses, p->step_count, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &along, p->step_count, error));
  for (size_t i = 0; i < p->step_count; ++i) {
    poses[i] = syn_pressure_pose(&p->steps[i]);
    along[i] = p->loads.times_s ? p->loads.times_s[i] : 100 * p->steps[i].loaded.at;
  }
  SYN_TRY(fill_curve(w, 0, "peak", "Peak pressure", "MPa", error));
  SYN_TRY(fill_curve(w, 1, "mean", "Mean pressure", "MPa", error));
  SYN_TRY(fill_curve(w, 2, "area", "Contact area", "mm²", error));
  w->motion = (syn_report_motion){.name = "loaded",
                                  .label = p->loads.label,
                                  .poses = poses,
                                  .pose_count = p->step_count,
                                  .along_label = p->loads.times_s ? "Time" : "Part of the motion",
                                  .along_unit = p->loads.times_s ? "s" : "%",
                                  .along = along,
                                  .curves = w->curves,
                                  .curve_count = PRESSURE_CURVES};
  w->hip.report.motions = &w->motion;
  w->hip.report.motion_count = 1;
  return SYN_OK;
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

void syn_pressure_begin(pressure_writing *w, const syn_context *context, const syn_pressure *pressure,
                        const syn_provenance *provenance) {
  *w = (pressure_writing){.pressure = pressure, .bones = *pressure->hip_case};
  w->bones.hip = syn_hip_bones(&pressure->hip_case->hip);
  w->analysis = (syn_hip_analysis){.context = context, .hip_case = &w->bones};
  w->hip = (syn_hip_writing){.context = context,
                             .analysis = &w->analysis,
                             .provenance = syn_filled_provenance(provenance),
                             .arena = {.context = context}};
}

static syn_status fill_tables(pressure_writing *w, syn_error *error) {
  const syn_pressure *p = w->pressure;
  SYN_TRY(syn_filled_table(&w->hip.arena, &syn_pressure_step_record, p, p->step_count, "Pressure at every step",
                           "Mean over the area in contact. The femur is free to shift until forces balance.",
                           &w->tables[0], error));
  w->hip.report.tables = w->tables;
  w->hip.report.table_count = 1;
  if (!p->compared) return SYN_OK;
  return syn_filled_table(&w->hip.arena, &syn_contact_comparison_record, &p->comparison, 1, "Beside CalculiX",
                          "The first step. CalculiX takes small displacements and Hooke's law.",
                          &w->tables[w->hip.report.table_count++], error);
}

syn_status syn_pressure_fill_page(pressure_writing *w, const char *title, syn_error *error) {
  const syn_hip_case *c = &w->bones;
  syn_filled_head(&w->hip.report, "pressure", title, NULL, w->hip.provenance);
  w->hip.report.subtitle = hip_text(&w->hip, "%s hip, contact pressure by %s",
                                    c->hip.side == SYN_SIDE_LEFT ? "Left" : "Right", w->pressure->method);
  w->hip.report.hip = &c->hip;
  w->hip.report.cup_normal = c->anatomy && c->anatomy->has_rim ? c->anatomy->rim_normal : vec3(0, 0, 0);
  fill_summary(w);
  SYN_TRY(syn_hip_fill_notes(&w->hip, error));
  SYN_TRY(fill_motion(w, error));
  SYN_TRY(fill_bodies(w, error));
  SYN_TRY(fill_tables(w, error));
  SYN_TRY(syn_hip_fill_inputs(&w->hip, error));
  return syn_arena_check(&w->hip.arena, error);
}
