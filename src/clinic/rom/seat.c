/* Seating the head: a small shift, so that it does not catch in its socket where the scan left too narrow a gap. */
#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "collide/surface/surface_tree.h"
#include <synovia/clinic.h>

static const double most_mm = 3, room_mm = 0.1;
enum { MOST_ROUNDS = 500 };

/* Radius about the centre of the ball that the head fills as it turns. */
static double head_reach(const syn_hip *hip, const syn_anatomy *anatomy) {
  const syn_trimesh *femur = hip->parts[SYN_HIP_FEMUR];
  double reach = 0;
  for (uint32_t i = 0; i < femur->vertex_count; ++i)
    if (anatomy->head_vertices[i]) reach = max2(reach, vec3_distance(femur->vertices[i], hip->center));
  return reach;
}

/* Does a motion end inside the ball of the head, where only cartilage would be? */
static bool catches(const syn_hip_rom *rom, const syn_hip *hip, double reach, void *scratch) {
  for (int i = 0; i < 6; ++i) {
    syn_hip_limit limit;
    syn_hip_rom_query(rom, (syn_hip_angles){0, 0, 0}, (syn_hip_axis)(i / 2), i & 1 ? -1 : 1, scratch, &limit);
    if (limit.limited && vec3_distance(limit.event.point, hip->center) < reach + room_mm) return true;
  }
  return false;
}

static syn_status head_catches(const syn_context *context, const syn_hip *hip, double reach, bool *caught,
                               syn_error *error) {
  syn_context quiet =
      *syn_context_or_default(context); /* suppress warnings: the caller's own range of motion repeats them */
  quiet.warn = NULL;
  const syn_hip bones = syn_hip_bones(hip);
  syn_hip_rom *rom;
  char *scratch;
  SYN_TRY(syn_hip_rom_create(&quiet, &bones, &rom, error));
  const syn_status status = SYN_NEW(&quiet, &scratch, syn_hip_rom_scratch(rom), error);
  if (status == SYN_OK) {
    *caught = catches(rom, hip, reach, scratch);
    syn_free(&quiet, scratch);
  }
  syn_hip_rom_destroy(rom);
  return status;
}

/* Move away from the nearest wall repeatedly until the ball is free; the shift stays about as small as possible. */
static bool make_room(const syn_surface_tree *pelvis, syn_vec3 center, double reach, syn_vec3 *seat) {
  *seat = vec3(0, 0, 0);
  for (int round = 0; round < MOST_ROUNDS; ++round) {
    const syn_vec3 place = vec3_add(center, *seat);
    syn_nearest nearest;
    pelvis->search(pelvis, place, INFINITY, &nearest);
    const double missing = reach + room_mm - sqrt(nearest.at.distance2);
    if (missing <= 0) return true;
    *seat = vec3_madd(*seat, missing + 0.01 * room_mm, vec3_unit(vec3_sub(place, nearest.at.point)));
    if (vec3_length(*seat) > most_mm) break;
  }
  return false;
}

syn_status syn_hip_find_seat(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy, syn_vec3 *seat,
                             syn_error *error) {
  *seat = vec3(0, 0, 0);
  if (!hip->parts[SYN_HIP_PELVIS] || !hip->parts[SYN_HIP_FEMUR] || !anatomy->head_vertices) return SYN_OK;
  const double reach = head_reach(hip, anatomy);
  bool caught;
  SYN_TRY(head_catches(context, hip, reach, &caught, error));
  if (!caught) return SYN_OK;
  syn_derived *pelvis;
  SYN_TRY(syn_derive(hip->parts[SYN_HIP_PELVIS], &syn_derive_surface, &pelvis, error));
  if (make_room(derived_surface(pelvis), hip->center, reach, seat)) {
    syn_warn(context,
             "the femoral head nearly touches its socket and would catch there: it is shifted by %.2f mm to have room",
             vec3_length(*seat));
  } else {
    syn_warn(context, "the femoral head has no room to turn in its socket, even if it is shifted by %g mm", most_mm);
    *seat = vec3(0, 0, 0);
  }
  syn_derived_release(pelvis);
  return SYN_OK;
}
