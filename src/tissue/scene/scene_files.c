/* Writes the files of a run: meshes with fields for each frame, their lists for ParaView, and a table of energies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/outbox.h"
#include "base/text.h"
#include "base/vec.h"
#include "tissue/scene/scene.h"
#include "tissue/soft.h"

enum { LONGEST_NAME = SYN_LONGEST_PATH };

/* Nodes that are the vertices of the body's tetrahedra, in their order, are written with them. */
static bool shows_volume(const syn_scene_item *item) {
  return item->soft && item->volume && item->volume->vertex_count == syn_soft_node_count(item->soft);
}

static void frame_path(const syn_scene_item *item, const char *folder, size_t frame, char path[LONGEST_NAME]) {
  snprintf(path, LONGEST_NAME, "%s/%s_%04zu.%s", folder, item->name, frame, shows_volume(item) ? "vtu" : "vtp");
}

/* Files without another title have that of the scene. */
static syn_context named(const syn_tissue_scene *scene) {
  syn_context context = *syn_context_or_default(scene->store->context);
  if (!context.title && scene->name && scene->name[0]) context.title = scene->name;
  return context;
}

/* ---- one frame ------------------------------------------------------------------------------------------------------
 */

/* Fields at nodes, or at vertices of the skin: displacement, velocity, contact force, von Mises stress. */
typedef struct frame_fields {
  syn_vec3 *points, *displacement, *velocity, *contact;
  double *von_mises;
} frame_fields;

static syn_status take_fields(syn_arena *arena, size_t count, frame_fields *f, syn_error *error) {
  syn_vec3 **const vectors[] = {&f->points, &f->displacement, &f->velocity, &f->contact};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) SYN_TRY(SYN_TAKE(arena, vectors[i], count, error));
  return SYN_TAKE(arena, &f->von_mises, count, error);
}

static syn_status node_fields(const syn_tissue_scene *scene, const syn_scene_item *item, syn_arena *arena,
                              frame_fields *f, syn_sym3 **stress, syn_error *error) {
  const uint32_t count = syn_soft_node_count(item->soft);
  const syn_vec3 *x = syn_simulation_positions(scene->simulation, item->body), *rest = syn_soft_rest(item->soft);
  const bool still = scene->integrator == SYN_INTEGRATOR_STATIC;
  SYN_TRY(take_fields(arena, count, f, error));
  SYN_TRY(SYN_TAKE(arena, stress, count, error));
  memcpy(f->points, x, count * sizeof *x);
  memcpy(f->velocity, syn_simulation_velocities(scene->simulation, item->body), count * sizeof *x);
  syn_simulation_forces(scene->simulation, item->body, f->contact, NULL);
  syn_soft_stress(item->soft, x, still ? NULL : f->velocity, *stress, NULL);
  for (uint32_t i = 0; i < count; ++i) {
    f->displacement[i] = vec3_sub(x[i], rest[i]);
    f->von_mises[i] = syn_sym3_von_mises(&(*stress)[i]);
  }
  return SYN_OK;
}

static syn_vec3 weighted(const syn_soft *soft, uint32_t vertex, const syn_vec3 *values) {
  syn_vec3 sum = {0};
  for (uint32_t k = soft->skin_start[vertex]; k < soft->skin_start[vertex + 1]; ++k)
    sum = vec3_madd(sum, soft->skin_weights[k], values[soft->skin_nodes[k]]);
  return sum;
}

/* Interpolates the fields to the vertices of the skin. */
static syn_status skin_fields(const syn_scene_item *item, syn_arena *arena, const frame_fields *nodes,
                              const syn_sym3 *stress, frame_fields *f, syn_error *error) {
  const uint32_t count = item->soft->skin->vertex_count;
  syn_sym3 *on_skin;
  SYN_TRY(take_fields(arena, count, f, error));
  SYN_TRY(SYN_TAKE(arena, &on_skin, count, error));
  syn_soft_skin_points(item->soft, nodes->points, f->points);
  syn_soft_skin_values(item->soft, stress, on_skin);
  for (uint32_t i = 0; i < count; ++i) {
    f->displacement[i] = vec3_sub(f->points[i], item->soft->skin->vertices[i]);
    f->velocity[i] = weighted(item->soft, i, nodes->velocity);
    f->contact[i] = weighted(item->soft, i, nodes->contact);
    f->von_mises[i] = syn_sym3_von_mises(&on_skin[i]);
  }
  return SYN_OK;
}

