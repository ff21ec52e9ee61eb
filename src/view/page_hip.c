#include "view/page_hip.h"
#include "clinic/hip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "report/hip/packed.h"
#include "view/answer.h"

enum { MOST_CUTS = 100 };

struct syn_page_hip {
  syn_hip_unpacked of;
  syn_rom *rom;
  syn_pose_query *query;
  char *scratch;                  /* for the range of motion */
  syn_trimesh *femurs[MOST_CUTS]; /* the femur before each cut */
  size_t cuts;
  char *answer; /* from malloc */
  size_t answer_size;
};

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void set_answer(syn_page_hip *page, char *bytes, size_t size) {
  free(page->answer);
  page->answer = bytes;
  page->answer_size = bytes ? size : 0;
}

/* After a failure its message becomes the answer. */
static syn_status finish(syn_page_hip *page, syn_status status, const syn_error *error) {
  if (status == SYN_OK) return status;
  const size_t length = strlen(error->message);
  char *copy = malloc(length + 1);
  if (copy) memcpy(copy, error->message, length);
  set_answer(page, copy, length);
  return status;
}

const char *syn_page_hip_answer(const syn_page_hip *page) { return page->answer; }
size_t syn_page_hip_answer_size(const syn_page_hip *page) { return page->answer_size; }

/* ---- create and destroy ------------------------------------------------------------------------------------------ */

/* The data that queries need of a hip. */
typedef struct prepared {
  syn_rom *rom;
  syn_pose_query *query;
  char *scratch;
} prepared;

static void release(prepared *p) {
  syn_pose_query_destroy(p->query);
  syn_rom_destroy(p->rom);
  syn_free(NULL, p->scratch);
}

/* Replaces the prepared data; keeps the old ones after a failure. */
static syn_status prepare(syn_page_hip *page, const syn_hip *hip, syn_error *error) {
  prepared made = {0}, old = {page->rom, page->query, page->scratch};
  syn_body bodies[SYN_HIP_PARTS];
  const syn_joint joint = syn_hip_joint(hip, bodies);
  syn_status status = syn_hip_rom_create(NULL, hip, &made.rom, error);
  if (status == SYN_OK) status = syn_pose_query_create(NULL, &joint, made.rom, SYN_VIEW_REACH_MM, &made.query, error);
  if (status == SYN_OK) status = SYN_NEW(NULL, &made.scratch, syn_rom_scratch(made.rom), error);
  if (status != SYN_OK) {
    release(&made);
    return status;
  }
  release(&old);
  page->rom = made.rom;
  page->query = made.query;
  page->scratch = made.scratch;
  page->of.hip = *hip;
  return SYN_OK;
}

syn_page_hip *syn_page_hip_create(void) { return calloc(1, sizeof(syn_page_hip)); }

void syn_page_hip_destroy(syn_page_hip *page) {
  if (!page) return;
  release(&(prepared){page->rom, page->query, page->scratch});
  while (page->cuts) syn_trimesh_destroy(page->femurs[--page->cuts]);
  syn_hip_unpacked_release(&page->of);
  free(page->answer);
  free(page);
}

