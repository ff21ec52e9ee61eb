/* Writes the contact problem as an input of CalculiX (program ccx): elements, bonds, planes of symmetry, the load,
 * and surface-to-surface contact with a linear penalty. Rigid surfaces become a layer of elements behind their
 * faces, all of whose nodes are prescribed. */
#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "base/text.h"
#include "pressure/contact/problem_files.h"

typedef struct writer {
  const syn_contact_problem *c;
  const syn_load_step *load;
  FILE *to;
  uint32_t node, element; /* next numbers */
  uint32_t first_element[2], first_behind[2];
  uint32_t frame; /* node of the mobile frame; the next one has its rotation */
} writer;

/* CalculiX reads 20 characters of a number: twelve digits leave space for sign and exponent. */
static void write_place(FILE *to, uint32_t node, syn_vec3 p) {
  fprintf(to, "%u,%.12g,%.12g,%.12g\n", node, p.x, p.y, p.z);
}

static syn_vec3 placed(const writer *w, uint32_t i) { return exchange_place(w->c, &w->load->pose, i); }

/* ---- nodes and elements --------------------------------------------------------------------------------------------
 */

/* Adds a node behind each corner of each face, at a distance of the face's width. */
static void write_behind(writer *w, int k) {
  const contact_side *side = &w->c->bodies.sides[k];
  w->first_behind[k] = w->node;
  for (uint32_t f = 0; f < side->face_count; ++f) {
    const contact_face *face = &side->faces[f];
    const syn_vec3 normal = syn_contact_face_normal(face, w->c->bodies.rest);
    const double size = vec3_distance(w->c->bodies.rest[face->node[0]], w->c->bodies.rest[face->node[1]]);
    for (int a = 0; a < syn_contact_shapes[face->kind].corner_count; ++a) {
      const syn_vec3 p = vec3_madd(w->c->bodies.rest[face->node[a]], -size, normal);
      write_place(w->to, w->node++, side->moves ? pose_point(&w->load->pose, p) : p);
    }
  }
}

static void write_nodes(writer *w) {
  fprintf(w->to, "*NODE,NSET=NALL\n");
  for (uint32_t i = 0; i < w->c->bodies.node_count; ++i) write_place(w->to, i + 1, placed(w, i));
  w->node = w->c->bodies.node_count + 1;
  for (int k = 0; k < 2; ++k)
    if (!w->c->bodies.sides[k].soft) write_behind(w, k);
  w->frame = w->node;
  for (int i = 0; i < 2; ++i) write_place(w->to, w->node++, placed(w, w->c->bodies.sides[1].first));
}

static void write_elements(writer *w, int k) {
  static const char *const kinds[FEM_NODES + 1] = {[4] = "C3D4", [8] = "C3D8I", [10] = "C3D10"};
  const contact_side *side = &w->c->bodies.sides[k];
  const fem_state *fem = side->soft->state;
  const int each = fem->element->node_count;
  fprintf(w->to, "*ELEMENT,TYPE=%s,ELSET=BODY%d\n", kinds[each], k);
  w->first_element[k] = w->element;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fprintf(w->to, "%u", w->element++);
    for (int a = 0; a < each; ++a) fprintf(w->to, ",%u", side->first + fem_nodes_of(fem, e)[a] + 1);
    fprintf(w->to, "\n");
  }
}

/* Hexahedra, and wedges behind triangles; the faces are their last ones. */
static void write_rigid_elements(writer *w, int k) {
  const contact_side *side = &w->c->bodies.sides[k];
  uint32_t behind = w->first_behind[k];
  w->first_element[k] = w->element;
  for (uint32_t f = 0; f < side->face_count; ++f) {
    const contact_face *face = &side->faces[f];
    const int n = syn_contact_shapes[face->kind].corner_count;
    fprintf(w->to, "*ELEMENT,TYPE=%s,ELSET=RIGID\n%u", n == 4 ? "C3D8" : "C3D6", w->element++);
    for (int a = 0; a < n; ++a) fprintf(w->to, ",%u", behind++);
    for (int a = 0; a < n; ++a) fprintf(w->to, ",%u", face->node[a] + 1);
    fprintf(w->to, "\n");
  }
}

/* ---- materials -----------------------------------------------------------------------------------------------------
 */

