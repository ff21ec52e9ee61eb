/* Synovia: the live viewer. Serves the report of a joint as an interactive page: drag the mobile bodies to query depth,
 * clearance and the range of motion at that pose; place the centre and the landmarks by picking; save the joint file.
 * The server listens on this computer only, and its address contains a secret that changes with every viewer. */
#ifndef SYNOVIA_VIEW_H
#define SYNOVIA_VIEW_H

#include <synovia/clinic.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct syn_viewer_options {
  unsigned port;         /* to listen on; 0 (the default): any free port */
  const char *title;     /* of the page; NULL: the name of the joint file unless that is "hip", else "Hip" */
  const char *save_path; /* joint file that the page saves to; NULL: the joint file itself, "joint.json" for meshes */
  const char *command, *date; /* for the page's provenance, see syn_provenance; may be NULL */
  uint32_t cookie;
} syn_viewer_options;
SYN_API syn_viewer_options syn_default_viewer_options(void);

typedef struct syn_viewer syn_viewer;

/* Opens and analyses the joint (a hip, or by its joint file one of any kind), and starts to listen. A scene file of
 * soft tissue in its place is simulated and played, again whenever the file has changed. Requests are answered by
 * syn_viewer_run. `input` and `options` (may be NULL) need not outlive the call. Warnings also appear on the page.
 * SYN_NO_PROGRAM if the port is not available, SYN_IO_ERROR if nothing can be saved at the path in the options. Release
 * with syn_viewer_destroy. */
SYN_API syn_status syn_viewer_create(const syn_context *context, const syn_hip_input *input,
                                     const syn_viewer_options *options, syn_viewer **viewer, syn_error *error);
/* "http://127.0.0.1:PORT/TOKEN/"; owned by the viewer. */
SYN_API const char *syn_viewer_url(const syn_viewer *viewer);
/* Answers requests on the calling thread until syn_viewer_stop is called; returns at once if it already was. */
SYN_API syn_status syn_viewer_run(syn_viewer *viewer, syn_error *error);
/* May be called by another thread and by a signal handler; the run then ends within a fifth of a second, or after the
 * current answer. */
SYN_API void syn_viewer_stop(syn_viewer *viewer);
/* Must not be called while it runs. NULL is fine. */
SYN_API void syn_viewer_destroy(syn_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
