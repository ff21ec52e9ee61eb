/* The model "molecules" of a soft body, from a mesh or from given balls. */
#include <string.h>

#include "tissue/molecule/molecule.h"

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

static void destroy(void *state) {
  molecules *m = state;
  void *const blocks[] = {m->radius, m->volume, m->row,  m->degree,     m->other, m->twin,
                          m->length, m->memory, m->area, m->mode_force, m->share};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(m->context, blocks[i]);
  for (int k = 0; k < STRAIN_MODES; ++k) {
    syn_free(m->context, m->modes[k].own);
    syn_free(m->context, m->modes[k].mirror);
    syn_free(m->context, m->modes[k].stiffness);
    syn_free(m->context, m->modes[k].bearable);
  }
  syn_free(m->context, m);
}

static syn_status check_options(const syn_soft_options *o, syn_error *error) {
  const struct {
    const char *name;
    double value, most;
  } numbers[] = {{"damping_per_s", o->damping_per_s, 1e12},
                 {"damping_s", o->damping_s, 1e12},
                 {"relaxing_part", o->relaxing_part, 1},
                 {"spacing_mm", o->spacing_mm, 1e9},
                 {"friction", o->friction, 1e6},
                 {"medium_kg_m3", o->medium_kg_m3, 1e6},
                 {"fibre_mpa", o->fibre_mpa, 1e12}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (!(numbers[i].value >= 0 && numbers[i].value <= numbers[i].most))
      return syn_fail(error, SYN_BAD_ARGUMENT, "%s must be from 0 to %g", numbers[i].name, numbers[i].most);
  if (!(o->relaxing_s > 0)) return syn_fail(error, SYN_BAD_ARGUMENT, "relaxing_s must be above 0 s");
  if (o->anchors < 1 || o->anchors > 16) return syn_fail(error, SYN_BAD_ARGUMENT, "anchors must be from 1 to 16");
  if ((unsigned)o->springs >= SYN_SPRING_RULES)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no such spring rule");
  if (!vec3_finite(o->fibre)) return syn_fail(error, SYN_BAD_ARGUMENT, "the direction of the fibres is not finite");
  return SYN_OK;
}

/* Above this the volume mode is hundreds of times stiffer than the springs: tests take minutes, steps are tiny. */
static syn_status check_poisson(const syn_soft *soft, syn_error *error) {
  if (soft->options.springs != SYN_SPRINGS_MODULI || soft->material.poisson <= 0.495) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "springs of the rule 'moduli' go up to a Poisson's ratio of 0.495, not %g: take finite elements",
                  soft->material.poisson);
}

/* Without a given skin it is made of metaballs. */
static syn_status make_skin(const syn_molecules *from, syn_soft *soft, syn_error *error) {
  syn_trimesh *skin = NULL;
  if (from->skin)
    SYN_TRY(syn_trimesh_create(soft->context, from->skin->vertices, from->skin->vertex_count, from->skin->triangles,
                               from->skin->triangle_count, &skin, error));
  else if (from->bare)
    SYN_TRY(syn_trimesh_create(soft->context, NULL, 0, NULL, 0, &skin, error));
  else
    SYN_TRY(syn_molecule_metaballs(soft->context, from->centers, from->radii_mm, from->count, 0, &skin, error));
  return syn_molecule_anchor_skin(soft, skin, error);
}

static syn_status make(const syn_molecules *from, syn_soft *soft, syn_error *error) {
  SYN_TRY(check_options(&soft->options, error));
  SYN_TRY(check_poisson(soft, error));
  SYN_TRY(syn_molecule_build(from, soft, error));
  SYN_TRY(syn_molecule_set_stiffness(from, soft, error));
  return make_skin(from, soft, error);
}

/* ---- from a body's meshes -------------------------------------------------------------------------------------------
 */

