/* A closed surface filled with quadratic tetrahedra, and the faces of it that may come into contact. */
#ifndef SYN_PRESSURE_SOLID_H
#define SYN_PRESSURE_SOLID_H

#include <synovia/pressure.h>

/* Owns its arrays; release with syn_solid_release. */
typedef struct contact_solid {
  const syn_context *context;
  uint32_t node_count, element_count, face_count, bonded_faces, straightened;
  syn_vec3 *nodes;        /* those of the surface first */
  uint32_t *elements;     /* ten nodes each, as SYN_ELEMENT_TET10 */
  uint8_t *held;          /* of each node: SYN_XYZ where it is bonded */
  uint32_t *faces;        /* that may come into contact: six nodes each */
  uint32_t *face_element; /* element behind each of them */
} contact_solid;

/* Errors as those of syn_contact_solid_create; the material is not used. */
syn_status syn_solid_fill(const syn_context *context, const syn_trimesh *surface,
                          const syn_contact_solid_options *options, contact_solid *solid, syn_error *error);
void syn_solid_release(contact_solid *solid); /* zero-initialised is fine */

#endif
