/* surgery resect: computes the gain in range of motion for the bone removed. */

#include <stdlib.h>
#include <string.h>

#include "hip_command.h"
#include "mesh_command.h"
#include "print.h"

extern const cli_table cli_cartilage_options; /* into a syn_congruity_options */
#define OPT_LIGAMENT(INTO) OPT_CHOICE("ligament", "NAME", SYN_HIP_LIGAMENT_NAMES, "ischiofemoral", INTO, "which one")

typedef struct asked {
  syn_resection_options plan;
  cli_words motions;
  bool every_cut;
} asked;
#define INTO_RESECT(FIELD) CLI_INTO(asked, FIELD)
static const cli_option resect_options[] = {
    OPT_CHOICE("cut", "cam|rim", "cam|rim", "cam", INTO_RESECT(plan.kind),
               "what is removed: bone of the femur between head and neck, or of the acetabular rim"),
    OPT_MM("depth", 0.01, 10, "of a cam all that stands out, up to 10; of the rim 5, up to 8",
           INTO_RESECT(plan.depth_mm), "deepest cut"),
    OPT_MM("step", 0.01, 10, "0.5", INTO_RESECT(plan.step_mm), "between the depths that are planned"),
    OPT_NUMBER("from", "HOUR", "h", 0, 12, "by the contacts, see below; with --to: 12, of the rim 11",
               INTO_RESECT(plan.from_hour),
               "where the cut begins on the clock face about the neck, or of the acetabulum; 3 is anterior"),
    OPT_NUMBER("to", "HOUR", "h", 0, 12, "by the contacts; with --from: 4, of the rim 3", INTO_RESECT(plan.to_hour),
               "where it ends, clockwise; the same hour as --from: all round"),
    OPT_DEG("alpha", 30, 80, "42, as in healthy hips", INTO_RESECT(plan.alpha_deg),
            "of a cam: the alpha angle that is aimed at"),
    OPT_MM("neck", 0, 30, "0", INTO_RESECT(plan.neck_mm),
           "of a cam: how far beyond its isthmus the neck may be cut as thin as there"),
    OPT_MM("offset", 0, 5, "0", INTO_RESECT(plan.offset_mm),
           "of a cam: how much thinner than its isthmus the neck may become on that side"),
    OPT_MM("width", 0, 15, "4", INTO_RESECT(plan.width_mm),
           "of the rim: how far beyond it the cut is level before it slopes"),
    OPT_MM("edge", 0.1, 5, "0.5", INTO_RESECT(plan.edge_mm), "longest edge of the mesh where it is cut"),
    OPT_TEXT("motion", "NAME,…", "flexion,internal_rotation_90,fadir", INTO_RESECT(motions),
             "motions whose gain is computed, as for `synovia rom`"),
    OPT_GROUP(cli_hip_options, 0),
    OPT_GROUP(cli_band_options, INTO_RESECT(plan.bands)),
    OPT_TITLE,
    OPT_FLAG("every-cut", INTO_RESECT(every_cut), "write the bone after each cut, not only after the deepest"),
    OPT_OUT(NULL,
            "write report.html with the curves, resection.csv, the bone after the cut and result.json to this folder"),
};

static syn_status plan_resect(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  asked a = {.plan = syn_default_resection_options()};
  syn_resection *resection;
  void *motions;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  SYN_TRY(cli_take_motions(&a.motions, &motions, &a.plan.motions, &a.plan.motion_count, error));
  syn_status status = syn_resection_create(&session->context, hip_case, &a.plan, &resection, error);
  free(motions);
  SYN_TRY(status);
  cli_set_fields(session, &syn_resection_record, resection);
  cli_print_resection(session, resection);
  syn_publish_options how = syn_default_publish_options();
  how.title = cli_hip_title(session, hip_case, "Resection");
  how.every_cut = a.every_cut;
  status = cli_publish(session, &syn_resection_record, resection, &how, error);
  syn_result_destroy(resection);
  return status;
}

