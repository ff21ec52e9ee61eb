/* Makes the surface that a page shows of a body: decimated if it has too many triangles, ordered so that neighbours are
 * near each other in the file, with the analysed vertex of each displayed one. */
#ifndef SYN_REPORT_DISPLAY_H
#define SYN_REPORT_DISPLAY_H

#include <synovia/mesh.h>

#include "base/status.h"

typedef struct syn_display {
  syn_trimesh *mesh; /* only vertices in use */
  uint32_t *source;  /* index of the analysed vertex of each */
  double error_mm;   /* max distance found between the two surfaces, in both directions; 0 if nothing was removed */
} syn_display;

/* Makes one display for each mesh, with at most this many triangles; empty if the mesh is NULL. After a failure all are
 * released. */
syn_status syn_displays_make(const syn_context *context, const syn_trimesh *const *analysed,
                             const size_t *most_triangles, size_t count, syn_display *displays, syn_error *error);
void syn_display_release(const syn_context *context, syn_display *display);

#endif
