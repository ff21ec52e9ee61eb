/* The interface of a collision method: its name, options and functions. */
#ifndef SYN_COLLIDE_METHOD_H
#define SYN_COLLIDE_METHOD_H

#include <synovia/collide.h>

#include "base/memory.h"

/* Whether a method needs the orientation of triangles to find the inside of a surface. */
typedef enum syn_sides {
  SYN_SIDES_IGNORED,    /* it only counts crossings, or takes hulls, balls or cells */
  SYN_SIDES_BY_NORMALS, /* with use_normals, as is the default */
  SYN_SIDES_ALWAYS
} syn_sides;

typedef struct syn_method {
  syn_method_info info;
  /* Creates *state; a failure leaks nothing. The bodies have the meshes that info requires. */
  syn_status (*create)(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                       const syn_collide_options *options, void **state, syn_error *error);
  void (*destroy)(void *state);
  /* Moves vertices. The caller has checked that the positions are finite and of a permitted magnitude. */
  syn_status (*update)(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices, syn_error *error);
  size_t (*scratch)(const void *state); /* NULL: queries need no scratch */
  /* Runs a query. The caller has cleared the result: count 0, max depth -INFINITY. */
  void (*query)(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result);
  syn_sides sides;
} syn_method;

/* Ends `create`: stores `made` in *state, or destroys it if `status` is a failure; returns `status`. */
syn_status syn_method_keep(syn_status status, void *made, void (*destroy)(void *state), void **state);

/* Adds a contact: stores it while the capacity lasts, always counts it, and keeps the deepest. */
void syn_contacts_add(syn_contacts *result, const syn_contact *contact);
/* Sorts the stored contacts by mobile, then fixed element. */
void syn_contacts_sort(syn_contacts *result);

#endif
