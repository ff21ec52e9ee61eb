/* Synovia: triangle and tetrahedral meshes, their topology, health, measures and repair. */
#ifndef SYNOVIA_MESH_H
#define SYNOVIA_MESH_H

#include <synovia/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- fields and geometry: what files hold ----------------------------------------------------------------------- */

typedef enum syn_field_on { SYN_ON_POINTS, SYN_ON_TRIANGLES, SYN_ON_TETS, SYN_ON_ELEMENTS } syn_field_on;
SYN_ENUM(syn_field_on); /* "points", "triangles", "tets" */

/* A named quantity. All readers and writers use this description. */
typedef struct syn_field {
  const char *name; /* never NULL */
  syn_field_on on;
  uint32_t components;  /* 1 scalar, 3 vector, 9 tensor, … */
  const double *values; /* components * (points, triangles or tets), interleaved */
} syn_field;

/* Patient axes that a file may declare (3D Slicer writes "SPACE=LPS" or "SPACE=RAS" in headers and comments). */
typedef enum syn_space { SYN_SPACE_UNKNOWN, SYN_SPACE_LPS, SYN_SPACE_RAS, SYN_SPACES } syn_space;
SYN_ENUM(syn_space); /* "not declared", "LPS", "RAS" */

/* Convex solids other than tetrahedra, with corners in the order of VTK: a hexahedron has 0123 around its bottom and
 * 4567 above them, a wedge the triangles 012 and 345, a pyramid the bottom 0123 and the top 4. */
typedef enum syn_cell_kind {
  SYN_CELL_IS_HEXAHEDRON,
  SYN_CELL_IS_WEDGE,
  SYN_CELL_IS_PYRAMID,
  SYN_CELL_KINDS
} syn_cell_kind;
SYN_ENUM(syn_cell_kind); /* "hexahedron", "wedge", "pyramid" */
/* One that was divided: its tetrahedra follow one another. */
typedef struct syn_cell {
  syn_cell_kind kind;
  uint32_t first_tet, tet_count;
  uint32_t v[8]; /* those beyond the corners of its kind repeat the last one */
} syn_cell;

/* The content of a mesh file, read or to be written: points, triangles, tetrahedra and fields. The only guarantee is
 * that indices are below point_count; make a syn_trimesh or syn_tetmesh for more. To write, fill one with your own
 * pointers. One that was read owns its arrays; release it with syn_geometry_free(). */
typedef struct syn_geometry {
  size_t point_count, triangle_count, tet_count, field_count;
  const syn_vec3 *points;
  const syn_triangle *triangles;
  const syn_tet *tets;
  const syn_field *fields;
  syn_space space;
  const char *format; /* of the file it was read from, as syn_format_info names it; static storage; else NULL */
  size_t cell_count;  /* solids that were divided into tetrahedra, in their order; writers write the tetrahedra */
  const syn_cell *cells;
} syn_geometry;

SYN_API void syn_geometry_free(const syn_context *context, syn_geometry *geometry); /* leaves it all zero */

/* ---- triangle meshes -------------------------------------------------------------------------------------------- */

/* Immutable. Coordinates are finite and indices valid; nothing else is guaranteed (see syn_trimesh_check). */
typedef struct syn_trimesh {
  const syn_context *context; /* as given when made, may be NULL */
  uint32_t vertex_count, triangle_count;
  const syn_vec3 *vertices;
  const syn_triangle *triangles;
  struct syn_mesh_shared *shared; /* private; NULL in a mesh filled by hand */
} syn_trimesh;

/* Copies the arrays. SYN_BAD_MESH names the first index out of range or coordinate that is not finite; SYN_TOO_LARGE
 * beyond 2^32-2 vertices or 2^31 triangles. An empty mesh is allowed. Release with syn_trimesh_destroy. */
SYN_API syn_status syn_trimesh_create(const syn_context *context, const syn_vec3 *vertices, size_t vertex_count,
                                      const syn_triangle *triangles, size_t triangle_count, syn_trimesh **mesh,
                                      syn_error *error);
SYN_API void syn_trimesh_destroy(syn_trimesh *mesh); /* NULL is fine */
/* Another reference to the same mesh, destroyed like any mesh. Nothing is copied, and derived data (topology, trees)
 * are computed once for all references. Its context must outlive them all. A mesh filled by hand is copied. Safe to
 * call from several threads. */
