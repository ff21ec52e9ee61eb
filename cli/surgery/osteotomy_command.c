/* surgery osteotomy: rotates the shaft of the femur against its neck. */
#include "print/print.h"
#include "surgery/surgery.h"

#define INTO(FIELD) CLI_INTO(syn_osteotomy_options, FIELD)
static const cli_option options[] = {
    OPT_DEG("varus", -45, 45, "15", CLI_FIELD(CLI_RADIANS, syn_osteotomy_options, varus),
            "turn of the shaft towards the other leg, in the frontal plane; below 0: valgus"),
    OPT_MM("medial", -40, 40, "0", INTO(medial_mm), "shift of the shaft towards the other leg"),
    OPT_MM("level", -200, 200, "at the lesser trochanter, or 15 where none is found", INTO(level_mm),
           "where the turn begins, below the point at which the axes of neck and shaft meet"),
    OPT_MM("blend", 1, 100, "20", INTO(blend_mm), "along the shaft, in which the bone bends"),
    OPT_DEG("rotation", 1, 180, "as far as the bones turn before, 40 at most",
            CLI_FIELD(CLI_RADIANS, syn_osteotomy_options, rotation), "internal rotation after 90 degrees of flexion"),
    OPT_FLAG("bones-only", INTO(bones_only), "leave out cartilages and ligament"),
    OPT_LIGAMENT(INTO(ligament)),
    OPT_MPA("ligament-young", 1e-6, 1e6, "0.01", INTO(tissue.young_mpa), "Young's modulus along its fibres"),
    OPT_GROUP(cli_cartilage_options, INTO(cartilage)),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_TITLE,
    OPT_OUT(NULL,
            "write report.html, osteotomy.csv, femur_after.ply, frames for ParaView and result.json to this folder"),
};

static syn_status plan(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_osteotomy_options o = syn_default_osteotomy_options();
  syn_osteotomy *made;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &o, error));
  SYN_TRY(syn_osteotomy_create(&session->context, hip_case, &o, &made, error));
  cli_set_fields(session, &syn_osteotomy_record, made);
  cli_print_osteotomy(session, made);
  const syn_status status =
      cli_publish_titled(session, &syn_osteotomy_record, made, cli_hip_title(session, hip_case, "Osteotomy"), error);
  syn_osteotomy_destroy(made);
  return status;
}

const cli_command cli_surgery_osteotomy = {
    .name = "surgery osteotomy",
    .summary = "intertrochanteric osteotomy: range of motion, stress and contact before and after",
    .usage = {"JOINT [--varus DEG] [--medial MM] [-o DIR]", "PELVIS FEMUR [--varus DEG] [-o DIR]"},
    .description =
        "Maciel 2005, §5.4.4. The shaft is turned against head and neck in the frontal plane; bone between them bends. "
        "The knee stays in its place, so that the hip is abducted by as much. Motions are turned to bone contact "
        "before and after; cartilages and a ligament go through 90 degrees of flexion and internal rotation, the same "
        "before and after. docs/evidence/virtual-hip.md explains the numbers. Research software, not a medical device.",
    .options = CLI_TABLE(options),
    .operands = {1, 2},
    .on_hip = plan,
};
