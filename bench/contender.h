/* A participant in a benchmark. Ours and the rivals have the same life cycle, so that all are measured alike. Some
 * rivals are written in C++, so this header compiles as both. */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include <synovia/synovia.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two bodies and the poses of the mobile one, or a file; what a query has no use for stays zero. */
typedef struct bench_scene {
  const char *name;           /* the case, as in the rows */
  const syn_context *context; /* of ours: one thread */
  const char *file;           /* of the scenes that read one */
  syn_body fixed, mobile;
  syn_vec3 center, axis;
  double angle;        /* radians about `axis`, of a scene with a single pose that was reached by turning */
  double threshold_mm; /* from the centre: nearer vertices slide, farther ones strike; method split */
  const syn_pose *poses;
  size_t pose_count;
} bench_scene;

/* Of one pose; over many poses the deepest, and the sum of the counts. */
typedef struct bench_answer {
  double depth_mm;    /* signed: negative is a clearance; NAN if it gives none */
  size_t count;       /* penetrating vertices, triangle pairs, or 1 for a collision */
  double turn_deg[2]; /* free rotation, positive and negative way; range of motion only */
} bench_answer;

typedef struct bench_contender {
  const char *name;   /* "synovia", "fcl" */
  const char *detail; /* the variant: "radial", "packets of 8" */
  const char *query;  /* what it is asked: "radial-field" */
  int variant;        /* for its own use */
  /* Everything that can be prepared before the pose is known. NULL: cannot take part, the error says why. */
  void *(*open)(const struct bench_contender *self, const bench_scene *scene, syn_error *error);
  void (*ask)(void *state, const syn_pose *pose, bench_answer *answer);
  void (*close)(void *state);
  const void *data; /* for its own use */
} bench_contender;

/* The rivals that this program was built with. */
size_t bench_rival_count(void);
const bench_contender *bench_rival_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
