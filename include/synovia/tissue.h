/* Synovia: models of deformable soft tissue.
 *
 * A soft body is a set of nodes that carry its mass, and a model that computes the forces between them: molecules
 * (Maciel 2005), volume distribution (Sundaraj 2004) or finite elements. All models share one interface.
 *
 * Units: mm, N, MPa, s; energies N mm; masses in tonnes (1000 kg), so that force = mass * acceleration needs no
 * factor. */
#ifndef SYNOVIA_TISSUE_H
#define SYNOVIA_TISSUE_H

#include <synovia/collide.h>
#include <synovia/joint.h>
#include <synovia/mesh.h>

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
SYN_ENUM(syn_spring_rule); /* "moduli", "iterative", "linear", … */

/* Stress and strain of finite elements. */
typedef enum syn_law {
  SYN_LAW_COROTATIONAL, /* linear in a frame that rotates with each element */
  SYN_LAW_LINEAR,       /* small displacements */
  SYN_LAW_NEO_HOOKEAN,  /* compressible, large strains */
  SYN_LAW_FIBRES,       /* neo-Hookean with fibres that only resist stretch: transversely isotropic */
  SYN_LAWS
} syn_law;
SYN_ENUM(syn_law); /* "corotational", "linear", "neo-hookean", "fibres" */

/* Solver of the volume distribution method (Sundaraj 2004, §3.3). */
typedef enum syn_vdm_solver {
  SYN_VDM_LINEAR,       /* one factorisation, reused */
  SYN_VDM_QUASI_LINEAR, /* the inverse follows changed constraints by Sherman and Morrison's formula */
  SYN_VDM_NONLINEAR,    /* areas and directions follow the shape: BiCG from the last solution */
  SYN_VDM_SOLVERS
} syn_vdm_solver;
SYN_ENUM(syn_vdm_solver); /* "linear", "quasi-linear", "nonlinear" */

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

/* One soft body. Immutable but for what materials with memory remember and for work memory: one thread asks it at a
 * time. The body need not outlive it. */
typedef struct syn_soft syn_soft;
/* `model` is "molecules", "vdm" or "fem". `options` may be NULL: defaults. SYN_BAD_ARGUMENT for a model of no such name
 * or a material that is not complete or not elastic; SYN_BAD_MESH where the body does not have the mesh that the model
 * needs. */
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
SYN_ENUM(syn_element);                                         /* "tet4", "tet10", "hex8" */
SYN_API extern const uint32_t syn_element_nodes[SYN_ELEMENTS]; /* their numbers of nodes */

