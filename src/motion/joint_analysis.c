/* Analyses the range of motion of any joint: its limits, bodies that overlap, and a recorded motion; and describes the
 * results by the names of its bodies and motions. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include <synovia/motion.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "joint/joint.h"
#include "motion/rom/limit_text.h"
#include "result/value.h"

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
  if (named) return SYN_OK;
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
  l->stopped_part = NAN;
  syn_free(a->context, scratch);
  return SYN_OK;
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

static syn_status follow(syn_joint_analysis *a, const char *file, syn_error *error) {
  syn_joint_recorded *r = &a->recorded;
  char *scratch, *kept;
  SYN_TRY(syn_arena_text(&a->store->arena, file, strlen(file), &kept, error));
  r->file = kept;
  SYN_TRY(syn_joint_motion_read(a->context, a->joint, file, &r->poses, &r->times_s, &r->pose_count, error));
  SYN_TRY(SYN_NEW(a->context, &scratch, syn_rom_scratch(a->rom), error));
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
  return options->recording ? follow(a, options->recording, error) : SYN_OK;
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
  syn_free(context, a->limits);
  syn_free(context, a->overlaps);
  syn_free(context, a->recorded.poses);
  syn_free(context, a->recorded.times_s);
  if (a->owns_joint) syn_joint_destroy(a->joint);
  syn_arena_release(&store->arena);
  syn_free(context, store);
}

static const char *name_of(const syn_body *body) { return body ? body->name : NULL; }

/* ---- fields of a limit ------------------------------------------------------------------------------------------- */

GET(limit_fixed, syn_motion_limit, value_text(name_of(at->fixed)))
GET(limit_mobile, syn_motion_limit, value_text(name_of(at->mobile)))
static const syn_result_field bodies_fields[] = {FIELD(TEXT, "fixed", "On", "", FILE_ONLY, limit_fixed),
                                                 FIELD(TEXT, "mobile", "Stopped by", "", FILE_ONLY, limit_mobile)};
static const syn_record bodies_record = RECORD("limited_by", bodies_fields);

static const syn_result_field range_fields[] = {
    MEMBER(syn_motion, low_deg, "low", "Published from", "deg", FILE_ONLY, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, high_deg, "high", "to", "deg", FILE_ONLY, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, source, "source", "Source", "", FILE_ONLY, THROUGH(syn_motion_limit, motion))};
static const syn_record range_record = RECORD_OF(syn_motion_limit, "published", range_fields);

/* ---- fields of a motion ------------------------------------------------------------------------------------------ */

static bool stopped(const syn_motion_limit *l) { return l->limit.state == SYN_LIMIT_STOPPED; }

/* Returns whether bodies stop the motion, or overlap if no pose is free. */
static bool has_bodies(const syn_motion_limit *l) { return l->fixed && (stopped(l) || isnan(l->limit.followed)); }

static syn_value state_words(const syn_motion_limit *l) {
  char words[96];
  char band[96];
  syn_band_words(&l->limit, &l->bands[SYN_BAND_ALL], l->stopped_part, syn_motion_max_deg(l->motion), band);
  if (!stopped(l)) return syn_value_words("%s%s%s", syn_motion_limit_words(l, words), band[0] ? ": " : "", band);
  return value_text(l->limit.start_overlaps && l->limit.angle < 0 ? "stopped; the start collides" : "stopped");
}

static syn_value stopped_by(const syn_motion_limit *l) {
  return stopped(l) ? syn_value_on(l->mobile->name, l->fixed->name) : value_none();
}

GET(free_again, syn_motion_limit, value_real(syn_limit_free_again_deg(&at->limit)))
GET(limited_by, syn_motion_limit, has_bodies(at) ? value_record(at, 0) : value_none())
GET(contact, syn_motion_limit,
    stopped(at) && at->limit.event.kind != SYN_EVENT_NONE ? value_record(&at->limit.event, 0) : value_none())
