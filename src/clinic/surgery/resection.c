/* Plans a resection: cuts of growing depth, and the gain of each. */
#include <math.h>

#include "base/memory.h"
#include "base/names.h"
#include "clinic/hip.h"
#include "clinic/limit_values.h"
#include "clinic/rom/hip_rom.h"
#include "clinic/surgery/resection.h"
#include "mesh/remesh/refine_mesh.h"
#include "result/record_csv.h"
#include "result/value.h"

static const double most_cam_mm = 10, usual_rim_mm = 5, most_rim_mm = 8;
static const double least_mm = 0.05; /* smaller protrusions are roundness of the mesh */
enum { MOST_CUTS = 500, USUAL_MOTIONS = 3 };

SYN_ENUM_NAMES(syn_resection_kind, SYN_RESECTION_KINDS, [SYN_RESECTION_CAM] = "cam", [SYN_RESECTION_RIM] = "rim");

/* ---- options ----------------------------------------------------------------------------------------------------- */

syn_resection_options syn_default_resection_options(void) {
  return (syn_resection_options){.kind = SYN_RESECTION_CAM,
                                 .step_mm = 0.5,
                                 .from_hour = NAN,
                                 .to_hour = NAN,
                                 .alpha_deg = 42,
                                 .width_mm = 4,
                                 .edge_mm = 0.5,
                                 .bands = syn_default_band_options(),
                                 .cookie = SYN_COOKIE};
}

static syn_status check(const char *name, double value, double low, double high, syn_error *error) {
  if (value >= low && value <= high) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "the %s of a resection must lie between %g and %g, not %g", name, low, high,
                  value);
}

static syn_status check_options(const syn_resection_options *o, syn_error *error) {
  if ((size_t)o->kind >= SYN_RESECTION_KINDS) return syn_fail(error, SYN_BAD_ARGUMENT, "no such kind of resection");
  const double most = o->kind == SYN_RESECTION_CAM ? most_cam_mm : most_rim_mm;
  SYN_TRY(check("step in mm", o->step_mm, 0.01, most, error));
  SYN_TRY(check("depth in mm", o->depth_mm, 0, most, error));
  if (!isnan(o->from_hour)) SYN_TRY(check("first hour", o->from_hour, 0, 12, error));
  if (!isnan(o->to_hour)) SYN_TRY(check("last hour", o->to_hour, 0, 12, error));
  SYN_TRY(check("alpha angle in degrees", o->alpha_deg, 30, 80, error));
  SYN_TRY(check("length along the neck in mm", o->neck_mm, 0, 30, error));
  SYN_TRY(check("offset in mm", o->offset_mm, 0, 5, error));
  SYN_TRY(check("width in mm", o->width_mm, 0, 15, error));
  SYN_TRY(check("edge length in mm", o->edge_mm, 0.1, 5, error));
  if (o->depth_mm / o->step_mm <= MOST_CUTS) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "%g mm in steps of %g mm are more than %d cuts: take larger steps",
                  o->depth_mm, o->step_mm, MOST_CUTS);
}

static void fill_defaults(syn_resection_options *o) {
  const bool cam = o->kind == SYN_RESECTION_CAM;
  if (o->depth_mm == 0) o->depth_mm = cam ? most_cam_mm : usual_rim_mm;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

static syn_status check_bone(syn_resecting *p, syn_error *error) {
  const char *name = syn_hip_part_name(syn_resection_part(p->made->options.kind));
  syn_check_options options = syn_default_check_options();
  syn_health health;
  options.self_intersections = false;
  SYN_TRY(syn_trimesh_check(p->old, &options, &health, error));
  if (health.closed && health.manifold && health.outward) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the %s cannot be cut: its surface is %s, so that it has no inside; `synovia mesh repair` may help",
                  name,
                  !health.closed     ? "open"
                  : !health.manifold ? "not manifold"
                                     : "not oriented outward");
}

static bool is_cut(const void *user, syn_vec3 point) {
  const syn_resecting *p = user;
  return syn_cut_height(&p->tool, point, p->made->options.depth_mm) > -p->made->options.edge_mm;
}

