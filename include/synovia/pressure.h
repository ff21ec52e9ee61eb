/* Synovia: contact pressure in a loaded joint.
 *
 * Cartilage, labrum and the transition zone between them are layers of hexahedra bonded to rigid bones. The distal bone
 * has a prescribed rotation; its translation is found from the balance of the joint force and the contact pressure. The
 * pressure is computed by finite elements, by an elastic foundation on the same layers, or by an estimate from shape.
 * Units: mm, N, MPa, radians. */
#ifndef SYNOVIA_PRESSURE_H
#define SYNOVIA_PRESSURE_H

#include <synovia/clinic.h>
#include <synovia/solve.h>
#include <synovia/tissue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- layers --------------------------------------------------------------------------------------------------------
 */

/* The soft tissue on one bone. Owns its arrays; release with syn_layer_release. */
typedef struct syn_layer {
  const syn_context *context;
  bool moves;   /* with the distal bone */
  bool assumed; /* made without a scan of the cartilage: its thickness is assumed */
  uint32_t node_count, element_count, face_count, region_count;
  uint32_t rigid_node_count; /* the last nodes, which belong to rigid faces and to no hexahedron */
  syn_vec3 *nodes;           /* in the frame of the meshes */
  uint8_t *on_bone;          /* of each node: 1 if it is bonded to the rigid bone */
  uint32_t *elements;        /* hexahedra, SYN_ELEMENT_HEX8: eight nodes for each; 0123 towards the bone. With
                                edge_nodes: SYN_ELEMENT_TET10, ten nodes for each */
  uint8_t *element_region;   /* index into `regions` */
  /* The articular surface: counterclockwise seen from the joint space, and the hexahedron behind each face. */
  uint32_t (*faces)[4];
  uint32_t (*edge_nodes)[3]; /* of a closed body meshed with quadratic tetrahedra: the nodes on the edges 01, 12, 20 of
                                each face, which is a triangle with its last node twice; NULL: hexahedra */
  uint32_t *face_element;    /* SYN_NONE: a rigid face, of bone without soft tissue; its nodes are all on_bone */
  double *thickness_mm;      /* of the layer below each node of a face, along the normal; NAN for other nodes */
  syn_tissue tissues[4];     /* of the regions */
  syn_material materials[4]; /* complete */
  /* How the layer was made, for reports: */
  char note[256];        /* a sentence on the source of surface and thickness; "" in a layer filled by the caller */
  uint32_t interpolated; /* columns whose ray missed the surface; interpolated from neighbours */
  uint32_t thickened;    /* columns below the minimum thickness: their bone face was moved back */
  double max_added_mm;   /* largest thickness that was added there */
  uint32_t separated;    /* columns whose surface was moved back because the cartilages overlap as scanned */
  double overlap_mm;     /* maximum depth of these overlaps */
  double smoothed_mm;    /* root mean square displacement of the bonded face by smoothing; 0: not smoothed */
  /* Size and mesh quality, as made: */
  double area_mm2, region_area_mm2[4]; /* of the faces of hexahedra; by region */
  double rigid_area_mm2;
  double volume_mm3, region_volume_mm3[4];
  double min_thickness_mm, mean_thickness_mm, max_thickness_mm; /* mean over the area */
  double min_jacobian; /* smallest Jacobian at a node over the lengths of its three edges; 1 is a cube */
  double max_aspect;   /* longest over shortest edge of a hexahedron */
  uint32_t inverted;   /* hexahedra with a Jacobian that is not positive at a node or an integration point */
} syn_layer;

SYN_API void syn_layer_release(syn_layer *layer); /* one that is zero is fine; leaves it so */

/* Extent of the cartilage on socket and head. */
typedef enum syn_layer_extent {
  SYN_EXTENT_HORSESHOE, /* the extent of the cartilage bodies, else the articular surface found on the bones: the socket
                           inside the rim without fossa and notch, the spherical part of the head */
  SYN_EXTENT_WHOLE,     /* the same including fossa and notch */
  SYN_EXTENT_PAINTED,   /* given by the caller */
  SYN_EXTENTS
} syn_layer_extent;
SYN_ENUM(syn_layer_extent); /* "horseshoe", "whole", "painted" */

