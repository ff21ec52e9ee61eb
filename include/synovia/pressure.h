/* Synovia: contact pressure in a joint that bears load.
 *
 * Cartilage, labrum and what joins them are layers of hexahedra that grow on rigid bones. The distal bone turns as it
 * is told and goes where the joint's force is balanced by the pressure between the layers. The pressure comes from
 * finite elements, from an elastic foundation on the same layers, or from an estimate by shape. Units: mm, N, MPa,
 * radians. */
#ifndef SYNOVIA_PRESSURE_H
#define SYNOVIA_PRESSURE_H

#include <synovia/hip.h>
#include <synovia/tissue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- layers --------------------------------------------------------------------------------------------------------
 */

/* The soft tissue on one bone. Owns its arrays; release with syn_layer_release. */
typedef struct syn_layer {
  const syn_context *context;
  bool moves;   /* with the distal bone */
  bool assumed; /* made without a scan of the cartilage: its thickness is a guess */
  uint32_t node_count, element_count, face_count, region_count;
  syn_vec3 *nodes;         /* in the frame of the meshes */
  uint8_t *on_bone;        /* of each node: 1 where it is bonded to the rigid bone */
  uint32_t *elements;      /* hexahedra, SYN_ELEMENT_HEX8: eight nodes for each; 0123 towards the bone */
  uint8_t *element_region; /* index into `regions` */
  /* The articular surface: counterclockwise seen from the joint space, and the hexahedron behind each face. */
  uint32_t (*faces)[4];
  uint32_t *face_element;
  double *thickness_mm; /* of the layer below each node of a face, along the normal; NAN for other nodes */
  struct syn_layer_region {
    syn_tissue tissue;
    syn_material material; /* complete */
  } regions[4];
} syn_layer;

SYN_API void syn_layer_release(syn_layer *layer); /* one that is zero is fine; leaves it so */

/* ---- what the joint does -------------------------------------------------------------------------------------------
 */

/* One instant of a motion under load. */
typedef struct syn_loaded_pose {
  double at;        /* 0 to 1: part of the motion */
  double angles[3]; /* flexion, adduction, internal rotation, radians */
  syn_pose pose;    /* of the distal bone, relative to its mesh: the turn about the joint's centre */
  syn_vec3 force;   /* on the distal bone, by muscles and weight, N; in the frame of the meshes */
} syn_loaded_pose;

/* ---- results -------------------------------------------------------------------------------------------------------
 */

/* Contact of one region of one layer, or of all regions. */
typedef struct syn_pressure_part {
  double peak_mpa, mean_mpa;           /* mean over the area in contact */
  double area_mm2;                     /* in contact */
  double force_n;                      /* resultant of the pressure */
  syn_vec3 center;                     /* of pressure; NAN without contact */
  double von_mises_mpa, principal_mpa; /* largest in the tissue: von Mises, and the largest principal stress by size;
                                          NAN for an elastic foundation */
} syn_pressure_part;

/* The joint at one instant, in equilibrium. */
typedef struct syn_pressure_step {
  syn_loaded_pose loaded;
  syn_vec3 shift;         /* of the distal bone beyond loaded.pose, where the forces balance */
  syn_vec3 contact_force; /* on the distal bone, N; -loaded.force in equilibrium */
  syn_pressure_part total;
  syn_pressure_part regions[4]; /* of the layer on the proximal bone */
  uint32_t iterations;
} syn_pressure_step;

#ifdef __cplusplus
}
#endif
#endif
