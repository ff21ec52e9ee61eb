/* Synovia: planning of operations. Resection of a cam or of the acetabular rim: computes the gain in range of motion
 * for the bone removed. */
#ifndef SYNOVIA_SURGERY_H
#define SYNOVIA_SURGERY_H

#include <synovia/clinic.h>
#include <synovia/tissue.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum syn_resection_kind {
  SYN_RESECTION_CAM, /* of the femur, where head and neck stand out beyond the shape that is aimed at */
  SYN_RESECTION_RIM, /* of the pelvis: the rim of the acetabulum is lowered */
  SYN_RESECTION_KINDS
} syn_resection_kind;
SYN_ENUM(syn_resection_kind); /* "cam", "rim" */

/* Hours are those of a clock face on which 3 is anterior on either side: about the neck for a cam, of the acetabulum
 * for the rim. The cut runs from `from_hour` clockwise to `to_hour`; its ends and edges slope by 45 degrees. */
typedef struct syn_resection_options {
  syn_resection_kind kind;   /* default SYN_RESECTION_CAM */
  double step_mm;            /* between the depths that are planned; default 0.5 */
  double depth_mm;           /* deepest cut; 0 (default): all that stands out, up to 10 mm, of a cam; 5 mm of the rim */
  double from_hour, to_hour; /* 0 to 12; both NAN (default): an hour to each side of the contacts on bone of that kind
 that stop the motions, joined with 12 to 4 of a cam, 11 to 3 of the rim, where these meet; without such contacts, and
 where one of them is given, those */
  double
      alpha_deg; /* of a cam: the alpha angle that is aimed at; default 42, that of healthy hips (Nötzli et al. 2002) */
  double neck_mm;   /* of a cam: how far beyond the isthmus the neck may be cut as thin as there; default 0 */
  double offset_mm; /* of a cam: how much thinner than its isthmus the neck may become on that side; default 0 */
  double width_mm;  /* of the rim: how far beyond it the cut is level before it slopes; default 4 */
  double edge_mm;   /* longest edge of the mesh where it is cut; default 0.5 */
  const syn_motion *const *motions; /* NULL: flexion, internal rotation in 90 degrees of flexion, FADIR */
  size_t motion_count;
  syn_band_options bands; /* of the gains of the deepest cut; draws 0: none */
  uint32_t cookie;
} syn_resection_options;
SYN_API syn_resection_options syn_default_resection_options(void);

/* A motion of the hip with the bone that an operation leaves: bone to bone. */
typedef struct syn_gain {
  const syn_motion *motion;
  syn_limit limit;
  syn_contact_place place; /* of the contact; nothing is known unless stopped */
  double gain_deg;         /* NAN unless it is stopped both before and after */
  double gain_deg_per_mm;  /* of a resection: since the step before, per mm of depth; NAN where a gain is, for the first
                              step, and for other operations */
  /* 95 % interval of the gain under measurement noise; NAN unless computed, and for all but the last step of a
   * resection. A draw without a stop within motion->max_deg counts as stopped there. */
  syn_band gain_band_deg;
} syn_gain;

typedef struct syn_resection_step {
  double depth_mm;    /* of the cut as planned */
  double deepest_mm;  /* of the new surface below the old one, measured */
  double volume_mm3;  /* removed */
  double area_mm2;    /* of the new surface */
  double alpha_deg;   /* of a cam: the largest alpha angle between the hours of the cut, half an hour from its ends; NAN
 for the rim */
  syn_trimesh *bone;  /* the remaining bone */
  double *removed_mm; /* distance from each of its vertices to the old surface */
  syn_gain *motions;
  size_t motion_count;
} syn_resection_step;

/* Steps from no cut, which is the original bone in a separate mesh, to the deepest cut. Release with
 * syn_result_destroy. */
