/* Chooses the hours of a cut if the caller gives none: bone is removed where it limits the wanted motions. */
#include <math.h>

#include "base/memory.h"
#include "clinic/rom/hip_rom.h"
#include "clinic/surgery/resection.h"

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
        r->context, "%s still ends at %s o'clock of the %s, just %s the cut (%s to %s): a cut %s %s would reach it",
        last->motions[m].motion->label, syn_clock_words(hour, words[0]),
        o->kind == SYN_RESECTION_RIM ? "acetabulum" : "neck", at_end ? "after" : "before",
        syn_clock_words(o->from_hour, words[1]), syn_clock_words(o->to_hour, words[2]), at_end ? "to" : "from",
        syn_clock_words(at_end ? fmod(hour + BESIDE_CONTACT, 12) : clock_distance(BESIDE_CONTACT, hour), words[3]));
  }
}
