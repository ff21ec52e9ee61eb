/* A scene as read from its file. */
#ifndef SYN_TISSUE_SCENE_H
#define SYN_TISSUE_SCENE_H

#include <synovia/tissue.h>

#include "base/files/outbox.h"
#include "base/json.h"
#include "base/memory.h"

/* A motion through time: rotations about axes through a point, in sequence, and a shift, all interpolated from 0 to
 * their full value between two times. */
typedef struct syn_scene_turn {
  syn_vec3 axis;
  double angle;
} syn_scene_turn;

typedef struct syn_scene_motion {
  syn_vec3 center, shift;
  syn_scene_turn *turns;
  size_t turn_count;
  double from_s, to_s;
  bool eased; /* zero velocity at both ends */
} syn_scene_motion;

typedef struct syn_scene_item {
  const char *name;
  syn_trimesh *surface;
  syn_tetmesh *volume;
  syn_soft *soft;           /* NULL: rigid */
  uint32_t body;            /* index in the simulation */
  syn_scene_motion *motion; /* of a rigid body; NULL: at rest */
} syn_scene_item;

/* Nodes of a soft body that are prescribed or carry a load. */
typedef struct syn_scene_nodes {
  size_t item;
  uint32_t *nodes;
  size_t count;
  bool *chosen;             /* the same, as a flag per node */
  unsigned axes;            /* prescribed axes */
  uint32_t with;            /* item of the rigid body that they move with, or SYN_NONE */
  syn_scene_motion *motion; /* prescribed motion of held nodes; NULL: they stay, or move with a body */
  syn_vec3 *forces;         /* on each of `nodes` */
  double over_s;            /* time in which a force grows from 0; 0: immediately */
} syn_scene_nodes;

struct syn_scene_store {
  const syn_context *context;
  syn_arena memory;
  const char *folder; /* of the file */
  char digits[65];    /* its hash */
  syn_scene_item *items;
  size_t item_count;
  syn_scene_nodes *moved, *loaded;
  size_t moved_count, loaded_count;
};

/* Returns the pose of a motion at a time. */
syn_pose syn_scene_motion_at(const syn_scene_motion *motion, double time_s);

/* Reports a failure of the library as a mistake in the file. Others, such as no memory, are returned unchanged. */
syn_status syn_scene_blame(const syn_json *place, const syn_error *why, syn_error *error);

/* scene_bodies.c: reads one entry of "bodies". */
syn_status syn_scene_read_item(syn_tissue_scene *scene, const syn_json *place, const syn_read_options *reading,
                               syn_scene_item *item, syn_error *error);
/* Moves a point by a motion, which may be NULL: the body stays. */
syn_vec3 syn_scene_moved_point(const syn_scene_motion *motion, double time_s, syn_vec3 rest);

/* scene_nodes.c: after "hold" and "motions" are read, prescribes the nodes. Several entries on one node add up;
 * entries that prescribe different positions along one axis are an error. */
syn_status syn_scene_hold_nodes(syn_tissue_scene *scene, const syn_json *root, syn_error *error);
/* Computes the forces of an entry of "loads" whose nodes are chosen. */
syn_status syn_scene_read_load(syn_tissue_scene *scene, const syn_json *place, syn_scene_nodes *load, syn_error *error);
/* Sets the sum of all loads on each node at a time. */
void syn_scene_push_nodes(const syn_tissue_scene *scene, double time_s);
/* scene_parts.c: reads "hold", "loads", "contacts", "motions". */
syn_status syn_scene_read_parts(syn_tissue_scene *scene, const syn_json *root, syn_error *error);

/* scene_files.c */
/* Writes the files of a frame: FOLDER/BODY_0000.vtu or .vtp. */
syn_status syn_scene_write_frame(const syn_tissue_scene *scene, const char *folder, size_t frame, syn_error *error);
/* The fields of a soft body on the vertices of its skin. */
typedef struct syn_scene_frame {
  syn_vec3 *displacement, *contact_n;
  double *von_mises_mpa;
} syn_scene_frame;
/* Computes the fields from the simulation, or reads those of a written frame: bit-identical. */
syn_status syn_scene_find_frame(const syn_tissue_scene *scene, const syn_scene_item *item, const syn_scene_frame *found,
                                syn_error *error);
syn_status syn_scene_read_frame(const syn_tissue_scene *scene, const syn_scene_item *item, const char *folder,
                                size_t frame, const syn_scene_frame *read, syn_error *error);
/* Adds BODY.pvd and energy.csv to the outbox that publishes the folder. */
syn_status syn_scene_stage_lists(const syn_tissue_scene *scene, const char *folder, const syn_tissue_step *moments,
                                 size_t count, syn_outbox *outbox, syn_error *error);

#endif
