/* Synovia: contact pressure in a joint that bears load.
 *
 * Cartilage, labrum and what joins them are layers of hexahedra that grow on rigid bones. The distal bone has a given
 * rotation and goes where the joint's force is balanced by the pressure between the layers. The pressure comes from
 * finite elements, from an elastic foundation on the same layers, or from an estimate by shape. Units: mm, N, MPa,
 * radians. */
#ifndef SYNOVIA_PRESSURE_H
#define SYNOVIA_PRESSURE_H

#include <synovia/hip.h>
#include <synovia/solve.h>
#include <synovia/tissue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- layers --------------------------------------------------------------------------------------------------------
 */

/* How good the mesh of a layer is. */
typedef struct syn_layer_quality {
  uint32_t inverted;         /* hexahedra with a Jacobian that is not positive in a corner or a point of integration */
  double least_jacobian;     /* smallest of the corners' Jacobians over the lengths of their three edges; 1 is a cube */
  double worst_aspect;       /* longest over shortest edge of a hexahedron */
  double area_mm2;           /* of the faces with tissue behind them */
  double region_area_mm2[4]; /* by region */
  double volume_mm3;
  double region_volume_mm3[4];
  double rigid_area_mm2;                                          /* of rigid faces */
  double least_thickness_mm, thickness_mm, greatest_thickness_mm; /* thickness_mm: mean over the area */
} syn_layer_quality;

/* The soft tissue on one bone. Owns its arrays; release with syn_layer_release. */
typedef struct syn_layer {
  const syn_context *context;
  bool moves;   /* with the distal bone */
  bool assumed; /* made without a scan of the cartilage: its thickness is a guess */
  uint32_t node_count, element_count, face_count, region_count;
  uint32_t rigid_node_count; /* the last nodes: those of rigid faces, which belong to no hexahedron */
  syn_vec3 *nodes;           /* in the frame of the meshes */
  uint8_t *on_bone;          /* of each node: 1 where it is bonded to the rigid bone */
  uint32_t *elements;        /* hexahedra, SYN_ELEMENT_HEX8: eight nodes for each; 0123 towards the bone. With
                                edge_nodes: SYN_ELEMENT_TET10, ten nodes for each */
  uint8_t *element_region;   /* index into `regions` */
  /* The articular surface: counterclockwise seen from the joint space, and the hexahedron behind each face. */
  uint32_t (*faces)[4];
  uint32_t (*edge_nodes)[3]; /* of a closed body that was filled with quadratic tetrahedra: the nodes on the edges 01,
                                12, 20 of each face, which is a triangle with its last corner twice; NULL: hexahedra */
  uint32_t *face_element;    /* SYN_NONE: a rigid face, of bone without soft tissue; its nodes are all on_bone */
  double *thickness_mm;      /* of the layer below each node of a face, along the normal; NAN for other nodes */
  struct syn_layer_region {
    syn_tissue tissue;
    syn_material material; /* complete */
  } regions[4];
  /* How it was made: for reports. */
  char note[256];            /* a sentence: where face and thickness come from; "" in a layer filled by hand */
  uint32_t filled;           /* columns without a ray that hit: their surfaces are those of neighbours */
  uint32_t thickened;        /* columns that were thinner than the least thickness: bone was moved back under them */
  double thickest_added_mm;  /* the most that was added there */
  uint32_t parted;           /* columns whose face was moved back because cartilages overlap as scanned */
  double overlap_mm;         /* deepest of these overlaps */
  syn_layer_quality quality; /* as made */
  double smoothed_mm;        /* root mean square of what smoothing moved the bonded face by; 0: nothing was smoothed */
} syn_layer;

SYN_API void syn_layer_release(syn_layer *layer); /* one that is zero is fine; leaves it so */

/* Which part of socket and head is covered with cartilage. */
typedef enum syn_layer_extent {
  SYN_EXTENT_HORSESHOE, /* as far as the bodies of cartilage reach, else the joint surface that was found: rim without
                           fossa and notch, the spherical part of the head */
  SYN_EXTENT_WHOLE,     /* the same without fossa and notch left out */
  SYN_EXTENT_PAINTED,   /* where the caller says */
  SYN_EXTENTS
} syn_layer_extent;
SYN_API const char *syn_layer_extent_name(syn_layer_extent extent); /* "horseshoe", "whole", "painted" */

