/* Shared by `synovia bench` and the benchmark program: the options on the command line. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "options.h"

/* The benchmark program; other libraries are linked into it and never into synovia. */
#define CLI_BENCH_PROGRAM "synovia-bench"

enum { CLI_BENCH_OPTIONS = 3 };
extern const cli_option cli_bench_options[CLI_BENCH_OPTIONS];

/* SYN_BAD_ARGUMENT unless there is such a suite and this version has it. */
syn_status cli_check_suite(const char *name, syn_error *error);

#endif
