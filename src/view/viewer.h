/* Shows a hip in the browser, and carries out the edits of the page. */
#ifndef SYN_VIEW_VIEWER_H
#define SYN_VIEW_VIEWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <synovia/base.h>
#include <synovia/view.h>

#include "base/json.h"
#include "base/memory.h"
#include "view/server.h"
#include "view/view_pose.h"

/* ---- progress -------------------------------------------------------------------------------------------------- */
/* Estimates the progress of an analysis from its reports. */

/* A step is all that is reported under one name. The same analysis repeats the same steps, so they are counted; times
 * are not estimated, since they depend on the machine and its load. */
typedef struct syn_view_progress {
  size_t step_count; /* of the previous analysis; 0: none */
  size_t step;       /* current, from 1; 0: none yet */
  char what[64];     /* the name of the step */
  double share;      /* completed steps, 0 to 1, including the fraction of the current one; never decreases */
} syn_view_progress;

void syn_view_progress_begin(syn_view_progress *progress);
void syn_view_progress_note(syn_view_progress *progress, const char *what, double fraction);
/* Without `keep` the step count of the previous analysis stays. */
void syn_view_progress_end(syn_view_progress *progress, bool keep);

/* ---- warnings -------------------------------------------------------------------------------------------------- */
/* Keeps the warnings of a viewer, which its page and its joint file repeat: those of the hip in its current state. */

typedef struct syn_view_texts {
  char **at;
  size_t count, capacity;
} syn_view_texts;

typedef struct syn_view_warnings {
  syn_context caller;     /* also receives the warnings, and allocates memory */
  syn_view_texts now;     /* each once */
  syn_view_texts opening; /* of opening the hip, in the form shown after an edit */
  bool failed;            /* out of memory for a warning */
  /* Receives progress before the caller does; as in syn_context. NULL: no receiver. */
  bool (*progress)(void *listener, const char *what, double fraction);
  void *listener;
} syn_view_warnings;

/* Call it before the hip is analysed again: later warnings belong to the new analysis, and those of opening stay as
 * "before the edit: …". Call syn_view_warnings_settle afterwards, also on failure. */
syn_status syn_view_warnings_renew(syn_view_warnings *warnings, syn_view_texts *before, syn_error *error);
/* Keeps the warnings since then, or restores those in `before`. */
void syn_view_warnings_settle(syn_view_warnings *warnings, syn_view_texts *before, bool keep);

/* ---- viewer ---------------------------------------------------------------------------------------------------- */

/* The page as sent. A slow reader may still receive it when a newer one exists. */
typedef struct syn_view_page {
  size_t users;
  size_t size;
  char *bytes;
} syn_view_page;

/* Identifies the state of a file. */
typedef struct syn_view_stamp {
  int64_t seconds, nanoseconds, size;
} syn_view_stamp;

struct syn_viewer {
  syn_context context; /* the caller's; its warnings are kept */
  syn_view_warnings warnings;
  syn_arena arena; /* owns the texts */
  const char *title, *save_path, *command, *date;
  syn_hip_case *hip_case; /* of a hip, with its analysis; else NULL */
  syn_hip_analysis *analysis;
  syn_joint *joint; /* of another joint, with its analysis; else NULL */
  syn_joint_analysis *joint_analysis;
  const char *joint_file;
  const char *scene_file; /* of a scene of soft tissue; else NULL */
  syn_read_options scene_reading;
  syn_view_stamp scene_stamp;
  syn_display *displays; /* the parts, or the bodies, as the page shows them */
  size_t display_count;
  syn_view_poser *poser;
  syn_server *server;
  syn_view_page *page;
  bool page_is_old;           /* an edit came after it was made */
  syn_view_progress progress; /* of the analysis */
  bool is_renewing;           /* the analysis is running again */
  syn_error renewal_error;    /* why the last renewal failed; SYN_OK if it succeeded */
  bool backed_up;             /* the earlier file at save_path has a backup */
};

/* Fills in the provenance for the page; points into the viewer. SYN_NO_MEMORY if a warning could not be kept. */
syn_status syn_viewer_provenance(const syn_viewer *viewer, syn_provenance *provenance, syn_error *error);

/* ---- a joint that is not a hip: view/view_joint.c
 * -----------------------------------------------------------------------
 */

/* Sets whether this is the file of such a joint. */
syn_status syn_viewer_names_joint(const syn_viewer *viewer, const syn_hip_input *input, bool *joint, syn_error *error);
syn_status syn_viewer_open_joint(syn_viewer *viewer, const syn_hip_input *input, syn_error *error);
/* Replaces analysis and pose queries by those of the joint in its current state. */
syn_status syn_viewer_analyse_joint(syn_viewer *viewer, syn_error *error);
/* {"center": [x,y,z]}; changes nothing on failure. */
syn_status syn_viewer_edit_joint(syn_viewer *viewer, const syn_json *root, json_t **answer, syn_error *error);

/* ---- a scene of soft tissue: view/view_scene.c
 * --------------------------------------------------------------------------
 */

/* Returns whether this is the file of a scene. */
bool syn_viewer_names_scene(const syn_hip_input *input);
syn_status syn_viewer_open_scene(syn_viewer *viewer, const syn_hip_input *input, syn_error *error);
/* Marks the page as old if the file has changed since the last request. */
void syn_viewer_look_at_scene(syn_viewer *viewer);
/* Simulates the scene and writes its page. */
syn_status syn_viewer_put_scene(const syn_viewer *viewer, FILE *to, syn_error *error);

/* Reads a position and checks that it is on the body of one person. */
syn_status syn_viewer_read_place(const syn_json *place, syn_vec3 center, syn_vec3 *point, syn_error *error);

/* Carries out {"center": [x,y,z]} or {"marker": name, "point": [x,y,z]}; *answer is a new reference, as defined in
 * web/src/live/protocol.ts. Changes nothing on failure. */
syn_status syn_viewer_edit(syn_viewer *viewer, const json_t *request, json_t **answer, syn_error *error);

/* Writes the joint file; an earlier file is kept as FILE.bak. */
syn_status syn_viewer_save(syn_viewer *viewer, syn_error *error);

#endif
