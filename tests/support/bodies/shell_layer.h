/* Layers on spherical bones: a socket that opens downwards, and a head in it. */
#ifndef TEST_SHELL_LAYER_H
#define TEST_SHELL_LAYER_H

#include <synovia/pressure.h>

#include "support.h"

typedef struct shell {
  double radius;    /* of the articular surface, around the origin */
  double thickness; /* towards the bone; 0: faces only, rigid */
  double widest;    /* radians from the axis z to the rim */
  uint32_t across, deep;
  bool head;    /* convex, and moves; else concave */
  bool quarter; /* where x and y are positive, with as many faces across */
} shell;

/* Release with syn_layer_release. Outside of `labrum` radians from the axis elements are of region 1. */
syn_layer make_shell_layer(const shell *shell, syn_material inner, syn_material outer, double labrum);

#endif