typedef enum syn_layer_rule {
  SYN_RULE_MEASURED, /* between bone and the body of cartilage; on bones without one as by SYN_RULE_FILL */
  SYN_RULE_FILL,     /* half of the joint space each, regardless of cartilage bodies */
  SYN_RULE_CONSTANT, /* thickness_mm everywhere */
  SYN_RULE_GIVEN,    /* by vertex of the bones */
  SYN_RULES
} syn_layer_rule;
SYN_ENUM(syn_layer_rule); /* "measured", "fill", "constant", "given" */

typedef struct syn_layer_options {
  double edge_mm;  /* of the hexahedra along the surface; default 2 */
  uint32_t layers; /* through the thickness, 1 to 16; default 3 */
  syn_layer_extent extent;
  syn_layer_rule rule;
  double thickness_mm;     /* SYN_RULE_CONSTANT; default 2 */
  double min_thickness_mm; /* of a column; default 0.3 */
  double smooth_mm;        /* length over which rough bone is smoothed; default 4; 0: never */
  double labrum_mm;        /* height of a labrum generated on bones without one; default 0: no labrum */
  double rigid_mm;         /* width of bare bone around the head's cartilage that is part of its layer; default 30 */
  /* For each vertex of pelvis and femur: thickness for SYN_RULE_GIVEN, and for SYN_EXTENT_PAINTED a number that is 0.5
   * or more where there is cartilage. NULL (default): not given. */
  const double *pelvis_thickness_mm, *femur_thickness_mm, *pelvis_painted, *femur_painted;
  /* The same from files: the mesh of a bone with one number on each of its vertices, the first such field of the file.
   * A thickness sets SYN_RULE_GIVEN, a region SYN_EXTENT_PAINTED. NULL (default): not given. */
  const char *pelvis_thickness_file, *femur_thickness_file, *pelvis_region_file, *femur_region_file;
  const syn_read_options *reading; /* of these files; default NULL: defaults */
  uint32_t cookie;
} syn_layer_options;
SYN_API syn_layer_options syn_default_layer_options(void);

/* The layers of a hip: cartilage, transition zone and labrum of the socket in one mesh, the head's cartilage with the
 * bare bone round it. Both faces of each column lie on one ray from the centre, so that no hexahedron is inverted;
 * surfaces of cartilage that overlap as scanned are separated at the middle. Release both with syn_layer_release.
 * SYN_BAD_MESH where the bones have no head or no socket; SYN_BAD_ARGUMENT where an option is out of range or its
 * values are missing; SYN_BAD_FORMAT where a file has no such field, or another number of vertices. `options` may be
 * NULL: defaults. */
SYN_API syn_status syn_hip_layers_create(const syn_context *context, const syn_hip_case *hip_case,
                                         const syn_layer_options *options, syn_layer *socket, syn_layer *head,
                                         syn_error *error);

/* Writes hexahedra and rigid faces as VTU, with `region`, `thickness_mm` and `on_bone`, and the caller's fields on
 * SYN_ON_POINTS (nodes) or SYN_ON_ELEMENTS. `nodes` (NULL: at rest) are the current positions. */
SYN_API syn_status syn_layer_write(const syn_layer *layer, const syn_vec3 *nodes, const syn_field *fields,
                                   size_t field_count, const char *path, syn_error *error);

/* ---- what the joint does -------------------------------------------------------------------------------------------
 */

/* One instant of a motion under load. */
typedef struct syn_load_step {
  double at;        /* 0 to 1: part of the motion */
  double time_s;    /* of a recording; NAN: not known */
  double angles[3]; /* of a hip: flexion, adduction, internal rotation, radians */
  syn_pose pose;    /* of the mobile body, relative to its mesh; of a hip the rotation about its centre */
  syn_vec3 force;   /* on the mobile body, by muscles and weight, N; in the frame of the meshes */
  /* For syn_contact_problem_solve alone: */
  syn_vec3 pivot; /* of the mobile mesh: centre of rotation of partial steps */
  uint8_t driven; /* axes along which the pose prescribes the translation: bits SYN_X, SYN_Y, SYN_Z; along the others
                     it follows from the force */
} syn_load_step;

