/* The equations of Sundaraj 2004, Eq. 3.26 to 3.35, written out as one dense matrix: three unknowns per node and the
 * pressure. Slow and obvious. */
#ifndef TEST_VDM_TWIN_H
#define TEST_VDM_TWIN_H

#include <synovia/tissue.h>

#include "support.h"

typedef struct vdm_twin {
  const syn_trimesh *mesh; /* triangles and rest positions */
  const uint32_t (*pairs)[2];
  uint32_t pair_count;
  double *connectivity;
  syn_vec3 *bulk, *value;
  uint8_t (*constraint)[3];
  double density; /* t/mm3 */
  syn_vec3 gravity;
} vdm_twin;

/* A twin with the moduli given, all nodes free. */
vdm_twin make_vdm_twin(const syn_soft *soft, double bulk, double connectivity);
void drop_vdm_twin(vdm_twin *twin);
/* Tells the body what the twin has. */
void give_to_soft(const vdm_twin *twin, syn_soft *soft);

typedef struct twin_shape {
  double *area;
  syn_vec3 *normal, *vector; /* unit normals; the volume's derivatives */
  double total_area, volume;
} twin_shape;
twin_shape measure_twin(const syn_trimesh *mesh, const syn_vec3 *x);
void drop_twin_shape(twin_shape *shape);

/* K and R of 3 n + 1 unknowns with areas and normals of `shape`, weight at x. penalty 0: rows of what is fixed or
 * constrained are replaced; else they are as Eq. 3.32 and 3.34 print them. */
void fill_twin(const vdm_twin *twin, const twin_shape *shape, const syn_vec3 *x, double penalty, double *k, double *r);
/* K L = R by elimination; false where K is singular. */
bool solve_twin(const vdm_twin *twin, const twin_shape *shape, const syn_vec3 *x, double penalty, double *l);
/* Rank of an n by n matrix, by elimination with full pivots; spoils it. */
int rank_of(double *k, int n);

#endif
