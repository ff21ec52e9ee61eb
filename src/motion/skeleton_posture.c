/* Postures of a skeleton: the range of a Dof under the values of the others (Maciel 2005, §2.4.2 and §2.4.5), the
 * frames of joints and bodies, and reading a posture from text: NAME=VALUE,… */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "base/vec.h"
#include "motion/skeleton.h"

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

SYN_ENUM_NAMES(syn_dof_state, SYN_DOF_STATES, [SYN_DOF_COMFORTABLE] = "comfortable",
               [SYN_DOF_UNCOMFORTABLE] = "uncomfortable", [SYN_DOF_BEYOND] = "beyond");

/* Interpolates linearly between the points; constant beyond the ends. */
static double curve_at(const syn_range_modifier *m, const double *curve, double x) {
  if (!(x > m->at[0])) return curve[0];
  size_t next = 1;
  while (next < m->count && m->at[next] < x) ++next;
  if (next == m->count) return curve[m->count - 1];
  const double t = (x - m->at[next - 1]) / (m->at[next] - m->at[next - 1]);
  return (1 - t) * curve[next - 1] + t * curve[next];
}

syn_range syn_skeleton_range(const syn_skeleton *skeleton, size_t dof, const double *values) {
  const syn_dof *self = skeleton->dofs[dof];
  syn_range range = {self->lower, self->upper};
  for (size_t i = 0; i < self->modifier_count; ++i) {
    const syn_range_modifier *m = &self->modifiers[i];
    const double x = values[skeleton->store->influencers[dof][i]];
    if (m->lower) range.lower = max2(range.lower, curve_at(m, m->lower, x));
    if (m->upper) range.upper = min2(range.upper, curve_at(m, m->upper, x));
  }
  if (range.lower > range.upper) range.lower = range.upper = (range.lower + range.upper) / 2;
  return range;
}

size_t syn_skeleton_clamp(const syn_skeleton *skeleton, double *values) {
  size_t changed = 0;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const size_t dof = skeleton->store->order[i];
    const syn_range range = syn_skeleton_range(skeleton, dof, values);
    if (values[dof] < range.lower || values[dof] > range.upper) {
      values[dof] = values[dof] < range.lower ? range.lower : range.upper;
      ++changed;
    }
  }
  return changed;
}

size_t syn_skeleton_influenced(const syn_skeleton *skeleton, size_t dof, bool *influenced) {
  size_t count = 0;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const size_t other = skeleton->store->order[i]; /* Dofs that influence it come earlier in this order */
    influenced[other] = false;
    for (size_t m = 0; m < skeleton->dofs[other]->modifier_count && !influenced[other]; ++m) {
      const size_t by = skeleton->store->influencers[other][m];
      influenced[other] = by == dof || influenced[by];
    }
    count += influenced[other];
  }
  return count;
}

syn_dof_state syn_skeleton_state(const syn_skeleton *skeleton, size_t dof, const double *values) {
  const syn_dof *self = skeleton->dofs[dof];
  const syn_range range = syn_skeleton_range(skeleton, dof, values);
  const double value = values[dof];
  if (!(value >= range.lower && value <= range.upper)) return SYN_DOF_BEYOND;
  return value >= self->comfort_lower && value <= self->comfort_upper ? SYN_DOF_COMFORTABLE : SYN_DOF_UNCOMFORTABLE;
}

double syn_skeleton_parameter(const syn_skeleton *skeleton, size_t dof, const double *values) {
  const syn_range range = syn_skeleton_range(skeleton, dof, values);
  return range.upper > range.lower ? (values[dof] - range.lower) / (range.upper - range.lower) : 0;
}

double syn_skeleton_value(const syn_skeleton *skeleton, size_t dof, const double *values, double parameter) {
  const syn_range range = syn_skeleton_range(skeleton, dof, values);
  return (1 - parameter) * range.lower + parameter * range.upper;
}

/* ---- frames of joints and bodies --------------------------------------------------------------------------------- */

void syn_skeleton_rest(const syn_skeleton *skeleton, double *values) {
  for (size_t i = 0; i < skeleton->dof_count; ++i) values[i] = skeleton->dofs[i]->rest;
}

