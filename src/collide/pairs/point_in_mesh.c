/* The ray runs along +x. It crosses a triangle if the point is in the triangle's projection along x and before its
 * plane. Symbolic perturbation handles rays through edges and corners: the point is shifted by (0, ε, ε²). It is then
 * inside or outside the projection, never on its border, and the triangles around an edge agree. */
#include "collide/pairs/point_in_mesh.h"

#include "collide/pairs/posed_box.h"
#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"

/* Does the moved point see the edge a b in the direction +y, within the plane of y and z? */
static bool edge_beyond(const syn_vec3 *a, const syn_vec3 *b, const syn_vec3 *point) {
  const bool a_above = a->z > point->z, b_above = b->z > point->z;
  if (a_above == b_above) return false;
  const int side = syn_orient2d(a->y, a->z, b->y, b->z, point->y, point->z);
  return b_above ? side > 0 : side < 0;
}

static bool in_shadow(const syn_vec3 t[3], const syn_vec3 *point) {
  return edge_beyond(&t[0], &t[1], point) ^ edge_beyond(&t[1], &t[2], point) ^ edge_beyond(&t[2], &t[0], point);
}

/* Returns whether the point is before the plane. It is in the projection and not on the triangle, hence not in its
 * plane. */
static bool before_plane(const syn_vec3 t[3], const syn_vec3 *point) {
  const int facing = syn_orient2d(t[0].y, t[0].z, t[1].y, t[1].z, t[2].y, t[2].z); /* of the normal's x */
  return syn_orient3d(t[0], t[1], t[2], *point) * facing < 0;
}

static bool ray_may_touch(const syn_box *box, const syn_vec3 *point) {
  return !(box->max.x < point->x || box->min.y > point->y || box->max.y < point->y || box->min.z > point->z ||
           box->max.z < point->z);
}

syn_inclusion syn_point_in_mesh(const syn_box_tree *tree, const syn_vec3 *corners, const syn_pose *pose,
                                syn_vec3 point) {
  const syn_pose identity = syn_pose_identity();
  const box_poser poser = box_poser_make(pose ? pose : &identity, tree);
  uint32_t stack[SYN_BOX_TREE_DEPTH + 2], waiting = 0;
  bool inside = false;
  if (tree->item_count > 0) stack[waiting++] = 0;
  while (waiting > 0) {
    const syn_box_node *node = &tree->nodes[stack[--waiting]];
    const syn_box box = box_posed(&poser, node);
    /* Descend into boxes that the ray may touch. */
    if (!ray_may_touch(&box, &point)) continue;
    if (node->count > 1) {
      stack[waiting++] = node->child + 1;
      stack[waiting++] = node->child;
      continue;
    }
    /* A triangle: each crossing of the ray changes sides. */
    syn_vec3 t[3];
    for (int c = 0; c < 3; ++c)
      t[c] = pose ? syn_pose_point(pose, corners[3 * (size_t)node->child + c]) : corners[3 * (size_t)node->child + c];
    if (syn_point_in_triangle(point, t)) return SYN_ON_SURFACE;
    if (in_shadow(t, &point)) inside ^= before_plane(t, &point);
  }
  return inside ? SYN_INSIDE : SYN_OUTSIDE;
}
