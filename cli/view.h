/* A hip under examination in the browser, and what the page may do to it. */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include "view_pose.h"

/* The page as it is sent. A slow reader may still be at it when a newer one has come. */
typedef struct cli_page {
  size_t users;
  size_t size;
  char *bytes;
} cli_page;

typedef struct cli_view_state {
  cli_session *session;
  syn_hip_case *hip_case;
  syn_hip_analysis *analysis;
  syn_display displays[SYN_HIP_PARTS]; /* as the page shows the parts */
  cli_poser *poser;
  const char *url; /* that the page asks */
  cli_page *page;
  bool page_is_old;       /* an edit came after it */
  const char *joint_path; /* the joint file that was opened; NULL: meshes */
  const char *save_path;
  bool backed_up;   /* what was at save_path before */
  json_t *warnings; /* of opening the hip */
} cli_view_state;

/* Carries out {"center": [x,y,z]} or {"marker": name, "point": [x,y,z]}; *answer is a new reference, as
 * web/src/live-protocol.ts describes it. Nothing changes where it fails. */
syn_status cli_view_edit(cli_view_state *view, const json_t *request, json_t **answer, syn_error *error);

/* From here on warnings are gathered for the page and the joint file: those of opening the hip stay. */
void cli_view_warn_afresh(cli_view_state *view);

/* Writes the joint file; what was there stays beside it as FILE.bak. */
syn_status cli_view_save(cli_view_state *view, syn_error *error);

#endif
