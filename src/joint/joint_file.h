/* Shared by reading and writing of joint files: keywords of the format and checks of every joint. */
#ifndef SYN_JOINT_JOINT_FILE_H
#define SYN_JOINT_JOINT_FILE_H

#include <synovia/joint.h>

#include "base/json.h"
#include "base/status.h"

enum { SYN_JOINT_FILE_VERSION = 1 };

/* Units of mesh files: names, NULL-terminated, and their length in millimetres. */
extern const char *const syn_unit_words[];
extern const double syn_unit_mm[];

/* Where an error is reported that was found while checking data read from a file or filled in by the caller. */
typedef struct syn_complaint {
  syn_status code;
  const char *file; /* may be NULL */
  syn_error *error; /* may be NULL */
} syn_complaint;

/* Fills the error; returns the code. */
syn_status syn_complain(const syn_complaint *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Checks: unique names of bodies, contacts between an existing fixed and mobile body, centre and frame given in one
 * way, orthonormal axes, possible materials. Fails with `code` at `file` (may be NULL), naming the key. */
syn_status syn_joint_check(const syn_joint *joint, syn_status code, const char *file, syn_error *error);

/* "frame" as axes with names, [{"axis", "positive", "negative"}, …], and "mobile_axes". */
syn_status syn_joint_read_axes(const syn_json *frame, syn_joint *joint, syn_error *error);
/* "motions": names, and motions described in the file. Read after the frame, whose names they use. */
syn_status syn_joint_read_motions(const syn_json *root, syn_joint *joint, syn_error *error);
/* "material" of a body; missing constants are NAN. */
syn_status syn_joint_read_material(const syn_json *body, syn_material *material, syn_error *error);
/* "articular": balls around the articular surfaces. */
syn_status syn_joint_read_articular(const syn_json *root, syn_joint *joint, syn_error *error);
/* Reads the same member of any object; *balls is NULL if it is missing. */
syn_status syn_read_articular(const syn_json *object, syn_arena *arena, const syn_ball **balls, size_t *count,
                              syn_error *error);
/* Each as the file has them; new references. */
json_t *syn_joint_axes_value(const syn_joint *joint, bool *failed);
json_t *syn_joint_motions_value(const syn_joint *joint, bool *failed);
json_t *syn_articular_value(const syn_ball *balls, size_t count, bool *failed);

#endif
