/* surgery ligament-rom and ligament-stiffness: a ligament of the hip that limits a motion, and its modulus from a
 * measured angle. */
#include <stdlib.h>

#include "print/print.h"
#include "surgery/surgery.h"

#define LIGAMENT_OPTIONS(OF, YOUNG)                                                                                    \
  OPT_LIGAMENT(CLI_INTO(OF, o.ligament)),                                                                              \
      OPT_CHOICE("stress", "NAME", "peak|middle|mean", "peak", CLI_INTO(OF, o.measure),                                \
                 "what is compared with the failure stress: the greatest stress, that of the middle three fifths, or " \
                 "their mean"),                                                                                        \
      OPT_MPA("young", 1e-6, 1e6, YOUNG, CLI_INTO(OF, o.tissue.young_mpa), "Young's modulus along the fibres"),        \
      OPT_NUMBER("across", "PART", "", 1e-3, 1, "0.5", CLI_INTO(OF, o.tissue.across), "part of it across them"),       \
      OPT_MM("thickness", 0.1, 20, "2", CLI_INTO(OF, o.tissue.thickness_mm), "of the ligament"),                       \
      OPT_COUNT("cells-across", 1, 1000, "4", CLI_INTO(OF, o.tissue.cells[0]), "of its mesh"),                         \
      OPT_COUNT("cells-along", 3, 1000, "15", CLI_INTO(OF, o.tissue.cells[2]), "of its mesh"),                         \
      OPT_DEG("step", 0.1, 90, "5", CLI_FIELD(CLI_RADIANS, OF, o.step),                                                \
              "of the turn, from one equilibrium to the next"),                                                        \
  {                                                                                                                    \
    .name = "rest", .kind = CLI_NUMBERS, .numbers = 3, .value = "F,A,R", .standard = "where the meshes are",           \
    .help = "degrees of flexion, adduction and internal rotation at which the ligament is free of stress"              \
  }
#define HIP_OPTIONS                                                                                                    \
  OPT_GROUP(cli_hip_parts, 0), OPT_GROUP(cli_hip_options, 0), OPT_TITLE,                                               \
      OPT_OUT(NULL, "write report.html, ligament.csv and result.json to this folder")

/* Degrees of flexion, adduction and internal rotation. */
static void take_rest(const cli_arguments *arguments, syn_hip_angles *rest) {
  if (!cli_given(arguments, "rest")) return;
  const syn_vec3 given = cli_vector(arguments, "rest");
  *rest = (syn_hip_angles){given.x / SYN_RADIAN, given.y / SYN_RADIAN, given.z / SYN_RADIAN};
}

/* ---- ligament-rom ------------------------------------------------------------------------------------------------ */

typedef struct asked_rom {
  syn_ligament_rom_options o;
  cli_words motions;
} asked_rom;
static const cli_option rom_options[] = {
    LIGAMENT_OPTIONS(asked_rom, "0.8"),
    OPT_MPA("failure", 1e-6, 1e6, "2.29, the mean of the published ones", CLI_INTO(asked_rom, o.failure_mpa),
            "stress at which it fails"),
    OPT_MPA("failure-sd", 0, 1e6, "1.82", CLI_INTO(asked_rom, o.failure_sd_mpa), "standard deviation of that stress"),
    OPT_DEG("to", 1, 180, "90", CLI_FIELD(CLI_RADIANS, asked_rom, o.most), "the turn ends here at the latest"),
    OPT_TEXT("motion", "NAME", "internal_rotation and internal_rotation_90", CLI_INTO(asked_rom, motions),
             "as for `synovia rom`"),
    HIP_OPTIONS,
};

static syn_status find_rom(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  asked_rom a = {.o = syn_default_ligament_rom_options()};
  syn_ligament_rom *rom;
  void *motions;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  take_rest(&session->arguments, &a.o.rest);
  SYN_TRY(cli_take_motions(&a.motions, &motions, &a.o.motions, &a.o.motion_count, error));
  syn_status status = syn_ligament_rom_create(&session->context, hip_case, &a.o, &rom, error);
  free(motions);
  SYN_TRY(status);
  cli_set_fields(session, &syn_ligament_rom_record, rom);
  cli_print_ligament_rom(session, rom);
  status =
      cli_publish_titled(session, &syn_ligament_rom_record, rom, cli_hip_title(session, hip_case, "Ligament"), error);
  syn_ligament_rom_destroy(rom);
  return status;
}

