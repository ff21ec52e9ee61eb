/* Synovia: status, errors, context, vectors and rigid poses.
 *
 * Units everywhere: lengths mm, forces N, pressures MPa, angles radians.
 * The library never prints, exits or keeps global state. Programmer errors assert; everything else is a syn_status.
 * Conventions: object first, results last. A pointer argument may not be NULL unless its comment says so. A result that
 * must be released names the function that does it. After a failure the pointer to such a result is NULL. */
#ifndef SYNOVIA_BASE_H
#define SYNOVIA_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SYN_API __attribute__((visibility("default")))
#else
#define SYN_API
#endif

/* Marks what may change in any release: the solvers (solve.h), and of soft tissue molecules, volume distribution and
 * haptics. All other declarations change only with the first number of the version. */
#define SYN_EXPERIMENTAL SYN_API

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the linked library, which may differ from SYN_VERSION_NUMBER: "0.1.0",
 * static storage, and 100 for it, as SYN_VERSION_NUMBER counts. */
SYN_API const char *syn_version(void);
SYN_API int syn_version_number(void);

/* ---- names of enums --------------------------------------------------------------------------------------------- */

/* Names of the values of an enum, static storage. A value without a name is NULL. */
typedef struct syn_enum {
  const char *const *names; /* count of them, then NULL */
  size_t count;
} syn_enum;

/* Returns the name of a value; "unknown" if it is not one of the enum. */
SYN_API const char *syn_enum_name(const syn_enum *names, size_t value);

/* Declares the names of an enum. After SYN_ENUM(syn_side) syn_side_names has them all, and syn_side_name(SYN_SIDE_LEFT)
 * returns "left". Every public enum has names. */
#define SYN_ENUM(TYPE)                                                                                                 \
  SYN_API extern const syn_enum TYPE##_names;                                                                          \
  static inline const char *TYPE##_name(TYPE value) { return syn_enum_name(&TYPE##_names, value); }                    \
  struct syn_enum

/* ---- status and errors ------------------------------------------------------------------------------------------ */

typedef enum syn_status {
  SYN_OK = 0,
  SYN_BAD_ARGUMENT,  /* an option or argument makes no sense */
  SYN_NOT_FOUND,     /* a file could not be opened */
  SYN_IO_ERROR,      /* reading or writing failed half way */
  SYN_BAD_FORMAT,    /* a file is not what it claims to be: truncated, malformed, hostile, unknown */
  SYN_BAD_MESH,      /* the file was read, but the mesh breaks an assumption */
  SYN_NO_MEMORY,     /* the allocator of the context refused */
  SYN_TOO_LARGE,     /* a size limit, or 32-bit indices, would be exceeded */
  SYN_NO_PROGRAM,    /* an external program is missing or failed */
  SYN_NOT_CONVERGED, /* an iteration did not reach its tolerance */
  SYN_CANCELLED,     /* the progress callback asked to stop */
  SYN_STATUSES       /* their number; every enum with names ends so */
} syn_status;

SYN_ENUM(syn_status); /* "ok", "bad argument", "bad format", … */

/* Where and why a call failed. Every fallible function takes an optional syn_error (NULL to ignore) and fills it only
 * when it fails. */
typedef struct syn_error {
  syn_status code;
  int64_t line;      /* 1-based line of `file`, 0 where lines make no sense */
  int64_t byte;      /* 0-based offset in `file`, -1 where unknown */
  char file[256];    /* input or output file, "" without one; a long name keeps its end */
  char message[512]; /* one plain sentence, without file and line */
} syn_error;

/* Writes "FILE:LINE: message", "FILE: byte B: message" or "message" into `text`, always terminated. Returns `text`. */
SYN_API char *syn_error_text(const syn_error *error, char *text, size_t size);

/* ---- context ---------------------------------------------------------------------------------------------------- */

/* Allocator, thread limit and callbacks. A plain value owned by the caller; it must outlive every object made with it.
 * Wherever a `const syn_context *` is taken, NULL means syn_default_context(). The calling thread needs 300 KB of
 * stack, most of it for the query of a collider; threads that the library starts set their own stack size. */
typedef struct syn_context {
  /* Resizes `block` (NULL: allocates) to `bytes`, or releases it when `bytes` is 0. Returns NULL when refused, and then
   * leaves `block` unchanged. NULL: malloc, realloc, free. Called from one thread at a time per library call. */
  void *(*reallocate)(void *user, void *block, size_t bytes);
  /* Called with one sentence per repair, omission or assumption. NULL: warnings are discarded. */
  void (*warn)(void *user, const char *message);
  /* Called during long work with the fraction done (0 to 1). The work stops with SYN_CANCELLED when this returns false.
   * NULL: never called. */
  bool (*progress)(void *user, const char *what, double fraction);
  void *user;            /* handed to the callbacks */
  int threads;           /* 0: as many as the machine has; results have the same bits for any number */
  size_t max_file_bytes; /* larger files are refused */
  const char *title;     /* of the case: written to every file whose format can hold a title; NULL: no title */
  uint32_t cookie;       /* set by syn_default_context(). Functions that allocate refuse a context without it:
                            SYN_BAD_ARGUMENT. Each option struct has one, too; NULL options mean the defaults. */
} syn_context;