typedef struct syn_resection {
  syn_result result;
  const syn_hip_case *hip_case;  /* borrowed */
  syn_resection_options options; /* as used: defaults are filled in, and `motions` is not kept */
  size_t step_count, motion_count;
  syn_resection_step *steps;
  double full_mm; /* of a cam: the depth that leaves nothing beyond the shape aimed at; NAN for the rim */
} syn_resection;

/* Plans a resection of the bone of an opened hip: nested cuts of increasing depth, and the range of motion with each. A
 * cam is cut `depth` deep, but never below the shape aimed at: the head's sphere up to `alpha_deg`, from there its
 * tangent down to the neck. The rim is lowered by `depth` along the normal of its plane. Nothing is cut deeper than
 * `depth`. The remaining bone is closed, manifold and outward; the cut adds no self-intersection.
 *
 * There is one step, without a cut, and a warning if nothing stands out. SYN_BAD_ARGUMENT for options out of range, or
 * without both bones or the anatomy that the cut needs; SYN_BAD_MESH if the bone is not a closed outward surface, or if
 * the surface would fold. The joint surface of the head is left out as in every range of motion (see
 * syn_hip.joint_ball). The same on any number of threads. `options` may be NULL: defaults. The case must outlive
 * the result. */
SYN_API syn_status syn_resection_create(const syn_context *context, const syn_hip_case *hip_case,
                                        const syn_resection_options *options, syn_resection **resection,
                                        syn_error *error);

/* A row for each step: depth_mm, deepest_mm, volume_mm3, area_mm2, alpha_deg, and for each motion NAME_state, NAME_deg,
 * NAME_gain_deg, NAME_gain_low_deg, NAME_gain_high_deg; what is not known is empty. */
SYN_API extern const syn_csv_table syn_resection_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_resection_record; /* of a syn_resection: all that `synovia surgery resect` prints */

/* ==== virtual hip ================================================================================================= */

/* The virtual hip (Maciel 2005, §5). Generates ligaments between the bones of a hip, computes the range of
 * motion that they allow, and estimates their stiffness.
 *
 * A ligament is a strip of finite elements with fibres along it. One end is fixed to the pelvis, the other one moves
 * with the femur; it is in contact with bones, cartilage and labrum. It is free of stress in the mesh positions. Units:
 * mm, MPa, N, radians. */

/* ---- ligaments --------------------------------------------------------------------------------------------------- */

/* The seven structures of Maciel 2005, §5.2.3, with the two bands of the iliofemoral one; the labrum is a part of the
 * hip. */
typedef enum syn_hip_ligament {
  SYN_LIGAMENT_ILIOFEMORAL_LATERAL, /* to the upper part of the intertrochanteric line */
  SYN_LIGAMENT_ILIOFEMORAL_MEDIAL,  /* to its lower part */
  SYN_LIGAMENT_PUBOFEMORAL,
  SYN_LIGAMENT_ISCHIOFEMORAL,
  SYN_LIGAMENT_TERES,      /* from the notch of the acetabulum to the fovea of the head */
  SYN_LIGAMENT_TRANSVERSE, /* across the notch; both ends on the pelvis */
  SYN_LIGAMENT_CAPSULE,    /* all round the joint, its fibres round the neck in one part: the zona orbicularis */
  SYN_HIP_LIGAMENTS
} syn_hip_ligament;
/* Their names in this order, as a list to choose from. */
#define SYN_HIP_LIGAMENT_NAMES                                                                                         \
  "iliofemoral-lateral|iliofemoral-medial|pubofemoral|ischiofemoral|teres|transverse|capsule"
SYN_ENUM(syn_hip_ligament); /* "iliofemoral-lateral", …, "ischiofemoral", … */

typedef struct syn_ligament_options {
  double young_mpa;     /* along its fibres; default 0.8 */
  double across;        /* modulus across the fibres as a fraction of it; default 0.5 */
  double poisson;       /* default 0.4 */
  double density_kg_m3; /* default 1055 */
  double thickness_mm;  /* default 2 */
  double clearance_mm;  /* from the bones when it is generated; default 0.5 */
  uint32_t cells[3];    /* of its mesh: across, through its thickness, along; default 4, 1, 15. The capsule has six
                           times as many around */
  uint32_t cookie;
} syn_ligament_options;
SYN_API syn_ligament_options syn_default_ligament_options(void);