/* Converts the fields to those of a file. */
static syn_status soft_fields(const syn_tissue_scene *scene, const syn_scene_item *item, syn_arena *arena,
                              frame_fields *f, syn_error *error) {
  syn_sym3 *stress;
  SYN_TRY(node_fields(scene, item, arena, f, &stress, error));
  if (shows_volume(item)) return SYN_OK;
  const frame_fields nodes = *f;
  return skin_fields(item, arena, &nodes, stress, f, error);
}

static syn_status write_soft(const syn_tissue_scene *scene, const syn_scene_item *item, const char *path,
                             syn_arena *arena, syn_error *error) {
  frame_fields f;
  SYN_TRY(soft_fields(scene, item, arena, &f, error));
  const syn_field fields[] = {{"displacement_mm", SYN_ON_POINTS, 3, &f.displacement[0].x},
                              {"velocity_mm_s", SYN_ON_POINTS, 3, &f.velocity[0].x},
                              {"contact_force_n", SYN_ON_POINTS, 3, &f.contact[0].x},
                              {"von_mises_mpa", SYN_ON_POINTS, 1, f.von_mises}};
  syn_geometry geometry =
      shows_volume(item) ? syn_tetmesh_geometry(item->volume) : syn_trimesh_geometry(item->soft->skin);
  geometry.points = f.points;
  geometry.fields = fields;
  geometry.field_count = sizeof fields / sizeof *fields;
  return syn_geometry_write(arena->context, &geometry, path, NULL, error);
}

static syn_status write_rigid(const syn_tissue_scene *scene, const syn_scene_item *item, const char *path,
                              syn_arena *arena, syn_error *error) {
  const syn_pose pose = syn_simulation_pose(scene->simulation, item->body);
  syn_vec3 *points;
  SYN_TRY(SYN_TAKE(arena, &points, item->surface->vertex_count, error));
  for (uint32_t i = 0; i < item->surface->vertex_count; ++i)
    points[i] = syn_pose_point(&pose, item->surface->vertices[i]);
  syn_geometry geometry = syn_trimesh_geometry(item->surface);
  geometry.points = points;
  return syn_geometry_write(arena->context, &geometry, path, NULL, error);
}

syn_status syn_scene_write_frame(const syn_tissue_scene *scene, const char *folder, size_t frame, syn_error *error) {
  const syn_context context = named(scene);
  for (size_t i = 0; i < scene->store->item_count; ++i) {
    const syn_scene_item *item = &scene->store->items[i];
    syn_arena arena = {.context = &context};
    char path[LONGEST_NAME];
    frame_path(item, folder, frame, path);
    const syn_status status =
        item->soft ? write_soft(scene, item, path, &arena, error) : write_rigid(scene, item, path, &arena, error);
    syn_arena_release(&arena);
    SYN_TRY(status);
  }
  return SYN_OK;
}

/* ---- fields on the skin ---------------------------------------------------------------------------------------------
 */

static double weighted_number(const syn_soft *soft, uint32_t vertex, const double *values) {
  double sum = 0;
  for (uint32_t k = soft->skin_start[vertex]; k < soft->skin_start[vertex + 1]; ++k)
    sum += soft->skin_weights[k] * values[soft->skin_nodes[k]];
  return sum;
}

/* Moves the fields of a file to the skin: from the nodes of the volume, or unchanged. */
static void put_on_skin(const syn_scene_item *item, const syn_vec3 *moved, const syn_vec3 *contact,
                        const double *stress, const syn_scene_frame *found) {
  const syn_soft *soft = item->soft;
  const bool volume = shows_volume(item);
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i) {
    found->displacement[i] = volume ? weighted(soft, i, moved) : moved[i];
    found->contact_n[i] = volume ? weighted(soft, i, contact) : contact[i];
    found->von_mises_mpa[i] = volume ? weighted_number(soft, i, stress) : stress[i];
  }
}

syn_status syn_scene_find_frame(const syn_tissue_scene *scene, const syn_scene_item *item, const syn_scene_frame *found,
                                syn_error *error) {
  syn_arena arena = {.context = scene->store->context};
  frame_fields f;
  const syn_status status = soft_fields(scene, item, &arena, &f, error);
  if (status == SYN_OK) put_on_skin(item, f.displacement, f.contact, f.von_mises, found);
  syn_arena_release(&arena);
  return status;
}

/* ---- a frame read back ----------------------------------------------------------------------------------------------
 */

static const double *values_named(const syn_geometry *geometry, const char *name, size_t components) {
  for (size_t i = 0; i < geometry->field_count; ++i)
    if (strcmp(geometry->fields[i].name, name) == 0 && geometry->fields[i].components == components)
      return geometry->fields[i].values;
  return NULL;
}

