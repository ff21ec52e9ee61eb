/* Synovia: collision detection between the bodies of a joint.
 *
 * Every method has the same life cycle: create it from two bodies and options, update it after a deformation, query it
 * at a pose, destroy it. All methods return the same result type. A depth is positive in penetration, a distance is
 * positive when the bodies are apart.
 *
 * Limits: coordinates up to 1e12 mm, translations up to 4e12 mm, bodies at least 1e-12 mm across or a single point.
 * Bodies outside these limits are refused with SYN_BAD_MESH, other points and poses with SYN_BAD_ARGUMENT. */
#ifndef SYNOVIA_COLLIDE_H
#define SYNOVIA_COLLIDE_H

#include <synovia/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Checks whether queries accept a pose. NULL (identity) is valid. SYN_BAD_ARGUMENT if it is not finite, not rigid, or
 * translates by more than 4e12 mm; the error says which. Queries make the same check but take no syn_error. */
SYN_API syn_status syn_pose_check(const syn_pose *pose, syn_error *error);

/* ---- one result for all methods ---------------------------------------------------------------------------------- */

typedef enum syn_contact_of {
  SYN_OF_VERTEX_TRIANGLE,   /* a mobile vertex in the fixed body, at a fixed triangle */
  SYN_OF_TRIANGLE_VERTEX,   /* a fixed vertex in the mobile body, at a mobile triangle */
  SYN_OF_TRIANGLE_TRIANGLE, /* two triangles cross or touch */
  SYN_OF_VERTEX_TET,        /* a mobile vertex in a fixed tetrahedron, or other cell as below */
  SYN_OF_TET_TET,           /* two tetrahedra overlap; of one body with itself where both meshes are the same */
  SYN_OF_BALL_BALL,         /* two molecules overlap */
  SYN_OF_FACE_TET, /* a surface face of the fixed volume meets a mobile tetrahedron; face 4 t + f lies opposite vertex f
                      of tetrahedron t. Of a volume with other cells than tetrahedra (syn_cell) the cells count instead,
                      in the order of their tetrahedra, and face 6 c + f is face f of cell c */
  SYN_OF_TET_FACE, /* a surface face of the mobile volume meets a fixed tetrahedron */
  SYN_OF_FIXED_SELF,  /* fixed volume: its surface face `mobile_element` meets its tetrahedron `fixed_element` */
  SYN_OF_MOBILE_SELF, /* the same of the mobile volume */
  SYN_CONTACT_OF_KINDS
} syn_contact_of;
/* "vertex-triangle", …, "mobile-self"; static storage. */
SYN_ENUM(syn_contact_of);

typedef struct syn_contact {
  syn_contact_of of;
  uint32_t fixed_element, mobile_element; /* numbers in the caller's meshes */
  double depth_mm;                        /* as the method measures it; NAN if it measures none */
  syn_vec3 point;                         /* in the fixed body's frame, on the mobile element */
  /* Unit vector along which the mobile element separates; zero if unknown. The method radial gives the ray through the
   * centre, which changes continuously with the contact and suits forces in a haptic loop. Distance and proximity give
   * the shortest path out, which flips when a vertex passes the middle of a thin body. */
  syn_vec3 direction;
} syn_contact;

/* The caller owns the arrays; either may be NULL. Contacts are sorted by mobile element, then by fixed element. */
typedef struct syn_contacts {
  syn_contact *contacts;
  size_t capacity;      /* of `contacts` */
  double *vertex_depth; /* per mobile vertex: signed depth, negative if free, -INFINITY if its ray or arc meets no
                           surface */
  bool first_only;      /* only finds out whether the bodies collide: stops at the first contact if the method can */
  /* With first_only: contacts of this collider at a nearby pose or shape. BucketTree looks around them first. They
   * never change whether the bodies collide, only which contact is found; any content is safe. May be `contacts`. */
  const syn_contact *last;
  size_t last_count;
  /* results */
  size_t count;        /* of all contacts, including those beyond the capacity */
  bool penetrating;    /* touching counts; surface methods also detect one closed body wholly inside the other, possibly
                          without any contact */
  double max_depth_mm; /* signed: negative is a clearance; -INFINITY if no surface is met, NAN if the method measures no
                          depth */
  uint32_t max_vertex; /* mobile vertex or element of the deepest contact; SYN_NONE without a contact */
  syn_vec3 max_point;  /* in the fixed body's frame */
} syn_contacts;

