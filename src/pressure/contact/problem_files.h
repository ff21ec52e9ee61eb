/* Common parts of the files of a problem for other programs: node numbers begin with 1, in the order of the contact
 * problem, those of the fixed body first. */
#ifndef SYN_PRESSURE_PROBLEM_FILES_H
#define SYN_PRESSURE_PROBLEM_FILES_H

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"
#include "tissue/fem/fem.h"

/* Returns the position of a node in the file: at rest, the mobile body at its pose. */
static inline syn_vec3 exchange_place(const syn_contact_problem *c, const syn_pose *pose, uint32_t node) {
  return node >= c->bodies.sides[1].first ? pose_point(pose, c->bodies.rest[node]) : c->bodies.rest[node];
}

/* Young's modulus and Poisson's ratio. */
static inline double exchange_young(const fem_material *m) { return 9 * m->bulk * m->mu / (3 * m->bulk + m->mu); }
static inline double exchange_poisson(const fem_material *m) {
  return (3 * m->bulk - 2 * m->mu) / (2 * (3 * m->bulk + m->mu));
}

/* Returns the first element after `first` that is of another material. */
static inline uint32_t exchange_material_end(const fem_state *fem, uint32_t first) {
  const fem_material *m = fem_material_of(fem, first);
  uint32_t e = first;
  while (e < fem->element_count && fem_material_of(fem, e)->mu == m->mu && fem_material_of(fem, e)->bulk == m->bulk)
    ++e;
  return e;
}

/* Writes the problem as an input of FEBio: febio_input.c. */
syn_status syn_contact_write_febio(const syn_contact_problem *problem, const syn_load_step *load, const char *path,
                                   syn_error *error);

#endif