/* ---- results -------------------------------------------------------------------------------------------------------
 */

/* Contact of one region of one layer, or of all regions. */
typedef struct syn_pressure_part {
  double peak_mpa, mean_mpa;           /* mean over the area in contact */
  double area_mm2;                     /* in contact */
  double force_n;                      /* resultant of the pressure */
  syn_vec3 center;                     /* of pressure; NAN without contact */
  double von_mises_mpa, principal_mpa; /* largest in the tissue: von Mises, and the largest principal stress by size;
                                          NAN for an elastic foundation */
  syn_tissue tissue;                   /* of a region, after syn_pressure_run */
} syn_pressure_part;

/* Warnings about the pressure of a step. Those of SYN_PRESSURE_INVALID make the step invalid. */
typedef enum syn_pressure_mark {
  SYN_PRESSURE_BARE_BONE,       /* bone beyond the assumed cartilage carries load */
  SYN_PRESSURE_PRESSED_THROUGH, /* cartilage is compressed by more than 90 % of its thickness: no material law is valid
                                   there */
  SYN_PRESSURE_LOAD_AXES, /* the load is given in the axes of the scan, because the frame of the femur is unknown */
  SYN_PRESSURE_STRAIN,    /* compressed by more than 50 %: a linear foundation is too compliant there */
  SYN_PRESSURE_FREE_EDGE, /* the peak is on the free edge of a layer */
  SYN_PRESSURE_FEW_NODES, /* few nodes carry the peak: it depends on the mesh */
  SYN_PRESSURE_MARKS
} syn_pressure_mark;
SYN_ENUM(syn_pressure_mark); /* "bare_bone", … */
enum {
  SYN_PRESSURE_INVALID = 1 << SYN_PRESSURE_BARE_BONE | 1 << SYN_PRESSURE_PRESSED_THROUGH | 1 << SYN_PRESSURE_LOAD_AXES
};

/* The joint at one instant, in equilibrium. */
typedef struct syn_pressure_step {
  syn_load_step loaded;
  syn_vec3 shift;         /* translation of the distal bone beyond loaded.pose, in equilibrium */
  syn_vec3 contact_force; /* on the distal bone, N; -loaded.force in equilibrium */
  syn_pressure_part total;
  syn_pressure_part regions[4];        /* of the layer on the proximal bone */
  uint32_t region_count;               /* how many of these are used, after syn_pressure_run; else 0 */
  const syn_pressure_part *foundation; /* the total by the elastic foundation; NULL unless asked for */
  uint32_t iterations;
  uint32_t squeezed; /* elements between bones, beyond any measured law; finite elements alone */
  double snap_mm;    /* as in syn_contact_solution; finite elements alone */
  double strain;     /* largest compression of a layer in contact, part of its thickness; syn_pressure_run sets it and
                        the marks; NAN where it is not known */
  uint64_t marks;    /* bit 1 << mark of each syn_pressure_mark that holds */
} syn_pressure_step;

/* ---- pressure from shape -------------------------------------------------------------------------------------------
 * Arbabi 2009, §4.5: estimates the pressure of a hip from its shape and from hips with known pressures.
 * docs/theory/pressure-estimate.md has the method. */

/* Radii of the femur, of its cartilage and of the soft tissue in the socket, in 36 x 18 directions each, over the
 * radius of the joint; 0 where a ray in that direction hits no surface. */
enum { SYN_PRESSURE_FEATURES = 3 * 36 * 18 };
/* SYN_BAD_ARGUMENT where the hip lacks the femur or one of the cartilages. */
SYN_API syn_status syn_pressure_features(const syn_context *context, const syn_hip *hip,
                                         double features[SYN_PRESSURE_FEATURES], syn_error *error);

/* Hips with known pressures, all for the same motion. A model filled by the caller borrows everything it points to; a
 * model that was trained or read owns it. */
