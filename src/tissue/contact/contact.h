/* Contacts of a simulation: data prepared for each pair of bodies, and the methods that find gaps. */
#ifndef SYN_TISSUE_CONTACT_H
#define SYN_TISSUE_CONTACT_H

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

/* Maximum count of nodes that move a vertex of the skin, and of those that move a gap with its four points. */
enum { SYN_MOST_ANCHORS = 16, SYN_GAP_NODES = 4 * SYN_MOST_ANCHORS };

/* Finds the nodes that a gap depends on: moving nodes[i] by u changes it by coefficients[i] * normal . u. A node may
 * occur twice. Returns their count. */
uint32_t syn_gap_nodes(const syn_simulation *s, const syn_gap *gap, uint32_t nodes[SYN_GAP_NODES],
                       double coefficients[SYN_GAP_NODES]);
syn_status syn_gap_add(syn_simulation *s, const syn_gap *gap, syn_error *error);
void syn_touch_release(const syn_context *context, syn_touch *touch);

/* barrier.c: pairs of features nearer than the barrier's reach. */
syn_status syn_barrier_create(syn_simulation *s, syn_touch *touch, syn_error *error);
void syn_barrier_destroy(struct syn_barrier *barrier); /* NULL is fine */
syn_status syn_barrier_find_gaps(syn_simulation *s, uint32_t touch, const syn_vec3 *points, syn_error *error);
syn_gap_energy syn_barrier_evaluate(const syn_touch_options *options, const syn_gap *gap);

/* detect.c: penetrating vertices by any detection method. */
syn_status syn_detect_create(syn_simulation *s, syn_touch *touch, syn_error *error);
/* Finds the contacts at these points, in touch->contacts and in the frame of the fixed body, whose pose is *frame. */
syn_status syn_detect_contacts(syn_simulation *s, syn_touch *touch, const syn_vec3 *points, double part,
                               syn_contacts *found, syn_pose *frame, syn_error *error);
/* Converts a contact of a vertex and a triangle into a gap; returns false for other kinds. */
bool syn_detect_gap(const syn_simulation *s, uint32_t touch, const syn_contact *contact, const syn_pose *frame,
                    const syn_vec3 *points, syn_gap *gap);

/* Computes the barycentric weights of a point in a triangle. */
static inline void syn_face_weights(const syn_vec3 v[3], syn_vec3 q, double weights[3]) {
  const syn_vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
  const double all = vec3_length2(normal);
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 a = vec3_sub(v[(c + 1) % 3], q), b = vec3_sub(v[(c + 2) % 3], q);
    weights[c] = all > 0 ? vec3_dot(vec3_cross(a, b), normal) / all : 1.0 / 3;
  }
}

#endif
