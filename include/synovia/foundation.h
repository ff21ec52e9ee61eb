/* Synovia: elastic foundation contact. Each point of a cartilage layer deforms independently, like a bed of springs on
 * the bone (Blankevoort et al. 1991). Computes pressure in milliseconds, on the same layers as the finite elements.
 * Units: mm, N, MPa, radians. */
#ifndef SYNOVIA_FOUNDATION_H
#define SYNOVIA_FOUNDATION_H

#include <synovia/pressure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* (1 - nu) E / ((1 + nu) (1 - 2 nu)): pressure over strain of a thin layer that is bonded to bone. NAN unless the
 * material is elastic and compressible. */
SYN_API double syn_foundation_modulus(const syn_material *material);

typedef struct syn_foundation_options {
  bool nonlinear; /* p = -K ln(1 - d/h) in each layer, for large strains; default false: p = K d/h */
  uint32_t
      resolution;   /* of the table of the head's radii: number of directions along an edge of its cube; default 96 */
  double tolerance; /* of the balance of forces, relative to the load; default 1e-6 */
  uint32_t cookie;
} syn_foundation_options;
SYN_API syn_foundation_options syn_default_foundation_options(void);

/* Socket and head, prepared for any pose. Immutable; threads may share it, each with separate scratch memory.
 *
 * The surfaces are represented by radii about the centre, with normals at their nodes, and are smooth between nodes.
 * Depths are measured at the nodes of the socket, along its normal; a shift is split evenly between both surfaces
 * (symmetric formulation). Layers resist in series: the depth is shared by the strains of both. */
typedef struct syn_foundation syn_foundation;

/* One layer may be NULL: then `rigid` replaces it; otherwise `rigid` may be NULL. The socket surrounds the centre and
 * is fixed; the head moves inside it. Everything is copied. SYN_BAD_ARGUMENT for a material that is not elastic or not
 * compressible; SYN_BAD_MESH for a surface without faces, with nodes at the centre, or turned away from the joint.
 * `options` may be NULL: defaults. */
SYN_API syn_status syn_foundation_create(const syn_context *context, const syn_layer *socket, const syn_layer *head,
                                         const syn_trimesh *rigid, syn_vec3 center,
                                         const syn_foundation_options *options, syn_foundation **foundation,
                                         syn_error *error);
SYN_API void syn_foundation_destroy(syn_foundation *foundation); /* NULL is fine */

/* Bytes of scratch for the calls below. */
SYN_API size_t syn_foundation_scratch(const syn_foundation *foundation);

/* Solves for equilibrium: the distal bone is rotated by loaded->pose, and translated until the pressure balances
 * loaded->force. `start` (NULL: the head centred in the socket) is the initial translation, such as that of the
 * previous pose; it may be arbitrary. Allocates nothing. SYN_NOT_CONVERGED if the socket does not constrain the head,
 * or the iteration fails; the error says which, and *step then holds the last state. */
SYN_API syn_status syn_foundation_solve(const syn_foundation *foundation, const syn_loaded_pose *loaded,
                                        const syn_vec3 *start, void *scratch, syn_pressure_step *step,
                                        syn_error *error);
/* Computes the pressure for a prescribed translation, without equilibrium. */
SYN_API void syn_foundation_press(const syn_foundation *foundation, const syn_loaded_pose *loaded, syn_vec3 shift,
                                  void *scratch, syn_pressure_step *step);

/* Pressure (0 outside contact) and gap (below 0 in contact; NAN where no head is opposite) of the last call with this
 * scratch, for each node of the socket's layer, or each vertex of its rigid surface; NAN off the articular faces.
 * Either array may be NULL. */
SYN_API void syn_foundation_socket_field(const syn_foundation *foundation, const void *scratch, double *pressure_mpa,
                                         double *gap_mm);
/* The same on the head's layer, or rigid surface: each node has what the socket's point opposite to it has. */
SYN_API void syn_foundation_head_field(const syn_foundation *foundation, const void *scratch, double *pressure_mpa,
                                       double *gap_mm);

/* Pressure of the last call with this scratch in the direction of any points, as seen from the centre; NAN without
 * contact, or where a point is farther than `reach_mm` from the socket's surface, along its radius. Points that move
 * with the distal bone are given in their mesh position. */
SYN_API void syn_foundation_pressure_at(const syn_foundation *foundation, const void *scratch, const syn_vec3 *points,
                                        size_t count, bool moves, double reach_mm, double *pressure_mpa);

#ifdef __cplusplus
}
#endif
#endif
