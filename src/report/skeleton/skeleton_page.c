/* A skeleton as files that people open: the page, and the animation. Every body has a motion of its own, relative to
 * where it lies in the first posture; the page's meshes are there. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/filling.h"
#include "report/page_model.h"
#include "report/shown.h"
#include "report/skeleton/skeleton_page.h"

enum { TO_POSTURE = 30, THROUGH_RANGE = 40, MOST_CURVES = 6 };

#define text(w, ...) syn_filled_text(&(w)->arena, __VA_ARGS__)

static const char *body_name(const skeleton_writing *w, size_t body) {
  return w->analysis->skeleton->description.bodies[body].body.name;
}
static bool turns(const skeleton_writing *w, size_t dof) {
  return w->analysis->skeleton->dofs[dof]->kind == SYN_DOF_ROTATION;
}
static double shown(const skeleton_writing *w, size_t dof, double value) {
  return turns(w, dof) ? value * SYN_RADIAN : value;
}
static const char *unit(const skeleton_writing *w, size_t dof) { return turns(w, dof) ? "°" : " mm"; }

/* As people write it. */
static const char *quantity(skeleton_writing *w, size_t dof, double value) {
  char room[96];
  return text(w, "%s", syn_shown_quantity(shown(w, dof, value), turns(w, dof) ? "°" : "mm", room));
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static syn_status lay_body(skeleton_writing *w, size_t number, const syn_pose *lies, syn_error *error) {
  const syn_body *body = &w->analysis->skeleton->description.bodies[number].body;
  const size_t shown_number = w->report.body_count;
  syn_trimesh *made;
  SYN_TRY(syn_trimesh_transform(body->surface, lies, &made, error));
  w->meshes[shown_number] = made;
  w->numbers[shown_number] = number;
  w->back[shown_number] = syn_pose_inverse(lies);
  w->bodies[shown_number] = (syn_report_body){.body = *body, .label = text(w, "%s", body->name)};
  w->bodies[shown_number].body.surface = made;
  w->bodies[shown_number].body.moves = true;
  ++w->report.body_count;
  return SYN_OK;
}

/* Neighbouring bones are told apart by their colours. */
static void color(syn_report_body *body, size_t number) {
  static const unsigned char tones[][3] = {{222, 226, 230}, {240, 219, 184}, {198, 214, 196},
                                           {226, 200, 190}, {190, 206, 226}, {224, 214, 160}};
  if (body->body.tissue == SYN_TISSUE_BONE) memcpy(body->color, tones[number % (sizeof tones / sizeof *tones)], 3);
}

syn_status syn_skeleton_lay_bodies(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const size_t count = a->skeleton->description.body_count;
  syn_pose *joints, *poses;
  double *values;
  SYN_TRY(SYN_TAKE(&w->arena, &w->bodies, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &w->meshes, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &w->numbers, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &w->back, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &joints, a->skeleton->description.joint_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &poses, count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &values, a->skeleton->dof_count, error));
  /* in the first posture of a recording, else at rest */
  syn_skeleton_rest(a->skeleton, values);
  syn_skeleton_clamp(a->skeleton, values);
  if (a->recording_file) memcpy(values, a->values, a->skeleton->dof_count * sizeof *values);
  syn_skeleton_pose(a->skeleton, values, joints, poses);
  for (size_t i = 0; i < count; ++i)
    if (a->skeleton->description.bodies[i].body.surface) SYN_TRY(lay_body(w, i, &poses[i], error));
  for (size_t i = 0; i < w->report.body_count; ++i) color(&w->bodies[i], i);
  w->report.bodies = w->bodies;
  if (w->report.body_count > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "no body of this skeleton has a mesh, so that there is nothing to show");
}

void syn_skeleton_release_bodies(skeleton_writing *w) {
  for (size_t i = 0; i < w->report.body_count; ++i) syn_trimesh_destroy(w->meshes[i]);
}

/* ---- motions ------------------------------------------------------------------------------------------------------
 */

/* Adds one posture to a motion of body poses. */
static void put_posture(const skeleton_writing *w, const syn_pose *bodies, syn_pose *poses, size_t count, size_t step) {
  for (size_t i = 0; i < w->report.body_count; ++i)
    poses[i * count + step] = syn_pose_compose(&bodies[w->numbers[i]], &w->back[i]);
}

/* Poses of a posture that is not among those of the analysis. */
typedef struct mover {
  double *values;
  syn_pose *joints, *bodies;
} mover;

static syn_status make_mover(skeleton_writing *w, mover *m, syn_error *error) {
  const syn_skeleton *skeleton = w->analysis->skeleton;
  SYN_TRY(SYN_TAKE(&w->arena, &m->values, skeleton->dof_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &m->joints, skeleton->description.joint_count, error));
  return SYN_TAKE(&w->arena, &m->bodies, skeleton->description.body_count, error);
}

static syn_status begin_motion(skeleton_writing *w, const char *name, const char *label, size_t count,
                               syn_report_motion *motion, syn_pose **poses, double **along, syn_error *error) {
  SYN_TRY(SYN_TAKE(&w->arena, poses, count * w->report.body_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, along, count, error));
  *motion =
      (syn_report_motion){.name = name, .label = label, .pose_count = count, .along = *along, .body_poses = *poses};
  return SYN_OK;
}

/* From rest to the posture: values on straight lines, clamped on the way. */
static syn_status add_posture(skeleton_writing *w, syn_report_motion *motion, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const size_t count = TO_POSTURE + 1;
  syn_pose *poses;
  double *along;
  mover m;
  SYN_TRY(make_mover(w, &m, error));
  SYN_TRY(begin_motion(w, "posture", "From rest to the posture", count, motion, &poses, &along, error));
  motion->along_label = "Way";
  motion->along_unit = "%";
  for (size_t step = 0; step < count; ++step) {
    const double part = (double)step / TO_POSTURE;
    for (size_t i = 0; i < a->skeleton->dof_count; ++i)
      m.values[i] = (1 - part) * a->skeleton->dofs[i]->rest + part * a->asked[i];
    syn_skeleton_clamp(a->skeleton, m.values);
    if (step + 1 == count) memcpy(m.values, a->start, a->skeleton->dof_count * sizeof *m.values);
    syn_skeleton_pose(a->skeleton, m.values, m.joints, m.bodies);
    put_posture(w, m.bodies, poses, count, step);
    along[step] = 100 * part;
  }
  return SYN_OK;
}

/* How deep a pair is along the recording; 0 where it is free. */
static syn_status add_depths(skeleton_writing *w, size_t pair, syn_report_curve *curve, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const syn_skeleton_pair *p = &a->pairs[pair];
  double *values;
  SYN_TRY(SYN_TAKE(&w->arena, &values, a->posture_count, error));
  for (size_t i = 0; i < a->posture_count; ++i) values[i] = fmax(0, a->touches[i * a->pair_count + pair].depth_mm);
  *curve = (syn_report_curve){.name = text(w, "depth_%zu", pair),
                              .label = text(w, "%s in %s", body_name(w, p->mobile), body_name(w, p->fixed)),
                              .unit = "mm",
                              .values = values};
  return SYN_OK;
}

static bool ever_touches(const syn_skeleton_analysis *a, size_t pair) {
  for (size_t i = 0; i < a->posture_count; ++i)
    if (a->touches[i * a->pair_count + pair].depth_mm > 0) return true;
  return false;
}

static double swing(const syn_skeleton_analysis *a, size_t dof) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < a->posture_count; ++i) {
    low = fmin(low, a->values[i * a->skeleton->dof_count + dof]);
    high = fmax(high, a->values[i * a->skeleton->dof_count + dof]);
  }
  return high - low;
}

