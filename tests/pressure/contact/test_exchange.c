/* The same problem for other programs, and their results beside ours. FEBio is no package of Debian: its file is read
 * again and checked name by name and number by number. CalculiX runs where it is installed. */
#include "block_pair.h"

#include "base/files/file.h"
#include "base/vec.h"
#include "mesh/io/xml.h"

static const syn_material materials[2] = {{10, 0.3, 1000}, {20, 0.3, 1000}};
static const syn_load_step pressed = {.driven = 3, .force = {0, 0, -1}};

static syn_load_step load_of(void) {
  syn_load_step load = pressed;
  load.pose = syn_pose_identity();
  return load;
}

static block_pair make_pair(syn_element element, syn_law law) {
  const uint32_t lower[3] = {2, 2, 1}, upper[3] = {3, 2, 1};
  return make_block_pair(element, lower, upper, 0.8, materials, law, 0, 0);
}

/* ---- FEBio ---------------------------------------------------------------------------------------------------------
 */

static const syn_xml_element *part_of(const syn_xml *xml, const char *section) {
  const syn_xml_element *found = syn_xml_find(xml->root->child, section);
  assert_non_null(found);
  return found;
}

/* Every number of a list is one of 1 to `count`; returns how many there are. */
static uint32_t check_list(const syn_xml *xml, const syn_xml_element *element, uint32_t count) {
  syn_text text;
  syn_error error;
  uint32_t numbers = 0;
  ASSERT_OK(syn_xml_text(xml, element, &text, &error));
  for (const char *at = text.at; at < text.end;) {
    char *end;
    const long node = strtol(at, &end, 10);
    assert_true(end > at && node >= 1 && (uint32_t)node <= count);
    ++numbers;
    at = end + (end < text.end);
  }
  return numbers;
}

/* Ids are 1, 2, 3 … through all elements of a name. */
static void check_ids(const syn_xml *xml, const syn_xml_element *item, uint32_t *last) {
  uint64_t id;
  syn_error error;
  ASSERT_OK(syn_xml_uint64(xml, item, "id", 0, &id, &error));
  assert_int_equal(id, ++*last);
}

static bool names_one(const syn_xml_element *first, const char *kind, const char *name) {
  for (const syn_xml_element *e = syn_xml_find(first, kind); e; e = syn_xml_find(e->next, kind))
    if (syn_xml_attribute_is(e, "name", name)) return true;
  return false;
}

static bool text_names_one(const syn_xml *xml, const syn_xml_element *element, const syn_xml_element *first,
                           const char *kind, const char *ending) {
  syn_text text;
  syn_error error;
  char name[80];
  ASSERT_OK(syn_xml_text(xml, element, &text, &error));
  snprintf(name, sizeof name, "%.*s%s", (int)(text.end - text.at), text.at, ending);
  return names_one(first, kind, name);
}

typedef struct counts {
  uint32_t nodes, elements, faces, parts, bonded[2];
} counts;

static counts check_mesh(const syn_xml *xml) {
  const syn_xml_element *mesh = part_of(xml, "Mesh"), *nodes = syn_xml_find(mesh->child, "Nodes");
  counts c = {0};
  for (const syn_xml_element *n = nodes->child; n; n = n->next) check_ids(xml, n, &c.nodes);
  for (const syn_xml_element *p = syn_xml_find(mesh->child, "Elements"); p; p = syn_xml_find(p->next, "Elements")) {
    ++c.parts;
    for (const syn_xml_element *e = p->child; e; e = e->next) {
      const char *kind = syn_xml_attribute(p, "type");
      check_ids(xml, e, &c.elements);
      assert_int_equal(check_list(xml, e, c.nodes), atoi(kind + strcspn(kind, "0123456789")));
    }
  }
  for (const syn_xml_element *s = syn_xml_find(mesh->child, "Surface"); s; s = syn_xml_find(s->next, "Surface")) {
    uint32_t last = 0;
    for (const syn_xml_element *f = s->child; f; f = f->next) {
      check_ids(xml, f, &last);
      assert_int_equal(check_list(xml, f, c.nodes), atoi(f->name + strcspn(f->name, "0123456789")));
    }
    c.faces += last;
  }
  for (const syn_xml_element *s = syn_xml_find(mesh->child, "NodeSet"); s; s = syn_xml_find(s->next, "NodeSet"))
    for (int k = 0; k < 2; ++k)
      if (syn_xml_attribute_is(s, "name", k ? "mobile_bonded" : "fixed_bonded"))
        c.bonded[k] = check_list(xml, s, c.nodes);
  const syn_xml_element *pair = syn_xml_find(mesh->child, "SurfacePair");
  for (const syn_xml_element *s = pair->child; s; s = s->next)
    assert_true(text_names_one(xml, s, mesh->child, "Surface", ""));
  return c;
}

