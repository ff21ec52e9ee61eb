/* Synovia: the virtual hip (Maciel 2005, §5). Generates ligaments between the bones of a hip, computes the range of
 * motion that they allow, and estimates their stiffness.
 *
 * A ligament is a strip of finite elements with fibres along it. One end is fixed to the pelvis, the other one moves
 * with the femur; it is in contact with bones, cartilage and labrum. It is free of stress in the mesh positions. Units:
 * mm, MPa, N, radians. */
#ifndef SYNOVIA_VIRTUAL_HIP_H
#define SYNOVIA_VIRTUAL_HIP_H

#include <synovia/hip.h>
#include <synovia/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- ligaments -----------------------------------------------------------------------------------------------------
 */

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
SYN_API const char *syn_hip_ligament_name(syn_hip_ligament ligament); /* "iliofemoral-lateral", …, "ischiofemoral", … */

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
SYN_API syn_hip_ligament syn_ligament_kind(const syn_ligament *ligament);
SYN_API const syn_soft *syn_ligament_soft(const syn_ligament *ligament);
/* Of its middle fibre, and the mean width, both at rest. */
SYN_API double syn_ligament_length_mm(const syn_ligament *ligament);
SYN_API double syn_ligament_width_mm(const syn_ligament *ligament);
/* Attachment of a node of its soft body: to the pelvis, to the femur, or free. */
typedef enum syn_ligament_end {
  SYN_LIGAMENT_FREE,
  SYN_LIGAMENT_AT_PELVIS,
  SYN_LIGAMENT_AT_FEMUR,
  SYN_LIGAMENT_ENDS
} syn_ligament_end;
SYN_API const char *syn_ligament_end_name(syn_ligament_end end); /* "free", "pelvis", "femur" */
SYN_API syn_ligament_end syn_ligament_end_of(const syn_ligament *ligament, uint32_t node);

/* Von Mises stress at the nodes, without the attached ones. */
typedef enum syn_ligament_measure {
  SYN_LIGAMENT_PEAK,   /* the maximum, as in Maciel 2005; at the corners of an attachment it grows under mesh refinement
                        */
  SYN_LIGAMENT_MIDDLE, /* the maximum of the middle three fifths */
  SYN_LIGAMENT_MEAN, /* the mean of the middle three fifths: about force per cross-section, as tensile tests measure it
                      */
  SYN_LIGAMENT_MEASURES
} syn_ligament_measure;
SYN_API const char *syn_ligament_measure_name(syn_ligament_measure measure); /* "peak", "middle", "mean" */

/* Results of a ligament at one angle. */
typedef struct syn_ligament_row {
  double angle; /* in the direction of the motion */
  double peak_mpa, middle_mpa, mean_mpa;
  double stretch;    /* of its middle fibre: 1 at rest */
  double tension_n;  /* force on its attachment at the pelvis */
  uint32_t touching; /* contacts with the bones */
  uint32_t iterations;
} syn_ligament_row;
SYN_API double syn_ligament_row_stress(const syn_ligament_row *row, syn_ligament_measure measure);

/* ---- range of motion by a ligament: Maciel 2005, §5.4.2 -------------------------------------------------------------
 */

/* A failure stress with its spread. */
typedef struct syn_failure_stress {
  const char *source; /* NULL: as given */
  double mean_mpa, sd_mpa;
} syn_failure_stress;
/* Those of the ischiofemoral ligament that Maciel 2005, Table 5.1 quotes. */
SYN_API size_t syn_failure_stress_count(void);
SYN_API syn_failure_stress syn_failure_stress_at(size_t index);

typedef struct syn_ligament_rom_options {
  syn_hip_ligament ligament; /* default SYN_LIGAMENT_ISCHIOFEMORAL */
  syn_ligament_options tissue;
  syn_ligament_measure measure;     /* of the stress that is compared; default SYN_LIGAMENT_PEAK */
  syn_failure_stress failure;       /* default: the mean of the published ones */
  syn_hip_angles rest;              /* where it is free of stress; flexion NAN (default): where the meshes are */
  double step;                      /* of the turn; default 5 degrees */
  double most;                      /* maximum angle of the rotation; default 90 degrees */
  const syn_motion *const *motions; /* NULL: internal rotation, and that in 90 degrees of flexion */
  size_t motion_count;
  uint32_t cookie;
} syn_ligament_rom_options;
SYN_API syn_ligament_rom_options syn_default_ligament_rom_options(void);

