#include "block_pair.h"

#include "base/vec.h"
#include "solve/block_matrix.h"

static uint32_t node_at(const element_box *box, uint32_t i, uint32_t j, uint32_t k) {
  return (k * box->grid[1] + j) * box->grid[0] + i;
}

/* Faces of layer k of nodes: counterclockwise seen from above, or from below. */
static void make_quads(const element_box *box, uint32_t k, bool up, uint32_t *faces) {
  for (uint32_t j = 0; j + 1 < box->grid[1]; ++j)
    for (uint32_t i = 0; i + 1 < box->grid[0]; ++i) {
      const uint32_t a = node_at(box, i, j, k), b = node_at(box, i + 1, j, k), c = node_at(box, i + 1, j + 1, k),
                     d = node_at(box, i, j + 1, k);
      const uint32_t face[4] = {a, up ? b : d, c, up ? d : b};
      memcpy(faces, face, sizeof face);
      faces += 4;
    }
}

/* Faces of the elements whose nodes all lie at height z. */
static uint32_t find_faces(const element_box *box, double z, uint32_t *faces) {
  static const uint8_t tet4[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  static const uint8_t tet10[4][6] = {{1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}, {0, 1, 3, 4, 8, 7}, {0, 2, 1, 6, 5, 4}};
  const bool quadratic = box->mesh.element == SYN_ELEMENT_TET10;
  const uint32_t each = quadratic ? 6 : 3, nodes = quadratic ? 10 : 4;
  uint32_t count = 0;
  for (uint32_t e = 0; e < box->mesh.element_count; ++e)
    for (int f = 0; f < 4; ++f) {
      bool all = true;
      for (uint32_t a = 0; a < each; ++a) {
        const uint32_t node = box->elements[nodes * e + (quadratic ? tet10[f][a] : tet4[f][a])];
        faces[each * count + a] = node;
        all = all && fabs(box->nodes[node].z - z) < 1e-12;
      }
      count += all;
    }
  return count;
}

static uint32_t make_faces(block_pair *pair, int k, double z) {
  element_box *box = &pair->boxes[k];
  pair->faces[k] = malloc((size_t)24 * box->mesh.element_count * sizeof *pair->faces[k] + 64);
  if (box->mesh.element != SYN_ELEMENT_HEX8) return find_faces(box, z, pair->faces[k]);
  make_quads(box, k == 0 ? box->grid[2] - 1 : 0, k == 0, pair->faces[k]);
  return (box->grid[0] - 1) * (box->grid[1] - 1);
}

/* In the plane that touches, where shaking leaves the corners of elements. */
static void shake_surface(element_box *box, double z, double part, test_random *random) {
  const double cell[2] = {1.0 / (box->grid[0] - 1), 1.0 / (box->grid[1] - 1)};
  for (uint32_t i = 0; i < box->mesh.node_count; ++i) {
    syn_vec3 *p = &box->nodes[i];
    if (fabs(p->z - z) > 1e-12 || p->x < 1e-9 || p->x > 1 - 1e-9 || p->y < 1e-9 || p->y > 1 - 1e-9) continue;
    p->x += random_between(random, -part, part) * cell[0];
    p->y += random_between(random, -part, part) * cell[1];
  }
}

block_pair make_block_pair(syn_element element, const uint32_t lower[3], const uint32_t upper[3], double height,
                           const syn_material materials[2], syn_law law, double shake, double lift) {
  block_pair pair = {0};
  test_random random = {11};
  syn_error error;
  for (int k = 0; k < 2; ++k) {
    const uint32_t *n = k == 0 ? lower : upper;
    element_box *box = &pair.boxes[k];
    *box = make_element_box(element, n[0], n[1], n[2], vec3(1, 1, height));
    const double touch = k == 0 ? height : 0;
    if (shake > 0) shake_element_box(box, &random, shake);
    if (shake > 0 && element == SYN_ELEMENT_HEX8) shake_surface(box, touch, shake, &random);
    pair.bodies[k].face_count = make_faces(&pair, k, touch);
    pair.held[k] = malloc(box->mesh.node_count);
    for (uint32_t i = 0; i < box->mesh.node_count; ++i) {
      const syn_vec3 p = box->nodes[i];
      pair.held[k][i] =
          (uint8_t)((p.x < 1e-9 || p.x > 1 - 1e-9 ? SYN_X : 0) | (p.y < 1e-9 || p.y > 1 - 1e-9 ? SYN_Y : 0));
      if (fabs(p.z - (k == 0 ? 0 : height)) < 1e-12) pair.held[k][i] = SYN_XYZ;
      if (k == 1) box->nodes[i].z += height + lift;
    }
    syn_soft_options options = elastic_options(1, 0.3, law);
    options.material = materials[k];
    ASSERT_OK(syn_soft_fem_create(NULL, &box->mesh, &options, &pair.soft[k], &error));
    pair.bodies[k].soft = pair.soft[k];
    pair.bodies[k].held = pair.held[k];
    pair.bodies[k].face_nodes = element == SYN_ELEMENT_HEX8 ? 4 : element == SYN_ELEMENT_TET4 ? 3 : 6;
    pair.bodies[k].faces = pair.faces[k];
  }
  return pair;
}

void drop_block_pair(block_pair *pair) {
  for (int k = 0; k < 2; ++k) {
    syn_soft_destroy(pair->soft[k]);
    drop_element_box(&pair->boxes[k]);
    free(pair->held[k]);
    free(pair->faces[k]);
  }
}
