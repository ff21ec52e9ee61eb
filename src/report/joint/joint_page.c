/* The analysis of any joint as a report, in the words of its joint file. */
#include "report/joint/joint_page.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/filling.h"
#include "result/note_about.h"
#include <synovia/json.h>

enum { TO_START = 10, TO_LIMIT = 30 };

typedef struct writing {
  const syn_context *context;
  const syn_joint_analysis *analysis;
  const syn_provenance *provenance;
  const syn_joint_live *live; /* NULL: a file */
  syn_arena arena;            /* everything that the report points to */
  syn_report report;
  syn_report_table table;
} writing;

#define text(w, ...) syn_filled_text(&(w)->arena, __VA_ARGS__)

static bool stopped(const syn_joint_limit *l) { return syn_hip_limit_state(&l->limit) == SYN_LIMIT_STOPPED; }

/* "tibia_proximal" as "tibia proximal". */
static char *spaced(writing *w, const char *name) {
  char *words = text(w, "%s", name);
  for (char *c = words; *c; ++c)
    if (*c == '_') *c = ' ';
  return words;
}

/* ---- words --------------------------------------------------------------------------------------------------------
 */

/* "femur, patella": the bodies that stand, or those that move. */
static const char *list_bodies(writing *w, bool moves) {
  const syn_joint *joint = w->analysis->joint;
  const char *list = "";
  for (size_t i = 0; i < joint->body_count; ++i)
    if (joint->bodies[i].moves == moves)
      list = text(w, "%s%s%s", list, list[0] ? ", " : "", spaced(w, joint->bodies[i].name));
  return list;
}

static const char *subtitle(writing *w) {
  const char *kind = syn_joint_kind(w->analysis->joint);
  return text(w, "%s: %s fixed, %s mobile",
              strcmp(kind, "other") == 0 ? "Joint" : syn_filled_capital(text(w, "%s", kind)), list_bodies(w, false),
              list_bodies(w, true));
}

static const char *limit_sentence(writing *w, const syn_joint_limit *l) {
  const syn_joint_motion *m = l->motion;
  char words[96];
  if (!stopped(l)) return text(w, "%s: %s.", m->label, syn_joint_limit_words(l, words));
  const double angle = syn_hip_limit_deg(&l->limit);
  const int side = m->source ? syn_range_side(angle, m->low_deg, m->high_deg, 0) : 0;
  const char *where = side < 0 ? "below" : side > 0 ? "above" : "within";
  return text(w, "%s: up to %.0f°, where %s meets %s%s%s%s.", m->label, angle, spaced(w, l->mobile->name),
              spaced(w, l->fixed->name),
              m->source ? text(w, ", %s the range of %.0f to %.0f° (", where, m->low_deg, m->high_deg) : "",
              m->source ? m->source : "", m->source ? ")" : "");
}

static const char *recorded_sentence(writing *w) {
  const syn_joint_recorded *r = &w->analysis->recorded;
  if (r->first_contact >= r->pose_count)
    return text(w, "All %zu poses of the recorded motion are free of contact.", r->pose_count);
  return text(w, "%zu of %zu poses of the recorded motion are free of contact; at %g s %s touches %s.", r->free_count,
              r->pose_count, r->times_s[r->first_contact], spaced(w, r->mobile->name), spaced(w, r->fixed->name));
}

static syn_status fill_summary(writing *w, syn_error *error) {
  const syn_joint_analysis *a = w->analysis;
  const char **summary;
  size_t count = 0;
  SYN_TRY(syn_arena_take(&w->arena, a->limit_count + a->overlap_count + 1, sizeof *summary, (void **)&summary, error));
  for (size_t i = 0; i < a->limit_count; ++i) summary[count++] = limit_sentence(w, &a->limits[i]);
  for (size_t i = 0; i < a->overlap_count; ++i)
    summary[count++] =
        text(w, "%s and %s overlap as they lie.", syn_filled_capital(spaced(w, a->overlaps[i].fixed->name)),
             spaced(w, a->overlaps[i].mobile->name));
  if (a->recorded.file) summary[count++] = recorded_sentence(w);
  w->report.summary = summary;
  w->report.summary_count = count;
  return SYN_OK;
}

static bool is_among(const char *note, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (syn_same_warning(note, texts[i])) return true;
  return false;
}

static syn_status fill_notes(writing *w, syn_error *error) {
  const syn_joint *joint = w->analysis->joint;
  const syn_provenance *p = w->provenance;
  const char **notes, **about;
  size_t count = 0;
  SYN_TRY(syn_arena_take(&w->arena, p->warning_count + joint->note_count, sizeof *notes, (void **)&notes, error));
  SYN_TRY(syn_arena_take(&w->arena, p->warning_count + joint->note_count, sizeof *about, (void **)&about, error));
  for (size_t i = 0; i < p->warning_count; ++i) {
    about[count] = syn_note_about(p->warnings[i]);
    notes[count++] = syn_filled_sentence(&w->arena, p->warnings[i]);
  }
  for (size_t i = 0; i < joint->note_count; ++i) {
    if (is_among(joint->notes[i], p->warnings, p->warning_count)) continue;
    about[count] = syn_note_about(joint->notes[i]);
    notes[count++] = text(w, "When the joint file was made: %s", syn_filled_sentence(&w->arena, joint->notes[i]));
  }
  w->report.notes = notes;
  w->report.note_about = about;
  w->report.note_count = count;
  return SYN_OK;
}

