/* A simulation as a page: bodies that deform and move, stress and forces on them in time, and the curves of the run. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/filling.h"
#include "report/page_write.h"
#include "report/tissue/simulation_page.h"
#include "tissue/scene/scene.h"
#include "tissue/soft.h"
#include <synovia/report.h>

enum { MOST_FRAMES = 101, LEAST_FRAMES = 11, MOST_VALUES = 4000000, CURVES = 8, VECTORS = 2 };

typedef struct writing {
  const syn_tissue_run *run;
  const syn_tissue_scene *scene;
  const char *folder;
  syn_arena arena;
  syn_report report;
  size_t *frames; /* those on the page, numbers among the moments */
  size_t frame_count;
  syn_report_curve curves[CURVES];
  syn_report_motion motion;
  syn_report_table tables[2];
  syn_report_input input;
} writing;

#define text(w, ...) syn_filled_text(&(w)->arena, __VA_ARGS__)
#define three(w, value) syn_filled_three_digits(&(w)->arena, value)

/* ---- frames -------------------------------------------------------------------------------------------------------
 */

/* All of them, or as many as a page can hold, evenly spread; always the first and the last. */
static syn_status choose_frames(writing *w, syn_error *error) {
  size_t vertices = 1, most = w->run->moment_count;
  for (size_t i = 0; i < w->scene->item_count; ++i)
    if (w->scene->items[i].soft) vertices += w->scene->items[i].soft->skin->vertex_count;
  if (most > MOST_FRAMES) most = MOST_FRAMES;
  if (most > MOST_VALUES / vertices) most = MOST_VALUES / vertices;
  if (most < LEAST_FRAMES) most = w->run->moment_count < LEAST_FRAMES ? w->run->moment_count : LEAST_FRAMES;
  w->frame_count = most;
  SYN_TRY(SYN_TAKE(&w->arena, &w->frames, most, error));
  for (size_t i = 0; i < most; ++i) w->frames[i] = most > 1 ? i * (w->run->moment_count - 1) / (most - 1) : 0;
  return SYN_OK;
}

static double time_of(const writing *w, size_t frame) { return w->run->moments[w->frames[frame]].time_s; }

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static syn_status read_frames(writing *w, const syn_scene_item *item, syn_vec3 *moved, syn_vec3 *contact,
                              double *stress, syn_error *error) {
  const size_t count = item->soft->skin->vertex_count;
  for (size_t i = 0; i < w->frame_count; ++i) {
    syn_arena arena = {.context = w->arena.context};
    syn_scene_frame frame;
    const syn_status status = syn_scene_read_frame(w->scene, item, w->folder, w->frames[i], &arena, &frame, error);
    if (!status) {
      memcpy(moved + i * count, frame.displacement, count * sizeof *moved);
      memcpy(contact + i * count, frame.contact_n, count * sizeof *contact);
      memcpy(stress + i * count, frame.von_mises_mpa, count * sizeof *stress);
    }
    syn_arena_release(&arena);
    SYN_TRY(status);
  }
  return SYN_OK;
}

static bool any_force(const syn_vec3 *force, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (vec3_length(force[i]) > 0) return true;
  return false;
}

/* Stress as colours, displacement as shape, forces as arrows. */
static syn_status fill_soft(writing *w, const syn_scene_item *item, syn_report_body *body, syn_error *error) {
  const size_t count = item->soft->skin->vertex_count * w->frame_count;
  const char *motion = w->motion.name;
  syn_vec3 *moved, *contact;
  double *stress;
  syn_report_field *field;
  syn_report_vectors *vectors;
  SYN_TRY(SYN_TAKE(&w->arena, &moved, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &contact, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &stress, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &field, 1, error));
  SYN_TRY(SYN_TAKE(&w->arena, &vectors, VECTORS, error));
  SYN_TRY(read_frames(w, item, moved, contact, stress, error));
  *field = (syn_report_field){"von_mises", "Von Mises stress", "MPa", stress, w->frame_count, motion, 0, 0};
  vectors[0] = (syn_report_vectors){"displacement", "Displacement", "mm", moved, w->frame_count, motion, true};
  vectors[1] = (syn_report_vectors){"contact_force", "Contact force", "N", contact, w->frame_count, motion, false};
  body->body.surface = item->soft->skin;
  body->body.tissue = SYN_TISSUE_CARTILAGE;
  body->fields = field;
  body->field_count = 1;
  body->vectors = vectors;
  body->vector_count = any_force(contact, count) ? VECTORS : 1;
  return SYN_OK;
}