/* Everything that is named is there. */
static void check_names(const syn_xml *xml, uint32_t parts) {
  const syn_xml_element *mesh = part_of(xml, "Mesh"), *material = part_of(xml, "Material");
  uint32_t domains = 0, materials_found = 0;
  for (const syn_xml_element *m = material->child; m; m = m->next) check_ids(xml, m, &materials_found);
  for (const syn_xml_element *d = part_of(xml, "MeshDomains")->child; d; d = d->next, ++domains) {
    assert_true(names_one(mesh->child, "Elements", syn_xml_attribute(d, "name")));
    assert_true(names_one(material->child, "material", syn_xml_attribute(d, "mat")));
  }
  assert_int_equal(domains, parts);
  for (const syn_xml_element *b = part_of(xml, "Boundary")->child; b; b = b->next) {
    assert_true(names_one(mesh->child, "NodeSet", syn_xml_attribute(b, "node_set")));
    const syn_xml_element *body = syn_xml_find(b->child, "rb");
    if (body) assert_true(text_names_one(xml, body, material->child, "material", ""));
  }
  for (const syn_xml_element *r = part_of(xml, "Rigid")->child; r; r = r->next)
    assert_true(text_names_one(xml, syn_xml_find(r->child, "rb"), material->child, "material", ""));
  const syn_xml_element *contact = part_of(xml, "Contact")->child;
  assert_true(names_one(mesh->child, "SurfacePair", syn_xml_attribute(contact, "surface_pair")));
}

static double number_in(const syn_xml *xml, const syn_xml_element *element) {
  syn_text text;
  syn_error error;
  char digits[80];
  assert_non_null(element);
  ASSERT_OK(syn_xml_text(xml, element, &text, &error));
  snprintf(digits, sizeof digits, "%.*s", (int)(text.end - text.at), text.at);
  return strtod(digits, NULL);
}

/* A free body is moved into contact before a force acts on it: every axis that is not driven is prescribed in the first
 * step, and none in the second, which has the forces. */
static void check_steps(const syn_xml *xml, const syn_load_step *load) {
  const syn_xml_element *first = part_of(xml, "Step")->child, *second = first->next;
  const syn_vec3 f = load->force;
  assert_true(syn_xml_attribute_is(first, "name", "approach") && syn_xml_attribute_is(second, "name", "load"));
  assert_null(second->next);
  assert_null(syn_xml_find(xml->root->child, "Control"));
  uint32_t moved = 0, loaded = 0;
  syn_vec3 way = {0, 0, 0};
  for (const syn_xml_element *r = syn_xml_find(first->child, "Rigid")->child; r; r = r->next, ++moved) {
    assert_true(syn_xml_attribute_is(r, "type", "rigid_displacement"));
    const char axis = syn_xml_attribute(r, "name")[9];
    *(axis == 'x' ? &way.x : axis == 'y' ? &way.y : &way.z) = number_in(xml, syn_xml_find(r->child, "value"));
  }
  for (const syn_xml_element *r = syn_xml_find(second->child, "Rigid")->child; r; r = r->next, ++loaded)
    assert_true(syn_xml_attribute_is(r, "type", "rigid_force"));
  const uint32_t free_axes = 3u - (load->driven & 1) - (load->driven >> 1 & 1) - (load->driven >> 2 & 1);
  assert_int_equal(moved, free_axes);
  assert_true(free_axes == 0 || (loaded > 0 && vec3_dot(way, f) > 0));
}

