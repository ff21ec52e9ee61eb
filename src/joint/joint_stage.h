/* A joint in memory as files: one mesh per body, and joint.json where the bodies form a joint. */
#ifndef SYN_JOINT_JOINT_STAGE_H
#define SYN_JOINT_JOINT_STAGE_H

#include <synovia/joint.h>

#include "base/outbox.h"

/* Writes HIDDEN/BODY.ENDING in `format` (NULL: PLY for surfaces, VTU for volumes), which become the bodies' mesh files,
 * and HIDDEN/joint.json where the joint has axes; adds them to the outbox, of which HIDDEN is a staged folder. */
syn_status syn_joint_stage(syn_joint *joint, const char *format, syn_outbox *outbox, const char *hidden,
                           syn_error *error);

#endif
