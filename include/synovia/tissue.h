/* Synovia: models of deformable soft tissue.
 *
 * A soft body is a set of nodes that carry its mass, and a model that computes the forces between them: molecules
 * (Maciel 2005), volume distribution (Sundaraj 2004) or finite elements. All models share one interface.
 *
 * Units: mm, N, MPa, s; energies N mm; masses in tonnes (1000 kg), so that force = mass * acceleration needs no
 * factor. */
#ifndef SYNOVIA_TISSUE_H
#define SYNOVIA_TISSUE_H

#include <synovia/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A symmetric tensor: stress in MPa, or strain. */
typedef struct syn_sym3 {
  double xx, yy, zz, xy, yz, zx;
} syn_sym3;
/* Von Mises' equivalent stress. */
SYN_API double syn_sym3_von_mises(const syn_sym3 *stress);

/* ---- soft bodies ---------------------------------------------------------------------------------------------------
 */

/* Computation of the stiffness of the springs between molecules from Young's modulus (Maciel 2005, §3.4.2). */
typedef enum syn_spring_rule {
  SYN_SPRINGS_MODULI,      /* set until the body shows Young's modulus and the shear modulus in virtual tests: springs,
                              and a resistance to changes of volume around each molecule (§6.3) */
  SYN_SPRINGS_ITERATIVE,   /* scaled until the body shows Young's modulus in a virtual tensile test, one end fixed */
  SYN_SPRINGS_LINEAR,      /* a rod of the mean cross section for every spring */
  SYN_SPRINGS_TETRAHEDRAL, /* from the tetrahedra around each edge (van Gelder 1998) */
  SYN_SPRINGS_PLANE,       /* as linear, by a constant for cubic lattices with diagonals of faces (§3.4.2.3), */
  SYN_SPRINGS_SPACE,       /* or with those of cubes, too */
  SYN_SPRINGS_STATISTICAL, /* by the number of connections: Algorithm 1 */
  SYN_SPRINGS_ANGLES,      /* by the angles between springs at rest (Eq. 3.21) */
  SYN_SPRINGS_ANGLES_UPDATED, /* the same angles after every step */
  SYN_SPRING_RULES
} syn_spring_rule;
SYN_API const char *syn_spring_rule_name(syn_spring_rule rule); /* "moduli", "iterative", "linear", … */

/* Stress and strain of finite elements. */
typedef enum syn_law {
  SYN_LAW_COROTATIONAL, /* linear in a frame that rotates with each element */
  SYN_LAW_LINEAR,       /* small displacements */
  SYN_LAW_NEO_HOOKEAN,  /* compressible, large strains */
  SYN_LAW_FIBRES,       /* neo-Hookean with fibres that only resist stretch: transversely isotropic */
  SYN_LAWS
} syn_law;
SYN_API const char *syn_law_name(syn_law law); /* "corotational", "linear", "neo-hookean", "fibres" */

/* Solver of the volume distribution method (Sundaraj 2004, §3.3). */
typedef enum syn_vdm_solver {
  SYN_VDM_LINEAR,       /* one factorisation, reused */
  SYN_VDM_QUASI_LINEAR, /* the inverse follows changed constraints by Sherman and Morrison's formula */
  SYN_VDM_NONLINEAR,    /* areas and directions follow the shape: BiCG from the last solution */
  SYN_VDM_SOLVERS
} syn_vdm_solver;
SYN_API const char *syn_vdm_solver_name(syn_vdm_solver solver); /* "linear", "quasi-linear", "nonlinear" */

typedef struct syn_soft_options {
  syn_material material;   /* constants that are given (not NAN) replace those of the body; default none */
  syn_vec3 fibre;          /* direction of the fibres, any length; zero (default): isotropic */
  double fibre_mpa;        /* Young's modulus along them; default 0: that of the material */
  double damping_per_s;    /* a force -damping * mass * velocity on every node; default 0 */
  double damping_s;        /* viscous stress: seconds times the stiffness (Rayleigh's second coefficient); default 0 */
  double relaxing_part;    /* part of the stiffness that relaxes, 0 (default) to 1, */
  double relaxing_s;       /* in this time: a standard linear solid; default 1 */
  syn_spring_rule springs; /* molecules */
  double spacing_mm;       /* molecules: distance of neighbours when a mesh is filled with them; 0: for about 2000 */
  uint32_t anchors;        /* molecules: how many of them move a vertex of the skin; default 3 */
  double friction;         /* molecules: sliding friction across springs, by their force (3.13); default 0 */
  double medium_kg_m3;     /* molecules: density of what they move in (3.8); default 0 */
  bool metaballs;       /* molecules: the skin is one of metaballs (§3.4.5), not the body's surface; default false */
  syn_law law;          /* finite elements */
  bool quadratic;       /* finite elements: nodes on the edges, too; default false */
  bool hexahedra;       /* finite elements: a volume of hexahedra alone keeps them (B-bar); default false: divided */
  bool consistent_mass; /* finite elements: not lumped to the nodes; default false */
  double bulk_mpa;      /* volume distribution: B of every node; 0: the material's E / (3 (1 - 2 nu)) */
  double connectivity_mpa;   /* volume distribution: B between neighbours; 0: the material's shear modulus */
  syn_vdm_solver vdm_solver; /* volume distribution */
  uint32_t cookie;
} syn_soft_options;
SYN_API syn_soft_options syn_default_soft_options(void);

