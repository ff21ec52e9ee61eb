/* Internal scenes of the haptic loop. */
#ifndef SYN_TISSUE_HAPTICS_SCENE_H
#define SYN_TISSUE_HAPTICS_SCENE_H

#include <synovia/tissue.h>

#include "base/memory.h"

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

/* haptics_file.c */
syn_status syn_haptics_read_file(syn_haptics_scene *scene, const char *path, const syn_read_options *reading,
                                 syn_haptics_setup *setup, syn_error *error);
/* maciel.c */
syn_haptics_maker syn_haptics_make_a, syn_haptics_make_b, syn_haptics_make_c, syn_haptics_make_d;
/* thigh_probe.c */
syn_haptics_maker syn_haptics_make_thigh;
/* Makes the skin of 260 nodes with the area and the volume of Sundaraj 2004, Table 6.1, along x, the front up. */
syn_status syn_thigh_skin(const syn_context *context, syn_trimesh **skin, syn_error *error);

#endif
