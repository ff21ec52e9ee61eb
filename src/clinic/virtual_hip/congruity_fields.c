/* The cartilages of a hip through motions. */
#include <math.h>

#include <synovia/congruity.h>

#include "result/patterns.h"
#include "result/value.h"

static const syn_result_field surface_fields[] = {
    MEMBER(syn_congruity_surface, peak_mpa, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY),
    MEMBER(syn_congruity_surface, mean_mpa, "mean_mpa", "Mean stress where surfaces touch", "MPa", FILE_ONLY),
    MEMBER(syn_congruity_surface, pressure_mpa, "pressure_mpa", "Greatest contact pressure", "MPa", FILE_ONLY),
    MEMBER(syn_congruity_surface, even, "even", "Mean of the pressure by its greatest", "", FILE_ONLY),
    MEMBER(syn_congruity_surface, strain, "strain", "Greatest strain", "", FILE_ONLY),
    MEMBER(syn_congruity_surface, contact_mm2, "contact_mm2", "Contact area", "mm²", FILE_ONLY),
    MEMBER(syn_congruity_surface, above_mm2, "above_mm2", "Area above the threshold", "mm²", FILE_ONLY)};
static const syn_record surface_record = RECORD_OF(syn_congruity_surface, "surface", surface_fields);

GET(moment_force, syn_congruity_moment, value_real(vec3_length(at->force)))
static const syn_result_field moment_fields[] = {
    MEMBER(syn_congruity_moment, time_s, "time_s", "Time", "s", FILE_ONLY),
    ANGLE(syn_congruity_moment, angles.flexion, "flexion_deg", "Flexion", FILE_ONLY),
    ANGLE(syn_congruity_moment, angles.adduction, "adduction_deg", "Adduction", FILE_ONLY),
    ANGLE(syn_congruity_moment, angles.rotation, "rotation_deg", "Internal rotation", FILE_ONLY),
    FIELD(REAL, "force_n", "Contact force", "N", FILE_ONLY, moment_force),
    MEMBER(syn_congruity_moment, force, "force", "Contact force on the socket", "N", FILE_ONLY),
    PART(syn_congruity_moment, surfaces[SYN_CONGRUITY_FEMORAL], surface_record, "femoral_cartilage",
         "Femoral cartilage", FILE_ONLY),
    PART(syn_congruity_moment, surfaces[SYN_CONGRUITY_ACETABULAR], surface_record, "acetabular_cartilage",
         "Acetabular cartilage", FILE_ONLY)};
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
static const char congruity_words[] =
    "Cartilages of {young_mpa} MPa, {femoral_tetrahedra} and {acetabular_tetrahedra} tetrahedra, the femur "
    "pressed into the socket by {press_mm} mm\n{#motions}" CONGRUITY_WORDS "{/}";
const syn_record syn_congruity_record =
    RECORD_OF_IN_WORDS(syn_congruity, "congruity", congruity_fields, congruity_words);