/* ---- methods ------------------------------------------------------------------------------------------------------
 */

typedef enum syn_mapping {
  SYN_MAPPING_SPHERICAL = 1,
  SYN_MAPPING_CARTESIAN,
  SYN_MAPPING_UNIFORM,
  SYN_MAPPINGS
} syn_mapping;
SYN_ENUM(syn_mapping); /* "spherical", "cartesian", "uniform" */

typedef enum syn_convex_algorithm {
  SYN_CONVEX_ALTERNATING, /* simplexes of both bodies by turns (Sundaraj 2004, §5.2) */
  SYN_CONVEX_GJK,         /* one simplex of the Minkowski difference (Gilbert, Johnson, Keerthi) */
  SYN_CONVEX_ALGORITHMS
} syn_convex_algorithm;
SYN_ENUM(syn_convex_algorithm); /* "alternating", "gjk" */

/* The cylindrical method measures arcs about `axis` through `center`. With angle 0 (the default) a depth or clearance
 * is the arc to the nearest surface in either direction (Arbabi 2009, Fig. 17). The sign of any other angle is the
 * direction from which the mobile body came: depth is then measured back along the rotation, clearance ahead. */
typedef struct syn_collide_options {
  syn_vec3 center; /* of rotation; radial and cylindrical methods */
  syn_vec3 axis;   /* cylindrical method; default z */
  double angle; /* cylindrical method: the rotation that led to the pose, radians; its sign is the striking direction */
  /* Radial, ray-table, sliding-hash, split: the mobile body slides inside the fixed one; default true. A warning is
   * given if the centre lies inside the outer body. */
  bool fixed_outside;
  bool use_normals; /* radial, ray-table, sliding-hash, split: irregular shells (Arbabi 2009, Fig. 40); default true */
  syn_mapping mapping; /* radial, ray-table, split; default UNIFORM (Arbabi 2009, Eq. 7) */
  uint32_t table_size; /* cells of the table; 0: from the mesh */
  /* Cylindrical, radial: 0 (default) is exact. Otherwise the table of the fixed body is never rebuilt: deformed
   * triangles and translated vertices are searched in this number of neighbouring cells on each side (Arbabi 2009,
   * §3.2.3.1, §3.3.4.1 and §3.6). Larger displacements are missed. At most 64; not with both_roles or
   * between_vertices. */
  uint32_t neighbours;
  bool both_roles;       /* also fixed vertices in the mobile body; default false */
  bool between_vertices; /* also the deepest points on edges and faces; distance methods: the deepest point only;
                            default false */
  /* Split method: distances from the centre, ascending. Vertices nearer than the first threshold slide, those up to the
   * second strike, those beyond slide again, and so on. Read when the collider is created. */
  const double *thresholds_mm;
  size_t threshold_count;
  double reach_mm; /* distance method: vertices farther apart than this may be reported as -INFINITY, which is several
                      times faster if few are nearer; default INFINITY */
  bool with_self;  /* BucketTree: also self-collision of either body (Erleben & Sporring 2005, Listing 1.5.1); other
                      methods refuse it; default false */
  /* Distance and proximity methods: a surface may also be an open sheet, oriented and without edges of more than two
   * triangles. Points behind it (opposite to its normals), up to reach_mm, are then inside; points whose nearest point
   * is on the border are outside. Default false: open surfaces are refused. */
  bool sheets;
  double ball_radius_mm;                 /* spheres method: every vertex is a ball of this radius; default 1 */
  syn_convex_algorithm convex_algorithm; /* convex method; default ALTERNATING */
  uint32_t cookie;
} syn_collide_options;
SYN_API syn_collide_options syn_default_collide_options(void);

typedef struct syn_method_info {
  const char *name;    /* as on the command line: "radial" */
  const char *summary; /* one sentence */
  bool needs_volume, tells_depth, tells_field;
  bool published; /* kept to compare with the work that describes it: approximate, or slower than another method */
} syn_method_info;
SYN_API size_t syn_method_count(void);
SYN_API syn_method_info syn_method_at(size_t index);
/* Finds a method by name. SYN_BAD_ARGUMENT for an unknown name; the message suggests the nearest one. */
SYN_API syn_status syn_method_find(const char *name, syn_method_info *info, syn_error *error);

/* Returns whether this method measures depths about the centre of the options, or about the axis through it. False for
 * unknown names. */
SYN_API bool syn_method_is_about_center(const char *name);

