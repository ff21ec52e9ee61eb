/* Commands about a joint that is not a hip, by the names of its file: rom, center and fai. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hip_command.h"
#include "print.h"

/* ---- text ----------------------------------------------------------------------------------------------------------
 */

static void print_limit(const cli_session *session, const syn_motion_limit *m) {
  char text[96], band[96];
  syn_band_words(&m->limit, &m->bands[SYN_BAND_ALL], m->stopped_part, syn_motion_max_deg(m->motion), band);
  cli_print(session, "  ");
  cli_print_padded(session, m->motion->label, 36);
  if (m->limit.state != SYN_LIMIT_STOPPED) {
    cli_print(session, "    %s%s%s\n", syn_motion_limit_words(m, text), band[0] ? ": " : "", band);
    return;
  }
  cli_print(session, " %7.2f°  ", m->limit.angle * SYN_RADIAN);
  cli_print_spaced(session, m->mobile->name);
  cli_print(session, " on ");
  cli_print_spaced(session, m->fixed->name);
  if (band[0]) cli_print(session, ", %s", band);
  if (m->motion->source)
    cli_print(session, "  (range: %.6g to %.6g, %s)", m->motion->low_deg, m->motion->high_deg, m->motion->source);
  if (m->limit.start_overlaps) cli_print(session, "  the start itself collides");
  cli_print(session, "\n");
}

static void print_overlap(const cli_session *session, const syn_joint_overlap *o) {
  char text[CLI_POINT];
  cli_print(session, "%s and %s overlap as they lie, at %s mm", o->fixed->name, o->mobile->name,
            cli_point(o->overlap.point, 2, text));
  if (isfinite(o->overlap.depth_mm)) cli_print(session, ", %.3f mm deep", o->overlap.depth_mm);
  cli_print(session, ".\n");
}

static void print_joint(const cli_session *session, const syn_joint_analysis *a) {
  const char *kind = syn_joint_kind(a->joint);
  const syn_joint_recorded *r = &a->recorded;
  cli_print(session, "Range of motion of the %s:\n", strcmp(kind, "other") == 0 ? "joint" : kind);
  for (size_t i = 0; i < a->limit_count; ++i) print_limit(session, &a->limits[i]);
  if (a->overlap_count) cli_print(session, "\n");
  for (size_t i = 0; i < a->overlap_count; ++i) print_overlap(session, &a->overlaps[i]);
  if (!r->file) return;
  cli_print(session, "\n%s: %zu of %zu poses are free of contact", cli_without_folder(r->file), (size_t)r->free_count,
            (size_t)r->pose_count);
  if (r->first_contact < r->pose_count)
    cli_print(session, "; at %.6g s %s touches %s", r->times_s[r->first_contact], r->mobile->name, r->fixed->name);
  cli_print(session, ".\n");
}

void cli_print_pairs(const cli_session *session, const syn_joint_collision *pairs, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const syn_contacts *c = &pairs[i].collision->contacts;
    char text[32];
    cli_print(session, "%s ", pairs[i].mobile->name);
    if (pairs[i].collision->self)
      cli_print(session, "with itself");
    else
      cli_print(session, "and %s", pairs[i].fixed->name);
    cli_print(session, ": %s, %s contacts", c->penetrating ? "penetrating" : "apart", syn_count_text(c->count, text));
    if (isfinite(c->max_depth_mm))
      cli_print(session, ", %s %.4f mm", c->max_depth_mm > 0 ? "deepest" : "nearest", fabs(c->max_depth_mm));
    cli_print(session, "\n");
  }
}

static void print_shifted_centers(const cli_session *session, const syn_joint_analysis *a) {
  char text[CLI_POINT];
  cli_print(session, "Centre %s mm. Limits about it, and about centres shifted by %g mm along each axis:\n",
            cli_point(a->joint->center, 3, text), a->center_mm);
  for (size_t i = 0; i < a->limit_count; ++i) {
    const syn_motion_limit *limit = &a->limits[i];
    const syn_band *band = &a->center_bands[i];
    cli_print(session, "  ");
    cli_print_padded(session, limit->motion->label, 36);
    if (limit->limit.state == SYN_LIMIT_STOPPED)
      cli_print(session, " %7.2f°", limit->limit.angle * SYN_RADIAN);
    else
      cli_print(session, "    %s", syn_motion_limit_words(limit, text));
    if (isfinite(band->low)) cli_print(session, "  from %.2f to %.2f°", band->low, band->high);
    cli_print(session, "\n");
  }
}

static void print_max_depth(const cli_session *session, const char *label, double depth_mm, size_t step, size_t steps) {
  cli_print(session, "  %-22s", label);
  if (depth_mm > 0)
    cli_print(session, "%8.3f mm, at pose %zu of %zu\n", depth_mm, step + 1, steps);
  else
    cli_print(session, "     none\n");
}

static void print_depths(const cli_session *session, const syn_joint_analysis *a) {
  const syn_depths *d = a->depths;
  cli_print(session, "Penetration along %s:\n", cli_without_folder(a->recorded.file));
  print_max_depth(session, "along the turn", d->curvilinear_max_mm, d->curvilinear_step, d->step_count);
  print_max_depth(session, "along the radius", d->radial_max_mm, d->radial_step, d->step_count);
}

/* ---- the analysis --------------------------------------------------------------------------------------------------
 */

