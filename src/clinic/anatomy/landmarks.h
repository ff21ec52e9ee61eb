/* Internal interface of the readers of landmark files. */
#ifndef SYN_CLINIC_LANDMARKS_H
#define SYN_CLINIC_LANDMARKS_H

#include <synovia/clinic.h>

#include "base/status.h"

enum { SYN_LANDMARK_LABEL = 64 };

/* The landmarks of a file while they are read. */
typedef struct syn_landmark_list {
  const syn_context *context;
  const char *file;
  syn_side side;
  bool others_are_fine;   /* labels that resemble none of ours are skipped with a warning; else they are refused */
  syn_found_point *given; /* SYN_LANDMARK_SLOTS */
  size_t entered, other_side;
} syn_landmark_list;

/* Enters a point under its label, our name or a usual one, with or without a side; fails at the line (0: none) with a
 * suggestion and the list of names. */
syn_status syn_landmark_enter(syn_landmark_list *list, const char *label, syn_vec3 position, int64_t line,
                              syn_error *error);

/* Reads lines NAME,x,y,z and 3D Slicer's .fcsv. Converts line ends in `bytes` to newlines. */
syn_status syn_landmark_table_read(syn_landmark_list *list, char *bytes, size_t size, syn_error *error);

/* Returns the landmark of a name, SYN_LANDMARKS for an unknown one. */
syn_landmark syn_landmark_named(const char *name);

#endif