/* Immutable between updates and shareable between threads. The meshes of both bodies are borrowed and must outlive the
 * collider; names, tissues and materials are not used. Volume methods look for self-collision if both bodies have the
 * same volume; the pose is then ignored. */
typedef struct syn_collider syn_collider;
/* SYN_BAD_MESH for a surface that is inside out, by every method that takes the inside from the orientation of the
 * triangles: the radial ones unless use_normals is false, cylindrical, split, distance and proximity; of the mobile
 * body, in both roles. Inside out means a closed component with inward normals that is not the wall of a cavity; open
 * surfaces have no inside and pass. Only the mesh at creation is checked: a deformation that turns a body inside out is
 * not detected. Warnings say where a method does not show an overlap: the centre (or the axis) lies inside both bodies;
 * for ray-table and sliding-hash the fixed body is no layer about the centre, but has walls one behind the other, or
 * facets that look wider than 30 degrees from the centre. */
SYN_API syn_status syn_collider_create(const syn_context *context, const char *method, const syn_body *fixed,
                                       const syn_body *mobile, const syn_collide_options *options,
                                       syn_collider **collider, syn_error *error);
SYN_API void syn_collider_destroy(syn_collider *collider); /* NULL is fine */
/* Call after a deformation with the new vertex positions (NULL: unchanged); the topology must stay the same. The
 * collider then gives the same results as a new one, whatever the scratch holds of earlier queries; the approximate
 * "ray-table" keeps the size of its table. All methods compare or copy the positions. Beyond that "distance",
 * "proximity", "proximity-walk", "aabb", "obb", "radial", "cylindrical" and "split" update only the data of vertices
 * that moved; "ray-table" samples all rays again unless all vertices moved along the rays; "sliding-hash", "hash",
 * "spheres" and "buckettree" sort an updated body again; "convex" computes its hull again. Trees of "distance" and
 * "proximity", and those of "aabb" and "obb", are shared by all colliders on a mesh that are updated to the same
 * positions. */
SYN_API syn_status syn_collider_update(syn_collider *collider, const syn_vec3 *fixed_vertices,
                                       const syn_vec3 *mobile_vertices, syn_error *error);
/* Bytes of scratch memory that a query needs. Constant for the life of a collider: enough for every pose and after
 * every update, whatever the deformation. Each thread needs its own, aligned as by malloc; it need not be cleared. A
 * query uses up to 300 KB of stack (distance and proximity). */
SYN_API size_t syn_collider_scratch(const syn_collider *collider);
/* `pose` (NULL: identity) places the mobile body in the fixed body's frame. Allocates nothing. Fails only if
 * syn_pose_check fails; depths are then NAN.
 *
 * The result does not depend on earlier queries, except for "proximity-walk" (Maciel 2005, §4.3.1.3). In a new scratch,
 * and in any after an update, it searches among all triangles and is exact. After that each vertex walks from the
 * triangle that was nearest at the last pose to nearer neighbours, 16 at most, and ends where none is nearer: no
 * distance is less than the true one, but it may be much greater if another part of the surface has come nearer, by 6
 * mm on a hip's bones in steps of 0.1 degrees and 28 mm on open cartilage in steps of 1 degree. */
SYN_API syn_status syn_collider_query(const syn_collider *collider, const syn_pose *pose, void *scratch,
                                      syn_contacts *result);

/* ---- contacts followed through neighbours -------------------------------------------------------------------------
 */

/* Topological continuation (Erleben & Sporring 2005, Conclusion): "buckettree" finds the first contacts of two volumes,
 * or of one with itself; then each step walks from contact to contact through faces and cells that share a vertex. Its
 * time depends on the number of contacts only, not on the size of the bodies, and no collider has to be updated.
 * Approximate: it finds every contact connected to a previous one, but misses a new, separate contact region; query the
 * collider again from time to time. The meshes must outlive it; give the same mesh twice for self-collision. */
typedef struct syn_contact_walk syn_contact_walk;
SYN_API syn_status syn_contact_walk_create(const syn_context *context, const syn_tetmesh *fixed,
                                           const syn_tetmesh *mobile, syn_contact_walk **walk, syn_error *error);
SYN_API void syn_contact_walk_destroy(syn_contact_walk *walk); /* NULL is fine */
/* Takes the current positions of the vertices (NULL: as in the mesh), finite and within the limits of
 * syn_collider_update. Only visited vertices are checked: SYN_BAD_ARGUMENT, and no contact. `result->last` are contacts
 * of a recent query or step and may be `result->contacts`; contacts may have moved by one cell since. first_only is
 * ignored. Not from two threads at once. */
