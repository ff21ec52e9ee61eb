/* Synovia: clinical analysis of a hip. Computes anatomy, centre of rotation, measures, range of motion and impingement
 * from its meshes.
 *
 * Every analysis starts from a syn_hip: bodies, side, centre and two frames. syn_anatomy_create computes centre and
 * frames from the meshes; a joint file or the caller may give them instead. */
#ifndef SYNOVIA_CLINIC_H
#define SYNOVIA_CLINIC_H

#include <synovia/image.h>
#include <synovia/mesh.h>
#include <synovia/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the hip ----------------------------------------------------------------------------------------------------- */

typedef enum syn_hip_part {
  SYN_HIP_PELVIS, /* half a pelvis, a whole one, or the acetabular bone alone */
  SYN_HIP_FEMUR,
  SYN_HIP_LABRUM,
  SYN_HIP_FEMORAL_CARTILAGE,
  SYN_HIP_ACETABULAR_CARTILAGE,
  SYN_HIP_TRANSITION_ZONE, /* between acetabular cartilage and labrum */
  SYN_HIP_PARTS
} syn_hip_part;
/* Public arrays have more slots than there are parts, landmarks, … today, so that a new one breaks no program that was
 * compiled before. Slots without a meaning yet are 0. */
enum { SYN_HIP_PART_SLOTS = 16, SYN_LANDMARK_SLOTS = 64, SYN_CENTER_METHOD_SLOTS = 16, SYN_MEASURE_SLOTS = 64 };
SYN_ENUM(syn_hip_part); /* "pelvis", "femur", "labrum", "femoral_cartilage", … */

/* On either side positive angles are flexion, adduction and internal rotation, negative ones extension, abduction and
 * external rotation. */
typedef syn_joint_axes syn_hip_axes;
typedef syn_joint_angles syn_hip_angles;

/* The hip that clinical answers work on: a view of a joint that borrows the surfaces of its bodies. Missing parts are
 * NULL. All parts are in one frame, in their mesh positions. */
typedef struct syn_hip {
  const syn_trimesh *parts[SYN_HIP_PART_SLOTS];
  syn_side side;
  syn_vec3 center;          /* of rotation */
  syn_hip_axes pelvis_axes; /* ISB pelvic frame, or the best that could be defined */
  syn_hip_axes femur_axes;  /* ISB femoral frame in the mesh position; all angles are 0 if it agrees with the pelvis */
  syn_vec3 seat;            /* head position: translation of the mobile parts, added to every rotation; 0: as scanned */
  syn_ball joint_ball;      /* femur triangles wholly inside it are the joint surface of the head, which never stops the
                               femur on the pelvis (docs/evidence/hip.md). Radius 0: everything counts */
} syn_hip;

/* Returns the same hip without its soft parts. */
SYN_API syn_hip syn_hip_bones(const syn_hip *hip);

/* The pose of the mobile parts for these angles: a rotation about the centre plus the seat, applied to the meshes. */
SYN_API syn_pose syn_hip_pose(const syn_hip *hip, syn_hip_angles angles);
/* The angles of a pose of the mobile parts (its translation is ignored); the identity gives the angles as scanned. At
 * 90 degrees of adduction flexion and rotation are about the same axis; rotation is then 0. */
SYN_API syn_hip_angles syn_hip_angles_of(const syn_hip *hip, const syn_pose *pose);

/* Reads a recorded motion as poses of the mobile parts: OpenSim .mot/.sto or CSV. Columns are either hip_flexion_r,
 * hip_adduction_r, hip_rotation_r (or _l, by the side; or flexion, adduction, rotation, also with _deg or _rad), or 4x4
 * matrices in mm to apply to the meshes, unnamed or of a femur (then relative to a pelvis if there is one). Angles are
 * in the unit that the names or the header state, else in degrees. *poses and *times_s (row numbers if the file has no
 * time) have *count entries; release both with syn_free. */
SYN_API syn_status syn_hip_motion_read(const syn_context *context, const syn_hip *hip, const char *path,
                                       syn_pose **poses, double **times_s, size_t *count, syn_error *error);

/* ---- anatomy: found from the meshes ------------------------------------------------------------------------------ */

typedef enum syn_landmark {
  SYN_LANDMARK_HEAD_CENTER, /* of the femoral head */
  SYN_LANDMARK_ASIS,        /* anterior superior iliac spine, of the side examined */
  SYN_LANDMARK_ASIS_OTHER,  /* of the other side; where the mesh has it */
  SYN_LANDMARK_PSIS,
  SYN_LANDMARK_PSIS_OTHER,
  SYN_LANDMARK_PUBIC_TUBERCLE,
  SYN_LANDMARK_PUBIC_TUBERCLE_OTHER,
  SYN_LANDMARK_AIIS, /* anterior inferior iliac spine */
  SYN_LANDMARK_ISCHIAL_SPINE,
  SYN_LANDMARK_ISCHIAL_TUBEROSITY, /* its lowest point */
  SYN_LANDMARK_GREATER_TROCHANTER, /* its highest point */
  SYN_LANDMARK_LESSER_TROCHANTER,  /* its tip */
  SYN_LANDMARK_NECK_ISTHMUS,       /* centre of the narrowest section of the neck */
  SYN_LANDMARK_MEDIAL_EPICONDYLE,  /* the ends of the widest line across the condyles */
  SYN_LANDMARK_LATERAL_EPICONDYLE,
  SYN_LANDMARK_POSTERIOR_MEDIAL_CONDYLE, /* most posterior points when the femur lies on a table */
  SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE,
  SYN_LANDMARK_DISTAL_MEDIAL_CONDYLE,
  SYN_LANDMARK_DISTAL_LATERAL_CONDYLE,
  SYN_LANDMARK_INTERCONDYLAR_NOTCH,
  SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE, /* of the flat area around each epicondyle, which noise moves far less: the
                                            frame hangs on these unless the epicondyles are given */
  SYN_LANDMARK_LATERAL_EPICONDYLE_MIDDLE,
  SYN_LANDMARKS
} syn_landmark;
/* "asis", "greater_trochanter", …, as in joint files */
SYN_ENUM(syn_landmark);

