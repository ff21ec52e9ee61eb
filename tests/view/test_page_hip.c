/* The hip inside a page: unpacked it is the same to the last bit, and it answers what the viewer answers, byte for
 * byte. */
#include "block_viewer.h"
#include "program.h"
#include "report/display.h"
#include "report/hip/packed.h"
#include "view/page_hip.h"

typedef struct packed_blocks {
  syn_display displays[SYN_HIP_PARTS];
  unsigned char *bytes;
  size_t size;
} packed_blocks;

/* As the report does it. */
static packed_blocks pack_blocks(const syn_hip *hip) {
  enum { MOST = 60000 };
  packed_blocks made;
  syn_packed_shown shown[SYN_HIP_PARTS] = {{NULL, 0}};
  size_t most[SYN_HIP_PARTS];
  syn_error error;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) most[i] = MOST;
  ASSERT_OK(syn_displays_make(NULL, hip->parts, most, SYN_HIP_PARTS, made.displays, &error));
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (hip->parts[i]) shown[i] = (syn_packed_shown){made.displays[i].source, made.displays[i].mesh->vertex_count};
  ASSERT_OK(syn_hip_pack(NULL, hip, shown, &made.bytes, &made.size, &error));
  return made;
}

static void drop_packed(packed_blocks *packed) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i) syn_display_release(NULL, &packed->displays[i]);
  free(packed->bytes);
}

/* Of places that are floats, and of others. */
static void a_hip_comes_back_to_the_last_bit(void **state) {
  const scene *s = *state;
  for (int k = 0; k < 2; ++k) {
    syn_hip hip = s->blocks.hip;
    syn_error error;
    syn_trimesh *moved;
    const syn_pose pose = syn_pose_about_axis(hip.center, (syn_vec3){1, 2, 3}, 0.1);
    ASSERT_OK(syn_trimesh_transform(hip.parts[SYN_HIP_FEMUR], &pose, &moved, &error));
    if (k) hip.parts[SYN_HIP_FEMUR] = moved;
    hip.seat = (syn_vec3){0.1, -0.2, 0.3};
    packed_blocks packed = pack_blocks(&hip);
    syn_hip_unpacked back;
    ASSERT_OK(syn_hip_unpack(NULL, packed.bytes, packed.size, &back, &error));
    for (int i = 0; i < SYN_HIP_PARTS; ++i) {
      if (!hip.parts[i]) {
        assert_null(back.hip.parts[i]);
        continue;
      }
      const syn_trimesh *was = hip.parts[i], *is = back.hip.parts[i];
      assert_int_equal(is->vertex_count, was->vertex_count);
      assert_int_equal(is->triangle_count, was->triangle_count);
      assert_memory_equal(is->vertices, was->vertices, was->vertex_count * sizeof *was->vertices);
      assert_memory_equal(is->triangles, was->triangles, was->triangle_count * sizeof *was->triangles);
      assert_int_equal(back.shown[i], packed.displays[i].mesh->vertex_count);
      assert_memory_equal(back.source[i], packed.displays[i].source, back.shown[i] * sizeof(uint32_t));
      hip.parts[i] = back.hip.parts[i] = NULL;
    }
    assert_memory_equal(&back.hip, &hip, sizeof hip);
    syn_hip_unpacked_release(&back);
    drop_packed(&packed);
    syn_trimesh_destroy(moved);
  }
}

/* Each byte changed and each length cut: an error or a hip, never more. */
static void damaged_bytes_are_refused(void **state) {
  const scene *s = *state;
  packed_blocks packed = pack_blocks(&s->blocks.hip);
  size_t refused = 0;
  for (size_t i = 0; i <= packed.size; ++i) {
    unsigned char *bytes = malloc(packed.size + 1);
    syn_error error;
    syn_hip_unpacked back;
    memcpy(bytes, packed.bytes, packed.size);
    assert_int_equal(syn_hip_unpack(NULL, bytes, i, &back, &error), i == packed.size ? SYN_OK : SYN_BAD_FORMAT);
    syn_hip_unpacked_release(&back);
    if (i < packed.size) bytes[i] ^= 0x81;
    refused += syn_hip_unpack(NULL, bytes, packed.size, &back, &error) != SYN_OK;
    syn_hip_unpacked_release(&back);
    free(bytes);
  }
  assert_true(refused > 100);
  drop_packed(&packed);
}

static syn_page_hip *open_page(const syn_hip *hip) {
  packed_blocks packed = pack_blocks(hip);
  syn_page_hip *page = syn_page_hip_create();
  assert_non_null(page);
  assert_int_equal(syn_page_hip_open(page, packed.bytes, packed.size), SYN_OK);
  drop_packed(&packed);
  return page;
}

static void rows_of(const syn_pose *pose, double rows[16]) { syn_pose_to_matrix(pose, rows); }

/* The page's answer and the viewer's. */
static void compare_pose(const scene *s, syn_page_hip *page, const syn_pose *pose, const char *field) {
  double rows[16];
  rows_of(pose, rows);
  pose_answer a = ask_pose(&s->viewer, pose, field);
  assert_int_equal(syn_page_hip_pose(page, rows, field), SYN_OK);
  const unsigned char *own = (const unsigned char *)syn_page_hip_answer(page);
  const size_t padded = own[0] | (size_t)own[1] << 8 | (size_t)own[2] << 16;
  assert_int_equal(syn_page_hip_answer_size(page), 4 + padded + 2 * a.stored_count);
  assert_memory_equal(own + 4 + padded, a.stored, 2 * a.stored_count);
  json_t *value = json_loadb((const char *)own + 4, padded, 0, NULL);
  assert_true(json_equal(value, a.value));
  json_decref(value);
  end_pose(&a);
}

