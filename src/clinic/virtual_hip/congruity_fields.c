/* Fields of the cartilages of a hip along motions. */
#include "clinic/virtual_hip/virtual_hip.h"

#include "result/record_csv.h"
#include "result/value.h"

static const syn_result_field surface_fields[] = {
    MEMBER(syn_congruity_surface, peak_mpa, "peak_mpa", "Greatest stress", "MPa", PRINTED),
    MEMBER(syn_congruity_surface, mean_mpa, "mean_mpa", "Mean stress where surfaces touch", "MPa", FILE_ONLY),
    MEMBER(syn_congruity_surface, pressure_mpa, "pressure_mpa", "Greatest contact pressure", "MPa", PRINTED),
    MEMBER(syn_congruity_surface, even, "even", "Mean of the pressure by its greatest", "", PRINTED),
    MEMBER(syn_congruity_surface, strain, "strain", "Greatest strain", "", PRINTED),
    MEMBER(syn_congruity_surface, contact_mm2, "contact_mm2", "Contact area", "mm²", PRINTED),
    MEMBER(syn_congruity_surface, above_mm2, "above_mm2", "Area above the threshold", "mm²", PRINTED)};
const syn_record syn_congruity_surface_record = RECORD_OF(syn_congruity_surface, "surface", surface_fields);

GET(moment_force, syn_congruity_moment, value_real(vec3_length(at->force)))
static const syn_result_field moment_fields[] = {
    MEMBER(syn_congruity_moment, time_s, "time_s", "Time", "s", FILE_ONLY),
    ANGLE(syn_congruity_moment, angles.flexion, "flexion_deg", "Flexion", PRINTED),
    ANGLE(syn_congruity_moment, angles.adduction, "adduction_deg", "Adduction", PRINTED),
    ANGLE(syn_congruity_moment, angles.rotation, "rotation_deg", "Internal rotation", PRINTED),
    FIELD(REAL, "force_n", "Contact force", "N", PRINTED, moment_force),
    MEMBER(syn_congruity_moment, force, "force", "Contact force on the socket", "N", FILE_ONLY),
    PART(syn_congruity_moment, surfaces[SYN_CONGRUITY_FEMORAL], syn_congruity_surface_record, "femoral_cartilage",
         "Femoral cartilage", FILE_ONLY),
    PART(syn_congruity_moment, surfaces[SYN_CONGRUITY_ACETABULAR], syn_congruity_surface_record, "acetabular_cartilage",
         "Acetabular cartilage", PRINTED)};
const syn_record syn_congruity_moment_record = RECORD_OF(syn_congruity_moment, "moments", moment_fields);

GET(path_worst, syn_congruity_path,
    at->moment_count ? value_record(at->moments, syn_congruity_worst(at)) : value_none())
static const syn_result_field path_fields[] = {
    MEMBER(syn_hip_path, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_congruity_path, path)),
    MEMBER(syn_hip_path, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_congruity_path, path)),
    MEMBER(syn_congruity_path, complete, "complete", "Followed to its end", "", FILE_ONLY),
    FIELD_OF(RECORD, syn_congruity_moment_record, "worst", "Greatest contact pressure", FILE_ONLY, path_worst),
    LIST_OF(syn_congruity_path, moments, moment_count, syn_congruity_moment_record, "moments", "Moments", FILE_ONLY)};
const syn_record syn_congruity_path_record = RECORD_OF(syn_congruity_path, "motions", path_fields);

GET(all_femoral, syn_congruity, value_count(at->volumes[SYN_CONGRUITY_FEMORAL]->tet_count))
GET(all_acetabular, syn_congruity, value_count(at->volumes[SYN_CONGRUITY_ACETABULAR]->tet_count))
static const syn_result_field congruity_fields[] = {
    MEMBER(syn_congruity, options.young_mpa, "young_mpa", "Young's modulus", "MPa", FILE_ONLY),
    MEMBER(syn_congruity, options.poisson, "poisson", "Poisson's ratio", "", FILE_ONLY),
    MEMBER(syn_congruity, options.press_mm, "press_mm", "Pressed into the socket by", "mm", FILE_ONLY),
    MEMBER(syn_congruity, options.threshold_mpa, "threshold_mpa", "Threshold of the stress", "MPa", FILE_ONLY),
    MEMBER(syn_congruity, options.moving, "moving", "With inertia and viscosity", "", FILE_ONLY),
    FIELD(INTEGER, "femoral_tetrahedra", "Tetrahedra of the femoral cartilage", "", FILE_ONLY, all_femoral),
    FIELD(INTEGER, "acetabular_tetrahedra", "Tetrahedra of the acetabular cartilage", "", FILE_ONLY, all_acetabular),
    LIST_OF(syn_congruity, paths, path_count, syn_congruity_path_record, "motions", "Motions", FILE_ONLY)};
const syn_record syn_congruity_record = RECORD_OF(syn_congruity, "congruity", congruity_fields);

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static size_t count_congruity_rows(const void *congruity) {
  const syn_congruity *c = congruity;
  size_t count = 0;
  for (size_t p = 0; p < c->path_count; ++p) count += c->paths[p].moment_count;
  return count;
}

/* The moments of all motions, one motion after the other. */
static void put_congruity_row(syn_csv *to, const void *congruity, size_t row) {
  static const syn_csv_column of_path[] = {{"name", "motion", 0}};
  static const syn_csv_column of_moment[] = {{"time_s", NULL, 6},
                                             {"flexion_deg", NULL, 6},
                                             {"adduction_deg", NULL, 6},
                                             {"rotation_deg", NULL, 6},
                                             {"force_n", NULL, 0}};
  const syn_congruity *c = congruity;
  size_t p = 0;
  for (; p + 1 < c->path_count && row >= c->paths[p].moment_count; ++p) row -= c->paths[p].moment_count;
  const syn_congruity_moment *moment = row < c->paths[p].moment_count ? &c->paths[p].moments[row] : NULL;
  syn_csv_put(to, "", &syn_congruity_path_record, of_path, 1, &c->paths[p], 0);
  syn_csv_put(to, "", &syn_congruity_moment_record, of_moment, 5, moment, 0);
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "%s_", syn_congruity_side_name((syn_congruity_side)side));
    syn_csv_put(to, prefix, &syn_congruity_surface_record, NULL, 0, moment ? &moment->surfaces[side] : NULL, 0);
  }
}
const syn_csv_table syn_congruity_csv = {count_congruity_rows, put_congruity_row};
