/* What files of the same problem for other programs share: numbers of nodes begin with 1, in the order of the contact,
 * those of the fixed body first. */
#ifndef SYN_PRESSURE_PROBLEM_FILES_H
#define SYN_PRESSURE_PROBLEM_FILES_H

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"
#include "tissue/fem/fem.h"

/* Where a node stands in the file: at rest, the mobile body turned into its pose. */
static inline syn_vec3 exchange_place(const syn_contact_problem *c, const syn_pose *pose, uint32_t node) {
  return node >= c->bodies.sides[1].first ? pose_point(pose, c->bodies.rest[node]) : c->bodies.rest[node];
}

/* Young's modulus and Poisson's ratio. */
static inline double exchange_young(const fem_material *m) { return 9 * m->bulk * m->mu / (3 * m->bulk + m->mu); }
static inline double exchange_poisson(const fem_material *m) {
  return (3 * m->bulk - 2 * m->mu) / (2 * (3 * m->bulk + m->mu));
}

/* Elements from `first` on that are of one material: the number of the first one that is not. */
static inline uint32_t exchange_material_end(const fem_state *fem, uint32_t first) {
  const fem_material *m = fem_material_of(fem, first);
  uint32_t e = first;
  while (e < fem->element_count && fem_material_of(fem, e)->mu == m->mu && fem_material_of(fem, e)->bulk == m->bulk)
    ++e;
  return e;
}

/* How far the mobile body goes along the force, in the axes that are not driven, until the surfaces touch; 0 where they
 * do, or are out of each other's reach. */
double syn_exchange_approach(const syn_contact_problem *c, const syn_contact_load *load);

#endif
