/* Boxes of a tree in a moving frame, as boxes in the frame that stays: a turned box is bounded by |R| times its half
 * widths (the first three axes of Gottschalk's test). */
#ifndef SYN_COLLIDE_POSED_BOX_H
#define SYN_COLLIDE_POSED_BOX_H

#include "base/vec.h"
#include "mesh/tree/box_tree.h"

typedef struct box_poser {
  syn_pose pose;
  syn_mat3 size;   /* |R| */
  double rounding; /* more than what turning points and boxes within the root may lose */
} box_poser;

static inline syn_vec3 vec3_abs(syn_vec3 a) { return vec3(fabs(a.x), fabs(a.y), fabs(a.z)); }

static inline box_poser box_poser_make(const syn_pose *pose, const syn_box_tree *tree) {
  box_poser poser = {.pose = *pose};
  syn_vec3 reach = {0, 0, 0};
  if (tree->item_count > 0) {
    const syn_box_node *root = &tree->nodes[0];
    reach = vec3_max(vec3_abs(vec3((double)root->min[0], (double)root->min[1], (double)root->min[2])),
                     vec3_abs(vec3((double)root->max[0], (double)root->max[1], (double)root->max[2])));
  }
  for (int k = 0; k < 3; ++k) poser.size.row[k] = vec3_abs(pose->rotation.row[k]);
  const syn_vec3 most = vec3_add(mat3_apply(&poser.size, reach), vec3_abs(pose->translation));
  poser.rounding = 16 * 0x1p-53 * (most.x + most.y + most.z);
  return poser;
}

/* Contains every point of the node's box as syn_pose_point moves it. */
static inline syn_box box_posed(const box_poser *poser, const syn_box_node *node) {
  const syn_vec3 min = vec3((double)node->min[0], (double)node->min[1], (double)node->min[2]);
  const syn_vec3 max = vec3((double)node->max[0], (double)node->max[1], (double)node->max[2]);
  const syn_vec3 middle =
      vec3_add(mat3_apply(&poser->pose.rotation, vec3_scale(vec3_add(min, max), 0.5)), poser->pose.translation);
  const syn_vec3 half = vec3_add(mat3_apply(&poser->size, vec3_scale(vec3_sub(max, min), 0.5)),
                                 vec3(poser->rounding, poser->rounding, poser->rounding));
  return (syn_box){vec3_sub(middle, half), vec3_add(middle, half)};
}

/* False only when they are apart for sure: a bound that is not a number keeps them together. */
static inline bool box_may_touch(const syn_box *box, const syn_box_node *node) {
  return !(box->min.x > (double)node->max[0] || box->max.x < (double)node->min[0] ||
           box->min.y > (double)node->max[1] || box->max.y < (double)node->min[1] ||
           box->min.z > (double)node->max[2] || box->max.z < (double)node->min[2]);
}

#endif
