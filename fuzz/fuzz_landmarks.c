/* Landmarks as JSON, as tables and by 3D Slicer. */
#include "fuzz_file.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  syn_found_point given[SYN_LANDMARK_SLOTS];
  return syn_landmarks_read(context, path, SYN_SIDE_RIGHT, given, error);
}
