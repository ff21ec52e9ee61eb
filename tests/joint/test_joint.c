#include "joint/joint_store.h"
#include "support.h"

#include "base/status.h"
#include "base/vec.h"
#include "block_hip.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static syn_status add_block_body(syn_joint *joint, const char *name, syn_error *error) {
  const syn_body body = {.name = name,
                         .tissue = SYN_TISSUE_BONE,
                         .material = syn_material_unknown(),
                         .surface = make_block(joint->context, vec3(0, 0, 0), vec3(1, 2, 3))};
  return syn_joint_add_body(joint, &body, error);
}

static void bodies_are_copied_and_found_by_name(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_joint *joint;
  ASSERT_OK(syn_joint_create(&context, &joint, &error));
  for (int i = 0; i < 40; ++i) {
    char name[24]; /* reused: the joint keeps a copy */
    snprintf(name, sizeof name, "body %d", i);
    ASSERT_OK(add_block_body(joint, name, &error));
  }
  assert_int_equal(joint->body_count, 40);
  assert_ptr_equal(syn_joint_body_named(joint, "body 17"), &joint->bodies[17]);
  assert_null(syn_joint_body_named(joint, "body 40"));
  ASSERT_OK(syn_joint_set_mesh_file(joint, 3, "three.ply", &error));
  assert_string_equal(joint->bodies[3].mesh_file, "three.ply");
  syn_joint_destroy(joint);
  syn_joint_destroy(NULL);
  assert_int_equal(memory.live, 0);
}

/* ---- materials --------------------------------------------------------------------------------------------------- */

static void measured_ranges_are_in_order_and_have_sources(void **state) {
  (void)state;
  const syn_tissue_range *ranges = syn_tissue_ranges;
  size_t of_bone = 0;
  for (size_t i = 0; i < SYN_TISSUE_RANGES; ++i) {
    assert_true(ranges[i].low > 0 && ranges[i].low <= ranges[i].high);
    assert_true(ranges[i].source && *ranges[i].source && ranges[i].quantity && ranges[i].unit);
    if (i) assert_true(ranges[i - 1].tissue <= ranges[i].tissue);
    of_bone += ranges[i].tissue == SYN_TISSUE_BONE;
  }
  assert_true(of_bone == 5);
}

static void open_numbers_come_from_the_tissue(void **state) {
  (void)state;
  for (syn_tissue tissue = 0; tissue < SYN_TISSUES; ++tissue) {
    const char *source = NULL;
    const syn_material typical = syn_tissue_material(tissue, &source);
    assert_true(source && source[0]);
    assert_true(!isnan(typical.young_mpa) || !isnan(typical.density_kg_m3));
    const syn_body given = {.tissue = tissue, .material = {7, NAN, NAN}};
    const syn_material material = syn_body_material(&given);
    assert_true(material.young_mpa == 7);
    assert_memory_equal(&material.poisson, &typical.poisson, sizeof typical.poisson);
  }
  /* Arbabi 2009, §4.3.2.3 */
  const syn_material cartilage = syn_tissue_material(SYN_TISSUE_CARTILAGE, NULL);
  assert_true(cartilage.young_mpa == 12 && cartilage.poisson == 0.45);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* A joint file with a surface and a volume beside it. */
static const char *write_joint(void) {
  syn_error error;
  static char path[4096];
  syn_joint *beam;
  snprintf(path, sizeof path, "%s", temporary_path("joint.json"));
  ASSERT_OK(syn_shape_create(NULL, "beam", NULL, 0, &beam, &error));
  const syn_geometry surface = syn_trimesh_geometry(beam->bodies[0].surface),
                     volume = syn_tetmesh_geometry(beam->bodies[0].volume);
  ASSERT_OK(syn_geometry_write(NULL, &surface, temporary_path("plate.ply"), NULL, &error));
  ASSERT_OK(syn_geometry_write(NULL, &volume, temporary_path("beam.vtu"), NULL, &error));
  const syn_body bodies[] = {{.name = "plate", .mesh_file = "plate.ply", .material = syn_material_unknown()},
                             {.name = "beam",
                              .mesh_file = "beam.vtu",
                              .tissue = SYN_TISSUE_LIGAMENT,
                              .moves = true,
                              .material = syn_tissue_material(SYN_TISSUE_LIGAMENT, NULL)}};
  const syn_joint joint = {.name = "two", .body_count = 2, .bodies = bodies};
  ASSERT_OK(syn_joint_write(NULL, &joint, path, &error));
  syn_joint_destroy(beam);
  return path;
}

static syn_status load(const syn_context *context, void *path, syn_error *error) {
  syn_joint *joint;
  SYN_TRY(syn_joint_read(context, path, &joint, error));
  const syn_status status = syn_joint_load(joint, NULL, error);
  syn_joint_destroy(joint);
  return status;
}

static void meshes_are_read_when_asked_for(void **state) {
  (void)state;
  syn_error error;
  const char *path = write_joint();
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, path, &joint, &error));
  assert_true(!joint->bodies[0].surface && !joint->bodies[1].volume);
  ASSERT_OK(syn_joint_load_body(joint, 1, NULL, &error));
  assert_true(!joint->bodies[0].surface && joint->bodies[1].surface && joint->bodies[1].volume);
  const syn_tetmesh *volume = joint->bodies[1].volume;
  ASSERT_OK(syn_joint_load(joint, NULL, &error));
  assert_true(joint->bodies[0].surface && !joint->bodies[0].volume);
  assert_ptr_equal(joint->bodies[1].volume, volume); /* not read twice */
  assert_true(joint->bodies[1].material.young_mpa == 0.8);
  syn_joint_destroy(joint);
  check_every_allocation(load, (void *)(uintptr_t)path);
}