static syn_status fill_bodies(writing *w, syn_error *error) {
  const syn_tissue_scene *scene = w->scene;
  syn_report_body *bodies;
  syn_pose *poses;
  SYN_TRY(SYN_TAKE(&w->arena, &bodies, scene->item_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &poses, scene->item_count * w->frame_count, error));
  for (size_t i = 0; i < scene->item_count; ++i) {
    const syn_scene_item *item = &scene->items[i];
    bodies[i] = (syn_report_body){.body = {.name = item->name, .moves = true, .surface = item->surface},
                                  .label = syn_filled_capital(text(w, "%s", item->name))};
    if (item->soft) SYN_TRY(fill_soft(w, item, &bodies[i], error));
    for (size_t k = 0; k < w->frame_count; ++k)
      poses[i * w->frame_count + k] =
          item->motion ? syn_scene_motion_at(item->motion, time_of(w, k)) : syn_pose_identity();
  }
  w->report.bodies = bodies;
  w->report.body_count = scene->item_count;
  w->motion.body_poses = poses;
  return SYN_OK;
}

/* ---- curves -------------------------------------------------------------------------------------------------------
 */

typedef struct quantity {
  const char *name, *label, *unit;
  double (*of)(const syn_tissue_moment *moment);
} quantity;

#define OF(member)                                                                                                     \
  static double member##_of(const syn_tissue_moment *moment) { return moment->member; }
OF(kinetic_nmm)
OF(elastic_nmm)
OF(contact_nmm)
OF(volume_mm3)
OF(von_mises_mpa)
OF(displacement_mm)
OF(contact_n)
OF(depth_mm)

static const quantity quantities[CURVES] = {{"von_mises_mpa", "Largest von Mises stress", "MPa", von_mises_mpa_of},
                                            {"displacement_mm", "Largest displacement", "mm", displacement_mm_of},
                                            {"depth_mm", "Deepest penetration", "mm", depth_mm_of},
                                            {"contact_n", "Contact forces", "N", contact_n_of},
                                            {"elastic_nmm", "Elastic energy", "N mm", elastic_nmm_of},
                                            {"kinetic_nmm", "Kinetic energy", "N mm", kinetic_nmm_of},
                                            {"contact_nmm", "Energy of contacts", "N mm", contact_nmm_of},
                                            {"volume_mm3", "Volume of soft bodies", "mm³", volume_mm3_of}};

/* The moment with the largest value of all, not only of those on the page. */
static const syn_tissue_moment *largest(const writing *w, double (*of)(const syn_tissue_moment *moment)) {
  const syn_tissue_moment *found = NULL;
  for (size_t i = 0; i < w->run->moment_count; ++i)
    if (isfinite(of(&w->run->moments[i])) && (!found || of(&w->run->moments[i]) > of(found)))
      found = &w->run->moments[i];
  return found;
}

static bool is_shown(const writing *w, const quantity *q) {
  for (size_t i = 0; i < w->run->moment_count; ++i)
    if (isfinite(q->of(&w->run->moments[i])) && q->of(&w->run->moments[i]) != 0) return true;
  return false;
}

static syn_status fill_motion(writing *w, syn_error *error) {
  double *along;
  SYN_TRY(SYN_TAKE(&w->arena, &along, w->frame_count, error));
  for (size_t i = 0; i < w->frame_count; ++i) along[i] = time_of(w, i);
  w->motion = (syn_report_motion){.name = "simulation",
                                  .label = "Simulation",
                                  .pose_count = w->frame_count,
                                  .along_label = "Time",
                                  .along_unit = "s",
                                  .along = along,
                                  .curves = w->curves};
  for (size_t i = 0; i < CURVES; ++i) {
    double *values;
    if (!is_shown(w, &quantities[i])) continue;
    SYN_TRY(SYN_TAKE(&w->arena, &values, w->frame_count, error));
    for (size_t k = 0; k < w->frame_count; ++k) values[k] = quantities[i].of(&w->run->moments[w->frames[k]]);
    w->curves[w->motion.curve_count++] =
        (syn_report_curve){quantities[i].name, quantities[i].label, quantities[i].unit, values};
  }
  w->report.motions = &w->motion;
  w->report.motion_count = 1;
  return SYN_OK;
}