static void write_material(writer *w, const char *name, uint32_t number, const fem_material *m) {
  fprintf(w->to, "*MATERIAL,NAME=M%s%u\n*ELASTIC\n%.12g,%.12g\n*SOLID SECTION,ELSET=%s%u,MATERIAL=M%s%u\n", name,
          number, exchange_young(m), exchange_poisson(m), name, number, name, number);
}

/* Writes one set for each run of elements of one material. */
static void write_materials(writer *w, int k) {
  const fem_state *fem = w->c->bodies.sides[k].soft->state;
  const char *name = k == 0 ? "A" : "B";
  uint32_t number = 0;
  for (uint32_t e = 0; e < fem->element_count;) {
    const fem_material *m = fem_material_of(fem, e);
    fprintf(w->to, "*ELSET,ELSET=%s%u,GENERATE\n%u,", name, ++number, w->first_element[k] + e);
    e = exchange_material_end(fem, e);
    fprintf(w->to, "%u\n", w->first_element[k] + e - 1);
    write_material(w, name, number, m);
  }
}

/* ---- surfaces ------------------------------------------------------------------------------------------------------
 */

/* Returns CalculiX's number of a face of an element. */
static int face_number(int nodes, int face) {
  static const uint8_t hex[6] = {1, 2, 3, 4, 5, 6}, tet[4] = {3, 4, 2, 1};
  return nodes == 8 ? hex[face] : tet[face];
}

static bool has_corners(const contact_face *face, int count, const uint32_t *nodes, const uint8_t *own,
                        uint32_t first) {
  for (int a = 0; a < count; ++a) {
    bool found = false;
    for (int b = 0; b < count; ++b) found |= face->node[b] == first + nodes[own[a]];
    if (!found) return false;
  }
  return true;
}

/* Each face of the surface belongs to one element: looked up by its first corner. */
static syn_status write_soft_surface(writer *w, int k, syn_error *error) {
  const contact_side *side = &w->c->bodies.sides[k];
  const fem_state *fem = side->soft->state;
  const int corners = fem->element->face_corners;
  uint32_t *first, *next;
  syn_arena arena = {.context = w->c->context};
  syn_status status = SYN_TAKE(&arena, &first, side->node_count, error);
  if (!status) status = SYN_TAKE(&arena, &next, side->face_count, error);
  if (!status) {
    for (uint32_t i = 0; i < side->node_count; ++i) first[i] = SYN_NONE;
    for (uint32_t f = 0; f < side->face_count; ++f)
      next[f] = first[side->faces[f].node[0] - side->first], first[side->faces[f].node[0] - side->first] = f;
    for (uint32_t e = 0; e < fem->element_count; ++e)
      for (int s = 0; s < fem->element->face_count; ++s)
        for (int a = 0; a < corners; ++a)
          for (uint32_t f = first[fem_nodes_of(fem, e)[fem->element->faces[s][a]]]; f != SYN_NONE; f = next[f])
            if (has_corners(&side->faces[f], corners, fem_nodes_of(fem, e), fem->element->faces[s], side->first))
              fprintf(w->to, "%u,S%d\n", w->first_element[k] + e, face_number(fem->element->node_count, s));
  }
  syn_arena_release(&arena);
  return status;
}

static syn_status write_surface(writer *w, int k, syn_error *error) {
  fprintf(w->to, "*SURFACE,NAME=%s,TYPE=ELEMENT\n", k == w->c->bodies.slave ? "SLAVE" : "MASTER");
  if (w->c->bodies.sides[k].soft) return write_soft_surface(w, k, error);
  for (uint32_t f = 0; f < w->c->bodies.sides[k].face_count; ++f) fprintf(w->to, "%u,S2\n", w->first_element[k] + f);
  return SYN_OK;
}

/* ---- bonds and loads -----------------------------------------------------------------------------------------------
 */

