/* Forces of a file, unconverted. */
#ifndef SYN_PRESSURE_LOADS_H
#define SYN_PRESSURE_LOADS_H

#include <synovia/pressure.h>

typedef struct load_rows {
  size_t count;
  syn_vec3 *forces;     /* on the head: lateral, anterior, proximal or up; N */
  bool of_pelvis;       /* in the frame of the pelvis */
  syn_pose *poses;      /* NULL: no angles in the file */
  double *times_s;      /* with poses */
  double body_weight_n; /* reference of percentages; set by the caller, replaced by that of an OrthoLoad file */
} load_rows;

void syn_load_rows_release(const syn_context *context, load_rows *rows);
syn_status syn_load_read_orthoload(const syn_context *context, const char *path, load_rows *rows, syn_error *error);
syn_status syn_load_read_table(const syn_context *context, const syn_hip *hip, const char *path, load_rows *rows,
                               syn_error *error);

#endif