typedef struct syn_pressure_model {
  const syn_context *context;
  const char *motion;      /* "stand_to_sit", … */
  const char *pressure_by; /* the method that gave the pressures: "fem", "foundation" */
  size_t hip_count, step_count;
  const char *const *names;        /* of the hips, all different */
  const double *at;                /* of the steps: fraction of the motion, 0 to 1, increasing */
  const double *features;          /* SYN_PRESSURE_FEATURES of each hip */
  const syn_pressure_part *values; /* step_count of each hip: peak, mean and area alone count; mean and area are known
                                      at all steps of all hips, or NAN in all */
  const double *errors_percent;    /* of each hip, see syn_pressure_trust; NULL: not tested yet */
  struct syn_arena *store;         /* private; NULL in one filled by the caller */
} syn_pressure_model;

/* Checks and copies a model. SYN_BAD_ARGUMENT if a hip or step is invalid, if there are fewer than three hips, or if
 * their shapes do not differ. Release with syn_pressure_model_destroy. */
SYN_API syn_status syn_pressure_model_train(const syn_context *context, const syn_pressure_model *given,
                                            syn_pressure_model **model, syn_error *error);
SYN_API void syn_pressure_model_destroy(syn_pressure_model *model); /* NULL is fine */
/* Trains a model from a CSV table with a row for each step of each hip, hip after hip, with the same steps in each:
 * columns `hip`, a joint file or a folder with a joint.json, relative to the table; `at`; `peak_mpa`, and optionally
 * `mean_mpa` and `area_mm2`. `region` (may be NULL): the columns "cartilage_peak_mpa" … of that name are read. Other
 * columns are ignored. */
SYN_API syn_status syn_pressure_model_train_table(const syn_context *context, const char *path, const char *region,
                                                  const char *motion, const char *pressure_by,
                                                  syn_pressure_model **model, syn_error *error);
/* JSON, written atomically. SYN_BAD_FORMAT describes the error in the file. */
SYN_API syn_status syn_pressure_model_write(const syn_context *context, const syn_pressure_model *model,
                                            const char *path, syn_error *error);
SYN_API syn_status syn_pressure_model_read(const syn_context *context, const char *path, syn_pressure_model **model,
                                           syn_error *error);

/* Accuracy of an estimate. A hip of the model is tested by leaving out all hips that share the shape of one tissue with
 * it (femur, cartilage or socket, each in turn), because on a grid of shapes such hips contain the answer. */
typedef struct syn_pressure_trust {
  size_t nearest;       /* hip of the model */
  double distance;      /* root mean square difference of the radii, relative to the joint's radius */
  double spacing;       /* largest distance of a hip of the model from its nearest */
  double error_percent; /* expected error of the peak: twice the largest test error of the four nearest hips, or twice
                           the largest difference of their peaks; 0 for a hip of the model */
  bool outside;         /* beyond the shapes of the model: the estimate has no meaning */
} syn_pressure_trust;
enum { SYN_PRESSURE_COMPONENTS = 10 };
/* Estimates peak, mean and area at each step of the model, and how far to trust them; either may be NULL. `used`, 1 to
 * SYN_PRESSURE_COMPONENTS: number of principal components used, those with the highest correlation with the pressure of
 * the step. With few hips or shapes fewer components exist; then all are used. */
SYN_API syn_status syn_pressure_model_estimate(const syn_pressure_model *model,
                                               const double features[SYN_PRESSURE_FEATURES], int used,
                                               syn_pressure_part *values, syn_pressure_trust *trust, syn_error *error);
/* Leave-one-out errors of the model, with all components: the mean over the steps of the relative error of the
 * estimated peak; steps with a peak of 0 are excluded. */
typedef struct syn_pressure_training {
  const syn_pressure_model *model;                 /* borrowed */
  double *errors_percent;                          /* of each hip; release with syn_free */
  double mean_percent, sd_percent, median_percent; /* over the hips */
} syn_pressure_training;
SYN_API syn_status syn_pressure_model_test(const syn_pressure_model *model, syn_pressure_training *training,
                                           syn_error *error);