/* A ligament of a hip in its mesh position. */
typedef struct syn_ligament syn_ligament;
/* Attachments are found on the bones: hours of the acetabular rim, and of the clock face around the neck. Between them
 * the ligament follows the shortest path outside the bones. `options` may be NULL. SYN_BAD_ARGUMENT for options out of
 * range, or without both bones, head, neck and rim; the case need not outlive the ligament. Release with
 * syn_ligament_destroy. */
SYN_API syn_status syn_ligament_create(const syn_context *context, const syn_hip_case *hip_case, syn_hip_ligament kind,
                                       const syn_ligament_options *options, syn_ligament **ligament, syn_error *error);
SYN_API void syn_ligament_destroy(syn_ligament *ligament); /* NULL is fine */
/* Borrowed: its finite elements, in the mesh position. */
SYN_API const syn_soft *syn_ligament_soft(const syn_ligament *ligament);
/* Von Mises stress at the nodes, without the attached ones. */
typedef enum syn_ligament_measure {
  SYN_LIGAMENT_PEAK,   /* the maximum, as in Maciel 2005; at the corners of an attachment it grows under mesh refinement
                        */
  SYN_LIGAMENT_MIDDLE, /* the maximum of the middle three fifths */
  SYN_LIGAMENT_MEAN, /* the mean of the middle three fifths: about force per cross-section, as tensile tests measure it
                      */
  SYN_LIGAMENT_MEASURES
} syn_ligament_measure;
SYN_ENUM(syn_ligament_measure); /* "peak", "middle", "mean" */

/* ---- range of motion by a ligament: Maciel 2005, §5.4.2 ---------------------------------------------------------- */

typedef struct syn_ligament_rom_options {
  syn_hip_ligament ligament; /* default SYN_LIGAMENT_ISCHIOFEMORAL */
  syn_ligament_options tissue;
  syn_ligament_measure measure;       /* of the stress that is compared; default SYN_LIGAMENT_PEAK */
  double failure_mpa, failure_sd_mpa; /* failure stress and its standard deviation; default: the mean of the published
                                         ones */
  syn_hip_angles rest;                /* where it is free of stress; flexion NAN (default): where the meshes are */
  double step;                        /* of the turn; default 5 degrees */
  double most;                        /* maximum angle of the rotation; default 90 degrees */
  const syn_motion *const *motions;   /* NULL: internal rotation, and that in 90 degrees of flexion */
  size_t motion_count;
  uint32_t cookie;
} syn_ligament_rom_options;
SYN_API syn_ligament_rom_options syn_default_ligament_rom_options(void);

typedef struct syn_ligament_rom {
  syn_result result;
  const syn_hip_case *hip_case;     /* as given; it must outlive this */
  syn_ligament_rom_options options; /* as used; `motions` is not kept */
  double length_mm, width_mm;
  syn_trimesh *surface; /* of the ligament at rest */
  size_t motion_count;
  struct syn_ligament_motion *motions;
} syn_ligament_rom;
/* Rotates the femur in steps and solves for the equilibrium of the ligament at each. `options` may be NULL. The same on
 * any number of threads. Release with syn_result_destroy. */
SYN_API syn_status syn_ligament_rom_create(const syn_context *context, const syn_hip_case *hip_case,
                                           const syn_ligament_rom_options *options, syn_ligament_rom **rom,
                                           syn_error *error);
/* A row for each angle of each motion. */
SYN_API extern const syn_csv_table syn_ligament_rom_csv;

/* ---- stiffness of a ligament from a measured angle: Maciel 2005, §5.4.3 ------------------------------------------ */