const cli_command cli_surgery_resect = {
    .name = "surgery resect",
    .summary = "cam and rim resection: bone removed against degrees gained",
    .usage = {"PELVIS FEMUR [--cut cam|rim] [--depth MM] [--from HOUR --to HOUR] [-o DIR]", "JOINT [--cut cam|rim] …"},
    .description =
        "Cuts of growing depth, each within the next, and how far the bones then turn. A cam is cut no deeper than the "
        "step, and never below the shape aimed at: the head's sphere up to the alpha angle aimed at, from there its "
        "tangent down to the neck. The rim is lowered along the normal of its plane. What is left is a closed mesh: "
        "`synovia hip` and `synovia rom` take it. Where nothing stands out a warning says so.\n\nWithout --from and "
        "--to the "
        "cut runs from 12 to 4 o'clock (of the rim 11 to 3), and on to an hour beyond every contact that stops one of "
        "the motions; contacts that lie elsewhere are cut about alone. A motion that still ends within an hour of the "
        "cut is named in a warning.\n\nGains are bone to "
        "bone; the 95 % band of the deepest cut is of the same hips drawn before and after. See docs/surgery.md. "
        "Research software, not a medical device.",
    .options = CLI_TABLE(resect_options),
    .operands = {1, 2},
    .on_hip = plan_resect,
};

/* ---- osteotomy command ----------------------------------------------------------------------------------------- */
/* surgery osteotomy: rotates the shaft of the femur against its neck. */

#define INTO_OSTEOTOMY(FIELD) CLI_INTO(syn_osteotomy_options, FIELD)
static const cli_option osteotomy_options[] = {
    OPT_DEG("varus", -45, 45, "15", CLI_FIELD(CLI_RADIANS, syn_osteotomy_options, varus),
            "turn of the shaft towards the other leg, in the frontal plane; below 0: valgus"),
    OPT_MM("medial", -40, 40, "0", INTO_OSTEOTOMY(medial_mm), "shift of the shaft towards the other leg"),
    OPT_MM("level", -200, 200, "at the lesser trochanter, or 15 where none is found", INTO_OSTEOTOMY(level_mm),
           "where the turn begins, below the point at which the axes of neck and shaft meet"),
    OPT_MM("blend", 1, 100, "20", INTO_OSTEOTOMY(blend_mm), "along the shaft, in which the bone bends"),
    OPT_DEG("rotation", 1, 180, "as far as the bones turn before, 40 at most",
            CLI_FIELD(CLI_RADIANS, syn_osteotomy_options, rotation), "internal rotation after 90 degrees of flexion"),
    OPT_FLAG("bones-only", INTO_OSTEOTOMY(bones_only), "leave out cartilages and ligament"),
    OPT_LIGAMENT(INTO_OSTEOTOMY(ligament)),
    OPT_MPA("ligament-young", 1e-6, 1e6, "0.01", INTO_OSTEOTOMY(tissue.young_mpa), "Young's modulus along its fibres"),
    OPT_GROUP(cli_cartilage_options, INTO_OSTEOTOMY(cartilage)),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_TITLE,
    OPT_OUT(NULL,
            "write report.html, osteotomy.csv, femur_after.ply, frames for ParaView and result.json to this folder"),
};

static syn_status plan_osteotomy(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_osteotomy_options o = syn_default_osteotomy_options();
  syn_osteotomy *made;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &o, error));
  SYN_TRY(syn_osteotomy_create(&session->context, hip_case, &o, &made, error));
  cli_set_fields(session, &syn_osteotomy_record, made);
  cli_print_osteotomy(session, made);
  const syn_status status =
      cli_publish_titled(session, &syn_osteotomy_record, made, cli_hip_title(session, hip_case, "Osteotomy"), error);
  syn_result_destroy(made);
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
    .options = CLI_TABLE(osteotomy_options),
    .operands = {1, 2},
    .on_hip = plan_osteotomy,
};

/* ---- congruity command ----------------------------------------------------------------------------------------- */
/* congruity: computes contact of the cartilages of a hip during motions. */

