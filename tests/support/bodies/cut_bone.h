/* Bones cut as scans end: flat, and closed there. */
#ifndef TEST_CUT_BONE_H
#define TEST_CUT_BONE_H

#include "support.h"

/* What lies less than `below_mm` under the highest point along `up`, closed by a flat cap. */
syn_trimesh *cut_bone(const syn_trimesh *mesh, syn_vec3 up, double below_mm);

#endif
