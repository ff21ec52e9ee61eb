/* Writes the contact problem as an input of FEBio (febio_spec 4.0): elements, materials, bonds to rigid bodies,
 * planes of symmetry, the load, and sliding contact with an augmented Lagrangian. Rigid surfaces become rigid
 * shells. There are two steps: a free body under a force without contact is singular, so the first step moves it
 * into contact, and the second one releases it under the force, which increases from a tenth. */

#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "pressure/contact/problem_files.h"

/* ---- febio approach -------------------------------------------------------------------------------------------- */
/* Computes the displacement of the mobile body along its force until the surfaces touch: a program that starts from
 * a free body under a force, without contact, has a singular system. */

/* Signed distance along `along` from a point to a triangle; NAN beside it. */
static double distance_along(syn_vec3 point, syn_vec3 along, const syn_vec3 corners[3]) {
  const syn_vec3 ab = vec3_sub(corners[1], corners[0]), ac = vec3_sub(corners[2], corners[0]),
                 from = vec3_sub(point, corners[0]), across = vec3_cross(along, ac);
  const double det = vec3_dot(ab, across);
  if (!(fabs(det) > 1e-12 * vec3_length(ab) * vec3_length(ac))) return NAN;
  const double u = vec3_dot(from, across) / det;
  const syn_vec3 q = vec3_cross(from, ab);
  const double v = vec3_dot(along, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 ? vec3_dot(ac, q) / det : (double)NAN;
}

/* Returns the smallest distance along `along` from the vertices of one surface to the faces of the other, within
 * `reach`; faces whose normal has the same direction are back faces and are skipped. */
static double least_distance(const syn_contact_problem *c, const syn_pose *pose, int from, syn_vec3 along,
                             double reach) {
  const contact_side *points = &c->bodies.sides[from], *faces = &c->bodies.sides[1 - from];
  double least = INFINITY;
  for (uint32_t f = 0; f < faces->face_count; ++f) {
    const contact_face *face = &faces->faces[f];
    const int corners = syn_contact_shapes[face->kind].corner_count;
    for (int half = 0; half + 2 < corners; ++half) {
      const syn_vec3 t[3] = {exchange_place(c, pose, face->node[0]), exchange_place(c, pose, face->node[half + 1]),
                             exchange_place(c, pose, face->node[half + 2])};
      if (vec3_dot(vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0])), along) >= 0) continue;
      for (uint32_t g = 0; g < points->face_count; ++g)
        for (int k = 0; k < syn_contact_shapes[points->faces[g].kind].corner_count; ++k) {
          const double d = distance_along(exchange_place(c, pose, points->faces[g].node[k]), along, t);
          if (fabs(d) <= reach && d < least) least = d;
        }
    }
  }
  return least;
}

/* Returns the displacement of the mobile body along the force, in the axes that are not driven, until the surfaces
 * touch; 0 if they already touch or are further apart than the contact search radius. */
static double exchange_approach(const syn_contact_problem *c, const syn_load_step *load) {
  syn_vec3 free = load->force;
  if (load->driven & 1) free.x = 0;
  if (load->driven & 2) free.y = 0;
  if (load->driven & 4) free.z = 0;
  if (!(vec3_length(free) > 0)) return 0;
  const syn_vec3 along = vec3_unit(free);
  const double reach = c->contact.reach_mm, there = least_distance(c, &load->pose, 1, along, reach),
               back = least_distance(c, &load->pose, 0, vec3_neg(along), reach);
  const double least = there < back ? there : back;
  return isfinite(least) && least > 0 ? least : 0;
}

/* ---- febio input ----------------------------------------------------------------------------------------------- */

typedef struct writer {
  const syn_contact_problem *c;
  const syn_load_step *load;
  FILE *to;
  uint32_t element; /* next number */
} writer;

static const char *const bodies[2] = {"fixed", "mobile"};

static void write_numbers(FILE *to, const uint32_t *numbers, int count, uint32_t add) {
  for (int i = 0; i < count; ++i) fprintf(to, "%s%u", i ? "," : "", numbers[i] + add);
}

/* ---- materials -----------------------------------------------------------------------------------------------------
 */

/* Writes one part of the mesh for each run of elements of one material, with a material of the same name. */
typedef void per_part(writer *w, int side, uint32_t number, uint32_t begin, uint32_t end);

