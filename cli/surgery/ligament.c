/* surgery ligament-rom and ligament-stiffness: a ligament of the hip that limits a motion, and its modulus from a
 * measured angle. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "bodies.h"
#include "surgery/surgery.h"

/* ---- what both share ----------------------------------------------------------------------------------------------
 */

syn_hip_ligament cli_take_ligament(const cli_arguments *arguments, syn_hip_ligament standard) {
  for (int i = 0; i < SYN_HIP_LIGAMENTS; ++i)
    if (cli_is(arguments, "ligament", syn_hip_ligament_name((syn_hip_ligament)i))) return (syn_hip_ligament)i;
  return standard;
}

static syn_ligament_measure take_measure(const cli_arguments *arguments, syn_ligament_measure standard) {
  for (int i = 0; i < SYN_LIGAMENT_MEASURES; ++i)
    if (cli_is(arguments, "stress", syn_ligament_measure_name((syn_ligament_measure)i))) return (syn_ligament_measure)i;
  return standard;
}

static void take_tissue(const cli_arguments *arguments, syn_ligament_options *tissue) {
  tissue->young_mpa = cli_number(arguments, "young", tissue->young_mpa);
  tissue->across = cli_number(arguments, "across", tissue->across);
  tissue->thickness_mm = cli_number(arguments, "thickness", tissue->thickness_mm);
  tissue->cells[0] = (uint32_t)cli_number(arguments, "cells-across", tissue->cells[0]);
  tissue->cells[2] = (uint32_t)cli_number(arguments, "cells-along", tissue->cells[2]);
}

static syn_status take_motion(const cli_arguments *arguments, const syn_clinical_motion **motion, syn_error *error) {
  const char *name = cli_text(arguments, "motion", NULL);
  *motion = name ? syn_clinical_motion_named(name) : NULL;
  if (name && !*motion)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no motion '%.40s'; `synovia rom --help` lists them", name);
  return SYN_OK;
}

/* Degrees of flexion, adduction and internal rotation. */
static void take_rest(const cli_arguments *arguments, syn_hip_angles *rest) {
  if (!cli_given(arguments, "rest")) return;
  const syn_vec3 given = cli_vector(arguments, "rest");
  *rest = (syn_hip_angles){given.x / CLI_DEGREES, given.y / CLI_DEGREES, given.z / CLI_DEGREES};
}

static void print_rows(const cli_session *session, const syn_ligament_row *rows, size_t count) {
  cli_print(session, "    angle    peak  middle    mean MPa  stretch  tension\n");
  for (size_t i = 0; i < count; ++i)
    cli_print(session, "  %6.1f° %7.3f %7.3f %7.3f     %7.3f %6.1f N\n", rows[i].angle * CLI_DEGREES, rows[i].peak_mpa,
              rows[i].middle_mpa, rows[i].mean_mpa, rows[i].stretch, rows[i].tension_n);
}

/* ---- ligament-rom -------------------------------------------------------------------------------------------------
 */

static void print_angle(const cli_session *session, const char *before, double angle, const char *otherwise) {
  if (isfinite(angle))
    cli_print(session, "%s%.1f°", before, angle * CLI_DEGREES);
  else
    cli_print(session, "%s%s", before, otherwise);
}

static void print_limit(const cli_session *session, const syn_ligament_limit *l) {
  cli_print(session, "  %-8s %5.2f ± %.2f MPa:", l->failure.source ? l->failure.source : "asked", l->failure.mean_mpa,
            l->failure.sd_mpa);
  print_angle(session, " ", l->angle, "not reached");
  print_angle(session, " (", l->low, "not reached");
  print_angle(session, " to ", l->high, "not reached");
  cli_print(session, ")\n");
}

static void tell_rom(cli_session *session, const syn_ligament_rom *rom) {
  cli_set_fields(session, &syn_ligament_rom_record, rom);
  cli_print(session, "The %s ligament, %.1f mm long, %.1f mm wide, %.3g MPa along its fibres\n",
            syn_hip_ligament_name(rom->options.ligament), rom->length_mm, rom->width_mm, rom->options.tissue.young_mpa);
  for (size_t i = 0; i < rom->motion_count; ++i) {
    const syn_ligament_motion *m = &rom->motions[i];
    char words[96];
    cli_print(session, "\n%s\n  bones alone: %s\n", m->motion->label, syn_hip_limit_words(&m->bones, words));
    print_limit(session, &m->limit);
    for (size_t k = 0; k < syn_failure_stress_count(); ++k) print_limit(session, &m->published[k]);
    if (isfinite(m->published_deg)) cli_print(session, "  Maciel 2005, §5.4.2: %.0f°\n", m->published_deg);
    print_rows(session, m->rows, m->row_count);
  }
}

/* A result and the hip that it is of. */
typedef struct answered {
  const syn_hip_case *hip_case;
  const void *result;
} answered;

static syn_status stage_rom(cli_session *session, const void *what, const syn_provenance *provenance,
                            const char *folder, syn_error *error) {
  const answered *a = what;
  return syn_ligament_rom_stage(&session->context, a->hip_case, a->result,
                                cli_hip_title(session, a->hip_case, "Ligament"), provenance, session->outbox, folder,
                                error);
}

