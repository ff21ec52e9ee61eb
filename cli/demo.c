/* demo: a hip with a cam, made, checked, written in several formats and reported. */
#include "demo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh.h"
#include "shape_files.h"

/* Clearly a cam (alpha above 60), with a socket of ordinary depth. */
static const syn_shape_value cam_hip[] = {{"ce", 25}, {"alpha", 70}};

static const unsigned char *color_of(const syn_shape_body *body) {
  static const unsigned char moving_bone[] = {240, 219, 184}, bone[] = {222, 226, 230}, cartilage[] = {110, 178, 214},
                             labrum[] = {226, 120, 96}, other[] = {190, 160, 205};
  switch (body->tissue) {
  case SYN_TISSUE_BONE: return body->moves ? moving_bone : bone;
  case SYN_TISSUE_CARTILAGE: return cartilage;
  case SYN_TISSUE_LABRUM: return labrum;
  default: return other;
  }
}

/* Standing to sitting is one rotation vector in degrees about the axes of flexion, adduction and internal rotation, in
 * equal steps (seed A, 4.3.2). */
static void make_motion(demo *d) {
  const double degrees[3] = {59.6, 13.6, 10.9};
  const syn_shape_joint *joint = &d->shape.joint;
  syn_vec3 turn = vec3_scale(joint->flexion, degrees[0]);
  turn = vec3_madd(turn, degrees[1], joint->adduction);
  turn = vec3_madd(turn, degrees[2], joint->rotation);
  const double angle = vec3_length(turn) * SYN_PI / 180;
  for (int i = 0; i <= DEMO_STEPS; ++i) d->motion[i] = syn_pose_about_axis(joint->center, turn, angle * i / DEMO_STEPS);
}

static syn_status check_bodies(demo *d, syn_error *error) {
  const syn_check_options options = syn_default_check_options();
  d->fit = true;
  for (uint32_t i = 0; i < d->shape.body_count; ++i) {
    demo_body *b = &d->bodies[i];
    b->body = &d->shape.bodies[i];
    memcpy(b->color, color_of(b->body), sizeof b->color);
    SYN_TRY(syn_trimesh_check(b->body->surface, &options, &b->health, error));
    b->mass = syn_trimesh_mass(b->body->surface);
    d->fit = d->fit && cli_fit(&b->health);
  }
  return SYN_OK;
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

/* All bodies as one mesh; the field tells them apart in ParaView. */
static syn_status write_vtp(cli_session *session, const demo *d, const char *path, syn_error *error) {
  const syn_trimesh *meshes[SYN_SHAPE_BODIES];
  for (uint32_t i = 0; i < d->shape.body_count; ++i) meshes[i] = d->shape.bodies[i].surface;
  syn_trimesh *all;
  SYN_TRY(syn_trimesh_merge(&session->context, meshes, d->shape.body_count, &all, error));
  double *numbers = NULL;
  syn_status status = SYN_NEW(&session->context, &numbers, all->triangle_count, error);
  if (status == SYN_OK) {
    size_t at = 0;
    for (uint32_t i = 0; i < d->shape.body_count; ++i)
      for (uint32_t t = 0; t < meshes[i]->triangle_count; ++t) numbers[at++] = i;
    const syn_field field = {"body", SYN_ON_TRIANGLES, 1, numbers};
    syn_geometry geometry = syn_trimesh_geometry(all);
    geometry.field_count = 1;
    geometry.fields = &field;
    status = cli_write(session, &geometry, path, NULL, error);
  }
  syn_free(&session->context, numbers);
  syn_trimesh_destroy(all);
  return status;
}

/* glTF wants linear colours. */
static float linear(unsigned char srgb) { return (float)pow(srgb / 255.0, 2.2); }

static syn_status write_glb(cli_session *session, const demo *d, const char *path, syn_error *error) {
  syn_scene_body bodies[SYN_SHAPE_BODIES];
  double times[DEMO_STEPS + 1];
  for (int i = 0; i <= DEMO_STEPS; ++i) times[i] = i / 10.0;
  for (uint32_t i = 0; i < d->shape.body_count; ++i) {
    const demo_body *b = &d->bodies[i];
    bodies[i] = (syn_scene_body){.name = b->body->name,
                                 .mesh = b->body->surface,
                                 .color = {linear(b->color[0]), linear(b->color[1]), linear(b->color[2]), 1},
                                 .keyframes = b->body->moves ? d->motion : NULL};
  }
  const syn_scene scene = {"hip", bodies, d->shape.body_count, times, DEMO_STEPS + 1};
  SYN_TRY(syn_write_glb(&session->context, &scene, path, error));
  cli_made(session, path);
  return SYN_OK;
}

static syn_status write_report(cli_session *session, const demo *d, const char *path, syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(&session->context, path, &output, error));
  const syn_status status = demo_write_report(d, output.stream, &session->context, error);
  if (status != SYN_OK) {
    syn_output_discard(&output);
    return status;
  }
  SYN_TRY(syn_output_commit(&output, error));
  cli_made(session, path);
  return SYN_OK;
}