static void for_parts(writer *w, per_part *call) {
  for (int k = 0; k < 2; ++k) {
    const syn_soft *soft = w->c->bodies.sides[k].soft;
    const fem_state *fem = soft ? soft->state : NULL;
    uint32_t number = 0;
    for (uint32_t e = 0; fem && e < fem->element_count;) {
      const uint32_t end = exchange_material_end(fem, e);
      call(w, k, ++number, e, end);
      e = end;
    }
  }
}

static uint32_t part_count(const syn_contact_problem *c, int side) {
  const fem_state *fem = c->bodies.sides[side].soft ? c->bodies.sides[side].soft->state : NULL;
  uint32_t count = 0;
  for (uint32_t e = 0; fem && e < fem->element_count; ++count) e = exchange_material_end(fem, e);
  return count;
}

/* FEBio's neo-Hookean law has logarithms of J where ours has J - 1: equal for small changes of volume. */
static void write_material(writer *w, int side, uint32_t number, uint32_t begin, uint32_t end) {
  const fem_state *fem = w->c->bodies.sides[side].soft->state;
  const fem_material *m = fem_material_of(fem, begin);
  const uint32_t id = number + (side ? part_count(w->c, 0) : 0);
  (void)end;
  fprintf(w->to,
          "    <material id=\"%u\" name=\"%s%u\" type=\"%s\">\n      <density>1e-9</density>\n      <E>%.12g</E>\n"
          "      <v>%.12g</v>\n    </material>\n",
          id, bodies[side], number, fem->law_name == SYN_LAW_NEO_HOOKEAN ? "neo-Hookean" : "isotropic elastic",
          exchange_young(m), exchange_poisson(m));
}

static bool needs_frame(const syn_contact_problem *c, int side) { return side == 1 || !c->bodies.sides[0].soft; }

static void write_materials(writer *w) {
  fprintf(w->to, "  <Material>\n");
  for_parts(w, write_material);
  uint32_t id = part_count(w->c, 0) + part_count(w->c, 1);
  for (int k = 0; k < 2; ++k) {
    if (!needs_frame(w->c, k)) continue;
    const syn_vec3 at = syn_pose_point(&w->load->pose, w->load->pivot);
    fprintf(w->to,
            "    <material id=\"%u\" name=\"%s_frame\" type=\"rigid body\">\n      <density>1e-9</density>\n"
            "      <center_of_mass>%.12g,%.12g,%.12g</center_of_mass>\n    </material>\n",
            ++id, bodies[k], at.x, at.y, at.z);
  }
  fprintf(w->to, "  </Material>\n");
}

/* ---- mesh ----------------------------------------------------------------------------------------------------------
 */

static void write_part(writer *w, int side, uint32_t number, uint32_t begin, uint32_t end) {
  static const char *const kinds[FEM_NODES + 1] = {[4] = "tet4", [8] = "hex8", [10] = "tet10"};
  const fem_state *fem = w->c->bodies.sides[side].soft->state;
  const int each = fem->element->node_count;
  fprintf(w->to, "    <Elements type=\"%s\" name=\"%s%u\">\n", kinds[each], bodies[side], number);
  for (uint32_t e = begin; e < end; ++e) {
    fprintf(w->to, "      <elem id=\"%u\">", w->element++);
    write_numbers(w->to, fem_nodes_of(fem, e), each, w->c->bodies.sides[side].first + 1);
    fprintf(w->to, "</elem>\n");
  }
  fprintf(w->to, "    </Elements>\n");
}

static const char *kind_of(const contact_face *face) {
  static const char *const kinds[CONTACT_KINDS] = {
      [CONTACT_TRI3] = "tri3", [CONTACT_QUAD4] = "quad4", [CONTACT_TRI6] = "tri6"};
  return kinds[face->kind];
}

static bool has_kind(const contact_side *side, int kind) {
  for (uint32_t f = 0; f < side->face_count; ++f)
    if ((int)side->faces[f].kind == kind) return true;
  return false;
}