/* ---- the scene ----------------------------------------------------------------------------------------------------
 */

static syn_status fill_bodies(writing *w, syn_error *error) {
  const syn_joint *joint = w->analysis->joint;
  syn_report_body *bodies;
  SYN_TRY(SYN_TAKE(&w->arena, &bodies, joint->body_count, error));
  for (size_t i = 0; i < joint->body_count; ++i)
    bodies[i] = (syn_report_body){.body = joint->bodies[i],
                                  .label = syn_filled_capital(spaced(w, joint->bodies[i].name)),
                                  .fields = w->live ? w->live->fields : NULL,
                                  .field_count = w->live ? w->live->field_count : 0};
  w->report.bodies = bodies;
  w->report.body_count = joint->body_count;
  return SYN_OK;
}

/* Where the mobile bodies are after a part of the motion. */
static syn_pose pose_along(const syn_joint *joint, const syn_joint_motion *m, double turned) {
  double angles[SYN_JOINT_AXES] = {m->start[0], m->start[1], m->start[2]};
  if (m->axis < SYN_JOINT_AXES) {
    angles[m->axis] += m->sign * turned;
    return syn_joint_pose(joint, angles);
  }
  const syn_pose start = syn_joint_pose(joint, angles),
                 turn = syn_pose_about_axis(joint->center, m->vector, m->sign * turned);
  return syn_pose_compose(&turn, &start);
}

/* From neutral to the start of the motion, then to its limit. */
static syn_status add_motion(writing *w, const syn_joint_limit *l, syn_report_motion *motion, syn_error *error) {
  const syn_joint *joint = w->analysis->joint;
  const syn_joint_motion *m = l->motion;
  const size_t before = m->start[0] != 0 || m->start[1] != 0 || m->start[2] != 0 ? TO_START : 0;
  const size_t count = before + TO_LIMIT + 1;
  syn_report_contact *contact;
  syn_pose *poses;
  double *along;
  SYN_TRY(SYN_TAKE(&w->arena, &contact, 1, error));
  SYN_TRY(SYN_TAKE(&w->arena, &poses, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &along, count, error));
  for (size_t i = 0; i < before; ++i) {
    const double part = (double)i / (double)before;
    poses[i] = syn_joint_pose(joint, (double[]){m->start[0] * part, m->start[1] * part, m->start[2] * part});
    along[i] = 0;
  }
  for (size_t i = 0; i <= TO_LIMIT; ++i) {
    const double turned = l->limit.angle * (double)i / TO_LIMIT;
    poses[before + i] = pose_along(joint, m, turned);
    along[before + i] = turned * SYN_RADIAN;
  }
  *contact = (syn_report_contact){.point = l->limit.event.point,
                                  .mobile_point = l->limit.femur_point,
                                  .fixed = l->fixed->name,
                                  .mobile = l->mobile->name,
                                  .kind = syn_event_kind_name(l->limit.event.kind),
                                  .hour = NAN,
                                  .angle_deg = l->limit.angle * SYN_RADIAN};
  *motion = (syn_report_motion){.name = m->name,
                                .label = m->label,
                                .poses = poses,
                                .pose_count = count,
                                .along_label = m->label,
                                .along_unit = "°",
                                .along = along,
                                .contact = contact};
  return SYN_OK;
}