static syn_status prepare(syn_resecting *p, syn_error *error) {
  const syn_resection_options *o = &p->made->options;
  const syn_hip_case *c = p->made->hip_case;
  SYN_TRY(check_bone(p, error));
  SYN_TRY(syn_surface_create(p->old, &p->surface, error));
  SYN_TRY(o->kind == SYN_RESECTION_CAM ? syn_cut_tool_cam(c, o, &p->tool, error)
                                       : syn_cut_tool_rim(c, o, p->surface, &p->tool, error));
  SYN_TRY(syn_trimesh_refine_where(p->old, is_cut, p, o->edge_mm, &p->fine, error));
  p->volume_mm3 = syn_trimesh_mass(p->fine).volume_mm3;
  SYN_TRY(syn_trimesh_self_intersections(p->fine, NULL, 0, &p->crossings, error));
  return syn_cut_begin(p->made->result.context, &p->tool, p->fine, p->surface, o->depth_mm, &p->cut, error);
}

/* Depths are 0, one step, two, … and the deepest. */
static syn_status choose_depths(syn_resecting *p, syn_error *error) {
  syn_resection *r = p->made;
  double deepest = r->options.depth_mm;
  r->full_mm = NAN;
  if (r->options.kind == SYN_RESECTION_CAM) {
    SYN_TRY(syn_cut_full(&p->cut, &r->full_mm, error));
    if (r->full_mm < least_mm) {
      syn_warn(r->result.context,
               "there is nothing to remove: between %g and %g o'clock no bone stands out beyond a head with an alpha "
               "angle of %g degrees and its neck",
               r->options.from_hour, r->options.to_hour, r->options.alpha_deg);
      deepest = 0;
    }
    deepest = fmin(deepest, r->full_mm);
  }
  const size_t cuts = deepest > 0 ? (size_t)ceil(deepest / r->options.step_mm - 1e-9) : 0;
  SYN_TRY(SYN_NEW_ZEROED(r->result.context, &r->steps, cuts + 1, error));
  r->step_count = cuts + 1;
  for (size_t i = 0; i <= cuts; ++i) r->steps[i].depth_mm = fmin((double)i * r->options.step_mm, deepest);
  return SYN_OK;
}

syn_status syn_resection_go_on(const syn_resection *r, const char *what, size_t done, size_t of, syn_error *error) {
  if (syn_progress(r->result.context, what, (double)done / (double)of)) return SYN_OK;
  return syn_fail(error, SYN_CANCELLED, "cancelled while %s", what);
}

/* ---- cuts -------------------------------------------------------------------------------------------------------- */

static syn_status check_cut(const syn_resecting *p, const syn_resection_step *s, syn_error *error) {
  syn_health health;
  SYN_TRY(syn_trimesh_check(s->bone, NULL, &health, error));
  if (health.closed && health.manifold && health.outward && health.self_intersections <= p->crossings) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "a cut of %g mm folds the surface of the %s: cut less deep, over fewer hours or in a smoother mesh",
                  s->depth_mm, syn_hip_part_name(syn_resection_part(p->made->options.kind)));
}

static double new_area(const syn_trimesh *bone, const double *removed_mm) {
  double area = 0;
  for (uint32_t t = 0; t < bone->triangle_count; ++t) {
    const uint32_t *v = bone->triangles[t].v;
    if (!(removed_mm[v[0]] > 0 && removed_mm[v[1]] > 0 && removed_mm[v[2]] > 0)) continue;
    const syn_vec3 a = bone->vertices[v[0]];
    area += 0.5 * vec3_length(vec3_cross(vec3_sub(bone->vertices[v[1]], a), vec3_sub(bone->vertices[v[2]], a)));
  }
  return area;
}

static syn_status make_step(syn_resecting *p, syn_resection_step *s, syn_error *error) {
  const syn_context *context = p->made->result.context;
  SYN_TRY(SYN_NEW_ZEROED(context, &s->removed_mm, p->fine->vertex_count, error));
  SYN_TRY(SYN_NEW(context, &s->motions, p->made->motion_count, error));
  s->motion_count = p->made->motion_count;
  if (s->depth_mm == 0) return syn_trimesh_share(p->fine, &s->bone, error);
  SYN_TRY(syn_cut_to(&p->cut, s->depth_mm, error));
  SYN_TRY(syn_cut_bone(&p->cut, &s->bone, error));
  for (uint32_t i = 0; i < p->cut.count; ++i) {
    s->removed_mm[p->cut.vertex[i]] = p->cut.below[i];
    s->deepest_mm = fmax(s->deepest_mm, p->cut.below[i]);
  }
  s->volume_mm3 = p->volume_mm3 - syn_trimesh_mass(s->bone).volume_mm3;
  s->area_mm2 = new_area(s->bone, s->removed_mm);
  return check_cut(p, s, error);
}