/* Writes a part for each kind of face. */
static void write_shells(writer *w, int k) {
  const contact_side *side = &w->c->bodies.sides[k];
  for (int kind = 0; kind < CONTACT_KINDS; ++kind) {
    bool open = false;
    for (uint32_t f = 0; f < side->face_count; ++f) {
      const contact_face *face = &side->faces[f];
      if ((int)face->kind != kind) continue;
      if (!open) fprintf(w->to, "    <Elements type=\"%s\" name=\"%s_%s\">\n", kind_of(face), bodies[k], kind_of(face));
      open = true;
      fprintf(w->to, "      <elem id=\"%u\">", w->element++);
      write_numbers(w->to, face->node, syn_contact_shapes[kind].node_count, 1);
      fprintf(w->to, "</elem>\n");
    }
    if (open) fprintf(w->to, "    </Elements>\n");
  }
}

static void write_surface(writer *w, int k) {
  const contact_side *side = &w->c->bodies.sides[k];
  fprintf(w->to, "    <Surface name=\"%s_surface\">\n", bodies[k]);
  for (uint32_t f = 0; f < side->face_count; ++f) {
    const contact_face *face = &side->faces[f];
    fprintf(w->to, "      <%s id=\"%u\">", kind_of(face), f + 1);
    write_numbers(w->to, face->node, syn_contact_shapes[face->kind].node_count, 1);
    fprintf(w->to, "</%s>\n", kind_of(face));
  }
  fprintf(w->to, "    </Surface>\n");
}

/* Returns whether a node of finite elements is bonded to a frame, or prescribed along one axis (bits as in `held`). */
static bool is_in_set(const syn_contact_problem *c, uint32_t node, int side, int axis) {
  const bool of_side = node >= c->bodies.sides[1].first;
  if (!c->bodies.sides[of_side].soft) return false;
  if (axis < 0) return (int)of_side == side && c->bodies.prescribed[node] == SYN_XYZ;
  return c->bodies.prescribed[node] != SYN_XYZ && c->bodies.prescribed[node] >> axis & 1;
}

static bool has_set(const syn_contact_problem *c, int side, int axis) {
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    if (is_in_set(c, i, side, axis)) return true;
  return false;
}

static void write_set(writer *w, const char *name, int side, int axis) {
  if (!has_set(w->c, side, axis)) return;
  bool any = false;
  fprintf(w->to, "    <NodeSet name=\"%s\">", name);
  for (uint32_t i = 0; i < w->c->bodies.node_count; ++i)
    if (is_in_set(w->c, i, side, axis)) fprintf(w->to, "%s%u", any ? "," : "", i + 1), any = true;
  fprintf(w->to, "</NodeSet>\n");
}

static const char *const set_of_axis[3] = {"symmetry_x", "symmetry_y", "symmetry_z"};

static void write_mesh(writer *w) {
  const syn_contact_problem *c = w->c;
  fprintf(w->to, "  <Mesh>\n    <Nodes name=\"all\">\n");
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    const syn_vec3 p = exchange_place(c, &w->load->pose, i);
    fprintf(w->to, "      <node id=\"%u\">%.17g,%.17g,%.17g</node>\n", i + 1, p.x, p.y, p.z);
  }
  fprintf(w->to, "    </Nodes>\n");
  for_parts(w, write_part);
  for (int k = 0; k < 2; ++k)
    if (!c->bodies.sides[k].soft) write_shells(w, k);
  for (int k = 0; k < 2; ++k) write_set(w, k ? "mobile_bonded" : "fixed_bonded", k, -1);
  for (int axis = 0; axis < 3; ++axis) write_set(w, set_of_axis[axis], 0, axis);
  for (int k = 0; k < 2; ++k) write_surface(w, k);
  fprintf(w->to,
          "    <SurfacePair name=\"touch\">\n      <primary>%s_surface</primary>\n"
          "      <secondary>%s_surface</secondary>\n    </SurfacePair>\n  </Mesh>\n",
          bodies[c->bodies.slave], bodies[1 - c->bodies.slave]);
}

static void write_domain(writer *w, int side, uint32_t number, uint32_t begin, uint32_t end) {
  (void)begin, (void)end;
  fprintf(w->to, "    <SolidDomain name=\"%s%u\" mat=\"%s%u\"/>\n", bodies[side], number, bodies[side], number);
}

