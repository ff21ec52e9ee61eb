/* Reads the bodies of a scene: their meshes and their models. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "joint/joint_file.h"
#include "joint/joint_store.h"
#include "tissue/scene/scene.h"
#include "tissue/soft.h"

#include <synovia/shape.h>
#include <synovia/tissue.h>

syn_status syn_scene_blame(const syn_json *place, const syn_error *why, syn_error *error) {
  if (why->code == SYN_BAD_ARGUMENT || why->code == SYN_BAD_MESH)
    return syn_json_fail(place, error, "%s", why->message);
  if (error) *error = *why;
  return why->code;
}

/* ---- meshes ----------------------------------------------------------------------------------------------------- */

/* Adds the body's name to the error for a mesh that cannot be read. */
static syn_status name_body_of_error(const syn_scene_item *item, syn_status status, syn_error *error) {
  char message[sizeof error->message];
  if (!error) return status;
  memcpy(message, error->message, sizeof message);
  snprintf(error->message, sizeof error->message, "the mesh of the body '%.60s': %.400s", item->name, message);
  return status;
}

static syn_status read_mesh(syn_tissue_scene *scene, const syn_json *place, const syn_read_options *reading,
                            syn_scene_item *item, syn_error *error) {
  syn_body body = {.name = item->name};
  SYN_TRY(syn_json_text(place, &body.mesh_file, error));
  const syn_status status = syn_body_load(scene->store->context, scene->store->folder, reading, &body, error);
  if (status != SYN_OK) return name_body_of_error(item, status, error);
  item->surface = (syn_trimesh *)(uintptr_t)body.surface; /* owned by the item */
  item->volume = (syn_tetmesh *)(uintptr_t)body.volume;
  return SYN_OK;
}

/* {"name": "beam", "of": "beam", parameters of the shape…}: the body `of`, or its first one. */
static syn_status read_shape(syn_tissue_scene *scene, const syn_json *place, syn_scene_item *item, syn_error *error) {
  SYN_TRY(syn_json_expect_object(place, error));
  const syn_json name_place = syn_json_member(place, "name"), of = syn_json_member(place, "of");
  const char *name, *body_name = NULL, *key = NULL;
  SYN_TRY(syn_json_text(&name_place, &name, error));
  if (of.value) SYN_TRY(syn_json_text(&of, &body_name, error));
  syn_shape_value *values;
  size_t count = 0;
  SYN_TRY(SYN_TAKE(&scene->store->memory, &values, json_object_size(place->value), error));
  json_t *value;
  json_object_foreach(place->value, key, value) {
    const syn_json member = syn_json_member(place, key);
    if (strcmp(key, "name") == 0 || strcmp(key, "of") == 0) continue;
    values[count].name = key;
    SYN_TRY(syn_json_double(&member, &values[count++].value, error));
  }
  syn_joint *shape;
  syn_error why;
  const syn_status status = syn_shape_create(scene->store->context, name, values, count, &shape, &why);
  if (status) return syn_scene_blame(place, &why, error);
  const syn_body *body = body_name ? syn_joint_body_named(shape, body_name) : &shape->bodies[0];
  syn_status done = SYN_OK;
  if (!body)
    done = syn_json_fail(&of, error, "the shape %s has no body '%s'", name, body_name);
  else {
    if (body->surface) done = syn_trimesh_share(body->surface, &item->surface, error);
    if (!done && body->volume)
      done = syn_tetmesh_create(scene->store->context, body->volume->vertices, body->volume->vertex_count,
                                body->volume->tets, body->volume->tet_count, &item->volume, error);
  }
  syn_joint_destroy(shape);
  return done;
}

