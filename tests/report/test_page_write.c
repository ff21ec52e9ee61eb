/* The page as a whole: what is in it, that nothing in it can do harm, and that it appears complete or not at all. */
#include <dirent.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <synovia/shape.h>

#include "clinic/rom/hip_rom.h"
#include "example.h"
#include "page_reader.h"
#include "report/page.h"

static char *page_of(const syn_context *context, const syn_report *report) {
  syn_error error;
  const char *path = temporary_path("page.html");
  ASSERT_OK(syn_report_write(context, report, NULL, path, &error));
  size_t size;
  return read_whole_file(path, &size);
}

/* "a b c": exactly these keys. */
static void check_keys(const json_t *object, const char *keys) {
  char all[512], *rest = NULL;
  size_t count = 0;
  assert_true(json_is_object(object));
  snprintf(all, sizeof all, "%s", keys);
  for (char *key = strtok_r(all, " ", &rest); key; key = strtok_r(NULL, " ", &rest), ++count)
    if (!json_object_get(object, key)) fail_msg("the key %s is missing", key);
  if (json_object_size(object) != count) fail_msg("expected only the keys %s", keys);
}

static const json_t *first(const json_t *object, const char *list) {
  const json_t *item = json_array_get(json_object_get(object, list), 0);
  assert_non_null(item);
  return item;
}

/* By hand from web/src/model.ts. */
static void the_model_has_every_key(void **state) {
  (void)state;
  static example e;
  example_make(&e, 2);
  char *page = page_of(NULL, &e.report);
  json_t *model = page_model(page);
  check_keys(model, "synovia kind title subtitle summary notes frame bodies motions markers ranges envelope clock "
                    "tables provenance alpha");
  check_keys(json_object_get(model, "frame"), "side center right forward up cup joint");
  const json_t *joint = json_object_get(json_object_get(model, "frame"), "joint");
  check_keys(joint, "pelvis femur seat");
  check_keys(json_object_get(joint, "femur"), "flexion adduction rotation");
  const json_t *body = json_array_get(json_object_get(model, "bodies"), e.bodies[0].field_count ? 0 : 2);
  check_keys(body, "name label tissue moves color mesh analysed display_error_mm fields");
  check_keys(json_object_get(body, "mesh"), "blob vertices triangles origin step");
  check_keys(json_object_get(body, "analysed"), "vertices triangles");
  size_t fields = 0;
  for (size_t i = 0; i < json_array_size(json_object_get(model, "bodies")); ++i) {
    const json_t *list = json_object_get(json_array_get(json_object_get(model, "bodies"), i), "fields");
    for (size_t k = 0; k < json_array_size(list); ++k, ++fields)
      check_keys(json_array_get(list, k), "name label unit blob low step steps motion");
  }
  assert_int_equal(fields, 2);
  const json_t *motion = first(model, "motions");
  check_keys(motion, "name label poses along curves contact");
  check_keys(json_object_get(motion, "along"), "label unit values");
  check_keys(first(motion, "curves"), "name label unit values");
  check_keys(json_object_get(motion, "contact"), "point mobile_point fixed mobile kind hour angle_deg");
  assert_int_equal(json_array_size(first(motion, "poses")), 12);
  check_keys(first(model, "markers"), "name label point body confidence");
  check_keys(first(model, "ranges"), "name label unit value why_not low high source link band group notes");
  check_keys(json_object_get(model, "envelope"), "flexion adduction internal external places followed_to contacts");
  check_keys(first(model, "clock"), "hour label value unit short_by");
  check_keys(json_object_get(model, "alpha"), "center radius_mm axis away alpha_deg hour tolerance_mm");
  const json_t *table = first(model, "tables");
  check_keys(table, "name title columns rows note");
  check_keys(first(table, "columns"), "key label unit numeric");
  check_keys(first(table, "rows"), "motion angle by hour");
  const json_t *provenance = json_object_get(model, "provenance");
  check_keys(provenance, "version date command inputs options");
  check_keys(first(provenance, "inputs"), "name sha256 vertices triangles");
  check_keys(json_object_get(provenance, "options"), "side step slack");
  json_decref(model);
  free(page);
  example_release(&e);
}