static syn_status find_rom(cli_session *session, const syn_hip_case *hip_case, const char *folder, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_ligament_rom_options o = syn_default_ligament_rom_options();
  const syn_clinical_motion *motion;
  syn_ligament_rom *rom;
  o.ligament = cli_take_ligament(arguments, o.ligament);
  o.measure = take_measure(arguments, o.measure);
  take_tissue(arguments, &o.tissue);
  take_rest(arguments, &o.rest);
  o.failure.mean_mpa = cli_number(arguments, "failure", o.failure.mean_mpa);
  o.failure.sd_mpa = cli_number(arguments, "failure-sd", o.failure.sd_mpa);
  o.step = cli_number(arguments, "step", o.step * CLI_DEGREES) / CLI_DEGREES;
  o.most = cli_number(arguments, "to", o.most * CLI_DEGREES) / CLI_DEGREES;
  SYN_TRY(take_motion(arguments, &motion, error));
  if (motion) o.motions = &motion, o.motion_count = 1;
  SYN_TRY(syn_ligament_rom_create(&session->context, hip_case, &o, &rom, error));
  tell_rom(session, rom);
  const answered a = {hip_case, rom};
  const syn_status status = folder ? cli_write_page(session, stage_rom, &a, folder, error) : SYN_OK;
  syn_ligament_rom_destroy(rom);
  return status;
}

static syn_status run_rom(cli_session *session, syn_error *error) { return cli_run_on_hip(session, find_rom, error); }

/* ---- ligament-stiffness -------------------------------------------------------------------------------------------
 */

static void tell_stiffness(cli_session *session, const syn_ligament_stiffness *s) {
  const syn_ligament_stiffness_options *o = &s->options;
  cli_set_fields(session, &syn_ligament_stiffness_record, s);
  cli_print(session, "The %s ligament, %.1f mm long, stretched to %.3f of that at %.1f° of %s\n",
            syn_hip_ligament_name(o->ligament), s->length_mm, s->stretch, o->angle * CLI_DEGREES, o->motion->name);
  cli_print(session, "  %.3g MPa of modulus: %s stress %.3f MPa\n", s->ticks[0].young_mpa,
            syn_ligament_measure_name(o->measure), s->ticks[0].stress_mpa);
  if (isfinite(s->young_mpa))
    cli_print(session, "  %.3g MPa are reached with a modulus of %.3f MPa; exactly %.4f, by proportion %.4f\n",
              o->stress_mpa, s->young_mpa, s->exact_mpa, s->simple_mpa);
  else
    cli_print(session, "  %.3g MPa are not reached with a modulus of up to %.3g MPa\n", o->stress_mpa, o->most_mpa);
  cli_print(session, "  Maciel 2005, §5.4.3: about 8 MPa, from 1.5 MPa of greatest stress at 1 MPa\n");
  print_rows(session, s->rows, s->row_count);
}

static syn_status stage_stiffness(cli_session *session, const void *what, const syn_provenance *provenance,
                                  const char *folder, syn_error *error) {
  const answered *a = what;
  return syn_ligament_stiffness_stage(&session->context, a->hip_case, a->result,
                                      cli_hip_title(session, a->hip_case, "Ligament"), provenance, session->outbox,
                                      folder, error);
}

static syn_status find_stiffness(cli_session *session, const syn_hip_case *hip_case, const char *folder,
                                 syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_ligament_stiffness_options o = syn_default_ligament_stiffness_options();
  syn_ligament_stiffness *stiffness;
  o.ligament = cli_take_ligament(arguments, o.ligament);
  o.measure = take_measure(arguments, o.measure);
  take_tissue(arguments, &o.tissue);
  take_rest(arguments, &o.rest);
  o.angle = cli_number(arguments, "angle", o.angle * CLI_DEGREES) / CLI_DEGREES;
  o.step = cli_number(arguments, "step", o.step * CLI_DEGREES) / CLI_DEGREES;
  o.stress_mpa = cli_number(arguments, "failure", o.stress_mpa);
  o.rate_mpa_s = cli_number(arguments, "rate", o.rate_mpa_s);
  o.tick_s = cli_number(arguments, "tick", o.tick_s);
  o.most_mpa = cli_number(arguments, "most", o.most_mpa);
  SYN_TRY(take_motion(arguments, &o.motion, error));
  SYN_TRY(syn_ligament_stiffness_find(&session->context, hip_case, &o, &stiffness, error));
  tell_stiffness(session, stiffness);
  const answered a = {hip_case, stiffness};
  const syn_status status = folder ? cli_write_page(session, stage_stiffness, &a, folder, error) : SYN_OK;
  syn_ligament_stiffness_destroy(stiffness);
  return status;
}

static syn_status run_stiffness(cli_session *session, syn_error *error) {
  return cli_run_on_hip(session, find_stiffness, error);
}

/* ---- the commands -------------------------------------------------------------------------------------------------
 */

#define COUNT(NAME, LOW, STANDARD, HELP)                                                                               \
  { .name = (NAME), .kind = CLI_COUNT, .value = "N", .min = (LOW), .max = 1000, .standard = (STANDARD), .help = (HELP) }