/* Uses the vertices and edges of the tetrahedra: for the rule of van Gelder. */
static syn_status edges_of_tets(const syn_tetmesh *mesh, syn_arena *work, uint32_t (**edges)[2], size_t *count,
                                syn_error *error) {
  static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  uint32_t(*pairs)[2];
  syn_pattern *pattern;
  SYN_TRY(SYN_TAKE(work, &pairs, 6 * (size_t)mesh->tet_count, error));
  for (size_t t = 0; t < mesh->tet_count; ++t)
    for (int e = 0; e < 6; ++e)
      for (int k = 0; k < 2; ++k) pairs[6 * t + (size_t)e][k] = mesh->tets[t].v[ends[e][k]];
  SYN_TRY(syn_pattern_create(work->context, mesh->vertex_count, (const uint32_t(*)[2])pairs,
                             6 * (size_t)mesh->tet_count, &pattern, error));
  *count = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) /* each edge once, above the diagonal */
    for (uint32_t k = pattern->row_start[i] + 1; k < pattern->row_start[i + 1]; ++k, ++*count) {
      pairs[*count][0] = i;
      pairs[*count][1] = pattern->columns[k];
    }
  syn_pattern_destroy(pattern);
  *edges = pairs;
  return SYN_OK;
}

static void volumes_of_tets(const syn_tetmesh *mesh, double *volumes, double *radii) {
  memset(volumes, 0, mesh->vertex_count * sizeof *volumes);
  for (size_t t = 0; t < mesh->tet_count; ++t) {
    const uint32_t *v = mesh->tets[t].v;
    const syn_vec3 o = mesh->vertices[v[0]];
    const syn_vec3 a = vec3_sub(mesh->vertices[v[1]], o), b = vec3_sub(mesh->vertices[v[2]], o);
    const double volume = fabs(vec3_dot(vec3_cross(a, b), vec3_sub(mesh->vertices[v[3]], o))) / 6;
    for (int k = 0; k < 4; ++k) volumes[v[k]] += volume / 4;
  }
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) radii[i] = cbrt(volumes[i]) / 2;
}

static syn_status make_of_tets(const syn_tetmesh *mesh, syn_soft *soft, syn_error *error) {
  syn_arena work = {soft->context, NULL, false};
  uint32_t(*edges)[2] = NULL;
  double *volumes, *radii;
  syn_trimesh *skin = NULL;
  syn_molecules from = {0};
  syn_status status = edges_of_tets(mesh, &work, &edges, &from.connection_count, error);
  if (!status) status = SYN_TAKE(&work, &volumes, mesh->vertex_count, error);
  if (!status) status = SYN_TAKE(&work, &radii, mesh->vertex_count, error);
  if (!status) status = syn_tetmesh_surface(mesh, &skin, NULL, error);
  if (!status) {
    volumes_of_tets(mesh, volumes, radii);
    from.count = mesh->vertex_count;
    from.centers = mesh->vertices;
    from.radii_mm = radii;
    from.volumes_mm3 = volumes;
    from.connections = (const uint32_t(*)[2])edges;
    from.tets = mesh->tets;
    from.tet_count = mesh->tet_count;
    from.skin = soft->options.metaballs ? NULL : skin;
    status = make(&from, soft, error);
  }
  syn_trimesh_destroy(skin);
  syn_arena_release(&work);
  return status;
}

static syn_status make_of_surface(const syn_trimesh *surface, const char *name, syn_soft *soft, syn_error *error) {
  molecule_filling filling;
  syn_status status = syn_molecule_fill(soft->context, surface, soft->options.spacing_mm, name, &filling, error);
  if (!status) {
    syn_molecules from = {0};
    from.count = filling.count;
    from.centers = filling.centers;
    from.radii_mm = filling.radii;
    from.volumes_mm3 = filling.volumes;
    from.connection_count = filling.connection_count;
    from.connections = (const uint32_t(*)[2])filling.connections;
    from.skin = soft->options.metaballs ? NULL : surface;
    status = make(&from, soft, error);
  }
  syn_molecule_filling_release(&filling);
  return status;
}

static syn_status create(const syn_body *body, syn_soft *soft, syn_error *error) {
  const char *name = body->name ? body->name : "the body";
  if (soft->options.springs == SYN_SPRINGS_TETRAHEDRAL && body->volume) return make_of_tets(body->volume, soft, error);
  SYN_TRY(check_options(&soft->options, error)); /* before the long work */
  SYN_TRY(check_poisson(soft, error));
  if (body->surface && body->surface->triangle_count) return make_of_surface(body->surface, name, soft, error);
  syn_trimesh *surface;
  SYN_TRY(syn_tetmesh_surface(body->volume, &surface, NULL, error));
  const syn_status status = make_of_surface(surface, name, soft, error);
  syn_trimesh_destroy(surface);
  return status;
}