/* The hip is rotated to the angle with a soft ligament; there the modulus increases linearly until the stress reaches
 * the failure stress. */
typedef struct syn_ligament_stiffness_options {
  syn_hip_ligament ligament;    /* default SYN_LIGAMENT_ISCHIOFEMORAL */
  syn_ligament_options tissue;  /* young_mpa is the modulus at first: default 1 */
  syn_ligament_measure measure; /* default SYN_LIGAMENT_PEAK */
  const syn_motion *motion;     /* NULL (default): internal rotation in 90 degrees of flexion */
  syn_hip_angles rest;          /* where it is free of stress; flexion NAN (default): where the meshes are */
  double angle;                 /* that was measured; default 40 degrees */
  double step;                  /* of the turn; default 5 degrees */
  double stress_mpa;            /* at which the search ends; default 2.5 */
  double rate_mpa_s;            /* of the modulus; default 1 */
  double tick_s;                /* from one equilibrium to the next; default 0.25 */
  double most_mpa;              /* the search gives up beyond this modulus; default 100 */
  uint32_t cookie;
} syn_ligament_stiffness_options;
SYN_API syn_ligament_stiffness_options syn_default_ligament_stiffness_options(void);

typedef struct syn_ligament_stiffness {
  syn_result result;
  const syn_hip_case *hip_case;           /* as given; it must outlive this */
  syn_ligament_stiffness_options options; /* as used */
  double length_mm, stretch;              /* of the middle fibre: at rest, and at the angle */
  double young_mpa;  /* at the first tick whose stress is high enough: the text's procedure; NAN: not reached */
  double exact_mpa;  /* by halving between that tick and the one before, or 0; NAN likewise */
  double simple_mpa; /* by proportion from the first tick: stress and modulus grow together (Eq. 5.3) */
  size_t row_count;  /* of the path to the angle */
  struct syn_ligament_row *rows;
  /* The ligament's surface at rest, and of each row and vertex of it, row by row: position and von Mises stress with
   * the first modulus, NAN at attached vertices. */
  syn_trimesh *surface;
  syn_vec3 *places;
  double *stress_mpa;
  size_t tick_count;
  struct syn_ligament_tick *ticks;
} syn_ligament_stiffness;
/* `options` may be NULL. SYN_NOT_CONVERGED if the ligament has no equilibrium on the path to the angle. Release with
 * syn_result_destroy. */
SYN_API syn_status syn_ligament_stiffness_create(const syn_context *context, const syn_hip_case *hip_case,
                                                 const syn_ligament_stiffness_options *options,
                                                 syn_ligament_stiffness **stiffness, syn_error *error);
/* A row for each modulus of the search. */
SYN_API extern const syn_csv_table syn_ligament_stiffness_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_ligament_rom_record; /* of a syn_ligament_rom: before (bones alone) and after */
SYN_API extern const syn_record syn_ligament_stiffness_record; /* of a syn_ligament_stiffness */

/* ==== congruity =================================================================================================== */

/* The cartilages of a hip through a motion (Maciel 2005, §5.4.1): contact area, stress and strain.
 *
 * Both cartilages are finite elements. One is bonded to the pelvis, the other to the femur, which is pressed into the
 * socket and rotated. Surfaces never cross. Units: mm, MPa, N, radians. */

/* A path of the femur: linear between two sets of angles, in steps of at most syn_congruity_options.step. */
typedef struct syn_hip_path {
  const char *name, *label;
  const syn_hip_angles *points; /* two or more */
  size_t point_count;
} syn_hip_path;
/* "flexion-extension" and "abduction-adduction", each there and back through both ends; and "flexion-rotation", the
 * motion of §5.4.4: 90 degrees of flexion, then internal rotation. */
enum { SYN_HIP_PATHS = 3 };
SYN_API extern const syn_hip_path syn_hip_paths[SYN_HIP_PATHS];