static void the_numbers_are_those_given(void **state) {
  (void)state;
  static example e;
  example_make(&e, 2);
  char *page = page_of(NULL, &e.report);
  json_t *model = page_model(page);
  const json_t *motion = first(model, "motions");
  for (size_t i = 0; i < EXAMPLE_POSES; ++i) {
    double matrix[16];
    syn_pose_to_matrix(&e.poses[i], matrix);
    const json_t *pose = json_array_get(json_object_get(motion, "poses"), i);
    for (size_t k = 0; k < 12; ++k) assert_true(json_number_value(json_array_get(pose, k)) == matrix[k]);
    const json_t *gap =
        json_array_get(json_object_get(json_array_get(json_object_get(motion, "curves"), 1), "values"), i);
    assert_true(isnan(e.gap[i]) ? json_is_null(gap) : json_number_value(gap) == e.gap[i]);
  }
  const json_t *envelope = json_object_get(model, "envelope");
  assert_int_equal(json_array_size(json_object_get(envelope, "flexion")), EXAMPLE_FLEXION);
  ASSERT_NEAR(json_number_value(json_array_get(json_object_get(envelope, "adduction"), 20)), 40, 1e-9);
  for (size_t f = 0; f < EXAMPLE_FLEXION; ++f)
    for (size_t a = 0; a < EXAMPLE_ADDUCTION; ++a) {
      const json_t *cell = json_array_get(json_array_get(json_object_get(envelope, "internal"), f), a);
      const double expected = (double)e.internal[f * EXAMPLE_ADDUCTION + a] * 180 / 3.14159265358979;
      if (isnan(expected))
        assert_true(json_is_null(cell));
      else
        ASSERT_NEAR(json_number_value(cell), expected, 1e-5);
    }
  const json_t *alpha = first(model, "ranges");
  assert_true(json_is_null(json_object_get(alpha, "low")));
  assert_true(json_number_value(json_object_get(alpha, "high")) == 55);
  assert_string_equal(json_string_value(json_object_get(alpha, "group")), "measure");
  json_decref(model);
  free(page);
  example_release(&e);
}

