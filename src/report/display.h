/* Makes the surface that a page shows of a body: decimated if it has too many triangles, ordered so that neighbours are
 * near each other in the file, with the analysed vertex of each displayed one. */
#ifndef SYN_REPORT_DISPLAY_H
#define SYN_REPORT_DISPLAY_H

#include <synovia/mesh.h>

#include "base/status.h"
#include "report/page_content.h"

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

/* ---- body colors ----------------------------------------------------------------------------------------------- */
/* The colours of bodies, the same on pages and in animations. */

/* Returns the colour of a body, its own or that of its tissue; sRGB. */
void syn_report_body_color(const syn_report_body *body, unsigned char color[3]);
/* Returns one of the tones that distinguish neighbouring bones; sRGB. */
void syn_report_bone_color(size_t number, unsigned char color[3]);
/* Returns the body's colour for glTF: linear, opaque. */
void syn_report_scene_color(const syn_report_body *body, float color[4]);

/* ---- frame ----------------------------------------------------------------------------------------------------- */
/* The directions from which a report shows its bodies. */

/* Unit axes of the patient, and the opening direction of the cup. */
typedef struct syn_report_frame {
  syn_side side;
  syn_vec3 center, right, forward, up, cup;
} syn_report_frame;

/* Returns the frame of the hip; for another joint, its axes in place of the patient's; without a joint, the middle of
 * all bodies, with x to the right, y forward and z up, as for generated shapes. */
syn_report_frame syn_report_frame_of(const syn_report *report);

#endif
