/* Elements: positions of their nodes, shape functions, and integration points. Local coordinates: a tetrahedron has
 * its corners at 0 and the three unit vectors, a hexahedron at -1 and 1. */
#ifndef SYN_TISSUE_FEM_ELEMENT_H
#define SYN_TISSUE_FEM_ELEMENT_H

#include <synovia/tissue.h>

enum { FEM_NODES = 10, FEM_POINTS = 8, FEM_FACE_NODES = 6 };

/* A point of integration: local coordinates and weight; the weights add up to the local volume. */
typedef struct fem_quadrature {
  double at[3], weight;
} fem_quadrature;

typedef struct fem_element {
  int node_count, point_count, mass_point_count;
  const fem_quadrature *points;      /* of energy and force */
  const fem_quadrature *mass_points; /* of products of two shape functions */
  /* Shape functions and their derivatives by the local coordinates, either may be NULL. */
  void (*shape)(const double at[3], double *values, double (*slopes)[3]);
  int corner_count;
  const double (*corners)[3]; /* local coordinates of all nodes */
  /* Faces, outward: corners first, then nodes on the edges in the order of the corners they follow. */
  int face_count, face_corners, face_nodes;
  const uint8_t (*faces)[FEM_FACE_NODES];
  /* A face as triangles of the skin, of its nodes. */
  int face_triangles;
  const uint8_t (*triangles)[3];
} fem_element;

extern const fem_element syn_fem_elements[SYN_ELEMENTS];

/* Computes dN/dX at one point from the positions at rest; returns the determinant of the map. */
double syn_fem_gradients(const fem_element *element, const double at[3], const double (*rest)[3],
                         double (*gradients)[3]);

#endif
