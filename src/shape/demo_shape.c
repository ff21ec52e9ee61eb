/* The hip of the demo. */
#include <synovia/shape.h>

#include "base/status.h"

/* Without the cam (alpha 44 all round) it bends by some 120 degrees and turns inward by some 30 when bent. */
syn_status syn_demo_hip_create(const syn_context *context, double resolution, syn_joint **hip, syn_error *error) {
  const syn_shape_value values[] = {
      {"ce", 28},
      {"alpha", 60},
      {"cam-clock", 3.3},
      {"cam-width", 60},
      {"neck-shaft", 128},
      {"cup-tilt", 42},
      {"femoral-version", 20},
      {"acetabular-version", 15},
      {"cartilage", 1.5},
      {"anatomy", 1},
      {"labrum-height", 3},
      {"neck-ratio", 0.53},
      {"resolution", resolution},
  };
  SYN_TRY(syn_shape_create(context, "hip", values, sizeof values / sizeof *values, hip, error));
  (*hip)->name = "cam hip";
  return SYN_OK;
}
