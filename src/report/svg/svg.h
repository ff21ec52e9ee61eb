/* Draws a report's figures as SVG elements: colours by the names of the style sheet, so that they follow dark and
 * light; nothing is shown by colour alone. Coordinates are integers, because printf's decimal point depends on the
 * locale; fine lines are drawn in tenths inside a scaled group. */
#ifndef SYN_REPORT_SVG_SVG_H
#define SYN_REPORT_SVG_SVG_H

#include <stdio.h>

#include "report/page_content.h"
#include <synovia/synovia.h>

/* ---- the drawings; each writes one <svg> ------------------------------------------------------------------------- */

/* Rotation free of contact over flexion and adduction: two maps with a stepped scale; with the positions of hips in
 * daily life, or without. */
void syn_svg_envelope(FILE *to, const syn_envelope *envelope, bool with_places);
/* Draws the clock face of the acetabulum with a numbered sector for each mark whose hour and length are known. */
void syn_svg_clock(FILE *to, const syn_report_clock_mark *marks, size_t count);
/* Draws numbers with their ranges, measures first, then motions on one scale. */
void syn_svg_ranges(FILE *to, const syn_report *report);
/* Draws curves along the motions, one panel for each motion and unit, two panels per <svg>, which fit on paper. */
void syn_svg_curves(FILE *to, const syn_report_motion *motions, size_t count);
/* Draws grids of numbers, two beside each other. */
void syn_svg_maps(FILE *to, const syn_report_map *maps, size_t count);

/* ---- shared parts ------------------------------------------------------------------------------------------------ */

void syn_svg_open(FILE *to, int width, int height, const char *label);
void syn_svg_close(FILE *to);
typedef enum syn_svg_anchor { SYN_SVG_START, SYN_SVG_MIDDLE, SYN_SVG_END } syn_svg_anchor;
/* `style` is the element's class: "quiet", "strong" or "". */
void syn_svg_text(FILE *to, int x, int y, syn_svg_anchor anchor, const char *style, const char *text);
/* Writes at most `most` characters; a tooltip shows the whole text if it was cut. */
void syn_svg_text_short(FILE *to, int x, int y, syn_svg_anchor anchor, const char *style, const char *text,
                        size_t most);
void syn_svg_line(FILE *to, int x1, int y1, int x2, int y2, const char *color);
/* "deg" and "degrees" become "°", which has no blank before it; "" stays "". */
const char *syn_svg_unit(const char *unit);
/* Returns the smallest round step of which at most `most` cover `span`. */
double syn_svg_tick(double span, int most, bool degrees);

/* Viridis at 0 … 1 as 0xRRGGBB: even in lightness, the same order in grey and to every kind of colour vision. */
unsigned syn_svg_viridis(double at);

/* Maps a value to a position on an axis. */
typedef struct syn_svg_axis {
  double low, high; /* high > low */
  int from, to;     /* positions of low and high */
} syn_svg_axis;
double syn_svg_at(const syn_svg_axis *axis, double value);

/* ---- svg view -------------------------------------------------------------------------------------------------- */
/* Draws bodies as an SVG picture without libraries: visible triangles, far ones first, shaded by Lambert's law. */

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