#define INTO_CONGRUITY(FIELD) CLI_INTO(syn_congruity_options, FIELD)
static const cli_option of_cartilage[] = {
    OPT_MPA("young", 1e-6, 1e4, "0.01", INTO_CONGRUITY(young_mpa), "Young's modulus of both cartilages"),
    OPT_NUMBER("poisson", "X", "", 0, 0.49, "0.4", INTO_CONGRUITY(poisson), "Poisson's ratio of both cartilages"),
    OPT_MM("press", 0, 5, "0.4", INTO_CONGRUITY(press_mm), "how far the femur is pressed into the socket"),
    OPT_POINT("direction", "upward along the pelvis", CLI_FIELD(CLI_DIRECTION, syn_congruity_options, direction),
              "in which it is pressed"),
    OPT_MPA("threshold", 1e-12, 1e4, "a twentieth of the modulus", INTO_CONGRUITY(threshold_mpa),
            "stress above which an area counts as loaded"),
    OPT_DEG("step", 0.5, 90, "10", CLI_FIELD(CLI_RADIANS, syn_congruity_options, step),
            "of the turn, from one moment to the next"),
    OPT_MM("edge", 0, 20, "3", INTO_CONGRUITY(edge_mm), "cartilages of shorter edges are made coarser; 0: not"),
    OPT_MM("hold", 0.001, 5, "0.3", INTO_CONGRUITY(hold_mm), "what lies as near to its bone is held by it"),
    OPT_SECONDS("seconds", 0.001, 1e6, "4", INTO_CONGRUITY(seconds), "that the motion takes"),
    OPT_FLAG("moving", INTO_CONGRUITY(moving), "with inertia and viscosity; else every moment is an equilibrium"),
};
const cli_table cli_cartilage_options = CLI_TABLE(of_cartilage);

static const cli_option congruity_options[] = {
    OPT_CHOICE("motion", "NAME", "flexion-extension|abduction-adduction|flexion-rotation",
               "the first two, one after the other", 0,
               "how the femur moves: two cycles, or 90 degrees of flexion followed by 40 of internal rotation"),
    OPT_GROUP(cli_cartilage_options, 0),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_TITLE,
    OPT_OUT(NULL, "write report.html, congruity.csv, frames for ParaView and result.json to this folder"),
};

static syn_status simulate(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  syn_congruity_options o = syn_default_congruity_options();
  const char *name = cli_text(&session->arguments, "motion", NULL);
  const syn_hip_path *path = NULL;
  syn_congruity *congruity;
  SYN_TRY(cli_take(&session->arguments, &cli_cartilage_options, &o, error));
  for (size_t i = 0; name && i < SYN_HIP_PATHS; ++i)
    if (strcmp(syn_hip_paths[i].name, name) == 0) path = &syn_hip_paths[i];
  if (path) {
    o.paths = &path;
    o.path_count = 1;
  }
  SYN_TRY(syn_congruity_create(&session->context, hip_case, &o, &congruity, error));
  cli_set_fields(session, &syn_congruity_record, congruity);
  cli_print_congruity(session, congruity);
  const syn_status status = cli_publish_titled(session, &syn_congruity_record, congruity,
                                               cli_hip_title(session, hip_case, "Congruity"), error);
  syn_result_destroy(congruity);
  return status;
}

const cli_command cli_congruity = {
    .name = "congruity",
    .summary = "stress, strain and contact of the hip's cartilages through a motion",
    .usage = {"JOINT [--motion NAME] [--press MM] [-o DIR]",
              "PELVIS FEMUR --femoral-cartilage FILE --acetabular-cartilage FILE [-o DIR]"},
    .description = "Maciel 2005, §5.4.1. Both cartilages are finite elements, held by their bones; the femur is "
                   "pressed into the socket and turned, and the surfaces never cross. A congruent joint has an even "
                   "stress on a large area. docs/evidence/virtual-hip.md explains the numbers.",
    .options = CLI_TABLE(congruity_options),
    .operands = {1, 2},
    .on_hip = simulate,
};

