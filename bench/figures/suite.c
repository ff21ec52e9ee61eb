/* Figures and tables of the theses that are not times of one method in one scene: the range finder against stepping
 * (Arbabi 2009, Table 7), tables six times as large (Fig. 37 to 39), and the time of localising contacts as they grow
 * (Sundaraj 2004, Table 5.3 and Fig. 5.14). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "figures/figures.h"
#include "figures/triangle_hash.h"
#include "ours.h"
#include "scenario.h"
#include "stepper.h"

/* ---- Table 7 ------------------------------------------------------------------------------------------------------
 */

/* Times the range finder's, and its own milliseconds, at the resolutions of scenarios 1 to 4. */
typedef struct table7_row {
  double ms, boxes, hash;
} table7_row;
static const table7_row table7[] = {{4, 66.3, 19.5}, {16, 37.1, 17.6}, {31, 61.5, 18.6}, {156, 46.1, 10.6}};

static double whole_time(const bench_entry *entry) { return bench_median(&entry->build) + bench_median(&entry->ask); }

static void add_table7_row(bench_run *run, const bench_scenario *s, const bench_entry *ours, const bench_entry *theirs,
                           double published_ratio) {
  bench_row row = bench_empty_row(s->name, "range of motion");
  snprintf(row.ours, sizeof row.ours, "events");
  snprintf(row.peer, sizeof row.peer, "%s", theirs->contender->detail);
  snprintf(row.peer_detail, sizeof row.peer_detail, "published ratio %g", published_ratio);
  row.ours_ms = whole_time(ours);
  row.peer_ms = whole_time(theirs);
  row.ours_build_ms = bench_median(&ours->build);
  row.peer_build_ms = bench_median(&theirs->build);
  row.ours_answer = ours->answer;
  row.peer_answer = theirs->answer;
  bench_add_row(run, &row);
}

static syn_status run_table7(bench_run *run, syn_error *error) {
  const bench_contender boxes = bench_collider("obb", "boolean", BENCH_ANY);
  const bench_stepping by_boxes = {&boxes, 1, 0}, by_hash = {&bench_triangle_hash, 1, 0};
  const bench_contender steppers[] = {bench_stepper(&by_boxes, "synovia", "1 deg steps, obb"),
                                      bench_stepper(&by_hash, "synovia", "1 deg steps, hash of triangles")};
  const syn_pose start = syn_pose_identity();
  for (int number = 1; number <= 4 && bench_wants(run, "range of motion"); ++number) {
    bench_scenario s;
    SYN_TRY(bench_scenario_make(run, number, false, &s, error));
    s.scene.poses = &start;
    bench_entry entries[3] = {
        {.contender = &bench_rotation_events}, {.contender = &steppers[0]}, {.contender = &steppers[1]}};
    bench_race(&s.scene, &run->pace, entries, 3);
    add_table7_row(run, &s, &entries[0], &entries[1], table7[number - 1].boxes);
    add_table7_row(run, &s, &entries[0], &entries[2], table7[number - 1].hash);
    bench_row row = bench_empty_row(s.name, "range of motion");
    snprintf(row.ours, sizeof row.ours, "events");
    snprintf(row.peer, sizeof row.peer, "published");
    row.ours_ms = whole_time(&entries[0]);
    row.peer_ms = table7[number - 1].ms;
    bench_add_row(run, &row);
    bench_scenario_release(&s);
  }
  return SYN_OK;
}

/* ---- Figures 37 to 39 ---------------------------------------------------------------------------------------------
 */

enum { CELLS = 16, TIMES = 6 }; /* cells per triangle, as the method itself chooses for surfaces all round */

static void add_table_rows(bench_run *run, const bench_scenario *s, int mapping, const bench_entry *small,
                           const bench_entry *large) {
  const double times[3][2] = {{bench_median(&small->build), bench_median(&large->build)},
                              {bench_median(&small->ask), bench_median(&large->ask)},
                              {whole_time(small), whole_time(large)}};
  static const char *const parts[] = {"pre", "main", "total"};
  for (int i = 0; i < 3; ++i) {
    char query[64];
    snprintf(query, sizeof query, "radial %d, table x6/%s", mapping, parts[i]);
    bench_row row = bench_empty_row(s->name, query);
    snprintf(row.ours, sizeof row.ours, "radial %d", mapping);
    snprintf(row.peer, sizeof row.peer, "table x1");
    row.ours_ms = times[i][1];
    row.peer_ms = times[i][0];
    row.ours_answer = large->answer;
    row.peer_answer = small->answer;
    bench_add_row(run, &row);
  }
}

enum { FIRST = 5, LAST = 11, SIZES = LAST - FIRST + 1, CURVES = 6 };

/* Preparation and one question together over the triangles: three mappings, each with both tables. */
typedef struct table_curves {
  double triangles[SIZES], ms[CURVES][SIZES];
  size_t count;
} table_curves;

static syn_status draw_tables(bench_run *run, const table_curves *t, syn_error *error) {
  static const char *const labels[CURVES] = {"type 1",           "type 1, table x6", "type 2",
                                             "type 2, table x6", "type 3",           "type 3, table x6"};
  bench_series series[CURVES];
  for (size_t i = 0; i < CURVES; ++i)
    series[i] = (bench_series){labels[i], t->triangles, t->ms[i], t->count, i % 2, i / 2};
  const bench_plot plot = {
      "Arbabi 2009, Fig. 37 to 39: tables six times as large", "triangles", "ms", series, CURVES, false};
  return t->count ? bench_draw(run, &plot, "table-size", error) : SYN_OK;
}

