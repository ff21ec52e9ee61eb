/* Marks steps whose pressure is doubtful or invalid, and warns of them. One rule for all methods. */

#include <math.h>
#include <string.h>

#include <synovia/pressure.h>

#include "base/names.h"
#include "pressure/foundation/foundation.h"
#include "pressure/run/pressure_run.h"

/* ---- assumed --------------------------------------------------------------------------------------------------- */
/* Computes the effect of an assumed cartilage thickness on the peak: the elastic foundation at the same pose, with
 * thin and with thick cartilage. */

/* Hips have 1 to 2 mm on average on either bone (Shepherd and Seedhom 1999). */
static const double thicknesses_mm[2] = {1, 2};

static syn_status press(const syn_pressure *p, const syn_pressure_options *options, const syn_layer *socket,
                        const syn_layer *head, double *peak_mpa, syn_error *error) {
  syn_foundation *foundation;
  syn_pressure_step step;
  void *scratch;
  syn_error why;
  SYN_TRY(syn_foundation_create(p->context, socket, head, NULL, p->hip_case->hip.center, &options->foundation,
                                &foundation, error));
  syn_status status = syn_allocate(p->context, 1, syn_foundation_scratch(foundation), &scratch, error);
  if (status == SYN_OK) {
    status = syn_foundation_solve(foundation, &p->peak->loaded, NULL, scratch, &step, &why);
    if (status == SYN_OK) *peak_mpa = step.total.peak_mpa;
    if (status == SYN_NOT_CONVERGED) status = SYN_OK;
    if (status != SYN_OK && error) *error = why;
    syn_free(p->context, scratch);
  }
  syn_foundation_destroy(foundation);
  return status;
}

static syn_status peak_with(const syn_pressure *p, const syn_pressure_options *options, double thickness_mm,
                            double *peak_mpa, syn_error *error) {
  syn_layer_options layers = options->layers;
  syn_layer socket, head;
  layers.rule = SYN_RULE_CONSTANT;
  layers.thickness_mm = thickness_mm;
  SYN_TRY(syn_hip_layers_create(p->context, p->hip_case, &layers, &socket, &head, error));
  const syn_status status = press(p, options, &socket, &head, peak_mpa, error);
  syn_layer_release(&socket);
  syn_layer_release(&head);
  return status;
}

syn_status syn_pressure_vary_assumed(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  p->assumed_peak_mpa[0] = p->assumed_peak_mpa[1] = NAN;
  if (!(p->socket.assumed || p->head.assumed) || p->step_count == 0 || options->layers.rule == SYN_RULE_GIVEN)
    return SYN_OK;
  /* Peaks with thin and with thick cartilage */
  for (int i = 0; i < 2; ++i) SYN_TRY(peak_with(p, options, thicknesses_mm[i], &p->assumed_peak_mpa[i], error));
  syn_warn(p->context,
           "the thickness of the cartilage is assumed and decides the pressure: the peak of %.1f MPa is %.1f MPa with "
           "1 mm of cartilage on either bone and %.1f MPa with 2 mm, by the elastic foundation",
           p->peak->total.peak_mpa, p->assumed_peak_mpa[0], p->assumed_peak_mpa[1]);
  return SYN_OK;
}

/* ---- validity -------------------------------------------------------------------------------------------------- */

/* A linear foundation bears K e at the strain e, large strains -K ln(1 - e) (Blankevoort et al. 1991): at 0.5 that
 * is 39 % more. Beyond 0.9 the nonlinear law is continued linearly, and finite elements are supported by a barrier. */
#define DOUBTED_STRAIN 0.5
#define MAX_STRAIN 0.9
/* Bare bone on cartilage is stiffer than two layers: if it bears more than this part of the pressure on the tissue,
 * one degree of rotation decides the peak. Chosen on a recorded walk, whose poses above 6 MPa it finds. */
#define BARE_PART 0.5
/* In a cone of linearly decreasing pressure a quarter of the nodes is above half of the peak; this is far from it.
 * Chosen. */
#define FEW_PART 0.03

SYN_ENUM_NAMES(syn_pressure_mark, SYN_PRESSURE_MARKS, "bare_bone", "pressed_through", "load_axes", "strain",
               "free_edge", "few_nodes");

static bool has_mark(const syn_pressure_step *step, syn_pressure_mark mark) { return step->marks >> mark & 1; }

/* ---- strain -------------------------------------------------------------------------------------------------------
 */

double syn_pressure_column_strain(const syn_layer *layer, const uint32_t *below, const syn_vec3 *positions,
                                  const double *pressure_mpa) {
  double most = 0;
  for (uint32_t f = 0; f < layer->face_count; ++f)
    for (int c = 0; c < 4 && layer->face_element[f] != SYN_NONE; ++c) {
      const uint32_t top = layer->faces[f][c];
      uint32_t bottom = top;
      if (!(pressure_mpa[top] > 0)) continue;
      while (below[bottom] != SYN_NONE) bottom = below[bottom];
      const double thickness = vec3_distance(layer->nodes[top], layer->nodes[bottom]);
      if (thickness > 0) most = max2(most, 1 - vec3_distance(positions[top], positions[bottom]) / thickness);
    }
  return most;
}

