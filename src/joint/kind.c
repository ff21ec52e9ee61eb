/* Finds the kind of a joint, and the names of its rotations. */
#include <ctype.h>
#include <string.h>

#include "joint/joint.h"

/* Words in the names of bodies; the first match decides: a mobile femur belongs to a hip, a fixed one to a knee. */
static const struct {
  const char *word, *kind;
  bool fixed, mobile; /* where the body may be */
} names[] = {
    {"pelvi", "hip", true, true},       {"acetab", "hip", true, true},      {"coxa", "hip", true, true},
    {"innomin", "hip", true, true},     {"ilium", "hip", true, true},       {"hip", "hip", true, true},
    {"femur", "hip", false, true},      {"femoral", "hip", false, true},    {"tibia", "knee", true, true},
    {"patella", "knee", true, true},    {"mandib", "jaw", true, true},      {"jaw", "jaw", true, true},
    {"humer", "shoulder", false, true}, {"scapul", "shoulder", true, true}, {"glenoid", "shoulder", true, true},
};

/* Returns whether the name contains the word, ignoring case. */
static bool contains(const char *name, const char *word) {
  for (; *name; ++name) {
    size_t i = 0;
    while (word[i] && tolower((unsigned char)name[i]) == word[i]) ++i;
    if (!word[i]) return true;
  }
  return false;
}

static bool has_body(const syn_joint *joint, size_t entry) {
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_body *body = &joint->bodies[i];
    const bool may = body->moves ? names[entry].mobile : names[entry].fixed;
    if (may && body->name && contains(body->name, names[entry].word)) return true;
  }
  return false;
}

const char *syn_joint_kind(const syn_joint *joint) {
  if (joint->kind) return joint->kind;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (has_body(joint, i)) return names[i].kind;
  return joint->has_axes && joint->has_center ? "other" : "hip";
}

bool syn_joint_is_hip(const syn_joint *joint) { return strcmp(syn_joint_kind(joint), "hip") == 0; }

const char *syn_joint_direction(const syn_joint *joint, int axis, int sign) {
  static const char *const standard[SYN_JOINT_AXES][2] = {
      {"flexion", "extension"}, {"adduction", "abduction"}, {"internal_rotation", "external_rotation"}};
  const int way = sign > 0 ? 0 : 1;
  const char *given = joint->directions[axis][way];
  if (given) return given;
  /* Frames by landmarks have their first axis to the patient's right, about which a knee extends. */
  const bool reversed = axis == 0 && joint->landmark_count > 0 && strcmp(syn_joint_kind(joint), "knee") == 0;
  return standard[axis][reversed ? 1 - way : way];
}

const char *syn_joint_direction_at(const void *joint, size_t index) {
  return syn_joint_direction(joint, (int)index / 2, index % 2 ? -1 : 1);
}

bool syn_joint_direction_named(const syn_joint *joint, const char *name, int *axis, int *sign) {
  for (size_t i = 0; i < SYN_JOINT_DIRECTIONS; ++i) {
    if (strcmp(syn_joint_direction_at(joint, i), name) != 0) continue;
    *axis = (int)i / 2;
    *sign = i % 2 ? -1 : 1;
    return true;
  }
  return false;
}