/* ---- from given balls -----------------------------------------------------------------------------------------------
 */

static syn_status make_given(const void *from, syn_soft *soft, syn_error *error) { return make(from, soft, error); }

syn_status syn_molecules_create(const syn_context *context, const syn_molecules *from, const syn_soft_options *options,
                                syn_soft **soft, syn_error *error) {
  *soft = NULL;
  return syn_soft_make(context, &syn_model_molecules, NULL, options, make_given, from, soft, error);
}

static bool is_of_molecules(const syn_soft *soft) { return soft->model == &syn_model_molecules; }

syn_status syn_molecules_pull(const syn_soft *soft, syn_vec3 direction, double force_n, double area_mm2,
                              double *young_mpa, double *elongation_mm, syn_error *error) {
  *young_mpa = *elongation_mm = (double)NAN;
  if (!is_of_molecules(soft)) return syn_fail(error, SYN_BAD_ARGUMENT, "only bodies of molecules are tested so");
  if (!(vec3_length(direction) > 0) || !vec3_finite(direction) || !isfinite(force_n) || !(area_mm2 >= 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "a tensile test needs a direction, a finite force and an area");
  const pull_test test = {direction, force_n, area_mm2};
  return syn_molecule_pull(soft->state, &test, young_mpa, elongation_mm, NULL, error);
}

syn_status syn_molecules_skin(const syn_soft *soft, const syn_vec3 *x, double cell_mm, syn_trimesh **skin,
                              syn_error *error) {
  *skin = NULL;
  if (!is_of_molecules(soft)) return syn_fail(error, SYN_BAD_ARGUMENT, "only bodies of molecules have metaballs");
  const molecules *m = soft->state;
  return syn_molecule_metaballs(soft->context, x, m->radius, m->count, cell_mm, skin, error);
}

size_t syn_molecules_connections(const syn_soft *soft, uint32_t (*connections)[2], double *stiffness_n_mm) {
  if (!is_of_molecules(soft)) return 0;
  const molecules *m = soft->state;
  size_t at = 0;
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
      if (m->other[s] < i) continue;
      if (connections) connections[at][0] = i, connections[at][1] = m->other[s];
      if (stiffness_n_mm) stiffness_n_mm[at] = m->stiffness[s];
      ++at;
    }
  return at;
}

/* ---- memory ---------------------------------------------------------------------------------------------------------
 */

/* A standard linear solid: part of every spring is in series with a dashpot, which creeps towards the elongation.
 * Its elongation is stored in the length without force, so that forces need no other state. Angles may change the
 * stiffness, too. */
static void advance(void *state, const syn_vec3 *x, double step_s) {
  molecules *m = state;
  const double creep = -expm1(-step_s / m->relaxing_s);
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
      if (m->other[s] < i) continue;
      const double e = spring_length(vec3_sub(x[m->other[s]], x[i])) - m->length[s];
      const double crept = m->no_force[s] - m->length[s];
      m->no_force[s] = m->no_force[m->twin[s]] = m->no_force[s] + creep * (m->relaxing_part * e - crept);
      if (m->angles_updated) set_spring(m, s, syn_molecule_angle_stiffness(m, x, i, s));
    }
}

static double *history(void *state, size_t *count) {
  molecules *m = state;
  *count = m->angles_updated ? 2 * m->slot_count : m->relaxing_part > 0 ? m->slot_count : 0;
  return m->memory;
}

const syn_soft_model syn_model_molecules = {
    .info = {.name = "molecules",
             .summary = "balls and springs that fill a closed surface (Maciel 2005)",
             .needs_volume = false,
             .moves = true},
    .create = create,
    .destroy = destroy,
    .force = syn_molecule_force,
    .energy = syn_molecule_energy,
    .stiffness = syn_molecule_stiffness,
    .advance = advance,
    .project = syn_molecule_project,
    .stress = syn_molecule_stress,
    .history = history};
