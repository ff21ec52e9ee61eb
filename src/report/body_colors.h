/* The colours of bodies, the same on pages and in animations. */
#ifndef SYN_REPORT_BODY_COLORS_H
#define SYN_REPORT_BODY_COLORS_H

#include <synovia/report.h>

/* The body's own colour, or one by tissue; sRGB. */
void syn_report_body_color(const syn_report_body *body, unsigned char color[3]);
/* One of the tones by which neighbouring bones are told apart; sRGB. */
void syn_report_bone_color(size_t number, unsigned char color[3]);
/* The body's colour as glTF has it: linear, opaque. */
void syn_report_scene_color(const syn_report_body *body, float color[4]);

#endif
