/* The colours of bodies, the same on pages and in animations. */
#ifndef SYN_REPORT_BODY_COLORS_H
#define SYN_REPORT_BODY_COLORS_H

#include <synovia/report.h>

/* Returns the colour of a body, its own or that of its tissue; sRGB. */
void syn_report_body_color(const syn_report_body *body, unsigned char color[3]);
/* Returns one of the tones that distinguish neighbouring bones; sRGB. */
void syn_report_bone_color(size_t number, unsigned char color[3]);
/* Returns the body's colour for glTF: linear, opaque. */
void syn_report_scene_color(const syn_report_body *body, float color[4]);

#endif