const cli_command cli_surgery_ligament_rom = {
    .name = "surgery ligament-rom",
    .summary = "how far a hip turns before the stress of a ligament reaches its failure stress",
    .usage = {"JOINT [--ligament NAME] [--motion NAME] [--failure MPA] [--stress NAME]",
              "PELVIS FEMUR [--ligament NAME] [--motion NAME]"},
    .description =
        "Maciel 2005, §5.4.2. The ligament grows round what is in its way, free of stress where the meshes are: the "
        "text names no other rest, and its 53 degrees need a chosen --rest. At each step of the femur the equilibrium "
        "is found, with bones, cartilage and labrum as obstacles. docs/evidence/virtual-hip.md explains the numbers.",
    .options = CLI_TABLE(rom_options),
    .operands = {1, 2},
    .on_hip = find_rom,
};

/* ---- ligament-stiffness ------------------------------------------------------------------------------------------ */

typedef struct asked_stiffness {
  syn_ligament_stiffness_options o;
  cli_words motions;
} asked_stiffness;
#define INTO(FIELD) CLI_INTO(asked_stiffness, FIELD)
static const cli_option stiffness_options[] = {
    LIGAMENT_OPTIONS(asked_stiffness, "1"),
    OPT_DEG("angle", 0.1, 180, "40", CLI_FIELD(CLI_RADIANS, asked_stiffness, o.angle),
            "where the motion ends, as it was measured"),
    OPT_MPA("failure", 1e-6, 1e6, "2.5", INTO(o.stress_mpa),
            "stress at which the ligament fails, reached at that angle"),
    OPT_MPA("rate", 1e-6, 1e6, "1", INTO(o.rate_mpa_s), "by which the modulus grows in a second"),
    OPT_SECONDS("tick", 1e-6, 1e6, "0.25", INTO(o.tick_s), "from one equilibrium to the next"),
    OPT_MPA("most", 1e-6, 1e6, "100", INTO(o.most_mpa), "the search ends at this modulus"),
    OPT_TEXT("motion", "NAME", "internal_rotation_90", INTO(motions), "as for `synovia rom`"),
    HIP_OPTIONS,
};

static syn_status find_stiffness(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  asked_stiffness a = {.o = syn_default_ligament_stiffness_options()};
  syn_ligament_stiffness *stiffness;
  const syn_motion *const *motions;
  size_t count = 0;
  void *list;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  take_rest(&session->arguments, &a.o.rest);
  SYN_TRY(cli_take_motions(&a.motions, &list, &motions, &count, error));
  if (count) a.o.motion = motions[0];
  free(list);
  if (count > 1) return syn_fail(error, SYN_BAD_ARGUMENT, "--motion takes one motion here, not %zu", count);
  SYN_TRY(syn_ligament_stiffness_find(&session->context, hip_case, &a.o, &stiffness, error));
  cli_set_fields(session, &syn_ligament_stiffness_record, stiffness);
  cli_print_ligament_stiffness(session, stiffness);
  const syn_status status = cli_publish_titled(session, &syn_ligament_stiffness_record, stiffness,
                                               cli_hip_title(session, hip_case, "Ligament"), error);
  syn_ligament_stiffness_destroy(stiffness);
  return status;
}

const cli_command cli_surgery_ligament_stiffness = {
    .name = "surgery ligament-stiffness",
    .summary = "the modulus of a ligament of the hip from the angle at which it ends a motion",
    .usage = {"JOINT [--angle DEG] [--ligament NAME] [--motion NAME] [--failure MPA]",
              "PELVIS FEMUR [--angle DEG] [--ligament NAME]"},
    .description = "Maciel 2005, §5.4.3. The femur turns to the measured angle with a soft ligament. There its modulus "
                   "grows evenly until the stress is that at which it is known to fail; halving between the last two "
                   "steps makes it exact. docs/evidence/virtual-hip.md explains the numbers.",
    .options = CLI_TABLE(stiffness_options),
    .operands = {1, 2},
    .on_hip = find_stiffness,
};