static void a_left_hip_looks_forward_and_up(void **state) {
  (void)state;
  const syn_hip hip = {.side = SYN_SIDE_LEFT,
                       .center = {1, 2, 3},
                       .pelvis_axes = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                       .femur_axes = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  const syn_report report = {.kind = "hip", .title = "Left", .hip = &hip, .cup_normal = {-3, 0, -4}};
  char *page = page_of(NULL, &report);
  json_t *model = page_model(page);
  const json_t *frame = json_object_get(model, "frame");
  assert_string_equal(json_string_value(json_object_get(frame, "side")), "left");
  assert_true(json_number_value(json_array_get(json_object_get(frame, "forward"), 1)) == 1);
  assert_true(json_number_value(json_array_get(json_object_get(frame, "up"), 2)) == 1);
  ASSERT_NEAR(json_number_value(json_array_get(json_object_get(frame, "cup"), 2)), -0.8, 1e-15);
  assert_true(json_number_value(json_array_get(json_object_get(frame, "center"), 2)) == 3);
  json_decref(model);
  free(page);
}

static void the_drawings_are_there_and_well_formed(void **state) {
  (void)state;
  static example e;
  example_make(&e, 2);
  char *page = page_of(NULL, &e.report);
  assert_int_equal(check_drawings(page), 8); /* curves are two to a drawing */
  static const char *const parts[] = {"<main id=\"report\">",
                                      "data-plot=\"view\"",
                                      "data-plot=\"ranges\"",
                                      "href=\"https://pmc.ncbi.nlm.nih.gov/articles/PMC4353515/\"",
                                      "data-plot=\"clock\"",
                                      "data-plot=\"envelope\"",
                                      "data-plot=\"curves\"",
                                      "<table data-table=\"motions\">",
                                      "<footer id=\"provenance\">",
                                      "Research software, not a medical device.",
                                      "synovia hip pelvis.ply femur.ply -o out",
                                      "2026-11-15 05:20 UTC",
                                      "<ul class=\"summary\">",
                                      "<section class=\"notes\" id=\"notes\"><h2>Assumptions and warnings</h2>",
                                      "<li id=\"note-1\">The head is shifted by 1.19 mm.</li>"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (!strstr(page, parts[i])) fail_msg("the page lacks %s", parts[i]);
  /* the picture waits for a script where there is one */
  assert_non_null(strstr(page, *syn_page_script ? "<section id=\"scene\" class=\"awaited\"></section>"
                                                : "<section id=\"scene\"></section>"));
  assert_non_null(strstr(page, "above: up to 55")); /* said in words, not by colour alone */
  assert_non_null(strstr(page, "1:30, 78°"));
  free(page);
  example_release(&e);
}

/* Labels of poses on the map of the envelope keep apart: 6 for each letter and 12 in height. */
static void labels_on_the_map_do_not_touch(void **state) {
  (void)state;
  static example e;
  example_make(&e, 2);
  char *page = page_of(NULL, &e.report);
  struct {
    int x, y, wide;
  } labels[32];
  size_t count = 0;
  for (const char *at = page; count < 32 && (at = strstr(at, "\" class=\"on-map\">")); ++at, ++count) {
    const char *text = strchr(at, '>') + 1, *begin = at;
    while (*begin != '<') --begin;
    assert_int_equal(sscanf(begin, "<text x=\"%d\" y=\"%d\"", &labels[count].x, &labels[count].y), 2);
    labels[count].wide = 6 * (int)(strchr(text, '<') - text);
  }
  assert_int_equal(count, 2 * SYN_DAILY_PLACES);
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < i; ++k)
      if (2 * abs(labels[i].x - labels[k].x) < labels[i].wide + labels[k].wide)
        assert_true(abs(labels[i].y - labels[k].y) >= 12);
  free(page);
  example_release(&e);
}

/* The letter of the side, where its file says that. */
static void a_joint_that_is_no_hip_has_its_side(void **state) {
  (void)state;
  static const char *const letters[] = {"R", "L", NULL};
  for (int i = 0; i < 3; ++i) {
    syn_error error;
    syn_joint *joint;
    ASSERT_OK(syn_shape_create(NULL, "lever", NULL, 0, &joint, &error));
    joint->side = i == 1 ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT;
    joint->side_unknown = i == 2;
    const syn_report report = {.kind = "joint", .title = "Lever", .joint = joint};
    char *page = page_of(NULL, &report);
    json_t *model = page_model(page);
    const char *letter = json_string_value(json_object_get(json_object_get(model, "frame"), "letter"));
    if (letters[i])
      assert_string_equal(letter, letters[i]);
    else
      assert_null(letter);
    json_decref(model);
    free(page);
    syn_joint_destroy(joint);
  }
}

/* Beside each number that it is about: in the table, in the drawing and in what the script gets. */
static void notes_are_marked_beside_their_numbers(void **state) {
  (void)state;
  static example e;
  example_make(&e, 2);
  static const char *const about[] = {"motions alpha"};
  e.report.note_about = about;
  char *page = page_of(NULL, &e.report);
  const char *mark = "<a class=\"note-mark\" href=\"#note-1\" title=\"The head is shifted by 1.19 mm.\">1</a>";
  const char *flexion = strstr(page, "<td>Flexion<a "), *abduction = strstr(page, "<td>Abduction<a ");
  assert_true(flexion && strncmp(flexion + strlen("<td>Flexion"), mark, strlen(mark)) == 0);
  assert_true(abduction && strstr(page, "<td>Adduction</td>")); /* a motion without a range is none of its numbers */
  size_t raised = 0;
  for (const char *at = page; (at = strstr(at, ">¹</text>")) != NULL; ++at) ++raised;
  assert_int_equal(raised, 5); /* four motions and alpha */
  json_t *model = page_model(page), *range;
  size_t i;
  json_array_foreach(json_object_get(model, "ranges"), i, range) {
    const bool motion = strcmp(json_string_value(json_object_get(range, "group")), "motion") == 0;
    assert_int_equal(json_array_size(json_object_get(range, "notes")), motion || i == 0);
  }
  json_decref(model);
  free(page);
  example_release(&e);
}

/* Points of the first curve that is drawn. */
static size_t points_drawn(const syn_report *report) {
  char *page = page_of(NULL, report);
  const char *path = strstr(strstr(page, "data-plot=\"curves\""), "stroke=\"var(--series-1)\"");
  const char *at = strstr(path, " d=\"") + strlen(" d=\""), *end = strchr(at, '"');
  size_t points = 0;
  for (; at < end; ++at) points += *at == 'M' || *at == 'L';
  free(page);
  return points;
}

/* Poses that bring the bodies to where a motion starts are all at its start: a line through them would stand upright.
 */
static void curves_begin_where_their_motion_starts(void **state) {
  (void)state;
  static example e;
  example_make(&e, 2);
  const size_t points = points_drawn(&e.report);
  e.along[1] = e.along[2] = e.along[0];
  assert_int_equal(points_drawn(&e.report), points - 2);
  example_release(&e);
}

/* The ticks of the vertical axis of a panel, which begins with this title. */
static const char *panel_of(const char *page, const char *title) {
  const char *found = strstr(strstr(page, "data-plot=\"curves\""), title);
  assert_non_null(found);
  return found;
}

static void panels_that_go_on_share_a_scale(void **state) {
  (void)state;
  const syn_pose poses[2] = {syn_pose_identity(), syn_pose_identity()};
  const double along[2] = {0, 3}, shallow[2] = {0, 1}, deep[2] = {0, 40};
  const syn_report_curve curves[] = {{"a", "a", "mm", shallow}, {"b", "b", "mm", deep}, {"c", "c", "mm", shallow}};
  const syn_report_motion motions[] = {{"first", "Depth", poses, 2, "Part", "%", along, &curves[0], 1, NULL, NULL},
                                       {"second", "Depth", poses, 2, "Part", "%", along, &curves[1], 1, NULL, NULL},
                                       {"third", "Width", poses, 2, "Part", "%", along, &curves[2], 1, NULL, NULL}};
  const syn_report report = {.kind = "study", .title = "Study", .motions = motions, .motion_count = 3};
  char *page = page_of(NULL, &report);
  const char *first = panel_of(page, ">Depth, mm (1 of 2)<"), *second = panel_of(page, ">Depth, mm (2 of 2)<"),
             *third = panel_of(page, ">Width, mm<"), *forty = strstr(first, ">40</text>");
  assert_true(forty && forty < second);
  assert_true(strstr(second, ">40</text>") < third);
  assert_null(strstr(third, ">40</text>"));
  free(page);
}

/* ---- hostile texts ----------------------------------------------------------------------------------------------- */

static size_t count_of(const char *text, const char *part) {
  size_t count = 0;
  for (; (text = strstr(text, part)) != NULL; text += strlen(part)) ++count;
  return count;
}

static void hostile_texts_stay_harmless(void **state) {
  (void)state;
  static const char *const evil[] = {"</script><script>alert(1)</script>",
                                     "<!--<script>",
                                     "\"'><img src=x onerror=alert(1)>",
                                     "\x01\x02\x1b[31m\x7f",
                                     "\xff\xfe\xc0\x80 \xed\xa0\x80 \xf5\x80\x80\x80 cut \xe2\x82",
                                     "&amp;&lt;",
                                     "Größe α ≤ 55° 骨盆 \U0001f9b4",
                                     "]]>",
                                     "\\u003c/script>",
                                     "back\\slash \"quote\"",
                                     "%s%n%d"};
  syn_trimesh *cube = make_cube(NULL, 1);
  const double values[8] = {0, 1, 2, 3, 4, 5, 6, 7}, along[] = {0, 1};
  const syn_pose poses[] = {syn_pose_identity(), syn_pose_identity()};
  for (size_t i = 0; i < sizeof evil / sizeof *evil; ++i) {
    const char *t = evil[i];
    const syn_report_field field = {t, t, t, values, 2, t, 0, 0};
    double steps[16];
    memcpy(steps, values, sizeof values);
    memcpy(steps + 8, values, sizeof values);
    syn_report_field with_steps = field;
    with_steps.values = steps;
    const syn_report_body body = {
        .body = {.name = t, .surface = cube}, .label = t, .fields = &with_steps, .field_count = 1};
    const syn_report_curve curve = {t, t, t, along};
    const syn_report_contact contact = {.fixed = t, .mobile = t, .kind = t};
    const syn_report_motion motion = {t, t, poses, 2, t, t, along, &curve, 1, &contact, NULL};
    const syn_report_marker marker = {t, t, t, {0, 0, 0}, 1};
    const syn_report_range ranges[] = {{t, t, t, 5, t, 1, 3, t, false, 4, 6},
                                       {t, t, t, NAN, t, 1, 3, t, true, NAN, NAN}};
    const syn_report_clock_mark mark = {3, 4, t, t, 2};
    const syn_report_column column = {t, t, t, false};
    const syn_report_cell cell = {t, 0};
    const syn_report_table table = {t, t, t, &column, 1, 1, &cell, &t};
    const syn_report_input input = {t, t, 1, 2};
    const syn_report_option option = {t, t};
    const char *const all = "motions measures";
    const syn_report report = {.kind = t,
                               .title = t,
                               .subtitle = t,
                               .summary = &t,
                               .summary_count = 1,
                               .notes = &t,
                               .note_count = 1,
                               .note_about = &all,
                               .bodies = &body,
                               .body_count = 1,
                               .motions = &motion,
                               .motion_count = 1,
                               .markers = &marker,
                               .marker_count = 1,
                               .ranges = ranges,
                               .range_count = 2,
                               .clock = &mark,
                               .clock_count = 1,
                               .tables = &table,
                               .table_count = 1,
                               .inputs = &input,
                               .input_count = 1,
                               .options = &option,
                               .option_count = 1,
                               .command = t,
                               .date = t};
    char *page = page_of(NULL, &report);
    assert_int_equal(count_of(page, "alert(1)</script>"), 0);
    assert_int_equal(count_of(page, "<img"), 0);
    assert_int_equal(count_of(page, "<!--"), 0);
    assert_true(check_drawings(page) >= 5);
    /* as many elements as with a harmless text */
    const size_t scripts = count_of(page, "<script>");
    assert_true(scripts <= 1);
    assert_int_equal(count_of(page, "<script"), 3 + scripts); /* the model, a mesh and a field */
    json_t *model = page_model(page);
    const char *title = json_string_value(json_object_get(model, "title"));
    if ((unsigned char)t[0] >= 0x20 && t[0] != '\xff') assert_string_equal(title, t);
    assert_null(strpbrk(title, "\x01\x02\x1b\x7f"));
    json_decref(model);
    free(page);
  }
  syn_trimesh_destroy(cube);
}

/* ---- little and nothing known ------------------------------------------------------------------------------------ */

static void an_empty_report_is_a_page(void **state) {
  (void)state;
  const syn_report report = {.kind = "demo", .title = "Nothing"};
  char *page = page_of(NULL, &report);
  json_t *model = page_model(page);
  assert_int_equal(check_drawings(page), 0);
  assert_int_equal(json_array_size(json_object_get(model, "bodies")), 0);
  assert_true(json_is_null(json_object_get(model, "envelope")));
  assert_null(json_object_get(json_object_get(model, "frame"), "joint"));
  assert_non_null(strstr(page, "<h1>Nothing</h1>"));
  json_decref(model);
  free(page);
}

static void what_is_not_known_is_null_or_left_out_aloud(void **state) {
  (void)state;
  static example e;
  example_make(&e, 2);
  const syn_vec3 nowhere = {NAN, NAN, NAN};
  for (int i = 0; i < EXAMPLE_POSES; ++i) e.depth[i] = e.gap[i] = e.area[i] = NAN;
  for (int i = 0; i < EXAMPLE_FLEXION * EXAMPLE_ADDUCTION; ++i) e.internal[i] = e.external[i] = NAN;
  e.contact.point = nowhere;
  e.markers[0].point = nowhere;
  e.markers[1].confidence = NAN;
  e.hip.center = nowhere;
  e.report.cup_normal = nowhere;
  const syn_report_clock_mark clock[] = {{NAN, 3, "lost", "mm", 0}, {3, NAN, "vague", "mm", 0}};
  const syn_report_range range = {"a", "A", "deg", NAN, NULL, NAN, NAN, "somebody", true, NAN, NAN};
  e.report.clock = clock;
  e.report.clock_count = 2;
  e.report.ranges = &range;
  e.report.range_count = 1;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  char *page = page_of(&context, &e.report);
  assert_int_equal(memory.live, 0);
  assert_int_equal(memory.warnings, 4); /* contact, marker, two marks */
  assert_non_null(strstr(memory.all_warnings, "Flexion") ? memory.all_warnings
                                                         : strstr(memory.all_warnings, "flexion"));
  assert_non_null(strstr(memory.all_warnings, "head_center"));
  assert_true(check_drawings(page) == 7); /* no clock */
  json_t *model = page_model(page);
  assert_int_equal(json_array_size(json_object_get(model, "markers")), 1);
  assert_int_equal(json_array_size(json_object_get(model, "clock")), 0);
  assert_true(json_is_null(json_object_get(first(model, "motions"), "contact")));
  assert_true(json_is_null(json_object_get(first(model, "ranges"), "value")));
  const json_t *center = json_object_get(json_object_get(model, "frame"), "center");
  for (size_t i = 0; i < 3; ++i) assert_true(json_is_number(json_array_get(center, i)));
  json_decref(model);
  free(page);
  example_release(&e);
}

static void numbers_at_the_ends_draw_something(void **state) {
  (void)state;
  const double wild[] = {0, 1e308, -1e308, 1e-308, NAN, 5e-324}, along[] = {0, 1e-300, 2e-300, 1, 1e300, 1e308};
  syn_pose poses[6];
  for (int i = 0; i < 6; ++i) poses[i] = syn_pose_identity();
  const syn_report_curve curve = {"c", "C", "mm", wild};
  const syn_report_motion motion = {"m", "M", poses, 6, "t", "s", along, &curve, 1, NULL, NULL};
  const syn_report_range ranges[] = {{"a", "A", "mm", 1e308, NULL, -1e308, 1e300, "s", true, -1e308, 1e308},
                                     {"b", "B", "mm", 0, NULL, 0, 0, "s", false, 0, 0},
                                     {"c", "C", "mm", -1e-320, NULL, 1e308, NAN, "s", false, NAN, 1}};
  const syn_report_clock_mark clock[] = {
      {1e300, 1e308, "far", "mm", 1e308}, {-5, -1e308, "back", "mm", -1e308}, {3, 0, "zero", "", NAN}};
  const syn_report report = {.kind = "demo",
                             .title = "Wild",
                             .motions = &motion,
                             .motion_count = 1,
                             .ranges = ranges,
                             .range_count = 3,
                             .clock = clock,
                             .clock_count = 3};
  char *page = page_of(NULL, &report);
  assert_int_equal(check_drawings(page), 3);
  free(page);
}

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

static void the_same_report_gives_the_same_bytes(void **state) {
  (void)state;
  static example e;
  example_make(&e, 3);
  syn_context one = syn_default_context();
  one.threads = 1;
  char *a = page_of(NULL, &e.report), *b = page_of(&one, &e.report);
  assert_string_equal(a, b);
  /* also where a comma stands for the point */
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
    char *c = page_of(NULL, &e.report);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(a, c);
    free(c);
  }
  free(a);
  free(b);
  example_release(&e);
}