typedef enum syn_found {
  SYN_FOUND_NOT, /* the mesh does not have it, or it is not distinct */
  SYN_FOUND_MESH,
  SYN_FOUND_GIVEN, /* by the user */
  SYN_FOUND_WAYS
} syn_found;
SYN_ENUM(syn_found); /* "not found", "mesh", "given" */

typedef struct syn_found_point {
  syn_found found;
  syn_vec3 place;
  double confidence; /* 0 to 1; 1 where given */
} syn_found_point;

typedef struct syn_sphere_fit {
  syn_vec3 center;
  double radius_mm, residual_mm; /* root mean square distance of the points from the sphere */
  size_t points;
} syn_sphere_fit;

/* How a frame was defined, best first. */
typedef enum syn_frame_source {
  SYN_FRAME_ISB,     /* pelvis: both ASIS and PSIS; femur: head centre and epicondyles */
  SYN_FRAME_PARTIAL, /* pelvis: one half, its plane of symmetry assumed; femur: shaft, neck and pelvis instead */
  SYN_FRAME_GIVEN,   /* axes from the joint file or the caller */
  SYN_FRAME_BODY,    /* from the axes of the scan (x left, y back, z up; LPS), with a warning */
  SYN_FRAME_SOURCES
} syn_frame_source;
SYN_ENUM(syn_frame_source); /* "isb", "partial", "given", "body" */

enum { SYN_RIM_POINTS = 72 };

/* Release with syn_anatomy_destroy. */
typedef struct syn_anatomy {
  const syn_context *context;
  syn_side side;
  double side_confidence;
  syn_found_point landmarks[SYN_LANDMARK_SLOTS];
  syn_sphere_fit head;       /* of the femoral head; radius NAN without a femur */
  syn_sphere_fit acetabulum; /* of the lunate surface; radius NAN without a pelvis */
  bool has_neck, has_shaft, has_rim;
  bool femur_whole;             /* the mesh includes the condyles */
  bool pelvis_whole;            /* the mesh includes both sides */
  syn_vec3 neck_axis;           /* unit, from the neck to the head */
  syn_vec3 neck_point;          /* a point on it: the isthmus */
  syn_vec3 neck_line;           /* unit, along the middle line of the whole neck to the head; zero where unknown */
  syn_vec3 shaft_axis;          /* unit, up */
  syn_vec3 shaft_point;         /* a point on it */
  syn_vec3 rim[SYN_RIM_POINTS]; /* acetabular rim, equal angles about rim_normal; [0] is the highest (12 o'clock), then
                                   towards the front */
  syn_vec3 rim_center, rim_normal; /* of the plane fitted to the rim, unit, out of the cup */
  syn_hip_axes pelvis_axes, femur_axes;
  syn_frame_source pelvis_frame, femur_frame;
  /* Standard deviation (radians) of the frame's orientation about its flexion (x), adduction (y) and rotation (z) axis,
   * estimated on bones with a reference frame. A random frame is the one found, rotated by the vector of three
   * independent normal numbers with these deviations. 0 for given axes. */
  syn_vec3 pelvis_frame_sd, femur_frame_sd;
  /* Subsets of the surfaces, as one byte per vertex; NULL without the mesh. */
  uint8_t *head_vertices;   /* femur: on the spherical part of the head */
  uint8_t *lunate_vertices; /* pelvis: on the joint surface of the acetabulum */
} syn_anatomy;

typedef struct syn_anatomy_options {
  const syn_side *side;         /* NULL: found from the meshes */
  const syn_vec3 *center;       /* NULL: found; else the approximate centre of the hip, mm */
  const syn_hip_axes *axes;     /* NULL: found; else those of both bones: the scan is in neutral position */
  const syn_found_point *given; /* SYN_LANDMARKS entries; SYN_FOUND_GIVEN ones override; NULL: no overrides */
  uint32_t cookie;
} syn_anatomy_options;
SYN_API syn_anatomy_options syn_default_anatomy_options(void);

/* Finds the anatomy in the meshes. One mesh may be NULL. SYN_BAD_MESH states why the meshes cannot be a hip: no femoral
 * head, femur and pelvis exchanged, far apart, in metres, mirrored. A warning names what could not be found. The result
 * does not depend on the orientation of the scene. `options` may be NULL: defaults. */
SYN_API syn_status syn_anatomy_create(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                                      const syn_anatomy_options *options, syn_anatomy **anatomy, syn_error *error);
SYN_API void syn_anatomy_destroy(syn_anatomy *anatomy); /* NULL is fine */
/* Landmarks from a file: a table with lines NAME,x,y,z in mm (separated by commas, semicolons, tabs or blanks, with a
 * decimal point or, where no comma separates, a decimal comma; a line of names may come first), JSON {"asis":[x,y,z],…}
 * or a list of 3D Slicer (.mrk.json, .fcsv), which states LPS or RAS. Labels are matched to our names and the usual
 * abbreviations (RASIS, LASIS, …). SYN_BAD_FORMAT for a line that cannot be read, a label that is not known and a file
 * without a landmark; of a Slicer list labels that resemble none of ours only give warnings. `side` decides which of
 * left and right is "other". */
