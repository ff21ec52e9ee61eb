/* A hip of blocks whose limits have closed forms. In a right hip at the origin, x right, y forward, z up: the femur is
 * a bar that hangs down and a fin that points sideward; of the pelvis' three blocks one lies in the bar's way in
 * flexion, one in adduction, one in the fin's way in internal rotation. */
#ifndef TEST_BLOCK_HIP_H
#define TEST_BLOCK_HIP_H

#include <synovia/clinic.h>

#include "support.h"

typedef struct block_hip {
  syn_hip hip;
  syn_trimesh *meshes[SYN_HIP_PARTS]; /* what hip.parts points to */
} block_hip;

/* Closed, outward, with sides along the axes. */
syn_trimesh *make_block(const syn_context *context, syn_vec3 min, syn_vec3 max);

/* The left hip is the mirror image; then all of it is moved by `pose` (NULL: stays). */
block_hip make_block_hip(const syn_context *context, syn_side side, const syn_pose *pose);
/* Another part, given for the right hip, then mirrored and moved likewise. */
void add_block(block_hip *blocks, syn_hip_part part, syn_vec3 min, syn_vec3 max, const syn_pose *pose);
void drop_block_hip(block_hip *blocks);
/* joint.json and a PLY file per part, in a folder that is there. */
void write_block_joint(const block_hip *blocks, const char *folder);

/* A flat side `offset` beside a line through the centre meets an edge at (along, ahead) after this turn. */
double turn_to_edge(double along, double ahead, double offset);
double block_flexion(void);
double block_extension(void);
double block_adduction(void);
double block_internal_rotation(void);
double block_external_rotation(void);

/* The limits of all clinical motions of any hip, without the ends that the motions have. */
void ask_all_motions(const syn_hip *hip, syn_limit *limits);

#endif