static syn_status make_steps(syn_resecting *p, syn_error *error) {
  syn_resection *r = p->made;
  for (size_t i = 0; i < r->step_count; ++i) {
    SYN_TRY(syn_resection_go_on(r, "cutting", i, r->step_count, error));
    SYN_TRY(make_step(p, &r->steps[i], error));
  }
  return SYN_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Chooses the requested motions; else those that a cam restricts. */
static void choose_motions(const syn_resection_options *options, const syn_motion **motions) {
  static const char *const usual[USUAL_MOTIONS] = {"flexion", "internal_rotation_90", "fadir"};
  if (options->motions)
    for (size_t i = 0; i < options->motion_count; ++i) motions[i] = options->motions[i];
  else
    for (size_t i = 0; i < USUAL_MOTIONS; ++i) motions[i] = syn_clinical_motion_named(usual[i]);
}

static syn_status plan(syn_resecting *p, const syn_motion *const *motions, syn_error *error) {
  syn_resection *r = p->made;
  SYN_TRY(syn_resection_choose_sector(r->hip_case, motions, r->motion_count, &r->options, error));
  SYN_TRY(prepare(p, error));
  SYN_TRY(choose_depths(p, error));
  SYN_TRY(make_steps(p, error));
  for (size_t i = 0; i < r->step_count; ++i)
    for (size_t m = 0; m < r->motion_count; ++m) r->steps[i].motions[m].motion = motions[m];
  SYN_TRY(syn_resection_turn(p, error));
  syn_resection_warn_beside(r);
  return SYN_OK;
}

static syn_status plan_motions(syn_resecting *p, const syn_resection_options *options, syn_error *error) {
  const syn_context *context = p->made->result.context;
  const syn_motion **motions;
  SYN_TRY(SYN_NEW(context, &motions, p->made->motion_count, error));
  choose_motions(options, motions);
  const syn_status status = plan(p, motions, error);
  syn_free(context, motions);
  return status;
}

static void release(syn_resecting *p) {
  const syn_context *context = p->made->result.context;
  for (size_t i = 0; p->roms && i < p->made->step_count; ++i) syn_rom_destroy(p->roms[i]);
  syn_free(context, p->roms);
  syn_cut_release(&p->cut);
  syn_surface_destroy(p->surface);
  syn_trimesh_destroy(p->fine);
}

syn_status syn_resection_create(const syn_context *context, const syn_hip_case *hip_case,
                                const syn_resection_options *options, syn_resection **resection, syn_error *error) {
  const syn_resection_options standard = syn_default_resection_options();
  *resection = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_resection_options, error));
  /* Check the options and the bones. */
  syn_resection_options used = *options;
  fill_defaults(&used);
  used.motions = NULL;
  SYN_TRY(check_options(&used, error));
  const syn_trimesh *const *parts = hip_case->hip.parts;
  if (!parts[SYN_HIP_PELVIS] || !parts[SYN_HIP_FEMUR])
    return syn_fail(error, SYN_BAD_ARGUMENT, "a resection is planned with both bones: give pelvis and femur");
  /* Plan without repeating warnings; the plan is kept only on success. */
  syn_resecting p = {.quiet = *syn_context_or_default(context), .old = parts[syn_resection_part(used.kind)]};
  p.quiet.warn = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &p.made, 1, error));
  *p.made = (syn_resection){.result = {&syn_resection_record, context},
                            .hip_case = hip_case,
                            .options = used,
                            .motion_count = options->motions ? options->motion_count : USUAL_MOTIONS};
  p.cut.context = context;
  const syn_status status = plan_motions(&p, options, error);
  release(&p);
  if (status == SYN_OK)
    *resection = p.made;
  else
    syn_result_destroy(p.made);
  return status;
}

static void release_resection(void *result) {
  syn_resection *r = result;
  for (size_t i = 0; r->steps && i < r->step_count; ++i) {
    syn_trimesh_destroy(r->steps[i].bone);
    syn_free(r->result.context, r->steps[i].removed_mm);
    syn_free(r->result.context, r->steps[i].motions);
  }
  syn_free(r->result.context, r->steps);
  syn_free(r->result.context, r);
}

