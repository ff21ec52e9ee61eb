/* Internal interface of the files that read recordings. */
#ifndef SYN_MOTION_RECORDING_H
#define SYN_MOTION_RECORDING_H

#include <synovia/motion.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

struct syn_recording_store {
  syn_recording recording;
  syn_arena arena; /* owns the texts */
  double *times, *values;
  size_t time_capacity, value_capacity;
  const char *file; /* for messages; NULL if it has no name */
  bool unit_stated; /* the header says whether angles are in degrees */
};

/* Warns if the columns of angles whose names state no unit look like radians and are taken as degrees, or the other way
 * round: no joint moves by less than 3.2 degrees in all, nor by more than two full rotations. A column SIZE_MAX does
 * not exist. */
void syn_recording_doubt_unit(const syn_recording *recording, const size_t *columns, size_t count);

/* Returns whether the file has a matrix of this body (NULL: an unnamed one). */
bool syn_recording_has_matrix(const syn_recording *recording, const char *body);

/* Fills in a pose for each row of a recording of `joint`. */
typedef syn_status syn_recording_to_poses(const syn_recording *recording, const char *path, const void *joint,
                                          syn_pose *poses, syn_error *error);
/* Reads a file and converts it to poses: *poses and *times_s have *count entries; release both with syn_free. */
syn_status syn_recording_read_poses(const syn_context *context, const char *path, syn_recording_to_poses *make,
                                    const void *joint, syn_pose **poses, double **times_s, size_t *count,
                                    syn_error *error);

/* Finds centre and axis of a recorded motion: see syn_recording_poses for the bodies and the unit. */
SYN_PROGRAM_API syn_status syn_motion_center_read(const syn_context *context, const char *path, const char *body,
                                                  const char *relative_to, double mm_per_unit,
                                                  syn_motion_center *center, syn_error *error);

#endif