static syn_status take_frame(const syn_scene_item *item, const syn_geometry *geometry, const char *path,
                             const syn_scene_frame *read, syn_error *error) {
  const syn_soft *soft = item->soft;
  const size_t count = shows_volume(item) ? soft->node_count : soft->skin->vertex_count;
  const syn_vec3 *moved = (const syn_vec3 *)(const void *)values_named(geometry, "displacement_mm", 3),
                 *contact = (const syn_vec3 *)(const void *)values_named(geometry, "contact_force_n", 3);
  const double *stress = values_named(geometry, "von_mises_mpa", 1);
  if (!moved || !contact || !stress || geometry->point_count != count)
    return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                       "this is not the frame that the simulation wrote; run it again with --restart");
  put_on_skin(item, moved, contact, stress, read);
  return SYN_OK;
}

syn_status syn_scene_read_frame(const syn_tissue_scene *scene, const syn_scene_item *item, const char *folder,
                                size_t frame, const syn_scene_frame *read, syn_error *error) {
  char path[LONGEST_NAME];
  syn_geometry geometry;
  frame_path(item, folder, frame, path);
  syn_read_options as_written = syn_default_read_options();
  as_written.weld = false; /* fields are indexed by vertex */
  SYN_TRY(syn_geometry_read(scene->store->context, path, &as_written, &geometry, error));
  const syn_status status = take_frame(item, &geometry, path, read, error);
  syn_geometry_free(scene->store->context, &geometry);
  return status;
}

/* ---- lists ----------------------------------------------------------------------------------------------------------
 */

static syn_status write_pvd(const syn_scene_item *item, const char *folder, const double *times, size_t count,
                            syn_arena *arena, syn_outbox *outbox, syn_error *error) {
  const char **files;
  SYN_TRY(SYN_TAKE(arena, &files, count, error));
  for (size_t i = 0; i < count; ++i) {
    char path[LONGEST_NAME], *copy;
    frame_path(item, folder, i, path);
    SYN_TRY(syn_arena_text(arena, path, strlen(path), &copy, error));
    files[i] = copy;
  }
  char list[LONGEST_NAME];
  snprintf(list, sizeof list, "%s/%s.pvd", folder, item->name);
  SYN_TRY(syn_pvd_write(arena->context, list, times, files, count, error));
  return syn_outbox_add(outbox, list, error);
}

static void put_number(FILE *stream, double value, const char *ending) {
  char text[32];
  fprintf(stream, "%s%s", isnan(value) ? "" : syn_format_double(value, text), ending);
}

static syn_status write_table(const syn_context *context, const char *folder, const syn_tissue_step *moments,
                              size_t count, syn_outbox *outbox, syn_error *error) {
  char path[LONGEST_NAME];
  syn_output out;
  snprintf(path, sizeof path, "%s/energy.csv", folder);
  SYN_TRY(syn_output_open(context, path, &out, error));
  fprintf(out.stream, "time_s,kinetic_nmm,elastic_nmm,contact_nmm,volume_mm3,displacement_mm,von_mises_mpa,contact_n,"
                      "touching,depth_mm,iterations");
  syn_csv_end(context, out.stream, true);
  for (size_t i = 0; i < count; ++i) {
    const syn_tissue_step *m = &moments[i];
    const double numbers[] = {m->time_s,          m->kinetic_nmm,   m->elastic_nmm, m->contact_nmm, m->volume_mm3,
                              m->displacement_mm, m->von_mises_mpa, m->contact_n,   m->touching,    m->depth_mm};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) put_number(out.stream, numbers[k], ",");
    put_number(out.stream, m->iterations, "");
    syn_csv_end(context, out.stream, false);
  }
  SYN_TRY(syn_output_commit(&out, error));
  return syn_outbox_add(outbox, path, error);
}

syn_status syn_scene_stage_lists(const syn_tissue_scene *scene, const char *folder, const syn_tissue_step *moments,
                                 size_t count, syn_outbox *outbox, syn_error *error) {
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  const syn_context context = named(scene);
  syn_arena arena = {.context = &context};
  double *times;
  syn_status status = SYN_TAKE(&arena, &times, count, error);
  for (size_t i = 0; !status && i < count; ++i) times[i] = moments[i].time_s;
  for (size_t i = 0; !status && i < scene->store->item_count; ++i)
    status = write_pvd(&scene->store->items[i], hidden, times, count, &arena, outbox, error);
  syn_arena_release(&arena);
  return status ? status : write_table(&context, hidden, moments, count, outbox, error);
}