static counts write_and_check(const syn_contact_body bodies[2]) {
  const char *path = temporary_path("contact.feb");
  const syn_load_step load = load_of();
  syn_contact_problem *problem;
  syn_error error;
  char *bytes;
  size_t size;
  syn_xml xml;
  ASSERT_OK(syn_contact_problem_create(NULL, &bodies[0], &bodies[1], NULL, &problem, &error));
  ASSERT_OK(syn_contact_problem_write(problem, &load, path, &error));
  ASSERT_OK(syn_read_file(NULL, path, &bytes, &size, &error));
  ASSERT_OK(syn_xml_parse(NULL, bytes, size, path, NULL, &xml, &error));
  assert_true(syn_xml_attribute_is(xml.root, "version", "4.0"));
  const counts c = check_mesh(&xml);
  check_names(&xml, c.parts);
  check_steps(&xml, &load);
  syn_xml_release(&xml);
  syn_free(NULL, bytes);
  syn_contact_problem_destroy(problem);
  return c;
}

static uint32_t held_nodes(const syn_contact_body *body, uint32_t count) {
  uint32_t held = 0;
  for (uint32_t i = 0; i < count; ++i) held += body->held[i] == 7;
  return held;
}

static void the_file_for_febio_is_whole(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    block_pair pair = make_pair((syn_element)element, SYN_LAW_NEO_HOOKEAN);
    const counts c = write_and_check(pair.bodies);
    const syn_fem_mesh *lower = &pair.boxes[0].mesh, *upper = &pair.boxes[1].mesh;
    assert_int_equal(c.nodes, lower->node_count + upper->node_count);
    assert_int_equal(c.elements, lower->element_count + upper->element_count);
    assert_int_equal(c.faces, pair.bodies[0].face_count + pair.bodies[1].face_count);
    assert_int_equal(c.bonded[0], held_nodes(&pair.bodies[0], lower->node_count));
    assert_int_equal(c.bonded[1], held_nodes(&pair.bodies[1], upper->node_count));
    /* The library's own reader of meshes finds the same points. */
    syn_geometry geometry;
    syn_error error;
    ASSERT_OK(syn_geometry_read(NULL, temporary_path("contact.feb"), NULL, &geometry, &error));
    assert_int_equal(geometry.point_count, c.nodes);
    for (uint32_t i = 0; i < lower->node_count; ++i)
      assert_true(vec3_distance(geometry.points[i], lower->nodes[i]) == 0);
    syn_geometry_free(NULL, &geometry);
    drop_block_pair(&pair);
  }
}

/* A rigid plane below becomes shells of a frame that is held. */
static void a_rigid_surface_is_written_as_shells(void **state) {
  (void)state;
  block_pair pair = make_pair(SYN_ELEMENT_HEX8, SYN_LAW_LINEAR);
  static const syn_vec3 plane[5] = {{-1, -1, 0.8}, {2, -1, 0.8}, {2, 2, 0.8}, {-1, 2, 0.8}, {3, 0.5, 0.8}};
  static const uint32_t faces[8] = {0, 1, 2, 3, 1, 4, 2, 2};
  const syn_contact_body bodies[2] = {
      {.node_count = 5, .nodes = plane, .face_count = 2, .face_nodes = 4, .faces = faces}, pair.bodies[1]};
  const counts c = write_and_check(bodies);
  assert_int_equal(c.elements, pair.boxes[1].mesh.element_count + 2);
  assert_int_equal(c.parts, 3); /* elements, a quadrilateral, a triangle */
  assert_int_equal(c.bonded[0], 0);
  drop_block_pair(&pair);
}

/* ---- results of CalculiX -------------------------------------------------------------------------------------------
 */

typedef struct solved {
  block_pair pair;
  syn_contact_problem *problem;
  syn_load_step load;
  uint32_t lower, all; /* nodes */
} solved;