static syn_status fill_motions(writing *w, syn_error *error) {
  const syn_joint_analysis *a = w->analysis;
  const syn_joint_recorded *r = &a->recorded;
  syn_report_motion *motions;
  SYN_TRY(SYN_TAKE(&w->arena, &motions, a->limit_count + 1, error));
  w->report.motions = motions;
  for (size_t i = 0; i < a->limit_count; ++i)
    if (stopped(&a->limits[i])) SYN_TRY(add_motion(w, &a->limits[i], &motions[w->report.motion_count++], error));
  if (r->pose_count)
    motions[w->report.motion_count++] = (syn_report_motion){.name = "recorded",
                                                            .label = "Recorded motion",
                                                            .poses = r->poses,
                                                            .pose_count = r->pose_count,
                                                            .along_label = "Time",
                                                            .along_unit = "s",
                                                            .along = r->times_s};
  return SYN_OK;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------
 */

static syn_status fill_ranges(writing *w, syn_error *error) {
  const syn_joint_analysis *a = w->analysis;
  syn_report_range *ranges;
  SYN_TRY(SYN_TAKE(&w->arena, &ranges, a->limit_count, error));
  for (size_t i = 0; i < a->limit_count; ++i) {
    const syn_joint_limit *l = &a->limits[i];
    char words[96];
    ranges[i] = (syn_report_range){l->motion->name,
                                   l->motion->label,
                                   "°",
                                   syn_hip_limit_deg(&l->limit),
                                   stopped(l) ? NULL : text(w, "%s", syn_joint_limit_words(l, words)),
                                   l->motion->low_deg,
                                   l->motion->high_deg,
                                   l->motion->source,
                                   true,
                                   l->bands[SYN_BAND_ALL].low,
                                   stopped(l) ? l->bands[SYN_BAND_ALL].high : (double)NAN};
  }
  w->report.ranges = ranges;
  w->report.range_count = a->limit_count;
  return SYN_OK;
}

static syn_status fill_table(writing *w, syn_error *error) {
  const syn_joint_analysis *a = w->analysis;
  SYN_TRY(syn_filled_table(&w->arena, &syn_joint_limit_record, a->limits, a->limit_count, "Range of motion",
                           "Each angle is the turn from the start of the motion. Exact for the meshes as given.",
                           &w->table, error));
  w->report.tables = &w->table;
  w->report.table_count = 1;
  return SYN_OK;
}

/* ---- inputs -------------------------------------------------------------------------------------------------------
 */

static syn_status fill_inputs(writing *w, syn_error *error) {
  const syn_joint_analysis *a = w->analysis;
  const syn_joint *joint = a->joint;
  syn_report_input *inputs;
  SYN_TRY(SYN_TAKE(&w->arena, &inputs, joint->body_count + 2, error));
  w->report.inputs = inputs;
  if (a->joint_file) SYN_TRY(syn_filled_input(&w->arena, a->joint_file, NULL, &inputs[w->report.input_count++], error));
  for (size_t i = 0; i < joint->body_count; ++i) {
    const char *file = joint->bodies[i].mesh_file;
    if (!file) continue;
    const bool from_folder = file[0] != '/' && joint->folder && joint->folder[0];
    SYN_TRY(syn_filled_input(&w->arena, from_folder ? text(w, "%s/%s", joint->folder, file) : file,
                             joint->bodies[i].surface, &inputs[w->report.input_count++], error));
  }
  if (!a->recorded.file) return SYN_OK;
  return syn_filled_input(&w->arena, a->recorded.file, NULL, &inputs[w->report.input_count++], error);
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

static syn_status fill(writing *w, const char *title, syn_error *error) {
  syn_filled_head(&w->report, "rom", title, w->live ? w->live->url : NULL, w->provenance);
  w->report.subtitle = subtitle(w);
  w->report.joint = w->analysis->joint;
  SYN_TRY(fill_summary(w, error));
  SYN_TRY(fill_notes(w, error));
  SYN_TRY(fill_bodies(w, error));
  SYN_TRY(fill_motions(w, error));
  SYN_TRY(fill_ranges(w, error));
  SYN_TRY(fill_table(w, error));
  SYN_TRY(fill_inputs(w, error));
  return syn_arena_check(&w->arena, error);
}

static writing begin(const syn_context *context, const syn_joint_analysis *analysis, const syn_provenance *provenance,
                     const syn_joint_live *live) {
  return (writing){.context = context,
                   .analysis = analysis,
                   .provenance = syn_filled_provenance(provenance),
                   .live = live,
                   .arena = {.context = context}};
}

syn_status syn_joint_report_write(const syn_context *context, const syn_joint_analysis *analysis, const char *title,
                                  const syn_provenance *provenance, const char *path, syn_error *error) {
  writing w = begin(context, analysis, provenance, NULL);
  return syn_filled_write(&w.report, &w.arena, fill(&w, title, error), path, error);
}

syn_status syn_joint_report_stage(const syn_context *context, const syn_joint_analysis *analysis, const char *title,
                                  const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                                  syn_error *error) {
  syn_arena arena = {.context = context};
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  const char *path = syn_filled_text(&arena, "%s/report.html", hidden);
  syn_status status = syn_arena_check(&arena, error);
  if (status == SYN_OK) status = syn_joint_report_write(context, analysis, title, provenance, path, error);
  if (status == SYN_OK) status = syn_outbox_add(outbox, path, error);
  syn_arena_release(&arena);
  return status;
}

syn_status syn_joint_page_put(const syn_context *context, const syn_joint_analysis *analysis, const char *title,
                              const syn_provenance *provenance, const syn_joint_live *live, FILE *to,
                              syn_error *error) {
  writing w = begin(context, analysis, provenance, live);
  return syn_filled_put(&w.report, &w.arena, fill(&w, title, error), to, error);
}

syn_status syn_joint_page_changes(const syn_context *context, const syn_joint_analysis *analysis,
                                  const syn_provenance *provenance, json_t **value, syn_error *error) {
  writing w = begin(context, analysis, provenance, NULL);
  w.report.joint = analysis->joint;
  syn_status status = fill_ranges(&w, error);
  if (status == SYN_OK) status = fill_notes(&w, error);
  return syn_filled_changes(&w.report, &w.arena, status, value, error);
}
