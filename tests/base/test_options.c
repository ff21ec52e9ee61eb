/* Option structs and contexts that no default-maker filled in are refused, and NULL stands for the defaults. */
#include "block_hip.h"

#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/fai/fai.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"
#include "clinic/surgery_rows.h"
#include "pressure/contact/contact_solid.h"
#include "pressure/run/pressure_run.h"
#include "report/page_content.h"
#include "tissue/haptics/haptics_scene.h"

#define REFUSED(call, maker) ASSERT_FAILS(call, SYN_BAD_ARGUMENT, maker "()")

static void options_of_meshes_and_files_must_come_from_their_makers(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *mesh;
  syn_tetmesh *tets;
  syn_health health;
  syn_geometry geometry = syn_trimesh_geometry(cube), read;
  const char *path = temporary_path("cube.ply");
  REFUSED(syn_trimesh_check(cube, &(syn_check_options){.self_intersections = true}, &health, &error),
          "syn_default_check_options");
  REFUSED(syn_trimesh_repair(cube, &(syn_repair_options){.orient = true}, &mesh, NULL, &error),
          "syn_default_repair_options");
  REFUSED(syn_trimesh_tetrahedralize(cube, &(syn_tetrahedralize_options){.timeout_s = 1}, &tets, &error),
          "syn_default_tetrahedralize_options");
  REFUSED(syn_geometry_write(NULL, &geometry, path, &(syn_write_options){.binary = true}, &error),
          "syn_default_write_options");
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
  REFUSED(syn_geometry_read(NULL, path, &(syn_read_options){.scale = 1}, &read, &error), "syn_default_read_options");
  const uint16_t voxel = 1;
  syn_image *image;
  REFUSED(syn_image_parse(NULL, "", 0, NULL, &(syn_image_read_options){.crop = true}, &image, &error),
          "syn_default_image_read_options");
  const syn_image one = {.size = {1, 1, 1}, .step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .voxels = &voxel};
  REFUSED(syn_image_write(NULL, &one, path, &(syn_image_write_options){.whole = true}, &error),
          "syn_default_image_write_options");
  syn_image_surfaces *surfaces;
  REFUSED(syn_image_surfaces_create(&one, &(syn_image_surface_options){.apart = true}, &surfaces, &error),
          "syn_default_image_surface_options");
  syn_hip_scan *scan;
  REFUSED(syn_hip_scan_create(&one, &(syn_hip_scan_options){.coarse = true}, &scan, &error),
          "syn_default_hip_scan_options");
  ASSERT_OK(syn_trimesh_check(cube, NULL, &health, &error));
  assert_true(health.outward);
  syn_trimesh_destroy(cube);
}

static void options_of_questions_must_come_from_their_makers(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_body body = {.surface = cube};
  syn_collider *collider;
  for (size_t i = 0; i < syn_method_count(); ++i)
    REFUSED(syn_collider_create(NULL, syn_method_at(i).name, &body, &body,
                                &(syn_collide_options){.center = {0.5, 0.5, 0.5}}, &collider, &error),
            "syn_default_collide_options");
  syn_world *world;
  REFUSED(syn_world_create(NULL, "obb", &(syn_world_options){.margin_mm = 1}, &world, &error),
          "syn_default_world_options");
  const syn_pattern pattern = {0};
  syn_system *system;
  REFUSED(syn_system_create(NULL, &pattern, &(syn_system_options){.method = "auto"}, &system, &error),
          "syn_default_system_options");
  syn_soft *soft;
  REFUSED(syn_soft_fem_create(NULL, &(syn_fem_mesh){0}, &(syn_soft_options){.anchors = 3}, &soft, &error),
          "syn_default_soft_options");
  syn_contact_problem *problem;
  const syn_contact_body touching = {.face_nodes = 3};
  REFUSED(
      syn_contact_problem_create(NULL, &touching, &touching, &(syn_contact_options){.iterations = 9}, &problem, &error),
      "syn_default_contact_options");
  contact_solid solid;
  REFUSED(syn_solid_create(NULL, cube, &(contact_solid_options){.edge_mm = 1}, &solid, &error),
          "syn_default_contact_solid_options");
  const syn_layer layer = {0};
  const fem_loop loop = {.layers = {&layer, &layer}, .options = &(syn_pressure_fem_options){.law = SYN_LAW_LINEAR}};
  REFUSED(syn_pressure_fem_run(&loop, &error), "syn_default_pressure_fem_options");
  syn_convex *convex;
  syn_convex_result result;
  ASSERT_OK(syn_convex_create(NULL, cube->vertices, cube->vertex_count, &convex, &error));
  assert_int_equal(
      syn_convex_query(convex, convex, NULL, &(syn_convex_options){.precision = 1e-9}, NULL, NULL, &result),
      SYN_BAD_ARGUMENT);
  assert_true(isnan(result.distance_mm));
  assert_int_equal(syn_convex_query(convex, convex, NULL, NULL, NULL, NULL, &result), SYN_OK);
  syn_convex_destroy(convex);
  syn_rotation *rotation;
  syn_event event[2], same[2];
  ASSERT_OK(syn_rotation_create(cube, cube, vec3(5, 0, 0), &rotation, &error));
  void *scratch = malloc(syn_rotation_scratch(rotation));
  assert_int_equal(syn_rotation_query(rotation, NULL, vec3(0, 0, 1), &(syn_rotation_options){.limit = {1, 1}}, scratch,
                                      &event[0], &event[1]),
                   SYN_BAD_ARGUMENT);
  assert_true(event[0].kind == SYN_EVENT_NONE && isnan(event[0].angle));
  assert_int_equal(syn_rotation_query(rotation, NULL, vec3(0, 0, 1), NULL, scratch, &event[0], &event[1]), SYN_OK);
  assert_int_equal(syn_rotation_query(rotation, NULL, vec3(0, 0, 1), NULL, scratch, &same[0], &same[1]), SYN_OK);
  assert_true(event[0].angle == same[0].angle);
  assert_int_equal(syn_rotation_query(rotation, NULL, vec3(0, 0, 0), NULL, scratch, &same[0], &same[1]),
                   SYN_BAD_ARGUMENT);
  free(scratch);
  syn_rotation_destroy(rotation);
  syn_trimesh_destroy(cube);
}

