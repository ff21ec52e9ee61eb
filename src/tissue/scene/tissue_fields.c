/* Result fields of a simulation of soft tissue: its bodies, and its energies through time. */
#include <math.h>

#include <synovia/tissue.h>

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

/* In a file one list of numbers per quantity, in the order of the frames. */
static const syn_result_field moment_fields[] = {
    MEMBER(syn_tissue_moment, time_s, "time_s", "Time", "s", PRINTED),
    MEMBER(syn_tissue_moment, kinetic_nmm, "kinetic_nmm", "Kinetic energy", "N mm", PRINTED),
    MEMBER(syn_tissue_moment, elastic_nmm, "elastic_nmm", "Elastic energy", "N mm", PRINTED),
    MEMBER(syn_tissue_moment, contact_nmm, "contact_nmm", "Energy of contacts", "N mm", FILE_ONLY),
    MEMBER(syn_tissue_moment, volume_mm3, "volume_mm3", "Volume of soft bodies", "mm³", FILE_ONLY),
    MEMBER(syn_tissue_moment, displacement_mm, "displacement_mm", "Largest displacement", "mm", PRINTED),
    MEMBER(syn_tissue_moment, von_mises_mpa, "von_mises_mpa", "Largest von Mises stress", "MPa", PRINTED),
    MEMBER(syn_tissue_moment, contact_n, "contact_n", "Contact forces", "N", PRINTED),
    MEMBER(syn_tissue_moment, touching, "touching", "Contacts", "", PRINTED),
    MEMBER(syn_tissue_moment, depth_mm, "depth_mm", "Deepest penetration", "mm", PRINTED)};
const syn_record syn_tissue_moment_record = RECORD_OF(syn_tissue_moment, "moments", moment_fields);

/* ---- the run ------------------------------------------------------------------------------------------------------
 */

GET(scene_name, syn_tissue_run, value_text(syn_tissue_scene_name(at->scene)))
GET(run_bodies, syn_tissue_run, value_list(at, syn_tissue_scene_body_count(at->scene)))
static const syn_result_field run_fields[] = {
    FIELD(TEXT, "name", "Scene", "", FILE_ONLY, scene_name),
    MEMBER(syn_tissue_run, step_count, "steps", "Steps", "", FILE_ONLY),
    MEMBER(syn_tissue_run, step_s, "step_s", "Step", "s", FILE_ONLY),
    MEMBER(syn_tissue_run, duration_s, "duration_s", "Duration", "s", FILE_ONLY),
    MEMBER(syn_tissue_run, integrator, "integrator", "Integrator", "", FILE_ONLY),
    MEMBER(syn_tissue_run, continued_at, "continued_at", "Continued after step", "", FILE_ONLY | SYN_OPTIONAL,
           KNOWN_IF(syn_tissue_run, continued_at)),
    FIELD_OF(LIST, body_record, "bodies", "Bodies", FILE_ONLY, run_bodies),
    COLUMNS_OF(syn_tissue_run, moments, moment_count, syn_tissue_moment_record, "energy", "Energies", FILE_ONLY)};
const syn_record syn_tissue_run_record = RECORD_OF(syn_tissue_run, "simulate", run_fields);
