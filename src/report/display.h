/* The surface that a page shows of a body: decimated where it has too many triangles, ordered so that neighbours lie
 * near each other in the file, each vertex knowing the analysed one that it is. */
#ifndef SYN_REPORT_DISPLAY_H
#define SYN_REPORT_DISPLAY_H

#include <synovia/mesh.h>

#include "base/status.h"

typedef struct syn_display {
  syn_trimesh *mesh; /* only vertices in use */
  uint32_t *source;  /* analysed vertex for each of them */
  double error_mm;   /* greatest distance found between the two surfaces, either way; 0 when nothing was left out */
} syn_display;

/* One for each mesh, with at most so many triangles; empty where the mesh is NULL. After a failure all are released. */
syn_status syn_displays_make(const syn_context *context, const syn_trimesh *const *analysed,
                             const size_t *most_triangles, size_t count, syn_display *displays, syn_error *error);
void syn_display_release(const syn_context *context, syn_display *display);

#endif
