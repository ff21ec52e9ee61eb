/* All results for a hip, to be compared between scenes that differ only in position and orientation. */
#ifndef TEST_HIP_ANSWERS_H
#define TEST_HIP_ANSWERS_H

#include "support.h"

enum { HIP_MOTIONS = 32, HIP_FADIR_CELLS = 45, HIP_MAP_CELLS = 54 };

/* Angles in degrees. */
typedef struct hip_answers {
  syn_side side;
  bool thorough; /* the last two lines are known */
  syn_vec3 center, seat;
  syn_measures measures;
  size_t motion_count;
  double motions[HIP_MOTIONS], hours[HIP_MOTIONS];
  double fadir[HIP_FADIR_CELLS], fadir_least, fadir_mean;
  double inward[HIP_MAP_CELLS], outward[HIP_MAP_CELLS];
  double by_center[SYN_CENTER_METHODS][HIP_MOTIONS], band_low[HIP_MOTIONS], band_high[HIP_MOTIONS];
} hip_answers;

/* How a scene differs from the one it was made from. */
typedef struct scene_change {
  const char *name;
  bool mirrored;   /* first: x becomes -x */
  syn_pose turned; /* then */
  bool ras;        /* last: written in RAS, and said so */
} scene_change;

/* Analyses the hip of two mesh files as they lie (change NULL), or of changed copies of them; the envelope and the
 * effect of the centre, which take most of the time, only where `thorough`. */
void answer_hip(const char *pelvis, const char *femur, const scene_change *change, bool thorough, hip_answers *answers);
/* No angle may differ by more than 0.01 degree, no length by more than 0.001 mm, of what both know. Prints the largest
 * differences. */
void check_same_answers(const hip_answers *before, const hip_answers *after, const scene_change *change);

#endif