/* ---- the hours of a cut ------------------------------------------------------------------------------------------ */

static const double USUAL_FROM[] = {[SYN_RESECTION_CAM] = 12, [SYN_RESECTION_RIM] = 11};
static const double USUAL_TO[] = {[SYN_RESECTION_CAM] = 4, [SYN_RESECTION_RIM] = 3};
static const double BESIDE_CONTACT = 1; /* hours */

static double clock_distance(double from, double to) {
  const double hours = fmod(to - from, 12);
  return hours < 0 ? hours + 12 : hours;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

double syn_resection_contact_hour(syn_resection_kind kind, const syn_contact_place *place) {
  const bool cut = kind == SYN_RESECTION_RIM
                       ? place->pelvis == SYN_PELVIS_RIM
                       : place->femur == SYN_FEMUR_HEAD_NECK_JUNCTION || place->femur == SYN_FEMUR_NECK;
  if (!cut) return NAN; /* the tool does not reach it */
  return kind == SYN_RESECTION_RIM ? place->pelvis_hour : place->femur_hour;
}

/* Finds the hours at which the bones limit the motions, in ascending order. */
static syn_status find_contact_hours(const syn_hip_case *c, syn_resection_kind kind, const syn_motion *const *motions,
                                     size_t motion_count, double *hours, size_t *count, syn_error *error) {
  const syn_hip hip = syn_hip_bones(&c->hip);
  syn_context quiet = *syn_context_or_default(c->context);
  syn_rom *rom;
  char *scratch;
  quiet.warn = NULL;
  *count = 0;
  SYN_TRY(syn_hip_rom_create(&quiet, &hip, &rom, error));
  const syn_status status = SYN_NEW(c->context, &scratch, syn_rom_scratch(rom), error);
  for (size_t m = 0; status == SYN_OK && m < motion_count; ++m) {
    syn_limit limit;
    syn_rom_query(rom, motions[m], scratch, &limit);
    const syn_contact_place place = syn_limit_place(&hip, c->anatomy, &limit);
    const double hour = syn_resection_contact_hour(kind, &place);
    if (isnan(hour)) continue;
    /* Insert in ascending order. */
    size_t at = (*count)++;
    for (; at > 0 && hours[at - 1] > hour; --at) hours[at] = hours[at - 1];
    hours[at] = hour;
  }
  if (status == SYN_OK) syn_free(c->context, scratch);
  syn_rom_destroy(rom);
  return status;
}

/* ---- the sector -------------------------------------------------------------------------------------------------- */

typedef struct clock_sector {
  double from, hours;
} clock_sector;

/* Returns the shortest sector that contains all hours, which ascend: its complement is the longest gap between two. */
static clock_sector sector_of_hours(const double *hours, size_t count) {
  double longest = -1;
  clock_sector sector = {0};
  for (size_t i = 0; i < count; ++i) {
    const size_t next = (i + 1) % count;
    const double gap = count == 1 ? 12 : clock_distance(hours[i], hours[next]);
    if (gap <= longest) continue;
    longest = gap;
    sector = (clock_sector){hours[next], 12 - gap};
  }
  return sector;
}

/* Joins both sectors if they overlap; else returns the first. */
static clock_sector join_sectors(clock_sector a, clock_sector b) {
  const double b_after_a = clock_distance(a.from, b.from), a_after_b = clock_distance(b.from, a.from);
  if (b_after_a <= a.hours) return (clock_sector){a.from, fmax(a.hours, b_after_a + b.hours)};
  if (a_after_b <= b.hours) return (clock_sector){b.from, fmax(b.hours, a_after_b + a.hours)};
  return a;
}

syn_status syn_resection_choose_sector(const syn_hip_case *hip_case, const syn_motion *const *motions,
                                       size_t motion_count, syn_resection_options *options, syn_error *error) {
  const syn_resection_kind kind = options->kind;
  clock_sector sector = {USUAL_FROM[kind], clock_distance(USUAL_FROM[kind], USUAL_TO[kind])};
  /* If the caller gives one end, the other one is not moved. */
  if (!isnan(options->from_hour) || !isnan(options->to_hour)) {
    if (isnan(options->from_hour)) options->from_hour = USUAL_FROM[kind];
    if (isnan(options->to_hour)) options->to_hour = USUAL_TO[kind];
    return SYN_OK;
  }
  double *hours;
  size_t count;
  SYN_TRY(SYN_NEW(hip_case->context, &hours, motion_count, error));
  const syn_status status = find_contact_hours(hip_case, kind, motions, motion_count, hours, &count, error);
  if (status == SYN_OK && count > 0) {
    clock_sector contacts = sector_of_hours(hours, count);
    contacts.from = clock_distance(BESIDE_CONTACT, contacts.from);
    contacts.hours += 2 * BESIDE_CONTACT;
    sector = join_sectors(contacts, sector);
  }
  syn_free(hip_case->context, hours);
  if (status != SYN_OK) return status;
  const double to = fmod(sector.from + fmin(sector.hours, 12), 12);
  options->from_hour = sector.from == 0 ? 12 : sector.from;
  options->to_hour = to == 0 ? 12 : to;
  return SYN_OK;
}

/* ---- contacts beside the cut ------------------------------------------------------------------------------------- */

void syn_resection_warn_beside(const syn_resection *r) {
  const syn_resection_options *o = &r->options;
  const syn_resection_step *last = &r->steps[r->step_count - 1];
  const double span = clock_distance(o->from_hour, o->to_hour);
  for (size_t m = 0; m < r->motion_count && span > 0; ++m) {
    const double hour = syn_resection_contact_hour(o->kind, &last->motions[m].place);
    const double after = clock_distance(o->to_hour, hour), before = clock_distance(hour, o->from_hour);
    if (isnan(hour) || clock_distance(o->from_hour, hour) <= span || fmin(after, before) > BESIDE_CONTACT) continue;
    const bool at_end = after < before;
    char words[4][16];
    syn_warn(
        r->result.context,
        "%s still ends at %s o'clock of the %s, just %s the cut (%s to %s): a cut %s %s would reach it",
        last->motions[m].motion->label, syn_clock_words(hour, words[0]),
        o->kind == SYN_RESECTION_RIM ? "acetabulum" : "neck", at_end ? "after" : "before",
        syn_clock_words(o->from_hour, words[1]), syn_clock_words(o->to_hour, words[2]), at_end ? "to" : "from",
        syn_clock_words(at_end ? fmod(hour + BESIDE_CONTACT, 12) : clock_distance(BESIDE_CONTACT, hour), words[3]));
  }
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static double band_end(const void *band, size_t i) {
  return i ? ((const syn_band *)band)->high : ((const syn_band *)band)->low;
}
GET(motion_band, syn_gain, isnan(at->gain_band_deg.low) ? value_none() : value_numbers(band_end, &at->gain_band_deg, 2))
GET(motion_place, syn_gain, syn_value_of_place(&at->place))
GET(motion_contact, syn_gain,
    isfinite(at->limit.angle) && at->limit.event.kind != SYN_EVENT_NONE ? value_record(&at->limit.event, 0)
                                                                        : value_none())
static const syn_result_field motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_gain, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_gain, motion)),
    NAMED(syn_gain, limit.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_gain, limit.angle, "angle_deg", "Ends at", PRINTED),
    MEMBER(syn_gain, gain_deg, "gain_deg", "Gain", "deg", PRINTED),
    FIELD(NUMBERS, "gain_band_deg", "95 %", "deg", FILE_ONLY, motion_band),
    MEMBER(syn_gain, gain_band_deg.low, "gain_low_deg", "95 % from", "deg", SYN_IN_CSV),
    MEMBER(syn_gain, gain_band_deg.high, "gain_high_deg", "to", "deg", SYN_IN_CSV),
    MEMBER(syn_gain, gain_deg_per_mm, "gain_deg_per_mm", "Gain per mm", "deg/mm", FILE_ONLY),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, motion_contact)};
