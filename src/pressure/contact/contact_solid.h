/* A closed surface filled with quadratic tetrahedra, as a body in contact. */
#ifndef SYN_PRESSURE_SOLID_H
#define SYN_PRESSURE_SOLID_H

#include <synovia/pressure.h>

/* Options to mesh a closed surface, such as scanned cartilage, as one of the bodies. */
typedef struct contact_solid_options {
  syn_material material; /* E and nu must be given; the density does not matter */
  syn_law law;           /* default SYN_LAW_NEO_HOOKEAN */
  double edge_mm;        /* of the tetrahedra inside; default 0: as on the surface */
  bool smooth; /* default true: nodes on the edges of the surface follow its curvature; edges sharper than 40 degrees
                  stay straight */
  const syn_trimesh *bone; /* the surface is bonded where it touches this bone; NULL (default): no bone */
  double bonded_mm;        /* distance up to which it counts as touching; default 0.5 */
  const bool *bonded;      /* of each vertex of the surface: also bonded; NULL (default): none */
  const char *program;     /* NULL (default): "gmsh" from the PATH */
  uint32_t cookie;
} contact_solid_options;
contact_solid_options syn_default_contact_solid_options(void);

/* Owns its arrays and elements; release with syn_solid_release, after the contact problem. */
typedef struct contact_solid {
  const syn_context *context;
  syn_contact_body body; /* borrows what follows; not set by syn_solid_fill */
  syn_soft *soft;
  uint32_t node_count, element_count, face_count;
  uint32_t bonded_faces; /* faces of the surface whose vertices are bonded */
  uint32_t straightened; /* elements whose edges were kept straight because curved ones would invert them */
  syn_vec3 *nodes;       /* those of the surface first */
  uint32_t *elements;    /* ten nodes each, as SYN_ELEMENT_TET10 */
  uint8_t *held;   /* of each node: SYN_XYZ where it is bonded; may be changed until a contact problem is created */
  uint32_t *faces; /* that may come into contact: six nodes each */
  uint32_t *face_element; /* element behind each of them */
} contact_solid;

/* Meshes a closed surface with quadratic tetrahedra; the material is not used. Errors as those of
 * syn_trimesh_tetrahedralize; SYN_BAD_MESH if no face remains for contact. The surface need not outlive it. */
syn_status syn_solid_fill(const syn_context *context, const syn_trimesh *surface, const contact_solid_options *options,
                          contact_solid *solid, syn_error *error);
/* The same with finite elements of the material, as a body. `options` may be NULL: defaults, which lack a material. */
syn_status syn_solid_create(const syn_context *context, const syn_trimesh *surface,
                            const contact_solid_options *options, contact_solid *solid, syn_error *error);
void syn_solid_release(contact_solid *solid); /* zero-initialised is fine */

#endif
