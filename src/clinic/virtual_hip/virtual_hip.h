/* Internal interface of ligaments of a hip: strips of hexahedra between attachments, and their motion. */
#ifndef SYN_CLINIC_VIRTUAL_HIP_H
#define SYN_CLINIC_VIRTUAL_HIP_H

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/surgery_rows.h"

/* The inner face of a strip: points (across, along), number along * (points across) + across. Of a closed one the last
 * cell across ends at the first point. */
typedef struct syn_strip {
  uint32_t cells[3]; /* across, through the thickness, along */
  syn_vec3 *points;
  double thickness_mm;
  bool far_end_moves; /* the end of `along` belongs to the femur */
  bool closed;        /* a sleeve */
  double outward_mm;  /* how much farther out on the neck than usual it is attached */
  double around[2];   /* range in which fibres run across instead of along, in fractions of the length */
} syn_strip;
static inline uint32_t strip_row(const syn_strip *strip) { return strip->cells[0] + !strip->closed; }
static inline uint32_t strip_point_count(const syn_strip *strip) { return strip_row(strip) * (strip->cells[2] + 1); }
static inline uint32_t strip_layer(const syn_strip *strip) { return strip_row(strip) * (strip->cells[1] + 1); }

struct syn_ligament {
  const syn_context *context;
  syn_hip_ligament kind;
  syn_strip strip;   /* its points are in the arena */
  syn_vec3 *outward; /* normals of its points, also in the arena */
  syn_arena memory;
  syn_soft *soft;             /* node (layer along * strip_layer + through * row + across) */
  double length_mm, width_mm; /* of the middle fibre, and the mean width, both at rest */
};

/* Makes hexahedra on the outer side of the inner face; `outward` holds a direction for each point. */
syn_status syn_strip_soft(const syn_context *context, const syn_strip *strip, const syn_vec3 *outward,
                          const syn_ligament_options *options, syn_soft **soft, syn_error *error);
/* Computes normals of the inner face that point away from the neck's axis as a whole. */
void syn_strip_normals(const syn_strip *strip, syn_vec3 center, syn_vec3 axis, syn_vec3 *normals);
/* Returns the length of the middle fibre of nodes at x, and the mean width. */
double syn_strip_length(const syn_strip *strip, const syn_vec3 *x);
double syn_strip_width(const syn_strip *strip);

/* Makes the inner face of a ligament. */
syn_status syn_strip_attach(syn_arena *arena, const syn_hip_case *hip_case, syn_hip_ligament kind,
                            const syn_ligament_options *options, syn_strip *strip, syn_error *error);

/* Makes the same ligament with another modulus; it borrows the strip. Release with syn_ligament_destroy. */
syn_status syn_ligament_stiffened(const syn_ligament *ligament, const syn_ligament_options *options,
                                  syn_ligament **stiffened, syn_error *error);
/* Returns whether the part touches it while the femur moves. It avoids the pelvis, too, but is attached to it. */
bool syn_ligament_touches(syn_hip_ligament kind, syn_hip_part part);

/* One ligament and the bodies that it touches. */
typedef struct syn_ligament_sim {
  const syn_ligament *ligament;
  syn_simulation *simulation;
  uint32_t body, rigid[SYN_HIP_PARTS]; /* SYN_NONE: missing */
  syn_sym3 *stress;
  syn_vec3 *force;
} syn_ligament_sim;
syn_status syn_ligament_sim_begin(const syn_ligament *ligament, const syn_hip *hip, syn_ligament_sim *sim,
                                  syn_error *error);
void syn_ligament_sim_end(syn_ligament_sim *sim);
enum { SYN_LIGAMENT_HALVINGS = 4 };
/* Solves from one pose of the femur to the next; by half steps if the whole step has no equilibrium. */
syn_status syn_ligament_sim_turn(syn_ligament_sim *sim, const syn_hip *hip, syn_hip_angles from, syn_hip_angles to,
                                 int halvings, syn_error *error);
/* Moves from the mesh position to the start of a motion, in steps. */
syn_status syn_ligament_sim_start(syn_ligament_sim *sim, const syn_hip *hip, const syn_motion *motion, double step,
                                  syn_error *error);
void syn_ligament_sim_row(syn_ligament_sim *sim, double angle, syn_ligament_row *row);
/* Call it after a row was filled: stores the current surface as row number `row` of both arrays. */
void syn_ligament_sim_surface(const syn_ligament_sim *sim, size_t row, syn_vec3 *places, double *stress_mpa);

/* Attachment of a node of its soft body: to the pelvis, to the femur, or free. */
typedef enum syn_ligament_end { SYN_LIGAMENT_FREE, SYN_LIGAMENT_AT_PELVIS, SYN_LIGAMENT_AT_FEMUR } syn_ligament_end;
syn_ligament_end syn_ligament_end_of(const syn_ligament *ligament, uint32_t node);
double syn_ligament_row_stress(const syn_ligament_row *row, syn_ligament_measure measure);

/* The part of the hip that has this cartilage, and the moment with the maximum contact pressure. */
static inline syn_hip_part syn_congruity_part(syn_congruity_side side) {
  return side == SYN_CONGRUITY_FEMORAL ? SYN_HIP_FEMORAL_CARTILAGE : SYN_HIP_ACETABULAR_CARTILAGE;
}
size_t syn_congruity_worst(const syn_congruity_path *path);

/* A copy of a case with its femur at these angles (flexion NAN: as scanned). It must not move: parts of it
 * point to others. */
typedef struct syn_posed_hip {
  syn_hip_case hip_case;
  syn_anatomy anatomy; /* owns nothing */
  syn_trimesh *parts[SYN_HIP_PARTS];
} syn_posed_hip;
syn_status syn_hip_pose_case(const syn_hip_case *hip_case, const syn_hip_angles *angles, syn_posed_hip *posed,
                             syn_error *error);
void syn_posed_hip_release(syn_posed_hip *posed);

syn_hip_angles syn_angles_between(syn_hip_angles a, syn_hip_angles b, double t);
syn_hip_angles syn_angles_turned(const syn_motion *motion, double angle);

#endif