typedef enum syn_layer_rule {
  SYN_RULE_MEASURED, /* between bone and the body of cartilage; on bones without one as by SYN_RULE_FILL */
  SYN_RULE_FILL,     /* half of the joint space each, whatever bodies there are */
  SYN_RULE_CONSTANT, /* thickness_mm everywhere */
  SYN_RULE_GIVEN,    /* by vertex of the bones */
  SYN_RULES
} syn_layer_rule;
SYN_API const char *syn_layer_rule_name(syn_layer_rule rule); /* "measured", "fill", "constant", "given" */

typedef struct syn_layer_options {
  double edge_mm;  /* of the hexahedra along the surface; default 2 */
  uint32_t layers; /* through the thickness, 1 to 16; default 3 */
  syn_layer_extent extent;
  syn_layer_rule rule;
  double thickness_mm; /* SYN_RULE_CONSTANT; default 2 */
  double least_mm;     /* no column is thinner; default 0.3 */
  double smooth_mm;    /* length over which rough bone is smoothed; default 4; 0: never */
  double labrum_mm;    /* height of a labrum made on bones that come without one; default 0: none is made */
  double rigid_mm;     /* how far bare bone is part of the head's layer beyond its cartilage; default 30 */
  /* For each vertex of pelvis and femur: thickness for SYN_RULE_GIVEN, and for SYN_EXTENT_PAINTED a number that is 0.5
   * or more where there is cartilage. NULL (default): not given. */
  const double *pelvis_thickness_mm, *femur_thickness_mm, *pelvis_painted, *femur_painted;
  uint32_t cookie;
} syn_layer_options;
SYN_API syn_layer_options syn_default_layer_options(void);

/* The layers of a hip: cartilage, transition zone and labrum of the socket in one mesh, the head's cartilage with the
 * bare bone round it. Directions on a sphere about the centre carry both faces of each column, so that no hexahedron is
 * inverted; faces of cartilage that overlap in the scan are parted in the middle. Release both with syn_layer_release.
 * SYN_BAD_MESH where the bones have no head or no socket; SYN_BAD_ARGUMENT where an option is out of range or its
 * values are missing. `options` may be NULL: defaults. */
SYN_API syn_status syn_hip_layers_create(const syn_context *context, const syn_hip_case *hip_case,
                                         const syn_layer_options *options, syn_layer *socket, syn_layer *head,
                                         syn_error *error);

/* Thickness and extent in files: the mesh of a bone with one number on each of its vertices, the first such field of
 * the file. NULL: not given. Thickness sets SYN_RULE_GIVEN, a region SYN_EXTENT_PAINTED. */
typedef struct syn_layer_files {
  const char *pelvis_thickness, *femur_thickness, *pelvis_region, *femur_region;
  const syn_read_options *reading; /* NULL: defaults */
} syn_layer_files;
/* The same with these files. SYN_BAD_FORMAT where one has no such field, or another number of vertices. */
SYN_API syn_status syn_hip_layers_from_files(const syn_context *context, const syn_hip_case *hip_case,
                                             const syn_layer_options *options, const syn_layer_files *files,
                                             syn_layer *socket, syn_layer *head, syn_error *error);

/* Measures the mesh of a layer of hexahedra as it is now. */
SYN_API void syn_layer_check(const syn_layer *layer, syn_layer_quality *quality);

/* Writes hexahedra and rigid faces as VTU, with `region`, `thickness_mm` and `on_bone`, and the caller's fields on
 * SYN_ON_POINTS (nodes) or SYN_ON_ELEMENTS. `nodes` (NULL: as they are) are where the nodes are now. */
SYN_API syn_status syn_layer_write(const syn_layer *layer, const syn_vec3 *nodes, const syn_field *fields,
                                   size_t field_count, const char *path, syn_error *error);

/* ---- what the joint does -------------------------------------------------------------------------------------------
 */

/* One instant of a motion under load. */
typedef struct syn_loaded_pose {
  double at;        /* 0 to 1: part of the motion */
  double angles[3]; /* flexion, adduction, internal rotation, radians */
  syn_pose pose;    /* of the distal bone, relative to its mesh: the turn about the joint's centre */
  syn_vec3 force;   /* on the distal bone, by muscles and weight, N; in the frame of the meshes */
} syn_loaded_pose;

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
} syn_pressure_part;