/* The turns with the widest swing. */
static syn_status add_turns(skeleton_writing *w, syn_report_curve *curves, size_t *count, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  double below = INFINITY;
  while (*count < MOST_CURVES) {
    size_t widest = SIZE_MAX;
    for (size_t i = 0; i < a->skeleton->dof_count; ++i)
      if (turns(w, i) && swing(a, i) > 0 && swing(a, i) < below &&
          (widest == SIZE_MAX || swing(a, i) > swing(a, widest)))
        widest = i;
    if (widest == SIZE_MAX) return SYN_OK;
    double *values;
    SYN_TRY(SYN_TAKE(&w->arena, &values, a->posture_count, error));
    for (size_t i = 0; i < a->posture_count; ++i)
      values[i] = a->values[i * a->skeleton->dof_count + widest] * SYN_RADIAN;
    const char *name = a->skeleton->dofs[widest]->name;
    curves[(*count)++] = (syn_report_curve){.name = name, .label = name, .unit = "°", .values = values};
    below = swing(a, widest);
  }
  return SYN_OK;
}

static syn_status add_recorded(skeleton_writing *w, syn_report_motion *motion, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const size_t body_count = a->skeleton->description.body_count;
  syn_report_curve *curves;
  syn_pose *poses;
  double *along;
  SYN_TRY(SYN_TAKE(&w->arena, &curves, a->pair_count + MOST_CURVES, error));
  SYN_TRY(begin_motion(w, "recorded", "Recorded motion", a->posture_count, motion, &poses, &along, error));
  motion->along_label = "Time";
  motion->along_unit = "s";
  motion->curves = curves;
  for (size_t i = 0; i < a->posture_count; ++i) {
    put_posture(w, a->bodies + i * body_count, poses, a->posture_count, i);
    along[i] = a->times_s[i];
  }
  for (size_t i = 0; a->touches && i < a->pair_count && motion->curve_count < MOST_CURVES; ++i)
    if (ever_touches(a, i)) SYN_TRY(add_depths(w, i, &curves[motion->curve_count++], error));
  return motion->curve_count ? SYN_OK : add_turns(w, curves, &motion->curve_count, error);
}