GET(published, syn_motion_limit, at->motion->source ? value_record(at, 0) : value_none())
static double band_end(const void *b, size_t i) { return i ? ((const syn_band *)b)->high : ((const syn_band *)b)->low; }
static syn_value band_value(const syn_motion_limit *l, syn_band_source source) {
  const syn_band *b = &l->bands[source];
  return isfinite(b->low) || isfinite(b->high) ? value_numbers(band_end, b, 2) : value_none();
}
GET(band_all, syn_motion_limit, band_value(at, SYN_BAND_ALL))
GET(band_surface, syn_motion_limit, band_value(at, SYN_BAND_SURFACE))
GET(band_center, syn_motion_limit, band_value(at, SYN_BAND_CENTER))
GET(most, syn_motion_limit, value_real(syn_motion_max_deg(at->motion)))
static const syn_result_field band_fields[] = {
    FIELD(NUMBERS, "surface", "By the surface", "deg", FILE_ONLY, band_surface),
    FIELD(NUMBERS, "center", "By the centre", "deg", FILE_ONLY, band_center),
};
static const syn_record bands_record = RECORD("bands_deg", band_fields);
GET(bands, syn_motion_limit, isfinite(at->stopped_part) ? value_record(at, 0) : value_none())
GET(words, syn_motion_limit, state_words(at))
GET(by, syn_motion_limit, stopped_by(at))

static const syn_result_field limit_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_motion_limit, motion)),
    NAMED(syn_motion_limit, limit.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_motion_limit, limit.angle, "angle_deg", "Angle", FILE_ONLY),
    FIELD(REAL, "free_again_until_deg", "Free again until", "deg", FILE_ONLY, free_again),
    FIELD_OF(RECORD, bodies_record, "limited_by", "Stopped by", FILE_ONLY, limited_by),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, contact),
    MEMBER(syn_motion_limit, limit.start_overlaps, "start_overlaps", "The start collides", "", FILE_ONLY),
    FIELD_OF(RECORD, range_record, "published", "Published", FILE_ONLY, published),
    FIELD(REAL, "followed_to_deg", "Followed to", "deg", FILE_ONLY, most),
    FIELD(NUMBERS, "band_deg", "95 %", "deg", FILE_ONLY, band_all),
    MEMBER(syn_motion_limit, stopped_part, "band_stopped_percent", "Draws that are stopped", "percent", FILE_ONLY,
           .factor = 100),
    FIELD_OF(RECORD, bands_record, "bands_deg", "95 % by source", FILE_ONLY, bands),
    MEMBER(syn_motion, label, "motion", "Motion", "", SYN_IN_PAGE, THROUGH(syn_motion_limit, motion)),
    FIELD(TEXT, "state", "State", "", SYN_IN_PAGE, words),
    ANGLE(syn_motion_limit, limit.angle, "angle", "Ends at", SYN_IN_PAGE),
    MEMBER(syn_motion_limit, bands[SYN_BAND_ALL].low, "band_low", "95 % from", "deg", SYN_IN_PAGE),
    MEMBER(syn_motion_limit, bands[SYN_BAND_ALL].high, "band_high", "to", "deg", SYN_IN_PAGE),
    FIELD(TEXT, "by", "Stopped by", "", SYN_IN_PAGE, by),
    MEMBER(syn_motion, low_deg, "low", "Published from", "deg", SYN_IN_PAGE, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, high_deg, "high", "to", "deg", SYN_IN_PAGE, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, source, "source", "Source", "", SYN_IN_PAGE, THROUGH(syn_motion_limit, motion)),
};
const syn_record syn_joint_limit_record = RECORD_OF(syn_motion_limit, "motions", limit_fields);

/* ---- fields of an overlap ---------------------------------------------------------------------------------------- */

GET(overlap_fixed, syn_joint_overlap, value_text(name_of(at->fixed)))
GET(overlap_mobile, syn_joint_overlap, value_text(name_of(at->mobile)))
static const syn_result_field overlap_fields[] = {
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY, overlap_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY, overlap_mobile),
    MEMBER(syn_joint_overlap, overlap.depth_mm, "depth_mm", "Overlap as they lie", "mm", FILE_ONLY),
    MEMBER(syn_joint_overlap, overlap.point, "point", "At", "mm", FILE_ONLY)};