SYN_API syn_status syn_contact_walk_step(syn_contact_walk *walk, const syn_vec3 *fixed_vertices,
                                         const syn_vec3 *mobile_vertices, const syn_pose *pose, syn_contacts *result,
                                         syn_error *error);

/* ---- one question in one call --------------------------------------------------------------------------------------
 */

/* Counts of the hash table of the method sliding-hash (Maciel 2005, §4.3.3.1). */
typedef struct syn_sliding_counts {
  uint32_t side;             /* it has side * side cells; 0: another method */
  size_t empty, overwritten; /* cells without a triangle; triangles that another one replaced */
  size_t tests;              /* of a vertex and a triangle in one query: looks into cells that are not empty */
} syn_sliding_counts;

/* The answer of a method for two bodies at one pose. */
typedef struct syn_collision {
  const syn_context *context;
  syn_method_info method;
  bool self; /* of one body with itself */
  syn_body mobile;
  syn_pose pose;
  syn_contacts contacts; /* its arrays belong to the collision; vertex_depth is NULL if the method has no field */
  syn_sliding_counts sliding;
} syn_collision;

/* Create, query and destroy a collider in one call, with up to `most_contacts` contacts. Warns if there are more, or if
 * both bodies are the same in the same place. `fixed` NULL: the mobile body with itself (volume methods). `options` and
 * `pose` may be NULL. The meshes of `mobile` must outlive the collision. Release with syn_collision_destroy. */
SYN_API syn_status syn_collision_create(const syn_context *context, const char *method, const syn_body *fixed,
                                        const syn_body *mobile, const syn_collide_options *options,
                                        const syn_pose *pose, size_t most_contacts, syn_collision **collision,
                                        syn_error *error);
SYN_API void syn_collision_destroy(syn_collision *collision); /* NULL is fine */
/* Writes the mobile body at the pose, with the field "depth_mm" if the method has one: NAN if a vertex's ray or arc
 * meets no surface. `options` may be NULL. */
SYN_API syn_status syn_collision_write(const syn_collision *collision, const char *path,
                                       const syn_write_options *options, syn_error *error);

/* ---- one surface: its nearest point, and its sides ----------------------------------------------------------------
 */

typedef enum syn_feature { SYN_FEATURE_FACE, SYN_FEATURE_EDGE, SYN_FEATURE_VERTEX, SYN_FEATURES } syn_feature;
SYN_ENUM(syn_feature); /* "face", "edge", "vertex" */

/* A point of a surface that is nearest to a given one. */
typedef struct syn_surface_point {
  syn_vec3 point;
  double distance_mm;    /* never negative */
  uint32_t triangle;     /* of several that are equally near, the one of lowest number */
  double barycentric[3]; /* weights of its vertices: 0 or more, sum 1; exactly 0 for vertices off the feature */
  syn_feature feature;   /* inside the triangle, on an edge or on a vertex, */
  uint32_t element;      /* and its number: triangle, edge as syn_topology numbers it, or vertex */
} syn_surface_point;

typedef enum syn_location { SYN_LOCATION_OUTSIDE, SYN_LOCATION_INSIDE, SYN_LOCATION_ON, SYN_LOCATIONS } syn_location;
SYN_ENUM(syn_location); /* "outside", "inside", "on" */

/* A mesh prepared for point queries: the nearest point of the mesh, and the side on which a point lies. Immutable
 * between updates and shareable between threads. The mesh need not outlive it, and the prepared data are shared by all
 * users of the mesh. Building takes about n log n time, a query about log n. */
typedef struct syn_surface syn_surface;
/* SYN_BAD_MESH for a mesh without triangles. */
SYN_API syn_status syn_surface_create(const syn_trimesh *mesh, syn_surface **surface, syn_error *error);
SYN_API void syn_surface_destroy(syn_surface *surface); /* NULL is fine */
/* Updates the positions of the mesh's vertices after a deformation; the triangles stay. Takes about n. The updated tree
 * is shared with all surfaces and colliders on this mesh that are updated to the same positions: only the first update
 * costs time. Not while another thread queries this surface. On failure the surface does not change. */
SYN_API syn_status syn_surface_update(syn_surface *surface, const syn_vec3 *vertices, syn_error *error);
/* Returns whether the mesh, when created, is closed with outward triangles, so that every point has a side. */
SYN_API bool syn_surface_is_solid(const syn_surface *surface);