/* ---- finite elements in contact ------------------------------------------------------------------------------------
 */

/* One of two bodies in contact: finite elements bonded to a rigid frame, or a rigid surface on it. Borrows its arrays
 * until the contact problem is destroyed. */
typedef struct syn_contact_body {
  const syn_soft *soft;  /* of the model "fem"; NULL: rigid */
  uint32_t node_count;   /* of a rigid surface; else those of `soft`, as are the nodes */
  const syn_vec3 *nodes; /* at rest, in the frame of the meshes */
  const uint8_t *held;   /* prescribed degrees of freedom of each node of `soft`: bits 1 x, 2 y, 4 z (a plane of
                            symmetry), 7 for a node bonded to the frame; NULL: none */
  uint32_t face_count;   /* of the contact surface, counterclockwise seen from outside */
  uint32_t
      face_nodes; /* 3, 4, or 6 for quadratic tetrahedra: the corner nodes, then the nodes on the edges 01, 12, 20 */
  const uint32_t *faces; /* face_nodes for each; a triangle among quadrilaterals has its last node twice */
} syn_contact_body;

typedef struct syn_contact_options {
  double tolerance; /* of the residual force, relative to the contact force; default 1e-4 */
  double overlap;   /* allowed residual overlap, as the relative rms change it causes in the pressures; default 2e-3 */
  bool small; /* small displacements: areas, normals and contact pairs are those at rest, as in Hertz's theory and in
                 elastic foundations; default false */
  uint32_t iterations; /* maximum in one step; default 100 */
  uint32_t cuts;       /* maximum number of halvings of a step that fails; default 6 */
  syn_ranks *ranks;    /* that solve in parallel, each with the same bodies and loads; NULL (default): this process */
  uint32_t cookie;
} syn_contact_options;
SYN_API syn_contact_options syn_default_contact_options(void);

/* Two bodies in frictionless contact with finite sliding. The fixed one stays; the mobile one has a prescribed rotation
 * and, along each axis, a prescribed position or the one where the forces balance. One thread at a time. */
typedef struct syn_contact_problem syn_contact_problem;
SYN_API syn_status syn_contact_problem_create(const syn_context *context, const syn_contact_body *fixed,
                                              const syn_contact_body *mobile, const syn_contact_options *options,
                                              syn_contact_problem **problem, syn_error *error);
SYN_API void syn_contact_problem_destroy(syn_contact_problem *problem); /* NULL is fine */

/* Solves for the equilibrium under a load, starting from the last one, in steps that are halved if they fail. If no
 * equilibrium exists near the last one (snap-through), the bodies move along the unbalanced force to the next one; see
 * syn_contact_solution.snap_mm. SYN_NOT_CONVERGED states the reason; the contact problem then is at the last load that
 * converged. */
SYN_API syn_status syn_contact_problem_solve(syn_contact_problem *problem, const syn_load_step *load, syn_error *error);

/* The last solution. Arrays belong to the contact problem: of the fixed body, then of the mobile one. */
typedef struct syn_contact_solution {
  syn_vec3 shift;      /* of the mobile frame beyond the pose */
  syn_vec3 force;      /* of contact, on the mobile body, N */
  uint32_t iterations; /* sum of all steps */
  double snap_mm;      /* distance of the snap-through; 0 without one */
  double residual_n;   /* largest residual force at a node */
  const syn_vec3 *positions[2];
  /* At the nodes of the faces; 0 and NAN at other nodes. A negative gap is an overlap. */
  const double *pressure_mpa[2], *gap_mm[2];
} syn_contact_solution;
SYN_API syn_contact_solution syn_contact_problem_solution(const syn_contact_problem *problem);
/* Cauchy stress at the nodes of a body of finite elements; caller's array. */
SYN_API void syn_contact_problem_stress(const syn_contact_problem *problem, bool mobile, syn_sym3 *stress);

/* Writes the problem as an input file of CalculiX (.inp: Hooke's law, small displacements) or FEBio (.feb: febio_spec
 * 4.0, large displacements), by the ending of the path. SYN_BAD_ARGUMENT for any other ending. */