/* "place": a shift of three numbers, or a matrix of sixteen. */
static syn_status read_place(const syn_json *place, syn_pose *pose, syn_error *error) {
  size_t count;
  double numbers[16];
  SYN_TRY(syn_json_expect_array(place, &count, error));
  if (count != 3 && count != 16) return syn_json_fail(place, error, "expected 3 or 16 numbers, found %zu", count);
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(place, i);
    SYN_TRY(syn_json_double(&item, &numbers[i], error));
  }
  *pose = syn_pose_identity();
  pose->translation = vec3(numbers[0], numbers[1], numbers[2]);
  syn_error why;
  if (count == 16 && syn_pose_from_matrix(numbers, pose, &why)) return syn_json_fail(place, error, "%s", why.message);
  return SYN_OK;
}

static syn_status move_volume(const syn_pose *pose, syn_tetmesh **volume, syn_error *error) {
  const syn_tetmesh *before = *volume;
  syn_vec3 *points;
  SYN_TRY(SYN_NEW(before->context, &points, before->vertex_count, error));
  for (uint32_t i = 0; i < before->vertex_count; ++i) points[i] = syn_pose_point(pose, before->vertices[i]);
  syn_geometry geometry = syn_tetmesh_geometry(before);
  syn_tetmesh *moved;
  geometry.points = points;
  const syn_status status = syn_tetmesh_from_geometry(before->context, &geometry, &moved, error);
  syn_free(before->context, points);
  SYN_TRY(status);
  syn_tetmesh_destroy(*volume);
  *volume = moved;
  return SYN_OK;
}

static syn_status put_in_place(const syn_json *body, syn_scene_item *item, syn_error *error) {
  const syn_json place = syn_json_member(body, "place");
  syn_pose pose;
  if (!place.value) return SYN_OK;
  SYN_TRY(read_place(&place, &pose, error));
  if (item->volume) SYN_TRY(move_volume(&pose, &item->volume, error));
  if (!item->surface) return SYN_OK;
  syn_trimesh *moved;
  SYN_TRY(syn_trimesh_transform(item->surface, &pose, &moved, error));
  syn_trimesh_destroy(item->surface);
  item->surface = moved;
  return SYN_OK;
}

/* ---- model ----------------------------------------------------------------------------------------------------------
 */

static syn_status read_number(const syn_json *place, const char *key, double *value, syn_error *error) {
  const syn_json member = syn_json_member(place, key);
  return member.value ? syn_json_double(&member, value, error) : SYN_OK;
}

static syn_status read_flag(const syn_json *place, const char *key, bool *value, syn_error *error) {
  const syn_json member = syn_json_member(place, key);
  return member.value ? syn_json_bool(&member, value, error) : SYN_OK;
}

