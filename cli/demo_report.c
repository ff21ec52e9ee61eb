/* The demo's report: one HTML file with its pictures inside, readable in light, dark and on paper. */
#include <string.h>

#include "base/status.h"
#include "base/vec.h"
#include "demo.h"
#include "mesh.h"
#include "report/svg_view.h"

static const char style[] =
    ":root{color-scheme:light "
    "dark;--page:#fbfaf8;--ink:#1f2328;--soft:#5d6670;--line:#dfe2e6;--card:#fff;--good:#1a7f4b;"
    "--bad:#b3261e}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--page:#14171b;--ink:#e6e8ea;--soft:#9aa4af;--line:#2c3238;--card:#1b1f24;"
    "--good:#5cc98d;--bad:#ff8a80}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,"
    "'DejaVu Sans',sans-serif}\n"
    "main{max-width:68rem;margin:0 auto;padding:2.5rem 1.25rem 3rem}\n"
    "h1{font-size:2rem;line-height:1.2;margin:0 0 .4rem;letter-spacing:-.01em}\n"
    "h2{font-size:1.15rem;margin:2.6rem 0 .8rem}\n"
    ".lead{color:var(--soft);margin:0;max-width:46rem}\n"
    ".views{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem;margin-top:1.8rem}\n"
    "figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem}\n"
    "figure svg{width:100%;height:auto;aspect-ratio:1}\n"
    "figcaption{color:var(--soft);font-size:.9rem;margin-top:.6rem;text-align:center}\n"
    ".scroll{overflow-x:auto;border:1px solid var(--line);border-radius:12px;background:var(--card)}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.55rem .9rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "tr:last-child td{border-bottom:0}\n"
    "th{font-weight:600;font-size:.85rem;color:var(--soft);white-space:nowrap}\n"
    "td:first-child{white-space:nowrap}\n"
    "td.n,th.n{text-align:right;white-space:nowrap}\n"
    "tr.set td:nth-child(-n+2){font-weight:700}\n"
    ".note{color:var(--soft);font-size:.9rem;margin:.5rem 0 0}\n"
    ".dot{display:inline-block;width:.8em;height:.8em;border-radius:50%;margin-right:.5em;border:1px solid var(--line);"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:600}\n"
    "code{font:.92em ui-monospace,'DejaVu Sans Mono',monospace}\n"
    "footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}\n"
    "@media (max-width:44rem){.views{grid-template-columns:1fr}}\n"
    "@media print{:root{--page:#fff;--ink:#000;--card:#fff}main{padding:0;max-width:none}"
    "h2{break-after:avoid}figure,tr{break-inside:avoid}}\n";

static void put_text(FILE *to, const char *text) {
  for (; *text; ++text) switch (*text) {
    case '<': fputs("&lt;", to); break;
    case '>': fputs("&gt;", to); break;
    case '&': fputs("&amp;", to); break;
    case '"': fputs("&quot;", to); break;
    default: fputc(*text, to);
    }
}

/* ---- pictures -----------------------------------------------------------------------------------------------------
 */

typedef struct shown {
  syn_svg_view view;
  const syn_pose *pose; /* of the moving bodies */
  const char *caption;
} shown;

static void place_bodies(const demo *d, const syn_pose *pose, syn_svg_body *bodies) {
  for (uint32_t i = 0; i < d->shape.body_count; ++i) {
    const demo_body *b = &d->bodies[i];
    bodies[i] = (syn_svg_body){
        b->body->surface, b->body->moves ? *pose : syn_pose_identity(), {b->color[0], b->color[1], b->color[2]}};
  }
}

