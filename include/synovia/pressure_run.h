/* Synovia: runs the analysis of `synovia pressure` in one call: contact pressure in a hip through a motion, by any
 * method. */
#ifndef SYNOVIA_PRESSURE_RUN_H
#define SYNOVIA_PRESSURE_RUN_H

#include <synovia/foundation.h>
#include <synovia/loads.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A method that computes the pressure. */
typedef struct syn_pressure_method {
  const char *name;    /* "fem", "foundation", "estimate" */
  const char *summary; /* one sentence */
} syn_pressure_method;
SYN_API size_t syn_pressure_method_count(void);
SYN_API syn_pressure_method syn_pressure_method_at(size_t index);

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
                             results. It is deleted when the result's files are published (syn_pressure_write_files);
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
  syn_pressure_step *foundation; /* the same steps by the elastic foundation, foundation_count of them; NULL unless
                                    asked for */
  size_t foundation_count;
  bool compared; /* comparison of the first step with another program: fem.results */
  syn_contact_comparison comparison;
  size_t continued_at; /* steps restored from a checkpoint: syn_pressure_options.checkpoint */
  char *checkpoint;    /* the file that has what is here; NULL: none, or rank 0 has it */
  size_t worst;        /* the step with the highest pressure of those that are valid; of all where none is */
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
SYN_API extern const syn_record syn_pressure_record;      /* of a syn_pressure: all that `synovia pressure` prints */
SYN_API extern const syn_record syn_pressure_step_record; /* of a syn_pressure: the index is the number of a step */
SYN_API extern const syn_record
    syn_pressure_region_record; /* of a syn_pressure: step * 4 + region of the socket's layer */

#ifdef __cplusplus
}
#endif
#endif
