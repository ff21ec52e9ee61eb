/* What the demo knows about its hip, shared between making it and reporting it. */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H

#include <stdio.h>

#include "output.h"

typedef struct demo_body {
  const syn_shape_body *body;
  syn_health health;
  syn_mass mass;
  unsigned char color[3]; /* sRGB */
} demo_body;

enum { DEMO_STEPS = 30 };

typedef struct demo {
  const syn_shape_info *info;
  const syn_shape_value *values; /* what differs from the shape's standard */
  size_t value_count;
  syn_shape shape;
  demo_body bodies[SYN_SHAPE_BODIES];
  syn_pose motion[DEMO_STEPS + 1]; /* of the moving bodies, from standing to sitting */
  bool fit;
} demo;

/* A page that needs nothing but a browser. */
syn_status demo_write_report(const demo *d, FILE *to, const syn_context *context, syn_error *error);

#endif