typedef struct syn_soft_model_info {
  const char *name;    /* "molecules", "vdm", "fem" */
  const char *summary; /* one sentence */
  bool needs_volume;   /* a body of tetrahedra; else a closed surface is enough */
  bool moves;          /* has forces at any position: may be stepped in time; else only equilibrium is solved */
} syn_soft_model_info;
SYN_API size_t syn_soft_model_count(void);
SYN_API syn_soft_model_info syn_soft_model_at(size_t index);

/* One soft body. Immutable but for what materials with memory remember and for work memory: one thread asks it at a
 * time. The body need not outlive it. */
typedef struct syn_soft syn_soft;
/* `options` may be NULL: defaults. SYN_BAD_ARGUMENT for a model of no such name or a material that is not complete or
 * not elastic; SYN_BAD_MESH where the body does not have the mesh that the model needs. */
SYN_API syn_status syn_soft_create(const syn_context *context, const char *model, const syn_body *body,
                                   const syn_soft_options *options, syn_soft **soft, syn_error *error);
SYN_API void syn_soft_destroy(syn_soft *soft); /* NULL is fine */

/* ---- finite elements of any kind -----------------------------------------------------------------------------------
 */

/* Numbered as in CalculiX and VTK. */
typedef enum syn_element {
  SYN_ELEMENT_TET4,  /* linear tetrahedron; (v1 - v0) x (v2 - v0) points to v3 */
  SYN_ELEMENT_TET10, /* quadratic: corners, then nodes on the edges 01, 12, 20, 03, 13, 23 */
  SYN_ELEMENT_HEX8, /* linear hexahedron: 0123 around the bottom, counterclockwise seen from the top; 4567 above them */
  SYN_ELEMENTS
} syn_element;
SYN_API const char *syn_element_name(syn_element element); /* "tet4", "tet10", "hex8" */
SYN_API uint32_t syn_element_node_count(syn_element element);

/* Borrows its arrays. */
typedef struct syn_fem_mesh {
  syn_element element; /* of all */
  uint32_t node_count, element_count;
  const syn_vec3 *nodes;
  const uint32_t *elements; /* syn_element_node_count(element) nodes for each, one after the other */
  /* The change of volume is taken at every point of integration, never as a mean over each element (B-bar). Locks in
   * nearly incompressible tissue; only to compare. Default false. */
  bool plain;
  /* Direction of the fibres in each element, any length; NULL (default): that of the options everywhere. Tissue with
   * curved fibres; only for the law SYN_LAW_FIBRES, and not for SYN_INTEGRATOR_POSITIONS. */
  const syn_vec3 *fibres;
  /* Material of each element, complete; NULL (default): that of the options everywhere. Not for
   * SYN_INTEGRATOR_POSITIONS. */
  const syn_material *materials;
} syn_fem_mesh;
/* A soft body of the model "fem" whose nodes are those of the mesh, in their order. The material of the options must be
 * complete also where elements have their own; the mesh need not outlive the body. SYN_BAD_MESH names the first element
 * that is flat, inverted or has a node out of range, and the first node that belongs to no element. */
SYN_API syn_status syn_soft_fem_create(const syn_context *context, const syn_fem_mesh *mesh,
                                       const syn_soft_options *options, syn_soft **soft, syn_error *error);

/* ---- questions -----------------------------------------------------------------------------------------------------
 */

SYN_API const char *syn_soft_model_name(const syn_soft *soft);
SYN_API uint32_t syn_soft_node_count(const syn_soft *soft);
SYN_API const syn_vec3 *syn_soft_rest(const syn_soft *soft); /* positions of the nodes without forces */
SYN_API const double *syn_soft_masses(const syn_soft *soft); /* of the nodes, tonnes */

/* The surface that people see and that collides; its vertices are moved by the nodes. */
SYN_API const syn_trimesh *syn_soft_skin(const syn_soft *soft);
/* Where the vertices of the skin are while the nodes are at x; caller's array. */
SYN_API void syn_soft_skin_points(const syn_soft *soft, const syn_vec3 *x, syn_vec3 *points);
/* Adds forces on the vertices of the skin to those on the nodes. */
SYN_API void syn_soft_skin_forces(const syn_soft *soft, const syn_vec3 *skin_forces, syn_vec3 *f);
/* Values at the nodes as values on the skin, weighted alike. */
SYN_API void syn_soft_skin_values(const syn_soft *soft, const syn_sym3 *values, syn_sym3 *on_skin);

/* Computes the share of each node in the surface at rest, over the faces all of whose nodes are chosen: the integral of
 * its shape function over them, mm2, and the same as a vector along the outward normal. A pressure p on these faces is
 * the force -p * facing on every node, and a traction t the force t * area: they add up to exactly what acts on the
 * faces, and are consistent with the elements (the corners of quadratic triangles get nothing). Zero for other nodes;
 * molecules lie inside the surface and have none. One entry per node in all arrays; the last two are overwritten. */
SYN_API syn_status syn_soft_face_shares(const syn_soft *soft, const bool *chosen, double *areas_mm2,
                                        syn_vec3 *facing_mm2, syn_error *error);

/* Forces at positions x and velocities v (NULL: at rest); caller's array, overwritten. */
SYN_API void syn_soft_forces(const syn_soft *soft, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f);
/* Elastic energy; NAN for a model that has none. */
SYN_API double syn_soft_energy(const syn_soft *soft, const syn_vec3 *x);
/* Cauchy stress and strain at the nodes; either may be NULL. */
SYN_API void syn_soft_stress(const syn_soft *soft, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress,
                             syn_sym3 *strain);
/* Volume inside the skin. */
SYN_API double syn_soft_volume(const syn_soft *soft, const syn_vec3 *x);

#ifdef __cplusplus
}
#endif
#endif
