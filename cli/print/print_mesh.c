/* Meshes, layers and bodies as text. */
#include <math.h>

#include "print/print.h"

/* ---- a file ------------------------------------------------------------------------------------------------------ */

void cli_print_problems(const cli_session *session, const syn_health_problems *problems) {
  for (size_t i = 0; i < problems->count; ++i) cli_print(session, "  - %s\n", problems->texts[i]);
}

void cli_print_mesh_verdict(const cli_session *session, const syn_mesh_info *info, const char *name) {
  if (syn_health_fit(&info->health))
    cli_print(session, "fit for contact: closed, manifold, oriented outward%s\n",
              info->self_intersections_known ? ", free of self-intersections"
                                             : " (self-intersections were not looked for)");
  else
    cli_print(session, "%s is not fit for contact:\n", name);
  cli_print_problems(session, &info->problems);
}

static void print_tets(const cli_session *session, const syn_mesh_info *info) {
  const syn_tet_quality *q = &info->quality;
  char text[32];
  if (!info->geometry.tet_count) return;
  cli_print(session, "  tetrahedra          %s\n", syn_count_text(info->geometry.tet_count, text));
  cli_print(session, "    volume            %.10g mm³, %zu inverted\n", q->volume_mm3, (size_t)q->inverted);
  cli_print(session, "    quality           worst %.3f, mean %.3f (1 is regular), dihedral angles %.1f° to %.1f°\n",
            q->min_quality, q->mean_quality, q->min_dihedral * SYN_RADIAN, q->max_dihedral * SYN_RADIAN);
}

static void print_health(const cli_session *session, const syn_mesh_info *info) {
  const syn_health *h = &info->health;
  char text[32];
  cli_print(session, "  components          %s\n", syn_count_text(h->components, text));
  cli_print(session, "  closed              %s\n", h->closed ? "yes" : "no");
  cli_print(session, "  manifold            %s\n", h->manifold ? "yes" : "no");
  cli_print(session, "  oriented            %s%s\n", h->oriented ? "yes" : "no",
            !h->oriented ? ""
            : h->outward ? ", outward"
            : h->closed  ? ", inward"
                         : "");
  if (h->genus >= 0) cli_print(session, "  handles (genus)     %s\n", syn_count_text((uint64_t)h->genus, text));
  if (h->self_intersections_stopped)
    cli_print(session, "  self-intersections  %zu or more (counting stopped)\n", (size_t)h->self_intersections);
  else if (info->self_intersections_known)
    cli_print(session, "  self-intersections  %s\n", syn_count_text(h->self_intersections, text));
}

static void print_measures(const cli_session *session, const syn_mesh_info *info) {
  const syn_vec3 low = info->bounds.min, high = info->bounds.max;
  const double size[] = {high.x - low.x, high.y - low.y, high.z - low.z};
  cli_print(session, "  area                %.10g mm²\n", info->mass.area_mm2);
  if (info->health.closed && info->health.oriented)
    cli_print(session, "  volume              %.10g mm³\n", info->mass.volume_mm3);
  else
    cli_print(session, "  volume              none: the surface encloses nothing\n");
  if (low.x > high.x) return;
  cli_print(session, "  bounds              %.6g, %.6g, %.6g to %.6g, %.6g, %.6g\n", low.x, low.y, low.z, high.x,
            high.y, high.z);
  cli_print(session, "  size                %.4g × %.4g × %.4g mm%s\n", size[0], size[1], size[2],
            fmax(size[0], fmax(size[1], size[2])) < 2 ? " (so small: a file in metres? then add --units m)" : "");
}

void cli_print_mesh_info(const cli_session *session, const syn_mesh_info *info) {
  const syn_geometry *g = &info->geometry;
  const bool has_space = g->space != SYN_SPACE_UNKNOWN;
  char text[32];
  cli_print(session, "%s (%s%s%s)\n", info->path, g->format ? g->format : "mesh", has_space ? ", " : "",
            has_space ? syn_space_name(g->space) : "");
  cli_print(session, "  vertices            %s\n", syn_count_text(info->vertex_count, text));
  cli_print(session, "  %s  %s\n", g->triangle_count ? "triangles         " : "surface triangles ",
            syn_count_text(info->triangle_count, text));
  print_tets(session, info);
  print_health(session, info);
  print_measures(session, info);
  for (size_t i = 0; i < g->field_count; ++i) cli_print(session, "  field               %s\n", g->fields[i].name);
  cli_print_mesh_verdict(session, info, "this mesh");
}

/* ---- what was written -------------------------------------------------------------------------------------------- */

void cli_print_geometry(const cli_session *session, const syn_geometry *geometry) {
  char text[32];
  cli_print(session, "%s vertices", syn_count_text(geometry->point_count, text));
  if (geometry->triangle_count) cli_print(session, ", %s triangles", syn_count_text(geometry->triangle_count, text));
  if (geometry->tet_count) cli_print(session, ", %s tetrahedra", syn_count_text(geometry->tet_count, text));
  cli_print(session, "\n");
}

void cli_print_tet_quality(const cli_session *session, const syn_tet_quality *quality) {
  cli_print(session, "%.6f mm³, worst quality %.3f, mean %.3f (1 is regular)\n", quality->volume_mm3,
            quality->min_quality, quality->mean_quality);
}

void cli_print_bodies(const cli_session *session, const syn_body *bodies, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const syn_body *b = &bodies[i];
    char vertices[32], elements[32];
    const uint32_t vertex_count = b->volume ? b->volume->vertex_count : b->surface ? b->surface->vertex_count : 0;
    const uint32_t element_count = b->volume ? b->volume->tet_count : b->surface ? b->surface->triangle_count : 0;
    cli_print(session, "%-24s %9s vertices %9s %s\n", b->name, syn_count_text(vertex_count, vertices),
              syn_count_text(element_count, elements), b->volume ? "tetrahedra" : "triangles");
  }
}

void cli_print_layer(const cli_session *session, const syn_layer *layer) {
  const syn_layer_quality *q = &layer->quality;
  cli_print(session, "%s: %zu hexahedra, %zu nodes, %zu faces\n  %s\n", layer->moves ? "Head" : "Socket",
            (size_t)layer->element_count, (size_t)layer->node_count, (size_t)layer->face_count, layer->note);
  cli_print(session, "  thickness %.2f mm (%.2f to %.2f), area %.0f mm²", q->thickness_mm, q->least_thickness_mm,
            q->greatest_thickness_mm, q->area_mm2);
  if (layer->region_count > 1)
    cli_print(session, ": cartilage %.0f, transition zone %.0f, labrum %.0f", q->region_area_mm2[0],
              q->region_area_mm2[1], q->region_area_mm2[2]);
  cli_print(session, "\n  least scaled Jacobian %.2f, aspect up to %.1f, %zu inverted\n", q->least_jacobian,
            q->worst_aspect, (size_t)q->inverted);
  if (layer->smoothed_mm > 0) cli_print(session, "  smoothing moved the bone by %.2f mm (rms)\n", layer->smoothed_mm);
  if (layer->filled) cli_print(session, "  %zu columns filled from their neighbours\n", (size_t)layer->filled);
  if (layer->thickened)
    cli_print(session, "  %zu columns made thicker, by up to %.2f mm\n", (size_t)layer->thickened,
              layer->thickest_added_mm);
  if (layer->parted)
    cli_print(session, "  %zu columns parted: cartilages overlap by up to %.2f mm\n", (size_t)layer->parted,
              layer->overlap_mm);
}
