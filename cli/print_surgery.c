/* Prints the results of planned operations. */
#include <math.h>

#include "print.h"

/* "12.3°, head-neck junction on the rim": where a motion ends, and on what. */
static void print_limit(const cli_session *session, const char *when, const syn_limit *limit,
                        const syn_contact_place *place) {
  char text[96];
  cli_print(session, "      %-7s %s", when, syn_hip_limit_words(limit, text));
  if (syn_contact_place_words(place, text)[0]) cli_print(session, ", %s", text);
  cli_print(session, "\n");
}

static void print_gain(const cli_session *session, double gain_deg) {
  if (isfinite(gain_deg)) cli_print(session, ": %+.2f°", gain_deg);
}

/* ---- resection --------------------------------------------------------------------------------------------------- */

static void print_resected_step(const cli_session *session, const syn_resection *r, size_t i) {
  const syn_resection_step *s = &r->steps[i];
  cli_print(session, "  %5.2f %9.1f", s->depth_mm, s->volume_mm3);
  if (r->options.kind == SYN_RESECTION_CAM) cli_print(session, "  %5.1f", s->alpha_deg);
  for (size_t m = 0; m < s->motion_count; ++m) {
    const syn_gain *of = &s->motions[m];
    const syn_limit_state state = of->limit.state;
    if (state == SYN_LIMIT_STOPPED)
      cli_print(session, "  %7.2f", of->limit.angle * SYN_RADIAN);
    else
      cli_print(session, state == SYN_LIMIT_NO_STOP ? "  no stop" : "  no pose");
    if (i == 0)
      cli_print(session, "        ");
    else if (isfinite(of->gain_deg))
      cli_print(session, " %+7.2f", of->gain_deg);
    else
      cli_print(session, "       ?");
  }
  cli_print(session, "\n");
}

static void print_resected_motion(const cli_session *session, const syn_resection *r, size_t m) {
  const syn_gain *before = &r->steps[0].motions[m], *after = &r->steps[r->step_count - 1].motions[m];
  cli_print(session, "  %zu %s", m + 1, before->motion->label);
  if (r->step_count > 1) print_gain(session, after->gain_deg);
  if (!isnan(after->gain_band_deg.low))
    cli_print(session, ", 95 %% %.1f to %.1f°", after->gain_band_deg.low, after->gain_band_deg.high);
  cli_print(session, "\n");
  print_limit(session, "before:", &before->limit, &before->place);
  print_limit(session, "after:", &after->limit, &after->place);
}

void cli_print_resection(const cli_session *session, const syn_resection *r) {
  const bool is_cam = r->options.kind == SYN_RESECTION_CAM;
  char from[16], to[16];
  cli_print(session, "Resection of the %s of the %s hip, %s to %s o'clock", syn_resection_kind_name(r->options.kind),
            syn_side_name(r->hip_case->hip.side), syn_clock_words(r->options.from_hour, from),
            syn_clock_words(r->options.to_hour, to));
  if (is_cam) cli_print(session, ", towards an alpha angle of %.6g°", r->options.alpha_deg);
  cli_print(session, ":\n");
  for (size_t m = 0; m < r->motion_count; ++m) print_resected_motion(session, r, m);
  cli_print(session, "\n  Depth   Removed%s", is_cam ? "  Alpha" : "");
  for (size_t m = 0; m < r->motion_count; ++m) cli_print(session, "    Motion %zu     ", m + 1);
  cli_print(session, "\n     mm       mm³%s", is_cam ? "      °" : "");
  for (size_t m = 0; m < r->motion_count; ++m) cli_print(session, "        °    gain");
  cli_print(session, "\n");
  for (size_t i = 0; i < r->step_count; ++i) print_resected_step(session, r, i);
}

/* ---- congruity and osteotomy ------------------------------------------------------------------------------------- */

