/* Activities of everyday life with their peak forces. Each number cites its source. */
#include <string.h>

#include <synovia/pressure.h>

#define ORTHOLOAD                                                                                                      \
  "OrthoLoad, Hip Joint III (Bergmann et al. 2016), at the peaks of force as extracted by Fischer et al. 2021: mean "  \
  "of "

/* Components of the mean of all files of data/motion/orthoload: OLS, LW and SU. Those of stairs have the sizes that
 * Bergmann et al. 2001 give for an average patient, 251 and 260 % of body weight, and the direction of walking. */
static const syn_activity all[] = {
    {"standing", "Standing on one leg", {73.62, -14.97, -248.79}, NULL, false, ORTHOLOAD "ten people", NULL},
    {"walking",
     "Walking",
     {67.70, -23.62, -235.82},
     NULL,
     false,
     ORTHOLOAD "ten people, both peaks of a step",
     "the leg is straight below the pelvis"},
    {"stairs_up",
     "Up stairs",
     {68.94, -24.05, -240.14},
     NULL,
     false,
     "Bergmann et al. 2001: 251 % of body weight",
     "the force has the direction that it has in walking, and the leg is straight below the pelvis"},
    {"stairs_down",
     "Down stairs",
     {71.41, -24.92, -248.76},
     NULL,
     false,
     "Bergmann et al. 2001: 260 % of body weight",
     "the force has the direction that it has in walking, and the leg is straight below the pelvis"},
    {"stand_up",
     "Sitting to standing",
     {86.07, -23.44, -194.47},
     "stand_to_sit",
     true,
     ORTHOLOAD "nine people",
     "the force stays at its peak, in the femur's frame, throughout the motion"},
    {"sit_down",
     "Standing to sitting",
     {86.07, -23.44, -194.47},
     "stand_to_sit",
     false,
     ORTHOLOAD "nine people standing up",
     "sitting down takes the force of standing up, which stays at its peak, in the femur's frame, throughout the "
     "motion"},
};

size_t syn_activity_count(void) { return sizeof all / sizeof *all; }

const syn_activity *syn_activity_at(size_t index) { return &all[index]; }

const syn_activity *syn_activity_named(const char *name) {
  for (size_t i = 0; i < syn_activity_count(); ++i)
    if (strcmp(all[i].name, name) == 0) return &all[i];
  return NULL;
}
