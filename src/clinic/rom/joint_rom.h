/* The range of motion of a joint of any kind, for those who make others like it. */
#ifndef SYN_CLINIC_JOINT_ROM_H
#define SYN_CLINIC_JOINT_ROM_H

#include "clinic/rom/rom.h"
#include <synovia/joint_analysis.h>

/* The joint surface of a mobile body, which stops no motion. */
typedef struct rom_gliding {
  uint8_t *left_out;    /* one byte for each triangle; NULL: all count */
  syn_trimesh *counted; /* the others */
} rom_gliding;

struct syn_joint_rom {
  const syn_joint *joint;
  rom_gliding *gliding; /* of each body */
  syn_turns turns;      /* its hip has the centre and the axes of the joint, and no parts */
};

#endif
