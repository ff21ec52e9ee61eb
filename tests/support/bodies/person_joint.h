/* Joints of people that are not hips: two bones of the data, or none where it is missing. */
#ifndef PERSON_JOINT_H
#define PERSON_JOINT_H

#include "support.h"
#include <synovia/motion.h>

typedef struct person_joint {
  syn_trimesh *fixed, *mobile;
  syn_body bodies[2];
  syn_joint joint; /* its first axis bends, the second goes sideward, the third turns */
} person_joint;

/* The knee of OpenSim's models, and the shoulder of MyoSim. False: the data is missing, which is reported. The joint
 * points into the struct. */
bool read_knee(person_joint *p);
bool read_shoulder(person_joint *p);
void drop_person_joint(person_joint *p);

#endif
