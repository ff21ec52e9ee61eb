/* Rows of the results of surgery.h: a ligament at one angle, a cartilage at one moment, a graft at one flexion. A
 * program reads them through the records; reports and our own program read them here. */
#ifndef SYN_CLINIC_SURGERY_ROWS_H
#define SYN_CLINIC_SURGERY_ROWS_H

#include <synovia/surgery.h>

#include "base/status.h"

/* ---- ligaments --------------------------------------------------------------------------------------------------- */

/* Results of a ligament at one angle. */
typedef struct syn_ligament_row {
  double angle; /* in the direction of the motion */
  double peak_mpa, middle_mpa, mean_mpa;
  double stretch;    /* of its middle fibre: 1 at rest */
  double tension_n;  /* force on its attachment at the pelvis */
  uint32_t touching; /* contacts with the bones */
  uint32_t iterations;
} syn_ligament_row;
SYN_PROGRAM_API extern const syn_record syn_ligament_row_record; /* of syn_ligament_row[]: one angle */

/* A failure stress with its spread, and the angle at which it is reached, interpolated linearly between rows. */
typedef struct syn_ligament_limit {
  const char *source; /* NULL: as given in the options */
  double failure_mpa, failure_sd_mpa;
  double angle; /* at the mean failure stress; NAN: the motion ends before */
  double low,
      high; /* at one standard deviation less and more; NAN likewise. Low is 0 if the stress exceeds it at the start */
} syn_ligament_limit;
/* The failure stresses of the ischiofemoral ligament that Maciel 2005, Table 5.1 quotes; without angles. */
enum { SYN_FAILURE_STRESSES = 2 };
extern const syn_ligament_limit syn_failure_stresses[SYN_FAILURE_STRESSES];

typedef struct syn_ligament_motion {
  const syn_motion *motion;
  syn_limit bones;                                    /* bone to bone, without a ligament */
  syn_ligament_limit limit;                           /* for the given failure stress */
  syn_ligament_limit published[SYN_FAILURE_STRESSES]; /* for each published failure stress */
  double published_deg; /* of Maciel 2005, §5.4.2, for this motion and the ischiofemoral ligament; else NAN */
  bool complete; /* the rotation was followed to its end, or beyond all failure stresses; false: no equilibrium exists
                    beyond the last row */
  size_t row_count;
  syn_ligament_row *rows;
  /* Of each row and vertex of the ligament's surface, row by row: position and von Mises stress, NAN at attached
   * vertices. */
  syn_vec3 *places;
  double *stress_mpa;
} syn_ligament_motion;

typedef struct syn_ligament_tick {
  double time_s; /* 0 where the angle is reached */
  double young_mpa, stress_mpa;
} syn_ligament_tick;

/* ---- cartilages -------------------------------------------------------------------------------------------------- */

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
SYN_PROGRAM_API extern const syn_record syn_congruity_path_record; /* of syn_congruity_path[]: one motion */
SYN_PROGRAM_API extern const syn_record
    syn_congruity_surface_record; /* of syn_congruity_surface[]: one cartilage at one moment */
SYN_PROGRAM_API extern const syn_record syn_congruity_moment_record; /* of syn_congruity_moment[] */

/* ---- graft ------------------------------------------------------------------------------------------------------- */

/* Outlets of the tunnels, the middles of the graft's ends, each on its bone in the position of the mesh. */
typedef struct syn_graft_tunnels {
  syn_vec3 femur, tibia;
} syn_graft_tunnels;

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
SYN_PROGRAM_API extern const syn_record syn_graft_plan_record; /* of syn_graft_plan[]: one pair of tunnels */
SYN_PROGRAM_API extern const syn_record syn_graft_row_record;  /* of syn_graft_row[]: one angle */

#endif