/* Computes stiffness over thickness below each vertex of a surface; NAN on bare bone. */
static void find_moduli(const syn_layer *layer, const syn_pressure_surface *s, double *of_node, double *modulus) {
  for (uint32_t i = 0; i < layer->node_count; ++i) of_node[i] = NAN;
  for (uint32_t f = 0; f < layer->face_count; ++f) {
    if (layer->face_element[f] == SYN_NONE) continue;
    const syn_material *material = &layer->materials[layer->element_region[layer->face_element[f]]];
    for (int c = 0; c < 4; ++c) of_node[layer->faces[f][c]] = syn_foundation_modulus(material);
  }
  for (uint32_t v = 0; v < s->mesh->vertex_count; ++v)
    modulus[v] = s->thickness_mm[v] > 0 ? of_node[s->nodes[v]] : (double)NAN;
}

/* Returns the maximum strain by the foundation's law; both layers bear the same pressure. */
static double foundation_strain(const syn_pressure_surface *s, const double *modulus, size_t step, bool nonlinear) {
  const double *p = s->pressure_mpa + step * s->mesh->vertex_count;
  double most = 0;
  for (uint32_t v = 0; v < s->mesh->vertex_count; ++v)
    if (p[v] > 0 && modulus[v] > 0) most = max2(most, p[v] / modulus[v]);
  return nonlinear ? 1 - exp(-most) : most;
}

/* ---- marks --------------------------------------------------------------------------------------------------------
 */

typedef struct contact_summary {
  double bare, covered;    /* highest pressure on bare bone, and on tissue */
  uint32_t touching, half; /* vertices with pressure; above half of the peak */
  uint32_t peak;           /* the vertex of the peak */
} contact_summary;

static contact_summary summarise_contact(const syn_pressure_surface *s, size_t step) {
  const double *p = s->pressure_mpa + step * s->mesh->vertex_count;
  contact_summary found = {0};
  for (uint32_t v = 0; v < s->mesh->vertex_count; ++v) {
    double *highest = s->thickness_mm[v] > 0 ? &found.covered : &found.bare;
    if (!(p[v] > 0)) continue;
    ++found.touching;
    *highest = max2(*highest, p[v]);
    if (!(p[found.peak] >= p[v])) found.peak = v;
  }
  for (uint32_t v = 0; v < s->mesh->vertex_count; ++v) found.half += p[v] > 0.5 * p[found.peak];
  return found;
}

/* Finds vertices on the free edge. Around an inner vertex the neighbours form a closed cycle: the sum of differences
 * is zero. */
static void find_free_edge(const syn_pressure_surface *s, int64_t *rest) {
  for (uint32_t v = 0; v < s->mesh->vertex_count; ++v) rest[v] = 0;
  for (uint32_t t = 0; t < s->mesh->triangle_count; ++t) {
    const uint32_t *v = s->mesh->triangles[t].v;
    if (!(s->thickness_mm[v[0]] > 0) || !(s->thickness_mm[v[1]] > 0) || !(s->thickness_mm[v[2]] > 0)) continue;
    for (int c = 0; c < 3; ++c) rest[v[c]] += (int64_t)v[(c + 2) % 3] - v[(c + 1) % 3];
  }
}

static void set_mark(syn_pressure_step *step, syn_pressure_mark mark, bool holds) {
  if (holds) step->marks |= (uint64_t)1 << mark;
}

typedef struct validity_buffers {
  double *of_node, *modulus[2];
  int64_t *rest[2];
} validity_buffers;

static void mark_step(syn_pressure *p, const syn_pressure_options *options, const validity_buffers *b, size_t i) {
  syn_pressure_step *step = &p->steps[i];
  const bool foundation = strcmp(p->method, "foundation") == 0;
  if (foundation) step->strain = 0;
  /* Marks by the pressures on either surface */
  for (int k = 0; k < 2; ++k) {
    const contact_summary c = summarise_contact(&p->surfaces[k], i);
    const syn_layer *layer = k ? &p->head : &p->socket;
    if (c.touching == 0) continue;
    if (foundation)
      step->strain =
          max2(step->strain, foundation_strain(&p->surfaces[k], b->modulus[k], i, options->foundation.nonlinear));
    set_mark(step, SYN_PRESSURE_BARE_BONE, layer->assumed && c.bare > BARE_PART * c.covered);
    set_mark(step, SYN_PRESSURE_FREE_EDGE, b->rest[k][c.peak] != 0);
    set_mark(step, SYN_PRESSURE_FEW_NODES, c.half < FEW_PART * c.touching);
  }
  set_mark(step, SYN_PRESSURE_STRAIN,
           step->squeezed > 0 || (step->strain > DOUBTED_STRAIN && step->strain <= MAX_STRAIN));
  set_mark(step, SYN_PRESSURE_PRESSED_THROUGH, step->strain > MAX_STRAIN);
}