/* ---- ligament command ------------------------------------------------------------------------------------------ */
/* surgery ligament-rom and ligament-stiffness: a ligament of the hip that limits a motion, and its modulus from a
 * measured angle. */

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
  syn_result_destroy(rom);
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
#define INTO_LIGAMENT(FIELD) CLI_INTO(asked_stiffness, FIELD)
static const cli_option stiffness_options[] = {
    LIGAMENT_OPTIONS(asked_stiffness, "1"),
    OPT_DEG("angle", 0.1, 180, "40", CLI_FIELD(CLI_RADIANS, asked_stiffness, o.angle),
            "where the motion ends, as it was measured"),
    OPT_MPA("failure", 1e-6, 1e6, "2.5", INTO_LIGAMENT(o.stress_mpa),
            "stress at which the ligament fails, reached at that angle"),
    OPT_MPA("rate", 1e-6, 1e6, "1", INTO_LIGAMENT(o.rate_mpa_s), "by which the modulus grows in a second"),
    OPT_SECONDS("tick", 1e-6, 1e6, "0.25", INTO_LIGAMENT(o.tick_s), "from one equilibrium to the next"),
    OPT_MPA("most", 1e-6, 1e6, "100", INTO_LIGAMENT(o.most_mpa), "the search ends at this modulus"),
    OPT_TEXT("motion", "NAME", "internal_rotation_90", INTO_LIGAMENT(motions), "as for `synovia rom`"),
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
  SYN_TRY(syn_ligament_stiffness_create(&session->context, hip_case, &a.o, &stiffness, error));
  cli_set_fields(session, &syn_ligament_stiffness_record, stiffness);
  cli_print_ligament_stiffness(session, stiffness);
  const syn_status status = cli_publish_titled(session, &syn_ligament_stiffness_record, stiffness,
                                               cli_hip_title(session, hip_case, "Ligament"), error);
  syn_result_destroy(stiffness);
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

/* ---- graft command --------------------------------------------------------------------------------------------- */
/* surgery graft: a graft for a torn cruciate ligament through the flexion of the knee, and better tunnels for it. */

typedef struct asked_graft {
  syn_graft_options graft;
  const char *motion, *femur_name, *tibia_name;
} asked_graft;
#define INTO_GRAFT(FIELD) CLI_INTO(asked_graft, graft.FIELD)
#define LENGTH(NAME, STANDARD, INTO, HELP) OPT_MM(NAME, 0, 1e4, STANDARD, INTO, HELP)
#define ANGLE(NAME, LOW, STANDARD, FIELD, HELP)                                                                        \
  OPT_DEG(NAME, LOW, 180, STANDARD, CLI_FIELD(CLI_RADIANS, asked_graft, graft.FIELD), HELP)
#define OUTLET(NAME, FIELD, HELP)                                                                                      \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_NUMBERS, .numbers = 3, .required = true, .value = "x,y,z",                             \
    .into = CLI_INTO(asked_graft, graft.FIELD), .help = (HELP)                                                         \
  }