/* From one end of a Dof to the other. The contact is that of the upper end, or of the lower one. */
static syn_status add_range(skeleton_writing *w, size_t number, syn_report_motion *motion, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const syn_skeleton_dof_range *r = &a->ranges[number];
  const syn_skeleton_stop *stop = r->upper.by_contact ? &r->upper : &r->lower;
  const size_t count = THROUGH_RANGE + 1;
  const char *name = a->skeleton->dofs[r->dof]->name;
  syn_report_contact *contact;
  syn_pose *poses;
  double *along;
  mover m;
  SYN_TRY(make_mover(w, &m, error));
  SYN_TRY(
      begin_motion(w, text(w, "range_%s", name), text(w, "Range of %s", name), count, motion, &poses, &along, error));
  motion->along_label = name;
  motion->along_unit = turns(w, r->dof) ? "°" : "mm";
  for (size_t step = 0; step < count; ++step) {
    const double part = (double)step / THROUGH_RANGE;
    memcpy(m.values, a->start, a->skeleton->dof_count * sizeof *m.values);
    m.values[r->dof] = (1 - part) * r->lower.value + part * r->upper.value;
    syn_skeleton_clamp(a->skeleton, m.values);
    syn_skeleton_pose(a->skeleton, m.values, m.joints, m.bodies);
    put_posture(w, m.bodies, poses, count, step);
    along[step] = shown(w, r->dof, m.values[r->dof]);
  }
  if (!stop->by_contact) return SYN_OK;
  SYN_TRY(SYN_TAKE(&w->arena, &contact, 1, error));
  *contact = (syn_report_contact){.point = stop->point,
                                  .mobile_point = stop->point,
                                  .fixed = body_name(w, a->pairs[stop->pair].fixed),
                                  .mobile = body_name(w, a->pairs[stop->pair].mobile),
                                  .kind = stop->touch != SYN_EVENT_NONE ? syn_event_kind_name(stop->touch)
                                                                        : syn_contact_of_name(stop->of),
                                  .hour = NAN,
                                  .angle_deg = shown(w, r->dof, stop->value)};
  motion->contact = contact;
  return SYN_OK;
}