static void write_domains(writer *w) {
  fprintf(w->to, "  <MeshDomains>\n");
  for_parts(w, write_domain);
  for (int k = 0; k < 2; ++k)
    for (int kind = 0; kind < CONTACT_KINDS && !w->c->bodies.sides[k].soft; ++kind)
      if (has_kind(&w->c->bodies.sides[k], kind)) {
        const contact_face face = {.kind = (contact_kind)kind};
        fprintf(w->to,
                "    <ShellDomain name=\"%s_%s\" mat=\"%s_frame\"><shell_thickness>0</shell_thickness></ShellDomain>\n",
                bodies[k], kind_of(&face), bodies[k]);
      }
  fprintf(w->to, "  </MeshDomains>\n");
}

/* ---- bonds, load, contact ------------------------------------------------------------------------------------------
 */

static void write_boundary(writer *w) {
  fprintf(w->to, "  <Boundary>\n");
  if (has_set(w->c, 0, -1))
    fprintf(w->to, "    <bc name=\"fixed_bonded\" node_set=\"fixed_bonded\" type=\"zero displacement\">\n"
                   "      <x_dof>1</x_dof>\n      <y_dof>1</y_dof>\n      <z_dof>1</z_dof>\n    </bc>\n");
  for (int axis = 0; axis < 3; ++axis)
    if (has_set(w->c, 0, axis))
      fprintf(w->to,
              "    <bc name=\"%s\" node_set=\"%s\" type=\"zero displacement\">\n      <x_dof>%d</x_dof>\n"
              "      <y_dof>%d</y_dof>\n      <z_dof>%d</z_dof>\n    </bc>\n",
              set_of_axis[axis], set_of_axis[axis], axis == 0, axis == 1, axis == 2);
  if (has_set(w->c, 1, -1))
    fprintf(w->to, "    <bc name=\"mobile_bonded\" node_set=\"mobile_bonded\" type=\"rigid\">\n"
                   "      <rb>mobile_frame</rb>\n    </bc>\n");
  fprintf(w->to, "  </Boundary>\n");
}

static void write_fixed(FILE *to, const char *body, int held) {
  fprintf(to,
          "    <rigid_bc name=\"%s_held\" type=\"rigid_fixed\">\n      <rb>%s_frame</rb>\n      <Rx_dof>%d</Rx_dof>\n"
          "      <Ry_dof>%d</Ry_dof>\n      <Rz_dof>%d</Rz_dof>\n      <Ru_dof>1</Ru_dof>\n      <Rv_dof>1</Rv_dof>\n"
          "      <Rw_dof>1</Rw_dof>\n    </rigid_bc>\n",
          body, body, held & 1, held >> 1 & 1, held >> 2 & 1);
}

static void write_rigid(writer *w) {
  fprintf(w->to, "  <Rigid>\n");
  for (int k = 0; k < 2; ++k)
    if (needs_frame(w->c, k)) write_fixed(w->to, bodies[k], k ? w->load->driven : SYN_XYZ);
  fprintf(w->to, "  </Rigid>\n");
}

static bool is_free(const writer *w, int axis) { return !(w->load->driven >> axis & 1); }

/* Prescribes all free axes: without a force along one the body stays there until the second step. */
static void write_approach(writer *w, syn_vec3 way) {
  for (int axis = 0; axis < 3; ++axis)
    if (is_free(w, axis))
      fprintf(w->to,
              "        <rigid_bc name=\"approach_%c\" type=\"rigid_displacement\">\n          <rb>mobile_frame</rb>\n"
              "          <dof>%c</dof>\n          <value lc=\"1\">%.12g</value>\n          <relative>0</relative>\n"
              "        </rigid_bc>\n",
              "xyz"[axis], "xyz"[axis], vec3_at(way, axis));
}

static void write_forces(writer *w) {
  for (int axis = 0; axis < 3; ++axis) {
    const double force = vec3_at(w->load->force, axis);
    if (is_free(w, axis) && force != 0)
      fprintf(w->to,
              "        <rigid_load name=\"force_%c\" type=\"rigid_force\">\n          <rb>mobile_frame</rb>\n"
              "          <dof>R%c</dof>\n          <value lc=\"2\">%.12g</value>\n        </rigid_load>\n",
              "xyz"[axis], "xyz"[axis], force);
  }
}

