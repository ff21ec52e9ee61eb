/* mesh info and mesh check: what a file holds, and whether it is sound. */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "base/vec.h"
#include "mesh.h"

static syn_status inspect(cli_session *session, syn_mesh_info *info, syn_error *error) {
  syn_check_options checking = syn_default_check_options();
  checking.self_intersections = !cli_given(&session->arguments, "no-self-intersections");
  return syn_mesh_info_read(&session->context, session->arguments.operands[0], &session->reading, &checking, info,
                            error);
}

static void print_row(const cli_session *session, const char *label, const char *text) {
  cli_print(session, "  %-20s%s\n", label, text);
}

static void print_count(const cli_session *session, const char *label, uint64_t count) {
  char text[32];
  print_row(session, label, syn_count_words(count, text));
}

static void print_tets(const cli_session *session, const syn_mesh_info *info) {
  const syn_tet_quality *q = &info->quality;
  const double degrees = 180 / SYN_PI;
  char text[160];
  print_count(session, "tetrahedra", info->geometry.tet_count);
  snprintf(text, sizeof text, "%.10g mm³, %u inverted", q->volume_mm3, q->inverted);
  print_row(session, "  volume", text);
  snprintf(text, sizeof text, "worst %.3f, mean %.3f (1 is regular), dihedral angles %.1f° to %.1f°", q->min_quality,
           q->mean_quality, q->min_dihedral * degrees, q->max_dihedral * degrees);
  print_row(session, "  quality", text);
}

static void print_bounds(const cli_session *session, const syn_box *b) {
  char text[200];
  if (!(b->min.x <= b->max.x)) return;
  snprintf(text, sizeof text, "%.6g, %.6g, %.6g to %.6g, %.6g, %.6g", b->min.x, b->min.y, b->min.z, b->max.x, b->max.y,
           b->max.z);
  print_row(session, "bounds", text);
  const syn_vec3 size = vec3_sub(b->max, b->min);
  snprintf(text, sizeof text, "%.4g × %.4g × %.4g mm%s", size.x, size.y, size.z,
           fmax(size.x, fmax(size.y, size.z)) < 2 ? " (so small: a file in metres? then add --units m)" : "");
  print_row(session, "size", text);
}

static void print_verdict(const cli_session *session, const syn_mesh_info *info, const char *name) {
  if (syn_health_fit(&info->health))
    cli_print(session, "fit for contact: closed, manifold, oriented outward%s\n",
              info->self_intersections_known ? ", free of self-intersections"
                                             : " (self-intersections were not looked for)");
  else
    cli_print(session, "%s is not fit for contact:\n", name);
  cli_print_problems(session, &info->problems);
}

static void print_health(const cli_session *session, const syn_mesh_info *info) {
  const syn_health *h = &info->health;
  char text[64];
  print_count(session, "components", h->components);
  print_row(session, "closed", h->closed ? "yes" : "no");
  print_row(session, "manifold", h->manifold ? "yes" : "no");
  print_row(session, "oriented", !h->oriented ? "no" : h->outward ? "yes, outward" : h->closed ? "yes, inward" : "yes");
  if (h->genus >= 0) print_count(session, "handles (genus)", (uint64_t)h->genus);
  if (h->self_intersections_stopped) {
    snprintf(text, sizeof text, "%llu or more (counting stopped)", (unsigned long long)h->self_intersections);
    print_row(session, "self-intersections", text);
  } else if (info->self_intersections_known) {
    print_count(session, "self-intersections", h->self_intersections);
  }
}

static void print_info(const cli_session *session, const syn_mesh_info *info) {
  const syn_geometry *g = &info->geometry;
  const bool has_space = g->space != SYN_SPACE_UNKNOWN;
  char text[64];
  cli_print(session, "%s (%s%s%s)\n", info->path, g->format ? g->format : "mesh", has_space ? ", " : "",
            has_space ? syn_space_name(g->space) : "");
  print_count(session, "vertices", info->vertex_count);
  print_count(session, g->triangle_count ? "triangles" : "surface triangles", info->triangle_count);
  if (g->tet_count) print_tets(session, info);
  print_health(session, info);
  snprintf(text, sizeof text, "%.10g mm²", info->mass.area_mm2);
  print_row(session, "area", text);
  snprintf(text, sizeof text, "%.10g mm³", info->mass.volume_mm3);
  print_row(session, "volume",
            info->health.closed && info->health.oriented ? text : "none: the surface encloses nothing");
  print_bounds(session, &info->bounds);
  for (size_t i = 0; i < g->field_count; ++i) print_row(session, "field", g->fields[i].name);
  print_verdict(session, info, "this mesh");
}

static syn_status run_info(cli_session *session, syn_error *error) {
  syn_mesh_info info;
  SYN_TRY(inspect(session, &info, error));
  cli_set_fields(session, &syn_mesh_info_record, &info);
  print_info(session, &info);
  syn_mesh_info_release(&session->context, &info);
  return SYN_OK;
}

static syn_status run_check(cli_session *session, syn_error *error) {
  syn_mesh_info info;
  SYN_TRY(inspect(session, &info, error));
  cli_set_fields(session, &syn_mesh_health_record, &info);
  cli_print(session, "%s: ", info.path);
  print_verdict(session, &info, "it");
  session->answer_is_no = !syn_health_fit(&info.health);
  syn_mesh_info_release(&session->context, &info);
  return SYN_OK;
}

static const cli_option options[] = {
    {.name = "no-self-intersections",
     .kind = CLI_FLAG,
     .help = "do not look for triangles that cut through each other, which takes the most time"},
};

const cli_command cli_mesh_info = {
    .name = "mesh info",
    .summary = "counts, health and measures of a mesh file",
    .usage = {"FILE [--no-self-intersections]"},
    .description =
        "Reads any mesh format and says what is in it: counts, whether the surface is closed, manifold and oriented, "
        "what is wrong with it, area, volume and bounds. The exit code is 0 whenever the file could be read; `synovia "
        "mesh check` is the same question with a yes or no.\n\nA file of tetrahedra is answered with its surface and "
        "the quality of its elements. Vertices of a surface are the points in use; `points` counts all of them. The "
        "volume is that "
        "of a closed, oriented surface; otherwise there is none "
        "(null).",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_info,
};

const cli_command cli_mesh_check = {
    .name = "mesh check",
    .summary = "is a mesh fit for contact? exit code 1 when it is not",
    .usage = {"FILE [--no-self-intersections]"},
    .description = "Fit means closed, manifold, oriented outward and free of self-intersections.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_check,
};
