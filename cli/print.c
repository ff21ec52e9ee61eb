#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

/* "-1.00", stored in `text`. A number that is rounded to zero has no sign. */
static const char *cli_fixed(double number, int decimals, char text[CLI_FIXED]) {
  snprintf(text, CLI_FIXED, "%.*f", decimals, number);
  return text[0] == '-' && !text[1 + strspn(text + 1, "0.")] ? text + 1 : text;
}

const char *cli_point(syn_vec3 point, int decimals, char text[CLI_POINT]) {
  const double numbers[] = {point.x, point.y, point.z};
  size_t used = 0;
  for (int i = 0; i < 3; ++i) {
    char number[CLI_FIXED];
    used +=
        (size_t)snprintf(text + used, CLI_POINT - used, "%s%s", i ? ", " : "", cli_fixed(numbers[i], decimals, number));
  }
  return text;
}

void cli_print_number(const cli_session *session, int width, int decimals, double number) {
  char text[CLI_FIXED];
  cli_print(session, "%*s", width, isfinite(number) ? cli_fixed(number, decimals, text) : "");
}

/* Continuation bytes of a letter take no column. */
void cli_print_padded(const cli_session *session, const char *text, int width) {
  int blanks = width;
  for (const char *at = text; *at; ++at) blanks -= (*at & 0xc0) != 0x80;
  cli_print(session, "%s%*s", text, blanks > 0 ? blanks : 0, "");
}

void cli_print_spaced(const cli_session *session, const char *name) {
  for (; *name; ++name) cli_print(session, "%c", *name == '_' ? ' ' : *name);
}

const char *cli_plural(uint64_t count) { return count == 1 ? "" : "s"; }

void cli_print_table(const cli_session *session, const syn_record *record, const void *objects, size_t count,
                     size_t max_rows) {
  char *text = cli_or_stop(syn_record_table(record, objects, count, max_rows));
  cli_print(session, "%s", text);
  free(text);
}

/* ---- print hip ------------------------------------------------------------------------------------------------- */
/* Prints a hip: centre, measures, limits of its motions, impingement. */

enum { LABEL_WIDTH = 36 };

/* ---- centre and measures ----------------------------------------------------------------------------------------- */

static void print_center_method(const cli_session *session, const syn_center *c, syn_center_method method) {
  cli_print(session, "  %-18s ", syn_center_method_name(method));
  if (!c->known) {
    cli_print(session, "-- %s\n", c->why_not ? c->why_not : "no anatomy was found");
    return;
  }
  cli_print_number(session, 9, 3, c->center.x);
  cli_print_number(session, 10, 3, c->center.y);
  cli_print_number(session, 10, 3, c->center.z);
  if (isfinite(c->radius_mm)) cli_print(session, "  radius %6.3f", c->radius_mm);
  if (isfinite(c->residual_mm)) cli_print(session, "  residual %.3f", c->residual_mm);
  cli_print(session, "  %s\n", syn_center_method_about(method));
}

void cli_print_center(const cli_session *session, const syn_hip_case *hip_case) {
  char text[CLI_POINT];
  cli_print(session, "Centre of the %s hip: %s mm (%s)\n", syn_side_name(hip_case->hip.side),
            cli_point(hip_case->hip.center, 3, text), hip_case->center_method);
  for (int m = 0; m < SYN_CENTER_METHODS; ++m)
    print_center_method(session, &hip_case->centers.methods[m], (syn_center_method)m);
  if (hip_case->centers.spread_mm > 0)
    cli_print(session, "The methods lie within %.2f mm of each other.\n", hip_case->centers.spread_mm);
}

/* "within the published range 23 to 33", judged by whole degrees, as the sources have them and the page does. */
static void print_measure_range(const cli_session *session, const syn_measure_info *m, double value) {
  const int side = syn_range_side(value, m->low, m->high, syn_unit_decimals(m->unit));
  if (!m->source) return;
  cli_print(session, "%s the published range ", side < 0 ? "BELOW" : side > 0 ? "ABOVE" : "within");
  if (!isfinite(m->low))
    cli_print(session, "up to %g", m->high);
  else if (!isfinite(m->high))
    cli_print(session, "from %g", m->low);
  else
    cli_print(session, "%g to %g", m->low, m->high);
}

static void print_measure(const cli_session *session, const syn_hip_analysis *a, syn_measure_id id) {
  const syn_measure_info *m = &syn_measure_infos[id];
  const syn_band *band = &a->measure_bands.of[id][SYN_BAND_ALL];
  char text[96] = "";
  cli_print(session, "  ");
  cli_print_padded(session, m->label, 46);
  if (a->measures.why_not[id]) {
    cli_print(session, "        -- %s\n", a->measures.why_not[id]);
    return;
  }
  cli_print_number(session, 9, 2, a->measures.value[id]);
  cli_print(session, " ");
  cli_print_padded(session, m->unit, 7);
  if (isfinite(band->low)) { /* as many decimals as its larger end needs */
    const int decimals = fmax(fabs(band->low), fabs(band->high)) < 10 ? 2 : 1;
    snprintf(text, sizeof text, "95 %% %.*f to %.*f", decimals, band->low, decimals, band->high);
  }
  cli_print(session, " %-24s", text);
  print_measure_range(session, m, a->measures.value[id]);
  cli_print(session, "\n");
}

