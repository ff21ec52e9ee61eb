/* One rule for the whole library: after a failure the pointer to a result is NULL, so that destroying it does nothing.
 * Every allocation of every call is refused once. */
#include "block_hip.h"

#include "clinic/center/center.h"
#include "clinic/fai/fai.h"
#include "clinic/hip.h"

typedef struct subject {
  syn_trimesh *mesh;
  block_hip blocks;
  syn_rom *rom;
} subject;

/* Calls once, with its own context in every object that it is given. *out starts as a wild pointer. */
typedef syn_status (*attempt)(const subject *s, const syn_context *context, void **out, syn_error *error);

static syn_status transform(const subject *s, const syn_context *context, void **out, syn_error *error) {
  const syn_trimesh mesh = with_context(s->mesh, context);
  const syn_pose pose = syn_pose_identity();
  return syn_trimesh_transform(&mesh, &pose, (syn_trimesh **)out, error);
}

static syn_status mirror(const subject *s, const syn_context *context, void **out, syn_error *error) {
  const syn_trimesh mesh = with_context(s->mesh, context);
  return syn_trimesh_mirror(&mesh, (syn_trimesh **)out, error);
}

static syn_status decimate(const subject *s, const syn_context *context, void **out, syn_error *error) {
  const syn_trimesh mesh = with_context(s->mesh, context);
  return syn_trimesh_decimate(&mesh, 60, (syn_trimesh **)out, NULL, error);
}

static syn_status repair(const subject *s, const syn_context *context, void **out, syn_error *error) {
  const syn_trimesh mesh = with_context(s->mesh, context);
  const syn_repair_options options = syn_default_repair_options();
  syn_repair_report report;
  return syn_trimesh_repair(&mesh, &options, (syn_trimesh **)out, &report, error);
}

static syn_status smooth(const subject *s, const syn_context *context, void **out, syn_error *error) {
  const syn_trimesh mesh = with_context(s->mesh, context);
  return syn_trimesh_smooth(&mesh, 2, (syn_trimesh **)out, error);
}

static syn_status subdivide(const subject *s, const syn_context *context, void **out, syn_error *error) {
  const syn_trimesh mesh = with_context(s->mesh, context);
  return syn_trimesh_subdivide_loop(&mesh, (syn_trimesh **)out, error);
}

static void drop_trimesh(void *made) { syn_trimesh_destroy(made); }

static syn_status topology(const subject *s, const syn_context *context, void **out, syn_error *error) {
  const syn_trimesh mesh = with_context(s->mesh, context);
  return syn_topology_create(&mesh, (syn_topology **)out, error);
}

static void drop_topology(void *made) { syn_topology_destroy(made); }

static syn_status convex(const subject *s, const syn_context *context, void **out, syn_error *error) {
  return syn_convex_create(context, s->mesh->vertices, s->mesh->vertex_count, (syn_convex **)out, error);
}

static void drop_convex(void *made) { syn_convex_destroy(made); }

static syn_status collision(const subject *s, const syn_context *context, void **out, syn_error *error) {
  const syn_trimesh mesh = with_context(s->mesh, context);
  const syn_body body = {.surface = &mesh};
  return syn_collision_create(context, "radial", &body, &body, NULL, NULL, 5, (syn_collision **)out, error);
}

static void drop_collision(void *made) { syn_collision_destroy(made); }

static syn_status rom(const subject *s, const syn_context *context, void **out, syn_error *error) {
  return syn_hip_rom_create(context, &s->blocks.hip, (syn_rom **)out, error);
}

static void drop_rom(void *made) { syn_rom_destroy(made); }

static syn_status envelope(const subject *s, const syn_context *context, void **out, syn_error *error) {
  syn_envelope_options options = syn_default_envelope_options();
  options.step = 0.5;
  return syn_envelope_create(context, s->rom, &options, (syn_envelope **)out, error);
}

static void drop_envelope(void *made) { syn_envelope_destroy(made); }

static syn_status fadir(const subject *s, const syn_context *context, void **out, syn_error *error) {
  return syn_fadir_create(context, &s->blocks.hip, s->rom, NULL, (syn_fadir **)out, error);
}

static void drop_fadir(void *made) { syn_fadir_destroy(made); }

static syn_status effect(const subject *s, const syn_context *context, void **out, syn_error *error) {
  syn_centers centers = {0};
  return syn_center_effect_create(context, &s->blocks.hip, NULL, &centers, NULL, (syn_center_effect **)out, error);
}

static void drop_effect(void *made) { syn_center_effect_destroy(made); }

static syn_status hip_case(const subject *s, const syn_context *context, void **out, syn_error *error) {
  (void)s;
  syn_hip_input input = syn_default_hip_input();
  input.joint = "/no/such/joint.json";
  return syn_hip_case_create(context, &input, (syn_hip_case **)out, error);
}

static void drop_hip_case(void *made) { syn_hip_case_destroy(made); }

static const struct {
  const char *name;
  attempt run;
  void (*drop)(void *made);
  bool fails_anyway;
} calls[] = {
    {"transform", transform, drop_trimesh, false},   {"mirror", mirror, drop_trimesh, false},
    {"decimate", decimate, drop_trimesh, false},     {"repair", repair, drop_trimesh, false},
    {"smooth", smooth, drop_trimesh, false},         {"subdivide", subdivide, drop_trimesh, false},
    {"topology", topology, drop_topology, false},    {"convex", convex, drop_convex, false},
    {"collision", collision, drop_collision, false}, {"rom", rom, drop_rom, false},
    {"envelope", envelope, drop_envelope, false},    {"fadir", fadir, drop_fadir, false},
    {"center effect", effect, drop_effect, false},   {"hip case", hip_case, drop_hip_case, true},
};

static void a_result_that_failed_is_NULL(void **state) {
  (void)state;
  test_random random = {7};
  syn_error error;
  subject s = {.mesh = make_blob(NULL, &random, 6, 8, 0.1)};
  s.blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  ASSERT_OK(syn_hip_rom_create(NULL, &s.blocks.hip, &s.rom, &error));
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    for (size_t refuse = 1;; ++refuse) {
      test_memory memory = {.refuse_at = refuse};
      const syn_context context = test_context(&memory);
      void *out = &memory; /* invalid pointer: must not be destroyed */
      const syn_status status = calls[i].run(&s, &context, &out, &error);
      if (status == SYN_OK) {
        calls[i].drop(out);
        assert_int_equal(memory.live, 0);
        break;
      }
      if (out) fail_msg("%s leaves a pointer after allocation %zu was refused", calls[i].name, refuse);
      assert_int_equal(memory.live, 0);
      if (calls[i].fails_anyway && status != SYN_NO_MEMORY) break;
    }
  syn_rom_destroy(s.rom);
  drop_block_hip(&s.blocks);
  syn_trimesh_destroy(s.mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_result_that_failed_is_NULL),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