/* Seen from the front the patient's right is on the left of the picture; from the side the front is on the right. */
static syn_status put_views(const demo *d, FILE *to, const syn_context *context, syn_error *error) {
  const syn_shape_joint *joint = &d->shape.joint;
  const syn_vec3 to_right = joint->flexion, forward = joint->adduction, up = joint->rotation;
  const syn_svg_view front = {vec3_neg(to_right), up, forward}, side = {forward, up, to_right};
  const shown pictures[] = {{front, &d->motion[0], "Standing, from the front"},
                            {side, &d->motion[0], "Standing, from the right side"},
                            {side, &d->motion[DEMO_STEPS], "Sitting, from the right side"}};
  enum { PICTURES = sizeof pictures / sizeof *pictures };
  syn_svg_body bodies[SYN_SHAPE_BODIES];
  double mm_across = 0; /* one scale for all */
  for (int i = 0; i < PICTURES; ++i) {
    place_bodies(d, pictures[i].pose, bodies);
    mm_across = fmax(mm_across, syn_svg_mm_across(bodies, d->shape.body_count, &pictures[i].view));
  }
  fputs("<div class=\"views\">\n", to);
  for (int i = 0; i < PICTURES; ++i) {
    place_bodies(d, pictures[i].pose, bodies);
    fputs("<figure>", to);
    SYN_TRY(syn_svg_draw(context, to, bodies, d->shape.body_count, &pictures[i].view, mm_across, pictures[i].caption,
                         error));
    fprintf(to, "<figcaption>%s</figcaption></figure>\n", pictures[i].caption);
  }
  fputs("</div>\n", to);
  return SYN_OK;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

static void put_body_row(const demo_body *b, FILE *to) {
  char vertices[32], triangles[32];
  fprintf(to, "<tr><td><span class=\"dot\" style=\"background:#%02x%02x%02x\"></span>", b->color[0], b->color[1],
          b->color[2]);
  put_text(to, b->body->name);
  fprintf(to, "</td><td>%s</td><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>",
          syn_tissue_name(b->body->tissue), b->body->moves ? "moves" : "rests",
          cli_count(b->body->surface->vertex_count, vertices), cli_count(b->body->surface->triangle_count, triangles));
  if (cli_fit(&b->health))
    fputs("<td class=\"good\">sound</td>", to);
  else {
    json_t *problems = cli_problems(&b->health), *problem;
    size_t index;
    fputs("<td class=\"bad\">", to);
    json_array_foreach(problems, index, problem) {
      if (index) fputs("; ", to);
      put_text(to, json_string_value(problem));
    }
    fputs("</td>", to);
    json_decref(problems);
  }
  fprintf(to, "<td class=\"n\">%.1f</td><td class=\"n\">%.1f</td></tr>\n", b->mass.volume_mm3 / 1000,
          b->mass.area_mm2 / 100);
}

static void put_bodies(const demo *d, FILE *to) {
  fputs("<h2>Bodies</h2>\n<div class=\"scroll\"><table>\n<tr><th>body</th><th>tissue</th><th>motion</th>"
        "<th class=\"n\">vertices</th><th class=\"n\">triangles</th><th>health</th><th class=\"n\">volume, cm³</th>"
        "<th class=\"n\">area, cm²</th></tr>\n",
        to);
  for (uint32_t i = 0; i < d->shape.body_count; ++i) put_body_row(&d->bodies[i], to);
  fputs("</table></div>\n<p class=\"note\">Sound: closed, manifold, oriented outward, no self-intersections.</p>\n",
        to);
}

static double value_of(const demo *d, const syn_shape_parameter *p, bool *set) {
  for (size_t i = 0; i < d->value_count; ++i)
    if (strcmp(d->values[i].name, p->name) == 0) {
      *set = true;
      return d->values[i].value;
    }
  *set = false;
  return p->standard;
}

static void put_parameters(const demo *d, FILE *to) {
  fputs("<h2>Parameters</h2>\n<div class=\"scroll\"><table>\n<tr><th>parameter</th><th class=\"n\">value</th>"
        "<th>unit</th><th>meaning</th></tr>\n",
        to);
  for (size_t i = 0; i < d->info->parameter_count; ++i) {
    const syn_shape_parameter *p = &d->info->parameters[i];
    bool set;
    const double value = value_of(d, p, &set);
    fprintf(to, "<tr%s><td>", set ? " class=\"set\"" : "");
    put_text(to, p->name);
    fprintf(to, "</td><td class=\"n\">%.6g</td><td>", value);
    put_text(to, p->unit);
    fputs("</td><td>", to);
    put_text(to, p->help);
    fputs("</td></tr>\n", to);
  }
  fputs("</table></div>\n", to);
}

static void put_files(FILE *to) {
  static const char *const files[][2] = {
      {"joint.json", "the joint: bodies, centre, axes and contacts"},
      {"hip.glb", "the hip moving from standing to sitting; for any 3D viewer"},
      {"hip.vtp", "all bodies with a field that numbers them; for ParaView"},
  };
  fputs("<h2>Files beside this page</h2>\n<div class=\"scroll\"><table>\n", to);
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
    fprintf(to, "<tr><td><a href=\"%s\"><code>%s</code></a></td><td>%s</td></tr>\n", files[i][0], files[i][0],
            files[i][1]);
  fputs("<tr><td><code>*.ply</code></td><td>one mesh for each body, in mm</td></tr>\n</table></div>\n", to);
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

static void put_provenance(const demo *d, FILE *to) {
  fprintf(
      to,
      "<h2>Provenance</h2>\n<p>Made by <code>synovia demo</code>, version %s. The hip alone: <code>synovia shape hip",
      syn_version());
  for (size_t i = 0; i < d->value_count; ++i) fprintf(to, " --%s %.6g", d->values[i].name, d->values[i].value);
  fputs(
      " -o DIR</code>. The motion is one rotation of 59.6° flexion, 13.6° adduction and 10.9° internal rotation, in 30 "
      "equal steps. Lengths are in mm; x points to the patient's right, y forward, z up, and the origin is the "
      "centre of the joint. The same command gives the same bytes on any number of threads.</p>\n",
      to);
}

syn_status demo_write_report(const demo *d, FILE *to, const syn_context *context, syn_error *error) {
  fprintf(
      to,
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>Synovia: a hip with a cam</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n"
      "<h1>A hip with a cam</h1>\n"
      "<p class=\"lead\">A right hip made from parameters: the head of the femur stops being round at 70° from the "
      "neck (alpha), and the socket covers it by 25° (centre-edge angle). By the published rule (the two angles add "
      "up to 80° or more) the neck reaches the labrum on the way to sitting. %s</p>\n",
      style,
      d->fit ? "Every mesh is closed and free of self-intersections." : "Not every mesh is sound; see the table.");
  SYN_TRY(put_views(d, to, context, error));
  put_bodies(d, to);
  put_parameters(d, to);
  put_files(to);
  put_provenance(d, to);
  fprintf(to, "<footer>Synovia %s. Research software, not a medical device.</footer>\n</main>\n</body>\n</html>\n",
          syn_version());
  return SYN_OK;
}