void cli_print_measures(const cli_session *session, const syn_hip_analysis *a) {
  const syn_hip *hip = &a->hip_case->hip;
  const syn_anatomy *anatomy = a->hip_case->anatomy;
  cli_print(session, "%s hip", hip->side == SYN_SIDE_LEFT ? "Left" : "Right");
  if (hip->parts[SYN_HIP_PELVIS])
    cli_print(session, "; frame of the pelvis: %s", syn_frame_source_name(anatomy->pelvis_frame));
  if (hip->parts[SYN_HIP_FEMUR])
    cli_print(session, "; frame of the femur: %s", syn_frame_source_name(anatomy->femur_frame));
  cli_print(session, "\n");
  for (int id = 0; id < SYN_MEASURES; ++id) print_measure(session, a, (syn_measure_id)id);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Where it is stopped by name, or at least at which hour. */
static void print_stop(const cli_session *session, const syn_hip_motion_limit *m) {
  char place[96], clock[16];
  const bool bones = m->limit.fixed == SYN_HIP_PELVIS && m->limit.mobile == SYN_HIP_FEMUR;
  const bool has_place = syn_contact_place_words(&m->place, place)[0] != 0;
  if (!bones || !has_place)
    cli_print(session, "%s on %s", syn_hip_part_name((syn_hip_part)m->limit.mobile),
              syn_hip_part_name((syn_hip_part)m->limit.fixed));
  if (has_place)
    cli_print(session, "%s%s", bones ? "" : ", ", place);
  else if (isfinite(m->hour))
    cli_print(session, " at %s", syn_clock_words(m->hour, clock));
}

/* Published ranges are those of bones; judged by whole degrees, as the page does. */
static void print_motion_range(const cli_session *session, const syn_hip_motion_limit *m) {
  const double angle = m->bones.angle * SYN_RADIAN;
  if (!m->motion->source || isnan(angle)) return;
  const int side = syn_range_side(angle, m->motion->low_deg, m->motion->high_deg, 0);
  cli_print(session, "  (bone to bone %s the published range %.0f to %.0f)",
            side < 0   ? "BELOW"
            : side > 0 ? "ABOVE"
                       : "within",
            m->motion->low_deg, m->motion->high_deg);
}

static void print_motion(const cli_session *session, const syn_hip_motion_limit *m, bool has_soft) {
  char text[96], band[96];
  syn_motion_band_words(m, band);
  cli_print(session, "  ");
  cli_print_padded(session, m->motion->label, LABEL_WIDTH);
  if (m->limit.state != SYN_LIMIT_STOPPED) {
    cli_print(session, "    %s%s%s\n", syn_hip_limit_words(&m->limit, text), band[0] ? ": " : "", band);
    return;
  }
  cli_print(session, " %7.2f°  ", m->limit.angle * SYN_RADIAN);
  print_stop(session, m);
  if (has_soft && isfinite(m->bones.angle)) cli_print(session, ", bones alone %.2f°", m->bones.angle * SYN_RADIAN);
  if (band[0]) cli_print(session, ", %s", band);
  print_motion_range(session, m);
  if (m->limit.start_overlaps) cli_print(session, "  the start itself collides");
  cli_print(session, "\n");
}

void cli_print_hip_motions(const cli_session *session, const syn_hip_analysis *a) {
  for (size_t i = 0; i < a->limit_count; ++i) print_motion(session, &a->limits[i], a->has_soft);
}

static const char *part_or(uint32_t part, const char *otherwise) {
  return part < SYN_HIP_PARTS ? syn_hip_part_name((syn_hip_part)part) : otherwise;
}

void cli_print_series(const cli_session *session, const syn_series_limit *series, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const syn_series_limit *s = &series[i];
    const char *mobile = part_or(s->limit.mobile, "the femur"), *fixed = part_or(s->limit.fixed, "the pelvis");
    char text[CLI_FIXED];
    cli_print(session, "  ");
    cli_print_padded(session, s->series->label, LABEL_WIDTH);
    if (s->free_part <= 0) {
      cli_print(session, "   no free pose: %s overlaps %s\n", mobile, fixed);
      continue;
    }
    cli_print(session, " %7s°  of flexion, ", cli_fixed(s->flexion * SYN_RADIAN, 2, text));
    if (s->free_part >= 1)
      cli_print(session, "free to its end\n");
    else
      cli_print(session, "then %s touches %s\n", mobile, fixed);
  }
}