/* Why the pressure of a step is to be doubted. The first three make it invalid: it is no answer. */
typedef enum syn_pressure_mark {
  SYN_PRESSURE_BARE_BONE,       /* bone beyond the assumed cartilage bears the load */
  SYN_PRESSURE_PRESSED_THROUGH, /* cartilage is compressed by more than 90 % of its thickness: no law holds there */
  SYN_PRESSURE_LOAD_AXES,       /* the load's direction is that of the axes of the scan: nothing shows the femur's */
  SYN_PRESSURE_STRAIN,          /* compressed by more than 50 %: a linear foundation is too soft there */
  SYN_PRESSURE_FREE_EDGE,       /* the peak is on the free edge of a layer */
  SYN_PRESSURE_FEW_NODES,       /* few nodes carry the peak: it depends on the mesh */
  SYN_PRESSURE_MARKS
} syn_pressure_mark;
SYN_API const char *syn_pressure_mark_name(syn_pressure_mark mark); /* "bare_bone", … */

/* The joint at one instant, in equilibrium. */
typedef struct syn_pressure_step {
  syn_loaded_pose loaded;
  syn_vec3 shift;         /* of the distal bone beyond loaded.pose, where the forces balance */
  syn_vec3 contact_force; /* on the distal bone, N; -loaded.force in equilibrium */
  syn_pressure_part total;
  syn_pressure_part regions[4]; /* of the layer on the proximal bone */
  uint32_t iterations;
  uint32_t squeezed; /* elements between bones, beyond any measured law; finite elements alone */
  double snap_mm;    /* as syn_contact_problem_snap; finite elements alone */
  double strain;     /* largest compression of a layer in contact, part of its thickness; syn_pressure_run sets it and
                        the marks; NAN where it is not known */
  uint64_t marks;    /* bit 1 << mark of each syn_pressure_mark that holds */
} syn_pressure_step;
/* Whether no mark makes the step invalid. */
SYN_API bool syn_pressure_step_is_valid(const syn_pressure_step *step);

/* ---- pressure from shape -------------------------------------------------------------------------------------------
 * Arbabi 2009, §4.5: the pressure of a hip whose shape is known, from hips whose pressures are.
 * docs/theory/pressure-estimate.md has the method. */

/* Radii of the femur, of its cartilage and of the soft tissue in the socket, in 36 x 18 directions each, over the
 * radius of the joint; 0 where a direction meets none. */
enum { SYN_PRESSURE_FEATURES = 3 * 36 * 18 };
/* SYN_BAD_ARGUMENT where the hip lacks the femur or one of the cartilages. */
SYN_API syn_status syn_pressure_features(const syn_context *context, const syn_hip *hip,
                                         double features[SYN_PRESSURE_FEATURES], syn_error *error);

/* Pressure at one step of a motion. */
typedef struct syn_pressure_value {
  double peak_mpa, mean_mpa, area_mm2; /* as in syn_pressure_part; the last two NAN where they are not known */
} syn_pressure_value;

/* Hips with known pressures, all through the same motion. One filled by hand borrows everything it points to; one that
 * was trained or read owns it. */
typedef struct syn_pressure_model {
  const syn_context *context;
  const char *motion;      /* "stand_to_sit", … */
  const char *pressure_by; /* the method that gave the pressures: "fem", "foundation" */
  size_t hip_count, step_count;
  const char *const *names;         /* of the hips, each another */
  const double *at;                 /* of the steps: part of the motion, 0 to 1, growing */
  const double *features;           /* SYN_PRESSURE_FEATURES of each hip */
  const syn_pressure_value *values; /* step_count of each hip; mean and area known at all steps of all hips, or none */
  const double *errors_percent;     /* of each hip, see syn_pressure_trust; NULL: not known yet */
  struct syn_arena *store;          /* private; NULL in one filled by hand */
} syn_pressure_model;

/* Checks and copies. SYN_BAD_ARGUMENT says which hip and step is not valid, that there are fewer than three hips, or
 * that their shapes do not differ. Release with syn_pressure_model_destroy. */
SYN_API syn_status syn_pressure_model_train(const syn_context *context, const syn_pressure_model *given,
                                            syn_pressure_model **model, syn_error *error);
SYN_API void syn_pressure_model_destroy(syn_pressure_model *model); /* NULL is fine */
/* From a table (CSV), a row for each step of each hip, hip after hip, with the same steps in each: columns `hip`, a
 * joint file or a folder with a joint.json, relative to the table; `at`; `peak_mpa`, and where they are known
 * `mean_mpa` and `area_mm2`. `region` (may be NULL): the columns "cartilage_peak_mpa" … of that name are taken. Others
 * do not matter. */
SYN_API syn_status syn_pressure_model_train_table(const syn_context *context, const char *path, const char *region,
                                                  const char *motion, const char *pressure_by,
                                                  syn_pressure_model **model, syn_error *error);