static void print_path(const cli_session *session, const syn_congruity_path *path) {
  cli_print(session, "\n%s, on the acetabular cartilage\n", path->path->label);
  cli_print_table(session, &syn_congruity_moment_record, path->moments, path->moment_count, 0);
  if (!path->complete) cli_print(session, "  there is no equilibrium beyond\n");
}

void cli_print_congruity(const cli_session *session, const syn_congruity *c) {
  cli_print(session, "Cartilages of %.6g MPa, %u and %u tetrahedra, the femur pressed into the socket by %.6g mm\n",
            c->options.young_mpa, c->volumes[SYN_CONGRUITY_FEMORAL]->tet_count,
            c->volumes[SYN_CONGRUITY_ACETABULAR]->tet_count, c->options.press_mm);
  for (size_t i = 0; i < c->path_count; ++i) print_path(session, &c->paths[i]);
}

static void print_operated_motion(const cli_session *session, const syn_gain *before, const syn_gain *after) {
  static const syn_contact_place nowhere = {.femur = SYN_FEMUR_REGIONS, .pelvis = SYN_PELVIS_REGIONS};
  cli_print(session, "  %s", before->motion->label);
  print_gain(session, after->gain_deg);
  cli_print(session, "\n");
  print_limit(session, "before:", &before->limit, &nowhere);
  print_limit(session, "after:", &after->limit, &after->place);
}

static void print_operated_ligament(const cli_session *session, const syn_osteotomy *o) {
  const syn_osteotomy_hip *before = &o->before, *after = &o->after;
  const size_t count = before->row_count < after->row_count ? before->row_count : after->row_count;
  if (!count) return;
  cli_print(session, "\nThe %s ligament, %.6g MPa along its fibres\n", syn_hip_ligament_name(o->options.ligament),
            o->options.tissue.young_mpa);
  cli_print(session, "Before:\n");
  cli_print_table(session, &syn_ligament_row_record, before->rows, count, 0);
  cli_print(session, "After:\n");
  cli_print_table(session, &syn_ligament_row_record, after->rows, count, 0);
}

void cli_print_osteotomy(const cli_session *session, const syn_osteotomy *o) {
  cli_print(session, "Shaft turned by %.1f° into %s: neck-shaft angle from %.1f to %.1f°\n",
            fabs(o->options.varus) * SYN_RADIAN, o->options.varus < 0 ? "valgus" : "varus", o->before.neck_shaft_deg,
            o->after.neck_shaft_deg);
  cli_print(session, "With the knee in its place the shaft is %.1f mm further %s and %.1f mm %s\n",
            fabs(o->shift_medial_mm), o->shift_medial_mm < 0 ? "lateral" : "medial", fabs(o->shift_up_mm),
            o->shift_up_mm < 0 ? "lower" : "higher");
  for (size_t m = 0; m < o->motion_count; ++m)
    print_operated_motion(session, &o->before.motions[m], &o->after.motions[m]);
  if (o->before.congruity) {
    cli_print(session, "\nBefore:");
    print_path(session, &o->before.congruity->paths[0]);
  }
  if (o->after.congruity) {
    cli_print(session, "\nAfter:");
    print_path(session, &o->after.congruity->paths[0]);
  }
  print_operated_ligament(session, o);
}

/* ---- graft ------------------------------------------------------------------------------------------------------- */

static void print_plan(const cli_session *session, const syn_graft_plan *p) {
  enum { SHOWN_ANGLES = 12 };
  char femur[CLI_POINT], tibia[CLI_POINT];
  cli_print(session, "  outlets                femur %s; tibia %s mm\n", cli_point(p->femur_outlet, 2, femur),
            cli_point(p->tibia_outlet, 2, tibia));
  cli_print(session, "  their distance         varies by %.2f mm; %.2f mm where the graft is fixed\n", p->isometry_mm,
            p->rest_mm);
  cli_print(session, "  straight fibres        stretched by %.1f %% at most; slack of the middle one %.2f mm\n",
            100 * p->strain, p->slack_mm);
  cli_print(session, "  greatest stress        %.2f MPa at %.1f° of flexion, %.0f %% of the way to the tibia\n",
            p->peak_mpa, p->peak_flexion * SYN_RADIAN, 100 * p->peak_at);
  if (isfinite(p->failure))
    cli_print(session, "  tears at %.1f°\n", p->failure * SYN_RADIAN);
  else
    cli_print(session, "  does not tear\n");
  cli_print_table(session, &syn_graft_row_record, p->rows, p->row_count, SHOWN_ANGLES);
}