void cli_print_sweep(const cli_session *session, const syn_sweep_limit *sweep, size_t count) {
  char one[96], other[96];
  for (size_t i = 0; i < count; ++i)
    cli_print(session, "  %6.1f°  + %s, - %s\n", sweep[i].axis_angle * SYN_RADIAN,
              syn_hip_limit_words(&sweep[i].positive, one), syn_hip_limit_words(&sweep[i].negative, other));
}

void cli_print_slack(const cli_session *session, const syn_hip_motion_limit *slack, size_t count) {
  char text[96], shift[CLI_POINT];
  for (size_t i = 0; i < count; ++i) {
    cli_print(session, "  ");
    cli_print_padded(session, slack[i].motion->label, LABEL_WIDTH);
    cli_print(session, " %s, shift %s\n", syn_hip_limit_words(&slack[i].limit, text),
              cli_point(slack[i].shift, 2, shift));
  }
}

/* ---- impingement ------------------------------------------------------------------------------------------------- */

static void print_depth(const cli_session *session, bool is_known, double depth_mm, size_t step, size_t step_count) {
  if (!is_known)
    cli_print(session, "      -- the bodies for it are not there\n");
  else if (depth_mm > 0)
    cli_print(session, "%6.2f mm, at step %zu of %zu\n", depth_mm, step, step_count - 1);
  else
    cli_print(session, "  none\n");
}

void cli_print_fai(const cli_session *session, const syn_impingement *i) {
  const syn_fai *fai = i->fai;
  if (fai) {
    cli_print(session, "Penetration along %s:\n",
              strcmp(i->series, "stand_to_sit") == 0 ? "standing to sitting" : i->series);
    cli_print(session, "  femur into labrum, along the turn      ");
    print_depth(session, fai->has_curvilinear, fai->curvilinear_max_mm, fai->curvilinear_step, fai->step_count);
    cli_print(session, "  femur into the socket's soft tissue    ");
    print_depth(session, fai->has_radial, fai->radial_max_mm, fai->radial_step, fai->step_count);
    if (i->has_class)
      cli_print(session, "  shape as in the published group:       %s\n", syn_fai_class_name(fai->fai_class));
  }
  if (!i->fadir) return;
  cli_print(session, "FADIR, flexion 70-110°, adduction 0-20°: ");
  if (isfinite(i->fadir->mean))
    cli_print(session, "internal rotation free of bone contact %.1f° (mean), %.1f° (least)\n",
              i->fadir->mean * SYN_RADIAN, i->fadir->least * SYN_RADIAN);
  else
    cli_print(session, "no pose of the protocol is free\n");
}

/* ---- what it means ----------------------------------------------------------------------------------------------- */

/* The same words as on the page and in JSON. */
static void print_findings(const cli_session *session, const syn_hip_analysis *a) {
  if (a->verdict.known) cli_print(session, "%s\n", a->verdict.text);
  for (size_t i = 0; i < a->finding_count; ++i) cli_print(session, "* %s\n", a->findings[i].text);
  if (a->verdict.known || a->finding_count) cli_print(session, "\n");
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Prints the effect of an error of the centre on a motion. */
static void print_effect_on(const cli_session *session, const syn_center_effect *e, const char *motion,
                            const char *before) {
  for (size_t i = 0; i < e->motion_count; ++i)
    if (strcmp(syn_clinical_motions[i].name, motion) == 0 && isfinite(e->band_low[i]))
      cli_print(session, "%s %s %.1f to %.1f°", before, syn_clinical_motions[i].label, e->band_low[i] * SYN_RADIAN,
                e->band_high[i] * SYN_RADIAN);
}

static void print_overlaps(const cli_session *session, const syn_hip_analysis *a) {
  const syn_penetration *overlap = &a->overlap;
  char text[CLI_POINT];
  if (overlap->found) {
    cli_print(session, "\nThe bones overlap as they lie, at %s mm", cli_point(overlap->point, 2, text));
    if (isfinite(overlap->depth_mm)) cli_print(session, ", %.3f mm deep", overlap->depth_mm);
    cli_print(session, ": check the segmentation before trusting the range of motion.\n");
  }
  if (a->articular_overlap_mm > 0)
    cli_print(session, "\nThe head overlaps its socket by %.3f mm; the joint surface stops no motion.\n",
              a->articular_overlap_mm);
}

void cli_print_hip(const cli_session *session, const syn_hip_analysis *a) {
  print_findings(session, a);
  cli_print_center(session, a->hip_case);
  if (a->has_measures) {
    cli_print(session, "\n");
    cli_print_measures(session, a);
  }
  if (a->rom) {
    cli_print(session, "\nRange of motion:\n");
    cli_print_hip_motions(session, a);
  }
  if (a->effect) {
    cli_print(session, "\nIf the centre is off by %.6g mm:", a->effect->band_mm);
    print_effect_on(session, a->effect, "flexion", "");
    print_effect_on(session, a->effect, "internal_rotation_90", ",");
    cli_print(session, ".\n");
  }
  cli_print(session, "\n");
  cli_print_fai(session, &a->impingement);
  print_overlaps(session, a);
}
