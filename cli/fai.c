/* fai: impingement by penetration depth for hips with soft tissue, by the FADIR protocol for bare bones. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "hip.h"

/* ---- the motion ---------------------------------------------------------------------------------------------------
 */

static const char *series_name_at(const void *user, size_t index) {
  (void)user;
  return syn_motion_series_at(index)->name;
}

/* Checked before any work: a word that is not a file may be a mistyped name. */
static syn_status check_motion(const char *motion, syn_error *error) {
  if (!motion || syn_motion_series_named(motion) || access(motion, F_OK) == 0) return SYN_OK;
  char hint[96], names[160] = "";
  for (size_t i = 0; i < syn_motion_series_count(); ++i) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", syn_motion_series_at(i)->name);
  }
  return syn_fail_at(error, SYN_NOT_FOUND, motion, 0, -1, "there is no such file, and no motion of this name (%s).%s",
                     names, syn_did_you_mean(motion, series_name_at, NULL, syn_motion_series_count(), hint));
}

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

static void print_depth(const cli_session *session, const char *what, bool known, double depth, size_t step,
                        size_t steps) {
  if (!known)
    cli_print(session, "  %-38s       -- the bodies for it are not there\n", what);
  else if (depth > 0)
    cli_print(session, "  %-38s %6.2f mm, at step %zu of %zu\n", what, depth, step, steps - 1);
  else
    cli_print(session, "  %-38s   none\n", what);
}

void cli_print_impingement(const cli_session *session, const syn_impingement *i) {
  const syn_fai *fai = i->fai;
  if (fai) {
    cli_print(session, "Penetration along %s:\n",
              strcmp(i->series, "stand_to_sit") == 0 ? "standing to sitting" : i->series);
    print_depth(session, "femur into labrum, along the turn", fai->has_curvilinear, fai->curvilinear_max_mm,
                fai->curvilinear_step, fai->step_count);
    print_depth(session, "femur into the socket's soft tissue", fai->has_radial, fai->radial_max_mm, fai->radial_step,
                fai->step_count);
    if (syn_impingement_has_class(i))
      cli_print(session, "  shape as in the published group:       %s\n", syn_fai_class_name(fai->fai_class));
  }
  if (i->fadir && isnan(i->fadir->mean))
    cli_print(session, "FADIR, flexion 70-110°, adduction 0-20°: no pose of the protocol is free\n");
  else if (i->fadir)
    cli_print(session,
              "FADIR, flexion 70-110°, adduction 0-20°: internal rotation free of bone contact %.1f° (mean), %.1f° "
              "(least)\n",
              i->fadir->mean * CLI_DEGREES, i->fadir->least * CLI_DEGREES);
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status diagnose(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.parts = SYN_HIP_IMPINGEMENT;
  what.series = cli_text(&session->arguments, "motion", what.series);
  what.fai.bone_only = cli_given(&session->arguments, "bone-only");
  syn_hip_analysis *analysis;
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  syn_status status = analysis->impingement.fai || analysis->impingement.fadir ? SYN_OK : cli_fail_without_bones(error);
  if (status == SYN_OK) {
    cli_set_record(session, "seat", &syn_seat_record, &hip_case->hip);
    cli_set_fields(session, &syn_fai_record, analysis);
    cli_print_impingement(session, &analysis->impingement);
  }
  const char *folder = cli_text(&session->arguments, "out", NULL);
  if (status == SYN_OK && folder)
    status = cli_write_hip_page(session, analysis, "fai", cli_hip_title(session, hip_case, "Impingement of a hip"),
                                folder, error);
  syn_hip_analysis_destroy(analysis);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", NULL);
  syn_hip_case *hip_case;
  SYN_TRY(check_motion(cli_text(&session->arguments, "motion", NULL), error));
  if (folder) SYN_TRY(cli_stage(session, folder, NULL, error));
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = diagnose(session, hip_case, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

static const cli_option options[] = {
    {.name = "motion",
     .kind = CLI_PATH,
     .value = "FILE",
     .standard = "standing to sitting",
     .help = "stand_to_sit (default), squat, impingement_test, or a recorded motion: OpenSim .mot or .sto, CSV, rows "
             "of 4x4 matrices"},
    CLI_OUT_OPTION("folder for a report, report.html"),
    {.name = "bone-only",
     .kind = CLI_FLAG,
     .help = "leave the femur's cartilage out, as the published study of 25 hips does"},
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_TITLE_OPTION,
};

const cli_command cli_fai = {
    .name = "fai",
    .summary = "impingement diagnosis by penetration depth",
    .usage = {"JOINT [--motion FILE]", "PELVIS FEMUR [--labrum FILE] [--motion FILE]"},
    .description =
        "With labrum and cartilage: how deep the femur goes into the labrum along its turn (curvilinear), and into the "
        "soft tissue of the socket along the radius (radial), step by step through a motion, and which of the "
        "published "
        "groups such depths belong to. With bones alone: the FADIR protocol, flexion 70 to 110 by adduction 0 to 20 "
        "degrees, and the internal rotation that is free of contact.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
