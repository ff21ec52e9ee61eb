/* Synovia: a joint in memory: bodies with tissue, material and meshes, a side, a centre of rotation and axes. Joint
 * files store it; shape generators, motions, clinical analyses and reports work on it. */
#ifndef SYNOVIA_JOINT_H
#define SYNOVIA_JOINT_H

#include <synovia/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bodies ------------------------------------------------------------------------------------------------------
 */

typedef enum syn_tissue {
  SYN_TISSUE_BONE,
  SYN_TISSUE_CARTILAGE,
  SYN_TISSUE_LABRUM,
  SYN_TISSUE_LIGAMENT,
  SYN_TISSUE_MUSCLE,
  SYN_TISSUE_TRANSITION_ZONE, /* between the cartilage and the labrum of a socket */
  SYN_TISSUES
} syn_tissue;
SYN_ENUM(syn_tissue); /* "bone", …, as in joint files */

/* NAN means "not given". */
typedef struct syn_material {
  double young_mpa, poisson, density_kg_m3;
} syn_material;

SYN_API syn_material syn_material_unknown(void); /* all NAN */
/* Returns published material constants of a tissue, NAN for those not published; *source (may be NULL) gets the
 * citation. */
SYN_API syn_material syn_tissue_material(syn_tissue tissue, const char **source);

/* The range of measured values of a tissue property in one publication. */
typedef struct syn_tissue_range {
  syn_tissue tissue;
  const char *quantity; /* "Young's modulus, cancellous", … */
  const char *unit;     /* "MPa", or "1" */
  double low, high;
  const char *source;
} syn_tissue_range;
/* All ranges, sorted by tissue. */
enum { SYN_TISSUE_RANGES = 11 };
SYN_API extern const syn_tissue_range syn_tissue_ranges[SYN_TISSUE_RANGES];

/* One piece of tissue with a surface, a volume, or both. Methods say which they need. A body that only names a file has
 * no mesh yet: see syn_joint_load. */
typedef struct syn_body {
  const char *name;      /* unique in its joint; may be NULL for a body without a joint */
  const char *mesh_file; /* path of its mesh relative to the joint's folder, or absolute; NULL: only in memory */
  syn_tissue tissue;
  bool moves; /* with the distal bone */
  syn_material material;
  const syn_trimesh *surface;
  const syn_tetmesh *volume;
  syn_vec3 offset; /* mm, added to every vertex when the mesh file is loaded; bodies of a skeleton file each have a
                      separate frame */
} syn_body;

/* Returns the material of the body; missing constants are those of its tissue. */
SYN_API syn_material syn_body_material(const syn_body *body);

/* Reads one body: volume and surface of a file if `needs_volume`, else only the surface, with a warning of what is
 * omitted. Name and material stay unknown. `options` may be NULL. Release with syn_body_release. */
SYN_API syn_status syn_body_read(const syn_context *context, const char *path, bool needs_volume,
                                 const syn_read_options *options, syn_body *body, syn_error *error);
/* Destroys the meshes of a body read by syn_body_read. */
SYN_API void syn_body_release(syn_body *body);

/* ---- joints ------------------------------------------------------------------------------------------------------
 */

/* A bone's frame: orthogonal unit axes, a right-handed triple. Flexion points to the patient's right on either side;
 * adduction and rotation point forward and up on the right side, backward and down on the left side. Right-handed
 * rotations by positive angles therefore flex, adduct and internally rotate the limb. */
typedef struct syn_joint_axes {
  syn_vec3 flexion, adduction, rotation;
} syn_joint_axes;

typedef enum syn_contact_kind {
  SYN_CONTACT_RADIAL,
  SYN_CONTACT_CURVILINEAR,
  SYN_CONTACT_BOTH,
  SYN_CONTACT_KINDS
} syn_contact_kind;
SYN_ENUM(syn_contact_kind); /* "radial", "curvilinear", "both" */

