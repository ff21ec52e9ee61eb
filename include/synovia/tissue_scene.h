/* Synovia: simulation of scenes of soft and rigid bodies from a file.
 *
 * docs/scene.md describes the file. An interrupted run resumes from its checkpoint and gives bit-identical results. */
#ifndef SYNOVIA_TISSUE_SCENE_H
#define SYNOVIA_TISSUE_SCENE_H

#include <synovia/io.h>
#include <synovia/outbox.h>
#include <synovia/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct syn_tissue_scene syn_tissue_scene;
/* Reads the file and its meshes, and creates the bodies and the simulation. `reading` (may be NULL) is for meshes.
 * SYN_BAD_FORMAT names the file and the key. Release with syn_tissue_scene_destroy. */
SYN_API syn_status syn_tissue_scene_read(const syn_context *context, const char *path, const syn_read_options *reading,
                                         syn_tissue_scene **scene, syn_error *error);
SYN_API void syn_tissue_scene_destroy(syn_tissue_scene *scene); /* NULL is fine */

SYN_API const char *syn_tissue_scene_name(const syn_tissue_scene *scene);
SYN_API size_t syn_tissue_scene_body_count(const syn_tissue_scene *scene);
SYN_API const char *syn_tissue_scene_body_name(const syn_tissue_scene *scene, size_t body);
/* NULL for a rigid body. */
SYN_API const syn_soft *syn_tissue_scene_soft(const syn_tissue_scene *scene, size_t body);
SYN_API const syn_trimesh *syn_tissue_scene_surface(const syn_tissue_scene *scene, size_t body);
/* Owned by the scene; advance it only with syn_tissue_scene_step. */
SYN_API syn_simulation *syn_tissue_scene_simulation(const syn_tissue_scene *scene);
/* Computes one step; bodies, loads and prescribed nodes follow the file. */
SYN_API syn_status syn_tissue_scene_step(syn_tissue_scene *scene, syn_error *error);

/* Results at one moment. */
typedef struct syn_tissue_moment {
  double time_s;
  double kinetic_nmm, elastic_nmm, contact_nmm, volume_mm3;
  double depth_mm; /* deepest penetration; NAN without contact */
  uint32_t touching, iterations;
  double contact_n;       /* sum of the contact forces on soft bodies, as lengths */
  double von_mises_mpa;   /* the largest of all soft bodies */
  double displacement_mm; /* the same */
} syn_tissue_moment;

/* The fields of a soft body on the vertices of its skin, frame by frame; all NULL of a rigid body. */
typedef struct syn_tissue_fields {
  syn_vec3 *displacement_mm, *contact_n;
  double *von_mises_mpa;
} syn_tissue_fields;

typedef struct syn_tissue_run {
  const syn_context *context;
  const syn_tissue_scene *scene;
  uint64_t step_count;
  double step_s, duration_s;
  const char *integrator;
  size_t moment_count; /* the start, and every frame */
  const syn_tissue_moment *moments;
  uint64_t continued_at; /* step from which an earlier run was continued; 0: from the start */
  size_t kept_count;     /* frames whose fields are here; 0 unless keep_fields */
  const size_t *kept;    /* their numbers among the moments, ascending; the first and the last are among them */
  const syn_tissue_fields *fields; /* one for each body of the scene */
} syn_tissue_run;

typedef struct syn_tissue_run_options {
  const char *folder; /* for files: BODY.pvd with BODY_0000.vtu …, energy.csv, checkpoint; NULL (default): none */
  bool restart;       /* do not continue an earlier run; default false */
  bool keep_fields;   /* keep the fields of at most 101 frames, evenly spread, for a page; default false */
  syn_outbox *outbox; /* receives the .pvd lists and energy.csv of a completed run, to be published together with files
                         made from it; NULL (default): they are published when the run ends */
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
SYN_API extern const syn_record syn_tissue_moment_record; /* of syn_tissue_moment[] */
SYN_API extern const syn_record syn_tissue_run_record;    /* of a syn_tissue_run */

#ifdef __cplusplus
}
#endif
#endif