/* The hips whose `left_out` (NULL: none) is false, and the steps up to `until`. */
SYN_API syn_status syn_pressure_model_part(const syn_pressure_model *model, double until, const bool *left_out,
                                           syn_pressure_model **part, syn_error *error);

/* JSON; the file appears whole or not at all. SYN_BAD_FORMAT names what is wrong in it. */
SYN_API syn_status syn_pressure_model_write(const syn_context *context, const syn_pressure_model *model,
                                            const char *path, syn_error *error);
SYN_API syn_status syn_pressure_model_read(const syn_context *context, const char *path, syn_pressure_model **model,
                                           syn_error *error);

enum { SYN_PRESSURE_COMPONENTS = 10 };
/* `used`, 1 to SYN_PRESSURE_COMPONENTS: how many of the principal components vote, those that correlate best with the
 * pressure of the step. Fewer hips or shapes have fewer components; then all of them do. */
SYN_API syn_status syn_pressure_model_estimate(const syn_pressure_model *model,
                                               const double features[SYN_PRESSURE_FEATURES], int used,
                                               syn_pressure_value *values, syn_error *error);
/* How far an estimate is to be trusted. A hip of the model is tested by leaving out all hips that share a tissue's
 * shape with it, femur, cartilage or socket, each in turn: on a grid of shapes the others of its row know the answer.
 */
typedef struct syn_pressure_trust {
  size_t nearest;       /* hip of the model */
  double distance;      /* of its radii, root mean square, as part of the joint's radius */
  double spacing;       /* largest distance of a hip of the model from its nearest */
  double error_percent; /* to expect of the peak: twice the largest of the tests of the four nearest hips, or of how far
                           their peaks are apart; 0 for a hip of the model */
  bool outside;         /* beyond the shapes of the model: no estimate */
} syn_pressure_trust;
SYN_API syn_status syn_pressure_model_trust(const syn_pressure_model *model,
                                            const double features[SYN_PRESSURE_FEATURES], syn_pressure_trust *trust,
                                            syn_error *error);
/* How well the model knows its own hips, each from all others, with all components. */
typedef struct syn_pressure_training {
  const syn_pressure_model *model;                 /* borrowed */
  double *errors_percent;                          /* of each hip; release with syn_free */
  double mean_percent, sd_percent, median_percent; /* over the hips */
} syn_pressure_training;
SYN_API syn_status syn_pressure_model_test(const syn_pressure_model *model, syn_pressure_training *training,
                                           syn_error *error);
/* Each hip from all others. `values` (may be NULL) as in a model; errors_percent[hip] is the mean over the steps of how
 * far the estimated peak is from the known one, in percent of that; steps whose peak is 0 do not count. */
SYN_API syn_status syn_pressure_model_leave_one_out(const syn_pressure_model *model, int used,
                                                    syn_pressure_value *values, double *errors_percent,
                                                    syn_error *error);

/* ---- finite elements in contact ------------------------------------------------------------------------------------
 */

/* One of two bodies that touch: finite elements that are bonded to a rigid frame, or a rigid surface on it. Borrows
 * its arrays until the contact problem is destroyed. */
typedef struct syn_contact_body {
  const syn_soft *soft;  /* of the model "fem"; NULL: rigid */
  uint32_t node_count;   /* of a rigid surface; else those of `soft`, as are the nodes */
  const syn_vec3 *nodes; /* at rest, in the frame of the meshes */
  const uint8_t *held;   /* of each node of `soft`: bits 1 x, 2 y, 4 z that do not deform (a plane of symmetry), 7 for
                            a node that is bonded to the frame; NULL: none */
  uint32_t face_count;   /* of the surface that may touch, counterclockwise seen from outside */
  uint32_t face_nodes;   /* 3, 4, or 6 for quadratic tetrahedra: corners, then the nodes on the edges 01, 12, 20 */
  const uint32_t *faces; /* face_nodes for each; a triangle among quadrilaterals has its last corner twice */
} syn_contact_body;