static void it_answers_what_the_viewer_answers(void **state) {
  const scene *s = *state;
  static const char *const fields[] = {"pose_depth", "pose_radial", ""};
  syn_page_hip *page = open_page(&s->blocks.hip);
  for (int k = 0; k < 12; ++k) {
    const syn_pose pose =
        syn_hip_pose(&s->blocks.hip, (syn_hip_angles){(k - 3) * 0.2, (k % 4 - 2) * 0.15, (k % 3 - 1) * 0.3});
    compare_pose(s, page, &pose, fields[k % 3]);
  }
  syn_page_hip_destroy(page);
}

static void a_pose_that_is_none_is_refused_with_a_sentence(void **state) {
  const scene *s = *state;
  syn_page_hip *page = open_page(&s->blocks.hip);
  const double flat[12] = {0};
  assert_int_equal(syn_page_hip_pose(page, flat, ""), SYN_BAD_ARGUMENT);
  assert_true(syn_page_hip_answer_size(page) > 10);
  assert_int_equal(syn_page_hip_undo(page), SYN_BAD_ARGUMENT);
  assert_int_equal(syn_page_hip_cut(page, 0, 0, 0, 5, 4), SYN_BAD_ARGUMENT);
  syn_page_hip_destroy(page);
}

static double limit_of(syn_page_hip *page, const char *name) {
  assert_int_equal(syn_page_hip_limits(page), SYN_OK);
  const char *own = syn_page_hip_answer(page);
  json_t *value = json_loadb(own + 4, syn_page_hip_answer_size(page) - 4, 0, NULL);
  const double limit = number_named(value, name);
  json_decref(value);
  return limit;
}

/* A cut frees the motion that its place has stopped; taken back, everything is as it was. */
static void a_cut_gains_degrees_and_can_be_taken_back(void **state) {
  const scene *s = *state;
  const double degrees = 180 / 3.14159265358979323846;
  syn_page_hip *page = open_page(&s->blocks.hip);
  syn_rom *rom;
  syn_error error;
  syn_limit limit;
  ASSERT_OK(syn_hip_rom_create(NULL, &s->blocks.hip, &rom, &error));
  char *scratch = malloc(syn_rom_scratch(rom));
  syn_rom_query(rom, syn_clinical_motion_named("flexion"), scratch, &limit);
  free(scratch);
  syn_rom_destroy(rom);
  ASSERT_NEAR(limit_of(page, "flexion"), block_flexion() * degrees, 1e-9);
  const syn_vec3 at = limit.mobile_point;
  assert_int_equal(syn_page_hip_cut(page, at.x, at.y, at.z, 40, 1), SYN_OK);
  assert_int_equal(syn_page_hip_answer_size(page) % sizeof(syn_vec3), 0);
  assert_true(syn_page_hip_removed_mm3(page) > 0);
  assert_true(limit_of(page, "flexion") > block_flexion() * degrees + 0.01);
  assert_int_equal(syn_page_hip_undo(page), SYN_OK);
  assert_true(syn_page_hip_removed_mm3(page) == 0);
  ASSERT_NEAR(limit_of(page, "flexion"), block_flexion() * degrees, 1e-9);
  const syn_pose pose = syn_hip_pose(&s->blocks.hip, (syn_hip_angles){.flexion = 0.2});
  compare_pose(s, page, &pose, "pose_depth");
  syn_page_hip_destroy(page);
}

static void the_centre_moves_as_in_the_library(void **state) {
  const scene *s = *state;
  syn_page_hip *page = open_page(&s->blocks.hip);
  syn_hip hip = s->blocks.hip;
  syn_rom *rom;
  syn_error error;
  syn_limit limit;
  hip.center.z += 1;
  ASSERT_OK(syn_hip_rom_create(NULL, &hip, &rom, &error));
  char *scratch = malloc(syn_rom_scratch(rom));
  syn_rom_query(rom, syn_clinical_motion_named("flexion"), scratch, &limit);
  assert_int_equal(syn_page_hip_set_center(page, hip.center.x, hip.center.y, hip.center.z), SYN_OK);
  assert_true(limit_of(page, "flexion") == limit.angle * SYN_RADIAN);
  assert_int_equal(syn_page_hip_set_joint_radius(page, 1000), SYN_OK); /* nothing of the femur counts */
  assert_true(syn_page_hip_joint_radius(page) == 1000);
  free(scratch);
  syn_rom_destroy(rom);
  syn_page_hip_destroy(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hip_comes_back_to_the_last_bit),
      cmocka_unit_test(damaged_bytes_are_refused),
      cmocka_unit_test(it_answers_what_the_viewer_answers),
      cmocka_unit_test(a_pose_that_is_none_is_refused_with_a_sentence),
      cmocka_unit_test(a_cut_gains_degrees_and_can_be_taken_back),
      cmocka_unit_test(the_centre_moves_as_in_the_library),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