static const syn_record motion_record = RECORD_OF(syn_gain, "motions", motion_fields);

static const syn_result_field step_fields[] = {
    MEMBER(syn_resection_step, depth_mm, "depth_mm", "Depth", "mm", FILE_ONLY),
    MEMBER(syn_resection_step, deepest_mm, "deepest_mm", "Deepest", "mm", FILE_ONLY),
    MEMBER(syn_resection_step, volume_mm3, "volume_mm3", "Bone removed", "mm³", FILE_ONLY),
    MEMBER(syn_resection_step, area_mm2, "area_mm2", "New surface", "mm²", FILE_ONLY),
    MEMBER(syn_resection_step, alpha_deg, "alpha_deg", "Alpha", "deg", FILE_ONLY),
    LIST_OF(syn_resection_step, motions, motion_count, motion_record, "motions", "Motions", FILE_ONLY)};
static const syn_record step_record = RECORD_OF(syn_resection_step, "step", step_fields);

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Some of the targets are those of a cam, one is that of a rim. */
static syn_value of_cam(const syn_resection_options *o, double value) {
  return o->kind == SYN_RESECTION_CAM ? value_real(value) : value_none();
}
GET(aimed_alpha, syn_resection_options, of_cam(at, at->alpha_deg))
GET(aimed_neck, syn_resection_options, of_cam(at, at->neck_mm))
GET(aimed_offset, syn_resection_options, of_cam(at, at->offset_mm))
GET(aimed_width, syn_resection_options, at->kind == SYN_RESECTION_CAM ? value_none() : value_real(at->width_mm))
static const syn_result_field target_fields[] = {
    MEMBER(syn_resection_options, from_hour, "from_hour", "From", "h", FILE_ONLY),
    MEMBER(syn_resection_options, to_hour, "to_hour", "To", "h", FILE_ONLY),
    FIELD(REAL, "alpha_deg", "Alpha aimed at", "deg", FILE_ONLY, aimed_alpha),
    FIELD(REAL, "neck_mm", "Along the neck", "mm", FILE_ONLY, aimed_neck),
    FIELD(REAL, "offset_mm", "Thinner neck", "mm", FILE_ONLY, aimed_offset),
    FIELD(REAL, "width_mm", "Level width", "mm", FILE_ONLY, aimed_width)};