syn_status syn_page_hip_open(syn_page_hip *page, const unsigned char *bytes, size_t size) {
  syn_error error;
  syn_status status = syn_hip_unpack(NULL, bytes, size, &page->of, &error);
  if (status == SYN_OK) {
    const syn_hip hip = page->of.hip;
    status = prepare(page, &hip, &error);
  }
  set_answer(page, NULL, 0);
  return finish(page, status, &error);
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

static void report_field(const syn_page_hip *page, const char *name, const syn_pose *pose, syn_answer *to) {
  const syn_pose_field field = syn_view_pose_field(name);
  if (field == SYN_POSE_FIELDS) return;
  const double *const *depths = syn_pose_query_depths(page->query, field, pose);
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (depths[i])
      syn_answer_field(to, syn_hip_part_name((syn_hip_part)i), name, depths[i], page->of.source[i], page->of.shown[i],
                       SYN_VIEW_REACH_MM);
}

static syn_status join(syn_page_hip *page, syn_answer *made, syn_error *error) {
  char *bytes;
  size_t size;
  const syn_status status = syn_answer_join(made, &bytes, &size, error);
  if (status == SYN_OK) set_answer(page, bytes, size);
  syn_answer_release(made);
  return status;
}

syn_status syn_page_hip_pose(syn_page_hip *page, const double rows[12], const char *field) {
  syn_answer made = {0};
  syn_error error;
  syn_pose pose;
  syn_status status = syn_view_read_pose(rows, &pose, &error);
  if (status == SYN_OK) {
    report_field(page, field, &pose, &made);
    syn_view_report_motion(&page->of.hip, page->query, &pose, &made);
    syn_view_report_clearances(page->query, &pose, &made);
    status = join(page, &made, &error);
  }
  return finish(page, status, &error);
}

syn_status syn_page_hip_limits(syn_page_hip *page) {
  syn_answer made = {0};
  syn_error error;
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    const syn_motion *motion = &syn_clinical_motions[i];
    syn_limit limit;
    char words[96];
    syn_rom_query(page->rom, motion, page->scratch, &limit);
    syn_view_report_limit(motion->name, motion->label, &limit, syn_hip_limit_words(&limit, words), &made);
  }
  return finish(page, join(page, &made, &error), &error);
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static syn_status change(syn_page_hip *page, const syn_hip *hip) {
  syn_error error;
  const syn_status status = prepare(page, hip, &error);
  set_answer(page, NULL, 0);
  return finish(page, status, &error);
}

syn_status syn_page_hip_set_center(syn_page_hip *page, double x, double y, double z) {
  syn_hip hip = page->of.hip;
  hip.center = vec3(x, y, z);
  hip.seat = vec3(0, 0, 0);
  return change(page, &hip);
}

double syn_page_hip_joint_radius(const syn_page_hip *page) { return page->of.hip.joint_ball.radius_mm; }

syn_status syn_page_hip_set_joint_radius(syn_page_hip *page, double radius_mm) {
  syn_hip hip = page->of.hip;
  hip.joint_ball.radius_mm = radius_mm;
  return change(page, &hip);
}

/* ---- cuts -------------------------------------------------------------------------------------------------------- */

static uint32_t nearest_vertex(const syn_trimesh *mesh, syn_vec3 place) {
  uint32_t nearest = 0;
  for (uint32_t v = 1; v < mesh->vertex_count; ++v)
    if (vec3_distance(mesh->vertices[v], place) < vec3_distance(mesh->vertices[nearest], place)) nearest = v;
  return nearest;
}

/* Returns the relative distance from the brush's middle; below 1 is inside. The back of a thin bone, which faces away,
 * is excluded. */
static double from_middle(const syn_trimesh *mesh, const syn_vec3 *normals, uint32_t v, uint32_t middle,
                          double radius_mm) {
  const bool faces = vec3_dot(normals[v], normals[middle]) > 0;
  return faces ? vec3_distance(mesh->vertices[v], mesh->vertices[middle]) / radius_mm : 1;
}

static void press_in(const syn_trimesh *mesh, const syn_vec3 *normals, uint32_t middle, double radius_mm,
                     double depth_mm, syn_vec3 *places) {
  syn_vec3 sum = vec3(0, 0, 0);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    if (from_middle(mesh, normals, v, middle, radius_mm) < 1) sum = vec3_add(sum, normals[v]);
  const syn_vec3 outward = vec3_unit(sum);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const double t = from_middle(mesh, normals, v, middle, radius_mm), fall = 1 - t * t;
    places[v] = t < 1 ? vec3_madd(mesh->vertices[v], -depth_mm * fall * fall, outward) : mesh->vertices[v];
  }
}

/* Weights faces by area instead of angle: mathematics libraries round angles differently. */
static void find_normals(const syn_trimesh *mesh, syn_vec3 *normals) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) normals[v] = vec3(0, 0, 0);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    const syn_vec3 area = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    for (int k = 0; k < 3; ++k) normals[v[k]] = vec3_add(normals[v[k]], area);
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) normals[v] = vec3_unit(normals[v]);
}

