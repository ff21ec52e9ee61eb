#include <string.h>

#include "base/status.h"
#include "bench.h"

const cli_option cli_bench_options[CLI_BENCH_OPTIONS] = {
    {.name = "peers", .kind = CLI_FLAG, .help = "also run the rivals that were installed when it was built"},
    {.name = "query", .kind = CLI_TEXT, .value = "NAME", .help = "measure only this query, e.g. radial-field"},
    {.name = "out", .letter = 'o', .kind = CLI_PATH, .value = "DIR", .help = "folder for the plots (SVG)"},
};

typedef struct suite_name {
  const char *name;
  bool ready;
} suite_name;

static const suite_name suites[] = {
    {"ball-cup", true}, {"rom", true},        {"scenarios", true}, {"buckettree", true}, {"coldetect", true},
    {"io", true},       {"mechanisms", true}, {"figures", true},   {"tissue", true},     {"pressure", false},
};
enum { SUITES = sizeof suites / sizeof *suites };

static const char *suite_name_at(const void *user, size_t index) {
  (void)user;
  return suites[index].name;
}

syn_status cli_check_suite(const char *name, syn_error *error) {
  for (size_t i = 0; i < SUITES; ++i) {
    if (strcmp(suites[i].name, name) != 0) continue;
    if (suites[i].ready) return SYN_OK;
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the suite '%s' has nothing to measure yet: this version has no %s simulation", name, name);
  }
  char hint[96];
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no suite '%.40s'.%s `synovia help bench` lists them.", name,
                  syn_did_you_mean(name, suite_name_at, NULL, SUITES, hint));
}