SYN_API syn_status syn_trimesh_share(const syn_trimesh *mesh, syn_trimesh **same, syn_error *error);
/* The triangles of `geometry`, or the surface of its tetrahedra when it has no triangles. */
SYN_API syn_status syn_trimesh_from_geometry(const syn_context *context, const syn_geometry *geometry,
                                             syn_trimesh **mesh, syn_error *error);
/* A view for writers: nothing is copied, `mesh` must outlive it, and it must not be freed. */
SYN_API syn_geometry syn_trimesh_geometry(const syn_trimesh *mesh);

SYN_API syn_status syn_trimesh_transform(const syn_trimesh *mesh, const syn_pose *pose, syn_trimesh **moved,
                                         syn_error *error);
/* Mirrors across the plane x = 0 and reverses the faces so that outside stays outside. */
SYN_API syn_status syn_trimesh_mirror(const syn_trimesh *mesh, syn_trimesh **mirrored, syn_error *error);
/* All meshes as one, in order; no vertices are shared between them. */
SYN_API syn_status syn_trimesh_merge(const syn_context *context, const syn_trimesh *const *meshes, size_t count,
                                     syn_trimesh **merged, syn_error *error);

/* ---- topology --------------------------------------------------------------------------------------------------- */

/* Computed in linear time. Edge e joins edge_vertices[e][0] < edge_vertices[e][1]; edges are numbered by their first
 * appearance while the triangles are walked in order. Corner c of triangle t is the half-edge v[c] -> v[(c+1)%3]. */
typedef struct syn_topology {
  const syn_context *context;
  uint32_t vertex_count, triangle_count, edge_count, component_count, boundary_edge_count, boundary_loop_count;
  const uint32_t (*edge_vertices)[2];
  const uint32_t (*triangle_edges)[3];      /* edge of corner c */
  const uint32_t (*triangle_neighbours)[3]; /* triangle across corner c's edge; SYN_NONE on a boundary or where more
                                               than two triangles meet */
  const uint32_t *edge_triangle_start;      /* edge_count + 1 offsets into edge_triangles */
  const uint32_t *edge_triangles;
  const uint32_t *vertex_triangle_start; /* vertex_count + 1 offsets into vertex_triangles, ascending in each */
  const uint32_t *vertex_triangles;
  const uint32_t *triangle_component;  /* 0 … component_count-1 in order of first triangle; joined through edges */
  const uint32_t *boundary_loop_start; /* boundary_loop_count + 1 offsets into boundary_vertices */
  const uint32_t *boundary_vertices;   /* each loop follows its half-edges, first vertex not repeated */
} syn_topology;

SYN_API syn_status syn_topology_create(const syn_trimesh *mesh, syn_topology **topology, syn_error *error);
SYN_API void syn_topology_destroy(syn_topology *topology);

/* ---- health ----------------------------------------------------------------------------------------------------- */

typedef struct syn_check_options {
  bool self_intersections; /* the only costly check: about n log n; default true */
  uint32_t cookie;
} syn_check_options;
SYN_API syn_check_options syn_default_check_options(void);

typedef struct syn_health {
  bool closed;   /* has triangles and every edge has at least two */
  bool manifold; /* no edge has more than two triangles, and the triangles around every vertex form one fan */
  bool oriented; /* triangles sharing an edge run along it in opposite directions, as many one way as the other */
  bool outward;  /* closed, oriented and of positive volume */
  uint32_t components, boundary_edges, boundary_loops;
  uint32_t nonmanifold_edges, nonmanifold_vertices; /* that break `manifold`; the ends of such an edge count, too */
  uint32_t flipped_edges;                           /* that break `oriented` */
  uint32_t degenerate_triangles;                    /* exactly zero area or a repeated vertex */
  uint32_t duplicate_triangles;                     /* same three vertices as an earlier one, any order */
  uint32_t unreferenced_vertices;
  uint32_t duplicate_vertices; /* bitwise the same position as an earlier one */
  uint64_t self_intersections; /* pairs of triangles that meet outside shared vertices and edges; 0 if not checked */
  uint32_t far_vertices;       /* with a coordinate of more than 1e12 mm: no contact can be computed */
  bool too_small;              /* less than 1e-12 mm across: as above */
  bool self_intersections_stopped; /* too many triangles overlap, counting stopped: there may be more */
  int64_t genus; /* sum over components, from Euler's formula; -1 unless closed and manifold, or if the formula gives no
                    integer because a component cannot be oriented */
} syn_health;

/* `options` may be NULL: defaults. */
SYN_API syn_status syn_trimesh_check(const syn_trimesh *mesh, const syn_check_options *options, syn_health *health,
                                     syn_error *error);