static syn_status mark_contacts(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  syn_arena arena = {.context = p->context};
  validity_buffers b;
  const uint32_t nodes = p->socket.node_count > p->head.node_count ? p->socket.node_count : p->head.node_count;
  syn_status status = SYN_TAKE(&arena, &b.of_node, nodes, error);
  for (int k = 0; k < 2 && status == SYN_OK; ++k) {
    const syn_pressure_surface *s = &p->surfaces[k];
    status = SYN_TAKE(&arena, &b.modulus[k], s->mesh->vertex_count, error);
    if (status == SYN_OK) status = SYN_TAKE(&arena, &b.rest[k], s->mesh->vertex_count, error);
    if (status != SYN_OK) break;
    find_moduli(k ? &p->head : &p->socket, s, b.of_node, b.modulus[k]);
    find_free_edge(s, b.rest[k]);
  }
  for (size_t i = 0; i < p->step_count && status == SYN_OK; ++i) mark_step(p, options, &b, i);
  syn_arena_release(&arena);
  return status;
}

/* ---- warnings -----------------------------------------------------------------------------------------------------
 */

/* By an elastic foundation the advice is to take finite elements, for the reason that each gives; who has them is
 * told what else helps. */
static const struct {
  const char *what, *advice, *fem_advice;
} texts[SYN_PRESSURE_MARKS] = {
    [SYN_PRESSURE_BARE_BONE] = {"bare bone beyond the assumed cartilage bears the load",
                                "not valid. Finite elements (--method fem) spread such a load, cartilage as scanned "
                                "shows how far it reaches",
                                "not valid. Cartilage as scanned shows how far it reaches"},
    [SYN_PRESSURE_PRESSED_THROUGH] = {"the cartilage is compressed by more than 90 % of its thickness",
                                      "not valid: it is pressed through, and no law of the material holds there. "
                                      "Check the load",
                                      NULL},
    [SYN_PRESSURE_LOAD_AXES] = {"the load is directed by the axes of the scan, as no shaft shows how the femur is "
                                "turned",
                                "not valid. Give --direction, or a femur with its shaft and without holes", NULL},
    [SYN_PRESSURE_STRAIN] = {"the cartilage is compressed by more than 50 % of its thickness",
                             "a linear foundation is too soft there, by 39 % and more: compare with --method fem",
                             "no measured law of the material reaches that far. Check the load, and the thickness of "
                             "the cartilage"},
    [SYN_PRESSURE_FREE_EDGE] = {"the peak is on the free edge of a layer",
                                "an elastic foundation has no neighbours there: compare with --method fem",
                                "the stress there depends on the mesh: compare with a smaller --edge"},
    [SYN_PRESSURE_FEW_NODES] = {"less than 3 % of the nodes in contact carry more than half of the peak",
                                "the peak depends on the mesh: compare with a smaller --edge and --method fem",
                                "the peak depends on the mesh: compare with a smaller --edge"},
};

static void warn_of_mark(const syn_pressure *p, syn_pressure_mark mark) {
  size_t count = 0;
  double peak = 0, first = 0, last = 0;
  for (size_t i = 0; i < p->step_count; ++i) {
    if (!has_mark(&p->steps[i], mark)) continue;
    const double flexion = round(p->steps[i].loaded.angles[0] * 180 / SYN_PI) + 0.0; /* no -0 */
    first = count ? min2(first, flexion) : flexion;
    last = count ? max2(last, flexion) : flexion;
    peak = max2(peak, p->steps[i].total.peak_mpa);
    ++count;
  }
  if (count == 0) return;
  const bool fem = strcmp(p->method, "fem") == 0 && texts[mark].fem_advice;
  const char *advice = fem ? texts[mark].fem_advice : texts[mark].advice;
  if (p->step_count == 1)
    syn_warn(p->context, "%s (%.1f MPa): %s", texts[mark].what, peak, advice);
  else
    syn_warn(p->context, "%s at %zu of %zu poses (flexion %.0f to %.0f degrees, up to %.1f MPa): %s", texts[mark].what,
             count, p->step_count, first, last, peak, advice);
}

/* Returns whether the direction of the load is a guess: the anatomy found no axes of the femur, and the caller gives
 * no direction. */
static bool guesses_direction(const syn_pressure *p, const syn_pressure_options *options) {
  const syn_anatomy *anatomy = p->hip_case->anatomy;
  const bool given = vec3_length2(options->load.direction) > 0;
  return !given && p->surfaces[0].mesh && anatomy && anatomy->femur_frame == SYN_FRAME_BODY;
}

syn_status syn_pressure_check_validity(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  if (p->surfaces[0].mesh) SYN_TRY(mark_contacts(p, options, error));
  for (size_t i = 0; i < p->step_count; ++i) {
    set_mark(&p->steps[i], SYN_PRESSURE_LOAD_AXES, guesses_direction(p, options));
    p->invalid_count += !is_valid_step(&p->steps[i]);
  }
  for (int mark = 0; mark < SYN_PRESSURE_MARKS; ++mark) warn_of_mark(p, (syn_pressure_mark)mark);
  return SYN_OK;
}
