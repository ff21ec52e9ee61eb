/* Molecules (Maciel 2005, §3.4): balls that carry the mass, springs between neighbours, and one or two measures of the
 * strain around each ball that springs alone cannot control.
 *
 * Springs are stored on both sides, as slots: the slots of molecule i are row[i] … row[i + 1] - 1, their count a
 * multiple of LANES. The force on a molecule is then a sum over its slots, without scattered writes, and the bits do
 * not depend on the division of molecules among threads. Padding slots have i as the other molecule and no stiffness.
 *
 * A strain mode is a number per molecule that is linear in the elongations of its springs: Σ own * elongation. `own` is
 * chosen so that a uniform strain e gives its trace (volume) or d e d (along the fibres d) exactly. With springs alone
 * the shear modulus follows from Young's modulus (Cauchy's relation: G = 0.4 E); with the volume mode both are free
 * (Maciel 2005, §6.3; Silling et al. 2007 do the same in peridynamics). */
#ifndef SYN_TISSUE_MOLECULE_H
#define SYN_TISSUE_MOLECULE_H

#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/soft.h"

enum { LANES = 4, STRAIN_MODES = 2 };

typedef struct strain_mode {
  double *own;       /* per slot: part of its elongation in the strain of this molecule, */
  double *mirror;    /* and in that of the other one */
  double *stiffness; /* per molecule: N mm per strain squared; may be negative, */
  double *bearable;  /* down to minus this times the shear modulus of its springs */
} strain_mode;

typedef struct molecules {
  const syn_context *context;
  uint32_t count;
  size_t spring_count, slot_count;
  const syn_vec3 *rest; /* the soft body's */
  const double *mass;
  const syn_pattern *pattern;
  double *radius, *volume; /* at rest, mm and mm^3 */
  uint32_t *row, *degree, *other;
  uint32_t *twin;    /* per slot: the slot of the same spring on the other side */
  double *length;    /* per slot: nominal, mm */
  double *memory;    /* per slot: length without force, then stiffness in N/mm */
  double *no_force;  /* = memory */
  double *stiffness; /* = memory + slot_count */
  double *area;      /* per slot: cross section that a spring stands for, mm^2 */
  double *share;     /* per slot: share of this molecule in an isotropic spring of shear modulus 1 */
  int mode_count;
  strain_mode modes[STRAIN_MODES];
  double *mode_force; /* buffer: N mm per strain, of all molecules, mode by mode; then as many changes of them */
  double damping_s, damping_per_s, friction, medium; /* the medium's density in t/mm^3 */
  double relaxing_part, relaxing_s;
  double young_mpa;
  bool angles_updated;
} molecules;

/* Builds a body from balls and connections, after checks; stiffnesses are still 0. Fills rest, mass, pattern and the
 * model's state. */
syn_status syn_molecule_build(const syn_molecules *from, syn_soft *soft, syn_error *error);
/* Sets the stiffness of springs and modes by the rule in the options. */
syn_status syn_molecule_set_stiffness(const syn_molecules *from, syn_soft *soft, syn_error *error);
/* Anchors the vertices of the skin to the nearest molecules. Takes ownership of the mesh. */
syn_status syn_molecule_anchor_skin(syn_soft *soft, syn_trimesh *skin, syn_error *error);
/* Makes the isosurface of metaballs about `centers`. */
syn_status syn_molecule_metaballs(const syn_context *context, const syn_vec3 *centers, const double *radii,
                                  uint32_t count, double cell_mm, syn_trimesh **skin, syn_error *error);
/* Fills a closed surface. Release with syn_molecule_filling_release. */
typedef struct molecule_filling {
  const syn_context *context;
  uint32_t count;
  syn_vec3 *centers;
  double *radii, *volumes;
  size_t connection_count;
  uint32_t (*connections)[2];
} molecule_filling;
syn_status syn_molecule_fill(const syn_context *context, const syn_trimesh *surface, double spacing_mm,
                             const char *name, molecule_filling *filling, syn_error *error);
void syn_molecule_filling_release(molecule_filling *filling);

/* ---- the terms of the model -----------------------------------------------------------------------------------------
 */

void syn_molecule_force(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f);
double syn_molecule_energy(const void *state, const syn_vec3 *x);
void syn_molecule_stiffness(const void *state, const syn_vec3 *x, double per_s, bool definite, double (*blocks)[9]);
void syn_molecule_project(const void *state, double step_s, const double *inverse_mass, syn_vec3 *x, double *lambda);
void syn_molecule_stress(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress, syn_sym3 *strain);
/* -df/dx at x as the contribution of each slot, and its product with u. `definite` as in syn_soft_model. */
typedef struct slot_tangent {
  syn_vec3 n;           /* unit, towards the other molecule */
  double along, across; /* k, and tension over length */
} slot_tangent;
void syn_molecule_tangents(const molecules *m, const syn_vec3 *x, bool definite, slot_tangent *tangents);
void syn_molecule_apply(const molecules *m, const slot_tangent *tangents, bool definite, const syn_vec3 *u,
                        syn_vec3 *y);
/* Computes mode_force at positions x. */
void syn_molecule_mode_forces(const molecules *m, const syn_vec3 *x);

/* Bit-identical kernels: portable, and with AVX2. `v` may be NULL. */
void syn_molecule_springs(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f);
void syn_molecule_springs_avx2(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f);

/* ---- virtual tests --------------------------------------------------------------------------------------------------
 */

/* A pull test: one end held, the other pulled (Maciel 2005, §3.4.2). */
typedef struct pull_test {
  syn_vec3 direction;
  double force_n;  /* 0: infinitesimal */
  double area_mm2; /* cross section of the body; 0: its volume over its length */
} pull_test;
/* `x` (may be NULL): the positions of the molecules under the force. */
syn_status syn_molecule_pull(const molecules *m, const pull_test *test, double *young_mpa, double *elongation_mm,
                             syn_vec3 *x, syn_error *error);
/* Returns the coordinate axis along which the body is longest. */
syn_vec3 syn_molecule_longest(const molecules *m);
/* Displaces the surface by the uniform strain (a b + b a) / 2, a and b unit vectors, with the inside in equilibrium:
 * *modulus_mpa is twice the energy over the volume. a = b: the modulus of a body that cannot widen (lambda + 2 mu);
 * perpendicular: the shear modulus. Infinitesimal. */
syn_status syn_molecule_strain(const molecules *m, syn_vec3 a, syn_vec3 b, double *modulus_mpa, syn_error *error);

/* Returns k by angles (Maciel 2005, Eq. 3.21), of slot s of molecule i with the molecules at x. */
double syn_molecule_angle_stiffness(const molecules *m, const syn_vec3 *x, uint32_t i, uint32_t s);
/* Writes the stiffness of the spring of slot s on both sides. */
static inline void set_spring(molecules *m, uint32_t s, double stiffness) {
  m->stiffness[s] = m->stiffness[m->twin[s]] = stiffness;
}

/* Length of a spring, bounded below. */
static inline double spring_length(syn_vec3 d) { return sqrt(max2(vec3_length2(d), 1e-300)); }

#endif