/* Fit for contact: closed, manifold, oriented outward, of a size that can be computed and, where that was looked for,
 * free of self-intersections. */
SYN_API bool syn_health_fit(const syn_health *health);

enum { SYN_HEALTH_PROBLEMS = 14 };
typedef struct syn_health_problems {
  size_t count;
  char texts[SYN_HEALTH_PROBLEMS][320];
} syn_health_problems;
/* What is wrong, one sentence each with what to do; after a repair the advice is not to repair it again. */
SYN_API void syn_health_explain(const syn_health *health, bool repaired, syn_health_problems *problems);

typedef struct syn_triangle_pair {
  uint32_t a, b;
} syn_triangle_pair;
/* Sorted pairs a < b of triangles of one mesh that meet outside their shared vertices and edges. Exact if no nonzero
 * coordinate is below 1e-80 of the largest, or of 1 mm. The first `capacity` pairs are stored (0 with pairs NULL only
 * counts). *count is the full number, unless a warning says that there may be more: the time is kept to about n log n,
 * and if very many triangles overlap the search stops early. */
SYN_API syn_status syn_trimesh_self_intersections(const syn_trimesh *mesh, syn_triangle_pair *pairs, size_t capacity,
                                                  uint64_t *count, syn_error *error);

/* ---- measures --------------------------------------------------------------------------------------------------- */

typedef struct syn_mass {
  double area_mm2;
  double volume_mm3; /* positive for outward faces; meaningless for an open mesh */
  syn_vec3 centroid; /* of the volume if it is not zero, else of the surface */
  syn_mat3 inertia;  /* about the centroid, for density 1 per mm^3: mm^5 */
} syn_mass;
SYN_API syn_mass syn_trimesh_mass(const syn_trimesh *mesh);
/* Smallest box; of an empty mesh min > max. */
SYN_API syn_box syn_trimesh_bounds(const syn_trimesh *mesh);
/* Unit outward normals, zero for degenerate faces; caller's arrays of triangle_count and vertex_count. Vertex normals
 * weigh the faces by their angle at the vertex. */
SYN_API void syn_trimesh_face_normals(const syn_trimesh *mesh, syn_vec3 *normals);
SYN_API void syn_trimesh_vertex_normals(const syn_trimesh *mesh, syn_vec3 *normals);

/* ---- repair and remeshing --------------------------------------------------------------------------------------- */

typedef struct syn_repair_options {
  double weld_mm;       /* vertices closer than this are merged; 0: only exact duplicates; < 0: no welding; default 0 */
  bool drop_degenerate; /* also duplicate faces and unreferenced vertices; default true */
  bool orient;          /* consistent; closed components outward, cavities (inside an odd number of others) inward;
                           default true */
  uint32_t fill_holes_edges; /* boundary loops up to this many edges are closed with least area; default 32; 0: none */
  double island_fraction;    /* components below this fraction of the largest one's area are removed; default 0 (keep
                                all) */
  uint32_t cookie;
} syn_repair_options;
SYN_API syn_repair_options syn_default_repair_options(void);

typedef struct syn_repair_report {
  uint32_t welded_vertices, dropped_degenerate, dropped_duplicate, dropped_unreferenced, split_nonmanifold, flipped,
      filled_holes, added_triangles, removed_islands, removed_triangles;
} syn_repair_report;
/* The result is manifold: nonmanifold parts are cut apart, and split_nonmanifold counts the vertices added. Each change
 * is counted in *report (may be NULL) and reported in one sentence to the context's `warn`. `options` may be NULL:
 * defaults. */
SYN_API syn_status syn_trimesh_repair(const syn_trimesh *mesh, const syn_repair_options *options,
                                      syn_trimesh **repaired, syn_repair_report *report, syn_error *error);

/* Splits each triangle into four; the original vertices keep their positions and come first. */
SYN_API syn_status syn_trimesh_subdivide(const syn_trimesh *mesh, syn_trimesh **finer, syn_error *error);
/* Loop's scheme (Loop 1987): as above, and the surface becomes smooth. Needs a manifold mesh; boundaries stay
 * curves. */
SYN_API syn_status syn_trimesh_subdivide_loop(const syn_trimesh *mesh, syn_trimesh **finer, syn_error *error);
/* Taubin smoothing (Taubin 1995), which keeps the volume: `iterations` pairs of a shrinking and a growing step;
 * boundary vertices stay. */