/* ---- words and tables ---------------------------------------------------------------------------------------------
 */

static const char *contact_sentence(writing *w) {
  const syn_tissue_moment *most = largest(w, contact_n_of), *deepest = largest(w, depth_mm_of);
  if (!most || !(most->contact_n > 0)) return NULL;
  return text(w, "Contact forces add up to %s N at most, after %.4g s%s.", three(w, most->contact_n), most->time_s,
              !deepest                ? ""
              : deepest->depth_mm > 0 ? text(w, "; the deepest penetration is %s mm", three(w, deepest->depth_mm))
                                      : "; surfaces never cross");
}

static const char *volume_sentence(writing *w) {
  const double begin = w->run->moments[0].volume_mm3;
  double change = 0;
  for (size_t i = 0; i < w->run->moment_count; ++i)
    change = fmax(change, fabs(w->run->moments[i].volume_mm3 / begin - 1));
  if (!(begin > 0) || !isfinite(change)) return NULL;
  return text(w, "The volume of the soft bodies stays within %.2g %% of %.5g mm³.", 100 * change, begin);
}

/* What the numbers of "von_mises_mpa" are: the stress of a vdm body is Sundaraj's, not that of a continuum. */
static const char *stress_words(writing *w) {
  size_t soft = 0, vdm = 0;
  for (size_t i = 0; i < w->scene->item_count; ++i) {
    if (!w->scene->items[i].soft) continue;
    ++soft;
    vdm += strcmp(syn_soft_model_name(w->scene->items[i].soft), "vdm") == 0;
  }
  return vdm == 0      ? "von Mises stress"
         : vdm == soft ? "stress at a node (Sundaraj 2004, Eq. 3.29, as one number like von Mises')"
                       : "stress (von Mises; of vdm bodies that of Sundaraj 2004, Eq. 3.29)";
}

static syn_status fill_words(writing *w, const syn_provenance *provenance, syn_error *error) {
  const syn_tissue_moment *stress = largest(w, von_mises_mpa_of), *moved = largest(w, displacement_mm_of);
  const char **summary, **notes;
  SYN_TRY(syn_arena_take(&w->arena, 4, sizeof *summary, (void **)&summary, error));
  SYN_TRY(syn_arena_take(&w->arena, provenance->warning_count + 1, sizeof *notes, (void **)&notes, error));
  const char *const sentences[] = {stress ? text(w, "The largest %s is %s MPa, after %.4g s.", stress_words(w),
                                                 three(w, stress->von_mises_mpa), stress->time_s)
                                          : NULL,
                                   moved ? text(w, "Soft tissue moves by %s mm at most, after %.4g s.",
                                                three(w, moved->displacement_mm), moved->time_s)
                                         : NULL,
                                   contact_sentence(w), volume_sentence(w)};
  for (size_t i = 0; i < sizeof sentences / sizeof *sentences; ++i)
    if (sentences[i]) summary[w->report.summary_count++] = sentences[i];
  for (size_t i = 0; i < provenance->warning_count; ++i)
    notes[w->report.note_count++] = syn_filled_sentence(&w->arena, provenance->warnings[i]);
  if (w->frame_count < w->run->moment_count)
    notes[w->report.note_count++] = text(w, "%zu of %zu frames are on this page; the files beside it have all.",
                                         w->frame_count, w->run->moment_count);
  w->report.summary = summary;
  w->report.notes = notes;
  w->report.subtitle =
      text(w, "%g s in %llu steps, %s", w->run->duration_s, (unsigned long long)w->run->step_count, w->run->integrator);
  return SYN_OK;
}

