/* A hip under examination in the browser, and what the page may do to it. */
#ifndef SYN_VIEW_VIEWER_H
#define SYN_VIEW_VIEWER_H

#include <jansson.h>

#include <synovia/view.h>

#include "base/memory.h"
#include "view/pose.h"
#include "view/server.h"
#include "view/warnings.h"

/* The page as it is sent. A slow reader may still be at it when a newer one has come. */
typedef struct syn_view_page {
  size_t users;
  size_t size;
  char *bytes;
} syn_view_page;

struct syn_viewer {
  syn_context context; /* the caller's; its warnings are kept */
  syn_view_warnings warnings;
  syn_arena arena; /* texts */
  const char *title, *save_path, *command, *date;
  syn_hip_case *hip_case;
  syn_hip_analysis *analysis;
  syn_display displays[SYN_HIP_PARTS]; /* as the page shows the parts */
  syn_view_poser *poser;
  syn_server *server;
  syn_view_page *page;
  bool page_is_old; /* an edit came after it */
  bool backed_up;   /* what was at save_path before */
};

/* What the page says of its making; points into the viewer. SYN_NO_MEMORY where a warning could not be kept. */
syn_status syn_viewer_provenance(const syn_viewer *viewer, syn_provenance *provenance, syn_error *error);

/* Carries out {"center": [x,y,z]} or {"marker": name, "point": [x,y,z]}; *answer is a new reference, as
 * web/src/live-protocol.ts describes it. Nothing changes where it fails. */
syn_status syn_viewer_edit(syn_viewer *viewer, const json_t *request, json_t **answer, syn_error *error);

/* Writes the joint file; what was there stays beside it as FILE.bak. */
syn_status syn_viewer_save(syn_viewer *viewer, syn_error *error);

#endif