/* Returns the parameter of the sliding curve (Maciel 2005, §2.4.3), which follows the value of the Dof within its
 * current range. A Dof that follows others has a range of a single value; its position between the Dof's own limits
 * then counts. */
static double slide_parameter(const syn_skeleton *skeleton, size_t index, const double *values) {
  const syn_dof *dof = skeleton->dofs[index];
  syn_range range = syn_skeleton_range(skeleton, index, values);
  if (!(range.lower < range.upper)) range = (syn_range){dof->lower, dof->upper};
  const double width = range.upper - range.lower;
  return width > 0 ? min2(max2((values[index] - range.lower) / width, 0), 1) : 0;
}

static syn_vec3 bezier(const syn_vec3 points[4], double t) {
  const double s = 1 - t;
  syn_vec3 place = vec3_scale(points[0], s * s * s);
  place = vec3_madd(place, 3 * s * s * t, points[1]);
  place = vec3_madd(place, 3 * s * t * t, points[2]);
  return vec3_madd(place, t * t * t, points[3]);
}

/* The local instance matrix of a Dof (Maciel 2005, §2.4.3 and §2.4.4): to its frame, along the sliding curve, then the
 * movement itself. */
static syn_pose dof_matrix(const syn_skeleton *skeleton, size_t index, const double *values) {
  const syn_dof *dof = skeleton->dofs[index];
  const double value = values[index];
  syn_pose movement = syn_pose_identity();
  if (dof->kind == SYN_DOF_ROTATION)
    movement = syn_pose_about_axis(vec3(0, 0, 0), dof->axis, value);
  else
    movement.translation = vec3_scale(dof->axis, value);
  if (dof->slides)
    movement.translation = vec3_add(movement.translation, bezier(dof->slide, slide_parameter(skeleton, index, values)));
  return syn_pose_compose(&dof->place, &movement);
}

/* Equations 2.3 to 2.5, with matrices that act on columns: the root's is leftmost. */
void syn_skeleton_pose(const syn_skeleton *skeleton, const double *values, syn_pose *joints, syn_pose *bodies) {
  const syn_skeleton_description *d = &skeleton->description;
  size_t dof = 0;
  for (size_t i = 0; i < d->joint_count; ++i) {
    joints[i] = d->joints[i].place;
    if (skeleton->joint_parents[i] != SIZE_MAX)
      joints[i] = syn_pose_compose(&joints[skeleton->joint_parents[i]], &joints[i]);
    for (size_t k = 0; k < d->joints[i].dof_count; ++k) {
      const syn_pose local = dof_matrix(skeleton, dof++, values);
      joints[i] = syn_pose_compose(&joints[i], &local);
    }
  }
  for (size_t i = 0; bodies && i < d->body_count; ++i)
    bodies[i] = syn_pose_compose(&joints[skeleton->body_joints[i]], &d->bodies[i].place);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

enum { LEVELS = 256 };

/* Collects the joints of the levels `first` to first + LEVELS - 1 on the path from the root, which is level 0, to
 * `joint`, which is level `last`. */
static void take_levels(const syn_skeleton *skeleton, size_t joint, size_t last, size_t first, size_t way[LEVELS]) {
  for (size_t level = last;; --level, joint = skeleton->joint_parents[joint]) {
    if (level < first + LEVELS) way[level - first] = joint;
    if (level == first) return;
  }
}

/* Computes the frame of a joint after all Dofs before `dof`, from the root on as in syn_skeleton_pose. A tree may be as
 * deep as it has joints, so the path is kept in pieces. */
static syn_pose frame_before(const syn_skeleton *skeleton, size_t joint, size_t dof, const double *values) {
  const struct syn_skeleton_store *store = skeleton->store;
  syn_pose frame = syn_pose_identity();
  size_t last = 0, way[LEVELS];
  for (size_t up = joint; skeleton->joint_parents[up] != SIZE_MAX; up = skeleton->joint_parents[up]) ++last;
  for (size_t level = 0; level <= last; ++level) {
    if (level % LEVELS == 0) take_levels(skeleton, joint, last, level, way);
    const size_t here = way[level % LEVELS];
    const syn_skeleton_joint *one = &skeleton->description.joints[here];
    const size_t end = here == joint ? dof : store->first_dofs[here] + one->dof_count;
    frame = level ? syn_pose_compose(&frame, &one->place) : one->place;
    for (size_t i = store->first_dofs[here]; i < end; ++i) {
      const syn_pose local = dof_matrix(skeleton, i, values);
      frame = syn_pose_compose(&frame, &local);
    }
  }
  return frame;
}

void syn_skeleton_axis(const syn_skeleton *skeleton, size_t dof, const double *values, syn_vec3 *point,
                       syn_vec3 *direction) {
  const syn_dof *self = skeleton->dofs[dof];
  const syn_pose above = frame_before(skeleton, skeleton->dof_joints[dof], dof, values),
                 frame = syn_pose_compose(&above, &self->place);
  const syn_vec3 at = self->slides ? bezier(self->slide, slide_parameter(skeleton, dof, values)) : vec3(0, 0, 0);
  if (point) *point = syn_pose_point(&frame, at);
  if (direction) *direction = syn_pose_direction(&frame, self->axis);
}

bool syn_skeleton_joint_carries(const syn_skeleton *skeleton, size_t joint, size_t other) {
  while (other != SIZE_MAX && other != joint) other = skeleton->joint_parents[other];
  return other == joint;
}

/* ---- recordings -------------------------------------------------------------------------------------------------- */

size_t syn_skeleton_columns(const syn_skeleton *skeleton, const syn_recording *recording, size_t *columns) {
  size_t found = 0;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    columns[i] = syn_recording_column_named(recording, skeleton->dofs[i]->name);
    found += columns[i] != SIZE_MAX;
  }
  return found;
}

