#include "calculix.h"
#include "base/status.h"

#include <stdlib.h>

syn_status bench_calculix_open(bench_calculix *c, syn_error *error) {
  SYN_TRY(syn_temporary_folder(c->folder, error));
  snprintf(c->input, sizeof c->input, "%s/job.inp", c->folder);
  snprintf(c->output, sizeof c->output, "%s/job.dat", c->folder);
  return SYN_OK;
}

bool bench_calculix_run(const bench_run *run, const char *query, bench_calculix *c) {
  char log[SYN_FOLDER_ROOM + 20], command[SYN_FOLDER_ROOM + 80], shell[] = "sh", option[] = "-c";
  snprintf(log, sizeof log, "%s/log", c->folder);
  snprintf(command, sizeof command, "cd '%s' && OMP_NUM_THREADS=1 exec ccx -i job", c->folder);
  char *const words[] = {shell, option, command, NULL};
  const syn_process process = {.arguments = words, .log = log, .timeout_s = 1800, .what = "CalculiX"};
  bool started;
  int code = 1;
  const double start = bench_now_ms();
  const syn_status status = syn_run(run->context, &process, &started, &code, NULL);
  c->ms = bench_now_ms() - start;
  if (status == SYN_OK && code == 0) return true;
  syn_warn(run->context, "CalculiX takes no part in %s: ccx is not installed, or it failed", query);
  return false;
}

void bench_calculix_close(const bench_run *run, const bench_calculix *c) {
  char command[SYN_FOLDER_ROOM + 20];
  snprintf(command, sizeof command, "rm -r '%s'", c->folder);
  if (system(command) != 0) syn_warn(run->context, "%s could not be removed", c->folder);
}