static syn_status make_cut(const syn_trimesh *mesh, syn_vec3 place, double radius_mm, double depth_mm,
                           syn_trimesh **cut, syn_error *error) {
  syn_arena arena = {0};
  syn_vec3 *normals, *places;
  syn_status status = SYN_TAKE(&arena, &normals, mesh->vertex_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &places, mesh->vertex_count, error);
  if (status == SYN_OK) {
    find_normals(mesh, normals);
    press_in(mesh, normals, nearest_vertex(mesh, place), radius_mm, depth_mm, places);
    status = syn_trimesh_create(NULL, places, mesh->vertex_count, mesh->triangles, mesh->triangle_count, cut, error);
  }
  syn_arena_release(&arena);
  return status;
}

/* Answers with the positions of the displayed vertices. */
static syn_status places_shown(const syn_page_hip *page, const syn_trimesh *femur, syn_vec3 **places, size_t *size,
                               syn_error *error) {
  const uint32_t count = page->of.shown[SYN_HIP_FEMUR], *source = page->of.source[SYN_HIP_FEMUR];
  *size = (size_t)count * sizeof **places;
  *places = malloc(*size + 1);
  if (!*places) return syn_fail_memory(error, *size);
  for (uint32_t i = 0; i < count; ++i) (*places)[i] = femur->vertices[source[i]];
  return SYN_OK;
}

/* Replaces the femur of the hip, which takes ownership. */
static syn_status take_femur(syn_page_hip *page, syn_trimesh *femur, syn_error *error) {
  syn_hip hip = page->of.hip;
  syn_vec3 *places;
  size_t size;
  hip.parts[SYN_HIP_FEMUR] = femur;
  SYN_TRY(places_shown(page, femur, &places, &size, error));
  const syn_status status = prepare(page, &hip, error);
  if (status != SYN_OK) {
    free(places);
    return status;
  }
  page->of.meshes[SYN_HIP_FEMUR] = femur;
  set_answer(page, (char *)places, size);
  return SYN_OK;
}

static syn_status check_brush(const syn_page_hip *page, double radius_mm, double depth_mm, syn_error *error) {
  if (!page->of.meshes[SYN_HIP_FEMUR]) return syn_fail(error, SYN_BAD_ARGUMENT, "this hip has no femur to cut");
  if (page->cuts == MOST_CUTS)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there are %d cuts already; take one back first", MOST_CUTS);
  if (!(radius_mm > 0 && radius_mm <= 100 && fabs(depth_mm) <= radius_mm / 2))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "a cut may be half as deep as the brush's radius, and that 100 mm at most");
  return SYN_OK;
}

syn_status syn_page_hip_cut(syn_page_hip *page, double x, double y, double z, double radius_mm, double depth_mm) {
  syn_error error;
  syn_trimesh *before = page->of.meshes[SYN_HIP_FEMUR], *cut = NULL;
  syn_status status = check_brush(page, radius_mm, depth_mm, &error);
  if (status == SYN_OK) status = make_cut(before, vec3(x, y, z), radius_mm, depth_mm, &cut, &error);
  if (status == SYN_OK) status = take_femur(page, cut, &error);
  if (status == SYN_OK)
    page->femurs[page->cuts++] = before;
  else
    syn_trimesh_destroy(cut);
  return finish(page, status, &error);
}

syn_status syn_page_hip_undo(syn_page_hip *page) {
  syn_error error;
  syn_trimesh *cut = page->of.meshes[SYN_HIP_FEMUR];
  syn_status status = page->cuts ? SYN_OK : syn_fail(&error, SYN_BAD_ARGUMENT, "there is no cut to take back");
  if (status == SYN_OK) status = take_femur(page, page->femurs[page->cuts - 1], &error);
  if (status == SYN_OK) {
    --page->cuts;
    syn_trimesh_destroy(cut);
  }
  return finish(page, status, &error);
}

double syn_page_hip_removed_mm3(const syn_page_hip *page) {
  return page->cuts ? syn_trimesh_mass(page->femurs[0]).volume_mm3 -
                          syn_trimesh_mass(page->of.meshes[SYN_HIP_FEMUR]).volume_mm3
                    : 0;
}
