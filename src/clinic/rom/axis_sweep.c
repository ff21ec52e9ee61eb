/* Turns about axes of the horizontal plane (Arbabi 2009, Fig. 56) as a table. */
#include <stdio.h>

#include <synovia/hip.h>

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"

static void put_limit(FILE *stream, const syn_limit *limit) {
  const syn_limit_state state = limit->state;
  if (state == SYN_LIMIT_STOPPED)
    fprintf(stream, ",%.6f", limit->angle * SYN_RADIAN);
  else
    fputc(',', stream);
  fprintf(stream, ",%s", syn_limit_state_name(state));
}

syn_status syn_sweep_write_csv(const syn_context *context, const syn_sweep_limit *sweep, size_t count, const char *path,
                               syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  fputs("axis_deg,positive_deg,positive_state,negative_deg,negative_state", output.stream);
  syn_csv_end(context, output.stream, true);
  for (size_t i = 0; i < count; ++i) {
    fprintf(output.stream, "%g", sweep[i].axis_angle * 180 / SYN_PI);
    put_limit(output.stream, &sweep[i].positive);
    put_limit(output.stream, &sweep[i].negative);
    syn_csv_end(context, output.stream, false);
  }
  return syn_output_commit(&output, error);
}