syn_status syn_skeleton_add_motions(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  syn_report_motion *motions;
  SYN_TRY(SYN_TAKE(&w->arena, &motions, a->range_count + 1, error));
  SYN_TRY(a->recording_file ? add_recorded(w, &motions[0], error) : add_posture(w, &motions[0], error));
  for (size_t i = 0; i < a->range_count; ++i) SYN_TRY(add_range(w, i, &motions[i + 1], error));
  w->report.motions = motions;
  w->report.motion_count = a->range_count + 1;
  return SYN_OK;
}

/* ---- words --------------------------------------------------------------------------------------------------------
 */

static const char *stop_words(skeleton_writing *w, const syn_skeleton_dof_range *r, const syn_skeleton_stop *stop) {
  const syn_skeleton_pair *pair = stop->by_contact ? &w->analysis->pairs[stop->pair] : NULL;
  const char *value = quantity(w, r->dof, stop->value);
  if (!pair) return text(w, "%s, the end of its range", value);
  return text(w, "%s, where %s meets %s", value, body_name(w, pair->mobile), body_name(w, pair->fixed));
}

static const char *range_sentence(skeleton_writing *w, const syn_skeleton_dof_range *r) {
  return text(w, "%s goes up to %s, and down to %s.", w->analysis->skeleton->dofs[r->dof]->name,
              stop_words(w, r, &r->upper), stop_words(w, r, &r->lower));
}

static const char *clamp_sentence(skeleton_writing *w, size_t dof) {
  const syn_skeleton_analysis *a = w->analysis;
  const char *name = a->skeleton->dofs[dof]->name;
  const syn_range range = syn_skeleton_range(a->skeleton, dof, a->start);
  if (a->skeleton->dofs[dof]->modifier_count > 0 && range.lower == range.upper && !a->recording_file)
    return text(w, "%s follows %s: %s.", name, a->skeleton->dofs[dof]->modifiers[0].by,
                quantity(w, dof, a->start[dof]));
  if (a->recording_file)
    return text(w, "%s was brought back into its range in %zu of %zu postures.", name, a->clamped[dof],
                a->posture_count);
  return text(w, "%s is %.4g%s instead of %.4g%s, which its range in force does not allow.", name,
              shown(w, dof, a->start[dof]), unit(w, dof), shown(w, dof, a->asked[dof]), unit(w, dof));
}

static const char *contact_sentence(skeleton_writing *w) {
  const syn_skeleton_analysis *a = w->analysis;
  const char *roles = a->both_roles ? " in both roles" : "";
  const size_t free_count = syn_skeleton_free_postures(a), pair = syn_skeleton_deepest_pair(a, 0);
  if (a->recording_file)
    return text(w, "%zu of %zu postures of the recorded motion are free of contact (method %s%s).", free_count,
                a->posture_count, a->method, roles);
  if (pair == SIZE_MAX) return text(w, "No bodies touch in the posture (method %s%s).", a->method, roles);
  const double depth = a->touches[pair].depth_mm;
  char room[96];
  return text(w, "%s and %s touch in the posture%s (method %s%s).", body_name(w, a->pairs[pair].mobile),
              body_name(w, a->pairs[pair].fixed),
              isfinite(depth) ? text(w, ", %s deep", syn_shown_quantity(depth, "mm", room)) : "", a->method, roles);
}

