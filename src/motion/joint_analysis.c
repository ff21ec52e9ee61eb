/* Analyses the motion of any joint: limits, bodies that overlap, the envelope, the effect of the centre, a recorded
 * motion and depths along it. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include <synovia/motion.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "joint/joint_store.h"

struct syn_joint_analysis_store {
  syn_joint_analysis analysis;
  syn_arena arena;     /* the motions and their texts */
  syn_motion *motions; /* all motions of the joint: rotations about its axes, then those that its file describes */
  size_t motion_count;
};

syn_joint_analysis_options syn_default_joint_analysis_options(void) {
  return (syn_joint_analysis_options){.bands = syn_default_band_options(), .cookie = SYN_COOKIE};
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* "left_turn" as "Left turn". */
static syn_status label(syn_arena *arena, syn_motion *motion, syn_error *error) {
  char *words;
  if (motion->label) return SYN_OK;
  SYN_TRY(syn_arena_text(arena, motion->name, strlen(motion->name), &words, error));
  for (char *c = words; *c; ++c)
    if (*c == '_') *c = ' ';
  words[0] = (char)toupper((unsigned char)words[0]);
  motion->label = words;
  return SYN_OK;
}

static syn_status list_motions(struct syn_joint_analysis_store *s, syn_error *error) {
  const syn_joint *joint = s->analysis.joint;
  const size_t turns = SYN_JOINT_DIRECTIONS;
  SYN_TRY(SYN_TAKE(&s->arena, &s->motions, turns + joint->turn_count, error));
  for (size_t i = 0; i < turns; ++i)
    s->motions[s->motion_count++] = (syn_motion){.name = syn_joint_direction_at(joint, i),
                                                 .axis = (int)i / 2,
                                                 .sign = i % 2 ? -1 : 1,
                                                 .low_deg = NAN,
                                                 .high_deg = NAN};
  for (size_t i = 0; i < joint->turn_count; ++i) s->motions[s->motion_count++] = joint->turns[i];
  for (size_t i = 0; i < s->motion_count; ++i) SYN_TRY(label(&s->arena, &s->motions[i], error));
  return SYN_OK;
}

static const char *name_at(const void *store, size_t index) {
  return ((const struct syn_joint_analysis_store *)store)->motions[index].name;
}

/* Adds the motion of this name; one described in the file precedes a rotation of the same name. */
static syn_status want(struct syn_joint_analysis_store *s, const char *name, syn_error *error) {
  syn_joint_analysis *a = &s->analysis;
  char hint[96];
  for (size_t i = s->motion_count; i-- > 0;) {
    if (strcmp(s->motions[i].name, name) != 0) continue;
    for (size_t k = 0; k < a->limit_count; ++k)
      if (a->limits[k].motion == &s->motions[i]) return SYN_OK; /* already listed */
    a->limits[a->limit_count++].motion = &s->motions[i];
    return SYN_OK;
  }
  return syn_fail(error, SYN_BAD_ARGUMENT, "this joint has no motion '%.60s'.%s", name,
                  syn_did_you_mean(name, name_at, s, s->motion_count, hint));
}

/* Selects the motions that the caller names, else those of the file, else both rotations about each axis. */
static syn_status want_motions(struct syn_joint_analysis_store *s, const syn_joint_analysis_options *options,
                               syn_error *error) {
  const syn_joint *joint = s->analysis.joint;
  const size_t named = options->motions ? options->motion_count : 0;
  SYN_TRY(SYN_NEW(s->analysis.context, &s->analysis.limits, named + joint->motion_count + s->motion_count, error));
  for (size_t i = 0; i < named; ++i) SYN_TRY(want(s, options->motions[i], error));
  if (options->motions) return SYN_OK;
  for (size_t i = 0; i < joint->motion_count; ++i) SYN_TRY(want(s, joint->motions[i], error));
  for (size_t i = 0; i < joint->turn_count; ++i) SYN_TRY(want(s, joint->turns[i].name, error));
  const size_t turns = joint->motion_count || joint->turn_count ? 0 : SYN_JOINT_DIRECTIONS;
  for (size_t i = 0; i < turns; ++i) SYN_TRY(want(s, s->motions[i].name, error));
  return SYN_OK;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static const syn_body *body_of(const syn_joint_analysis *a, uint32_t number) {
  return number == SYN_NONE ? NULL : &a->joint->bodies[number];
}

static syn_status find_limit(void *analysis, size_t i, syn_error *error) {
  syn_joint_analysis *a = analysis;
  char *scratch;
  SYN_TRY(SYN_NEW(a->context, &scratch, syn_rom_scratch(a->rom), error));
  syn_motion_limit *l = &a->limits[i];
  syn_rom_query(a->rom, l->motion, scratch, &l->limit);
  l->fixed = body_of(a, l->limit.fixed);
  l->mobile = body_of(a, l->limit.mobile);
  for (int k = 0; k < SYN_BAND_SLOTS; ++k) l->bands[k] = (syn_band){NAN, NAN};
  l->stopped_part = l->below_part = NAN;
  syn_free(a->context, scratch);
  return SYN_OK;
}

static syn_status shift_center(syn_joint_analysis *a, double center_mm, syn_error *error) {
  const syn_motion **motions;
  a->center_mm = center_mm;
  SYN_TRY(SYN_TAKE(&a->store->arena, &motions, a->limit_count, error));
  SYN_TRY(SYN_TAKE(&a->store->arena, &a->center_bands, a->limit_count, error));
  for (size_t i = 0; i < a->limit_count; ++i) motions[i] = a->limits[i].motion;
  return syn_center_bands_find(a->rom, motions, a->limit_count, center_mm, a->center_bands, error);
}

/* ---- overlap ----------------------------------------------------------------------------------------------------- */

static syn_status find_overlaps(syn_joint_analysis *a, syn_error *error) {
  const syn_joint *joint = a->joint;
  SYN_TRY(SYN_NEW(a->context, &a->overlaps, joint->body_count * joint->body_count, error));
  for (size_t f = 0; f < joint->body_count; ++f)
    for (size_t m = 0; m < joint->body_count; ++m) {
      const syn_body *fixed = &joint->bodies[f], *mobile = &joint->bodies[m];
      syn_joint_overlap *next = &a->overlaps[a->overlap_count];
      if (!syn_joint_may_touch(joint, fixed, mobile)) continue;
      *next = (syn_joint_overlap){.fixed = fixed, .mobile = mobile};
      SYN_TRY(syn_penetration_find(fixed->surface, mobile->surface, &joint->center, &next->overlap, error));
      if (next->overlap.found) ++a->overlap_count;
    }
  return SYN_OK;
}

/* ---- a recorded motion ------------------------------------------------------------------------------------------- */

/* Counts the free poses, and finds the first one that is not. */
static syn_status follow(syn_joint_analysis *a, const char *file, syn_error *error) {
  syn_joint_recorded *r = &a->recorded;
  char *scratch, *kept;
  SYN_TRY(syn_arena_text(&a->store->arena, file, strlen(file), &kept, error));
  r->file = kept;
  SYN_TRY(syn_joint_motion_read(a->context, a->joint, file, &r->poses, &r->times_s, &r->pose_count, error));
  SYN_TRY(SYN_NEW(a->context, &scratch, syn_rom_scratch(a->rom), error));
  r->center = syn_motion_center_find(r->poses, r->pose_count);
  r->first_contact = r->pose_count;
  for (size_t i = 0; i < r->pose_count; ++i) {
    uint32_t fixed, mobile;
    if (!syn_rom_meets(a->rom, &r->poses[i], scratch, &fixed, &mobile)) {
      ++r->free_count;
    } else if (r->first_contact == r->pose_count) {
      r->first_contact = i;
      r->fixed = body_of(a, fixed);
      r->mobile = body_of(a, mobile);
    }
  }
  syn_free(a->context, scratch);
  return SYN_OK;
}

/* ---- the analysis ------------------------------------------------------------------------------------------------ */

static syn_status analyse(struct syn_joint_analysis_store *s, const syn_joint_analysis_options *options,
                          syn_error *error) {
  syn_joint_analysis *a = &s->analysis;
  SYN_TRY(list_motions(s, error));
  SYN_TRY(want_motions(s, options, error));
  SYN_TRY(syn_rom_create(a->context, a->joint, NULL, &a->rom, error));
  SYN_TRY(find_overlaps(a, error));
  SYN_TRY(syn_parallel_tasks(a->context, a->limit_count, find_limit, a, error));
  SYN_TRY(syn_bands_find(a->rom, NULL, &options->bands, a->limits, a->limit_count, error));
  if (options->envelope) SYN_TRY(syn_envelope_create(a->context, a->rom, options->envelope, &a->envelope, error));
  if (options->center_mm != 0) SYN_TRY(shift_center(a, options->center_mm, error));
  if (options->recording) SYN_TRY(follow(a, options->recording, error));
  if (!options->depths) return SYN_OK;
  if (!options->recording)
    return syn_fail(error, SYN_BAD_ARGUMENT, "depths are measured along a motion; give a recording");
  return syn_depths_create(a->context, a->joint, a->recorded.poses, a->recorded.pose_count, NULL, &a->depths, error);
}

syn_status syn_joint_analysis_create(const syn_context *context, syn_joint *joint,
                                     const syn_joint_analysis_options *options, syn_joint_analysis **analysis,
                                     syn_error *error) {
  const syn_joint_analysis_options standard = syn_default_joint_analysis_options();
  struct syn_joint_analysis_store *made;
  *analysis = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_joint_analysis_options, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->arena.context = context;
  made->analysis = (syn_joint_analysis){.context = context, .joint = joint, .store = made};
  const syn_status status = analyse(made, options, error);
  if (status == SYN_OK)
    *analysis = &made->analysis;
  else
    syn_joint_analysis_destroy(&made->analysis);
  return status;
}

syn_status syn_joint_analyse(const syn_context *context, const syn_joint_input *input,
                             const syn_joint_analysis_options *options, syn_joint_analysis **analysis,
                             syn_error *error) {
  syn_joint *joint;
  char *file;
  *analysis = NULL;
  SYN_TRY(syn_joint_open(context, input, &joint, error));
  syn_status status = syn_joint_analysis_create(context, joint, options, analysis, error);
  if (status != SYN_OK) {
    syn_joint_destroy(joint);
    return status;
  }
  (*analysis)->owns_joint = true;
  if (!input->joint) return SYN_OK;
  status = syn_arena_text(&(*analysis)->store->arena, input->joint, strlen(input->joint), &file, error);
  if (status == SYN_OK) {
    (*analysis)->joint_file = file;
  } else {
    syn_joint_analysis_destroy(*analysis);
    *analysis = NULL;
  }
  return status;
}

void syn_joint_analysis_destroy(syn_joint_analysis *a) {
  if (!a) return;
  struct syn_joint_analysis_store *store = a->store;
  const syn_context *context = a->context;
  syn_rom_destroy(a->rom);
  syn_envelope_destroy(a->envelope);
  syn_depths_destroy(a->depths);
  syn_free(context, a->limits);
  syn_free(context, a->overlaps);
  syn_free(context, a->recorded.poses);
  syn_free(context, a->recorded.times_s);
  if (a->owns_joint) syn_joint_destroy(a->joint);
  syn_arena_release(&store->arena);
  syn_free(context, store);
}