/* A closed surface as one of the bodies, as cartilage is scanned. */
typedef struct syn_contact_solid_options {
  syn_material material; /* E and nu must be given; the density does not matter */
  syn_law law;           /* default SYN_LAW_NEO_HOOKEAN */
  double edge_mm;        /* of the tetrahedra inside; default 0: as those of the surface */
  bool
      smooth; /* default true: nodes on the edges of the surface follow its bends; edges sharper than 40 degrees stay */
  const syn_trimesh *bone; /* the surface is bonded where it lies on it; NULL (default): nowhere for that reason */
  double bonded_mm;        /* how near that is; default 0.5 */
  const bool *bonded;      /* of each vertex of the surface: bonded in any case; NULL (default): none */
  const char *program;     /* NULL (default): "gmsh" from the PATH */
  uint32_t cookie;
} syn_contact_solid_options;
SYN_API syn_contact_solid_options syn_default_contact_solid_options(void);

/* Release with syn_contact_solid_destroy, after the contact problem. */
typedef struct syn_contact_solid {
  const syn_context *context;
  syn_contact_body body; /* of quadratic tetrahedra; borrows what follows. The first nodes are the surface's vertices */
  syn_soft *soft;
  uint32_t node_count, element_count;
  uint8_t *held;         /* of each node; may be changed until a contact problem is made */
  uint32_t *faces;       /* that may touch: six nodes each */
  uint32_t bonded_faces; /* faces of the surface whose corners are bonded */
  uint32_t straightened; /* elements that a bent edge would have folded: theirs are straight */
} syn_contact_solid;
/* Fills a closed surface with quadratic tetrahedra. Errors as those of syn_trimesh_tetrahedralize and
 * syn_soft_fem_create; SYN_BAD_MESH where nothing is left that could touch. The surface need not outlive it. */
SYN_API syn_status syn_contact_solid_create(const syn_context *context, const syn_trimesh *surface,
                                            const syn_contact_solid_options *options, syn_contact_solid **solid,
                                            syn_error *error);
SYN_API void syn_contact_solid_destroy(syn_contact_solid *solid); /* NULL is fine */

typedef struct syn_contact_options {
  double tolerance; /* of forces that are left over, as part of those of contact; default 1e-4 */
  double overlap;   /* that is left: what it adds to the pressures, as part of them (root mean square); default 2e-3 */
  bool small;       /* displacements: areas, normals and who faces whom are those at rest, as in Hertz's theory and
                       in elastic foundations; default false */
  uint32_t iterations; /* at most, in one step; default 100 */
  uint32_t cuts;       /* how often a step that fails is cut in half; default 6 */
  syn_ranks *ranks;    /* that solve together, each with the same bodies and loads; NULL (default): this process */
  uint32_t cookie;
} syn_contact_options;
SYN_API syn_contact_options syn_default_contact_options(void);

/* Two bodies in frictionless contact, which may slide far: the fixed one stays, the mobile one has a given
 * rotation and, along each axis, a given place or the one where forces balance. One thread at a time. */
typedef struct syn_contact_problem syn_contact_problem;
SYN_API syn_status syn_contact_problem_create(const syn_context *context, const syn_contact_body *fixed,
                                              const syn_contact_body *mobile, const syn_contact_options *options,
                                              syn_contact_problem **bearing, syn_error *error);
SYN_API void syn_contact_problem_destroy(syn_contact_problem *bearing); /* NULL is fine */

typedef struct syn_contact_load {
  syn_pose pose;  /* of the mobile frame, relative to its mesh */
  syn_vec3 pivot; /* of the mobile mesh: what a part of a step turns about */
  uint8_t driven; /* axes in which the frame goes where the pose says: bits 1 x, 2 y, 4 z; else forces move it */
  syn_vec3 force; /* on the mobile body, N */
} syn_contact_load;
/* Equilibrium under a load, starting from the last one, in steps that are cut where they must be. Where there is none
 * near, however small the step, the bodies snap: they go where the forces lead, up to the next one
 * (syn_contact_problem_snap). SYN_NOT_CONVERGED says why; the contact problem then is at the last load that succeeded.
 */
SYN_API syn_status syn_contact_problem_solve(syn_contact_problem *bearing, const syn_contact_load *load,
                                             syn_error *error);

/* What is known after a solution. Arrays belong to the contact problem; `mobile` names the body. */
SYN_API syn_vec3
syn_contact_problem_shift(const syn_contact_problem *bearing); /* of the mobile frame beyond the pose */
SYN_API syn_vec3 syn_contact_problem_force(const syn_contact_problem *bearing); /* of contact, on the mobile body, N */
SYN_API uint32_t
syn_contact_problem_iterations(const syn_contact_problem *bearing); /* of the last solution, all steps together */
SYN_API double
syn_contact_problem_snap(const syn_contact_problem *bearing); /* how far the last solution snapped, mm; mostly 0 */
SYN_API double
syn_contact_problem_residual(const syn_contact_problem *bearing); /* largest force left over at a node, N */
SYN_API const syn_vec3 *syn_contact_problem_positions(const syn_contact_problem *bearing,
                                                      bool mobile); /* of the nodes */
