/* Synovia: a graft for a torn cruciate ligament (Sundaraj 2004, §6.3). Computes stretch, stress and bone contact of the
 * graft during flexion of the knee, and searches the tunnel positions with the smallest strain.
 *
 * The graft is a beam between the outlets of two tunnels. Its femoral end is fixed to the femur, its tibial end to the
 * tibia, which rotates about a hinge. Units: mm, MPa, radians. */
#ifndef SYNOVIA_GRAFT_H
#define SYNOVIA_GRAFT_H

#include <synovia/tissue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Outlets of the tunnels, the middles of the graft's ends, each on its bone in the position of the mesh. */
typedef struct syn_graft_tunnels {
  syn_vec3 femur, tibia;
} syn_graft_tunnels;

typedef struct syn_graft_options {
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
SYN_API syn_status syn_graft_set_hinge(const syn_context *context, const char *motion, const char *femur,
                                       const char *tibia, syn_graft_options *options, syn_error *error);

/* One angle of flexion. */
typedef struct syn_graft_row {
  double flexion;
  double outlets_mm; /* distance of the outlets */
  double length_mm;  /* of the graft's middle line */
  double volume;     /* of that at rest */
  double peak_mpa;   /* maximum stress: von Mises; for vdm the length of Eq. 3.29's three numbers */
  double peak_at;    /* where along the graft: 0 at the femur, 1 at the tibia */
  double femur_mpa, middle_mpa, tibia_mpa; /* maximum stress in the first quarter, the middle half, the last quarter */
  double femur_touch_mm2, tibia_touch_mm2; /* area of the graft's sides in contact with either bone */
  syn_pose tibia;                          /* pose of the tibia, relative to its mesh */
} syn_graft_row;

/* Results for one pair of tunnels. */
typedef struct syn_graft_plan {
  syn_graft_tunnels tunnels;
  double rest_mm;                         /* length at rest */
  double isometry_mm;                     /* by how much the outlets' distance varies */
  double strain;                          /* maximum stretch of a straight fibre from end to end, over all angles */
  double slack_mm;                        /* slack: maximum of the graft's length minus the distance of the outlets */
  double peak_mpa, peak_flexion, peak_at; /* of all rows */
  double failure; /* flexion at which the stress first exceeds failure_mpa; NAN: it never does */
  size_t row_count;
  syn_graft_row *rows;
  syn_trimesh *surface; /* of the graft at rest, where it is fixed; all plans have the same triangles */
  /* Of each row and vertex of that surface, row by row: where it is, and the stress there, as for peak_mpa. */
  syn_vec3 *places;
  double *stress_mpa;
} syn_graft_plan;

typedef struct syn_graft {
  const syn_context *context;
  syn_trimesh *femur, *tibia; /* the same meshes, shared */
  double failure_mpa;
  syn_vec3 axis, long_axis; /* of the options */
  syn_graft_plan before;    /* the given tunnels, on the bones' surfaces */
  bool searched;
  syn_graft_plan after; /* the best ones nearby; only if searched */
} syn_graft;

/* `options` may be NULL: defaults. Outlets are moved to the nearest point of their bone. SYN_BAD_ARGUMENT for options
 * that make no sense, SYN_NOT_CONVERGED where the graft has no equilibrium. Release with syn_graft_destroy. */
SYN_API syn_status syn_graft_simulate(const syn_context *context, const syn_trimesh *femur, const syn_trimesh *tibia,
                                      const syn_graft_tunnels *tunnels, const syn_graft_options *options,
                                      syn_graft **graft, syn_error *error);
SYN_API void syn_graft_destroy(syn_graft *graft); /* NULL is fine */
/* A row for each angle of each plan. */
SYN_API extern const syn_csv_table syn_graft_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_graft_record;      /* of a syn_graft: before and after */
SYN_API extern const syn_record syn_graft_plan_record; /* of syn_graft_plan[]: one pair of tunnels */
SYN_API extern const syn_record syn_graft_row_record;  /* of syn_graft_row[]: one angle */

#ifdef __cplusplus
}
#endif
#endif
