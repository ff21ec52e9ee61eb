/* Synovia: the cartilages of a hip through a motion (Maciel 2005, §5.4.1): contact area, stress and strain.
 *
 * Both cartilages are finite elements. One is bonded to the pelvis, the other to the femur, which is pressed into the
 * socket and rotated. Surfaces never cross. Units: mm, MPa, N, radians. */
#ifndef SYNOVIA_CONGRUITY_H
#define SYNOVIA_CONGRUITY_H

#include <synovia/hip.h>
#include <synovia/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A path of the femur: linear between two sets of angles, in steps of at most syn_congruity_options.step. */
typedef struct syn_hip_path {
  const char *name, *label;
  const syn_hip_angles *points; /* two or more */
  size_t point_count;
} syn_hip_path;
/* "flexion-extension" and "abduction-adduction", each there and back through both ends; and "flexion-rotation", the
 * motion of §5.4.4: 90 degrees of flexion, then internal rotation. */
SYN_API size_t syn_hip_path_count(void);
SYN_API const syn_hip_path *syn_hip_path_at(size_t index);
SYN_API const syn_hip_path *syn_hip_path_named(const char *name); /* NULL if unknown */

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
SYN_API const char *syn_congruity_side_name(syn_congruity_side side); /* "femoral", "acetabular" */
SYN_API syn_hip_part syn_congruity_part(syn_congruity_side side);

/* Results on the free surface of one cartilage at a moment. */
typedef struct syn_congruity_surface {
  double peak_mpa;     /* maximum von Mises stress */
  double mean_mpa;     /* mean of it over the contact area; 0 without contact */
  double pressure_mpa; /* greatest contact pressure */
  double even; /* mean pressure over the contact area divided by the maximum: 1 for uniform pressure, as in a congruent
                  joint; NAN without contact */
  double strain;      /* maximum equivalent strain */
  double contact_mm2; /* where surfaces touch */
  double above_mm2;   /* where the stress is above the threshold (§5.4.4) */
} syn_congruity_surface;

typedef struct syn_congruity_moment {
  double time_s;
  syn_hip_angles angles;
  syn_congruity_surface surfaces[SYN_CONGRUITY_SIDES];
  syn_vec3 force; /* on the acetabular cartilage, N */
  uint32_t touching, iterations;
} syn_congruity_moment;

/* Values at the nodes of one cartilage at every moment, moment by moment. */
typedef struct syn_congruity_fields {
  syn_vec3 *places; /* in the frame of the pelvis */
  double *stress_mpa, *pressure_mpa, *strain;
} syn_congruity_fields;

typedef struct syn_congruity_path {
  const syn_hip_path *path;
  bool complete; /* false: no equilibrium exists beyond the last moment */
  size_t moment_count;
  syn_congruity_moment *moments;
  syn_pose *poses; /* of the femur and its cartilage */
  syn_congruity_fields fields[SYN_CONGRUITY_SIDES];
} syn_congruity_path;

typedef struct syn_congruity {
  const syn_context *context;
  const syn_hip_case *hip_case;               /* borrowed */
  syn_congruity_options options;              /* as used: defaults are filled in, and `paths` is not kept */
  syn_trimesh *surfaces[SYN_CONGRUITY_SIDES]; /* as they were simulated, in the mesh position */
  syn_tetmesh *volumes[SYN_CONGRUITY_SIDES];  /* their tetrahedra: the surface's vertices come first */
  size_t path_count;
  syn_congruity_path *paths;
} syn_congruity;

/* `options` may be NULL. SYN_BAD_ARGUMENT for options out of range, or where a bone or a cartilage is missing;
 * SYN_BAD_MESH where a cartilage is not closed or lies on no bone; SYN_NO_PROGRAM without gmsh. A path without
 * equilibrium keeps its earlier moments and gives a warning. The case must outlive the result. Release with
 * syn_congruity_destroy. */
SYN_API syn_status syn_congruity_create(const syn_context *context, const syn_hip_case *hip_case,
                                        const syn_congruity_options *options, syn_congruity **congruity,
                                        syn_error *error);
SYN_API void syn_congruity_destroy(syn_congruity *congruity); /* NULL is fine */
/* Returns the moment of a path with the maximum contact pressure. */
SYN_API size_t syn_congruity_worst(const syn_congruity_path *path);

/* A row for each moment of each path. */
SYN_API extern const syn_csv_table syn_congruity_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_congruity_record;      /* of a syn_congruity */
SYN_API extern const syn_record syn_congruity_path_record; /* of syn_congruity_path[]: one motion */
SYN_API extern const syn_record
    syn_congruity_surface_record; /* of syn_congruity_surface[]: one cartilage at one moment */
SYN_API extern const syn_record syn_congruity_moment_record; /* of syn_congruity_moment[] */

#ifdef __cplusplus
}
#endif
#endif