SYN_API syn_status syn_contact_problem_write(const syn_contact_problem *problem, const syn_load_step *load,
                                             const char *path, syn_error *error);

/* Comparison of a solution with that of another program for the same problem. */
typedef struct syn_contact_comparison {
  uint32_t node_count, contact_node_count;           /* all; those of the slave surface with contact pressure */
  double displacement_mm, their_displacement_mm;     /* largest, relative to the nodes of the file */
  double displacement_apart_mm, displacement_rms_mm; /* difference: largest, and root mean square */
  syn_vec3 displacement_apart_at;                    /* position of the largest, as in the file */
  double peak_mpa, their_peak_mpa;                   /* contact pressure at the slave's nodes */
  double pressure_apart_mpa, pressure_rms_mpa;       /* difference; the root of the mean square over the area */
  syn_vec3 pressure_apart_at;
} syn_contact_comparison;
/* Compares the last solution with results of CalculiX (.frd) for the .inp file of syn_contact_problem_write, which must
 * have the same load. SYN_BAD_FORMAT if the file belongs to another problem or is incomplete. */
SYN_API syn_status syn_contact_problem_compare(const syn_contact_problem *problem, const char *path,
                                               syn_contact_comparison *comparison, syn_error *error);

typedef struct syn_pressure_fem_options {
  syn_law law; /* default SYN_LAW_NEO_HOOKEAN */
  syn_contact_options contact;
  const char *problem; /* file to write: the problem at the first instant, for CalculiX (.inp) or FEBio (.feb); NULL
                          (default): none */
  const char *results; /* file to read: the CalculiX result of that problem (.frd); NULL (default): none */
  uint32_t cookie;
} syn_pressure_fem_options;
SYN_API syn_pressure_fem_options syn_default_pressure_fem_options(void);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_layer_record;              /* of syn_layer[]: how it was made, and its mesh */
SYN_API extern const syn_record syn_contact_comparison_record; /* of a syn_contact_comparison */
SYN_API extern const syn_record
    syn_pressure_training_record; /* of a syn_pressure_training: all that `synovia pressure --train` prints */

/* ==== foundation ================================================================================================== */

/* elastic foundation contact. Each point of a cartilage layer deforms independently, like a bed of springs on
 * the bone (Blankevoort et al. 1991). Computes pressure in milliseconds, on the same layers as the finite elements.
 * Units: mm, N, MPa, radians. */

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
SYN_API syn_status syn_foundation_solve(const syn_foundation *foundation, const syn_load_step *loaded,
                                        const syn_vec3 *start, void *scratch, syn_pressure_step *step,
                                        syn_error *error);
/* Computes the pressure for a prescribed translation, without equilibrium. */
SYN_API void syn_foundation_query(const syn_foundation *foundation, const syn_load_step *loaded, syn_vec3 shift,
                                  void *scratch, syn_pressure_step *step);

/* Pressure (0 outside contact) and gap (below 0 in contact; NAN where no head is opposite) of the last call with this
 * scratch, for each node of the layer of the socket or the head, or each vertex of its rigid surface; NAN off the
 * articular faces. A node of the head has what the socket's point opposite to it has. Either array may be NULL. */
SYN_API void syn_foundation_fields(const syn_foundation *foundation, const void *scratch, bool head,
                                   double *pressure_mpa, double *gap_mm);

/* Pressure of the last call with this scratch in the direction of any points, as seen from the centre; NAN without
 * contact, or where a point is farther than `reach_mm` from the socket's surface, along its radius. Points that move
 * with the distal bone are given in their mesh position. */
SYN_API void syn_foundation_pressure_at(const syn_foundation *foundation, const void *scratch, const syn_vec3 *points,
                                        size_t count, bool moves, double reach_mm, double *pressure_mpa);

/* ==== loads ======================================================================================================= */

