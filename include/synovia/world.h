/* Synovia: many bodies at once. The broad phase finds pairs with intersecting bounding boxes (sweep and prune: Cohen et
 * al. 1995; Sundaraj 2004, §4.2.1), and only these pairs are queried, by any method of syn_method_at. */
#ifndef SYNOVIA_WORLD_H
#define SYNOVIA_WORLD_H

#include <synovia/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct syn_world_options {
  syn_collide_options collide; /* for every pair; its centre is in the frame of the meshes */
  double margin_mm; /* pairs whose boxes are nearer than this are queried as well; default 0. For clearances. */
  bool self;        /* also every body with itself; volume methods only; default false */
  uint32_t cookie;
} syn_world_options;
SYN_API syn_world_options syn_default_world_options(void);

/* Not thread-safe. Queries use the threads of the context; their number does not change the result. */
typedef struct syn_world syn_world;
/* `options` may be NULL: defaults. SYN_BAD_ARGUMENT if there is no such method. */
SYN_API syn_status syn_world_create(const syn_context *context, const char *method, const syn_world_options *options,
                                    syn_world **world, syn_error *error);
SYN_API void syn_world_destroy(syn_world *world); /* NULL is fine */

/* Adds a body at its mesh position. *number counts from 0. Its meshes are borrowed and must outlive the world; one mesh
 * may serve several bodies. The same limits as for a collider. */
SYN_API syn_status syn_world_add(syn_world *world, const syn_body *body, uint32_t *number, syn_error *error);
/* Moves a body: `pose` (NULL: identity) places its mesh in the world. On failure its pose does not change. */
SYN_API syn_status syn_world_place(syn_world *world, uint32_t body, const syn_pose *pose, syn_error *error);
/* Updates the vertex positions of a body after a deformation, of the mesh that the method uses, in the frame of the
 * mesh, same topology; NULL: those of the mesh. They are copied. On failure the body does not change. */
SYN_API syn_status syn_world_deform(syn_world *world, uint32_t body, const syn_vec3 *vertices, syn_error *error);
/* Excludes a pair from queries: bodies that are bonded, or that cannot reach each other. */
SYN_API syn_status syn_world_ignore(syn_world *world, uint32_t a, uint32_t b, syn_error *error);

/* Two bodies whose boxes intersect. Of two bodies the one with `moves` is the mobile one, else the one added later. A
 * body with itself has the same number twice. */
typedef struct syn_world_pair {
  uint32_t fixed, mobile;
  syn_contacts contacts; /* in the frame of the world; no field */
} syn_world_pair;

/* Queries every pair whose boxes intersect, with up to `most_contacts` contacts each. *pairs has *count entries,
 * ordered by the lower, then by the higher number; it belongs to the world and is valid until the next call. Pairs that
 * are not listed are apart. (An open surface has no inside: "radial" and "ray-table" count whatever lies beyond it as
 * penetrating, which a world notices only if the boxes intersect.) The collider of a pair is kept for later queries. */
SYN_API syn_status syn_world_query(syn_world *world, size_t most_contacts, const syn_world_pair **pairs, size_t *count,
                                   syn_error *error);

#ifdef __cplusplus
}
#endif
#endif
