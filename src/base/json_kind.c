#include "base/json_kind.h"

static bool has_any(const json_t *object, const char *const *keys) {
  while (*keys && !json_object_get(object, *keys)) ++keys;
  return *keys != NULL;
}

/* Bodies of joints have a tissue, those of scenes a shape or a model. */
static bool first_body_has(const json_t *value, const char *const *keys) {
  return has_any(json_array_get(json_object_get(value, "bodies"), 0), keys);
}

static bool is_of_kind(const json_t *value, syn_json_kind kind) {
  static const char *const study[] = {"synovia_study", NULL}, *const skeleton[] = {"joints", NULL},
                           *const markups[] = {"markups", NULL}, *const tool[] = {"tool", NULL},
                           *const tissue[] = {"tissue", NULL}, *const joint[] = {"center", "frame", "articular", NULL},
                           *const simulated[] = {"shape", "model", NULL}, *const scene[] = {"integrator", "hold",
                                                                                            "step_s",     "duration_s",
                                                                                            "haptics",    NULL};
  switch (kind) {
  case SYN_JSON_STUDY: return has_any(value, study);
  case SYN_JSON_SKELETON: return has_any(value, skeleton);
  case SYN_JSON_JOINT: return has_any(value, joint) || first_body_has(value, tissue);
  case SYN_JSON_SCENE: return has_any(value, scene) || first_body_has(value, simulated);
  case SYN_JSON_MARKUPS: return has_any(value, markups);
  case SYN_JSON_ANSWER: return has_any(value, tool);
  default: return false;
  }
}

syn_json_kind syn_json_kind_of(const json_t *value) {
  syn_json_kind kind = SYN_JSON_STUDY;
  while (kind < SYN_JSON_KINDS && !is_of_kind(value, kind)) ++kind;
  return kind;
}

const char *syn_json_kind_text(syn_json_kind kind) {
  static const char *const texts[] = {
      [SYN_JSON_STUDY] = "a study file: `synovia study` takes it",
      [SYN_JSON_SKELETON] = "a skeleton file: `synovia skeleton` takes it",
      [SYN_JSON_JOINT] =
          "a joint file: `synovia rom`, `collide` and `view` take it, that of a hip also `measure`, `fai` and "
          "`pressure`",
      [SYN_JSON_SCENE] = "a scene: `synovia simulate` takes it",
      [SYN_JSON_MARKUPS] = "a list of points by 3D Slicer: --landmarks takes it",
      [SYN_JSON_ANSWER] = "what a command printed with --json: no command reads it",
  };
  _Static_assert(sizeof texts / sizeof *texts == SYN_JSON_KINDS, "a text for every kind");
  return kind < SYN_JSON_KINDS ? texts[kind] : "";
}

syn_status syn_json_expect_kind(const syn_json *root, syn_json_kind wanted, syn_error *error) {
  const syn_json_kind kind = syn_json_kind_of(root->value);
  if (kind == wanted || kind == SYN_JSON_KINDS || is_of_kind(root->value, wanted)) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, root->file, 0, -1, "this is %s", syn_json_kind_text(kind));
}
