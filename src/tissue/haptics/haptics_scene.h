/* Scenes of the force loop: built in or from a file, their runs, and the ultrasound image. */
#ifndef SYN_TISSUE_HAPTICS_SCENE_H
#define SYN_TISSUE_HAPTICS_SCENE_H

#include <synovia/result.h>
#include <synovia/tissue.h>

#include "base/memory.h"
#include "base/status.h"

/* ---- the deformed ultrasound image ----------------------------------------------------------------------------------
 */

typedef struct syn_haptics_image {
  uint32_t width, height;    /* pixels; default 256 and 256 */
  double width_mm, depth_mm; /* of the plane under the tip; default 0: twice the probe's diameter, 80 */
  syn_vec3 across;           /* a direction in the plane; default 0: any across the probe's axis */
  syn_vec3 vein;             /* centre of the vein in the plane, mm: across, depth at rest, radius; default 0, 25, 6 */
  uint32_t cookie;
} syn_haptics_image;
SYN_PROGRAM_API syn_haptics_image syn_default_haptics_image(void);
/* What an ultrasound probe with its tip there would show after the last frame: speckle of the tissue, a vein without
 * echo, a bone with its shadow. The tissue at rest is imagined; it is seen through the displacements of the body's
 * nodes (Sundaraj 2004, Fig. 6.7). `pixels` has width * height bytes, rows from the tip down;
 * `image` may be NULL: defaults. */
SYN_PROGRAM_API syn_status syn_haptics_draw(const syn_haptics *haptics, const syn_haptics_image *image, syn_vec3 tip,
                                            uint8_t *pixels, syn_error *error);

/* ---- scenes ---------------------------------------------------------------------------------------------------------
 */

/* A scene that is built in. */
typedef struct syn_haptics_scene_info {
  const char *name;                                   /* "thigh", "maciel-a" … "maciel-d" */
  const char *summary;                                /* half a sentence */
  double published_simulation_hz, published_force_hz; /* by its author; NAN where none is given */
} syn_haptics_scene_info;
SYN_PROGRAM_API size_t syn_haptics_scene_count(void);
SYN_PROGRAM_API syn_haptics_scene_info syn_haptics_scene_at(size_t index);

/* A simulation, what touches it, and how. The scene owns all. */
typedef struct syn_haptics_scene {
  const syn_context *context;
  const char *name;
  const syn_haptics_scene_info *built_in; /* NULL: from a file */
  const char *model;                      /* of the body that is felt */
  const syn_soft *soft;                   /* that body */
  uint32_t held_nodes;
  syn_haptics *haptics;
  syn_haptics_push push; /* the device unless another is named */
  syn_haptics_image image;
  const char *trajectory;          /* NULL: none is named */
  int udp_port;                    /* -1: none */
  struct syn_haptics_store *store; /* private */
} syn_haptics_scene;

/* `name` is that of a built-in scene, or a scene file with the key "haptics" (docs/haptics.md). `reading` (may be NULL)
 * is for meshes; `simulation_hz` replaces the scene's own rate unless it is NAN. SYN_BAD_FORMAT names the file and the
 * key. Release with syn_haptics_scene_destroy. */
SYN_PROGRAM_API syn_status syn_haptics_scene_open(const syn_context *context, const char *name,
                                                  const syn_read_options *reading, double simulation_hz,
                                                  syn_haptics_scene **scene, syn_error *error);
SYN_PROGRAM_API void syn_haptics_scene_destroy(syn_haptics_scene *scene); /* NULL is fine */
/* The device that the scene names: its trajectory, its UDP port, or its push. */
SYN_PROGRAM_API syn_status syn_haptics_scene_device(const syn_haptics_scene *scene, syn_haptics_device *device,
                                                    syn_error *error);

/* Results of the run of a scene. */
typedef struct syn_haptics_result {
  const syn_haptics_scene *scene;
  const char *device; /* "push", "trajectory" or "udp" */
  syn_haptics_report report;
} syn_haptics_result;
/* Runs a scene with the device that it names. */
SYN_PROGRAM_API syn_status syn_haptics_scene_run(const syn_haptics_scene *scene, double seconds,
                                                 syn_haptics_result *result, syn_error *error);
/* Writes to the folder: force.csv with a row per period, force.svg with the force of the loop over that of the body,
 * and the ultrasound image before the push and at its deepest, image-rest.pgm and image-pressed.pgm. Changes the
 * simulation: call it last. */
SYN_PROGRAM_API syn_status syn_haptics_result_write(const syn_haptics_result *result, const char *folder,
                                                    syn_error *error);

/* Its results as field tables; see result.h. */
SYN_PROGRAM_API extern const syn_record syn_haptics_record; /* of a syn_haptics_result */

/* haptics_write.c: makes the ultrasound image at the first contact, or at the largest force (`pressed`); syn_free() the
 * pixels, also after a failure. Simulates a frame for it. */
syn_status syn_haptics_picture(const syn_haptics_result *result, bool pressed, uint8_t **pixels, syn_error *error);

struct syn_haptics_store {
  syn_arena memory; /* of texts */
  syn_tissue_scene *file;
  syn_soft *soft; /* of a built-in scene, */
  syn_simulation *simulation;
};

/* Result of a maker: the simulation with its one body, and the options of the probe. */
typedef struct syn_haptics_setup {
  syn_simulation *simulation; /* borrowed from the store */
  uint32_t body;
  syn_haptics_options options;
  bool has_push; /* else a default push onto the top of the body */
} syn_haptics_setup;

typedef syn_status syn_haptics_maker(syn_haptics_scene *scene, syn_haptics_setup *setup, syn_error *error);

/* haptics_built_in.c */
syn_haptics_maker syn_haptics_make_a, syn_haptics_make_b, syn_haptics_make_c, syn_haptics_make_d;
syn_haptics_maker syn_haptics_make_thigh;
/* Makes the skin of 260 nodes with the area and the volume of Sundaraj 2004, Table 6.1, along x, the front up. */
syn_status syn_thigh_skin(const syn_context *context, syn_trimesh **skin, syn_error *error);

#endif