static syn_status fill_words(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const syn_provenance *p = w->provenance;
  const char **summary, **notes;
  size_t count = 0, note_count = 0;
  SYN_TRY(syn_arena_take(&w->arena, a->range_count + a->skeleton->dof_count + 1, sizeof *summary, (void **)&summary,
                         error));
  SYN_TRY(syn_arena_take(&w->arena, p->warning_count, sizeof *notes, (void **)&notes, error));
  if (a->touches) summary[count++] = contact_sentence(w);
  for (size_t i = 0; i < a->range_count; ++i) summary[count++] = range_sentence(w, &a->ranges[i]);
  for (size_t i = 0; i < a->skeleton->dof_count; ++i)
    if (a->clamped[i]) summary[count++] = clamp_sentence(w, i);
  for (size_t i = 0; i < p->warning_count; ++i) notes[note_count++] = syn_filled_sentence(&w->arena, p->warnings[i]);
  w->report.summary = summary;
  w->report.summary_count = count;
  w->report.notes = notes;
  w->report.note_count = note_count;
  return SYN_OK;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

/* The touching pairs of the posture in which one is deepest. */
static size_t worst_posture(const syn_skeleton_analysis *a) {
  size_t worst = 0;
  double most = -INFINITY;
  for (size_t i = 0; i < a->posture_count; ++i) {
    const size_t pair = syn_skeleton_deepest_pair(a, i);
    if (pair == SIZE_MAX || !(a->touches[i * a->pair_count + pair].depth_mm > most)) continue;
    most = a->touches[i * a->pair_count + pair].depth_mm;
    worst = i;
  }
  return worst;
}

static syn_status fill_contacts(skeleton_writing *w, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[] = {{"fixed", "Fixed", "", false},
                                              {"mobile", "Mobile", "", false},
                                              {"contacts", "Contacts", "", true},
                                              {"depth", "Deepest", "mm", true}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const syn_skeleton_analysis *a = w->analysis;
  const size_t posture = worst_posture(a);
  size_t rows = 0;
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&w->arena, &cells, a->pair_count * COLUMNS, error));
  for (size_t i = 0; i < a->pair_count; ++i) {
    const syn_skeleton_touch *t = &a->touches[posture * a->pair_count + i];
    if (!t->touching) continue;
    syn_report_cell *row = cells + COLUMNS * rows++;
    row[0] = syn_filled_words(body_name(w, a->pairs[i].fixed));
    row[1] = syn_filled_words(body_name(w, a->pairs[i].mobile));
    row[2] = syn_filled_number((double)t->contact_count);
    row[3] = syn_filled_number(t->depth_mm);
  }
  *table = (syn_report_table){.name = "contacts",
                              .title = a->recording_file
                                           ? text(w, "Contacts at %g s, where they are deepest", a->times_s[posture])
                                           : "Contacts in the posture",
                              .columns = columns,
                              .column_count = COLUMNS,
                              .row_count = rows,
                              .cells = cells};
  return SYN_OK;
}

static syn_status fill_tables(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  size_t *count = &w->report.table_count;
  w->report.tables = w->tables;
  if (a->touches) SYN_TRY(fill_contacts(w, &w->tables[(*count)++], error));
  if (a->range_count)
    SYN_TRY(syn_filled_table(&w->arena, &syn_skeleton_range_record, a, a->range_count, "Ranges until contact",
                             "From the posture, one Dof at a time.", &w->tables[(*count)++], error));
  return syn_filled_table(&w->arena, &syn_skeleton_dof_record, a, a->skeleton->dof_count, "Degrees of freedom",
                          "The range in force is what limits and modifiers leave in the posture.",
                          &w->tables[(*count)++], error);
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

static syn_status fill_inputs(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const char *const files[] = {a->skeleton_file, a->recording_file};
  syn_report_input *inputs;
  SYN_TRY(SYN_TAKE(&w->arena, &inputs, 2, error));
  w->report.inputs = inputs;
  for (size_t i = 0; i < 2; ++i)
    if (files[i]) SYN_TRY(syn_filled_input(&w->arena, files[i], NULL, &inputs[w->report.input_count++], error));
  return SYN_OK;
}

syn_status syn_skeleton_fill_page(skeleton_writing *w, const char *title, syn_error *error) {
  const syn_skeleton *skeleton = w->analysis->skeleton;
  w->report.kind = "skeleton";
  w->report.title = title;
  w->report.subtitle = text(w, "Skeleton of %zu joints, %zu degrees of freedom and %zu bodies",
                            skeleton->description.joint_count, skeleton->dof_count, skeleton->description.body_count);
  w->report.command = w->provenance->command;
  w->report.date = w->provenance->date;
  SYN_TRY(syn_skeleton_add_motions(w, error));
  SYN_TRY(fill_words(w, error));
  SYN_TRY(fill_tables(w, error));
  SYN_TRY(fill_inputs(w, error));
  return syn_arena_check(&w->arena, error);
}