/* Reads a string that must be the name of one of `count` values. */
static syn_status read_word(const syn_json *place, const char *key, const char *(*name)(int value), int count,
                            int *value, syn_error *error) {
  const syn_json member = syn_json_member(place, key);
  const char *word;
  if (!member.value) return SYN_OK;
  SYN_TRY(syn_json_text(&member, &word, error));
  for (int i = 0; i < count; ++i)
    if (strcmp(word, name(i)) == 0) {
      *value = i;
      return SYN_OK;
    }
  char list[256] = "";
  for (int i = 0; i < count; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", name(i));
  return syn_json_fail(&member, error, "is '%s'; expected one of %s", word, list);
}

static const char *law_name(int value) { return syn_law_name((syn_law)value); }
static const char *rule_name(int value) { return syn_spring_rule_name((syn_spring_rule)value); }
static const char *solver_name(int value) { return syn_vdm_solver_name((syn_vdm_solver)value); }

static syn_status read_options(const syn_json *place, syn_soft_options *o, syn_error *error) {
  double anchors = o->anchors;
  int law = (int)o->law, rule = (int)o->springs, solver = (int)o->vdm_solver;
  const syn_json fibre = syn_json_member(place, "fibre");
  if (fibre.value) SYN_TRY(syn_json_vec3(&fibre, &o->fibre, error));
  const struct {
    const char *key;
    double *value;
  } numbers[] = {{"fibre_mpa", &o->fibre_mpa},
                 {"damping_per_s", &o->damping_per_s},
                 {"damping_s", &o->damping_s},
                 {"relaxing_part", &o->relaxing_part},
                 {"relaxing_s", &o->relaxing_s},
                 {"spacing_mm", &o->spacing_mm},
                 {"connectivity_mpa", &o->connectivity_mpa},
                 {"friction", &o->friction},
                 {"medium_kg_m3", &o->medium_kg_m3},
                 {"anchors", &anchors}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    SYN_TRY(read_number(place, numbers[i].key, numbers[i].value, error));
  SYN_TRY(read_word(place, "law", law_name, SYN_LAWS, &law, error));
  SYN_TRY(read_word(place, "springs", rule_name, SYN_SPRING_RULES, &rule, error));
  SYN_TRY(read_word(place, "vdm_solver", solver_name, SYN_VDM_SOLVERS, &solver, error));
  SYN_TRY(read_flag(place, "quadratic", &o->quadratic, error));
  SYN_TRY(read_flag(place, "hexahedra", &o->hexahedra, error));
  SYN_TRY(read_flag(place, "metaballs", &o->metaballs, error));
  SYN_TRY(read_flag(place, "consistent_mass", &o->consistent_mass, error));
  o->law = (syn_law)law;
  o->springs = (syn_spring_rule)rule;
  o->vdm_solver = (syn_vdm_solver)solver;
  const syn_json place_of_anchors = syn_json_member(place, "anchors");
  if (!(anchors >= 1 && anchors <= 16 && anchors == floor(anchors)))
    return syn_json_fail(&place_of_anchors, error, "expected a whole number from 1 to 16");
  o->anchors = (uint32_t)anchors;
  return SYN_OK;
}

/* One number for all directions, or three for an anisotropic bulk modulus in x, y and z. */
static syn_status read_bulk(const syn_json *place, syn_soft_options *o, syn_vec3 *bulk, bool *by_direction,
                            syn_error *error) {
  const syn_json member = syn_json_member(place, "bulk_mpa");
  *by_direction = member.value && json_is_array(member.value);
  return *by_direction ? syn_json_vec3(&member, bulk, error) : read_number(place, "bulk_mpa", &o->bulk_mpa, error);
}

static syn_status set_bulk(const syn_tissue_scene *scene, syn_soft *soft, syn_vec3 bulk, syn_error *error) {
  const uint32_t count = syn_soft_node_count(soft);
  syn_vec3 *all;
  SYN_TRY(SYN_NEW(scene->store->context, &all, count, error));
  for (uint32_t i = 0; i < count; ++i) all[i] = bulk;
  const syn_status status = syn_vdm_set_moduli(soft, all, NULL, error);
  syn_free(scene->store->context, all);
  return status;
}

static bool needs_volume(const char *model) {
  for (size_t i = 0; i < SYN_SOFT_MODELS; ++i)
    if (strcmp(syn_soft_models[i]->info.name, model) == 0) return syn_soft_models[i]->info.needs_volume;
  return false;
}

/* Fills the surface with tetrahedra if the model needs them and the mesh has none. */
static syn_status fill(syn_tissue_scene *scene, const syn_json *place, const char *model, syn_scene_item *item,
                       syn_error *error) {
  syn_tetrahedralize_options options = syn_default_tetrahedralize_options();
  SYN_TRY(read_number(place, "tetrahedra_mm", &options.edge_mm, error));
  if (item->volume || !needs_volume(model)) return SYN_OK;
  syn_warn(scene->store->context, "%s has no tetrahedra: its surface is filled with them", item->name);
  return syn_trimesh_tetrahedralize(item->surface, &options, &item->volume, error);
}

static syn_status make_soft(syn_tissue_scene *scene, const syn_json *place, const char *model, syn_scene_item *item,
                            syn_error *error) {
  unsigned tissue = SYN_TISSUE_CARTILAGE;
  const syn_json tissue_place = syn_json_member(place, "tissue");
  if (tissue_place.value) SYN_TRY(syn_json_member_choice(place, "tissue", syn_tissue_names.names, &tissue, error));
  syn_soft_options options = syn_default_soft_options();
  syn_body body = {.name = item->name, .tissue = (syn_tissue)tissue};
  SYN_TRY(syn_joint_read_material(place, &body.material, error));
  syn_vec3 bulk;
  bool by_direction;
  SYN_TRY(read_options(place, &options, error));
  SYN_TRY(read_bulk(place, &options, &bulk, &by_direction, error));
  SYN_TRY(fill(scene, place, model, item, error));
  body.surface = item->surface;
  body.volume = item->volume;
  if (isnan(syn_body_material(&body).density_kg_m3)) {
    syn_warn(scene->store->context,
             "%s is given the density of water, 1000 kg/m3: none is given, and none is known for %s", item->name,
             syn_tissue_name(body.tissue));
    body.material.density_kg_m3 = 1000;
  }
  syn_error why;
  syn_status status = syn_soft_create(scene->store->context, model, &body, &options, &item->soft, &why);
  if (status == SYN_OK && by_direction) status = set_bulk(scene, item->soft, bulk, &why);
  return status ? syn_scene_blame(place, &why, error) : SYN_OK;
}

/* Adds the body to the simulation, under its name in the scene. */
static syn_status add_to_simulation(syn_tissue_scene *scene, syn_scene_item *item, syn_error *error) {
  return item->soft ? syn_simulation_add_soft(scene->simulation, item->soft, item->name, &item->body, error)
                    : syn_simulation_add_rigid(scene->simulation, item->surface, item->name, &item->body, error);
}

syn_status syn_scene_read_item(syn_tissue_scene *scene, const syn_json *place, const syn_read_options *reading,
                               syn_scene_item *item, syn_error *error) {
  static const char *const keys[] = {"name",
                                     "place",
                                     "mesh",
                                     "shape",
                                     "tissue",
                                     "material",
                                     "model",
                                     "law",
                                     "quadratic",
                                     "hexahedra",
                                     "metaballs",
                                     "friction",
                                     "medium_kg_m3",
                                     "springs",
                                     "spacing_mm",
                                     "anchors",
                                     "fibre",
                                     "fibre_mpa",
                                     "vdm_solver",
                                     "bulk_mpa",
                                     "damping_per_s",
                                     "damping_s",
                                     "relaxing_part",
                                     "relaxing_s",
                                     "tetrahedra_mm",
                                     "connectivity_mpa",
                                     "consistent_mass",
                                     NULL};
  SYN_TRY(syn_json_only_keys(place, keys, error));
  const syn_json name = syn_json_member(place, "name");
  SYN_TRY(syn_json_member_text(place, "name", &scene->store->memory, &item->name, error));
  if (!syn_is_file_name(item->name))
    return syn_json_fail(&name, error, "cannot begin the name of a file: 1 to %d bytes, no '/' and no dot first",
                         (int)SYN_LONGEST_NAME);
  const syn_json mesh = syn_json_member(place, "mesh"), shape = syn_json_member(place, "shape"),
                 model_place = syn_json_member(place, "model");
  if (!mesh.value == !shape.value) return syn_json_fail(place, error, "needs either a mesh or a shape");
  SYN_TRY(mesh.value ? read_mesh(scene, &mesh, reading, item, error) : read_shape(scene, &shape, item, error));
  SYN_TRY(put_in_place(place, item, error));
  const char *model = "rigid";
  if (model_place.value) SYN_TRY(syn_json_text(&model_place, &model, error));
  if (strcmp(model, "rigid") != 0) SYN_TRY(make_soft(scene, place, model, item, error));
  return add_to_simulation(scene, item, error);
}