static void write_bonds(writer *w) {
  const syn_contact_problem *c = w->c;
  fprintf(w->to, "*NSET,NSET=MOBILE\n");
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    if (c->bodies.unknown[i] == c->bodies.shift_unknown) fprintf(w->to, "%u\n", i + 1);
  if (!c->bodies.sides[1].soft)
    for (uint32_t i = w->first_behind[1]; i < w->frame; ++i) fprintf(w->to, "%u\n", i);
  fprintf(w->to, "*RIGID BODY,NSET=MOBILE,REF NODE=%u,ROT NODE=%u\n*BOUNDARY\n%u,1,3\n", w->frame, w->frame + 1,
          w->frame + 1);
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    if (c->bodies.unknown[i] == c->bodies.shift_unknown) continue;
    for (int k = 0; k < 3; ++k)
      if (c->bodies.prescribed[i] >> k & 1) fprintf(w->to, "%u,%d,%d\n", i + 1, k + 1, k + 1);
  }
  if (!c->bodies.sides[0].soft) {
    const uint32_t end = c->bodies.sides[1].soft ? w->frame : w->first_behind[1];
    for (uint32_t i = w->first_behind[0]; i < end; ++i) fprintf(w->to, "%u,1,3\n", i);
  }
  for (int k = 0; k < 3; ++k)
    if (w->load->driven >> k & 1) fprintf(w->to, "%u,%d,%d\n", w->frame, k + 1, k + 1);
}

static double stiffest(const syn_contact_problem *c) {
  double most = 0;
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) most = max2(most, c->contact.penalty[i]);
  return most;
}

static void write_step(const writer *w) {
  fprintf(w->to,
          "*SURFACE INTERACTION,NAME=TOUCH\n*SURFACE BEHAVIOR,PRESSURE-OVERCLOSURE=LINEAR\n%.6g,0.,%.6g\n"
          "*CONTACT PAIR,INTERACTION=TOUCH,TYPE=SURFACE TO SURFACE\nSLAVE,MASTER\n",
          stiffest(w->c), w->c->contact.reach_mm);
  fprintf(w->to, "*STEP,INC=1000\n*STATIC\n0.1,1.,1.e-6,1.\n*CLOAD\n");
  for (int k = 0; k < 3; ++k)
    if (!(w->load->driven >> k & 1) && vec3_at(w->load->force, k) != 0)
      fprintf(w->to, "%u,%d,%.12g\n", w->frame, k + 1, vec3_at(w->load->force, k));
  fprintf(w->to, "*NODE PRINT,NSET=NALL,FREQUENCY=1000\nU\n*CONTACT PRINT,FREQUENCY=1000\nCSTR\n"
                 "*NODE FILE,FREQUENCY=1000\nU\n*CONTACT FILE,FREQUENCY=1000\nCDIS,CSTR\n*END STEP\n");
}

static syn_status write_all(writer *w, syn_error *error) {
  write_nodes(w);
  bool rigid = false;
  for (int k = 0; k < 2; ++k) {
    if (w->c->bodies.sides[k].soft)
      write_elements(w, k);
    else
      write_rigid_elements(w, k), rigid = true;
  }
  for (int k = 0; k < 2; ++k)
    if (w->c->bodies.sides[k].soft) write_materials(w, k);
  if (rigid)
    fprintf(w->to, "*MATERIAL,NAME=STIFF\n*ELASTIC\n%.6g,0.\n*SOLID SECTION,ELSET=RIGID,MATERIAL=STIFF\n",
            w->c->bodies.plane_mpa);
  for (int k = 0; k < 2; ++k) SYN_TRY(write_surface(w, k, error));
  write_bonds(w);
  write_step(w);
  return SYN_OK;
}

static syn_status write_calculix(const syn_contact_problem *problem, const syn_load_step *load, const char *path,
                                 syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(problem->context, path, &output, error));
  writer w = {.c = problem, .load = load, .to = output.stream, .element = 1};
  const syn_status status = write_all(&w, error);
  if (!status) return syn_output_commit(&output, error);
  syn_output_discard(&output);
  return status;
}

syn_status syn_contact_problem_write(const syn_contact_problem *problem, const syn_load_step *load, const char *path,
                                     syn_error *error) {
  if (syn_path_ends(path, ".inp")) return write_calculix(problem, load, path, error);
  if (syn_path_ends(path, ".feb")) return syn_contact_write_febio(problem, load, path, error);
  return syn_fail(error, SYN_BAD_ARGUMENT, "%s must end in .inp (CalculiX) or .feb (FEBio)", path);
}
