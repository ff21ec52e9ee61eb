/* The cartilages of a hip through motions. */
#include <math.h>

#include "result/patterns.h"
#include "result/value.h"

GET(surface_peak, syn_congruity_surface, value_real(at->peak_mpa))
GET(surface_mean, syn_congruity_surface, value_real(at->mean_mpa))
GET(surface_pressure, syn_congruity_surface, value_real(at->pressure_mpa))
GET(surface_even, syn_congruity_surface, value_real(at->even))
GET(surface_strain, syn_congruity_surface, value_real(at->strain))
GET(surface_contact, syn_congruity_surface, value_real(at->contact_mm2))
GET(surface_above, syn_congruity_surface, value_real(at->above_mm2))
static const syn_result_field surface_fields[] = {
    FIELD(REAL, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY, surface_peak),
    FIELD(REAL, "mean_mpa", "Mean stress where surfaces touch", "MPa", FILE_ONLY, surface_mean),
    FIELD(REAL, "pressure_mpa", "Greatest contact pressure", "MPa", FILE_ONLY, surface_pressure),
    FIELD(REAL, "even", "Mean of the pressure by its greatest", "", FILE_ONLY, surface_even),
    FIELD(REAL, "strain", "Greatest strain", "", FILE_ONLY, surface_strain),
    FIELD(REAL, "contact_mm2", "Contact area", "mm²", FILE_ONLY, surface_contact),
    FIELD(REAL, "above_mm2", "Area above the threshold", "mm²", FILE_ONLY, surface_above)};
static const syn_record surface_record = RECORD("surface", surface_fields);

GET(moment_time, syn_congruity_moment, value_real(at->time_s))
GET(moment_flexion, syn_congruity_moment, value_degrees(at->angles.flexion))
GET(moment_adduction, syn_congruity_moment, value_degrees(at->angles.adduction))
GET(moment_rotation, syn_congruity_moment, value_degrees(at->angles.rotation))
GET(moment_force, syn_congruity_moment, value_real(vec3_length(at->force)))
GET(moment_direction, syn_congruity_moment, value_point(at->force))
GET(moment_femoral, syn_congruity_moment, value_record(&at->surfaces[SYN_CONGRUITY_FEMORAL], 0))
GET(moment_acetabular, syn_congruity_moment, value_record(&at->surfaces[SYN_CONGRUITY_ACETABULAR], 0))
static const syn_result_field moment_fields[] = {
    FIELD(REAL, "time_s", "Time", "s", FILE_ONLY, moment_time),
    FIELD(REAL, "flexion_deg", "Flexion", "deg", FILE_ONLY, moment_flexion),
    FIELD(REAL, "adduction_deg", "Adduction", "deg", FILE_ONLY, moment_adduction),
    FIELD(REAL, "rotation_deg", "Internal rotation", "deg", FILE_ONLY, moment_rotation),
    FIELD(REAL, "force_n", "Contact force", "N", FILE_ONLY, moment_force),
    FIELD(POINT, "force", "Contact force on the socket", "N", FILE_ONLY, moment_direction),
    FIELD_OF(RECORD, surface_record, "femoral_cartilage", "Femoral cartilage", FILE_ONLY, moment_femoral),
    FIELD_OF(RECORD, surface_record, "acetabular_cartilage", "Acetabular cartilage", FILE_ONLY, moment_acetabular)};
const syn_record syn_congruity_moment_record = RECORD("moments", moment_fields);

GET(path_name, syn_congruity_path, value_text(at->path->name))
GET(path_label, syn_congruity_path, value_text(at->path->label))
GET(path_complete, syn_congruity_path, value_boolean(at->complete))
GET(path_worst, syn_congruity_path,
    at->moment_count ? value_record(at->moments, syn_congruity_worst(at)) : value_none())
GET(path_moments, syn_congruity_path, value_list(at->moments, at->moment_count))
static const syn_result_field path_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, path_name), FIELD(TEXT, "label", "Motion", "", FILE_ONLY, path_label),
    FIELD(BOOLEAN, "complete", "Followed to its end", "", FILE_ONLY, path_complete),
    FIELD_OF(RECORD, syn_congruity_moment_record, "worst", "Greatest contact pressure", FILE_ONLY, path_worst),
    FIELD_OF(LIST, syn_congruity_moment_record, "moments", "Moments", FILE_ONLY, path_moments)};
const syn_record syn_congruity_path_record = RECORD("motions", path_fields);

GET(all_young, syn_congruity, value_real(at->options.young_mpa))
GET(all_poisson, syn_congruity, value_real(at->options.poisson))
GET(all_press, syn_congruity, value_real(at->options.press_mm))
GET(all_threshold, syn_congruity, value_real(at->options.threshold_mpa))
GET(all_moving, syn_congruity, value_boolean(at->options.moving))
GET(all_femoral, syn_congruity, value_count(at->volumes[SYN_CONGRUITY_FEMORAL]->tet_count))
GET(all_acetabular, syn_congruity, value_count(at->volumes[SYN_CONGRUITY_ACETABULAR]->tet_count))
GET(all_paths, syn_congruity, value_list(at->paths, at->path_count))
static const syn_result_field congruity_fields[] = {
    FIELD(REAL, "young_mpa", "Young's modulus", "MPa", FILE_ONLY, all_young),
    FIELD(REAL, "poisson", "Poisson's ratio", "", FILE_ONLY, all_poisson),
    FIELD(REAL, "press_mm", "Pressed into the socket by", "mm", FILE_ONLY, all_press),
    FIELD(REAL, "threshold_mpa", "Threshold of the stress", "MPa", FILE_ONLY, all_threshold),
    FIELD(BOOLEAN, "moving", "With inertia and viscosity", "", FILE_ONLY, all_moving),
    FIELD(INTEGER, "femoral_tetrahedra", "Tetrahedra of the femoral cartilage", "", FILE_ONLY, all_femoral),
    FIELD(INTEGER, "acetabular_tetrahedra", "Tetrahedra of the acetabular cartilage", "", FILE_ONLY, all_acetabular),
    FIELD_OF(LIST, syn_congruity_path_record, "motions", "Motions", FILE_ONLY, all_paths)};
static const char congruity_words[] =
    "Cartilages of {young_mpa} MPa, {femoral_tetrahedra} and {acetabular_tetrahedra} tetrahedra, the femur "
    "pressed into the socket by {press_mm} mm\n{#motions}" CONGRUITY_WORDS "{/}";
const syn_record syn_congruity_record = RECORD_IN_WORDS("congruity", congruity_fields, congruity_words);
