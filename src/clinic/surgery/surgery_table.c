/* A resection as a table. */
#include <math.h>
#include <stdio.h>

#include <synovia/surgery.h>

#include "base/file.h"
#include "base/text.h"

static void put_number(FILE *to, double value) {
  if (isfinite(value))
    fprintf(to, ",%.6f", value);
  else
    fputc(',', to);
}

static void put_header(FILE *to, const syn_resection *r) {
  fputs("depth_mm,deepest_mm,volume_mm3,area_mm2,alpha_deg", to);
  for (size_t m = 0; m < r->motion_count; ++m) {
    const char *name = r->steps[0].motions[m].motion->name;
    fprintf(to, ",%s_state,%s_deg,%s_gain_deg,%s_gain_low_deg,%s_gain_high_deg", name, name, name, name, name);
  }
}

static void put_step(FILE *to, const syn_resection_step *s, size_t motions) {
  fprintf(to, "%.6f", s->depth_mm);
  put_number(to, s->deepest_mm);
  put_number(to, s->volume_mm3);
  put_number(to, s->area_mm2);
  put_number(to, s->alpha_deg);
  for (size_t m = 0; m < motions; ++m) {
    const syn_resected_motion *of = &s->motions[m];
    fprintf(to, ",%s", syn_limit_state_name(of->limit.state));
    put_number(to, of->limit.angle * SYN_RADIAN);
    put_number(to, of->gain_deg);
    put_number(to, of->gain_band_deg.low);
    put_number(to, of->gain_band_deg.high);
  }
}

syn_status syn_resection_write_csv(const syn_context *context, const syn_resection *r, const char *path,
                                   syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  put_header(output.stream, r);
  syn_csv_end(context, output.stream, true);
  for (size_t i = 0; i < r->step_count; ++i) {
    put_step(output.stream, &r->steps[i], r->motion_count);
    syn_csv_end(context, output.stream, false);
  }
  return syn_output_commit(&output, error);
}