#define LIGAMENT_OPTIONS(YOUNG)                                                                                        \
  CLI_LIGAMENT_OPTION,                                                                                                 \
      {.name = "stress",                                                                                               \
       .kind = CLI_CHOICE,                                                                                             \
       .value = "NAME",                                                                                                \
       .choices = "peak|middle|mean",                                                                                  \
       .standard = "peak",                                                                                             \
       .help = "what is compared with the failure stress: the greatest stress, that of the middle three fifths, or "   \
               "their mean"},                                                                                          \
      CLI_NUMBER_OPTION("young", "MPA", "MPa", 1e-6, 1e6, YOUNG, "Young's modulus along the fibres"),                  \
      CLI_NUMBER_OPTION("across", "PART", "", 1e-3, 1, "0.5", "part of it across them"),                               \
      CLI_NUMBER_OPTION("thickness", "MM", "mm", 0.1, 20, "2", "of the ligament"),                                     \
      COUNT("cells-across", 1, "4", "of its mesh"), COUNT("cells-along", 3, "15", "of its mesh"),                      \
      CLI_NUMBER_OPTION("step", "DEG", "deg", 0.1, 90, "5", "of the turn, from one equilibrium to the next"), {        \
    .name = "rest", .kind = CLI_NUMBERS, .numbers = 3, .value = "F,A,R", .standard = "where the meshes are",           \
    .help = "degrees of flexion, adduction and internal rotation at which the ligament is free of stress"              \
  }

static const cli_option rom_options[] = {
    LIGAMENT_OPTIONS("0.8"),
    CLI_NUMBER_OPTION("failure", "MPA", "MPa", 1e-6, 1e6, "2.29, the mean of the published ones",
                      "stress at which it fails"),
    CLI_NUMBER_OPTION("failure-sd", "MPA", "MPa", 0, 1e6, "1.82", "standard deviation of that stress"),
    CLI_NUMBER_OPTION("to", "DEG", "deg", 1, 180, "90", "the turn ends here at the latest"),
    {.name = "motion",
     .kind = CLI_TEXT,
     .value = "NAME",
     .standard = "internal_rotation and internal_rotation_90",
     .help = "as for `synovia rom`"},
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_TITLE_OPTION,
    CLI_OUT_OPTION("write report.html, ligament.csv and result.json to this folder"),
};

const cli_command cli_surgery_ligament_rom = {
    .name = "surgery ligament-rom",
    .summary = "how far a hip turns before the stress of a ligament reaches its failure stress",
    .usage = {"JOINT [--ligament NAME] [--motion NAME] [--failure MPA] [--stress NAME]",
              "PELVIS FEMUR [--ligament NAME] [--motion NAME]"},
    .description =
        "Maciel 2005, §5.4.2. The ligament grows between its attachments on the bones, round everything in its way, "
        "and is free of stress in the position of the meshes. The femur turns in steps; at each the equilibrium of the "
        "ligament is found, with bones, cartilage and labrum as obstacles. docs/virtual-hip.md explains the numbers.",
    .options = rom_options,
    .option_count = sizeof rom_options / sizeof *rom_options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run_rom,
};

static const cli_option stiffness_options[] = {
    LIGAMENT_OPTIONS("1"),
    CLI_NUMBER_OPTION("angle", "DEG", "deg", 0.1, 180, "40", "where the motion ends, as it was measured"),
    CLI_NUMBER_OPTION("failure", "MPA", "MPa", 1e-6, 1e6, "2.5",
                      "stress at which the ligament fails, reached at that angle"),
    CLI_NUMBER_OPTION("rate", "MPA", "MPa", 1e-6, 1e6, "1", "by which the modulus grows in a second"),
    CLI_NUMBER_OPTION("tick", "S", "s", 1e-6, 1e6, "0.25", "from one equilibrium to the next"),
    CLI_NUMBER_OPTION("most", "MPA", "MPa", 1e-6, 1e6, "100", "the search ends at this modulus"),
    {.name = "motion",
     .kind = CLI_TEXT,
     .value = "NAME",
     .standard = "internal_rotation_90",
     .help = "as for `synovia rom`"},
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_TITLE_OPTION,
    CLI_OUT_OPTION("write report.html, ligament.csv and result.json to this folder"),
};

const cli_command cli_surgery_ligament_stiffness = {
    .name = "surgery ligament-stiffness",
    .summary = "the modulus of a ligament of the hip from the angle at which it ends a motion",
    .usage = {"JOINT [--angle DEG] [--ligament NAME] [--motion NAME] [--failure MPA]",
              "PELVIS FEMUR [--angle DEG] [--ligament NAME]"},
    .description =
        "Maciel 2005, §5.4.3. The femur turns to the measured angle with a soft ligament. There its modulus grows "
        "evenly until the stress is that at which it is known to fail; halving between the last two steps makes it "
        "exact. docs/virtual-hip.md explains the numbers.",
    .options = stiffness_options,
    .option_count = sizeof stiffness_options / sizeof *stiffness_options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run_stiffness,
};
