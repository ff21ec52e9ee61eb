/* Synovia: mesh files. One call reads any format, one writes any format. */
#ifndef SYNOVIA_IO_H
#define SYNOVIA_IO_H

#include <synovia/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

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