typedef struct syn_congruity_options {
  double young_mpa;     /* of both cartilages; default 0.01 (§5.4.4): stresses are in proportion to it */
  double poisson;       /* default 0.4 */
  double density_kg_m3; /* default 1100; only with `moving` */
  double edge_mm;       /* surfaces with shorter edges are coarsened; default 3; 0: unchanged */
  double hold_mm;       /* nodes within this distance of the bone are bonded to it; default 0.3 */
  double press_mm;      /* displacement of the femur into the socket from its scanned position; default 0.4 */
  syn_vec3 direction;   /* of this displacement, any length; default zero: upward along the pelvis */
  double threshold_mpa; /* of the stress for `above_mm2`; default 0: a twentieth of young_mpa */
  double step;          /* of the rotation, from one moment to the next; default 10 degrees */
  double seconds;       /* of each path; default 4 */
  bool moving;          /* dynamic, with inertia and viscosity; else every moment is an equilibrium; default false */
  double damping_s;     /* viscous stress: seconds times the stiffness; only with `moving`; default 0.02 */
  const syn_hip_path *const *paths; /* NULL: the two cycles */
  size_t path_count;
  uint32_t cookie;
} syn_congruity_options;
SYN_API syn_congruity_options syn_default_congruity_options(void);

typedef enum syn_congruity_side {
  SYN_CONGRUITY_FEMORAL,
  SYN_CONGRUITY_ACETABULAR,
  SYN_CONGRUITY_SIDES
} syn_congruity_side;
SYN_ENUM(syn_congruity_side); /* "femoral", "acetabular" */

typedef struct syn_congruity {
  syn_result result;
  const syn_hip_case *hip_case;               /* borrowed */
  syn_congruity_options options;              /* as used: defaults are filled in, and `paths` is not kept */
  syn_trimesh *surfaces[SYN_CONGRUITY_SIDES]; /* as they were simulated, in the mesh position */
  syn_tetmesh *volumes[SYN_CONGRUITY_SIDES];  /* their tetrahedra: the surface's vertices come first */
  size_t path_count;
  struct syn_congruity_path *paths;
} syn_congruity;

/* `options` may be NULL. SYN_BAD_ARGUMENT for options out of range, or where a bone or a cartilage is missing;
 * SYN_BAD_MESH where a cartilage is not closed or lies on no bone; SYN_NO_PROGRAM without gmsh. A path without
 * equilibrium keeps its earlier moments and gives a warning. The case must outlive the result. Release with
 * syn_result_destroy. */
SYN_API syn_status syn_congruity_create(const syn_context *context, const syn_hip_case *hip_case,
                                        const syn_congruity_options *options, syn_congruity **congruity,
                                        syn_error *error);
/* A row for each moment of each path. */
SYN_API extern const syn_csv_table syn_congruity_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_congruity_record; /* of a syn_congruity */

/* ==== osteotomy =================================================================================================== */

/* Intertrochanteric osteotomy of the femur (Maciel 2005, §5.4.4): range of motion of the hip before and after,
 * and the stress of its cartilages and a ligament in one motion.
 *
 * The shaft is rotated against head and neck in the frontal plane. The knee keeps its position, so that the hip is
 * abducted by the angle by which the shaft was adducted. Units: mm, MPa, N, radians. */