SYN_API syn_status syn_trimesh_smooth(const syn_trimesh *mesh, uint32_t iterations, syn_trimesh **smoother,
                                      syn_error *error);
/* Estimates the noise of the vertices, as its standard deviation along the normals, from the distance of each vertex
 * from the surface through its neighbours, without curvature. Exact for independent noise of the vertices; on a smooth
 * surface the estimate grows with the edge length. */
SYN_API syn_status syn_trimesh_roughness(const syn_trimesh *mesh, double *mm, syn_error *error);
/* Fewer triangles by edge collapse (meshoptimizer). *error_mm (may be NULL) is the deviation that meshoptimizer states.
 * A manifold mesh stays manifold, and every component keeps its handles and holes, so the result may have more
 * triangles than the target. Remaining vertices keep their exact positions. meshoptimizer's own scratch memory comes
 * from malloc, not from the context. */
SYN_API syn_status syn_trimesh_decimate(const syn_trimesh *mesh, uint32_t target_triangles, syn_trimesh **coarser,
                                        double *error_mm, syn_error *error);

/* ---- tetrahedral meshes ----------------------------------------------------------------------------------------- */

/* Immutable; the same guarantees as for syn_trimesh. */
typedef struct syn_tetmesh {
  const syn_context *context;
  uint32_t vertex_count, tet_count;
  const syn_vec3 *vertices;
  const syn_tet *tets;
  uint32_t
      cell_count; /* solids that were divided into some of the tetrahedra; every other tetrahedron is a separate cell */
  const syn_cell *cells;
} syn_tetmesh;

SYN_API syn_status syn_tetmesh_create(const syn_context *context, const syn_vec3 *vertices, size_t vertex_count,
                                      const syn_tet *tets, size_t tet_count, syn_tetmesh **mesh, syn_error *error);
SYN_API void syn_tetmesh_destroy(syn_tetmesh *mesh);
SYN_API syn_status syn_tetmesh_from_geometry(const syn_context *context, const syn_geometry *geometry,
                                             syn_tetmesh **mesh, syn_error *error);
SYN_API syn_geometry syn_tetmesh_geometry(const syn_tetmesh *mesh);

/* Face f of a tetrahedron lies opposite its vertex f. */
typedef struct syn_tet_topology {
  const syn_context *context;
  uint32_t tet_count, vertex_count, surface_face_count, component_count;
  const uint32_t (*neighbours)[4];  /* tet across face f, SYN_NONE on the surface or where more than two tets meet */
  const uint32_t *vertex_tet_start; /* vertex_count + 1 offsets into vertex_tets, ascending in each */
  const uint32_t *vertex_tets;
  const uint32_t *tet_component; /* 0 … component_count-1 in order of first tet; joined through faces */
  uint32_t nonmanifold_faces;    /* faces of more than two tets */
} syn_tet_topology;
SYN_API syn_status syn_tet_topology_create(const syn_tetmesh *mesh, syn_tet_topology **topology, syn_error *error);
SYN_API void syn_tet_topology_destroy(syn_tet_topology *topology);

/* The outer faces, outward for tets of positive volume, with only the vertices in use. *vertex_of_surface (may be NULL)
 * gets the tet mesh's vertex for each surface vertex; release it with syn_free. */
SYN_API syn_status syn_tetmesh_surface(const syn_tetmesh *mesh, syn_trimesh **surface, uint32_t **vertex_of_surface,
                                       syn_error *error);

typedef struct syn_tet_quality {
  double volume_mm3; /* sum of signed volumes */
  double min_volume_mm3;
  uint32_t inverted;                 /* tets of volume <= 0 */
  double min_quality, mean_quality;  /* 1 for a regular tet, 0 flat, negative inverted: 6 sqrt(2) V / rms edge^3 */
  double min_dihedral, max_dihedral; /* radians */
} syn_tet_quality;
SYN_API syn_tet_quality syn_tetmesh_quality(const syn_tetmesh *mesh);

/* Point location: immutable after creation, shareable between threads; queries allocate nothing. `mesh` must outlive
 * it. */
typedef struct syn_tet_locator syn_tet_locator;
SYN_API syn_status syn_tet_locator_create(const syn_tetmesh *mesh, syn_tet_locator **locator, syn_error *error);
SYN_API void syn_tet_locator_destroy(syn_tet_locator *locator);
/* The lowest-numbered tet that contains `point` (faces included, decided exactly), or SYN_NONE. Tets without volume
 * contain nothing. barycentric (may be NULL) gets four weights, exactly 0 for a face that the point is on; it is not
 * changed if no tet is found. */
