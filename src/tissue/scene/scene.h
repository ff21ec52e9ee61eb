/* A scene as it was read. */
#ifndef SYN_TISSUE_SCENE_H
#define SYN_TISSUE_SCENE_H

#include <synovia/tissue_scene.h>

#include "base/json.h"
#include "base/memory.h"

/* A way through time: turns about axes through a point, one after the other, and a shift, all from 0 to their whole
 * between two moments. */
typedef struct syn_scene_turn {
  syn_vec3 axis;
  double angle;
} syn_scene_turn;

typedef struct syn_scene_motion {
  syn_vec3 center, shift;
  syn_scene_turn *turns;
  size_t turn_count;
  double from_s, to_s;
  bool eased; /* slow at both ends */
} syn_scene_motion;

typedef struct syn_scene_item {
  const char *name;
  syn_trimesh *surface;
  syn_tetmesh *volume;
  syn_soft *soft;           /* NULL: rigid */
  uint32_t body;            /* of the simulation */
  syn_scene_motion *motion; /* of a rigid body; NULL: it stays */
} syn_scene_item;

/* Nodes of a soft body that are held or carry a load. */
typedef struct syn_scene_nodes {
  size_t item;
  uint32_t *nodes;
  size_t count;
  bool *chosen;             /* the same, by node */
  unsigned axes;            /* that are held */
  uint32_t with;            /* item of the rigid body that they move with, or SYN_NONE */
  syn_scene_motion *motion; /* of held nodes on their own way; NULL: they stay, or move with a body */
  syn_vec3 *forces;         /* on each of `nodes` */
  double over_s;            /* in which a force grows from 0; 0: at once */
} syn_scene_nodes;

struct syn_tissue_scene {
  const syn_context *context;
  syn_arena memory;
  const char *name;
  const char *folder; /* of the file */
  char digits[65];    /* its hash */
  syn_simulation *simulation;
  double duration_s, step_s, frame_s;
  syn_integrator integrator;
  syn_scene_item *items;
  size_t item_count;
  syn_scene_nodes *moved, *loaded;
  size_t moved_count, loaded_count;
};

/* The pose of a motion at a time. */
syn_pose syn_scene_motion_at(const syn_scene_motion *motion, double time_s);

/* A failure of the library as a mistake in the file: what was asked for there cannot be done. Others, such as no
 * memory, are passed on. */
syn_status syn_scene_blame(const syn_json *place, const syn_error *why, syn_error *error);

/* scene_bodies.c: one entry of "bodies". */
syn_status syn_scene_read_item(syn_tissue_scene *scene, const syn_json *place, const syn_read_options *reading,
                               syn_scene_item *item, syn_error *error);
/* A motion that may be NULL: without one a body stays. */
syn_vec3 syn_scene_moved_point(const syn_scene_motion *motion, double time_s, syn_vec3 rest);

/* scene_holds.c: after "hold" and "motions" are read, holds the nodes. Several entries on one node add up; where they
 * want different places along one axis they are refused. */
syn_status syn_scene_hold_nodes(syn_tissue_scene *scene, const syn_json *root, syn_error *error);
/* scene_loads.c: the forces of an entry of "loads" whose nodes are chosen. */
syn_status syn_scene_read_load(syn_tissue_scene *scene, const syn_json *place, syn_scene_nodes *load, syn_error *error);
/* Which node carries how much of all loads at a time. */
void syn_scene_push_nodes(const syn_tissue_scene *scene, double time_s);
/* scene_parts.c: "hold", "loads", "contacts", "motions". */
syn_status syn_scene_read_parts(syn_tissue_scene *scene, const syn_json *root, syn_error *error);

/* scene_fields.c: the fields of some frames, kept for a page. */
typedef struct syn_scene_fields {
  syn_arena arena; /* release it */
  size_t *frames;  /* numbers among the moments */
  size_t frame_count;
  syn_tissue_fields *of; /* one for each item, step by step */
} syn_scene_fields;
/* Chooses the frames among `total`. */
syn_status syn_scene_begin_fields(const syn_tissue_scene *scene, size_t total, syn_scene_fields *fields,
                                  syn_error *error);
/* Keeps this frame if it is among the chosen: as the simulation is, or as it was written to the folder (else NULL). */
syn_status syn_scene_keep_fields(const syn_tissue_scene *scene, size_t frame, const char *folder,
                                 syn_scene_fields *fields, syn_error *error);

/* scene_files.c */
/* The files of a moment: FOLDER/BODY_0000.vtu or .vtp. */
syn_status syn_scene_write_frame(const syn_tissue_scene *scene, const char *folder, size_t frame, syn_error *error);
/* The fields of a soft body on the vertices of its skin. */
typedef struct syn_scene_frame {
  syn_vec3 *displacement, *contact_n;
  double *von_mises_mpa;
} syn_scene_frame;
/* Those of the simulation as it is, and those of a frame that was written: the same bits. */
syn_status syn_scene_find_frame(const syn_tissue_scene *scene, const syn_scene_item *item, const syn_scene_frame *found,
                                syn_error *error);
syn_status syn_scene_read_frame(const syn_tissue_scene *scene, const syn_scene_item *item, const char *folder,
                                size_t frame, const syn_scene_frame *read, syn_error *error);
/* BODY.pvd and energy.csv, added to the outbox, where the folder is staged. */
syn_status syn_scene_stage_lists(const syn_tissue_scene *scene, const char *folder, const syn_tissue_moment *moments,
                                 size_t count, syn_outbox *outbox, syn_error *error);
syn_status syn_scene_write_checkpoint(const syn_tissue_scene *scene, const char *folder,
                                      const syn_tissue_moment *moments, size_t count, syn_error *error);
/* *count is 0 where there is no checkpoint of this scene; *moments is then NULL, else the caller's. */
syn_status syn_scene_read_checkpoint(const syn_tissue_scene *scene, const char *folder, syn_tissue_moment **moments,
                                     size_t *count, syn_error *error);

#endif