static size_t files_in(const char *folder) {
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  size_t count = 0;
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

static bool stop(void *user, const char *what, double fraction) {
  (void)user, (void)what, (void)fraction;
  return false;
}

/* As a bitmap: its headers by hand, rows from the bottom and filled up to four bytes. */
static void images_are_bitmaps(void **state) {
  (void)state;
  syn_error error;
  const unsigned char pixels[] = {1, 2, 3, 200, 201, 255};
  const syn_report_image image = {"Two rows & three columns", 3, 2, pixels};
  syn_report report = {.kind = "test", .title = "Images", .images = &image, .image_count = 1};
  const char *path = temporary_path("image.html");
  size_t size;
  ASSERT_OK(syn_report_write(NULL, &report, NULL, path, &error));
  char *page = read_whole_file(path, &size), *text = strstr(page, "src=\"data:image/bmp;base64,");
  assert_non_null(strstr(page, "<figcaption>Two rows &amp; three columns</figcaption>"));
  assert_non_null(text);
  text += strlen("src=\"data:image/bmp;base64,");
  *strchr(text, '"') = 0;
  unsigned char *bytes = malloc(strlen(text));
  const size_t expected = 14 + 40 + 4 * 256 + 2 * 4;
  assert_int_equal(decode_base64(text, bytes), expected);
  static const unsigned char head[] = {'B', 'M', 62, 4, 0, 0, 0, 0, 0, 0, 54, 4, 0, 0, 40,
                                       0,   0,   0,  3, 0, 0, 0, 2, 0, 0, 0,  1, 0, 8};
  static const unsigned char rows[] = {200, 201, 255, 0, 1, 2, 3, 0};
  assert_memory_equal(bytes, head, sizeof head);
  assert_memory_equal(bytes + 54 + 4 * 200, ((unsigned char[]){200, 200, 200, 0}), 4);
  assert_memory_equal(bytes + expected - 8, rows, 8);
  free(bytes);
  free(page);
  syn_report_image none = image;
  none.width = 0;
  report.images = &none;
  ASSERT_FAILS(syn_report_write(NULL, &report, NULL, path, &error), SYN_BAD_ARGUMENT, "1 to 4096 pixels");
}

static void failures_are_explained_and_leave_nothing(void **state) {
  (void)state;
  static example e;
  syn_error error;
  example_make(&e, 2);
  const char *folder = temporary_path("empty");
  char path[512];
  mkdir(folder, 0777);
  snprintf(path, sizeof path, "%s/page.html", folder);
  ASSERT_FAILS(syn_report_write(NULL, &e.report, NULL, "/nowhere/at/all.html", &error), SYN_IO_ERROR, "cannot write");
  syn_report r = e.report;
  r.title = NULL;
  ASSERT_FAILS(syn_report_write(NULL, &r, NULL, path, &error), SYN_BAD_ARGUMENT, "needs a kind and a title");
  r = e.report;
  r.motion_count = 0;
  ASSERT_FAILS(syn_report_write(NULL, &r, NULL, path, &error), SYN_BAD_ARGUMENT,
               "along a motion that the report lacks");
  e.motions[0].pose_count = 7;
  ASSERT_FAILS(syn_report_write(NULL, &e.report, NULL, path, &error), SYN_BAD_ARGUMENT,
               "has 31 steps, but the motion flexion has 7");
  e.motions[0].pose_count = EXAMPLE_POSES;
  e.along[3] = NAN;
  ASSERT_FAILS(syn_report_write(NULL, &e.report, NULL, path, &error), SYN_BAD_ARGUMENT, "pose 3 of the motion flexion");
  e.along[3] = 9;
  e.motions[0].name = NULL;
  ASSERT_FAILS(syn_report_write(NULL, &e.report, NULL, path, &error), SYN_BAD_ARGUMENT, "has no name");
  e.motions[0].name = "flexion";
  e.bodies[1].body.surface = NULL;
  ASSERT_FAILS(syn_report_write(NULL, &e.report, NULL, path, &error), SYN_BAD_ARGUMENT, "body 1");
  e.bodies[1].body.surface = e.shape->bodies[1].surface;
  syn_context impatient = syn_default_context();
  impatient.progress = stop;
  ASSERT_FAILS(syn_report_write(&impatient, &e.report, NULL, path, &error), SYN_CANCELLED, "stopped");
  assert_int_equal(files_in(folder), 0);
  example_release(&e);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_report_options options = syn_default_report_options();
  options.display_triangles = 60; /* the body is decimated */
  return syn_report_write(context, user, &options, temporary_path("memory.html"), error);
}

/* Small, because it is written some hundred times. */
static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  static example e;
  test_random random = {3};
  example_make(&e, 2);
  syn_trimesh *blob = make_blob(NULL, &random, 6, 10, 0.1);
  double values[64] = {0};
  const syn_report_field field = {"f", "F", "mm", values, 1, NULL, 0, 0};
  const syn_report_body body = {.body = {.name = "blob", .surface = blob}, .fields = &field, .field_count = 1};
  assert_true(blob->vertex_count <= 64);
  e.motions[0].pose_count = 2;
  e.report.bodies = &body;
  e.report.body_count = e.report.motion_count = 1;
  e.envelope.flexion_count = 3;
  check_every_allocation(attempt, &e.report);
  syn_trimesh_destroy(blob);
  example_release(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_model_has_every_key),
      cmocka_unit_test(the_numbers_are_those_given),
      cmocka_unit_test(a_left_hip_looks_forward_and_up),
      cmocka_unit_test(the_drawings_are_there_and_well_formed),
      cmocka_unit_test(labels_on_the_map_do_not_touch),
      cmocka_unit_test(a_joint_that_is_no_hip_has_its_side),
      cmocka_unit_test(hostile_texts_stay_harmless),
      cmocka_unit_test(curves_begin_where_their_motion_starts),
      cmocka_unit_test(notes_are_marked_beside_their_numbers),
      cmocka_unit_test(panels_that_go_on_share_a_scale),
      cmocka_unit_test(an_empty_report_is_a_page),
      cmocka_unit_test(what_is_not_known_is_null_or_left_out_aloud),
      cmocka_unit_test(numbers_at_the_ends_draw_something),
      cmocka_unit_test(the_same_report_gives_the_same_bytes),
      cmocka_unit_test(images_are_bitmaps),
      cmocka_unit_test(failures_are_explained_and_leave_nothing),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