/* forces in the hip along a motion: everyday activities with their source, recordings, and OrthoLoad files.
 *
 * Forces are given as instrumented implants measure them: what the pelvis does to the femur's head, in a frame of the
 * femur, x lateral, y anterior, z proximal along the shaft, on either side (Bergmann et al. 2016). A syn_load_step
 * has the opposite: what muscles and weight do to the femur, which presses the head into the socket. */

/* An activity with its peak force. */
typedef struct syn_activity {
  const char *name;    /* "walking", … */
  const char *label;   /* for people */
  syn_vec3 percent_bw; /* on the head, in percent of body weight: lateral, anterior, proximal */
  const char *motion;  /* the name of a syn_motion_series; NULL: one pose, all angles 0 */
  bool backward;       /* that motion runs backward */
  const char *source;
  const char *assumed; /* what the source does not state; NULL: nothing */
} syn_activity;
enum { SYN_ACTIVITIES = 6 };
SYN_API extern const syn_activity syn_activities[SYN_ACTIVITIES];

typedef struct syn_load_options {
  /* The name of an activity, or a file.
   * OrthoLoad .xml: <Weight_N>, and <HJF_pBW> three times: one force, in percent of that weight.
   * CSV, .mot or .sto: a force in each row, in columns fx, fy, fz, with the ending _n (newtons, the default) or _bw
   * (percent of body weight), in the femur's frame; or pelvis_fx, … in that of the pelvis: lateral, anterior, up.
   * Angles in the same rows, see syn_hip_motion_read; without any, the force goes along `motion`.
   * NULL (default): a constant force, fixed in the pelvis, of 1714.2975 N or `force_n`, from standing to sitting: as
   * Arbabi 2009, §4.3.2.3, loads his hips after Bergmann et al. 2001; in the direction of "sit_down" when standing. */
  const char *load;
  double force_n;       /* size of the force in every pose; NAN (default): as the load says */
  syn_vec3 direction;   /* of the force of muscles and weight on the femur, in the frame of the meshes, which does not
                           rotate with the femur; zero (default): that of the load */
  double rises_from;    /* size of the force at the start of the motion, as part of that at its end; it grows evenly in
                           between; default 1: as the load says */
  const char *motion;   /* the name of a syn_motion_series, or a recorded file; NULL (default): that of the activity */
  uint32_t steps;       /* equal parts of a motion that is no recording; default 30 */
  double body_weight_n; /* default 735.5, a person of 75 kg */
  uint32_t cookie;
} syn_load_options;
SYN_API syn_load_options syn_default_load_options(void);

/* A hip under load through a motion. Release with syn_loads_release. */
typedef struct syn_loads {
  const syn_context *context;
  size_t count;
  syn_load_step *poses;
  const syn_activity *activity; /* NULL: a file */
  double body_weight_n;         /* of the options, or of an OrthoLoad file; NAN: a constant force */
  char label[96];               /* "Standing up", or the file's name */
  char source[512];             /* where force and motion come from, and what was assumed */
} syn_loads;

/* `anatomy` (may be NULL) provides the axis of the shaft, which defines the frame of the forces; without it the frame
 * is that of the angles. `options` may be NULL: defaults. SYN_BAD_ARGUMENT for options that make no sense;
 * SYN_BAD_FORMAT names the file and what it lacks. */
SYN_API syn_status syn_loads_create(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                    const syn_load_options *options, syn_loads *loads, syn_error *error);
SYN_API void syn_loads_release(syn_loads *loads); /* one that is zero is fine */

/* ==== pressure run ================================================================================================ */

/* runs the analysis of `synovia pressure` in one call: contact pressure in a hip through a motion, by any
 * method. */

enum { SYN_PRESSURE_METHODS = 3 };
SYN_API extern const char *const syn_pressure_methods[SYN_PRESSURE_METHODS]; /* "fem", "foundation", "estimate" */