static void options_of_the_clinic_must_come_from_their_makers(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_anatomy *anatomy;
  syn_hip_case *hip_case;
  syn_envelope *envelope;
  syn_fai *fai;
  syn_hip_analysis *analysis;
  syn_fadir *fadir;
  syn_center_effect *effect;
  syn_study_counts counts;
  syn_study_summary *summary;
  const syn_report report = {0};
  REFUSED(syn_anatomy_create(NULL, cube, NULL, &(syn_anatomy_options){0}, &anatomy, &error),
          "syn_default_anatomy_options");
  REFUSED(syn_hip_case_create(NULL, &(syn_hip_input){0}, &hip_case, &error), "syn_default_hip_input");
  syn_layer socket, head;
  REFUSED(syn_hip_layers_create(NULL, NULL, &(syn_layer_options){.edge_mm = 2}, &socket, &head, &error),
          "syn_default_layer_options");
  assert_int_not_equal(syn_hip_case_create(NULL, NULL, &hip_case, &error), SYN_OK); /* it names no mesh */
  REFUSED(syn_envelope_create(NULL, NULL, &(syn_envelope_options){.step = 1}, &envelope, &error),
          "syn_default_envelope_options");
  REFUSED(syn_fai_create(NULL, NULL, NULL, 0, &(syn_fai_options){0}, &fai, &error), "syn_default_fai_options");
  REFUSED(syn_hip_analysis_create(NULL, NULL, &(syn_hip_analysis_options){.parts = 1}, &analysis, &error),
          "syn_default_hip_analysis_options");
  syn_joint *joint;
  syn_joint_analysis *joint_analysis;
  REFUSED(syn_joint_open(NULL, &(syn_joint_input){.joint = "joint.json"}, &joint, &error), "syn_default_joint_input");
  REFUSED(
      syn_joint_analysis_create(NULL, NULL, &(syn_joint_analysis_options){.motion_count = 1}, &joint_analysis, &error),
      "syn_default_joint_analysis_options");
  syn_skeleton_analysis *skeleton;
  REFUSED(syn_skeleton_analysis_create(NULL, NULL, &(syn_skeleton_analysis_options){.bodies = true}, &skeleton, &error),
          "syn_default_skeleton_analysis_options");
  REFUSED(syn_fadir_create(NULL, NULL, NULL, &(syn_fadir_options){.step = 1}, &fadir, &error),
          "syn_default_fadir_options");
  REFUSED(syn_center_effect_create(NULL, NULL, NULL, NULL, &(syn_center_effect_options){.band_mm = 1}, &effect, &error),
          "syn_default_center_effect_options");
  syn_depths *depths;
  REFUSED(syn_depths_create(NULL, NULL, NULL, 0, &(syn_depth_options){.by_step = true}, &depths, &error),
          "syn_default_depth_options");
  syn_rom *refused;
  REFUSED(syn_rom_create(NULL, NULL, &(syn_rom_options){.articular_between_bones = true}, &refused, &error),
          "syn_default_rom_options");
  REFUSED(syn_hip_bands_find(NULL, NULL, &(syn_band_options){.draws = 1}, NULL, 0, &error), "syn_default_band_options");
  syn_resection *resection;
  REFUSED(syn_resection_create(NULL, NULL, &(syn_resection_options){.step_mm = 1}, &resection, &error),
          "syn_default_resection_options");
  syn_ligament *ligament;
  REFUSED(
      syn_ligament_create(NULL, NULL, SYN_LIGAMENT_TERES, &(syn_ligament_options){.young_mpa = 1}, &ligament, &error),
      "syn_default_ligament_options");
  syn_congruity *congruity;
  REFUSED(syn_congruity_create(NULL, NULL, &(syn_congruity_options){.step = 1}, &congruity, &error),
          "syn_default_congruity_options");
  syn_osteotomy *osteotomy;
  REFUSED(syn_osteotomy_create(NULL, NULL, &(syn_osteotomy_options){.edge_mm = 1}, &osteotomy, &error),
          "syn_default_osteotomy_options");
  syn_ligament_rom *ligament_rom;
  REFUSED(syn_ligament_rom_create(NULL, NULL, &(syn_ligament_rom_options){.step = 1}, &ligament_rom, &error),
          "syn_default_ligament_rom_options");
  syn_ligament_stiffness *stiffness;
  REFUSED(syn_ligament_stiffness_create(NULL, NULL, &(syn_ligament_stiffness_options){.step = 1}, &stiffness, &error),
          "syn_default_ligament_stiffness_options");
  syn_viewer *viewer;
  REFUSED(syn_viewer_create(NULL, NULL, &(syn_viewer_options){.port = 1}, &viewer, &error),
          "syn_default_viewer_options");
  REFUSED(syn_report_write(NULL, &report, &(syn_report_options){0}, temporary_path("r.html"), &error),
          "syn_default_report_options");
  REFUSED(syn_publish(NULL, &syn_hip_record, NULL, &(syn_publish_options){0}, temporary_path("r"), &error),
          "syn_default_publish_options");
  REFUSED(syn_study_run(NULL, &(syn_study_options){.folder = "study"}, &counts, &error), "syn_default_study_options");
  REFUSED(syn_study_summarise(NULL, &(syn_study_options){.folder = "study"}, NULL, &summary, &error),
          "syn_default_study_options");
  syn_trimesh_destroy(cube);
}