SYN_API syn_status syn_landmarks_read(const syn_context *context, const char *path, syn_side side,
                                      syn_found_point given[SYN_LANDMARK_SLOTS], syn_error *error);

/* ---- centre ------------------------------------------------------------------------------------------------------ */

typedef enum syn_center_method {
  SYN_CENTER_FEMORAL_HEAD_SPHERE, /* Arbabi 2009, §4.4.2.2.1 */
  SYN_CENTER_ACETABULUM_SPHERE,
  SYN_CENTER_DOUBLE_SPHERE,
  SYN_CENTER_DCONST, /* Arbabi 2009, §4.4.2.2.2, over a circumduction of 20 degrees */
  SYN_CENTER_DREF,
  SYN_CENTER_SCORE,       /* symmetrical centre of rotation of a recorded motion (Ehrig et al. 2006) */
  SYN_CENTER_HARRINGTON,  /* regression from the pelvis (Harrington et al. 2007) */
  SYN_CENTER_EQUIDISTANT, /* the centre of the head, moved towards the middle of the socket (after Puls et al. 2010) as
                             far as that is shown to make the joint space more even: see syn_centers.seat */
  SYN_CENTER_METHODS
} syn_center_method;
/* "femoralheadsphere", "acetabulumsphere", "doublesphere", "dconst", "dref", "score", "harrington", "equidistant". */
SYN_ENUM(syn_center_method);

typedef struct syn_center {
  bool known;
  syn_vec3 center;
  double radius_mm;    /* NAN if the method has none */
  double residual_mm;  /* root mean square residual of the method's fit; NAN if it has none */
  const char *why_not; /* static storage; NULL where known */
} syn_center;

typedef struct syn_centers {
  syn_center methods[SYN_CENTER_METHOD_SLOTS];
  syn_center_method chosen; /* among centres fixed in the pelvis: dref if known, else the femoral head's sphere */
  double spread_mm;         /* maximum distance between two known centres */
  syn_vec3 seat; /* head position of SYN_CENTER_EQUIDISTANT: translation of the femur, shrunk by its uncertainty; 0
                    unless the joint space is clearly more even with it */
} syn_centers;

/* Runs all methods that the input allows. `pelvis` or `femur` may be NULL as for the anatomy. `motion` (may be NULL)
 * holds poses of the femur with respect to the pelvis, for SCoRE. */
SYN_API syn_status syn_centers_find(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                                    const syn_anatomy *anatomy, const syn_pose *motion, size_t motion_count,
                                    syn_centers *centers, syn_error *error);

/* ---- measures ---------------------------------------------------------------------------------------------------- */

/* Angles are in degrees, as the names say: these are the numbers that clinicians compare with published ranges. */
typedef enum syn_measure_id {
  SYN_MEASURE_ALPHA_DEG,      /* largest around the clock */
  SYN_MEASURE_ALPHA_3_DEG,    /* at 3 o'clock: the axial plane of Nötzli et al. 2002 */
  SYN_MEASURE_ALPHA_1_30_DEG, /* antero-superior */
  SYN_MEASURE_ALPHA_12_DEG,
  SYN_MEASURE_LCEA_DEG,               /* lateral centre-edge angle (Wiberg 1939) */
  SYN_MEASURE_ACEA_DEG,               /* anterior centre-edge angle */
  SYN_MEASURE_ACETABULAR_INDEX_DEG,   /* Tönnis 1987 */
  SYN_MEASURE_ACETABULAR_VERSION_DEG, /* in the ISB pelvic frame, as the inclination */
  SYN_MEASURE_ACETABULAR_INCLINATION_DEG,
  SYN_MEASURE_COVERAGE_PERCENT, /* percent of the head's upper hemisphere */
  SYN_MEASURE_HEAD_NECK_OFFSET_MM,
  SYN_MEASURE_HEAD_NECK_OFFSET_RATIO,
  SYN_MEASURE_HEAD_NECK_RATIO,        /* of the diameters */
  SYN_MEASURE_NECK_SHAFT_DEG,         /* by the middle line of the whole neck */
  SYN_MEASURE_NECK_SHAFT_ISTHMUS_DEG, /* by the line from the neck's isthmus to the head's centre */
  SYN_MEASURE_FEMORAL_TORSION_DEG,
  SYN_MEASURE_HEAD_RADIUS_MM,
  SYN_MEASURE_HEAD_SPHERICITY_MM,         /* residual of the sphere fit, mm */
  SYN_MEASURE_JOINT_GAP_MM,               /* minimum distance of the bones */
  SYN_MEASURE_ACETABULAR_VERSION_APP_DEG, /* where the anterior pelvic plane stands upright */
  SYN_MEASURE_ACETABULAR_INCLINATION_APP_DEG,
  SYN_MEASURE_COMBINED_VERSION_DEG,   /* femoral torsion and acetabular version together (McKibbin 1970) */
  SYN_MEASURE_ALPHA_EXTRAPOLATED_DEG, /* largest around the clock of alpha without its tolerance */
  SYN_MEASURE_ALPHA_1MM_DEG,          /* largest from 11:30 to 3:30, where the contour leaves the head by 1 mm */
  SYN_MEASURES
} syn_measure_id;