double syn_skeleton_recorded(const syn_dof *dof, const syn_recording *recording, size_t column, size_t row,
                             double mm_per_unit) {
  const double radians = recording->in_degrees ? SYN_PI / 180 : 1;
  return recording->values[row * recording->column_count + column] *
         (dof->kind == SYN_DOF_ROTATION ? radians : mm_per_unit);
}

size_t syn_skeleton_follow(const syn_skeleton *skeleton, const syn_recording *recording, size_t row, double mm_per_unit,
                           double *values) {
  size_t found = 0;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const size_t column = syn_recording_column_named(recording, skeleton->dofs[i]->name);
    if (column == SIZE_MAX) continue;
    values[i] = syn_skeleton_recorded(skeleton->dofs[i], recording, column, row, mm_per_unit);
    ++found;
  }
  return found;
}

/* ---- a posture as text ------------------------------------------------------------------------------------------- */

#define DEGREES (180 / SYN_PI) /* per radian */

static const char *name_at(const void *skeleton, size_t index) {
  return ((const syn_skeleton *)skeleton)->dofs[index]->name;
}

/* Finds JOINT.DOF; names may contain dots. */
static size_t find_qualified(const syn_skeleton *skeleton, const char *name) {
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const char *joint = skeleton->description.joints[skeleton->dof_joints[i]].name;
    const size_t length = strlen(joint);
    if (strncmp(name, joint, length) == 0 && name[length] == '.' &&
        strcmp(name + length + 1, skeleton->dofs[i]->name) == 0)
      return i;
  }
  return SIZE_MAX;
}

syn_status syn_skeleton_find_dof(const syn_skeleton *skeleton, const char *name, size_t *dof, syn_error *error) {
  char hint[96];
  *dof = skeleton_dof_named(skeleton, name);
  if (*dof == SIZE_MAX) *dof = find_qualified(skeleton, name);
  if (*dof != SIZE_MAX) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "this skeleton has no Dof '%.60s'.%s", name,
                  syn_did_you_mean(name, name_at, skeleton, skeleton->dof_count, hint));
}

/* ---- one setting ------------------------------------------------------------------------------------------------- */

typedef struct setting {
  size_t dof;
  double value; /* as typed */
  bool per_cent;
} setting;

static bool ends_with(syn_word *word, const char *ending) {
  const size_t length = strlen(ending);
  if (word->length <= length || memcmp(word->at + word->length - length, ending, length) != 0) return false;
  word->length -= length;
  return true;
}