/* Opens and analyses the joint of the first operand; refuses `of_hips`, names of options with blanks between. --center
 * overrides that of the file. */
static syn_status analyse_joint(cli_session *session, const char *of_hips, const syn_joint_analysis_options *what,
                                syn_joint_analysis **analysis, syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  syn_joint_input input = syn_default_joint_input();
  const char *of_hip = cli_first_given(arguments, of_hips);
  if (of_hip) return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is for hips; this joint is none", of_hip);
  const syn_vec3 center = cli_given(arguments, "center") ? cli_vector(arguments, "center") : (syn_vec3){0};
  input.joint = arguments->operands[0];
  input.reading = &session->reading;
  if (cli_given(arguments, "center")) input.center = &center;
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, NULL, error));
  return syn_joint_analyse(&session->context, &input, what, analysis, error);
}

/* Publishes the page under --title, the name of the joint, or "WHAT of a KIND". */
static syn_status publish_joint(cli_session *session, const syn_joint_analysis *a, const char *what, syn_error *error) {
  char title[96];
  const char *kind = syn_joint_kind(a->joint), *name = a->joint->name;
  snprintf(title, sizeof title, "%s of a %s", what, strcmp(kind, "other") == 0 ? "joint" : kind);
  return cli_publish_titled(session, &syn_joint_record, a,
                            cli_text(&session->arguments, "title", name[0] ? name : title), error);
}

/* ---- rom -----------------------------------------------------------------------------------------------------------
 */

/* Reports the map, and writes it as a table if --csv asks for it. */
static syn_status write_map(cli_session *session, const syn_joint_analysis *a, const char *path, syn_error *error) {
  const char *hidden;
  if (a->envelope)
    cli_print(session, "\nMap: %u angles about the first axis x %u about the second%s%s\n", a->envelope->flexion_count,
              a->envelope->adduction_count, path ? " in " : "; --csv FILE or --json shows it", path ? path : "");
  if (!path) return SYN_OK;
  SYN_TRY(syn_outbox_stage_file(session->outbox, path, &hidden, error));
  SYN_TRY(syn_csv_write(&session->context, &syn_joint_envelope_csv, a, hidden, error));
  return syn_outbox_add(session->outbox, hidden, error);
}

syn_status cli_rom_joint(cli_session *session, const cli_rom_asked *asked, syn_error *error) {
  syn_joint_analysis_options what = syn_default_joint_analysis_options();
  syn_joint_analysis *a;
  const cli_words names = cli_gather_words(&session->arguments, "motion", 1);
  what.motions = names.count ? names.names : NULL;
  what.motion_count = names.count;
  what.bands = asked->what.bands;
  what.recording = asked->recording;
  what.envelope = asked->map || asked->csv ? &asked->what.envelope : NULL;
  if (asked->csv) SYN_TRY(syn_outbox_stage_file(session->outbox, asked->csv, NULL, error));
  SYN_TRY(analyse_joint(session,
                        "sweep slack labrum femoral-cartilage acetabular-cartilage transition-zone side as-scanned "
                        "landmarks",
                        &what, &a, error));
  cli_set_fields(session, &syn_joint_record, a);
  print_joint(session, a);
  syn_status status = write_map(session, a, asked->csv, error);
  if (status == SYN_OK) status = publish_joint(session, a, "Range of motion", error);
  syn_joint_analysis_destroy(a);
  return status;
}

/* ---- center --------------------------------------------------------------------------------------------------------
 */

syn_status cli_center_joint(cli_session *session, const char *motion, syn_error *error) {
  syn_joint_analysis_options what = syn_default_joint_analysis_options();
  syn_joint_analysis *a;
  what.bands.draws = 0;
  what.center_mm = 3; /* Arbabi 2009, §4.4.1 */
  what.recording = motion;
  SYN_TRY(analyse_joint(session, "side as-scanned landmarks body relative-to", &what, &a, error));
  cli_set_fields(session, &syn_joint_center_record, a);
  print_shifted_centers(session, a);
  if (motion) {
    cli_set_record(session, "motion", &syn_motion_center_record, &a->recorded.center);
    cli_print_motion_center(session, &a->recorded.center);
  }
  syn_joint_analysis_destroy(a);
  return SYN_OK;
}

/* ---- fai -----------------------------------------------------------------------------------------------------------
 */

syn_status cli_fai_joint(cli_session *session, const char *motion, syn_error *error) {
  static const char *const no_motions[] = {NULL};
  syn_joint_analysis_options what = syn_default_joint_analysis_options();
  syn_joint_analysis *a;
  if (!motion)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "--motion FILE is missing: the depths of a joint that is not a hip are measured along a recorded "
                    "motion");
  what.motions = no_motions;
  what.bands.draws = 0;
  what.recording = motion;
  what.depths = true;
  SYN_TRY(analyse_joint(session,
                        "bone-only labrum femoral-cartilage acetabular-cartilage transition-zone side as-scanned "
                        "landmarks",
                        &what, &a, error));
  cli_set_fields(session, &syn_depths_record, a->depths);
  cli_set(session, "motion", syn_text_to_json(cli_without_folder(motion)));
  print_depths(session, a);
  const syn_status status = publish_joint(session, a, "Depths", error);
  syn_joint_analysis_destroy(a);
  return status;
}
