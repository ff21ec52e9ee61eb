/* One line of a benchmark: what we took, what the rival took, and whether both say the same. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <jansson.h>
#include <stdio.h>

#include "contender.h"

typedef struct bench_row {
  char scene[48], query[64]; /* "case" and "query" of the JSON */
  char ours[48];             /* the method of ours that was best */
  char peer[48];             /* "": no rival */
  char peer_detail[48];
  double ours_ms, peer_ms;             /* NAN where there is none */
  double ours_build_ms, peer_build_ms; /* preparation before the pose is known; NAN: not measured */
  bench_answer ours_answer, peer_answer;
  size_t tetrahedra; /* of both bodies, where the growth with them is what is asked; otherwise 0 */
  double per_second; /* of what the query counts: tetrahedra, springs, solves; NAN where that is not asked */
  double p999_us;    /* the slowest of a thousand answers, microseconds; NAN where that is not asked */
  double memory_mb;  /* the most that the program had; NAN where that is not asked */
  double error_percent, peer_error_percent; /* off what theory says; NAN where there is none */
} bench_row;

/* Everything unknown: NAN and "". */
bench_row bench_empty_row(const char *scene, const char *query);
/* peer/ours; NAN where either is missing or zero. */
double bench_ratio(const bench_row *row);
/* Microseconds of ours per tetrahedron, the build and one question together; NAN where that is not asked. */
double bench_us_per_tetrahedron(const bench_row *row);
/* A new JSON object with the keys of the contract and more; unknown numbers are null. */
json_t *bench_row_value(const bench_row *row);
/* A table for people. */
void bench_print_rows(FILE *to, const bench_row *rows, size_t count);

#endif