static syn_status write_in_folder(cli_session *session, const demo *d, const char *folder, const char *name,
                                  syn_status (*write)(cli_session *, const demo *, const char *, syn_error *),
                                  syn_error *error) {
  char *path = cli_path(folder, name);
  const syn_status status = write(session, d, path, error);
  free(path);
  return status;
}

static syn_status write_all(cli_session *session, const demo *d, const char *folder, syn_error *error) {
  SYN_TRY(cli_make_folder(session, folder, error));
  SYN_TRY(cli_write_shape(session, &d->shape, "cam hip", folder, NULL, error));
  SYN_TRY(write_in_folder(session, d, folder, "hip.vtp", write_vtp, error));
  SYN_TRY(write_in_folder(session, d, folder, "hip.glb", write_glb, error));
  return write_in_folder(session, d, folder, "report.html", write_report, error);
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static void tell(cli_session *session, const demo *d, const char *folder) {
  json_t *bodies = json_array();
  cli_print(session, "A right hip with a cam (CE 25°, alpha 70°):\n");
  for (uint32_t i = 0; i < d->shape.body_count; ++i) {
    const demo_body *b = &d->bodies[i];
    char triangles[32];
    json_t *value = json_object();
    json_object_set_new(value, "name", json_string(b->body->name));
    json_object_set_new(value, "vertices", json_integer(b->body->surface->vertex_count));
    json_object_set_new(value, "triangles", json_integer(b->body->surface->triangle_count));
    json_object_set_new(value, "fit", json_boolean(cli_fit(&b->health)));
    json_object_set_new(value, "problems", cli_problems(&b->health));
    json_object_set_new(value, "volume_mm3", cli_real(b->mass.volume_mm3));
    json_object_set_new(value, "area_mm2", cli_real(b->mass.area_mm2));
    json_array_append_new(bodies, value);
    cli_print(session, "  %-22s %8s triangles  %s\n", b->body->name,
              cli_count(b->body->surface->triangle_count, triangles),
              cli_fit(&b->health) ? "closed, no self-intersections" : "NOT SOUND");
  }
  char *report = cli_path(folder, "report.html");
  cli_set(session, "report", cli_string(report));
  cli_set(session, "bodies", bodies);
  cli_set_files(session);
  cli_print(session,
            "\nThe report is %s: open it in a browser.\n"
            "Next: hip.glb in any 3D viewer shows it move, hip.vtp is for ParaView, and\n"
            "      synovia mesh info FILE tells the same about a mesh of your own.\n",
            report);
  free(report);
}

static syn_status run(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", "demo-output");
  demo d = {.info = syn_shape_find("hip"), .values = cam_hip, .value_count = sizeof cam_hip / sizeof *cam_hip};
  SYN_TRY(syn_shape_make(&session->context, "hip", d.values, d.value_count, &d.shape, error));
  make_motion(&d);
  syn_status status = check_bodies(&d, error);
  if (status == SYN_OK) status = write_all(session, &d, folder, error);
  if (status == SYN_OK) {
    tell(session, &d, folder);
    session->answer_is_no = !d.fit;
  }
  syn_shape_release(&d.shape);
  return status;
}

static const cli_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .value = "DIR",
     .standard = "demo-output",
     .help = "folder for the files"},
};

const cli_command cli_demo = {
    .name = "demo",
    .summary = "make an example hip with a cam, check it and write a report",
    .usage = {"[-o DIR]"},
    .description =
        "Writes a mesh per body (PLY), joint.json, hip.vtp for ParaView, hip.glb with the motion from standing "
        "to sitting, and report.html, a page that needs nothing but a browser. No other input is needed.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
