/* Writes a simulation as a page: bodies that deform and move, stress and forces on them over time, and the curves of
 * the run. */
#include "report/tissue/simulation_page.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/publish_result.h"
#include "tissue/scene/scene.h"
#include "tissue/soft.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static bool any_force(const syn_vec3 *force, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (vec3_length(force[i]) > 0) return true;
  return false;
}

static double kept_time(const syn_tissue_run *run, size_t step) { return run->moments[run->kept[step]].time_s; }

/* Shows stress as colours, displacement as shape, forces as arrows. */
static void add_soft_fields(syn_page *page, const syn_tissue_run *run, size_t item, syn_report_body *body) {
  const syn_tissue_body *of = &run->bodies[item];
  const size_t steps = run->kept_count;
  const char *motion = page->report.motions[0].name;
  syn_page_add_field(
      page, body, (syn_report_field){"von_mises", "Von Mises stress", "MPa", of->von_mises_mpa, steps, motion, 0, 0});
  syn_page_add_vectors(
      page, body, (syn_report_vectors){"displacement", "Displacement", "mm", of->displacement_mm, steps, motion, true});
  if (any_force(of->contact_n, steps * body->body.surface->vertex_count))
    syn_page_add_vectors(
        page, body, (syn_report_vectors){"contact_force", "Contact force", "N", of->contact_n, steps, motion, false});
}

static void add_scene_body(syn_page *page, const syn_tissue_run *run, size_t number) {
  const syn_scene_item *item = &run->scene->store->items[number];
  const syn_body body = {.name = item->name,
                         .tissue = item->soft ? SYN_TISSUE_CARTILAGE : SYN_TISSUE_BONE,
                         .moves = true,
                         .surface = item->soft ? item->soft->skin : item->surface};
  syn_report_body *added = syn_page_add_body(
      page, (syn_report_body){.body = body, .label = syn_filled_capital(syn_page_text(page, "%s", item->name))});
  if (item->soft) add_soft_fields(page, run, number, added);
}

/* ---- the motion -------------------------------------------------------------------------------------------------- */

#define OF(NAME) .name = #NAME, .offset = offsetof(syn_tissue_step, NAME)
static const syn_page_column quantities[] = {{OF(von_mises_mpa), .label = "Largest von Mises stress", .unit = "MPa"},
                                             {OF(displacement_mm), .label = "Largest displacement", .unit = "mm"},
                                             {OF(depth_mm), .label = "Deepest penetration", .unit = "mm"},
                                             {OF(contact_n), .label = "Contact forces", .unit = "N"},
                                             {OF(elastic_nmm), .label = "Elastic energy", .unit = "N mm"},
                                             {OF(kinetic_nmm), .label = "Kinetic energy", .unit = "N mm"},
                                             {OF(contact_nmm), .label = "Energy of contacts", .unit = "N mm"},
                                             {OF(volume_mm3), .label = "Volume of soft bodies", .unit = "mm³"}};
static const syn_page_column time_column = {OF(time_s), .label = "Time", .unit = "s"};
#undef OF
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

/* Returns whether a value is known at any moment, including those not on the page. */
static bool ever_known(const double *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (isfinite(values[i]) && values[i] != 0) return true;
  return false;
}

/* Adds the curves that have values, and the table of their numbers. */
static syn_status add_curves_and_table(syn_page *page, const syn_tissue_run *run, syn_report_motion *motion,
                                       syn_error *error) {
  const syn_page_rows all = SYN_PAGE_ROWS(run->moments, run->moment_count);
  syn_page_column columns[1 + QUANTITIES] = {time_column};
  size_t count = 1;
  syn_tissue_step *kept;
  SYN_TRY(SYN_TAKE(&page->arena, &kept, run->kept_count, error));
  for (size_t i = 0; i < run->kept_count; ++i) kept[i] = run->moments[run->kept[i]];
  for (size_t i = 0; i < QUANTITIES; ++i) {
    const double *values = syn_page_values(page, &quantities[i], all);
    if (values && ever_known(values, all.count)) columns[count++] = quantities[i];
  }
  const syn_page_rows shown = SYN_PAGE_ROWS(kept, run->kept_count);
  motion->along = syn_page_values(page, &time_column, shown);
  syn_page_add_curves(page, motion, columns + 1, count - 1, shown);
  syn_page_add_rows(page, (syn_report_table){.name = "energy", .title = "Over time"}, columns, count, shown);
  return SYN_OK;
}

