/* Tables of forces, and forces of OrthoLoad. */
#include "fuzz_file.h"

#include "pressure/loads/loads.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  load_rows rows = {.body_weight_n = 800};
  const syn_hip hip = {.side = SYN_SIDE_RIGHT};
  const syn_status table = syn_load_read_table(context, &hip, path, &rows, error);
  if (table != SYN_OK && (error->code != table || error->message[0] == 0)) abort();
  syn_load_rows_release(context, &rows);
  const syn_status force = syn_load_read_orthoload(context, path, &rows, error);
  syn_load_rows_release(context, &rows);
  return force;
}