/* For `count` points at once, on the threads of the mesh's context. Neighbouring points are faster if they are
 * consecutive. Allocates nothing. SYN_BAD_ARGUMENT if a coordinate is not finite or beyond 1e12 mm: the distance of
 * that point is NAN and its triangle SYN_NONE; the results of the others are valid. */
SYN_API syn_status syn_surface_nearest(const syn_surface *surface, const syn_vec3 *points, size_t count,
                                       syn_surface_point *nearest);
/* Finds the side of each point. ON means nearer than 1e-15 of the size of the coordinates. If the surface is not solid,
 * points with a winding number above one half (Jacobson et al. 2013) are inside: a fair estimate near a surface with
 * small holes, and such a query takes time n. SYN_BAD_ARGUMENT as above: that point counts as outside. */
SYN_API syn_status syn_surface_side(const syn_surface *surface, const syn_vec3 *points, size_t count,
                                    syn_location *sides);

/* ---- clearance: how far two bodies are apart -----------------------------------------------------------------------
 */

typedef struct syn_clearance {
  double distance_mm; /* positive apart, negative in penetration, 0 if the surfaces touch or cross with no vertex of one
                         inside the other */
  syn_vec3 point_fixed, point_mobile; /* witnesses, in the fixed body's frame, distance_mm apart */
  uint32_t fixed_triangle, mobile_triangle;
  bool crossing; /* the surfaces themselves meet */
} syn_clearance;

/* Two surfaces prepared for queries of their minimum distance at any pose. The distance of separated bodies is exact.
 * In penetration it is the depth of the deepest vertex of either body in the other; the witnesses are that vertex and
 * the nearest point of the other surface. A body wholly inside the other is detected. A surface that is not closed and
 * outward has no inside: a warning says so, and a crossing gives 0. Immutable and shareable between threads; the meshes
 * must outlive it. `center` (NULL: fitted) is a point about which the surfaces are roughly spherical, such as the
 * centre of a joint. It affects speed only. */
typedef struct syn_distance syn_distance;
SYN_API syn_status syn_distance_create(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                                       syn_distance **distance, syn_error *error);
SYN_API void syn_distance_destroy(syn_distance *distance); /* NULL is fine */
/* Updates the vertex positions of either mesh (NULL: unchanged) after a deformation; the triangles stay. Refits only
 * the tree nodes of vertices that moved and gives the same results as a new distance. The updated tree of a mesh is
 * shared with all surfaces and colliders on it that are updated to the same positions. Not during a query of another
 * thread. */
SYN_API syn_status syn_distance_update(syn_distance *distance, const syn_vec3 *fixed_vertices,
                                       const syn_vec3 *mobile_vertices, syn_error *error);
/* Bytes of scratch memory that a query needs. Each thread needs its own, aligned as by malloc. */
SYN_API size_t syn_distance_scratch(const syn_distance *distance);
/* `pose` (NULL: identity) places the mobile body in the fixed body's frame. `last` (may be NULL) is the result at a
 * nearby pose, as a warm start; it never changes the result and may be `result` itself. Allocates nothing. Fails only
 * if syn_pose_check fails; the distance is then NAN. */
SYN_API syn_status syn_distance_query(const syn_distance *distance, const syn_pose *pose, const syn_clearance *last,
                                      void *scratch, syn_clearance *result);

/* Create, query and destroy in one call, for a pair that is queried once. SYN_BAD_MESH if a mesh has no triangles.
 */
SYN_API syn_status syn_clearance_find(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                                      const syn_pose *pose, syn_clearance *clearance, syn_error *error);

/* Whether two bodies overlap in the positions of their meshes. */
typedef struct syn_penetration {
  bool found;
  double depth_mm; /* of the deepest vertex; NAN if the surfaces cross with no vertex inside, or a surface is open */
  syn_vec3 point;  /* that vertex, or a point where they cross */
} syn_penetration;
/* Touching does not count as overlap. `center` as for syn_distance_create. Empty bodies overlap nothing. */
SYN_API syn_status syn_penetration_find(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                                        syn_penetration *penetration, syn_error *error);

/* ---- overlap: where and how far two bodies interpenetrate ---------------------------------------------------------
 */