/* Borrows its arrays. */
typedef struct syn_fem_mesh {
  syn_element element; /* of all */
  uint32_t node_count, element_count;
  const syn_vec3 *nodes;
  const uint32_t *elements; /* syn_element_nodes[element] nodes for each, one after the other */
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

/* Forces at positions x and velocities v (NULL: at rest); caller's array, overwritten. */
SYN_API void syn_soft_forces(const syn_soft *soft, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f);
/* Elastic energy; NAN for a model that has none. */
SYN_API double syn_soft_energy(const syn_soft *soft, const syn_vec3 *x);
/* Cauchy stress and strain at the nodes; either may be NULL. */
SYN_API void syn_soft_stress(const syn_soft *soft, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress,
                             syn_sym3 *strain);
/* Volume inside the skin. */
SYN_API double syn_soft_volume(const syn_soft *soft, const syn_vec3 *x);

/* ==== simulation ================================================================================================== */

/* dynamics and statics of soft and rigid bodies in contact.
 *
 * Add bodies, prescribe degrees of freedom, set loads and contacts; then every call of syn_simulation_step() computes
 * one time step, or one equilibrium. Rigid bodies follow prescribed poses. Units as in tissue.h. */

typedef enum syn_integrator {
  SYN_INTEGRATOR_IMPLICIT,   /* implicit Euler, solved by Newton's method: stable, damps fast vibrations */
  SYN_INTEGRATOR_STATIC,     /* equilibrium, without inertia */
  SYN_INTEGRATOR_POSITIONS,  /* XPBD in small steps (Macklin et al. 2016, 2019): a step is automatically divided into
                                substeps as short as the vibration of the stiffest body, and refused if too many are
                                needed */
  SYN_INTEGRATOR_SYMPLECTIC, /* Euler with the new velocity: keeps energy, small steps only */
  SYN_INTEGRATOR_RK4,        /* Runge and Kutta's fourth order */
  SYN_INTEGRATOR_EXPLICIT,   /* Euler with the old velocity, as in Maciel 2005, §3.4.3: gains energy */
  SYN_INTEGRATORS
} syn_integrator;
/* "implicit", "static", "positions", "symplectic", "rk4", "explicit" */
SYN_ENUM(syn_integrator);

/* Contact response. Barriers and penalties are forces with an energy: with implicit steps a contact returns at most the
 * energy that it took, and momentum is conserved. The others follow the cited works and conserve less. CORRECTION moves
 * nodes without changing velocities, which adds elastic energy at every depth (two cubes that collided freely gained
 * tens of times their energy, cubes of molecules more). LOOK_AHEAD removes velocities on each side separately, so that
 * the momentum of a free pair is not conserved, and also moves nodes. VOLUME keeps the force of the start of the step
 * constant for the whole step, and an impact may end with twice the energy. */
typedef enum syn_response {
  SYN_RESPONSE_BARRIER, /* surfaces never cross (Incremental Potential Contact, Li et al. 2020); implicit and static */
  SYN_RESPONSE_PENALTY, /* a force for every penetrating vertex (Maciel 2005, Eq. 4.31) */
  SYN_RESPONSE_CORRECTION, /* penetrating vertices are put onto the surface (Maciel 2005, Eq. 4.34 and 4.35) */
  SYN_RESPONSE_LOOK_AHEAD, /* velocities that would cause penetration are removed (Maciel 2005, Algorithm 7) */
  SYN_RESPONSE_VOLUME,     /* one force in the centre of the overlap (Sundaraj 2004, Eq. 5.11) */
  SYN_RESPONSES
} syn_response;
SYN_ENUM(syn_response); /* "barrier", "penalty", … */

typedef struct syn_touch_options {
  syn_response response;       /* default PENALTY */
  const char *method;          /* detection, a syn_method_info name; default "distance"; the barrier has its own */
  syn_collide_options collide; /* of that method; both roles are queried if the method has them */
  double pressure_mpa_mm;      /* penalty: pressure per mm of depth; volume: force per mm3 of overlap, N; default 0:
                                * the modulus of the softer body by the mean edge of its skin */
  double damping_s;            /* volume: seconds times the growth rate of the overlap; default 0 */
  double barrier_mm;           /* barrier: surfaces nearer than this repel; default 0: a thousandth of the scene */
  double barrier_mpa;          /* barrier: its stiffness; default 0: the stiffest of the two bodies' moduli */
  uint32_t cookie;
} syn_touch_options;
SYN_API syn_touch_options syn_default_touch_options(void);

typedef struct syn_simulation_options {
  syn_integrator integrator; /* default IMPLICIT */
  double step_s;             /* default 0.001 */
  syn_vec3 gravity;          /* mm / s^2; default 0 */
  double tolerance;          /* implicit and static: the last correction, relative to the scene's size; default 1e-9 */
  uint32_t iterations; /* maximum: of Newton's method, default 0: 100; sweeps of XPBD over each substep, default 0: 1 */
  uint32_t halvings;   /* implicit and static: maximum number of halvings of a step without a solution, default 10 */
  uint32_t cookie;
} syn_simulation_options;
SYN_API syn_simulation_options syn_default_simulation_options(void);

/* Used by one thread at a time. */
typedef struct syn_simulation syn_simulation;
/* `options` may be NULL: defaults. */
SYN_API syn_status syn_simulation_create(const syn_context *context, const syn_simulation_options *options,
                                         syn_simulation **simulation, syn_error *error);
SYN_API void syn_simulation_destroy(syn_simulation *simulation); /* NULL is fine */

/* ---- the scene -----------------------------------------------------------------------------------------------------
 */

/* Adds a soft body at rest, or a rigid one at its mesh position; both are borrowed and must outlive the simulation,
 * as their names in messages; without a name (NULL) messages say "body" and its number. Bodies are numbered in the
 * order in which they are added. */
SYN_API syn_status syn_simulation_add_soft(syn_simulation *simulation, syn_soft *soft, const char *name, uint32_t *body,
                                           syn_error *error);
SYN_API syn_status syn_simulation_add_rigid(syn_simulation *simulation, const syn_trimesh *surface, const char *name,
                                            uint32_t *body, syn_error *error);
/* Prescribes degrees of freedom of a node of a soft body: it moves with the rigid body `to`, or keeps its position
 * (SYN_NONE). `axes` has bit 1 for x, 2 for y, 4 for z. Axes of several calls add up, as for nodes on two planes of
 * symmetry. `axes` 0 with `to` SYN_NONE releases the node in all axes. A node that moves with a body is prescribed in
 * all axes; SYN_BAD_ARGUMENT if it is prescribed otherwise or by another body already: release it first. */
SYN_API syn_status syn_simulation_prescribe(syn_simulation *simulation, uint32_t body, uint32_t node, unsigned axes,
                                            uint32_t to, syn_error *error);
/* Sets the target position of the prescribed axes of a node for the end of the next step. Not for nodes that move with
 * a body. */
SYN_API void syn_simulation_move_node(syn_simulation *simulation, uint32_t body, uint32_t node, syn_vec3 place);
/* Sets the pose of the rigid body, relative to its mesh, at the end of the next step. */
SYN_API void syn_simulation_move(syn_simulation *simulation, uint32_t body, const syn_pose *pose);
/* Sets the external force on a node from now on; it replaces the previous one. */
SYN_API void syn_simulation_load(syn_simulation *simulation, uint32_t body, uint32_t node, syn_vec3 force);
/* Sets positions and velocities of a soft body's nodes; either may be NULL: unchanged. */
SYN_API void syn_simulation_set_motion(syn_simulation *simulation, uint32_t body, const syn_vec3 *x, const syn_vec3 *v);
/* Adds a pair of bodies to contact detection from now on. At least one is soft. `options` may be NULL: defaults. */
SYN_API syn_status syn_simulation_touch(syn_simulation *simulation, uint32_t fixed, uint32_t mobile,
                                        const syn_touch_options *options, syn_error *error);

/* ---- steps ---------------------------------------------------------------------------------------------------------
 */

/* Sets the length of the following steps: a step that does not converge may do so in two halves. */
SYN_API syn_status syn_simulation_set_step(syn_simulation *simulation, double step_s, syn_error *error);
/* Computes one step. Implicit steps and equilibria without a solution are divided into substeps, halved at each failure
 * and lengthened after successes; in equilibrium the loads grow with them, and gravity in the first step.
 * SYN_NOT_CONVERGED if the step diverges or has no solution in substeps either: the message names the step, the node
 * and its body, or the unconstrained body, and the state before the step is restored. */
SYN_API syn_status syn_simulation_step(syn_simulation *simulation, syn_error *error);

/* A simulation after a step. */
typedef struct syn_tissue_step {
  uint64_t step; /* number of steps so far */
  double time_s;
  double kinetic_nmm, elastic_nmm, contact_nmm; /* energies; NAN where a model has none */
  double volume_mm3;                            /* of all soft bodies */
  double depth_mm;   /* maximum penetration; negative: the minimum distance of a barrier's pairs; NAN without contact */
  uint32_t touching; /* pairs of features, or penetrating vertices, at the end of the step */
  uint32_t iterations; /* of the step */
  /* Only in the moments of a run; NAN from syn_simulation_report. */
  double contact_n;       /* sum of the contact forces on soft bodies, as lengths */
  double von_mises_mpa;   /* maximum of all soft bodies */
  double displacement_mm; /* the same */
} syn_tissue_step;
SYN_API void syn_simulation_report(const syn_simulation *simulation, syn_tissue_step *step);

/* Of a soft body; valid until a body is added. */
SYN_API const syn_vec3 *syn_simulation_positions(const syn_simulation *simulation, uint32_t body);
SYN_API const syn_vec3 *syn_simulation_velocities(const syn_simulation *simulation, uint32_t body);
/* Returns the force on each node at the end of the last step: of contact, and of reaction at prescribed degrees of
 * freedom (zero for free nodes); caller's arrays, either may be NULL. */
SYN_API void syn_simulation_forces(const syn_simulation *simulation, uint32_t body, syn_vec3 *contact, syn_vec3 *hold);
/* The complete state as an array of numbers: positions, velocities, poses, loads and state variables of materials. A
 * simulation of the same scene that is set to it continues with the same bits. Returns their count; `state` may be
 * NULL: only the count. */
SYN_API size_t syn_simulation_get_state(syn_simulation *simulation, double *state);
SYN_API void syn_simulation_set_state(syn_simulation *simulation, const double *state);
/* Returns the current pose of a rigid body. */
SYN_API syn_pose syn_simulation_pose(const syn_simulation *simulation, uint32_t body);

/* ==== molecules =================================================================================================== */

/* Experimental: bodies of molecules (Maciel 2005, §3.4), the model "molecules" of tissue.h: made of given balls and
 * connections, tested, and covered with metaballs. Units as in tissue.h. */

/* Input balls and connections; members that are zero have no effect. Borrows everything; nodes keep the order of the
 * balls. */
typedef struct syn_molecules {
  uint32_t count;
  const syn_vec3 *centers;
  const double *radii_mm;
  const double *volumes_mm3; /* that each ball represents; NULL: the cube around the ball */
  size_t connection_count;
  const uint32_t (*connections)[2];
  size_t tet_count; /* for the rule 'tetrahedral': their edges are connections */
  const syn_tet *tets;
  double spring_area_mm2;  /* cross section that each spring represents; 0: that of the volumes at its ends */
  syn_vec3 pull;           /* direction of the virtual tensile test; zero: the axis along which the body is longest */
  double pull_n;           /* its force; 0: infinitesimal */
  double pull_area_mm2;    /* cross section of the body; 0: volume by length */
  const syn_trimesh *skin; /* NULL: metaballs (§3.4.5) */
  bool bare;               /* with NULL: no skin at all */
} syn_molecules;
/* The material must be complete in the options. SYN_BAD_ARGUMENT names the ball or connection that is not valid;
 * SYN_NOT_CONVERGED: no stiffness shows the moduli. */
SYN_EXPERIMENTAL syn_status syn_molecules_create(const syn_context *context, const syn_molecules *molecules,
                                                 const syn_soft_options *options, syn_soft **soft, syn_error *error);
/* The connections, and their stiffness in N/mm; caller's arrays, either may be NULL. Returns their count; 0 for other
 * models. */
SYN_EXPERIMENTAL size_t syn_molecules_connections(const syn_soft *soft, uint32_t (*connections)[2],
                                                  double *stiffness_n_mm);
/* The virtual tensile test (Eq. 3.17): molecules at the low end along `direction` are fixed, those at the high end
 * share the force (0: infinitesimal, for 1 N). area_mm2 0: volume by length. */
SYN_EXPERIMENTAL syn_status syn_molecules_pull(const syn_soft *soft, syn_vec3 direction, double force_n,
                                               double area_mm2, double *young_mpa, double *elongation_mm,
                                               syn_error *error);
/* The skin of metaballs around molecules at x: the surface where Σ (1 - d^2 / 4 r^2)^2 over the balls falls to 9/16, as
 * around one alone at its radius r. Grid of `cell_mm` (0: half the smallest radius). Destroy it with
 * syn_trimesh_destroy. */
SYN_EXPERIMENTAL syn_status syn_molecules_skin(const syn_soft *soft, const syn_vec3 *x, double cell_mm,
                                               syn_trimesh **skin, syn_error *error);

/* ==== vdm ========================================================================================================= */

/* Experimental: the volume distribution method (Sundaraj 2004, §3).
 *
 * A body is an elastic skin around a fluid that cannot be compressed. Its nodes are the vertices of a closed surface.
 * Node i has a part A_i of the area and V_i = A_i V / A of the volume. In each direction its displacement L_i obeys
 *   B_i A_i L_i / V_i + sum over neighbours j of B_ij (A_i L_i - A_j L_j) / V_i - p n_i = d g h_i n_i + t_i
 * with the pressure p of the fluid, the same everywhere, the normal n_i, the density d, the depth h_i below the highest
 * node, and the traction t_i of a contact (Eq. 3.31). The volume is kept: sum of A_i n_i L_i = 0 (Eq. 3.37), or the
 * volume of the mesh itself (Eq. 3.43).
 *
 * The functions take bodies that syn_soft_create made with the model "vdm"; the options choose the moduli and the
 * solver. All of them but the first change the body: one thread at a time. syn_soft_stress has the stress of Eq. 3.29
 * on the diagonal of a tensor; for infinite B it is the reaction pressure at the node. */

/* Areas (mm2) and volumes (mm3) of the nodes while they are at x (NULL: at rest; Eq. 3.1 to 3.4); caller's arrays,
 * either may be NULL. */
SYN_EXPERIMENTAL syn_status syn_vdm_distribution(const syn_soft *soft, const syn_vec3 *x, double *areas_mm2,
                                                 double *volumes_mm3, syn_error *error);
/* Sets B of every node in x, y and z, and B_ij of every pair of neighbours, the edges of syn_topology_create in their
 * order; at least 0 MPa. Either may be NULL: unchanged. INFINITY: the node does not move in that direction; A_i L_i and
 * A_j L_j are the same. */
SYN_EXPERIMENTAL syn_status syn_vdm_set_moduli(syn_soft *soft, const syn_vec3 *bulk_mpa, const double *connectivity_mpa,
                                               syn_error *error);
/* Acceleration of gravity, mm/s2; default none. */
SYN_EXPERIMENTAL syn_status syn_vdm_set_gravity(syn_soft *soft, syn_vec3 gravity_mm_s2, syn_error *error);

/* Boundary condition of a node in one direction (Sundaraj 2004, §3.2.10). */
typedef enum syn_vdm_constraint {
  SYN_VDM_FREE,        /* free to move */
  SYN_VDM_CONTACT,     /* prescribed traction in MPa */
  SYN_VDM_FIXED,       /* does not move */
  SYN_VDM_CONSTRAINED, /* prescribed displacement in mm */
  SYN_VDM_CONSTRAINTS
} syn_vdm_constraint;
SYN_ENUM(syn_vdm_constraint); /* "free", "contact", … */

/* Sets the boundary condition of a node (SYN_NONE: of all nodes) in the directions of `axes` (SYN_X, SYN_Y, SYN_Z);
 * `value` is the traction or the displacement there. All nodes are free at first. */
SYN_EXPERIMENTAL syn_status syn_vdm_prescribe(syn_soft *soft, uint32_t node, unsigned axes,
                                              syn_vdm_constraint constraint, syn_vec3 value, syn_error *error);

typedef struct syn_vdm_report {
  double pressure_mpa;     /* of the fluid */
  double volume_error;     /* (volume - that at rest) / that at rest; at most 1e-6 unless the solver is linear */
  double change_mm;        /* maximum displacement of a node in the last iteration; 0 for the linear solver */
  uint32_t iterations;     /* nonlinear: shapes; otherwise 1 */
  uint32_t bicg_steps;     /* nonlinear: of all systems together */
  uint32_t factorisations; /* since the body was made */
  uint32_t updates;        /* quasi-linear: constraints that the kept inverse followed by Sherman and Morrison's
                              formula, in this solution */
} syn_vdm_report;

/* Solves for the positions x of the nodes in equilibrium; caller's array, overwritten. The nonlinear solver starts from
 * the last solution. `report` may be NULL. SYN_BAD_ARGUMENT if the body is unconstrained or no node can change its
 * volume; SYN_NOT_CONVERGED if shape or volume do not converge: use smaller load steps. */
SYN_EXPERIMENTAL syn_status syn_vdm_solve(syn_soft *soft, syn_vec3 *x, syn_vdm_report *report, syn_error *error);

/* ==== tissue scene ================================================================================================ */

/* simulation of scenes of soft and rigid bodies from a file.
 *
 * docs/scene.md describes the file. An interrupted run resumes from its checkpoint and gives bit-identical results. */

/* A body of a scene, or of a run. */
typedef struct syn_tissue_body {
  const char *name, *model;   /* the model is "rigid", "fem", … */
  const syn_soft *soft;       /* NULL: rigid */
  const syn_trimesh *surface; /* at rest; of a soft body its skin */
  /* Fields of a soft body on the vertices of its skin, frame by frame; NULL unless the run keeps them. */
  const syn_vec3 *displacement_mm, *contact_n;
  const double *von_mises_mpa;
} syn_tissue_body;

typedef struct syn_tissue_scene {
  const char *name;
  syn_simulation *simulation; /* owned by the scene; advance it only with syn_tissue_scene_step */
  size_t body_count;
  const syn_tissue_body *bodies; /* numbered as in the simulation */
  double duration_s, step_s, frame_s;
  syn_integrator integrator;
  struct syn_scene_store *store; /* private */
} syn_tissue_scene;
/* Reads the file and its meshes, and creates the bodies and the simulation. `reading` (may be NULL) is for meshes.
 * SYN_BAD_FORMAT names the file and the key. Release with syn_tissue_scene_destroy. */
SYN_API syn_status syn_tissue_scene_read(const syn_context *context, const char *path, const syn_read_options *reading,
                                         syn_tissue_scene **scene, syn_error *error);
SYN_API void syn_tissue_scene_destroy(syn_tissue_scene *scene); /* NULL is fine */
/* Computes one step; bodies, loads and prescribed nodes follow the file. */
SYN_API syn_status syn_tissue_scene_step(syn_tissue_scene *scene, syn_error *error);

typedef struct syn_tissue_run {
  const syn_context *context;
  const syn_tissue_scene *scene;
  uint64_t step_count;
  double step_s, duration_s;
  const char *integrator;
  size_t moment_count; /* the start, and every frame */
  const syn_tissue_step *moments;
  uint64_t continued_at; /* step from which an earlier run was continued; 0: from the start */
  size_t kept_count;     /* frames whose fields are here; 0 unless keep_fields */
  const size_t *kept;    /* their numbers among the moments, ascending; the first and the last are among them */
  size_t body_count;
  const syn_tissue_body *bodies; /* those of the scene, with their fields */
} syn_tissue_run;

typedef struct syn_tissue_run_options {
  const char *folder; /* for files: BODY.pvd with BODY_0000.vtu …, energy.csv, checkpoint; NULL (default): none */
  bool restart;       /* do not continue an earlier run; default false */
  bool keep_fields;   /* keep the fields of at most 101 frames, evenly spread, for a page; default false */
  struct syn_outbox *outbox; /* private; receives the .pvd lists and energy.csv of a completed run, to be published
                         together with files made from it; NULL (default): they are published when the run ends */
  uint32_t cookie;
} syn_tissue_run_options;
SYN_API syn_tissue_run_options syn_default_tissue_run_options(void);

/* Runs a scene from its start, or from the checkpoint in the folder. SYN_NOT_CONVERGED if a step fails: the files
 * contain the earlier results. `options` may be NULL. Release with syn_tissue_run_destroy; the scene must outlive
 * it. */
SYN_API syn_status syn_tissue_scene_run(syn_tissue_scene *scene, const syn_tissue_run_options *options,
                                        syn_tissue_run **run, syn_error *error);
SYN_API void syn_tissue_run_destroy(syn_tissue_run *run); /* NULL is fine */

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_tissue_step_record; /* of syn_tissue_step[] */
SYN_API extern const syn_record syn_tissue_run_record;  /* of a syn_tissue_run */

/* ==== haptics ===================================================================================================== */

/* Experimental: haptic rendering of soft tissue. A probe touches one soft body of a simulation. One thread simulates
 * the body some 30 times a second, another computes the force on the probe 1000 times a second. The first passes a
 * small local model to the second: the points near the probe and their coupled compliance.
 *
 *   syn_haptics_create(NULL, simulation, body, NULL, &haptics, &error);
 *   syn_haptics_push_device(NULL, &push, &device, &error);
 *   syn_haptics_run(haptics, &device, 10, &report, &error);
 *
 * Units as in tissue.h. */

/* ---- devices --------------------------------------------------------------------------------------------------------
 */

/* A haptic device: moves the probe and renders the force. The force thread calls both functions in every period: they
 * must return within some microseconds, and neither allocate nor wait. */
typedef struct syn_haptics_device {
  /* Reads the position of the centre of the tip, `time_s` after the start; returns false to stop the loop. */
  bool (*read)(void *user, double time_s, syn_vec3 *tip);
  void (*write)(void *user, double time_s, syn_vec3 force); /* on the probe, N; NULL: nothing shows it */
  void (*destroy)(void *user);                              /* NULL: nothing to release */
  void *user;
} syn_haptics_device;
SYN_EXPERIMENTAL void syn_haptics_device_release(syn_haptics_device *device);

/* A recorded motion: a table with the columns time, x, y and z (s and mm; see syn_recording_read), straight between its
 * rows. It ends with the last one. */
SYN_EXPERIMENTAL syn_status syn_haptics_trajectory_device(const syn_context *context, const char *path,
                                                          syn_haptics_device *device, syn_error *error);

/* A push: from `from` along `way` and back in every period, as (1 - cos) / 2; the depth of period k is depth_mm times
 * 1 - variation * ((k * 7) mod 5) / 4, so that no two neighbours are the same (the quasi-sinusoidal motion of Sundaraj
 * 2004, Fig. 6.8). It never ends. */
typedef struct syn_haptics_push {
  syn_vec3 from;    /* the tip where it is farthest out */
  syn_vec3 way;     /* any length; default -z */
  double depth_mm;  /* default 10 */
  double period_s;  /* default 2 */
  double variation; /* 0 to 1; default 0.3 */
  uint32_t cookie;
} syn_haptics_push;
SYN_EXPERIMENTAL syn_haptics_push syn_default_haptics_push(void);
SYN_EXPERIMENTAL syn_status syn_haptics_push_device(const syn_context *context, const syn_haptics_push *push,
                                                    syn_haptics_device *device, syn_error *error);

/* A real device behind UDP on the loopback interface: docs/haptics.md describes the packets. It is bound to `port` of
 * 127.0.0.1 (0: any free one; *bound is which). The probe stays at `start` until the first packet comes. */
SYN_EXPERIMENTAL syn_status syn_haptics_udp_device(const syn_context *context, uint16_t port, syn_vec3 start,
                                                   uint16_t *bound, syn_haptics_device *device, syn_error *error);

/* ---- the tissue -----------------------------------------------------------------------------------------------------
 */

typedef struct syn_haptics_options {
  /* The probe: a convex cylinder with a flat tip. It does not rotate. */
  double probe_radius_mm; /* default 15 */
  double probe_length_mm; /* default 100 */
  syn_vec3 probe_axis;    /* from the tip to the handle, any length; default z: it pushes along -z */
  double simulation_hz;   /* frames per second; default 30; 0: as many as possible */
  double force_hz;        /* default 1000 */
  double reach_mm;     /* points of the skin nearer than this to the tip's centre may be touched; default 0: twice the
                          radius of the probe */
  uint32_t max_points; /* maximum number of points, the nearest ones; default 48, at most 256 */
  bool realtime;       /* ask for priority and locked memory; default true. Works without them, too */
  uint32_t cookie;
} syn_haptics_options;
SYN_EXPERIMENTAL syn_haptics_options syn_default_haptics_options(void);

/* A probe on one body. Used by one thread at a time, except for the two that syn_haptics_run starts. */
typedef struct syn_haptics syn_haptics;
/* The simulation is borrowed: it must outlive the object, and must not be stepped elsewhere meanwhile. Its integrator
 * is static or implicit. A body of the model "vdm" is solved by its own equations and felt through the buffer model of
 * Sundaraj 2004, §6.2.3; every other model through the compliance of the points near the probe, which is that of the
 * whole body. `options` may be NULL. */
SYN_EXPERIMENTAL syn_status syn_haptics_create(const syn_context *context, syn_simulation *simulation, uint32_t body,
                                               const syn_haptics_options *options, syn_haptics **haptics,
                                               syn_error *error);
SYN_EXPERIMENTAL void syn_haptics_destroy(syn_haptics *haptics); /* NULL is fine */

/* Computes one frame of the simulation with the tip at this position, and passes its points to syn_haptics_force.
 * *frame_force (may be NULL) is the force that the whole body has on the probe. */
SYN_EXPERIMENTAL syn_status syn_haptics_update(syn_haptics *haptics, syn_vec3 tip, syn_vec3 *frame_force,
                                               syn_error *error);
/* Computes the force on the probe with the tip at this position, N, from the points of the last frame. Allocates
 * nothing. The same calls in the same order give the same bits. */
SYN_EXPERIMENTAL syn_vec3 syn_haptics_force(syn_haptics *haptics, syn_vec3 tip);

/* ---- the loop -------------------------------------------------------------------------------------------------------
 */

/* Microseconds; to within 2 %. */
typedef struct syn_haptics_times {
  double p50_us, p99_us, p999_us, max_us;
} syn_haptics_times;

/* One period of the force loop. */
typedef struct syn_haptics_sample {
  double time_s;
  syn_vec3 tip, force;
  syn_vec3 frame_force; /* of the whole body, as of the last frame */
} syn_haptics_sample;

typedef struct syn_haptics_report {
  double seconds;              /* how long it ran */
  uint64_t periods;            /* of the force loop */
  uint64_t late;               /* periods whose force was not ready before the next one started, or that were skipped */
  double rate_hz;              /* periods per second, without skipped ones */
  uint64_t frames;             /* of the simulation */
  double simulation_hz;        /* frames per second */
  syn_haptics_times computing; /* from reading the device to the force */
  syn_haptics_times waking;    /* from the start of a period to the wake-up of the thread */
  bool has_priority;           /* the system granted a real-time priority */
  bool has_locked_memory;
  double force_n;                    /* the largest */
  uint32_t left_off;                 /* points beyond max_points, in the last frame */
  const syn_haptics_sample *samples; /* one per period; valid until the next run */
  size_t sample_count;
} syn_haptics_report;

/* Runs both threads for a number of seconds, at most 3600, or until the device ends. SYN_NO_MEMORY if a thread or
 * memory is not available; a frame that fails ends the run with its error. The context's progress is called about ten
 * times a second and may stop the run: SYN_CANCELLED. */
SYN_EXPERIMENTAL syn_status syn_haptics_run(syn_haptics *haptics, const syn_haptics_device *device, double seconds,
                                            syn_haptics_report *report, syn_error *error);

#ifdef __cplusplus
}
#endif
#endif