typedef struct syn_measure_info {
  const char *name;   /* "alpha_deg", "lcea_deg", …, as in the JSON results */
  const char *label;  /* for people */
  const char *unit;   /* "deg", "mm", "percent", "" */
  const char *method; /* how it is defined, one sentence */
  double low, high;   /* published range; NAN where there is none */
  const char *source; /* of the range; NULL where there is none */
} syn_measure_info;
SYN_API extern const syn_measure_info syn_measure_infos[SYN_MEASURES];
SYN_API const char *syn_measure_id_name(syn_measure_id id); /* that of its description */

enum { SYN_CLOCK_STEPS = 48 };

typedef struct syn_measures {
  double value[SYN_MEASURE_SLOTS];         /* in the unit that the name of the measure ends in; NAN where unknown */
  const char *why_not[SYN_MEASURE_SLOTS];  /* static storage; NULL where known */
  double alpha_clock_deg[SYN_CLOCK_STEPS]; /* from 12 o'clock towards the front (3 o'clock is anterior on either side),
                                              quarter hours; NAN where the neck hides it */
  double alpha_worst_hour;                 /* 0 to 12 */
  double alpha_1mm_hour;                   /* of SYN_MEASURE_ALPHA_1MM_DEG; NAN where unknown */
  /* Alpha is measured where the contour finally exceeds the head's circle by this tolerance: 0.5 mm, or 2.5 % of a
   * radius below 20 mm. For a model's exact sphere it goes to 0 with the residual, below 0.4 % of the radius. */
  double alpha_tolerance_mm;
  double alpha_change_deg_per_mm[SYN_CLOCK_STEPS]; /* of each alpha with this tolerance; NAN where it has none */
  /* Where the straight line through the contour, from one to five tolerances off the circle, meets the circle. */
  double alpha_extrapolated_deg[SYN_CLOCK_STEPS];
} syn_measures;

/* `center` (NULL: that of the head's sphere) is the centre of the pelvic angles; the femur's measures use its head. If
 * the head has cartilage as a separate body, merge it into `femur` (syn_trimesh_merge), for the anatomy as well: the
 * head is then the sphere of the cartilage, and alpha is measured on the outermost surface. */
SYN_API syn_status syn_measures_find(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                                     const syn_anatomy *anatomy, const syn_vec3 *center, syn_measures *measures,
                                     syn_error *error);

/* Hour on the clock face of the acetabulum, 0 to 12, seen from outside into the cup; 3 is anterior on either side.
 * Without anatomy (NULL) or without a rim the socket is assumed to open sideward. */
SYN_API double syn_hip_clock_hour(const syn_hip *hip, const syn_anatomy *anatomy, syn_vec3 point);

/* Regions of the bones by which contacts are named. */
typedef enum syn_femur_region {
  SYN_FEMUR_HEAD,               /* on its sphere */
  SYN_FEMUR_HEAD_NECK_JUNCTION, /* from where the surface leaves the sphere to the isthmus of the neck */
  SYN_FEMUR_NECK,               /* beyond the isthmus */
  SYN_FEMUR_GREATER_TROCHANTER,
  SYN_FEMUR_LESSER_TROCHANTER,
  SYN_FEMUR_SHAFT,
  SYN_FEMUR_CONDYLES,
  SYN_FEMUR_REGIONS
} syn_femur_region;
/* "head", "head-neck junction", "neck", "greater trochanter", … */
SYN_ENUM(syn_femur_region);

typedef enum syn_pelvis_region {
  SYN_PELVIS_SOCKET, /* inside the rim of the acetabulum */
  SYN_PELVIS_RIM,
  SYN_PELVIS_AIIS,
  SYN_PELVIS_ASIS,
  SYN_PELVIS_ILIUM,
  SYN_PELVIS_SACRUM_SIDE, /* the back of the ilium, and the sacrum if the mesh has it */
  SYN_PELVIS_ISCHIUM,
  SYN_PELVIS_PUBIS,
  SYN_PELVIS_REGIONS
} syn_pelvis_region;
/* "socket", "rim", "AIIS", "ASIS", "ilium", "sacrum side", "ischium", "pubis" */
SYN_ENUM(syn_pelvis_region);

/* Anatomical region of a contact. Soft parts are named after the bone that they cover. */
typedef struct syn_contact_place {
  syn_femur_region femur;   /* SYN_FEMUR_REGIONS: not known */
  syn_pelvis_region pelvis; /* SYN_PELVIS_REGIONS: not known */
  double femur_hour;  /* on the clock face about the neck, 3 anterior; only of head, junction and neck, else NAN */
  double pelvis_hour; /* on that of the acetabulum; only of rim and socket, else NAN */
  bool inside_joint;  /* on rim or socket; extra-articular otherwise */
} syn_contact_place;

/* Finds the regions of a point of the femur, in its mesh position, and of the point of the pelvis that it touches. All
 * is unknown without anatomy (NULL), or for a point that is NAN. */
SYN_API syn_contact_place syn_contact_place_of(const syn_hip *hip, const syn_anatomy *anatomy, syn_vec3 femur_point,
                                               syn_vec3 pelvis_point);

/* ---- a case: a hip from files or from memory --------------------------------------------------------------------- */

/* A joint or meshes, each from a file or from memory, with the same answers. A joint, a pelvis or a femur must be
 * given; everything else may be NULL. What is in memory is shared and may be destroyed after the call. */