static const syn_record target_record = RECORD_OF(syn_resection_options, "target", target_fields);

GET(cut_bone, syn_resection, value_text(syn_hip_part_name(syn_resection_part(at->options.kind))))
GET(last_step, syn_resection, value_record(&at->steps[at->step_count - 1], 0))
static const syn_result_field resection_fields[] = {
    NAMED(syn_resection, options.kind, syn_resection_kind_name, "kind", "Resection", FILE_ONLY),
    FIELD(TEXT, "bone", "Bone", "", FILE_ONLY, cut_bone),
    PART(syn_resection, options, target_record, "target", "Aim", FILE_ONLY),
    MEMBER(syn_resection, full_mm, "full_mm", "All that stands out", "mm", FILE_ONLY),
    POINTED(syn_resection, steps, step_record, "before", "Before", FILE_ONLY),
    FIELD_OF(RECORD, step_record, "after", "After", FILE_ONLY, last_step),
    LIST_OF(syn_resection, steps, step_count, step_record, "steps", "Steps", FILE_ONLY)};
const syn_record syn_resection_record = RESULT_OF(syn_resection, "resection", resection_fields, release_resection);

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static size_t count_resection_steps(const void *resection) { return ((const syn_resection *)resection)->step_count; }

static void put_resection_step(syn_csv *to, const void *resection, size_t row) {
  static const syn_csv_column of_step[] = {{"depth_mm", NULL, 6},
                                           {"deepest_mm", NULL, 6},
                                           {"volume_mm3", NULL, 6},
                                           {"area_mm2", NULL, 6},
                                           {"alpha_deg", NULL, 6}};
  static const syn_csv_column of_motion[] = {{"state", NULL, 0},
                                             {"angle_deg", "deg", 6},
                                             {"gain_deg", NULL, 6},
                                             {"gain_low_deg", NULL, 6},
                                             {"gain_high_deg", NULL, 6}};
  const syn_resection *r = resection;
  const syn_resection_step *step = &r->steps[row];
  syn_csv_put(to, "", &step_record, of_step, 5, step, 0);
  for (size_t m = 0; m < r->motion_count; ++m) {
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s_", step->motions[m].motion->name);
    syn_csv_put(to, prefix, &motion_record, of_motion, 5, step->motions, m);
  }
}
const syn_csv_table syn_resection_csv = {count_resection_steps, put_resection_step};