static solved make_solved(void) {
  solved s = {.pair = make_pair(SYN_ELEMENT_HEX8, SYN_LAW_LINEAR), .load = load_of()};
  syn_error error;
  ASSERT_OK(syn_contact_problem_create(NULL, &s.pair.bodies[0], &s.pair.bodies[1], NULL, &s.problem, &error));
  ASSERT_OK(syn_contact_problem_solve(s.problem, &s.load, &error));
  s.lower = s.pair.boxes[0].mesh.node_count;
  s.all = s.lower + s.pair.boxes[1].mesh.node_count;
  return s;
}

static void drop_solved(solved *s) {
  syn_contact_problem_destroy(s->problem);
  drop_block_pair(&s->pair);
}

static syn_vec3 place(const solved *s, uint32_t i) {
  return i < s->lower ? s->pair.boxes[0].nodes[i] : s->pair.boxes[1].nodes[i - s->lower];
}

static syn_vec3 moved(const solved *s, uint32_t i) {
  const syn_vec3 x = i < s->lower ? syn_contact_problem_solution(s->problem).positions[0][i]
                                  : syn_contact_problem_solution(s->problem).positions[1][i - s->lower];
  return vec3_sub(x, place(s, i));
}

/* Of the nine nodes where the lower block may touch. */
static uint32_t first_corner(const solved *s) { return s->lower - 9; }

/* What CalculiX would write had it found our solution, with node `odd` a bit elsewhere, and more pressure at two
 * corners of the surface: `extra` at the first, half of it at the last. */
static const char *write_results(const solved *s, uint32_t odd, double way, double extra, uint32_t until) {
  const char *path = temporary_path("contact.frd");
  FILE *to = fopen(path, "w");
  assert_non_null(to);
  fprintf(to, "    1C\n    2C%30u%38d\n", s->all, 1);
  for (uint32_t i = 0; i < s->all; ++i)
    fprintf(to, " -1%10u%12.5E%12.5E%12.5E\n", i + 1, place(s, i).x, place(s, i).y, place(s, i).z);
  fprintf(to, " -3\n  100CL  101 1.000000000 %11u\n -4  DISP        4    1\n -5  D1          1    2    1    0\n",
          s->all);
  for (uint32_t i = 0; i < until; ++i) {
    const syn_vec3 u = vec3_add(moved(s, i), vec3(i == odd ? way : 0, 0, 0));
    fprintf(to, " -1%10u%12.5E%12.5E%12.5E\n", i + 1, u.x, u.y, u.z);
  }
  fprintf(to, " -3\n -4  CONTACT     6    1\n -5  COPEN       1    4    1    1\n");
  for (uint32_t i = 0; i < s->lower; ++i) {
    const double more = i == first_corner(s) ? extra : i + 1 == s->lower ? extra / 2 : 0;
    fprintf(to, " -1%10u%12.5E%12.5E%12.5E%12.5E%12.5E%12.5E\n", i + 1, 0.0, 0.0, 0.0,
            syn_contact_problem_solution(s->problem).pressure_mpa[0][i] + more, 0.0, 0.0);
  }
  fprintf(to, " -3\n 9999\n");
  fclose(to);
  return path;
}

static void differences_are_found_where_they_are(void **state) {
  (void)state;
  solved s = make_solved();
  syn_contact_comparison c;
  syn_error error;
  ASSERT_OK(syn_contact_problem_compare(s.problem, write_results(&s, 0, 0, 0, s.all), &c, &error));
  assert_int_equal(c.node_count, s.all);
  assert_int_equal(c.contact_node_count, 9);
  assert_true(c.displacement_apart_mm < 1e-5 * c.displacement_mm && c.displacement_mm > 0.01);
  assert_true(c.pressure_apart_mpa < 1e-5 && fabs(c.peak_mpa - 1) < 0.02);
  const uint32_t odd = s.lower + 3;
  ASSERT_OK(syn_contact_problem_compare(s.problem, write_results(&s, odd, 0.25, 0.5, s.all), &c, &error));
  ASSERT_NEAR(c.displacement_apart_mm, 0.25, 1e-5);
  ASSERT_NEAR(c.displacement_rms_mm, 0.25 / sqrt(s.all), 1e-5);
  assert_true(vec3_distance(c.displacement_apart_at, place(&s, odd)) < 1e-12);
  ASSERT_NEAR(c.pressure_apart_mpa, 0.5, 1e-4);
  ASSERT_NEAR(c.pressure_rms_mpa, hypot(0.5, 0.25) / 4, 1e-4); /* corners of four cells: a sixteenth of the area each */
  assert_true(vec3_distance(c.pressure_apart_at, place(&s, first_corner(&s))) < 1e-12);
  drop_solved(&s);
}