typedef struct syn_hip_input {
  const char *joint; /* a joint file; with joint_in_memory the file that reports name, which is not read */
  const syn_joint *joint_in_memory;
  const char *parts[SYN_HIP_PART_SLOTS];         /* mesh files */
  const syn_trimesh *meshes[SYN_HIP_PART_SLOTS]; /* surfaces, in place of files */
  const char *landmarks;                         /* as syn_landmarks_read takes them */
  const syn_side *side;                          /* overrides the side that is found or in the file */
  const syn_vec3 *center;
  bool as_scanned; /* includes head–socket contact, which is excluded by default, and smooths nothing */
  const syn_read_options *reading; /* of the meshes */
  const char *motion; /* a recorded motion for the centre by SCoRE: matrices in mm of the femur, relative to the pelvis
                         if the file has both (see syn_hip_motion_read); may be NULL */
  bool is_smooth;     /* the bones have no noise from vertex to vertex, as surfaces of labels: they are not smoothed */
  uint32_t cookie;
} syn_hip_input;
SYN_API syn_hip_input syn_default_hip_input(void);

/* A hip that owns its joint. */
typedef struct syn_hip_case {
  const syn_context *context;
  syn_joint *joint;                  /* as given, or made of the meshes; ligaments and muscles are not loaded */
  size_t filed_count;                /* number of bodies of the joint that was given; the others were given as meshes */
  char *joint_file, *landmarks_file; /* that were read; NULL: none */
  syn_hip hip;
  const syn_trimesh *merged[SYN_HIP_PART_SLOTS]; /* surfaces of parts that consist of several bodies or were smoothed;
                                                    else NULL */
  double roughness_mm[SYN_HIP_PART_SLOTS];       /* of the bones as read; see syn_trimesh_roughness */
  const syn_trimesh *femur;  /* with its cartilage, if given: the shape used for anatomy and measures */
  syn_anatomy *anatomy;      /* NULL if not found and a joint file gives centre and axes */
  syn_centers centers;       /* all unknown without anatomy */
  bool as_scanned;           /* head–socket contact is included; see syn_hip_input */
  const char *center_method; /* "given", or the name of the method; static storage */
  syn_motion_center motion;  /* of the recorded motion; pose_count 0: none was given */
} syn_hip_case;

/* Reads the meshes that are not in memory, finds the anatomy and the centre. Bodies of a joint file are identified by
 * tissue and whether they move; several of one kind are merged. Centre, side and frame are the caller's, else the joint
 * file's, else found. `input` NULL means its defaults, which name no mesh. */
SYN_API syn_status syn_hip_case_create(const syn_context *context, const syn_hip_input *input, syn_hip_case **hip_case,
                                       syn_error *error);
SYN_API void syn_hip_case_destroy(syn_hip_case *hip_case); /* NULL is fine */

/* ---- the hips of a label map
 * -------------------------------------------------------------------------------------
 */

typedef struct syn_hip_scan_options {
  bool coarse;          /* also of voxels of 3 mm and more, whose angles may be wrong by ten degrees and more */
  bool mend;            /* voxels of a head that are labelled as hip bone, and the reverse, change; default true */
  const syn_side *side; /* only this hip; NULL: both */
  const syn_image_surface_options *surfaces; /* without labels; NULL: bones apart, islands below 2 % left out */
  uint32_t cookie;
} syn_hip_scan_options;
SYN_API syn_hip_scan_options syn_default_hip_scan_options(void);

/* The bones of the hips in a label map. */
typedef struct syn_hip_scan {
  const syn_context *context;
  syn_image_surfaces *surfaces; /* of all labels that belong to a hip */
  double voxel_mm;              /* of the true resolution, as a cube; the size for the intervals */
  /* By side. The pelvis has all its bones that are labelled: both hip bones and the sacrum give it its frame. NULL
   * without a hip on this side; then `why_not` says what is missing, and else it is "". */
  syn_trimesh *pelvis[SYN_SIDES], *femur[SYN_SIDES];
  char why_not[SYN_SIDES][200];
  size_t mended_count;
  char (*mended)[160]; /* sentences on what was changed in the labels' surfaces */
} syn_hip_scan;

/* Finds femora, hip bones or pelvis, and sacrum among the labels by their part and side (see syn_label), without a
 * femur of a known side by their shape, and makes their surfaces. Bones of several labels are merged. SYN_BAD_MESH if
 * no side has both bones, or if the voxels are 3 mm or more and `coarse` is not set; the message says why. `options`
 * may be NULL: defaults. Release with syn_hip_scan_destroy. */
SYN_API syn_status syn_hip_scan_create(const syn_image *image, const syn_hip_scan_options *options, syn_hip_scan **scan,
                                       syn_error *error);
SYN_API void syn_hip_scan_destroy(syn_hip_scan *scan); /* NULL is fine */
/* voxel_mm, labels, mended; see result.h. */
SYN_API extern const syn_record syn_hip_scan_record;

/* ---- range of motion --------------------------------------------------------------------------------------------- */

typedef enum syn_hip_axis { SYN_AXIS_FLEXION, SYN_AXIS_ADDUCTION, SYN_AXIS_ROTATION, SYN_HIP_AXES } syn_hip_axis;
SYN_ENUM(syn_hip_axis); /* "flexion", "adduction", "rotation" */

/* The clinical tests of a hip: +1 is flexion, adduction and internal rotation. Their ranges are bone to bone, mean -+
 * one standard deviation. */
enum { SYN_CLINICAL_MOTIONS = 12 };
SYN_API extern const syn_motion syn_clinical_motions[SYN_CLINICAL_MOTIONS];
SYN_API const syn_motion *syn_clinical_motion_named(const char *name); /* NULL if unknown */

/* Returns the hip as a syn_joint, for the analyses of any joint: a body for each part, numbered as syn_hip_part,
 * without a surface if the part is missing. It borrows `bodies`, whose names and tissues are filled in, the surfaces,
 * and joint_ball. */