typedef struct syn_joint_contact {
  const char *fixed, *mobile; /* body names */
  syn_contact_kind kind;
} syn_joint_contact;

typedef struct syn_joint_landmark {
  const char *name;
  syn_vec3 place;
  bool from_mesh;    /* found automatically on a mesh; false: placed by a person */
  double confidence; /* 0 to 1, of a landmark found automatically */
} syn_joint_landmark;

typedef struct syn_ball {
  syn_vec3 center;
  double radius_mm;
} syn_ball;

enum { SYN_JOINT_AXES = 3 };

/* Angles of the joint coordinate system of Grood and Suntay (1983), which the ISB recommends (Wu et al. 2002), in
 * radians: flexion about the fixed bone's axis, rotation about the mobile bone's, adduction about the floating axis
 * between them. */
typedef struct syn_joint_angles {
  double flexion, adduction, rotation;
} syn_joint_angles;

/* A motion: the mobile bodies are brought to `start`, then rotate about one axis until they touch. */
typedef struct syn_motion {
  const char *name;         /* "flexion", "internal_rotation_90", "fadir", … */
  const char *label;        /* text for people; NULL: the name with blanks */
  syn_joint_angles start;   /* right-handed about the three axes */
  int axis;                 /* 0 to 2: of the joint's axes, at the start; SYN_JOINT_AXES: `vector` */
  int sign;                 /* +1: right-handed; -1: the other way */
  double max_deg;           /* the rotation is followed up to this angle only; 0: a full rotation */
  double low_deg, high_deg; /* published range to compare with; NAN without one */
  const char *source;       /* of the range; NULL without one */
  syn_vec3 vector;          /* unit, in the frame of the meshes */
} syn_motion;

/* A joint filled by the caller borrows everything it points to. A joint that was created or read owns its strings,
 * arrays and meshes. The centre is a point, the name of a method, or not given; the frame is axes, landmarks, or not
 * given. */
typedef struct syn_joint {
  const syn_context *context;
  const char *name;
  const char *folder; /* of the joint file, "" for the current one; NULL: not from a file */
  syn_side side;
  bool side_unknown; /* the file does not give it; code that needs a side assumes the right one */
  size_t body_count, contact_count, landmark_count, motion_count, note_count;
  const syn_body *bodies;
  const syn_joint_contact *contacts;
  const syn_joint_landmark *landmarks;
  const char *const *motions; /* names of motions */
  const char *const *notes;   /* sentences on how the joint was made: what was assumed, repaired or left out */
  bool has_center, has_axes;
  syn_vec3 center;
  syn_joint_axes axes;       /* mobile bodies rotate right-handed about them, through the centre */
  const char *center_method; /* NULL: no method is named */
  const char *kind;          /* "hip", "knee", "jaw", …; NULL: see syn_joint_kind */
  double mm_per_unit; /* of the mesh files, given by the joint file or by the caller who read them; 0: they are in mm */
  /* Names of the right-handed and of the left-handed rotation about each axis; NULL: see syn_joint_direction. */
  const char *directions[SYN_JOINT_AXES][2];
  bool has_mobile_axes; /* the mobile bodies have a separate frame: all angles are 0 where it agrees with `axes` */
  syn_joint_axes mobile_axes; /* in the mesh position */
  syn_vec3 seat; /* head position: translation of the mobile bodies, added to every rotation; 0: as scanned. Joint files
                    do not store it */
  size_t turn_count, articular_count;
  const syn_motion *turns;       /* motions described in the joint file */
  const syn_ball *articular;     /* balls around the articular surfaces; triangles of mobile bodies wholly inside are
                                    excluded from contact */
  struct syn_joint_store *store; /* private; NULL in a joint filled by the caller */
} syn_joint;

