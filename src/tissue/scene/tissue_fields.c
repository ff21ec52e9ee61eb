/* Result fields of a simulation of soft tissue: its bodies, and its energies through time. */
#include <math.h>

#include <synovia/tissue.h>

#include "result/value.h"

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

GET(body_nodes, syn_tissue_body, at->soft ? value_count(syn_soft_node_count(at->soft)) : value_none())
GET(body_triangles, syn_tissue_body, value_count(at->surface->triangle_count))
static const syn_result_field body_fields[] = {
    MEMBER(syn_tissue_body, name, "name", "Body", "", FILE_ONLY | SYN_IN_PAGE),
    MEMBER(syn_tissue_body, model, "model", "Model", "", FILE_ONLY | SYN_IN_PAGE),
    FIELD(INTEGER, "nodes", "Nodes", "", FILE_ONLY | SYN_IN_PAGE, body_nodes),
    FIELD(INTEGER, "triangles", "Triangles", "", FILE_ONLY | SYN_IN_PAGE, body_triangles)};
static const syn_record body_record = RECORD_OF(syn_tissue_body, "bodies", body_fields);

/* ---- energies -----------------------------------------------------------------------------------------------------
 */

/* In a file one list of numbers per quantity, in the order of the frames. */
static const syn_result_field moment_fields[] = {
    MEMBER(syn_tissue_step, time_s, "time_s", "Time", "s", PRINTED),
    MEMBER(syn_tissue_step, kinetic_nmm, "kinetic_nmm", "Kinetic energy", "N mm", PRINTED),
    MEMBER(syn_tissue_step, elastic_nmm, "elastic_nmm", "Elastic energy", "N mm", PRINTED),
    MEMBER(syn_tissue_step, contact_nmm, "contact_nmm", "Energy of contacts", "N mm", FILE_ONLY),
    MEMBER(syn_tissue_step, volume_mm3, "volume_mm3", "Volume of soft bodies", "mm³", FILE_ONLY),
    MEMBER(syn_tissue_step, displacement_mm, "displacement_mm", "Largest displacement", "mm", PRINTED),
    MEMBER(syn_tissue_step, von_mises_mpa, "von_mises_mpa", "Largest von Mises stress", "MPa", PRINTED),
    MEMBER(syn_tissue_step, contact_n, "contact_n", "Contact forces", "N", PRINTED),
    MEMBER(syn_tissue_step, touching, "touching", "Contacts", "", PRINTED),
    MEMBER(syn_tissue_step, depth_mm, "depth_mm", "Deepest penetration", "mm", PRINTED)};
const syn_record syn_tissue_step_record = RECORD_OF(syn_tissue_step, "moments", moment_fields);

/* ---- the run ------------------------------------------------------------------------------------------------------
 */

static const syn_result_field run_fields[] = {
    MEMBER(syn_tissue_scene, name, "name", "Scene", "", FILE_ONLY, THROUGH(syn_tissue_run, scene)),
    MEMBER(syn_tissue_run, step_count, "steps", "Steps", "", FILE_ONLY),
    MEMBER(syn_tissue_run, step_s, "step_s", "Step", "s", FILE_ONLY),
    MEMBER(syn_tissue_run, duration_s, "duration_s", "Duration", "s", FILE_ONLY),
    MEMBER(syn_tissue_run, integrator, "integrator", "Integrator", "", FILE_ONLY),
    MEMBER(syn_tissue_run, continued_at, "continued_at", "Continued after step", "", FILE_ONLY | SYN_OPTIONAL,
           KNOWN_IF(syn_tissue_run, continued_at)),
    LIST_OF(syn_tissue_run, bodies, body_count, body_record, "bodies", "Bodies", FILE_ONLY),
    COLUMNS_OF(syn_tissue_run, moments, moment_count, syn_tissue_step_record, "energy", "Energies", FILE_ONLY)};
const syn_record syn_tissue_run_record = RECORD_OF(syn_tissue_run, "simulate", run_fields);