SYN_API syn_joint syn_hip_joint(const syn_hip *hip, syn_body bodies[SYN_HIP_PARTS]);

/* Creates the range of motion of a hip: see syn_rom_create. The triangles in joint_ball are excluded from contact
 * between the bones. */
SYN_API syn_status syn_hip_rom_create(const syn_context *context, const syn_hip *hip, syn_rom **rom, syn_error *error);

/* As a table in degrees, one line for each flexion and adduction: of either rotation its state, its angle where it is
 * stopped, and with anatomy the regions that touch. */
SYN_API extern const syn_csv_table syn_envelope_csv;

/* ---- impingement ------------------------------------------------------------------------------------------------- */

/* Classes of Arbabi 2009, Table 10. */
typedef enum syn_fai_class {
  SYN_FAI_NORMAL,
  SYN_FAI_DYSPLASTIC,
  SYN_FAI_CAM,
  SYN_FAI_PINCER,
  SYN_FAI_COMBINED,
  SYN_FAI_DYSPLASTIC_IMPINGING,
  SYN_FAI_CLASSES
} syn_fai_class;
SYN_ENUM(syn_fai_class); /* "normal", "dysplastic", "cam", "pincer", "combined", "dysplastic_impinging" */

/* Depths along a motion, as in syn_depths, and the class of impingement; release with syn_fai_destroy. */
typedef struct syn_fai {
  const syn_context *context;
  size_t step_count;
  double *curvilinear_mm, *radial_mm;                 /* per step: the femur in the soft tissue; 0 if free */
  double *curvilinear_swapped_mm, *radial_swapped_mm; /* roles exchanged: soft tissue in the femur */
  double curvilinear_max_mm, radial_max_mm;           /* over steps and both roles */
  size_t curvilinear_step, radial_step;               /* of the maxima */
  syn_vec3 curvilinear_point, radial_point;           /* of the maxima, in the pelvis' frame */
  double difference; /* curvilinear/25 - radial/10: Arbabi 2009, Fig. 63; NAN without a labrum */
  syn_fai_class fai_class;
  bool has_curvilinear, has_radial; /* the bodies needed were given */
  syn_depths *depths;               /* of all parts; the arrays here are its own */
  double *femur_depth_mm;  /* maximum curvilinear depth over the motion for each femur vertex; NULL without a femur */
  double *labrum_depth_mm; /* for each labrum vertex; NULL without a labrum */
  double *femur_radial_mm, *labrum_radial_mm; /* the same for the radial depth */
  /* With `by_step` the depth of each vertex at each step, one step after the other; else NULL. */
  double *femur_depth_steps_mm, *labrum_depth_steps_mm, *femur_radial_steps_mm, *labrum_radial_steps_mm;
} syn_fai;

typedef struct syn_fai_options {
  bool between_vertices; /* curvilinear depths also on edges and faces, so that they converge under refinement; about a
                            hundred times the work if bodies penetrate. Default true */
  bool bone_only; /* the femur without its cartilage, as in Arbabi 2009, §4.3.2.1, where both surfaces of the joint
                     share one radius. Default false: cartilage counts as well (§4.4.2.3) */
  bool by_step;   /* also the depth of every vertex at every step. Default false */
  uint32_t cookie;
} syn_fai_options;
SYN_API syn_fai_options syn_default_fai_options(void);

/* Penetration of a hip with soft tissue along poses of its mobile parts (Arbabi 2009, §4.3). Femur and femoral
 * cartilage are mobile; labrum, acetabular cartilage and the zone between them are fixed; the pelvis is not used.
 * SYN_BAD_ARGUMENT if there is no mobile or no fixed part, if there are no poses, or if a pose is not rigid. Bodies
 * that overlap at the start of the motion give a warning. docs/decisions.md explains how depths become a class.
 * `options` may be NULL: defaults.
 */
SYN_API syn_status syn_fai_create(const syn_context *context, const syn_hip *hip, const syn_pose *motion, size_t count,
                                  const syn_fai_options *options, syn_fai **fai, syn_error *error);
SYN_API void syn_fai_destroy(syn_fai *fai); /* NULL is fine */

/* ---- motions of many poses --------------------------------------------------------------------------------------- */

/* Motions of everyday life through many poses: "stand_to_sit" (one rotation vector of 59.6, 13.6, 10.9 degrees about
 * right, forward, up), "squat". They start where all angles of the hip are 0 or nearly so. */
typedef struct syn_motion_series {
  const char *name, *label, *source;
  double turn;                                       /* fraction from which the motion retraces its path; 1: never */
  syn_pose (*pose)(const syn_hip *hip, double part); /* of the mobile parts; part from 0 to 1 */
  bool is_test;                                      /* an examination, not a motion of everyday life */
} syn_motion_series;
enum { SYN_HIP_SERIES = 3 };
SYN_API extern const syn_motion_series syn_hip_series[SYN_HIP_SERIES];

/* Writes steps + 1 poses in `steps` equal parts. */
SYN_API void syn_motion_series_poses(const syn_motion_series *series, const syn_hip *hip, size_t steps,
                                     syn_pose *poses);

/* ---- the analysis ------------------------------------------------------------------------------------------------ */

