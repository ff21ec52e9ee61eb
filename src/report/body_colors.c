#include "report/body_colors.h"

#include <math.h>
#include <string.h>

/* The first two are for fixed and mobile bones. */
static const unsigned char bones[][3] = {{222, 226, 230}, {240, 219, 184}, {198, 214, 196},
                                         {226, 200, 190}, {190, 206, 226}, {224, 214, 160}};
static const unsigned char moving_cartilage[3] = {132, 200, 168};
static const unsigned char tissues[][3] = {[SYN_TISSUE_CARTILAGE] = {110, 178, 214},
                                           [SYN_TISSUE_LABRUM] = {226, 120, 96},
                                           [SYN_TISSUE_LIGAMENT] = {214, 196, 120},
                                           [SYN_TISSUE_MUSCLE] = {176, 84, 84},
                                           [SYN_TISSUE_TRANSITION_ZONE] = {168, 149, 155}};

void syn_report_body_color(const syn_report_body *body, unsigned char color[3]) {
  const bool given = body->color[0] || body->color[1] || body->color[2];
  const unsigned char *tissue = tissues[body->body.tissue];
  if (body->body.tissue == SYN_TISSUE_BONE) tissue = bones[body->body.moves];
  if (body->body.tissue == SYN_TISSUE_CARTILAGE && body->body.moves) tissue = moving_cartilage;
  memcpy(color, given ? body->color : tissue, 3);
}

void syn_report_bone_color(size_t number, unsigned char color[3]) {
  memcpy(color, bones[number % (sizeof bones / sizeof *bones)], 3);
}

void syn_report_scene_color(const syn_report_body *body, float color[4]) {
  unsigned char srgb[3];
  syn_report_body_color(body, srgb);
  for (int i = 0; i < 3; ++i) {
    const double c = srgb[i] / 255.0;
    color[i] = (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
  }
  color[3] = 1;
}