static syn_status fill_time_table(writing *w, syn_error *error) {
  syn_report_column *columns;
  syn_report_cell *cells;
  const size_t curves = w->motion.curve_count, width = curves + 1;
  SYN_TRY(SYN_TAKE(&w->arena, &columns, width, error));
  SYN_TRY(SYN_TAKE(&w->arena, &cells, width * w->frame_count, error));
  columns[0] = (syn_report_column){"time_s", "Time", "s", true};
  for (size_t i = 0; i < curves; ++i)
    columns[i + 1] = (syn_report_column){w->curves[i].name, w->curves[i].label, w->curves[i].unit, true};
  for (size_t k = 0; k < w->frame_count; ++k) {
    cells[k * width] = syn_filled_number(time_of(w, k));
    for (size_t i = 0; i < curves; ++i) cells[k * width + i + 1] = syn_filled_number(w->curves[i].values[k]);
  }
  w->tables[w->report.table_count++] =
      (syn_report_table){"energy", "Over time", NULL, columns, width, w->frame_count, cells, NULL};
  return SYN_OK;
}

static syn_status fill_body_table(writing *w, syn_error *error) {
  static const syn_report_column columns[] = {{"name", "Body", "", false},
                                              {"model", "Model", "", false},
                                              {"nodes", "Nodes", "", true},
                                              {"triangles", "Triangles", "", true}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&w->arena, &cells, COLUMNS * w->scene->item_count, error));
  for (size_t i = 0; i < w->scene->item_count; ++i) {
    const syn_scene_item *item = &w->scene->items[i];
    cells[COLUMNS * i] = syn_filled_words(item->name);
    cells[COLUMNS * i + 1] = syn_filled_words(item->soft ? syn_soft_model_name(item->soft) : "rigid");
    cells[COLUMNS * i + 2] = syn_filled_number(item->soft ? item->soft->node_count : (double)NAN);
    cells[COLUMNS * i + 3] = syn_filled_number(item->surface->triangle_count);
  }
  w->tables[w->report.table_count++] =
      (syn_report_table){"bodies", "Bodies", NULL, columns, COLUMNS, w->scene->item_count, cells, NULL};
  return SYN_OK;
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

static syn_status fill(writing *w, const char *scene_file, const char *title, const syn_provenance *provenance,
                       syn_error *error) {
  syn_filled_head(&w->report, "simulate", title ? title : w->scene->name, NULL, provenance);
  SYN_TRY(choose_frames(w, error));
  SYN_TRY(fill_motion(w, error));
  SYN_TRY(fill_bodies(w, error));
  SYN_TRY(fill_words(w, provenance, error));
  w->report.tables = w->tables;
  SYN_TRY(fill_time_table(w, error));
  SYN_TRY(fill_body_table(w, error));
  if (scene_file) {
    SYN_TRY(syn_filled_input(&w->arena, scene_file, NULL, &w->input, error));
    w->report.inputs = &w->input;
    w->report.input_count = 1;
  }
  return syn_arena_check(&w->arena, error);
}

syn_status syn_tissue_page_put(const syn_context *context, const syn_tissue_run *run, const char *folder,
                               const char *scene_file, const char *title, const syn_provenance *provenance, FILE *to,
                               syn_error *error) {
  writing w = {.run = run, .scene = run->scene, .folder = folder, .arena = {.context = context}};
  syn_status status = fill(&w, scene_file, title, syn_filled_provenance(provenance), error);
  if (status == SYN_OK) status = syn_report_put(context, &w.report, NULL, to, error);
  syn_arena_release(&w.arena);
  return status;
}

syn_status syn_tissue_report_stage(const syn_context *context, const syn_tissue_run *run, const char *scene_file,
                                   const char *title, const syn_provenance *provenance, syn_outbox *outbox,
                                   const char *folder, syn_error *error) {
  writing w = {.run = run, .scene = run->scene, .folder = folder, .arena = {.context = context}};
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  const char *path = text(&w, "%s/report.html", hidden);
  syn_status status = fill(&w, scene_file, title, syn_filled_provenance(provenance), error);
  if (status == SYN_OK) status = syn_report_write(context, &w.report, NULL, path, error);
  if (status == SYN_OK) status = syn_outbox_add(outbox, path, error);
  syn_arena_release(&w.arena);
  return status;
}