/* The parts of an analysis. */
enum {
  SYN_HIP_MEASURES = 1, /* needs anatomy */
  SYN_HIP_LIMITS =
      2, /* of the clinical motions, and the overlap of the bones in their mesh positions; needs both bones */
  SYN_HIP_ENVELOPE = 4,       /* needs both bones */
  SYN_HIP_IMPINGEMENT = 8,    /* along a motion if there is soft tissue, by the FADIR protocol with both bones */
  SYN_HIP_CENTER_EFFECT = 16, /* results about other centres; needs both bones */
  SYN_HIP_BANDS = 32,         /* of the measures and the limits that are computed */
  SYN_HIP_EVERYTHING = 63,
  SYN_HIP_SENSITIVITY = 64 /* depths about other centres in steps of one degree; takes some seconds; needs both bones */
};

typedef struct syn_hip_analysis_options {
  unsigned parts; /* bits of the above; default SYN_HIP_EVERYTHING */
  /* Clinical motions whose limits are computed; NULL: all in the table. */
  const syn_motion *const *motions;
  size_t motion_count;
  const char *series; /* motion along which depths are measured: the name of a syn_motion_series or a recorded file
                         (see syn_hip_motion_read); NULL: "stand_to_sit" */
  syn_envelope_options envelope;
  syn_fai_options fai;
  double fadir_step;     /* of the grid of the FADIR protocol, radians; default 5 degrees */
  double center_band_mm; /* uncertainty of the centre in the effect of other centres; default 3 (Arbabi 2009, §4.4.1) */
  syn_band_options bands;
  /* Motions of many poses whose free part is computed; NULL: none. */
  const syn_motion_series *const *series_limits;
  size_t series_limit_count;
  size_t sweep_count; /* number of rotation axes in the horizontal plane, starting with flexion (Arbabi 2009, Fig. 56);
                         default 0 */
  double
      slack_mm; /* maximum translation of the head that may increase each limit; below 0 (the default): not computed */
  uint32_t cookie;
} syn_hip_analysis_options;
SYN_API syn_hip_analysis_options syn_default_hip_analysis_options(void);

/* The limit of one clinical motion. */
typedef struct syn_hip_motion_limit {
  const syn_motion *motion;
  syn_limit limit;         /* by all parts */
  syn_limit bones;         /* by the bones alone, as in published ranges; the same if there are only bones */
  double hour;             /* of the contact on the clock face; NAN unless stopped */
  syn_contact_place place; /* of the contact, by name; nothing is known unless stopped */
  syn_vec3 shift; /* head position: translation of the femur in every pose of this motion. It is the `seat` of the hip,
                     which the Equidistant Method centres in the socket; in `slack` the translation beyond that, see
                     syn_slack_find */
  /* 95 % intervals of `bones`, by source; NAN unless computed. An end at motion->max_deg means that these draws have no
   * stop. */
  syn_band bands[SYN_BAND_SLOTS];
  double stopped_part; /* 0 to 1: draws of all sources that are stopped or have no free pose; NAN as above */
  double below_part;   /* 0 to 1: draws of all sources that end below the published range; NAN as above */
} syn_hip_motion_limit;

/* 95 % intervals of measures, by measure and source. A measure missing in more than one in twenty draws has no
 * interval. */
typedef struct syn_measure_bands {
  syn_band of[SYN_MEASURE_SLOTS][SYN_BAND_SLOTS];
  /* Of the alpha angles, by the surface, if head, neck and frame stay as they were found: what is wider in `of` comes
   * from the sphere that is found again. NAN for all others. */
  syn_band same_head[SYN_MEASURE_SLOTS];
} syn_measure_bands;

/* A row for each axis: axis_deg, positive_deg, positive_state, negative_deg, negative_state; an angle is empty where
 * its state is not "stopped". */
SYN_API extern const syn_csv_table syn_sweep_csv; /* of a syn_hip_analysis */

/* Impingement along a motion and by the FADIR protocol. */
typedef struct syn_impingement {
  const char *series; /* as requested; "stand_to_sit" by default */
  size_t pose_count;
  syn_pose *poses;
  double *times_s;         /* NULL: equal steps */
  syn_fai *fai;            /* NULL without soft tissue in the socket */
  struct syn_fadir *fadir; /* NULL without both bones */
  bool has_class; /* the depths may be compared with the published groups: those are of standing to sitting, with a
                     labrum and soft tissue in the socket */
} syn_impingement;

/* ---- what the numbers mean ----------------------------------------------------------------------------------------
 */

/* FINDING: the 95 % interval lies outside the range. UNCERTAIN: the value does, its interval reaches into the range, or
 * there is none. NOTE: what explains or is not known; it accuses nobody. */
typedef enum syn_severity {
  SYN_SEVERITY_FINDING,
  SYN_SEVERITY_UNCERTAIN,
  SYN_SEVERITY_NOTE,
  SYN_SEVERITIES
} syn_severity;
SYN_ENUM(syn_severity); /* "finding", "uncertain", "note" */

typedef struct syn_finding {
  const char *code; /* name of the measure or motion, or "overlap", "depth", "outside_joint", "torsion_unknown" */
  syn_severity severity;
  char text[400];           /* a sentence */
  double value;             /* NAN: none */
  const char *unit;         /* as of measures; NULL: none */
  syn_band band;            /* of the value; NAN: unknown */
  double low, high;         /* published range; NAN: open or none */
  const char *source;       /* of the range; NULL: none */
  char place[96];           /* "head-neck junction (1:30) on the rim (1:15)", "1:30"; "": none */
  const syn_motion *motion; /* that shows it; NULL: none */
} syn_finding;