static void no_options_of_meshes_and_questions_are_the_defaults(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *read, *repaired;
  syn_tetmesh *tets;
  syn_collider *collider;
  const syn_geometry geometry = syn_trimesh_geometry(cube);
  const syn_body body = {.surface = cube};
  const char *path = temporary_path("default.ply");
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &read, &error));
  ASSERT_OK(syn_trimesh_repair(cube, NULL, &repaired, NULL, &error));
  const syn_status filled = syn_trimesh_tetrahedralize(cube, NULL, &tets, &error);
  assert_true(filled == SYN_OK || filled == SYN_NO_PROGRAM);
  ASSERT_OK(syn_collider_create(NULL, "distance", &body, &body, NULL, &collider, &error));
  syn_collider_destroy(collider);
  syn_tetmesh_destroy(tets);
  syn_trimesh_destroy(repaired);
  syn_trimesh_destroy(read);
  syn_trimesh_destroy(cube);
}

static void no_options_of_the_clinic_are_the_defaults(void **state) {
  (void)state;
  syn_error error;
  syn_rom *rom;
  syn_envelope *envelope;
  syn_fadir *fadir;
  syn_fai *fai;
  syn_center_effect *effect;
  syn_anatomy *anatomy;
  const syn_pose pose = syn_pose_identity();
  const syn_centers centers = {.spread_mm = 0};
  const syn_report report = {.kind = "hip", .title = "a hip"};
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  ASSERT_OK(syn_hip_rom_create(NULL, &blocks.hip, &rom, &error));
  ASSERT_OK(syn_envelope_create(NULL, rom, NULL, &envelope, &error));
  ASSERT_OK(syn_fadir_create(NULL, &blocks.hip, rom, NULL, &fadir, &error));
  ASSERT_OK(syn_center_effect_create(NULL, &blocks.hip, NULL, &centers, NULL, &effect, &error));
  ASSERT_NEAR(fadir->step, 5 * SYN_PI / 180, 1e-15);
  assert_true(effect->band_mm == 3);
  /* Blocks are no bones, and this hip has no soft tissue: refused, but not for want of options. */
  assert_int_equal(syn_fai_create(NULL, &blocks.hip, &pose, 1, NULL, &fai, &error), SYN_BAD_ARGUMENT);
  assert_null(strstr(error.message, "syn_default_"));
  assert_int_equal(syn_anatomy_create(NULL, blocks.hip.parts[SYN_HIP_PELVIS], NULL, NULL, &anatomy, &error),
                   SYN_BAD_MESH);
  ASSERT_OK(syn_report_write(NULL, &report, NULL, temporary_path("default.html"), &error));
  syn_center_effect_destroy(effect);
  syn_fadir_destroy(fadir);
  syn_envelope_destroy(envelope);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

static void options_of_tissues_must_come_from_their_makers(void **state) {
  (void)state;
  syn_error error;
  syn_simulation *simulation;
  syn_soft *soft;
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_body body = {.surface = cube, .tissue = SYN_TISSUE_MUSCLE, .material = syn_material_unknown()};
  uint32_t a, b;
  REFUSED(syn_soft_create(NULL, "vdm", &body, &(syn_soft_options){.anchors = 1}, &soft, &error),
          "syn_default_soft_options");
  syn_graft *graft;
  REFUSED(syn_graft_create(NULL, cube, cube, &(syn_graft_options){.width_mm = 1}, &graft, &error),
          "syn_default_graft_options");
  syn_foundation *foundation;
  REFUSED(syn_foundation_create(NULL, NULL, NULL, cube, vec3(0, 0, 0), &(syn_foundation_options){.resolution = 1},
                                &foundation, &error),
          "syn_default_foundation_options");
  syn_loads loads;
  syn_pressure *pressure;
  REFUSED(syn_loads_create(NULL, &(syn_hip){0}, NULL, &(syn_load_options){.steps = 1}, &loads, &error),
          "syn_default_load_options");
  REFUSED(
      syn_pressure_run(NULL, &(syn_hip_case){0}, &(syn_pressure_options){.method = "foundation"}, &pressure, &error),
      "syn_default_pressure_options");
  REFUSED(syn_simulation_create(NULL, &(syn_simulation_options){.step_s = 1}, &simulation, &error),
          "syn_default_simulation_options");
  ASSERT_OK(syn_simulation_create(NULL, NULL, &simulation, &error));
  ASSERT_OK(syn_simulation_add_rigid(simulation, cube, NULL, &a, &error));
  ASSERT_OK(syn_simulation_add_rigid(simulation, cube, NULL, &b, &error));
  REFUSED(syn_simulation_touch(simulation, a, b, &(syn_touch_options){.method = "distance"}, &error),
          "syn_default_touch_options");
  syn_haptics *haptics;
  syn_haptics_device device;
  REFUSED(syn_haptics_create(NULL, simulation, a, &(syn_haptics_options){.max_points = 1}, &haptics, &error),
          "syn_default_haptics_options");
  REFUSED(syn_haptics_push_device(NULL, &(syn_haptics_push){.period_s = 1}, &device, &error),
          "syn_default_haptics_push");
  REFUSED(syn_haptics_draw(NULL, &(syn_haptics_image){.width = 1}, vec3(0, 0, 0), NULL, &error),
          "syn_default_haptics_image");
  syn_simulation_destroy(simulation);
  syn_tissue_scene *scene;
  syn_tissue_run *run;
  ASSERT_OK(syn_tissue_scene_read(NULL, SYN_SOURCE_DIR "/examples/scenes/beam.json", NULL, &scene, &error));
  REFUSED(syn_tissue_scene_run(scene, &(syn_tissue_run_options){.restart = true}, &run, &error),
          "syn_default_tissue_run_options");
  syn_tissue_scene_destroy(scene);
  syn_trimesh_destroy(cube);
}

/* A context that was never initialised has callbacks of noise: they must not be called. */
static void a_context_of_noise_is_refused(void **state) {
  (void)state;
  syn_context noise;
  syn_error error;
  syn_trimesh *mesh, *cube = make_cube(NULL, 1);
  syn_collider *collider;
  syn_anatomy *anatomy;
  const syn_body body = {.surface = cube};
  memset(&noise, 0x55, sizeof noise);
  REFUSED(syn_trimesh_create(&noise, cube->vertices, 8, cube->triangles, 12, &mesh, &error), "syn_default_context");
  REFUSED(syn_collider_create(&noise, "radial", &body, &body, NULL, &collider, &error), "syn_default_context");
  REFUSED(syn_anatomy_create(&noise, cube, NULL, NULL, &anatomy, &error), "syn_default_context");
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_of_meshes_and_files_must_come_from_their_makers),
      cmocka_unit_test(options_of_questions_must_come_from_their_makers),
      cmocka_unit_test(options_of_the_clinic_must_come_from_their_makers),
      cmocka_unit_test(no_options_of_meshes_and_questions_are_the_defaults),
      cmocka_unit_test(no_options_of_the_clinic_are_the_defaults),
      cmocka_unit_test(options_of_tissues_must_come_from_their_makers),
      cmocka_unit_test(a_context_of_noise_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
