/* A simulation of soft tissue: its bodies, and its energies through time. */
#include <math.h>

#include "result/value.h"

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

/* A getter of body `i` of the run that is the object. */
#define OF_BODY(name, value)                                                                                           \
  static syn_value name(const void *object, size_t i) {                                                                \
    const syn_tissue_scene *scene = ((const syn_tissue_run *)object)->scene;                                           \
    const syn_soft *soft = syn_tissue_scene_soft(scene, i);                                                            \
    (void)soft;                                                                                                        \
    return value;                                                                                                      \
  }

OF_BODY(body_name, value_text(syn_tissue_scene_body_name(scene, i)))
OF_BODY(body_model, value_text(soft ? syn_soft_model_name(soft) : "rigid"))
OF_BODY(body_nodes, soft ? value_count(syn_soft_node_count(soft)) : value_none())
OF_BODY(body_triangles, value_count(syn_tissue_scene_surface(scene, i)->triangle_count))
static const syn_result_field body_fields[] = {
    FIELD(TEXT, "name", "Body", "", FILE_ONLY | SYN_IN_PAGE, body_name),
    FIELD(TEXT, "model", "Model", "", FILE_ONLY | SYN_IN_PAGE, body_model),
    FIELD(INTEGER, "nodes", "Nodes", "", FILE_ONLY | SYN_IN_PAGE, body_nodes),
    FIELD(INTEGER, "triangles", "Triangles", "", FILE_ONLY | SYN_IN_PAGE, body_triangles)};
static const syn_record body_record = RECORD("bodies", body_fields);

/* ---- energies -----------------------------------------------------------------------------------------------------
 */