typedef struct syn_osteotomy_options {
  double varus;     /* rotation of the shaft towards the other leg; negative: valgus; default 15 degrees */
  double medial_mm; /* shift of the shaft towards the other leg; default 0 */
  double level_mm;  /* where the turn begins, along the shaft below the point at which the neck's axis meets it; NAN
                       (default): at the lesser trochanter, or 15 where none is found */
  double blend_mm;  /* along the shaft, in which bone bends from head and neck to the turned shaft; default 20 */
  double edge_mm;   /* longest edge of the mesh where it bends; default 2 */
  double rotation;  /* internal rotation after 90 degrees of flexion; NAN (default): up to the limit of the bones before
                       the operation, 40 degrees at most */
  bool bones_only;  /* no soft tissue; default false: what the hip has of it */
  syn_congruity_options cartilage;  /* its paths are not used; defaults as there */
  syn_hip_ligament ligament;        /* default SYN_LIGAMENT_ISCHIOFEMORAL */
  syn_ligament_options tissue;      /* of it: default 0.01 MPa along its fibres (§5.4.4) */
  const syn_motion *const *motions; /* NULL: flexion, abduction, adduction, internal rotation in 90 degrees of
                                                flexion, and FADIR */
  size_t motion_count;
  uint32_t cookie;
} syn_osteotomy_options;
SYN_API syn_osteotomy_options syn_default_osteotomy_options(void);

/* The hip before or after. */
typedef struct syn_osteotomy_hip {
  syn_trimesh *femur;    /* in the mesh position of head and neck */
  syn_hip_case hip_case; /* a copy of the caller's with this femur and its axes; owns nothing */
  double neck_shaft_deg; /* NAN where neck or shaft is not known */
  syn_gain *motions;
  size_t motion_count;
  syn_congruity *congruity;      /* in the motion; NULL without both cartilages */
  size_t row_count;              /* of the ligament, as many as moments; 0 without it */
  struct syn_ligament_row *rows; /* their `angle` is the sum of flexion and rotation so far */
} syn_osteotomy_hip;

typedef struct syn_osteotomy {
  syn_result result;
  syn_osteotomy_options options;       /* as used: defaults are filled in, and `motions` is not kept */
  syn_vec3 cut;                        /* where the turn begins, on the axis of the shaft */
  double shift_medial_mm, shift_up_mm; /* of the shaft in neutral position: towards the other leg; upward, by which the
                                          leg becomes shorter */
  syn_hip_angles points[3];            /* of the motion */
  syn_hip_path path;
  size_t motion_count;
  syn_osteotomy_hip before, after;
} syn_osteotomy;

/* `options` may be NULL. SYN_BAD_ARGUMENT for options out of range, or without both bones, neck and shaft;
 * SYN_BAD_MESH where the femur is not a closed outward surface, or would fold. The case must outlive the result.
 * Release with syn_result_destroy. */
SYN_API syn_status syn_osteotomy_create(const syn_context *context, const syn_hip_case *hip_case,
                                        const syn_osteotomy_options *options, syn_osteotomy **osteotomy,
                                        syn_error *error);
/* A row for each moment of the motion, before and after. */
SYN_API extern const syn_csv_table syn_osteotomy_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_osteotomy_record; /* of a syn_osteotomy: before and after */

/* ==== graft ======================================================================================================= */

/* A graft for a torn cruciate ligament (Sundaraj 2004, §6.3). Computes stretch, stress and bone contact of the
 * graft during flexion of the knee, and searches the tunnel positions with the smallest strain.
 *
 * The graft is a beam between the outlets of two tunnels. Its femoral end is fixed to the femur, its tibial end to the
 * tibia, which rotates about a hinge. Units: mm, MPa, radians. */