/* Pressure in MPa and gap in mm (negative: overlap) at the nodes of the faces, 0 and NAN at other nodes. */
SYN_API const double *syn_contact_problem_pressure(const syn_contact_problem *bearing, bool mobile);
SYN_API const double *syn_contact_problem_gap(const syn_contact_problem *bearing, bool mobile);
/* Cauchy stress at the nodes of a body of finite elements; caller's array. */
SYN_API void syn_contact_problem_stress(const syn_contact_problem *bearing, bool mobile, syn_sym3 *stress);

/* The same problem as an input file of CalculiX (program ccx): Hooke's law, small displacements. */
SYN_API syn_status syn_contact_problem_write_calculix(const syn_contact_problem *bearing, const syn_contact_load *load,
                                                      const char *path, syn_error *error);
/* The same problem as an input file of FEBio, febio_spec 4.0, with large displacements. */
SYN_API syn_status syn_contact_problem_write_febio(const syn_contact_problem *bearing, const syn_contact_load *load,
                                                   const char *path, syn_error *error);

/* A solution beside that of another program for the same problem. */
typedef struct syn_contact_comparison {
  uint32_t node_count, contact_node_count;           /* all; of the slave's, where one presses */
  double displacement_mm, their_displacement_mm;     /* largest, from where the file has a node */
  double displacement_apart_mm, displacement_rms_mm; /* difference: largest, and mean square */
  syn_vec3 displacement_apart_at;                    /* the node of the largest, as in the file */
  double peak_mpa, their_peak_mpa;                   /* contact pressure at the slave's nodes */
  double pressure_apart_mpa, pressure_rms_mpa;       /* difference; the root of the mean square over the area */
  syn_vec3 pressure_apart_at;
} syn_contact_comparison;
/* Results of CalculiX (.frd) for the file of syn_contact_problem_write_calculix beside the last solution, which must be
 * for the same load. SYN_BAD_FORMAT where the file is of another problem or lacks something. */
SYN_API syn_status syn_contact_problem_compare_calculix(const syn_contact_problem *bearing, const char *path,
                                                        syn_contact_comparison *comparison, syn_error *error);

typedef struct syn_pressure_fem_options {
  syn_law law; /* default SYN_LAW_NEO_HOOKEAN */
  syn_contact_options contact;
  const char *problem; /* file to write: the first instant for CalculiX (.inp) or FEBio (.feb); NULL (default): none */
  const char *results; /* file to read: what CalculiX found for that problem (.frd); NULL (default): none */
  uint32_t cookie;
} syn_pressure_fem_options;
SYN_API syn_pressure_fem_options syn_default_pressure_fem_options(void);

/* Fields of one instant: one number for each node of a layer, socket first. Borrowed, until the callback returns. */
typedef struct syn_pressure_fields {
  const double *pressure_mpa[2]; /* 0 away from the faces */
  const double *gap_mm[2];       /* NAN where no surface is near */
  const syn_vec3 *positions[2];
  const syn_sym3 *stress[2];                /* NULL for a layer without elements */
  const syn_contact_comparison *comparison; /* of the first instant, with `results`; else NULL */
} syn_pressure_fields;
/* Called for each instant that is solved, in their order; a status that is not SYN_OK ends the run with it. */
typedef syn_status syn_pressure_report(void *user, const syn_pressure_step *step, const syn_pressure_fields *fields,
                                       syn_error *error);
/* A joint through a motion under load. `socket` is on the proximal bone; one of the layers may have faces and no
 * elements: a rigid surface. `center` is what the joint turns about between two
 * instants. `options` may be NULL.
 */
SYN_API syn_status syn_pressure_fem_run(const syn_context *context, const syn_layer *socket, const syn_layer *head,
                                        syn_vec3 center, const syn_loaded_pose *poses, size_t count,
                                        const syn_pressure_fem_options *options, syn_pressure_report *report,
                                        void *user, syn_error *error);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_layer_record;              /* of syn_layer[]: how it was made, and its mesh */
SYN_API extern const syn_record syn_contact_comparison_record; /* of a syn_contact_comparison */
SYN_API extern const syn_record
    syn_pressure_training_record; /* of a syn_pressure_training: all that `synovia pressure --train` prints */

#ifdef __cplusplus
}
#endif
#endif
