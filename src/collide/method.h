/* What one file of this folder offers: a method with a name and a life. */
#ifndef SYN_COLLIDE_METHOD_H
#define SYN_COLLIDE_METHOD_H

#include <synovia/collide.h>

#include "base/memory.h"

/* Does a method read off the triangles which side of a surface is its inside? */
typedef enum syn_sides {
  SYN_SIDES_IGNORED,    /* it only counts crossings, or takes hulls, balls or cells */
  SYN_SIDES_BY_NORMALS, /* with use_normals, as is the default */
  SYN_SIDES_ALWAYS
} syn_sides;

typedef struct syn_method {
  syn_method_info info;
  /* *state is new; a failure leaks nothing. Bodies have what info requires. */
  syn_status (*create)(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                       const syn_collide_options *options, void **state, syn_error *error);
  void (*destroy)(void *state);
  /* The new positions are finite and of a magnitude that can be computed. */
  syn_status (*update)(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices, syn_error *error);
  size_t (*scratch)(const void *state); /* NULL: a query needs none */
  /* The results are cleared by the caller: count 0, nothing deep. */
  void (*query)(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result);
  syn_sides sides;
} syn_method;

/* The end of `create`: what was made goes to *state, or is destroyed if `status` is a failure, which is returned. */
syn_status syn_method_keep(syn_status status, void *made, void (*destroy)(void *state), void **state);

/* Adds a contact: stores it while the capacity lasts, always counts it, and keeps the deepest. */
void syn_contacts_add(syn_contacts *result, const syn_contact *contact);
/* Sorts what is stored by mobile, then fixed element. */
void syn_contacts_sort(syn_contacts *result);

#endif