/* The angle at which a stress is reached, interpolated linearly between rows. */
typedef struct syn_ligament_limit {
  syn_failure_stress failure;
  double angle; /* at the mean failure stress; NAN: the motion ends before */
  double low,
      high; /* at one standard deviation less and more; NAN likewise. Low is 0 if the stress exceeds it at the start */
} syn_ligament_limit;

typedef struct syn_ligament_motion {
  const syn_motion *motion;
  syn_limit bones;               /* bone to bone, without a ligament */
  syn_ligament_limit limit;      /* for the given failure stress */
  syn_ligament_limit *published; /* by each published failure stress */
  double published_deg;          /* of Maciel 2005, §5.4.2, for this motion and the ischiofemoral ligament; else NAN */
  bool complete; /* the rotation was followed to its end, or beyond all failure stresses; false: no equilibrium exists
                    beyond the last row */
  size_t row_count;
  syn_ligament_row *rows;
  /* Of each row and vertex of the ligament's surface, row by row: position and von Mises stress, NAN at attached
   * vertices. */
  syn_vec3 *places;
  double *stress_mpa;
} syn_ligament_motion;

typedef struct syn_ligament_rom {
  const syn_context *context;
  const syn_hip_case *hip_case;     /* as given; it must outlive this */
  syn_ligament_rom_options options; /* as used; `motions` is not kept */
  double length_mm, width_mm;
  syn_trimesh *surface; /* of the ligament at rest */
  size_t motion_count;
  syn_ligament_motion *motions;
} syn_ligament_rom;
/* Rotates the femur in steps and solves for the equilibrium of the ligament at each. `options` may be NULL. The same on
 * any number of threads. Release with syn_ligament_rom_destroy. */
SYN_API syn_status syn_ligament_rom_create(const syn_context *context, const syn_hip_case *hip_case,
                                           const syn_ligament_rom_options *options, syn_ligament_rom **rom,
                                           syn_error *error);
SYN_API void syn_ligament_rom_destroy(syn_ligament_rom *rom); /* NULL is fine */
/* A row for each angle of each motion. */
SYN_API extern const syn_csv_table syn_ligament_rom_csv;

/* ---- stiffness of a ligament from a measured angle: Maciel 2005, §5.4.3
 * ----------------------------------------------
 */

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

typedef struct syn_ligament_tick {
  double time_s; /* 0 where the angle is reached */
  double young_mpa, stress_mpa;
} syn_ligament_tick;

typedef struct syn_ligament_stiffness {
  const syn_context *context;
  const syn_hip_case *hip_case;           /* as given; it must outlive this */
  syn_ligament_stiffness_options options; /* as used */
  double length_mm, stretch;              /* of the middle fibre: at rest, and at the angle */
  double young_mpa;  /* at the first tick whose stress is high enough: the text's procedure; NAN: not reached */
  double exact_mpa;  /* by halving between that tick and the one before, or 0; NAN likewise */
  double simple_mpa; /* by proportion from the first tick: stress and modulus grow together (Eq. 5.3) */
  size_t row_count;  /* of the path to the angle */
  syn_ligament_row *rows;
  /* The ligament's surface at rest, and of each row and vertex of it, row by row: position and von Mises stress with
   * the first modulus, NAN at attached vertices. */
  syn_trimesh *surface;
  syn_vec3 *places;
  double *stress_mpa;
  size_t tick_count;
  syn_ligament_tick *ticks;
} syn_ligament_stiffness;
/* `options` may be NULL. SYN_NOT_CONVERGED if the ligament has no equilibrium on the path to the angle. Release with
 * syn_ligament_stiffness_destroy. */
SYN_API syn_status syn_ligament_stiffness_find(const syn_context *context, const syn_hip_case *hip_case,
                                               const syn_ligament_stiffness_options *options,
                                               syn_ligament_stiffness **stiffness, syn_error *error);
SYN_API void syn_ligament_stiffness_destroy(syn_ligament_stiffness *stiffness); /* NULL is fine */
/* A row for each modulus of the search. */
SYN_API extern const syn_csv_table syn_ligament_stiffness_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_ligament_rom_record; /* of a syn_ligament_rom: before (bones alone) and after */
SYN_API extern const syn_record syn_ligament_stiffness_record; /* of a syn_ligament_stiffness */
SYN_API extern const syn_record syn_ligament_row_record;       /* of syn_ligament_row[]: one angle */

#ifdef __cplusplus
}
#endif
#endif