static const syn_record overlap_record = RECORD_OF(syn_joint_overlap, "overlap", overlap_fields);

/* ---- fields of a recorded motion --------------------------------------------------------------------------------- */

/* Returns the file's name without folders, which mean nothing on another computer. */
static const char *file_name(const char *path) {
  const char *name = path;
  for (; *path; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

static bool touches(const syn_joint_recorded *r) { return r->first_contact < r->pose_count; }

GET(recorded_file, syn_joint_recorded, value_text(file_name(at->file)))
GET(recorded_first, syn_joint_recorded, touches(at) ? value_count(at->first_contact) : value_none())
GET(recorded_time, syn_joint_recorded, touches(at) ? value_real(at->times_s[at->first_contact]) : value_none())
GET(recorded_fixed, syn_joint_recorded, value_text(name_of(at->fixed)))
GET(recorded_mobile, syn_joint_recorded, value_text(name_of(at->mobile)))
static const syn_result_field recorded_fields[] = {
    FIELD(TEXT, "file", "Recorded motion", "", FILE_ONLY, recorded_file),
    MEMBER(syn_joint_recorded, pose_count, "poses", "Poses", "", FILE_ONLY),
    MEMBER(syn_joint_recorded, free_count, "free_poses", "Poses without contact", "", FILE_ONLY),
    FIELD(INTEGER, "first_contact", "First pose with contact", "", FILE_ONLY, recorded_first),
    FIELD(REAL, "first_contact_s", "Time of the first contact", "s", FILE_ONLY, recorded_time),
    FIELD(TEXT, "fixed", "On", "", FILE_ONLY, recorded_fixed),
    FIELD(TEXT, "mobile", "Touched by", "", FILE_ONLY, recorded_mobile)};
static const syn_record recorded_record = RECORD_OF(syn_joint_recorded, "recorded", recorded_fields);

/* ---- fields of a collision --------------------------------------------------------------------------------------- */

GET(pair_fixed, syn_joint_collision, value_text(name_of(at->fixed)))
GET(pair_mobile, syn_joint_collision, value_text(name_of(at->mobile)))
static const syn_result_field pair_fields[] = {
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY, pair_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY, pair_mobile),
    POINTED(syn_joint_collision, collision, syn_collision_record, "collision", "Collision", FILE_ONLY)};
const syn_record syn_joint_collision_record = RECORD_OF(syn_joint_collision, "pairs", pair_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

GET(joint_kind, syn_joint_analysis, value_text(syn_joint_kind(at->joint)))
GET(joint_side, syn_joint_analysis, at->joint->side_unknown ? value_none() : value_text(syn_side_name(at->joint->side)))
static const syn_result_field joint_fields[] = {
    FIELD(TEXT, "kind", "Joint", "", FILE_ONLY, joint_kind),
    MEMBER(syn_joint, name, "name", "Name", "", FILE_ONLY, THROUGH(syn_joint_analysis, joint)),
    FIELD(TEXT, "side", "Side", "", FILE_ONLY, joint_side),
    MEMBER(syn_joint, center, "center", "Centre", "mm", FILE_ONLY, THROUGH(syn_joint_analysis, joint)),
    LIST_OF(syn_joint_analysis, limits, limit_count, syn_joint_limit_record, "motions", "Range of motion", FILE_ONLY),
    LIST_OF(syn_joint_analysis, overlaps, overlap_count, overlap_record, "overlaps", "Overlap as they lie", FILE_ONLY),
    PART(syn_joint_analysis, recorded, recorded_record, "recorded", "Recorded motion", FILE_ONLY | SYN_OPTIONAL,
         KNOWN_IF(syn_joint_analysis, recorded.file))};
const syn_record syn_joint_record = RECORD_OF(syn_joint_analysis, "joint", joint_fields);