static void other_results_are_refused(void **state) {
  (void)state;
  solved s = make_solved();
  syn_contact_comparison c;
  syn_error error;
  ASSERT_FAILS(syn_contact_problem_compare(s.problem, write_results(&s, 0, 0, 0, s.all - 1), &c, &error),
               SYN_BAD_FORMAT, "no displacement");
  const char *path = temporary_path("other.frd");
  write_text_file(path, "    2C\n -1         1 0.00000E+00 0.00000E+00 9.00000E+00\n -3\n -4  DISP        4    1\n"
                        " -1         1 0.00000E+00 0.00000E+00 0.00000E+00\n -3\n");
  ASSERT_FAILS(syn_contact_problem_compare(s.problem, path, &c, &error), SYN_BAD_FORMAT, "another problem");
  write_text_file(path, "    2C\n -1         1 0.00000E+00 0.00x00E+00 9.00000E+00\n");
  ASSERT_FAILS(syn_contact_problem_compare(s.problem, path, &c, &error), SYN_BAD_FORMAT, "other.frd:2: a number");
  write_text_file(path, "");
  ASSERT_FAILS(syn_contact_problem_compare(s.problem, path, &c, &error), SYN_BAD_FORMAT, "no place of node 1");
  ASSERT_FAILS(syn_contact_problem_compare(s.problem, temporary_path("none.frd"), &c, &error), SYN_NOT_FOUND,
               "cannot open");
  drop_solved(&s);
}

/* Flat blocks: nothing is lost on facets, and both programs have one pressure. */
static void calculix_finds_the_same(void **state) {
  (void)state;
  if (system("command -v ccx > /dev/null 2>&1") != 0) SKIP("ccx (CalculiX) is not installed");
  solved s = make_solved();
  syn_contact_comparison c;
  syn_error error;
  char command[1000], path[600];
  const char *stem = temporary_path("blocks"), *name = strrchr(stem, '/') + 1;
  snprintf(path, sizeof path, "%s.inp", stem);
  ASSERT_OK(syn_contact_problem_write(s.problem, &s.load, path, &error));
  snprintf(command, sizeof command, "cd '%.*s' && ccx -i '%s' > '%s.log' 2>&1", (int)(name - stem), stem, name, name);
  if (system(command) != 0) fail_msg("ccx failed on %s", path);
  snprintf(path, sizeof path, "%s.frd", stem);
  ASSERT_OK(syn_contact_problem_compare(s.problem, path, &c, &error));
  print_message("displacement %.5f and %.5f mm, apart %.2g; pressure %.4f and %.4f MPa, apart %.2g\n",
                c.displacement_mm, c.their_displacement_mm, c.displacement_apart_mm, c.peak_mpa, c.their_peak_mpa,
                c.pressure_apart_mpa);
  assert_true(c.displacement_apart_mm < 0.04 * c.displacement_mm); /* the overlap that its penalty leaves */
  assert_true(c.pressure_apart_mpa < 0.02 * c.peak_mpa);
  drop_solved(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_file_for_febio_is_whole),
      cmocka_unit_test(a_rigid_surface_is_written_as_shells),
      cmocka_unit_test(differences_are_found_where_they_are),
      cmocka_unit_test(other_results_are_refused),
      cmocka_unit_test(calculix_finds_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
