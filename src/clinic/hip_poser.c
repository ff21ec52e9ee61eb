/* A hip at any pose: its parts as the bodies of a joint, and the angles that are left. */
#include <synovia/hip.h>
#include <synovia/joint_analysis.h>

#include "base/memory.h"
#include "clinic/rom/rom.h"

struct syn_hip_poser {
  const syn_context *context;
  syn_hip hip;
  const syn_hip_rom *rom;
  syn_body bodies[SYN_HIP_PARTS];
  syn_joint joint; /* of them */
  syn_joint_poser *poser;
  syn_part_clearance *clearances;
  char *scratch; /* of the range of motion */
};

/* Every part is a body, so that numbers of bodies are parts; a missing one has no surface. */
static void fill_joint(syn_hip_poser *p) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    p->bodies[i] = (syn_body){.name = syn_hip_part_name(part),
                              .tissue = syn_hip_part_tissue(part),
                              .moves = syn_hip_part_moves(part),
                              .surface = p->hip.parts[i]};
  }
  p->joint = (syn_joint){.context = p->context,
                         .kind = "hip",
                         .side = p->hip.side,
                         .body_count = SYN_HIP_PARTS,
                         .bodies = p->bodies,
                         .has_center = true,
                         .center = p->hip.center};
}

static syn_status prepare(syn_hip_poser *p, double reach_mm, syn_error *error) {
  fill_joint(p);
  SYN_TRY(syn_joint_poser_create(p->context, &p->joint, reach_mm, &p->poser, error));
  SYN_TRY(SYN_NEW(p->context, &p->clearances, SYN_HIP_PARTS * SYN_HIP_PARTS, error));
  return p->rom ? SYN_NEW(p->context, &p->scratch, syn_hip_rom_scratch(p->rom), error) : SYN_OK;
}

syn_status syn_hip_poser_create(const syn_context *context, const syn_hip *hip, const syn_hip_rom *rom, double reach_mm,
                                syn_hip_poser **poser, syn_error *error) {
  syn_hip_poser *made;
  *poser = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->hip = *hip;
  made->rom = rom;
  const syn_status status = prepare(made, reach_mm, error);
  if (status == SYN_OK)
    *poser = made;
  else
    syn_hip_poser_destroy(made);
  return status;
}

void syn_hip_poser_destroy(syn_hip_poser *p) {
  if (!p) return;
  syn_joint_poser_destroy(p->poser);
  syn_free(p->context, p->clearances);
  syn_free(p->context, p->scratch);
  syn_free(p->context, p);
}

const double *const *syn_hip_poser_field(syn_hip_poser *p, syn_pose_field field, const syn_pose *pose) {
  return syn_joint_poser_field(p->poser, field, pose);
}

const syn_part_clearance *syn_hip_poser_clearances(syn_hip_poser *p, const syn_pose *pose, size_t *count) {
  const syn_joint_clearance *of_bodies = syn_joint_poser_clearances(p->poser, pose, count);
  for (size_t i = 0; i < *count; ++i)
    p->clearances[i] = (syn_part_clearance){(syn_hip_part)of_bodies[i].fixed, (syn_hip_part)of_bodies[i].mobile,
                                            of_bodies[i].clearance};
  return p->clearances;
}

bool syn_hip_poser_free_angles(syn_hip_poser *p, const syn_pose *pose, syn_hip_limit limits[3][2]) {
  if (!p->rom) return false;
  const syn_hip_angles angles = syn_hip_angles_of(&p->hip, pose);
  const syn_pose start = syn_hip_pose(&p->hip, angles);
  for (int axis = SYN_AXIS_FLEXION; axis <= SYN_AXIS_ROTATION; ++axis)
    syn_hip_rom_turn(p->rom, &start, syn_hip_axis_at(&p->hip, angles, (syn_hip_axis)axis), p->scratch, &limits[axis][0],
                     &limits[axis][1]);
  return true;
}
