/* The list of all shapes, and the call that creates any of them. */
#include "shape/shape_maker.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <synovia/shape.h>

#include "joint/joint_store.h"
#include "result/value.h"

/* makers */
extern const syn_shape_maker syn_make_hip;
extern const syn_shape_maker syn_make_sphere;
extern const syn_shape_maker syn_make_ball;
extern const syn_shape_maker syn_make_cup;
extern const syn_shape_maker syn_make_torus;
extern const syn_shape_maker syn_make_cube;
extern const syn_shape_maker syn_make_ground;
extern const syn_shape_maker syn_make_lever;
extern const syn_shape_maker syn_make_wrench;
extern const syn_shape_maker syn_make_arm;
extern const syn_shape_maker syn_make_v;
extern const syn_shape_maker syn_make_beam;
extern const syn_shape_maker syn_make_graft;
extern const syn_shape_maker syn_make_thigh;

const syn_shape_info *const syn_shapes[SYN_SHAPES] = {
    &syn_make_hip.info,  &syn_make_sphere.info, &syn_make_ball.info,  &syn_make_cup.info,    &syn_make_torus.info,
    &syn_make_cube.info, &syn_make_ground.info, &syn_make_lever.info, &syn_make_wrench.info, &syn_make_arm.info,
    &syn_make_v.info,    &syn_make_beam.info,   &syn_make_graft.info, &syn_make_thigh.info};
enum { MAX_PARAMETERS = 32 };

static const syn_shape_maker *find(const char *name) {
  for (size_t i = 0; i < SYN_SHAPES; ++i)
    if (strcmp(syn_shapes[i]->name, name) == 0)
      return (const syn_shape_maker *)(const void *)syn_shapes[i]; /* its first member */
  return NULL;
}

const syn_shape_info *syn_shape_named(const char *name) {
  const syn_shape_maker *maker = find(name);
  return maker ? &maker->info : NULL;
}

/* Puts one named value where the maker expects it. */
static syn_status place_value(const syn_shape_info *info, const syn_shape_value *given, double *values,
                              syn_error *error) {
  for (size_t i = 0; i < info->parameter_count; ++i) {
    const syn_shape_parameter *p = &info->parameters[i];
    if (strcmp(p->name, given->name) != 0) continue;
    if (!(given->value >= p->min && given->value <= p->max))
      return syn_fail(error, SYN_BAD_ARGUMENT, "%s of a %s must lie between %g and %g%s%s, not %g", p->name, info->name,
                      p->min, p->max, p->unit[0] ? " " : "", p->unit, given->value);
    if (p->whole && given->value != floor(given->value))
      return syn_fail(error, SYN_BAD_ARGUMENT, "%s of a %s must be a whole number, not %g", p->name, info->name,
                      given->value);
    values[i] = given->value;
    return SYN_OK;
  }
  return syn_fail(error, SYN_BAD_ARGUMENT, "a %s has no parameter '%s'", info->name, given->name);
}

/* Every body has a surface: one that was made as a volume gets the volume's. */
static syn_status add_surfaces(syn_joint *shape, syn_error *error) {
  for (size_t i = 0; i < shape->body_count; ++i) {
    syn_trimesh *surface;
    if (shape->bodies[i].surface) continue;
    SYN_TRY(syn_tetmesh_surface(shape->bodies[i].volume, &surface, NULL, error));
    syn_joint_set_surface(shape, i, surface);
  }
  return SYN_OK;
}

static syn_status make_shape(const syn_shape_maker *maker, const double *values, syn_joint *shape, syn_error *error) {
  SYN_TRY(syn_joint_text(shape, maker->info.name, &shape->name, error));
  SYN_TRY(maker->make(values, shape, error));
  SYN_TRY(add_surfaces(shape, error));
  return shape->has_axes ? syn_joint_find_contacts(shape, error) : SYN_OK;
}

syn_status syn_shape_create(const syn_context *context, const char *name, const syn_shape_value *values,
                            size_t value_count, syn_joint **shape, syn_error *error) {
  *shape = NULL;
  const syn_shape_maker *maker = find(name);
  if (!maker) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no shape named '%s'", name);
  double numbers[MAX_PARAMETERS];
  assert(maker->info.parameter_count <= MAX_PARAMETERS);
  for (size_t i = 0; i < maker->info.parameter_count; ++i) numbers[i] = maker->info.parameters[i].standard;
  for (size_t i = 0; i < value_count; ++i) SYN_TRY(place_value(&maker->info, &values[i], numbers, error));
  syn_joint *made;
  SYN_TRY(syn_joint_create(context, &made, error));
  const syn_status status = make_shape(maker, numbers, made, error);
  if (status == SYN_OK)
    *shape = made;
  else
    syn_joint_destroy(made);
  return status;
}

syn_status syn_shape_add(syn_joint *shape, const char *name, syn_tissue tissue, bool moves, syn_trimesh *surface,
                         syn_tetmesh *volume, syn_error *error) {
  const syn_body body = {.name = name,
                         .tissue = tissue,
                         .moves = moves,
                         .material = syn_tissue_material(tissue, NULL),
                         .surface = surface,
                         .volume = volume};
  return syn_joint_add_body(shape, &body, error);
}

void syn_shape_turns(syn_joint *shape, syn_vec3 center, syn_joint_axes axes) {
  shape->has_center = shape->has_axes = true;
  shape->center = center;
  shape->axes = axes;
}

syn_status syn_shape_refine(syn_joint *shape, uint32_t level, syn_error *error) {
  for (size_t b = 0; b < shape->body_count; ++b)
    for (uint32_t i = 0; i < level; ++i) {
      syn_trimesh *finer;
      SYN_TRY(syn_trimesh_subdivide(shape->bodies[b].surface, &finer, error));
      syn_joint_set_surface(shape, b, finer);
    }
  return SYN_OK;
}

/* ---- as a field table -------------------------------------------------------------------------------------------- */

static const char *parameter_name(const void *shape, size_t i) {
  return ((const syn_shape_info *)shape)->parameters[i].name;
}
static syn_value shape_name(const void *none, size_t i) { return (void)none, value_text(syn_shapes[i]->name); }
static syn_value shape_summary(const void *none, size_t i) { return (void)none, value_text(syn_shapes[i]->summary); }
static syn_value shape_parameters(const void *none, size_t i) {
  return (void)none, value_texts(parameter_name, syn_shapes[i], syn_shapes[i]->parameter_count);
}
static const syn_result_field shape_fields[] = {
    FIELD(TEXT, "name", "Shape", "", FILE_ONLY, shape_name),
    FIELD(TEXT, "summary", "Summary", "", FILE_ONLY, shape_summary),
    FIELD(TEXTS, "parameters", "Parameters", "", FILE_ONLY, shape_parameters)};
const syn_record syn_shape_record = RECORD("shape", shape_fields);