/* Reads a number with or without the unit of the Dof, or per cent. */
static bool read_value(syn_word word, syn_dof_kind kind, setting *s) {
  s->per_cent = ends_with(&word, "%");
  if (!s->per_cent && kind == SYN_DOF_ROTATION && !ends_with(&word, "deg")) ends_with(&word, "°");
  if (!s->per_cent && kind == SYN_DOF_TRANSLATION) ends_with(&word, "mm");
  return syn_word_double(word, &s->value) && isfinite(s->value);
}

static syn_status read_setting(const syn_skeleton *skeleton, syn_word word, setting *s, syn_error *error) {
  const char *equals = memchr(word.at, '=', word.length);
  char name[160], shown[48];
  if (!equals || equals == word.at || (size_t)(equals - word.at) >= sizeof name)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a posture is given as NAME=VALUE,…, such as %.60s=10, not '%s'",
                    skeleton->dof_count ? skeleton->dofs[0]->name : "flexion", syn_word_shown(word, shown));
  snprintf(name, sizeof name, "%.*s", (int)(equals - word.at), word.at);
  SYN_TRY(syn_skeleton_find_dof(skeleton, name, &s->dof, error));
  const bool turns = skeleton->dofs[s->dof]->kind == SYN_DOF_ROTATION;
  const syn_word value = {equals + 1, word.length - (size_t)(equals + 1 - word.at)};
  if (read_value(value, skeleton->dofs[s->dof]->kind, s)) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "%.60s= needs a number of %s, or per cent of its range, not '%s'", name,
                  turns ? "degrees" : "mm", syn_word_shown(value, shown));
}

static syn_status apply_value(const syn_skeleton *skeleton, const setting *s, double *values, syn_error *error) {
  const syn_dof *dof = skeleton->dofs[s->dof];
  const bool turns = dof->kind == SYN_DOF_ROTATION;
  const double unit = turns ? DEGREES : 1, value = s->value / unit;
  /* tolerance: rounding in the conversion of degrees must not exceed a limit */
  const double hair = 1e-12 * (fabs(dof->lower) + fabs(dof->upper));
  if (value < dof->lower - hair || value > dof->upper + hair)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%.60s=%g is beyond its limits of %g to %g %s", dof->name, s->value,
                    dof->lower * unit, dof->upper * unit, turns ? "degrees" : "mm");
  values[s->dof] = min2(max2(value, dof->lower), dof->upper);
  return SYN_OK;
}

/* ---- a text of settings ------------------------------------------------------------------------------------------ */

/* Reads the next word between commas and blanks; returns false at the end. */
static bool next_word(const char **text, syn_word *word) {
  *text += strspn(*text, ", ");
  *word = (syn_word){*text, strcspn(*text, ", ")};
  *text += word->length;
  return word->length > 0;
}

/* Finds the setting in per cent of this Dof; the last one counts. */
static bool per_cent_of(const syn_skeleton *skeleton, const char *text, size_t dof, double *per_cent) {
  bool found = false;
  syn_word word;
  while (next_word(&text, &word)) {
    setting s;
    if (read_setting(skeleton, word, &s, NULL) != SYN_OK || s.dof != dof) continue;
    found = s.per_cent;
    *per_cent = s.value;
  }
  return found;
}

syn_status syn_skeleton_set(const syn_skeleton *skeleton, const char *text, double *values, syn_error *error) {
  const char *at = text;
  syn_word word;
  while (next_word(&at, &word)) {
    setting s;
    SYN_TRY(read_setting(skeleton, word, &s, error));
    if (!s.per_cent) SYN_TRY(apply_value(skeleton, &s, values, error));
    if (s.per_cent && !(s.value >= 0 && s.value <= 100))
      return syn_fail(error, SYN_BAD_ARGUMENT, "%.60s=%g%%: a part of the range is 0%% to 100%%",
                      skeleton->dofs[s.dof]->name, s.value);
  }
  /* a range depends on the Dofs that influence it, so those are set first */
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const size_t dof = skeleton->store->order[i];
    double per_cent;
    if (per_cent_of(skeleton, text, dof, &per_cent))
      values[dof] = syn_skeleton_value(skeleton, dof, values, per_cent / 100);
  }
  return SYN_OK;
}