static void a_missing_mesh_is_named(void **state) {
  (void)state;
  syn_error error;
  const syn_body body = {.name = "gone", .mesh_file = "no/such.ply", .material = syn_material_unknown()};
  syn_joint *joint;
  ASSERT_OK(syn_joint_create(NULL, &joint, &error));
  ASSERT_OK(syn_joint_add_body(joint, &body, &error));
  ASSERT_FAILS(syn_joint_load(joint, NULL, &error), SYN_NOT_FOUND, "cannot open");
  assert_string_equal(error.file, "no/such.ply");
  syn_joint_destroy(joint);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static void a_hip_knows_what_glides_and_what_strikes(void **state) {
  (void)state;
  syn_error error;
  syn_joint *hip, *lever;
  ASSERT_OK(syn_shape_create(NULL, "hip", (syn_shape_value[]){{"resolution", 2}}, 1, &hip, &error));
  ASSERT_OK(syn_shape_create(NULL, "lever", NULL, 0, &lever, &error));
  assert_int_equal(hip->contact_count, 3); /* cartilage and the zone towards the labrum glide */
  for (size_t i = 0; i < 3; ++i) {
    const bool strikes = strcmp(hip->contacts[i].fixed, "labrum") == 0;
    assert_string_equal(hip->contacts[i].mobile, strikes ? "femur" : "femoral_cartilage");
    assert_int_equal(hip->contacts[i].kind, strikes ? SYN_CONTACT_CURVILINEAR : SYN_CONTACT_RADIAL);
  }
  assert_int_equal(lever->contact_count, 1); /* nothing known of its tissues: all pairs */
  assert_int_equal(lever->contacts[0].kind, SYN_CONTACT_BOTH);
  syn_joint_destroy(hip);
  syn_joint_destroy(lever);
}

/* A released body keeps no address of what is gone: it may be released again, and looks empty. */
static void a_released_body_is_empty(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const syn_tet tet = {{0, 1, 2, 3}};
  syn_tetmesh *volume;
  syn_trimesh *surface;
  ASSERT_OK(syn_tetmesh_create(NULL, points, 4, &tet, 1, &volume, &error));
  ASSERT_OK(syn_tetmesh_surface(volume, &surface, NULL, &error));
  syn_body body = {.name = "block", .surface = surface, .volume = volume};
  syn_body_release(&body);
  assert_null(body.surface);
  assert_null(body.volume);
  syn_body_release(&body);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measured_ranges_are_in_order_and_have_sources),
      cmocka_unit_test(bodies_are_copied_and_found_by_name),
      cmocka_unit_test(open_numbers_come_from_the_tissue),
      cmocka_unit_test(meshes_are_read_when_asked_for),
      cmocka_unit_test(a_missing_mesh_is_named),
      cmocka_unit_test(a_released_body_is_empty),
      cmocka_unit_test(a_hip_knows_what_glides_and_what_strikes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
