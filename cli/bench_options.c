#include <string.h>

#include "bench.h"

const cli_option cli_bench_options[CLI_BENCH_OPTIONS] = {
    OPT_FLAG("peers", 0, "also run the rivals that were installed when it was built"),
    OPT_TEXT("query", "NAME", NULL, 0, "measure only this query, e.g. radial-field"),
    OPT_OUT(NULL, "folder for the plots (SVG)"),
};

static const char *const suites[] = {"ball-cup", "rom",        "scenarios", "buckettree", "coldetect",
                                     "io",       "mechanisms", "figures",   "tissue",     "pressure"};
enum { SUITES = sizeof suites / sizeof *suites };

static const char *suite_name_at(const void *user, size_t index) {
  (void)user;
  return suites[index];
}

syn_status cli_check_suite(const char *name, syn_error *error) {
  for (size_t i = 0; i < SUITES; ++i)
    if (strcmp(suites[i], name) == 0) return SYN_OK;
  char hint[96];
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no suite '%.40s'.%s `synovia help bench` lists them.", name,
                  syn_did_you_mean(name, suite_name_at, NULL, SUITES, hint));
}