typedef struct syn_pressure_options {
  const char *method; /* default "foundation" */
  syn_load_options load;
  syn_layer_options layers;
  syn_foundation_options foundation;
  syn_pressure_fem_options fem;
  bool closed; /* of the method "fem": uses the joint's closed bodies of cartilage as scanned, meshed with quadratic
                  tetrahedra by gmsh, instead of layers; default false */
  bool
      beside_foundation; /* of the method "fem": the elastic foundation on the same layers, to compare; default false */
  const char *checkpoint; /* of the method "fem": checkpoint file, from which a stopped run resumes with bit-identical
                             results. It is deleted when the result's files are published (syn_publish);
                             otherwise the caller deletes it. NULL (default): none */
  bool restart;           /* do not continue an earlier run; default false */
  const char *model;      /* of the method "estimate": its file; see syn_pressure_model_read */
  uint32_t cookie;
} syn_pressure_options;
SYN_API syn_pressure_options syn_default_pressure_options(void);

/* The articular surface of one layer as triangles, with its results. */
typedef struct syn_pressure_surface {
  syn_trimesh *mesh;             /* in its mesh position */
  uint32_t *nodes;               /* of each vertex: its node in the layer */
  double *thickness_mm;          /* of each vertex; 0 on bare bone */
  double *pressure_mpa, *gap_mm; /* step by step, mesh->vertex_count values each */
  double *von_mises_mpa;         /* the same; NULL: the method does not compute it */
  double *foundation_mpa;        /* pressure by the elastic foundation, the same; NULL unless asked for */
} syn_pressure_surface;

/* A hip through a motion under load. Release with syn_pressure_destroy. */
typedef struct syn_pressure {
  const syn_context *context;
  const syn_hip_case *hip_case;     /* borrowed */
  const char *method;               /* static storage */
  syn_loads loads;                  /* all requested steps */
  syn_layer socket, head;           /* the layers */
  syn_pressure_surface surfaces[2]; /* socket, head; without meshes for a method that computes no fields */
  size_t step_count;                /* in equilibrium; loads.count unless the method ended early */
  syn_pressure_step *steps;
  const syn_pressure_step *peak; /* that with the highest pressure of those that are valid; of all where none is */
  size_t peak_index;             /* its number */
  struct syn_pressure_step *by_foundation; /* private: where the foundation of the steps is; NULL unless asked for */
  size_t by_foundation_count;
  bool compared; /* comparison of the first step with another program: fem.results */
  syn_contact_comparison comparison;
  size_t continued_at; /* steps restored from a checkpoint: syn_pressure_options.checkpoint */
  char *checkpoint;    /* the file that has what is here; NULL: none, or rank 0 has it */
  double
      assumed_peak_mpa[2];  /* for assumed cartilage: the peak of that step by the elastic foundation with 1 and with 2
                               mm of cartilage on either bone; NAN without equilibrium, or if the cartilage is given */
  syn_pressure_trust trust; /* of the method "estimate" */
  char nearest_hip[128];    /* of the model; "" for another method */
  size_t invalid_count;     /* steps that are not valid: see syn_pressure_mark */
  char stopped[512];        /* why the method ended early; "" where it did not */
} syn_pressure;

/* Runs a method on an opened hip: creates the layers, solves every step of the motion under load, and stores all steps.
 * `options` may be NULL: defaults. The case must outlive the result.
 *
 * SYN_NOT_CONVERGED if a step has no equilibrium: except for the first step, *pressure then holds the earlier steps,
 * and `stopped` states the reason. */
SYN_API syn_status syn_pressure_run(const syn_context *context, const syn_hip_case *hip_case,
                                    const syn_pressure_options *options, syn_pressure **pressure, syn_error *error);
SYN_API void syn_pressure_destroy(syn_pressure *pressure); /* NULL is fine */

/* A row for each step: what syn_pressure_step_record has but its regions, and for each tissue of the socket
 * TISSUE_peak_mpa, _mean_mpa, _area_mm2 and _force_n. What is not known is empty. */
SYN_API extern const syn_csv_table syn_pressure_csv;

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_pressure_record;        /* of a syn_pressure: all that `synovia pressure` prints */
SYN_API extern const syn_record syn_pressure_step_record;   /* of syn_pressure_step[] */
SYN_API extern const syn_record syn_pressure_region_record; /* of syn_pressure_part[]: the regions of a step */

#ifdef __cplusplus
}
#endif
#endif