static syn_status add_simulated_motion(syn_page *page, const syn_tissue_run *run, syn_error *error) {
  const syn_tissue_scene *scene = run->scene;
  const size_t steps = run->kept_count;
  syn_pose *poses;
  SYN_TRY(SYN_TAKE(&page->arena, &poses, scene->store->item_count * steps, error));
  for (size_t i = 0; i < scene->store->item_count; ++i)
    for (size_t k = 0; k < steps; ++k)
      poses[i * steps + k] = scene->store->items[i].motion
                                 ? syn_scene_motion_at(scene->store->items[i].motion, kept_time(run, k))
                                 : syn_pose_identity();
  syn_report_motion *motion = syn_page_add_motion(page, (syn_report_motion){.name = "simulation",
                                                                            .label = "Simulation",
                                                                            .pose_count = steps,
                                                                            .along_label = "Time",
                                                                            .along_unit = "s",
                                                                            .body_poses = poses});
  return add_curves_and_table(page, run, motion, error);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Returns the moment with the max value of all, including those not on the page. */
static const syn_tissue_step *largest_moment(const syn_tissue_run *run, size_t offset, double *value) {
  const syn_tissue_step *found = NULL;
  for (size_t i = 0; i < run->moment_count; ++i) {
    const double now = *(const double *)(const void *)((const char *)&run->moments[i] + offset);
    if (!isfinite(now) || (found && !(now > *value))) continue;
    found = &run->moments[i];
    *value = now;
  }
  return found;
}
#define LARGEST(RUN, MEMBER, VALUE) largest_moment((RUN), offsetof(syn_tissue_step, MEMBER), (VALUE))

static const char *contact_sentence(syn_page *page, const syn_tissue_run *run) {
  double force = 0, depth = 0;
  const syn_tissue_step *most = LARGEST(run, contact_n, &force), *deepest = LARGEST(run, depth_mm, &depth);
  if (!most || !(force > 0)) return NULL;
  return syn_page_text(
      page, "Contact forces add up to %s N at most, after %.4g s%s.", syn_page_digits(page, force), most->time_s,
      !deepest    ? ""
      : depth > 0 ? syn_page_text(page, "; the deepest penetration is %s mm", syn_page_digits(page, depth))
                  : "; surfaces never cross");
}

static const char *volume_sentence(syn_page *page, const syn_tissue_run *run) {
  const double begin = run->moments[0].volume_mm3;
  double change = 0;
  for (size_t i = 0; i < run->moment_count; ++i) change = fmax(change, fabs(run->moments[i].volume_mm3 / begin - 1));
  if (!(begin > 0) || !isfinite(change)) return NULL;
  return syn_page_text(page, "The volume of the soft bodies stays within %.2g %% of %.5g mm³.", 100 * change, begin);
}

/* Names the quantity "von_mises_mpa": the stress of a vdm body is Sundaraj's, not that of a continuum. */
static const char *stress_name(const syn_tissue_scene *scene) {
  size_t soft = 0, vdm = 0;
  for (size_t i = 0; i < scene->store->item_count; ++i) {
    if (!scene->store->items[i].soft) continue;
    ++soft;
    vdm += strcmp(scene->store->items[i].soft->model->info.name, "vdm") == 0;
  }
  return vdm == 0      ? "von Mises stress"
         : vdm == soft ? "stress at a node (Sundaraj 2004, Eq. 3.29, as one number like von Mises')"
                       : "stress (von Mises; of vdm bodies that of Sundaraj 2004, Eq. 3.29)";
}

static void add_words(syn_page *page, const syn_tissue_run *run) {
  double stress = 0, shift = 0;
  const syn_tissue_step *stressed = LARGEST(run, von_mises_mpa, &stress),
                        *moved = LARGEST(run, displacement_mm, &shift);
  if (stressed)
    syn_page_add_finding(page,
                         syn_page_text(page, "The largest %s is %s MPa, after %.4g s.", stress_name(run->scene),
                                       syn_page_digits(page, stress), stressed->time_s),
                         NULL);
  if (moved)
    syn_page_add_finding(page,
                         syn_page_text(page, "Soft tissue moves by %s mm at most, after %.4g s.",
                                       syn_page_digits(page, shift), moved->time_s),
                         NULL);
  syn_page_add_finding(page, contact_sentence(page, run), NULL);
  syn_page_add_finding(page, volume_sentence(page, run), NULL);
  syn_page_add_run_notes(page);
  if (run->kept_count < run->moment_count)
    syn_page_add_note(page,
                      syn_page_text(page, "%zu of %zu frames are on this page; the files beside it have all.",
                                    run->kept_count, run->moment_count),
                      NULL);
  page->report.subtitle = syn_page_text(page, "%g s in %llu steps, %s", run->duration_s,
                                        (unsigned long long)run->step_count, run->integrator);
}

static syn_status add_body_table(syn_page *page, const syn_tissue_scene *scene, syn_error *error) {
  static const syn_report_column columns[] = {{"name", "Body", "", false},
                                              {"model", "Model", "", false},
                                              {"nodes", "Nodes", "", true},
                                              {"triangles", "Triangles", "", true}};
  const syn_report_table head = {.name = "bodies",
                                 .title = "Bodies",
                                 .columns = columns,
                                 .column_count = sizeof columns / sizeof *columns,
                                 .row_count = scene->store->item_count};
  syn_report_cell *cell;
  SYN_TRY(syn_page_add_table(page, head, &cell, error));
  for (size_t i = 0; i < scene->store->item_count; ++i) {
    const syn_scene_item *item = &scene->store->items[i];
    *cell++ = syn_filled_words(item->name);
    *cell++ = syn_filled_words(item->soft ? item->soft->model->info.name : "rigid");
    *cell++ = syn_filled_number(item->soft ? item->soft->node_count : (double)NAN);
    *cell++ = syn_filled_number(item->surface->triangle_count);
  }
  return SYN_OK;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status add_simulation(syn_page *page, const syn_tissue_run *run, syn_error *error) {
  if (!run->kept_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "this run has kept no fields for a page: run the scene with keep_fields");
  if (!page->report.title) page->report.title = run->scene->name;
  SYN_TRY(add_simulated_motion(page, run, error));
  for (size_t i = 0; i < run->scene->store->item_count; ++i) add_scene_body(page, run, i);
  add_words(page, run);
  return add_body_table(page, run->scene, error);
}

syn_status syn_tissue_page_put(const syn_context *context, const syn_tissue_run *run, const char *scene_file,
                               const char *title, const syn_provenance *provenance, FILE *to, syn_error *error) {
  syn_page page;
  syn_page_open(&page, context, "simulate", title, provenance);
  syn_status status = add_simulation(&page, run, error);
  if (status == SYN_OK && scene_file) status = syn_page_add_input(&page, scene_file, NULL, error);
  status = syn_page_put(&page, status, to, error);
  syn_page_close(&page);
  return status;
}

static syn_status add_run(syn_publication *to, const void *result, syn_error *error) {
  return add_simulation(&to->page, result, error);
}

const syn_published_kind syn_published_simulation = {
    .record = &syn_tissue_run_record, .kind = "simulate", .command = "simulate", .add = add_run};