SYN_API uint32_t syn_tet_locator_query(const syn_tet_locator *locator, syn_vec3 point, double barycentric[4]);

typedef struct syn_tetrahedralize_options {
  double edge_mm;      /* target edge length inside; 0: from the surface */
  const char *program; /* NULL: "gmsh" from the PATH */
  double timeout_s;    /* default 600 */
  uint32_t cookie;
} syn_tetrahedralize_options;
SYN_API syn_tetrahedralize_options syn_default_tetrahedralize_options(void);
/* Fills a closed, oriented surface without self-intersections by running gmsh as a program. The surface is kept: its
 * vertices come first in their order, inner vertices follow. All tets have positive volume. A shell that faces inward
 * inside a solid is a cavity; several solids are each filled. SYN_BAD_MESH says what is wrong with the surface;
 * SYN_NO_PROGRAM says that gmsh is missing, or quotes its message. `options` may be NULL: defaults. */
SYN_API syn_status syn_trimesh_tetrahedralize(const syn_trimesh *surface, const syn_tetrahedralize_options *options,
                                              syn_tetmesh **mesh, syn_error *error);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_tet_quality_record; /* of a syn_tet_quality */
SYN_API extern const syn_record syn_geometry_record;    /* of a syn_geometry: its counts */
SYN_API extern const syn_record syn_repair_record;      /* of a syn_repair_report */

/* ==== io ========================================================================================================== */

/* mesh files. One call reads any format, one writes any format. */

typedef struct syn_read_options {
  double scale;    /* coordinates are multiplied by this: 1000 for a file in metres; default 1 */
  bool weld;       /* STL, and files in which no two faces share a vertex: corners at bitwise equal coordinates become
                      one vertex; default true */
  syn_space space; /* files that declare another space are converted to this one; default LPS */
  const char *format; /* e.g. "stl"; NULL: from the content, then from the name */
  uint32_t cookie;
} syn_read_options;
SYN_API syn_read_options syn_default_read_options(void);

/* Reads STL, PLY, OBJ, OFF, VTK legacy, VTP, VTU, Gmsh .msh 2.2 and 4.1, MEDIT .mesh, TetGen .node/.ele, Abaqus .inp
 * and FEBio .feb. Polygons become triangles; other element types are skipped with a warning. On failure *geometry is
 * all zero and *error names the file and the line or byte. `options` may be NULL: defaults. */
SYN_API syn_status syn_geometry_read(const syn_context *context, const char *path, const syn_read_options *options,
                                     syn_geometry *geometry, syn_error *error);
/* The same from memory; `name` (may be NULL) is used for messages and, by its ending, as a hint. */
SYN_API syn_status syn_geometry_parse(const syn_context *context, const void *bytes, size_t size, const char *name,
                                      const syn_read_options *options, syn_geometry *geometry, syn_error *error);
/* Reads a file and makes meshes: a surface, and a volume if the file holds tetrahedra (else NULL). Either pointer may
 * be NULL to skip that mesh; if only a volume is requested, the file must have one. */
SYN_API syn_status syn_meshes_read(const syn_context *context, const char *path, const syn_read_options *options,
                                   syn_trimesh **surface, syn_tetmesh **volume, syn_error *error);
SYN_API syn_status syn_trimesh_read(const syn_context *context, const char *path, const syn_read_options *options,
                                    syn_trimesh **mesh, syn_error *error);
SYN_API syn_status syn_tetmesh_read(const syn_context *context, const char *path, const syn_read_options *options,
                                    syn_tetmesh **mesh, syn_error *error);

/* For work on surfaces alone. Warns of tetrahedra, of which only the surface is used, and of fields, which are omitted.
 */
SYN_API syn_status syn_trimesh_read_surface(const syn_context *context, const char *path,
                                            const syn_read_options *options, syn_trimesh **mesh, syn_error *error);

/* Warns if every bounding box is less than 1 mm across, which suggests coordinates in metres. */
SYN_API void syn_doubt_units(const syn_context *context, const syn_box *boxes, size_t count);

typedef struct syn_write_options {
  bool binary;        /* where the format has a choice; default true */
  bool compress;      /* VTP and VTU: zlib; default true */
  bool single;        /* coordinates as 32-bit floats where the format has a choice; default false */
  const char *format; /* NULL: from the name's ending */
  uint32_t cookie;
} syn_write_options;
SYN_API syn_write_options syn_default_write_options(void);

