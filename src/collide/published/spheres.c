/* Molecule against molecule (Maciel 2005, §4.3.1.1): the vertices of both surfaces are balls of one radius, which
 * overlap where their centres are nearer than two radii. */
#include "base/vec.h"
#include "collide/published/published.h"
#include "collide/volume/ball_grid.h"

typedef struct spheres {
  const syn_context *context;
  uint32_t mobile_count;
  syn_vec3 *mobile; /* centres of the mobile balls */
  ball_grid fixed;
  double radius;
} spheres;

/* The search of one mobile ball for fixed ones. */
typedef struct search {
  const spheres *method;
  syn_contacts *result;
  uint32_t number;
  syn_vec3 middle;
  double deepest;
} search;

static bool visit_ball(void *user, const grid_ball *ball, double distance) {
  search *s = user;
  const double radius = s->method->radius;
  const syn_vec3 away = vec3_unit(vec3_sub(s->middle, ball->middle));
  const syn_contact contact = {.of = SYN_OF_BALL_BALL,
                               .fixed_element = ball->number,
                               .mobile_element = s->number,
                               .depth_mm = radius + ball->radius - distance,
                               .point = vec3_madd(s->middle, -radius, away),
                               .direction = away};
  s->deepest = max2(s->deepest, contact.depth_mm);
  syn_contacts_add(s->result, &contact);
  return !s->result->first_only;
}

/* Runs a query. It ends early only if a single contact and no field is requested. */
static void query_spheres(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result) {
  const spheres *method = state;
  search s = {.method = method, .result = result};
  (void)scratch;
  for (s.number = 0; s.number < method->mobile_count; ++s.number) {
    s.middle = syn_pose_point(pose, method->mobile[s.number]);
    s.deepest = -INFINITY;
    const bool more = syn_ball_grid_overlaps(&method->fixed, s.middle, method->radius, visit_ball, &s);
    if (result->vertex_depth) result->vertex_depth[s.number] = s.deepest;
    if (!more && !result->vertex_depth) break;
  }
  syn_contacts_sort(result);
}

static void destroy_spheres(void *state) {
  spheres *method = state;
  syn_ball_grid_release(&method->fixed);
  syn_free(method->context, method->mobile);
  syn_free(method->context, method);
}

static void move_mobile(spheres *method, const syn_vec3 *places) {
  for (uint32_t v = 0; v < method->mobile_count; ++v) method->mobile[v] = places[v];
}

static syn_status fill_spheres(spheres *method, const syn_trimesh *fixed, const syn_trimesh *mobile, syn_error *error) {
  method->mobile_count = mobile->vertex_count;
  SYN_TRY(SYN_NEW(method->context, &method->mobile, mobile->vertex_count, error));
  move_mobile(method, mobile->vertices);
  SYN_TRY(syn_ball_grid_create(method->context, fixed->vertex_count, &method->fixed, error));
  return syn_ball_grid_fill(&method->fixed, fixed->vertices, NULL, method->radius, error);
}

static syn_status create_spheres(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                 const syn_collide_options *options, void **state, syn_error *error) {
  spheres *made;
  if (!(options->ball_radius_mm > 0) || !isfinite(options->ball_radius_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the radius of the balls must be positive, not %g mm; set ball_radius_mm",
                    options->ball_radius_mm);
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->radius = options->ball_radius_mm;
  return syn_method_keep(fill_spheres(made, fixed->surface, mobile->surface, error), made, destroy_spheres, state);
}

static syn_status update_spheres(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                                 syn_error *error) {
  spheres *method = state;
  if (fixed_vertices) SYN_TRY(syn_ball_grid_fill(&method->fixed, fixed_vertices, NULL, method->radius, error));
  if (mobile_vertices) move_mobile(method, mobile_vertices);
  return SYN_OK;
}

const syn_method syn_method_spheres = {
    .info = {.name = "spheres",
             .summary = "the vertices as balls, molecule against molecule, by a uniform grid",
             .tells_depth = true,
             .tells_field = true,
             .published = true},
    create_spheres,
    destroy_spheres,
    update_spheres,
    NULL,
    query_spheres,
    SYN_SIDES_IGNORED};