/* Position of a triangle with respect to the other body (Sundaraj 2004, §5.5). */
typedef enum syn_zone {
  SYN_ZONE_OUTSIDE,
  SYN_ZONE_OUTER, /* outside, and shares an edge with a triangle that is cut: the outer boundary */
  SYN_ZONE_CUT,   /* the contour passes through it */
  SYN_ZONE_INNER, /* inside, and shares an edge with a triangle that is cut: the inner boundary */
  SYN_ZONE_INSIDE,
  SYN_ZONES
} syn_zone;
SYN_ENUM(syn_zone); /* "outside", "outer", "cut", "inner", "inside" */

/* All coordinates are in the fixed body's frame. Release with syn_overlap_destroy. */
typedef struct syn_overlap {
  const syn_context *context;
  uint32_t fixed_count, mobile_count;
  const uint8_t *fixed_zones, *mobile_zones; /* a syn_zone for each triangle; contact elements are CUT, INNER, INSIDE */
  uint32_t loop_count;                       /* of the contour */
  const uint32_t *loop_start;                /* loop_count + 1 offsets into loop_points */
  const syn_vec3 *loop_points;               /* each loop is closed, its first point not repeated */
  double volume_mm3;
  syn_vec3 centroid;                      /* of the volume; zero without a volume */
  double fixed_area_mm2, mobile_area_mm2; /* of either surface inside the other body */
  double nudge_mm; /* distance by which the mobile body was moved because vertices or edges lay exactly on the other
                      surface; at most 1e-8 of its size, 0 if none did */
  syn_pose pose;   /* of the mobile body, including nudge_mm */
} syn_overlap;
/* Returns the number of triangles of the fixed or the mobile surface in a zone. */
SYN_API uint32_t syn_overlap_zone_count(const syn_overlap *overlap, bool mobile, syn_zone zone);
/* Length of a loop of the contour. */
SYN_API double syn_overlap_loop_mm(const syn_overlap *overlap, uint32_t loop);
/* Writes both surfaces (those given to syn_overlap_create) where they overlap, with the fields "zone" (a syn_zone) and
 * "body" (0 fixed, 1 mobile) on their triangles. `options` may be NULL. */
SYN_API syn_status syn_overlap_write(const syn_overlap *overlap, const syn_trimesh *fixed, const syn_trimesh *mobile,
                                     const char *path, const syn_write_options *options, syn_error *error);
/* Writes the contour as closed lines, a VTP file. */
SYN_API syn_status syn_overlap_write_contour(const syn_overlap *overlap, const char *path, syn_error *error);

/* Computes where two bodies interpenetrate at a pose (NULL: identity): contour, boundaries, contact elements, and the
 * volume, exact up to rounding. Decisions are exact; see nudge_mm. Both surfaces must be closed and outward (else
 * SYN_BAD_MESH) and must not cross themselves. Costs about n log n. */
SYN_API syn_status syn_overlap_create(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_pose *pose,
                                      syn_overlap **overlap, syn_error *error);
SYN_API void syn_overlap_destroy(syn_overlap *overlap); /* NULL is fine */

/* ---- rotation events: how far a body rotates before it touches --------------------------------------------------- */

typedef enum syn_event_kind {
  SYN_EVENT_NONE,        /* free for the full rotation, or up to the requested limit */
  SYN_EVENT_VERTEX_FACE, /* a mobile vertex meets a fixed triangle */
  SYN_EVENT_FACE_VERTEX, /* a mobile triangle meets a fixed vertex */
  SYN_EVENT_EDGE_EDGE,   /* edges, numbered as syn_topology numbers them */
  SYN_EVENT_KINDS
} syn_event_kind;
/* "none", "vertex-face", "face-vertex", "edge-edge"; static storage. */
SYN_ENUM(syn_event_kind);

/* The first touch. Grazing without crossing counts, because surfaces are closed sets. Features nearer than the rounding
 * of the coordinates (about 1e-14 of their size) count as touching. */
typedef struct syn_event {
  syn_event_kind kind;
  double angle;   /* radians from the start, 0 to 2 pi; if the kind is NONE: 2 pi, or the requested limit */
  syn_vec3 point; /* where they touch, in the fixed body's frame */
  uint32_t fixed_element, mobile_element;
} syn_event;

/* Two bodies and a centre, prepared for rotations about any axis through it. Immutable and shareable between threads;
 * the meshes need not outlive it. Building takes about n log n time; changing the axis is free. */
typedef struct syn_rotation syn_rotation;
SYN_API syn_status syn_rotation_create(const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center,
                                       syn_rotation **rotation, syn_error *error);