typedef enum syn_verdict {
  SYN_VERDICT_LIKELY,
  SYN_VERDICT_UNLIKELY,
  SYN_VERDICT_CANNOT_TELL,
  SYN_VERDICTS
} syn_verdict;
SYN_ENUM(syn_verdict); /* "likely", "unlikely", "cannot_tell" */
typedef enum syn_impingement_kind {
  SYN_IMPINGEMENT_NONE,
  SYN_IMPINGEMENT_CAM,
  SYN_IMPINGEMENT_PINCER,
  SYN_IMPINGEMENT_MIXED,
  SYN_IMPINGEMENT_EXTRA_ARTICULAR,
  SYN_IMPINGEMENT_KINDS
} syn_impingement_kind;
SYN_ENUM(syn_impingement_kind); /* "none", "cam", "pincer", "mixed", "extra_articular" */

/* Whether bone stops the hip early where impingement does: internal rotation in 90 degrees of flexion. */
typedef struct syn_impingement_verdict {
  bool known; /* false without that motion */
  syn_verdict verdict;
  syn_impingement_kind kind; /* by the contact and the shape of the bones; none if unlikely */
  double probability;        /* share of the draws in which the motion is limited; NAN without draws */
  char text[400];            /* a sentence, or two */
  const char *rule;          /* one sentence with its sources; static storage */
} syn_impingement_verdict;

/* All results for one hip. Results that could not be computed are NULL or false. What points to an undefined struct is
 * read through the records. */
typedef struct syn_hip_analysis {
  const syn_context *context;
  syn_hip_case *hip_case; /* borrowed, or owned after syn_hip_analyse */
  bool owns_case;
  bool has_measures;
  syn_measures measures;
  syn_measure_bands measure_bands; /* NAN unless computed */
  /* Of the range of motion: femur triangles in joint_ball, excluded from contact; the penetration depth between them
   * and the pelvis in the mesh positions (0 without overlap, NAN if they cross and a surface is open); and the overlap
   * of all other triangles. */
  size_t left_out_triangles;
  double articular_overlap_mm;
  syn_penetration overlap;
  syn_rom *rom, *bones_rom; /* the same object if there is no soft tissue; NULL without both bones */
  bool has_soft;            /* they differ */
  size_t limit_count, slack_count, series_count, sweep_count;
  syn_hip_motion_limit *limits;
  syn_hip_motion_limit *slack; /* the same motions if the head may shift; without the limits of the bones alone */
  struct syn_series_limit *series;
  struct syn_sweep_limit *sweep;
  syn_envelope *envelope;
  syn_impingement impingement;
  struct syn_center_effect *effect; /* of other centres */
  struct syn_center_sensitivity *sensitivity;
  syn_impingement_verdict verdict;
  size_t finding_count;
  syn_finding *findings; /* most important first */
} syn_hip_analysis;

/* `options` may be NULL. The case must outlive the analysis. Release with syn_hip_analysis_destroy. */
SYN_API syn_status syn_hip_analysis_create(const syn_context *context, syn_hip_case *hip_case,
                                           const syn_hip_analysis_options *options, syn_hip_analysis **analysis,
                                           syn_error *error);
/* Opens the case and computes everything that `synovia hip` prints, from a joint file or two meshes, in one call; the
 * analysis owns the case. */
SYN_API syn_status syn_hip_analyse(const syn_context *context, const syn_hip_input *input,
                                   const syn_hip_analysis_options *options, syn_hip_analysis **analysis,
                                   syn_error *error);
SYN_API void syn_hip_analysis_destroy(syn_hip_analysis *analysis); /* NULL is fine */

/* ---- edits ------------------------------------------------------------------------------------------------------- */

/* Sets the centre of rotation, or a landmark, from which frames and centres are then recomputed; the head is centred
 * again. On failure the case does not change. Analyses of the case are out of date afterwards. SYN_BAD_ARGUMENT if the
 * bones do not have the landmark, or if a joint file gives the axes. *replaced (NULL: it is destroyed) gets the
 * previous anatomy, so that a caller with a copy of the case can restore both. */
SYN_API syn_status syn_hip_case_set_center(syn_hip_case *hip_case, syn_vec3 center, syn_error *error);
SYN_API syn_status syn_hip_case_set_landmark(syn_hip_case *hip_case, syn_landmark landmark, syn_vec3 place,
                                             syn_anatomy **replaced, syn_error *error);

/* The object of the first six is a `const syn_hip_analysis *`; what it does not have is null. The record of measures
 * needs an analysis with measures. The index of an item is its number in the array that is the object. */
SYN_API extern const syn_record syn_hip_record;    /* all that `synovia hip` prints */
SYN_API extern const syn_record syn_center_record; /* centre by every method, and its effect */
SYN_API extern const syn_record
    syn_sensitivity_record;                         /* of an analysis with a sensitivity: depths about other centres */
SYN_API extern const syn_record syn_measure_record; /* angles, lengths, landmarks and frames */
SYN_API extern const syn_record syn_rom_record;     /* motions, envelope, overlap of the bones */
SYN_API extern const syn_record syn_fai_record;     /* depths along a motion, FADIR */
SYN_API extern const syn_record syn_seat_record;    /* of a syn_hip */
SYN_API extern const syn_record syn_motion_limit_record;  /* of syn_hip_motion_limit[] */
SYN_API extern const syn_record syn_slack_limit_record;   /* the same with the shift of the head */
SYN_API extern const syn_record syn_series_limit_record;  /* of syn_series_limit[] */
SYN_API extern const syn_record syn_sweep_limit_record;   /* of syn_sweep_limit[] */
SYN_API extern const syn_record syn_contact_place_record; /* of syn_contact_place[] */
SYN_API extern const syn_record syn_envelope_record;      /* of a syn_envelope */

#ifdef __cplusplus
}
#endif
#endif