/* malloc, no callbacks, all threads, files up to 4 GiB. */
SYN_API syn_context syn_default_context(void);

/* Releases an array returned by the library; NULL is allowed. `context` is the one passed to the call that returned
 * it. */
SYN_API void syn_free(const syn_context *context, void *block);

/* Computes the SHA-256 of a file as 64 hexadecimal digits and a terminator, for provenance. */
SYN_API syn_status syn_file_sha256(const syn_context *context, const char *path, char digits[65], syn_error *error);

/* Finds the rank of this process and the number of ranks from the environment variables of the launcher (Open MPI,
 * MPICH, Intel MPI, Slurm); 0 of 1 without a launcher. */
SYN_API void syn_launch_find(size_t *rank, size_t *count);

/* A side of the patient. */
typedef enum syn_side { SYN_SIDE_RIGHT, SYN_SIDE_LEFT, SYN_SIDES } syn_side;
SYN_ENUM(syn_side); /* "right", "left" */

/* Axes as bits. */
enum { SYN_X = 1, SYN_Y = 2, SYN_Z = 4, SYN_XYZ = 7 };

/* ---- vectors and poses ------------------------------------------------------------------------------------------ */

typedef struct syn_vec3 {
  double x, y, z;
} syn_vec3;

/* Row-major: row[0] is the first row. */
typedef struct syn_mat3 {
  syn_vec3 row[3];
} syn_mat3;

/* Unit quaternion w + xi + yj + zk. */
typedef struct syn_quat {
  double w, x, y, z;
} syn_quat;

/* Rigid motion p -> rotation * p + translation. */
typedef struct syn_pose {
  syn_mat3 rotation;
  syn_vec3 translation;
} syn_pose;

typedef struct syn_box {
  syn_vec3 min, max;
} syn_box;

#define SYN_PI 3.14159265358979323846
#define SYN_DEGREE (SYN_PI / 180) /* one degree in radians */
#define SYN_RADIAN (180 / SYN_PI) /* one radian in degrees */

#define SYN_NONE UINT32_MAX /* "no such vertex, edge, triangle …" */

/* Vertices are indices into a list of points. */
typedef struct syn_triangle {
  uint32_t v[3]; /* counter-clockwise seen from outside */
} syn_triangle;

typedef struct syn_tet {
  uint32_t v[4]; /* volume is positive when dot(cross(p1-p0, p2-p0), p3-p0) > 0 */
} syn_tet;

/* Returns the unit vector along `v`, or zero if its length is zero or not finite. */
SYN_API syn_vec3 syn_vec3_unit(syn_vec3 v);

SYN_API syn_pose syn_pose_identity(void);
/* Rotation by `angle` radians about `axis` (any nonzero length) through `center`. */
SYN_API syn_pose syn_pose_about_axis(syn_vec3 center, syn_vec3 axis, double angle);
/* Rotates by the unit quaternion, then translates. */
SYN_API syn_pose syn_pose_from_quat(syn_quat rotation, syn_vec3 translation);
/* From a row-major 4x4 matrix. SYN_BAD_ARGUMENT unless it is rigid (rows orthonormal to 1e-6, determinant +1, last row
 * 0 0 0 1); the rotation is then made orthonormal to rounding. */
SYN_API syn_status syn_pose_from_matrix(const double matrix[16], syn_pose *pose, syn_error *error);
SYN_API void syn_pose_to_matrix(const syn_pose *pose, double matrix[16]);
SYN_API syn_quat syn_pose_quat(const syn_pose *pose);
/* First `inner`, then `outer`. */
SYN_API syn_pose syn_pose_compose(const syn_pose *outer, const syn_pose *inner);
SYN_API syn_pose syn_pose_inverse(const syn_pose *pose);
SYN_API syn_vec3 syn_pose_point(const syn_pose *pose, syn_vec3 point);
SYN_API syn_vec3 syn_pose_direction(const syn_pose *pose, syn_vec3 direction);

/* ---- version ----------------------------------------------------------------------------------------------------- */

/* For programs that are compiled against several versions. The build takes the number from here. */
#define SYN_VERSION_MAJOR 0
#define SYN_VERSION_MINOR 1
#define SYN_VERSION_PATCH 0
/* 100 for 0.1.0, 10203 for 1.2.3: `#if SYN_VERSION_NUMBER >= 10000`. */
#define SYN_VERSION_NUMBER (SYN_VERSION_MAJOR * 10000 + SYN_VERSION_MINOR * 100 + SYN_VERSION_PATCH)

#ifdef __cplusplus
}
#endif
#endif