SYN_API void syn_rotation_destroy(syn_rotation *rotation);
/* Bytes of scratch memory that a query needs. Each thread needs its own, aligned as by malloc. */
SYN_API size_t syn_rotation_scratch(const syn_rotation *rotation);

/* Optional bounds and warm-start hints. Limits help most when many poses are queried. Hints never change a result. */
typedef struct syn_rotation_options {
  double limit[2]; /* positive, negative: radians; touches beyond are ignored; below 0: no search in this direction */
  const syn_event *hint[2]; /* results of this rotation for a nearby query, tried first; NULL: no hint */
  uint32_t cookie;
} syn_rotation_options;
SYN_API syn_rotation_options syn_default_rotation_options(void); /* full rotation, no hints */

/* Finds the first contact of the mobile body rotating about `axis` (any nonzero length) through the centre, in both
 * directions. Exact: vertex-face, face-vertex and edge-edge events in closed form, without stepping. `start` (NULL:
 * identity) rotates the mobile body about the centre first; it must keep the centre fixed. `options` may be NULL:
 * defaults. Surfaces that touch at the start give angle 0. An overlap at the start is not detected, only later contacts
 * of the surfaces; query a collider first. Allocates nothing. SYN_BAD_ARGUMENT if the axis is zero or not finite, if
 * the options do not come from syn_default_rotation_options(), or if syn_pose_check fails: both events then have kind
 * NONE and angle NAN. */
SYN_API syn_status syn_rotation_query(const syn_rotation *rotation, const syn_pose *start, syn_vec3 axis,
                                      const syn_rotation_options *options, void *scratch, syn_event *positive,
                                      syn_event *negative);

/* How far a body rotates in both directions from its mesh position. */
typedef struct syn_turn_range {
  syn_penetration overlap; /* `found`: the bodies overlap at the start, and there are no events */
  syn_event positive, negative;
} syn_turn_range;
/* Create, query and destroy a rotation in one call, for an axis that is queried once. `axis` may have any length but
 * zero. */
SYN_API syn_status syn_turn_range_find(const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center,
                                       syn_vec3 axis, syn_turn_range *range, syn_error *error);

/* Returns whether the surfaces intersect or touch with the mobile body at `start` (as above). Exact for the rotated
 * coordinates after rounding. A body wholly inside the other does not meet it. False if syn_pose_check fails. Allocates
 * nothing. */
SYN_API bool syn_rotation_meets(const syn_rotation *rotation, const syn_pose *start, void *scratch);

/* ---- convex bodies: distance and penetration ----------------------------------------------------------------------
 */

/* The convex hull of points. Decisions are exact: its vertices are exactly the extreme points. Immutable, shareable
 * between threads. Degenerate hulls are allowed: a flat polygon, a segment, a single point. */
typedef struct syn_convex {
  const syn_context *context;
  uint32_t dimension; /* 3, or the dimension that the points span: 2, 1, 0 */
  uint32_t vertex_count, triangle_count;
  const syn_vec3 *vertices;        /* in the order of the points */
  const uint32_t *point_of_vertex; /* index of the input point; of equal points, one */
  const syn_triangle *triangles;   /* outward; a polygon has both sides, a segment or point has none */
  const uint32_t *neighbour_start; /* vertex_count + 1 offsets into neighbours: vertices joined by an edge */
  const uint32_t *neighbours;
  syn_vec3 center; /* with `radius` a ball around all vertices */
  double radius;
} syn_convex;
/* About n log n. SYN_BAD_ARGUMENT without points or with a coordinate that is not finite or beyond 1e90. */
SYN_API syn_status syn_convex_create(const syn_context *context, const syn_vec3 *points, size_t count,
                                     syn_convex **convex, syn_error *error);
SYN_API void syn_convex_destroy(syn_convex *convex); /* NULL is fine */

typedef struct syn_convex_options {
  syn_convex_algorithm algorithm;
  double far_mm;    /* stop once the bodies are known to be farther apart; default INFINITY */
  double precision; /* relative, of the distance; default 1e-12 */
  uint32_t cookie;
} syn_convex_options;
SYN_API syn_convex_options syn_default_convex_options(void);

/* Warm start from one query to the next: the vertices that carried the witness points. All zero: none. Any content is
 * safe; it helps more the nearer the poses are. */
typedef struct syn_convex_memory {
  uint32_t count_a, count_b;
  uint32_t a[4], b[4];
} syn_convex_memory;