static const cli_option graft_options[] = {
    OUTLET("femur-outlet", femur_outlet, "where the femoral tunnel opens into the joint, mm"),
    OUTLET("tibia-outlet", tibia_outlet, "where the tibial tunnel opens into the joint, mm"),
    LENGTH("width", "10", INTO_GRAFT(width_mm), "of the graft's cross-section"),
    LENGTH("height", "5", INTO_GRAFT(height_mm), "of the graft's cross-section"),
    LENGTH("length", "the outlets' distance where it is fixed", INTO_GRAFT(length_mm),
           "of the graft between the outlets"),
    OPT_NUMBER("taper", "PART", NULL, 0, 0.8, "0", INTO_GRAFT(taper),
               "how much of width and height is missing at both ends"),
    OPT_CHOICE("model", "NAME", "fem|vdm", "fem", INTO_GRAFT(model),
               "finite elements with fibres, or the volume distribution method with the moduli of Sundaraj 2004"),
    OPT_MPA("fibres", 1e-3, 1e5, "225", INTO_GRAFT(tissue.fibre_mpa),
            "Young's modulus along the fibres (Wilson et al. 1999)"),
    OPT_MPA("failure", 1e-6, 1e6, "39.6", INTO_GRAFT(failure_mpa),
            "stress at which it tears: 1784 N on 45 mm² (Wilson et al. 1999)"),
    ANGLE("from", -180, "0", from, "flexion where the graft is fixed and the motion begins"),
    ANGLE("to", -180, "90", to, "where it ends"),
    ANGLE("step", 1e-3, "1.5", step, "flexion from one equilibrium to the next"),
    ANGLE("rotation", -180, "0", rotation, "turn of the tibia about its long axis, at every angle"),
    OPT_POINT("axis", "0,0,-1", CLI_FIELD(CLI_DIRECTION, asked_graft, graft.axis),
              "of flexion: the tibia turns about it, right-handed"),
    OPT_POINT("center", "0,0,0", INTO_GRAFT(center), "a point on that axis, mm"),
    OPT_POINT("long-axis", "0,1,0", CLI_FIELD(CLI_DIRECTION, asked_graft, graft.long_axis),
              "of the tibia, for --rotation"),
    OPT_PATH("motion", "FILE", NULL, CLI_INTO(asked_graft, motion),
             "a recorded motion whose mean axis is that of flexion; lengths in metres"),
    OPT_TEXT("femur-name", "NAME", "femur_distal_r", CLI_INTO(asked_graft, femur_name), "in the recording"),
    OPT_TEXT("tibia-name", "NAME", "tibia_proximal_r", CLI_INTO(asked_graft, tibia_name), "in the recording"),
    LENGTH("touch", "0.5", INTO_GRAFT(touch_mm), "bone nearer than this touches the graft"),
    LENGTH("search", "5", INTO_GRAFT(search_mm),
           "how far either outlet may go in the search for better ones; 0: no search"),
    LENGTH("slack", "3", INTO_GRAFT(slack_mm), "how slack the graft may be in the search"),
    OPT_FLAG("go-on", INTO_GRAFT(go_on), "bend on where the graft has torn"),
    OPT_TEXT("title", "TEXT", "Graft", 0, "title of the report"),
    OPT_OUT(NULL, "write report.html, graft.csv and result.json to this folder"),
};

static syn_status publish(cli_session *session, const syn_graft *graft, syn_trimesh *const pair[2], syn_error *error) {
  const char *const *files = session->arguments.operands;
  const syn_published_input bones[] = {{files[0], pair[0]}, {files[1], pair[1]}};
  syn_publish_options how = syn_default_publish_options();
  how.title = cli_text(&session->arguments, "title", NULL);
  how.inputs = bones;
  how.input_count = 2;
  return cli_publish(session, &syn_graft_record, graft, &how, error);
}

static syn_status run_graft(cli_session *session, syn_error *error) {
  asked_graft a = {
      .graft = syn_default_graft_options(), .femur_name = "femur_distal_r", .tibia_name = "tibia_proximal_r"};
  const char *const *bones = session->arguments.operands;
  syn_trimesh *pair[2];
  syn_graft *graft;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  if (a.motion) SYN_TRY(syn_graft_hinge_find(&session->context, a.motion, a.femur_name, a.tibia_name, &a.graft, error));
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, NULL, error));
  SYN_TRY(cli_read_surfaces(session, bones[0], bones[1], pair, error));
  syn_status status = syn_graft_create(&session->context, pair[0], pair[1], &a.graft, &graft, error);
  if (status == SYN_OK) {
    cli_set_fields(session, &syn_graft_record, graft);
    cli_print_graft(session, graft);
  }
  if (status == SYN_OK) status = publish(session, graft, pair, error);
  syn_result_destroy(graft);
  cli_release_surfaces(pair);
  return status;
}

const cli_command cli_surgery_graft = {
    .name = "surgery graft",
    .summary = "a graft for a torn cruciate ligament through flexion: stress, failure, contact, better tunnels",
    .usage = {"FEMUR TIBIA --femur-outlet x,y,z --tibia-outlet x,y,z [--motion FILE] [--search MM] [-o DIR]"},
    .description = "Sundaraj 2004, §6.3. The graft is a beam between the outlets of both tunnels, which are moved to "
                   "the nearest point of their bone. Its femoral end stays, its tibial end moves with the tibia; its "
                   "equilibrium is found at every angle. The search looks for outlets nearby that stretch the fibres "
                   "least without a slack graft, and compares those around them by the greatest stress. Contact with "
                   "the bones is measured, not resisted. docs/evidence/graft.md explains the numbers.",
    .options = CLI_TABLE(graft_options),
    .operands = {2, 2},
    .run = run_graft,
};