/* One list of numbers per quantity, in the order of the frames. */
#define CURVE(name, member)                                                                                            \
  static double name##_at(const void *object, size_t i) {                                                              \
    return (double)((const syn_tissue_run *)object)->moments[i].member;                                                \
  }                                                                                                                    \
  static syn_value name(const void *object, size_t index) {                                                            \
    (void)index;                                                                                                       \
    return value_numbers(name##_at, object, ((const syn_tissue_run *)object)->moment_count);                           \
  }
CURVE(times, time_s)
CURVE(kinetic, kinetic_nmm)
CURVE(elastic, elastic_nmm)
CURVE(contact, contact_nmm)
CURVE(volume, volume_mm3)
CURVE(displacement, displacement_mm)
CURVE(von_mises, von_mises_mpa)
CURVE(contact_force, contact_n)
CURVE(touching, touching)
CURVE(depth, depth_mm)
static const syn_result_field energy_fields[] = {
    FIELD(NUMBERS, "time_s", "Time", "s", FILE_ONLY, times),
    FIELD(NUMBERS, "kinetic_nmm", "Kinetic energy", "N mm", FILE_ONLY, kinetic),
    FIELD(NUMBERS, "elastic_nmm", "Elastic energy", "N mm", FILE_ONLY, elastic),
    FIELD(NUMBERS, "contact_nmm", "Energy of contacts", "N mm", FILE_ONLY, contact),
    FIELD(NUMBERS, "volume_mm3", "Volume of soft bodies", "mm3", FILE_ONLY, volume),
    FIELD(NUMBERS, "displacement_mm", "Largest displacement", "mm", FILE_ONLY, displacement),
    FIELD(NUMBERS, "von_mises_mpa", "Largest von Mises stress", "MPa", FILE_ONLY, von_mises),
    FIELD(NUMBERS, "contact_n", "Contact forces", "N", FILE_ONLY, contact_force),
    FIELD(NUMBERS, "touching", "Contacts", "", FILE_ONLY, touching),
    FIELD(NUMBERS, "depth_mm", "Deepest penetration", "mm", FILE_ONLY, depth)};
static const syn_record energy_record = RECORD("energy", energy_fields);

/* The same moment by moment, in words. */
GET(moment_time, syn_tissue_moment, value_real(at->time_s))
GET(moment_kinetic, syn_tissue_moment, value_real(at->kinetic_nmm))
GET(moment_elastic, syn_tissue_moment, value_real(at->elastic_nmm))
GET(moment_displacement, syn_tissue_moment, value_real(at->displacement_mm))
GET(moment_von_mises, syn_tissue_moment, value_real(at->von_mises_mpa))
GET(moment_contact, syn_tissue_moment, value_real(at->contact_n))
GET(moment_touching, syn_tissue_moment, value_count(at->touching))
GET(moment_depth, syn_tissue_moment, value_real(at->depth_mm))
static const syn_result_field moment_fields[] = {
    FIELD(REAL, "time_s", "Time", "s", SYN_IN_WORDS, moment_time),
    FIELD(REAL, "kinetic_nmm", "Kinetic energy", "N mm", SYN_IN_WORDS, moment_kinetic),
    FIELD(REAL, "elastic_nmm", "Elastic energy", "N mm", SYN_IN_WORDS, moment_elastic),
    FIELD(REAL, "displacement_mm", "Largest displacement", "mm", SYN_IN_WORDS, moment_displacement),
    FIELD(REAL, "von_mises_mpa", "Largest von Mises stress", "MPa", SYN_IN_WORDS, moment_von_mises),
    FIELD(REAL, "contact_n", "Contact forces", "N", SYN_IN_WORDS, moment_contact),
    FIELD(INTEGER, "touching", "Contacts", "", SYN_IN_WORDS, moment_touching),
    FIELD(REAL, "depth_mm", "Deepest penetration", "mm", SYN_IN_WORDS, moment_depth)};
static const syn_record moment_record = RECORD("moments", moment_fields);

/* ---- the run ------------------------------------------------------------------------------------------------------
 */

#define OF(name, value)                                                                                                \
  static syn_value name(const void *object, size_t i) {                                                                \
    const syn_tissue_run *run = object;                                                                                \
    (void)i;                                                                                                           \
    return value;                                                                                                      \
  }
OF(run_name, value_text(syn_tissue_scene_name(run->scene)))
OF(run_steps, value_count((size_t)run->step_count))
OF(run_step, value_real(run->step_s))
OF(run_duration, value_real(run->duration_s))
OF(run_integrator, value_text(run->integrator))
OF(run_continued, run->continued_at ? value_count((size_t)run->continued_at) : value_none())
OF(run_bodies, value_list(run, syn_tissue_scene_body_count(run->scene)))
OF(run_energy, value_record(run, 0))
OF(run_moments, value_list(run->moments, run->moment_count))
static const syn_result_field run_fields[] = {
    FIELD_OF(LIST, moment_record, "moments", "Moments", SYN_IN_WORDS, run_moments),
    FIELD(TEXT, "name", "Scene", "", FILE_ONLY, run_name),
    FIELD(INTEGER, "steps", "Steps", "", FILE_ONLY, run_steps),
    FIELD(REAL, "step_s", "Step", "s", FILE_ONLY, run_step),
    FIELD(REAL, "duration_s", "Duration", "s", FILE_ONLY, run_duration),
    FIELD(TEXT, "integrator", "Integrator", "", FILE_ONLY, run_integrator),
    FIELD(INTEGER, "continued_at", "Continued after step", "", FILE_ONLY | SYN_OPTIONAL, run_continued),
    FIELD_OF(LIST, body_record, "bodies", "Bodies", FILE_ONLY, run_bodies),
    FIELD_OF(RECORD, energy_record, "energy", "Energies", FILE_ONLY, run_energy)};
static const char run_words[] =
    "{name}: {steps} steps of {step_s} s, {integrator}\n"
    "{?continued_at}continued after step {continued_at} of an earlier run\n{/}"
    "{#bodies}  {name:-24} {model:|rigid}{?nodes}, {nodes} nodes{/}\n{/}"
    "\n     time s    kinetic Nmm   elastic Nmm   moved mm    stress MPa  contact N  touches   depth mm\n"
    "{#moments~20}  {time_s:9.4}  {kinetic_nmm:12.6g}  {elastic_nmm:12.6g}  {displacement_mm:11.5g}  "
    "{von_mises_mpa:11.5g}  {contact_n:9.4g}  {touching:7}{?depth_mm}  {depth_mm:9.4}{/}\n{/}";
const syn_record syn_tissue_run_record = RECORD_IN_WORDS("simulate", run_fields, run_words);