typedef struct syn_graft_options {
  /* Outlets of the tunnels, the middles of the graft's ends, each on its bone in the position of the mesh; NAN
   * (default) is refused. */
  syn_vec3 femur_outlet, tibia_outlet;
  double width_mm, height_mm; /* of the cross-section; default 10 and 5 (Table 6.2) */
  double length_mm;           /* between the outlets; default 0: their distance where the graft is fixed */
  double taper;      /* part of the cross-section's sides that is missing at both ends; default 0, at most 0.8 */
  uint32_t cells[3]; /* of its mesh: across width and height, and along; default 4, 2, 10: 138 nodes outside */
  syn_vec3 across;   /* direction of the width where it is fixed; default zero: the axis of flexion */
  const char
      *model; /* "fem" (default) or "vdm", whose displacements are relative to a frame that moves with the graft */
  /* Its tissue; the fibres run from outlet to outlet. Default for fem: fibres of 225 MPa (Wilson et al. 1999) in a
   * ground substance of 11 MPa (Quapp and Weiss 1998), Poisson's ratio 0.49; for vdm 0.3 and 0.004 MPa (Table 6.2);
   * 1055 kg/m3. */
  syn_soft_options tissue;
  double failure_mpa; /* default 39.6: 1784 N on 45 mm2 (Wilson et al. 1999) */
  /* The tibia rotates right-handed about `axis` through `center`: from … to in steps, default 0 to 90 degrees by 1.5.
   * It is fixed at `from`. At every angle it is first rotated by `rotation` about `long_axis`. */
  syn_vec3 axis, center, long_axis; /* defaults (0, 0, -1), (0, 0, 0), (0, 1, 0): as OpenSim has a right knee */
  double from, to, step, rotation;
  double touch_mm;  /* distance from the bone below which the graft counts as touching; default 0.5 */
  double search_mm; /* maximum displacement of either outlet in the search; default 5; 0: no search */
  double slack_mm;  /* the search minimises the maximum stretch of fibres, with the graft not slack by more than this,
                       and chooses among the best tunnels and their neighbours by the maximum stress; default 3: knees
                       whose tibia moves 3 mm farther than the other's are not graded normal (IKDC 2000) */
  bool go_on;       /* continue after the graft has torn; default false: the rows end there */
  uint32_t cookie;
} syn_graft_options;
SYN_API syn_graft_options syn_default_graft_options(void);

/* Sets the hinge of the options to the mean axis of a recorded motion of the bodies `tibia` and `femur`, lengths in
 * metres, with the sense of the previous axis. SYN_BAD_ARGUMENT if the motion rotates too little to have one. */
SYN_API syn_status syn_graft_hinge_find(const syn_context *context, const char *motion, const char *femur,
                                        const char *tibia, syn_graft_options *options, syn_error *error);

/* Results for one pair of tunnels. */
typedef struct syn_graft_plan {
  syn_vec3 femur_outlet, tibia_outlet;    /* on the bones' surfaces */
  double rest_mm;                         /* length at rest */
  double isometry_mm;                     /* by how much the outlets' distance varies */
  double strain;                          /* maximum stretch of a straight fibre from end to end, over all angles */
  double slack_mm;                        /* slack: maximum of the graft's length minus the distance of the outlets */
  double peak_mpa, peak_flexion, peak_at; /* of all rows */
  double failure; /* flexion at which the stress first exceeds failure_mpa; NAN: it never does */
  size_t row_count;
  struct syn_graft_row *rows;
  syn_trimesh *surface; /* of the graft at rest, where it is fixed; all plans have the same triangles */
  /* Of each row and vertex of that surface, row by row: where it is, and the stress there, as for peak_mpa. */
  syn_vec3 *places;
  double *stress_mpa;
} syn_graft_plan;

typedef struct syn_graft {
  syn_result result;
  syn_trimesh *femur, *tibia; /* the same meshes, shared */
  double failure_mpa;
  syn_vec3 axis, long_axis; /* of the options */
  syn_graft_plan before;    /* the given tunnels, on the bones' surfaces */
  bool searched;
  syn_graft_plan after; /* the best ones nearby; only if searched */
} syn_graft;

/* The outlets are moved to the nearest point of their bone. SYN_BAD_ARGUMENT for options without outlets, or that make
 * no sense, SYN_NOT_CONVERGED where the graft has no equilibrium. Release with syn_result_destroy. */
SYN_API syn_status syn_graft_create(const syn_context *context, const syn_trimesh *femur, const syn_trimesh *tibia,
                                    const syn_graft_options *options, syn_graft **graft, syn_error *error);
/* A row for each angle of each plan. */
SYN_API extern const syn_csv_table syn_graft_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_graft_record; /* of a syn_graft: before and after */

#ifdef __cplusplus
}
#endif
#endif