static void write_control(writer *w, int steps) {
  fprintf(w->to,
          "      <Control>\n        <analysis>STATIC</analysis>\n        <time_steps>%d</time_steps>\n"
          "        <step_size>%.6g</step_size>\n        <time_stepper type=\"default\">\n"
          "          <max_retries>10</max_retries>\n          <dtmin>0.001</dtmin>\n          <dtmax>%.6g</dtmax>\n"
          "        </time_stepper>\n        <solver type=\"solid\">\n"
          "          <symmetric_stiffness>0</symmetric_stiffness>\n          <rtol>%.6g</rtol>\n        </solver>\n"
          "      </Control>\n",
          steps, 1.0 / steps, 1.0 / steps, w->c->options.tolerance);
}

/* A little deeper than the first touch, so that some nodes are active when the body is released. */
#define TOUCH_MM 0.05

static void write_steps(writer *w) {
  const syn_vec3 f = w->load->force,
                 along = vec3_unit(vec3(is_free(w, 0) ? f.x : 0, is_free(w, 1) ? f.y : 0, is_free(w, 2) ? f.z : 0));
  const syn_vec3 way = vec3_scale(along, exchange_approach(w->c, w->load) + TOUCH_MM);
  fprintf(w->to, "  <Step>\n    <step id=\"1\" name=\"approach\">\n");
  write_control(w, 2);
  fprintf(w->to, "      <Rigid>\n");
  write_approach(w, way);
  fprintf(w->to, "      </Rigid>\n    </step>\n    <step id=\"2\" name=\"load\">\n");
  write_control(w, 10);
  fprintf(w->to, "      <Rigid>\n");
  write_forces(w);
  fprintf(w->to, "      </Rigid>\n    </step>\n  </Step>\n");
}

static void write_contact(writer *w) {
  fprintf(w->to,
          "  <Contact>\n    <contact name=\"touch\" type=\"sliding-elastic\" surface_pair=\"touch\">\n"
          "      <laugon>AUGLAG</laugon>\n      <tolerance>0.1</tolerance>\n      <penalty>10</penalty>\n"
          "      <auto_penalty>1</auto_penalty>\n      <update_penalty>1</update_penalty>\n"
          "      <two_pass>0</two_pass>\n      <maxaug>10</maxaug>\n      <search_tol>0.01</search_tol>\n"
          "      <search_radius>%.6g</search_radius>\n      <symmetric_stiffness>0</symmetric_stiffness>\n"
          "      <fric_coeff>0</fric_coeff>\n    </contact>\n  </Contact>\n",
          w->c->contact.reach_mm);
}

static void write_begin(writer *w) {
  fprintf(w->to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<febio_spec version=\"4.0\">\n"
                 "  <Module type=\"solid\"/>\n");
}

static void write_end(writer *w) {
  fprintf(w->to, "  <LoadData>\n    <load_controller id=\"1\" name=\"approach\" type=\"loadcurve\">\n"
                 "      <interpolate>LINEAR</interpolate>\n      <extend>CONSTANT</extend>\n"
                 "      <points><pt>0,0</pt><pt>1,1</pt></points>\n    </load_controller>\n"
                 "    <load_controller id=\"2\" name=\"load\" type=\"loadcurve\">\n"
                 "      <interpolate>LINEAR</interpolate>\n      <extend>CONSTANT</extend>\n"
                 "      <points><pt>1,0.1</pt><pt>2,1</pt></points>\n    </load_controller>\n  </LoadData>\n"
                 "  <Output>\n    <plotfile type=\"febio\">\n      <var type=\"displacement\"/>\n"
                 "      <var type=\"stress\"/>\n      <var type=\"contact gap\"/>\n"
                 "      <var type=\"contact pressure\"/>\n    </plotfile>\n  </Output>\n</febio_spec>\n");
}

syn_status syn_contact_write_febio(const syn_contact_problem *problem, const syn_load_step *load, const char *path,
                                   syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(problem->context, path, &output, error));
  writer w = {.c = problem, .load = load, .to = output.stream, .element = 1};
  write_begin(&w);
  write_materials(&w);
  write_mesh(&w);
  write_domains(&w);
  write_boundary(&w);
  write_rigid(&w);
  write_contact(&w);
  write_steps(&w);
  write_end(&w);
  return syn_output_commit(&output, error);
}