/* Writes STL, PLY, OBJ, OFF, VTK legacy, VTP, VTU, GLB, CSV (points and point fields), .msh, .mesh, .inp, .feb. The
 * file is written atomically. What the format cannot hold (tets in an STL, fields in an OFF) is omitted with a warning.
 * `options` may be NULL: defaults. */
SYN_API syn_status syn_geometry_write(const syn_context *context, const syn_geometry *geometry, const char *path,
                                      const syn_write_options *options, syn_error *error);

/* One entry per format, for help texts and tests. */
typedef struct syn_format_info {
  const char *name;                                                       /* "stl" */
  const char *extensions;                                                 /* ".stl" or ".vtp .vtu", space separated */
  bool reads, writes, holds_triangles, holds_tets, holds_fields, doubles; /* doubles: coordinates survive to the bit */
} syn_format_info;
SYN_API size_t syn_format_count(void);
SYN_API syn_format_info syn_format_at(size_t index);
/* The format named `format` or, if that is NULL, the one that a file of this name is written in. SYN_BAD_ARGUMENT if
 * there is none that can be written. */
SYN_API syn_status syn_format_find(const char *path, const char *format, syn_format_info *info, syn_error *error);
/* What to write in a format: *fitting, which points into the geometry or into *surface. If the geometry has only
 * tetrahedra and the format holds only triangles, *surface is the surface of the tetrahedra, with a warning that names
 * `path`; otherwise it is NULL. Release it with syn_trimesh_destroy. */
SYN_API syn_status syn_geometry_for_format(const syn_context *context, const syn_geometry *geometry,
                                           const syn_format_info *format, const char *path, syn_trimesh **surface,
                                           syn_geometry *fitting, syn_error *error);

/* ---- what a file holds, and whether it is sound ------------------------------------------------------------------ */

/* The surface is that of the triangles, or of the tetrahedra. */
typedef struct syn_mesh_info {
  const char *path; /* as given; the caller's */
  syn_geometry geometry;
  size_t vertex_count;   /* of a surface the points in use; of a volume all nodes */
  size_t triangle_count; /* of the surface */
  bool self_intersections_known;
  syn_health health; /* of the surface; unreferenced_vertices counts points in no triangle and no tetrahedron */
  syn_health_problems problems;
  syn_mass mass;
  syn_box bounds;
  syn_tet_quality quality; /* if there are tetrahedra */
} syn_mesh_info;
/* `reading` and `checking` may be NULL: defaults. Release with syn_mesh_info_release. */
SYN_API syn_status syn_mesh_info_read(const syn_context *context, const char *path, const syn_read_options *reading,
                                      const syn_check_options *checking, syn_mesh_info *info, syn_error *error);
SYN_API void syn_mesh_info_release(const syn_context *context, syn_mesh_info *info);

/* ---- ParaView time series --------------------------------------------------------------------------------------- */

/* Writes DIR/NAME.pvd after the steps DIR/NAME_0000.vtp … were written with syn_geometry_write; `times` in any unit.
 * `files` are the `count` paths as they were given to syn_geometry_write; the list names them relative to its own
 * folder where possible, so that the folder may be moved. */
SYN_API syn_status syn_pvd_write(const syn_context *context, const char *path, const double *times,
                                 const char *const *files, size_t count, syn_error *error);

/* ---- GLB scenes ------------------------------------------------------------------------------------------------- */

typedef struct syn_scene_body {
  const char *name;
  const syn_trimesh *mesh;
  float color[4];                  /* linear RGBA, 0 to 1; alpha below 1 is drawn transparent */
  const float (*vertex_colors)[4]; /* may be NULL */
  const syn_pose *keyframes;       /* keyframe_count poses, NULL: the body does not move */
} syn_scene_body;
typedef struct syn_scene {
  const char *name;
  const syn_scene_body *bodies;
  size_t body_count;
  const double *times_s; /* keyframe_count, from 0 or later, rising; NULL with no animation */
  size_t keyframe_count;
} syn_scene;
/* glTF uses metres with y up; the root node carries that transformation, so that vertex data stay in mm. */
SYN_API syn_status syn_scene_write(const syn_context *context, const syn_scene *scene, const char *path,
                                   syn_error *error);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_mesh_info_record;   /* of a syn_mesh_info: counts, health and measures */
SYN_API extern const syn_record syn_mesh_health_record; /* of a syn_mesh_info: its health alone */

#ifdef __cplusplus
}
#endif
#endif