/* An empty joint of the right side; release with syn_joint_destroy. */
SYN_API syn_status syn_joint_create(const syn_context *context, syn_joint **joint, syn_error *error);
SYN_API void syn_joint_destroy(syn_joint *joint); /* NULL is fine */
/* Copies strings and arrays and shares the meshes; `from` may be destroyed afterwards. */
SYN_API syn_status syn_joint_copy(const syn_context *context, const syn_joint *from, syn_joint **copy,
                                  syn_error *error);
/* Adds a body to a joint that was created or read. Its strings are copied. The joint takes ownership of its meshes and
 * destroys them even if the call fails. */
SYN_API syn_status syn_joint_add_body(syn_joint *joint, const syn_body *body, syn_error *error);

/* Returns the kind of joint in one lower-case word: as given, else guessed from the names of its bodies ("hip", "knee",
 * "jaw", "shoulder"). If no name matches: "other" if centre and axes are given, "hip" if they have to be found. */
SYN_API const char *syn_joint_kind(const syn_joint *joint);
/* Returns the name of a rotation about an axis (0 to 2), right-handed (sign +1) or left-handed (-1): as given, else
 * "flexion" and "extension", "adduction" and "abduction", "internal_rotation" and "external_rotation". */
SYN_API const char *syn_joint_direction(const syn_joint *joint, int axis, int sign);

/* Finds a body by name. Returns NULL if no body has that name. */
SYN_API const syn_body *syn_joint_body_named(const syn_joint *joint, const char *name);

/* ---- joint files -------------------------------------------------------------------------------------------------
 */

/* Reads the description but not the meshes. SYN_BAD_FORMAT names the file and the key: unknown or missing keys, wrong
 * types, contacts of unknown bodies, axes that are not orthonormal to 1e-6. */
SYN_API syn_status syn_joint_read(const syn_context *context, const char *path, syn_joint **joint, syn_error *error);
/* Reads the mesh files of all bodies that name one. */
SYN_API syn_status syn_joint_load(syn_joint *joint, const syn_read_options *options, syn_error *error);
/* Writes FOLDER/BODY.ENDING for every body, in `format` (NULL: PLY for surfaces, VTU for volumes), which become the
 * bodies' mesh files, and FOLDER/joint.json if the joint has axes. If the format cannot hold a volume, its surface is
 * written. Either all files are written or none. The folder is created if it is missing. */
SYN_API syn_status syn_joint_save(const syn_context *context, syn_joint *joint, const char *folder, const char *format,
                                  syn_error *error);
/* Writes the description; every body must name its mesh file. */
SYN_API syn_status syn_joint_write(const syn_context *context, const syn_joint *joint, const char *path,
                                   syn_error *error);

/* ---- a joint from files or from memory, ready for contact ---------------------------------------------------------
 */

typedef struct syn_joint_input {
  const char *joint; /* a joint file; with joint_in_memory only the name shown in reports, and the file is not read */
  const syn_joint
      *joint_in_memory;   /* shared: it may be destroyed after the call. Give `joint`, `joint_in_memory` or both */
  const syn_vec3 *center; /* overrides that of the file; may be NULL */
  const syn_read_options *reading; /* of the meshes; may be NULL */
  uint32_t cookie;
} syn_joint_input;
SYN_API syn_joint_input syn_default_joint_input(void);

/* Reads the joint file and all meshes that are not in memory. Centre and axes are those of the file; a knee may have
 * landmarks instead (head_center, medial_epicondyle, lateral_epicondyle, medial_plateau, lateral_plateau,
 * ankle_center), from which the frames of Grood and Suntay (1983) follow, and the middle of the epicondyles as its
 * centre. SYN_BAD_FORMAT names what is missing. A body that only has a volume gets its surface. Release with
 * syn_joint_destroy. */
SYN_API syn_status syn_joint_open(const syn_context *context, const syn_joint_input *input, syn_joint **joint,
                                  syn_error *error);

/* Records for printing results; see result.h. */
SYN_API extern const syn_record syn_body_record; /* of syn_body[]: name and counts */

#ifdef __cplusplus
}
#endif
#endif