void cli_print_graft(const cli_session *session, const syn_graft *graft) {
  cli_print(session, "Tunnels as planned\n");
  print_plan(session, &graft->before);
  if (!graft->searched) return;
  cli_print(session, "\nBest tunnels nearby\n");
  print_plan(session, &graft->after);
}

/* ---- ligaments --------------------------------------------------------------------------------------------------- */

static void print_angle(const cli_session *session, double radians) {
  if (isfinite(radians))
    cli_print(session, "%.1f°", radians * SYN_RADIAN);
  else
    cli_print(session, "not reached");
}

static void print_failure(const cli_session *session, const syn_ligament_limit *limit) {
  cli_print(session, "  %-8s %5.2f ± %.2f MPa: ", limit->source ? limit->source : "asked", limit->failure_mpa,
            limit->failure_sd_mpa);
  print_angle(session, limit->angle);
  cli_print(session, " (");
  print_angle(session, limit->low);
  cli_print(session, " to ");
  print_angle(session, limit->high);
  cli_print(session, ")\n");
}

void cli_print_ligament_rom(const cli_session *session, const syn_ligament_rom *rom) {
  char text[96];
  cli_print(session, "The %s ligament, %.1f mm long, %.1f mm wide, %.3g MPa along its fibres\n",
            syn_hip_ligament_name(rom->options.ligament), rom->length_mm, rom->width_mm, rom->options.tissue.young_mpa);
  for (size_t m = 0; m < rom->motion_count; ++m) {
    const syn_ligament_motion *motion = &rom->motions[m];
    cli_print(session, "\n%s\n  bones alone: %s\n", motion->motion->label, syn_hip_limit_words(&motion->bones, text));
    print_failure(session, &motion->limit);
    for (size_t i = 0; i < SYN_FAILURE_STRESSES; ++i) print_failure(session, &motion->published[i]);
    if (isfinite(motion->published_deg)) cli_print(session, "  Maciel 2005, §5.4.2: %.0f°\n", motion->published_deg);
    cli_print_table(session, &syn_ligament_row_record, motion->rows, motion->row_count, 0);
  }
}

void cli_print_ligament_stiffness(const cli_session *session, const syn_ligament_stiffness *s) {
  cli_print(session, "The %s ligament, %.1f mm long, stretched to %.3f of that at %.1f° of %s\n",
            syn_hip_ligament_name(s->options.ligament), s->length_mm, s->stretch, s->options.angle * SYN_RADIAN,
            s->options.motion->name);
  cli_print(session, "  %.3g MPa of modulus: %s stress %.3f MPa\n", s->ticks[0].young_mpa,
            syn_ligament_measure_name(s->options.measure), s->ticks[0].stress_mpa);
  if (isfinite(s->young_mpa))
    cli_print(session, "  %.3g MPa are reached with a modulus of %.3f MPa; exactly %.4f, by proportion %.4f\n",
              s->options.stress_mpa, s->young_mpa, s->exact_mpa, s->simple_mpa);
  else
    cli_print(session, "  %.3g MPa are not reached with a modulus of up to %.3g MPa\n", s->options.stress_mpa,
              s->options.most_mpa);
  cli_print(session, "  Maciel 2005, §5.4.3: about 8 MPa, from 1.5 MPa of greatest stress at 1 MPa\n");
  cli_print_table(session, &syn_ligament_row_record, s->rows, s->row_count, 0);
}
