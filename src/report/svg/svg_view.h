/* Draws bodies as an SVG picture without libraries: visible triangles, far ones first, shaded by Lambert's law. */
#ifndef SYN_REPORT_SVG_VIEW_H
#define SYN_REPORT_SVG_VIEW_H

#include <stdio.h>
#include <synovia/synovia.h>

typedef struct syn_svg_body {
  const syn_trimesh *mesh;
  syn_pose pose;
  unsigned char color[3]; /* sRGB of a face turned to the light */
} syn_svg_body;

/* The viewing direction: unit vectors to the right, up and toward the viewer, a right-handed frame. */
typedef struct syn_svg_view {
  syn_vec3 right, up, toward;
} syn_svg_view;

/* Returns the width in mm that the picture must show so that all bodies fit. */
double syn_svg_mm_across(const syn_svg_body *bodies, size_t count, const syn_svg_view *view);
/* Writes one square <svg> element with `label` as its text alternative. Bodies must be closed: faces turned away are
 * not drawn. Pictures with the same `mm_across` have the same scale; the bodies are centred. */
syn_status syn_svg_draw(const syn_context *context, FILE *to, const syn_svg_body *bodies, size_t count,
                        const syn_svg_view *view, double mm_across, const char *label, syn_error *error);

#endif
