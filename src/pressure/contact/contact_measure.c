/* Measures the pressure of a contact problem as last evaluated. */

#include <math.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

typedef struct sums {
  double peak, area, pressure; /* pressure: its integral */
  syn_vec3 force, moment;      /* moment: integral of pressure times position */
} sums;

/* A node's share of a face is in contact if its pressure is above zero. */
static void add_corner(const syn_contact_problem *c, uint32_t s, int a, sums *to) {
  const contact_side *slave = contact_slave(c);
  const contact_face *face = &slave->faces[s];
  const contact_slave_face *own = &c->contact.slave_faces[s];
  const double p = c->contact.pressure[face->node[a] - slave->first];
  if (!(p > 0) || !(own->area[a] > 0)) return;
  to->peak = max2(to->peak, p);
  to->area += own->area[a];
  to->pressure += p * own->area[a];
  to->force = vec3_madd(to->force, p * own->area[a], own->normal);
  for (int b = 0; b < syn_contact_shapes[face->kind].node_count; ++b)
    to->moment = vec3_madd(to->moment, p * own->own[a][b], c->equilibrium.x[face->node[b]]);
}

static void finish(const sums *from, syn_pressure_part *to) {
  const bool touches = from->area > 0;
  to->peak_mpa = from->peak;
  to->area_mm2 = from->area;
  to->mean_mpa = touches ? from->pressure / from->area : 0;
  to->force_n = vec3_length(from->force);
  const double none = (double)NAN;
  to->center = touches ? vec3_scale(from->moment, 1 / from->pressure) : vec3(none, none, none);
}

void syn_contact_measure(const syn_contact_problem *c, const uint8_t *part_of, uint32_t part_count,
                         syn_pressure_part *total, syn_pressure_part *parts) {
  const contact_side *slave = contact_slave(c);
  sums all[5] = {{0}};
  for (uint32_t s = 0; s < slave->face_count; ++s)
    for (int a = 0; a < syn_contact_shapes[slave->faces[s].kind].corner_count; ++a) {
      add_corner(c, s, a, &all[4]);
      add_corner(c, s, a, &all[part_of ? part_of[s] : 0]);
    }
  finish(&all[4], total);
  for (uint32_t k = 0; k < part_count; ++k) finish(&all[k], &parts[k]);
}
