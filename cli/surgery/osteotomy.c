/* surgery osteotomy: the shaft of the femur turned against its neck. */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "surgery/surgery.h"

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

static void print_motion(const cli_session *session, const syn_osteotomy *o, size_t m) {
  const syn_osteotomy_motion *before = &o->before.motions[m], *after = &o->after.motions[m];
  char words[96];
  cli_print(session, "  %s", before->motion->label);
  if (!isnan(after->gain_deg)) cli_print(session, ": %+.2f°", after->gain_deg);
  cli_print(session, "\n      before: %s", syn_hip_limit_words(&before->limit, words));
  cli_print(session, "\n      after:  %s", syn_hip_limit_words(&after->limit, words));
  if (syn_contact_place_words(&after->place, words)[0]) cli_print(session, ", %s", words);
  cli_print(session, "\n");
}

static void print_ligament(const cli_session *session, const syn_osteotomy *o) {
  const size_t rows = o->before.row_count < o->after.row_count ? o->before.row_count : o->after.row_count;
  if (rows == 0) return;
  cli_print(session, "\nThe %s ligament, %g MPa along its fibres\n", syn_hip_ligament_name(o->options.ligament),
            o->options.tissue.young_mpa);
  cli_print(session, "  flexion and rotation   before: stress, stretch    after: stress, stretch\n");
  for (size_t i = 0; i < rows; ++i)
    cli_print(session, "  %14.1f°     %14.3f kPa %6.3f %12.3f kPa %6.3f\n", o->before.rows[i].angle * CLI_DEGREES,
              o->before.rows[i].peak_mpa * 1e3, o->before.rows[i].stretch, o->after.rows[i].peak_mpa * 1e3,
              o->after.rows[i].stretch);
}

static void tell(cli_session *session, const syn_osteotomy *o) {
  const double varus = o->options.varus * CLI_DEGREES;
  cli_set_fields(session, &syn_osteotomy_record, o);
  cli_print(session, "Shaft turned by %.1f° into %s: neck-shaft angle from %.1f to %.1f°\n", fabs(varus),
            varus < 0 ? "valgus" : "varus", o->before.neck_shaft_deg, o->after.neck_shaft_deg);
  cli_print(session, "With the knee in its place the shaft is %.1f mm further %s and %.1f mm %s\n",
            fabs(o->shift_medial_mm), o->shift_medial_mm < 0 ? "lateral" : "medial", fabs(o->shift_up_mm),
            o->shift_up_mm < 0 ? "lower" : "higher");
  for (size_t m = 0; m < o->motion_count; ++m) print_motion(session, o, m);
  if (o->before.congruity) {
    cli_print(session, "\nBefore:");
    cli_print_congruity(session, o->before.congruity->paths);
  }
  if (o->after.congruity) {
    cli_print(session, "\nAfter:");
    cli_print_congruity(session, o->after.congruity->paths);
  }
  print_ligament(session, o);
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status stage(cli_session *session, const void *what, const syn_provenance *provenance, const char *folder,
                        syn_error *error) {
  const syn_osteotomy *o = what;
  return syn_osteotomy_stage(&session->context, o, cli_hip_title(session, &o->before.hip_case, "Osteotomy"), provenance,
                             session->outbox, folder, error);
}

static syn_status take_options(const cli_arguments *arguments, syn_osteotomy_options *o, syn_error *error) {
  o->varus = cli_number(arguments, "varus", o->varus * CLI_DEGREES) / CLI_DEGREES;
  o->medial_mm = cli_number(arguments, "medial", o->medial_mm);
  o->level_mm = cli_number(arguments, "level", o->level_mm);
  o->blend_mm = cli_number(arguments, "blend", o->blend_mm);
  o->rotation = cli_number(arguments, "rotation", o->rotation * CLI_DEGREES) / CLI_DEGREES;
  o->tissue.young_mpa = cli_number(arguments, "ligament-young", o->tissue.young_mpa);
  o->bones_only = cli_given(arguments, "bones-only");
  o->ligament = cli_take_ligament(arguments, o->ligament);
  return cli_take_congruity(arguments, &o->cartilage, error);
}

static syn_status plan(cli_session *session, const syn_hip_case *hip_case, const char *folder, syn_error *error) {
  syn_osteotomy_options o = syn_default_osteotomy_options();
  syn_osteotomy *made;
  SYN_TRY(take_options(&session->arguments, &o, error));
  SYN_TRY(syn_osteotomy_create(&session->context, hip_case, &o, &made, error));
  tell(session, made);
  const syn_status status = folder ? cli_write_page(session, stage, made, folder, error) : SYN_OK;
  syn_osteotomy_destroy(made);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) { return cli_run_on_hip(session, plan, error); }

static const cli_option options[] = {
    CLI_NUMBER_OPTION("varus", "DEG", "deg", -45, 45, "15",
                      "turn of the shaft towards the other leg, in the frontal plane; below 0: valgus"),
    CLI_NUMBER_OPTION("medial", "MM", "mm", -40, 40, "0", "shift of the shaft towards the other leg"),
    CLI_NUMBER_OPTION("level", "MM", "mm", -200, 200, "at the lesser trochanter, or 15 where none is found",
                      "where the turn begins, below the point at which the axes of neck and shaft meet"),
    CLI_NUMBER_OPTION("blend", "MM", "mm", 1, 100, "20", "along the shaft, in which the bone bends"),
    CLI_NUMBER_OPTION("rotation", "DEG", "deg", 1, 180, "as far as the bones turn before, 40 at most",
                      "internal rotation after 90 degrees of flexion"),
    {.name = "bones-only", .kind = CLI_FLAG, .help = "leave out cartilages and ligament"},
    CLI_LIGAMENT_OPTION,
    CLI_NUMBER_OPTION("ligament-young", "MPA", "MPa", 1e-6, 1e6, "0.01", "Young's modulus along its fibres"),
    CLI_CONGRUITY_OPTIONS,
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_TITLE_OPTION,
    CLI_OUT_OPTION(
        "write report.html, osteotomy.csv, femur_after.ply, frames for ParaView and result.json to this folder"),
};

const cli_command cli_surgery_osteotomy = {
    .name = "surgery osteotomy",
    .summary = "intertrochanteric osteotomy: range of motion, stress and contact before and after",
    .usage = {"JOINT [--varus DEG] [--medial MM] [-o DIR]", "PELVIS FEMUR [--varus DEG] [-o DIR]"},
    .description =
        "Maciel 2005, §5.4.4. The shaft is turned against head and neck in the frontal plane; bone between them bends. "
        "The knee stays in its place, so that the hip is abducted by as much. Motions are turned to bone contact "
        "before "
        "and after; cartilages and a ligament go through 90 degrees of flexion and internal rotation, the same before "
        "and after. docs/virtual-hip.md explains the numbers. Research software, not a medical device.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
