/* What the files about a skeleton's report share. */
#ifndef SYN_REPORT_SKELETON_H
#define SYN_REPORT_SKELETON_H

#include <synovia/report.h>
#include <synovia/result.h>

#include "base/memory.h"

typedef struct skeleton_writing {
  const syn_context *context;
  const syn_skeleton_analysis *analysis;
  const syn_provenance *provenance;
  syn_arena arena; /* everything that the report points to */
  syn_report report;
  syn_report_body *bodies; /* those with a mesh */
  syn_trimesh **meshes;    /* theirs, where they lie */
  size_t *numbers;         /* of these bodies in the skeleton */
  syn_pose *back;          /* from where they lie to the frame of their mesh files */
  syn_report_table tables[3];
} skeleton_writing;

/* Meshes where the bodies lie: at rest, or in the first posture of a recording. */
syn_status syn_skeleton_lay_bodies(skeleton_writing *w, syn_error *error);
void syn_skeleton_release_bodies(skeleton_writing *w);
/* The motion of the analysis, then its ranges. */
syn_status syn_skeleton_add_motions(skeleton_writing *w, syn_error *error);
/* Everything else; after the bodies. */
syn_status syn_skeleton_fill_page(skeleton_writing *w, const char *title, syn_error *error);

#endif
