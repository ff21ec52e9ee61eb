/* Simulations of soft tissue, and haptic loops as text. */
#include <math.h>

#include "print/print.h"

void cli_print_tissue_run(const cli_session *session, const syn_tissue_run *run) {
  enum { SHOWN_MOMENTS = 20 };
  cli_print(session, "%s: %llu steps of %g s, %s\n", syn_tissue_scene_name(run->scene),
            (unsigned long long)run->step_count, run->step_s, run->integrator);
  if (run->continued_at)
    cli_print(session, "continued after step %llu of an earlier run\n", (unsigned long long)run->continued_at);
  for (size_t i = 0; i < syn_tissue_scene_body_count(run->scene); ++i) {
    const syn_soft *soft = syn_tissue_scene_soft(run->scene, i);
    cli_print(session, "  %-24s %s", syn_tissue_scene_body_name(run->scene, i),
              soft ? syn_soft_model_name(soft) : "rigid");
    if (soft) cli_print(session, ", %u nodes", syn_soft_node_count(soft));
    cli_print(session, "\n");
  }
  cli_print(session, "\n");
  cli_print_table(session, &syn_tissue_moment_record, run->moments, run->moment_count, SHOWN_MOMENTS);
}

static void print_times(const cli_session *session, const char *what, const syn_haptics_times *t) {
  cli_print(session, "  %-24s %9.1f %9.1f %9.1f %9.1f\n", what, t->p50_us, t->p99_us, t->p999_us, t->max_us);
}

void cli_print_haptics(const cli_session *session, const syn_haptics_result *result) {
  const syn_haptics_report *r = &result->report;
  const syn_haptics_scene *scene = result->scene;
  cli_print(session, "%s: %s, %u nodes, %zu of them held; device: %s\n", scene->name, syn_soft_model_name(scene->soft),
            syn_soft_node_count(scene->soft), (size_t)scene->held_nodes, result->device);
  cli_print(session, "%.1f s: %llu forces at %.1f Hz, %llu periods missed; %llu frames at %.1f Hz\n", r->seconds,
            (unsigned long long)r->periods, r->rate_hz, (unsigned long long)r->late, (unsigned long long)r->frames,
            r->simulation_hz);
  if (scene->built_in && isfinite(scene->built_in->published_force_hz))
    cli_print(session, "published: %g Hz of the simulation, %g Hz of forces\n",
              scene->built_in->published_simulation_hz, scene->built_in->published_force_hz);
  cli_print(session, "largest force %.4g N\n", r->force_n);
  cli_print(session, "\n  microseconds                50 %%      99 %%    99.9 %%   longest\n");
  print_times(session, "computing the force", &r->computing);
  print_times(session, "late to wake up", &r->waking);
  cli_print(session, "\nreal-time priority: %s; locked memory: %s\n", r->has_priority ? "granted" : "not permitted",
            r->has_locked_memory ? "granted" : "not permitted");
}