/* Why the search ended: the four exits of Sundaraj 2004, §5.2.1, "Terminating Conditions". */
typedef enum syn_convex_exit {
  SYN_CONVEX_FAR,       /* lower bound > far_mm; distance and witness points are then an upper bound */
  SYN_CONVEX_CLOSED,    /* lower and upper bound meet: the distance is found */
  SYN_CONVEX_COLLIDING, /* no separating plane: the bodies touch or overlap */
  SYN_CONVEX_UNSTABLE,  /* rounding prevents further progress; bound_mm limits the error */
  SYN_CONVEX_EXITS
} syn_convex_exit;
SYN_ENUM(syn_convex_exit); /* "far", "closed", "colliding", "unstable" */

typedef struct syn_convex_result {
  syn_convex_exit exit;
  double distance_mm; /* between the witness points; negative in penetration: length of the shortest translation that
                         separates the bodies */
  double bound_mm;    /* the true one lies between this and distance_mm */
  syn_vec3 direction; /* unit vector along which b leaves a; zero if a touch determines none */
  syn_vec3 point_a, point_b;           /* witness points, both in the frame of a */
  uint32_t count_a, count_b;           /* 1 vertex, 2 edge, 3 facet */
  uint32_t feature_a[3], feature_b[3]; /* the vertices that carry the witness points */
  uint32_t supports, looked;           /* support points evaluated, and vertices visited for them */
} syn_convex_result;

/* Bytes of scratch for penetration depth; aligned as malloc aligns. */
SYN_API size_t syn_convex_scratch(const syn_convex *a, const syn_convex *b);
/* `pose` (NULL: identity) places b in the frame of a. `options` may be NULL: defaults. So may `memory` (every query
 * from scratch). `scratch` NULL: a collision is reported as distance 0 without its depth. Allocates nothing.
 * SYN_BAD_ARGUMENT where the pose is not finite or shifts by more than 1e90, or syn_default_convex_options() did not
 * make the options: the distance is then NAN. */
SYN_API syn_status syn_convex_query(const syn_convex *a, const syn_convex *b, const syn_pose *pose,
                                    const syn_convex_options *options, syn_convex_memory *memory, void *scratch,
                                    syn_convex_result *result);

/* ---- straight steps: when do deforming bodies first touch? ------------------------------------------------------- */

typedef struct syn_step_event {
  syn_event_kind kind; /* NONE: no touch in this step */
  double time;         /* 0 to 1, never later than the touch; 1 when the kind is NONE */
  uint32_t fixed_element, mobile_element;
} syn_step_event;

/* First touch of two surfaces while every vertex moves on its own straight line, from its position in the mesh at time
 * 0 to its position in `fixed_after` or `mobile_after` (one per vertex; NULL: the body does not move) at time 1. No
 * touch is ever missed. Features that pass within about 1e-15 of their size may be reported as touching. An overlap at
 * time 0 is not detected, only what the surfaces touch from there on. Takes about n log n time plus the pairs of
 * triangles whose swept boxes overlap. SYN_BAD_ARGUMENT names a vertex whose position is not finite or beyond 1e12
 * mm. */
SYN_API syn_status syn_step_event_find(const syn_trimesh *fixed, const syn_vec3 *fixed_after, const syn_trimesh *mobile,
                                       const syn_vec3 *mobile_after, syn_step_event *event, syn_error *error);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_collision_record;   /* of a syn_collision */
SYN_API extern const syn_record syn_clearance_record;   /* of a syn_clearance */
SYN_API extern const syn_record syn_overlap_record;     /* of a syn_overlap */
SYN_API extern const syn_record syn_zone_record;        /* of a syn_overlap: zones as rows of a page's table */
SYN_API extern const syn_record syn_contour_record;     /* of a syn_overlap: loops as such rows */
SYN_API extern const syn_record syn_turn_range_record;  /* of a syn_turn_range */
SYN_API extern const syn_record syn_penetration_record; /* of a syn_penetration */
SYN_API extern const syn_record syn_event_record;       /* of syn_event[]: the end of a rotation */
SYN_API extern const syn_record syn_method_record;      /* of nothing (NULL): the index is that of syn_method_at */

/* ==== world ======================================================================================================= */

/* many bodies at once. The broad phase finds pairs with intersecting bounding boxes (sweep and prune: Cohen et
 * al. 1995; Sundaraj 2004, §4.2.1), and only these pairs are queried, by any method of syn_method_at. */

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