static syn_status run_tables(bench_run *run, syn_error *error) {
  table_curves curves = {.count = 0};
  for (int number = FIRST; number <= LAST && bench_wants(run, "table x6"); ++number) {
    bench_scenario s;
    SYN_TRY(bench_scenario_make(run, number, false, &s, error));
    const size_t at = curves.count++;
    curves.triangles[at] = s.scene.fixed.surface->triangle_count + s.scene.mobile.surface->triangle_count;
    for (int mapping = SYN_MAPPING_SPHERICAL; mapping <= SYN_MAPPING_UNIFORM; ++mapping) {
      const int asked = BENCH_FIELD | BENCH_MAPPING(mapping);
      const bench_contender sizes[] = {bench_collider("radial", "table x6", asked | BENCH_CELLS(CELLS)),
                                       bench_collider("radial", "table x6", asked | BENCH_CELLS(TIMES * CELLS))};
      bench_entry entries[2] = {{.contender = &sizes[0]}, {.contender = &sizes[1]}};
      bench_race(&s.scene, &run->pace, entries, 2);
      add_table_rows(run, &s, mapping, &entries[0], &entries[1]);
      for (int k = 0; k < 2; ++k) curves.ms[2 * (mapping - 1) + k][at] = whole_time(&entries[k]);
    }
    bench_scenario_release(&s);
  }
  return draw_tables(run, &curves, error);
}

/* ---- Sundaraj, Table 5.3 and Figure 5.14 --------------------------------------------------------------------------
 */

enum { DEPTHS = 8 };

static uint32_t contact_elements(const syn_overlap *o) {
  uint32_t count = 0;
  for (int side = 0; side < 2; ++side)
    for (int zone = SYN_ZONE_CUT; zone <= SYN_ZONE_INSIDE; ++zone)
      count += syn_overlap_zone_count(o, side, (syn_zone)zone);
  return count;
}

/* The least of some runs, from detection to the last contact element. */
static syn_status time_overlap(const syn_trimesh *mesh, const syn_pose *pose, double *elements, double *ms,
                               syn_error *error) {
  *ms = INFINITY;
  for (int i = 0; i < 5; ++i) {
    syn_overlap *overlap;
    const double start = bench_now_ms();
    SYN_TRY(syn_overlap_create(mesh, mesh, pose, &overlap, error));
    *ms = min2(*ms, bench_now_ms() - start);
    *elements = contact_elements(overlap);
    syn_overlap_destroy(overlap);
  }
  return SYN_OK;
}

/* Two copies, the second one turned and brought nearer step by step. */
static syn_status time_depths(bench_run *run, const char *name, const syn_trimesh *mesh, double *elements, double *ms,
                              syn_error *error) {
  const syn_box box = syn_trimesh_bounds(mesh);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5), size = vec3_sub(box.max, box.min);
  for (int i = 0; i < DEPTHS; ++i) {
    syn_pose pose = syn_pose_about_axis(middle, vec3(1, 2, 3), 0.3);
    pose.translation.x += size.x * (0.9 - 0.1 * i);
    SYN_TRY(time_overlap(mesh, &pose, &elements[i], &ms[i], error));
    bench_row row = bench_empty_row(name, "localise contacts");
    snprintf(row.ours, sizeof row.ours, "overlap");
    row.ours_ms = ms[i];
    row.ours_answer.count = (size_t)elements[i];
    bench_add_row(run, &row);
  }
  return SYN_OK;
}

static syn_status run_contacts(bench_run *run, syn_error *error) {
  static const struct {
    const char *name, *file;
    uint32_t triangles;
  } meshes[] = {{"teapot 1024", NULL, 1024},
                {"liver 3366", "deformable/liver-smooth.obj", 3366},
                {"femur 3992", "vsd_NC/z013/Femur_R.ply", 3992}};
  enum { MESHES = sizeof meshes / sizeof *meshes };
  double elements[MESHES][DEPTHS], ms[MESHES][DEPTHS];
  bench_series series[MESHES];
  size_t count = 0;
  for (size_t i = 0; i < MESHES && bench_wants(run, "localise contacts"); ++i) {
    syn_trimesh *mesh;
    SYN_TRY(bench_table_body(run, meshes[i].name, meshes[i].file, meshes[i].triangles, &mesh, error));
    if (!mesh) continue;
    const syn_status status = time_depths(run, meshes[i].name, mesh, elements[i], ms[i], error);
    syn_trimesh_destroy(mesh);
    if (status != SYN_OK) return status;
    series[count++] = (bench_series){meshes[i].name, elements[i], ms[i], DEPTHS, false, i};
  }
  const bench_plot plot = {
      "Sundaraj 2004, Fig. 5.14: localising contacts", "contact elements", "ms", series, count, true};
  return count ? bench_draw(run, &plot, "contact-elements", error) : SYN_OK;
}

/* ---- the suite ----------------------------------------------------------------------------------------------------
 */

static syn_status run_suite(bench_run *run, syn_error *error) {
  run->pace.repeats = 5;
  run->pace.budget_ms = 1500;
  SYN_TRY(run_table7(run, error));
  SYN_TRY(run_tables(run, error));
  SYN_TRY(bench_rough_surfaces(run, error));
  SYN_TRY(bench_depth_curves(run, error));
  SYN_TRY(bench_center_curves(run, error));
  return run_contacts(run, error);
}

const bench_suite bench_figures = {"figures", run_suite};
