/* Writes a mesh's health as text. */
#include <stdarg.h>
#include <stdio.h>

#include <synovia/mesh.h>

#include "base/text.h"

bool syn_health_fit(const syn_health *health) {
  return health->closed && health->manifold && health->oriented && health->outward && health->self_intersections == 0 &&
         !health->self_intersections_stopped && health->far_vertices == 0 && !health->too_small;
}

__attribute__((format(printf, 2, 3))) static void add(syn_health_problems *list, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(list->texts[list->count], sizeof list->texts[0], format, arguments);
  va_end(arguments);
  ++list->count;
}

/* "1 triangle" or "3,200 triangles", then what is wrong and, where there is any, the advice. */
static void add_count(syn_health_problems *list, uint64_t count, const char *one, const char *many, const char *wrong,
                      const char *advice) {
  char text[32];
  if (count)
    add(list, "%s %s%s%s%s", syn_count_text(count, text), count == 1 ? one : many, wrong, advice ? "; " : "",
        advice ? advice : "");
}

static void add_openings(syn_health_problems *list, const syn_health *h, bool repaired) {
  char edges[32], loops[32];
  if (h->closed) return;
  if (h->boundary_edges)
    add(list, "not closed: %s boundary edge%s in %s hole%s; %s", syn_count_text(h->boundary_edges, edges),
        h->boundary_edges == 1 ? "" : "s", syn_count_text(h->boundary_loops, loops), h->boundary_loops == 1 ? "" : "s",
        repaired ? "a larger --fill closes large holes, --islands 0.01 removes loose pieces"
                 : "`synovia mesh repair --fill N` fills holes of up to N edges");
  else
    add(list, "there are no triangles");
}

static void add_branchings(syn_health_problems *list, const syn_health *h) {
  add_count(list, h->nonmanifold_edges, "edge", "edges", " with more than two triangles",
            "`synovia mesh repair` cuts the sheets apart");
  add_count(list, h->nonmanifold_vertices, "vertex", "vertices", " where separate sheets touch in a point",
            "`synovia mesh repair` gives each sheet its own");
  add_count(list, h->flipped_edges, "edge", "edges", " along which neighbouring triangles face opposite ways",
            "`synovia mesh repair` turns them");
  if (h->closed && h->oriented && !h->outward)
    add(list, "inside out: the faces point inward; `synovia mesh repair` turns them");
}

/* Adds the magnitudes that collide/magnitude.c rejects. */
static void add_magnitudes(syn_health_problems *list, const syn_health *h) {
  add_count(list, h->far_vertices, "vertex", "vertices",
            " with a coordinate of more than 1e+12 mm, which cannot be computed",
            "remove them if they are damaged, or scale the mesh if its unit is not mm");
  if (h->too_small)
    add(list, "less than 1e-12 mm across, which cannot be computed; scale the mesh if its unit is not mm");
}

static void add_blemishes(syn_health_problems *list, const syn_health *h, bool repaired) {
  add_count(list, h->self_intersections, "pair", "pairs",
            repaired ? " of triangles cut through each other, or touch where sheets were cut apart"
                     : " of triangles cut through each other",
            "`synovia mesh smooth` may help, else edit the mesh there");
  if (h->self_intersections_stopped)
    add(list, "so many triangles lie over one another that not all pairs were looked at; drop the doubled ones");
  add_count(list, h->degenerate_triangles, "triangle", "triangles", " without area",
            repaired ? NULL : "`synovia mesh repair` drops them");
  add_count(list, h->duplicate_triangles, "triangle", "triangles", " present twice",
            "`synovia mesh repair` drops them");
  add_count(list, h->duplicate_vertices, "vertex", "vertices", " at the very place of another",
            repaired ? NULL : "`synovia mesh repair` joins them");
  add_count(list, h->unreferenced_vertices, "vertex", "vertices", " in no triangle",
            "`synovia mesh repair` drops them");
}

void syn_health_explain(const syn_health *health, bool repaired, syn_health_problems *problems) {
  problems->count = 0;
  add_openings(problems, health, repaired);
  add_branchings(problems, health);
  add_magnitudes(problems, health);
  add_blemishes(problems, health, repaired);
}
