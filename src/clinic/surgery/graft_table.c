/* A graft as a table. */
#include <stdio.h>

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/surgery/graft.h"

static void put_plan(const syn_context *context, FILE *to, const char *name, const syn_graft_plan *plan) {
  for (size_t i = 0; i < plan->row_count; ++i) {
    const syn_graft_row *r = &plan->rows[i];
    fprintf(to, "%s,%.6f,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", name, r->flexion * SYN_RADIAN,
            r->outlets_mm, r->length_mm, 100 * (r->volume - 1), r->peak_mpa, r->peak_at, r->femur_mpa, r->middle_mpa,
            r->tibia_mpa, r->femur_touch_mm2, r->tibia_touch_mm2);
    syn_csv_end(context, to, false);
  }
}

syn_status syn_graft_write_csv(const syn_context *context, const syn_graft *graft, const char *path, syn_error *error) {
  syn_output out;
  SYN_TRY(syn_output_open(context, path, &out, error));
  fputs("tunnels,flexion_deg,outlets_mm,length_mm,volume_change_percent,peak_mpa,peak_at,femur_end_mpa,middle_mpa,"
        "tibia_end_mpa,femur_touch_mm2,tibia_touch_mm2",
        out.stream);
  syn_csv_end(context, out.stream, true);
  put_plan(context, out.stream, "before", &graft->before);
  if (graft->searched) put_plan(context, out.stream, "after", &graft->after);
  return syn_output_commit(&out, error);
}
