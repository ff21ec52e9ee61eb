/* Reads the results of CalculiX for the file that calculix_input.c writes, and compares them with our solution.
 * Results (.frd) are lines of fixed columns: a block of nodes ("2C"), then one block for each quantity; the last
 * block of a name counts. */
#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "base/text.h"
#include "pressure/contact/problem_files.h"

/* Lines come without outer blanks, so that the key of three columns, " -1", has two. */
enum { KEY = 2, NUMBER = 10, VALUE = 12, PRESSURE_COLUMN = 3 };

typedef struct results {
  uint32_t node_count;
  syn_vec3 *places, *moved;
  double *pressure;           /* 0 where the file has none */
  bool *is_placed, *is_moved; /* of each node: the file has it */
  bool has_pressure;
} results;

typedef enum block { OTHER, PLACES, DISPLACEMENTS, CONTACT } block;

static bool number_at(syn_word line, size_t at, size_t width, double *value) {
  if (line.length < at + 1) return false;
  syn_word word = {line.at + at, line.length - at < width ? line.length - at : width};
  while (word.length > 0 && word.at[0] == ' ') ++word.at, --word.length;
  while (word.length > 0 && word.at[word.length - 1] == ' ') --word.length;
  return syn_word_double(word, value);
}

static bool node_of(const results *r, syn_word line, uint32_t *node) {
  double number;
  if (!number_at(line, KEY, NUMBER, &number) || !(number >= 1 && number <= r->node_count)) return false;
  *node = (uint32_t)number - 1;
  return true;
}

static bool take_vector(syn_word line, syn_vec3 *to) {
  return number_at(line, KEY + NUMBER, VALUE, &to->x) && number_at(line, KEY + NUMBER + VALUE, VALUE, &to->y) &&
         number_at(line, KEY + NUMBER + 2 * VALUE, VALUE, &to->z);
}

/* Nodes with higher numbers than ours belong to the elements that stand for rigid bodies. */
static bool take_line(results *r, block in, syn_word line) {
  uint32_t node;
  if (in == OTHER || !node_of(r, line, &node)) return true;
  if (in == PLACES) return r->is_placed[node] = take_vector(line, &r->places[node]);
  if (in == DISPLACEMENTS) return r->is_moved[node] = take_vector(line, &r->moved[node]);
  r->has_pressure = true;
  return number_at(line, KEY + NUMBER + PRESSURE_COLUMN * VALUE, VALUE, &r->pressure[node]);
}

static block block_of(syn_word header) {
  const syn_word name = {header.at + 4, header.length > 4 ? header.length - 4 : 0};
  return syn_word_starts(name, "DISP ") ? DISPLACEMENTS : syn_word_starts(name, "CONTACT ") ? CONTACT : OTHER;
}

static syn_status parse(results *r, const char *bytes, size_t size, const char *path, syn_error *error) {
  syn_text text = syn_text_from(bytes, size, path);
  syn_word line;
  block in = OTHER;
  while (syn_text_line(&text, &line)) {
    if (syn_word_starts(line, "2C"))
      in = PLACES;
    else if (syn_word_starts(line, "-4"))
      in = block_of(line);
    else if (syn_word_starts(line, "-3"))
      in = OTHER;
    else if (syn_word_starts(line, "-1") && !take_line(r, in, line))
      return syn_fail(error, SYN_BAD_FORMAT, "%s:%zu: a number is missing or cannot be read", path,
                      (size_t)text.line - 1);
  }
  return SYN_OK;
}

/* Checks that the file is of this problem: the same nodes at the same positions, to the six digits of the format. */
static syn_status check(const syn_contact_problem *c, const results *r, const char *path, syn_error *error) {
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    const syn_vec3 p = exchange_place(c, &c->equilibrium.load.pose, i);
    if (!r->is_placed[i] || !r->is_moved[i])
      return syn_fail(error, SYN_BAD_FORMAT,
                      "%s has no %s of node %u: it is of another problem, or the program ended early", path,
                      r->is_placed[i] ? "displacement (DISP)" : "place", i + 1);
    if (!(vec3_distance(p, r->places[i]) <= 1e-4 * (1 + vec3_length(p))))
      return syn_fail(error, SYN_BAD_FORMAT, "%s is of another problem: node %u lies %.3g mm away from ours", path,
                      i + 1, vec3_distance(p, r->places[i]));
  }
  if (!r->has_pressure) return syn_fail(error, SYN_BAD_FORMAT, "%s has no contact pressures (CONTACT)", path);
  return SYN_OK;
}

/* ---- differences ---------------------------------------------------------------------------------------------------
 */

static void compare_displacements(const syn_contact_problem *c, const results *r, syn_contact_comparison *to) {
  double square = 0;
  to->node_count = c->bodies.node_count;
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    const syn_vec3 place = exchange_place(c, &c->equilibrium.load.pose, i), ours = vec3_sub(c->equilibrium.x[i], place);
    const double apart = vec3_distance(ours, r->moved[i]);
    to->displacement_mm = max2(to->displacement_mm, vec3_length(ours));
    to->their_displacement_mm = max2(to->their_displacement_mm, vec3_length(r->moved[i]));
    square += apart * apart;
    if (!(apart > to->displacement_apart_mm)) continue;
    to->displacement_apart_mm = apart;
    to->displacement_apart_at = place;
  }
  to->displacement_rms_mm = sqrt(square / c->bodies.node_count);
}

/* Corners of the slave surface, each with its area, where one of both presses. */
static void compare_pressures(const syn_contact_problem *c, const results *r, syn_contact_comparison *to) {
  const contact_side *slave = contact_slave(c);
  double square = 0, area = 0;
  for (uint32_t i = 0; i < slave->node_count; ++i) {
    const double ours = c->contact.pressure[i], theirs = r->pressure[slave->first + i], apart = fabs(ours - theirs);
    if (!(c->bodies.whole_area[i] > 0) || (!(ours > 0) && !(theirs > 0))) continue;
    ++to->contact_node_count;
    to->peak_mpa = max2(to->peak_mpa, ours);
    to->their_peak_mpa = max2(to->their_peak_mpa, theirs);
    square += c->bodies.whole_area[i] * apart * apart;
    area += c->bodies.whole_area[i];
    if (!(apart > to->pressure_apart_mpa)) continue;
    to->pressure_apart_mpa = apart;
    to->pressure_apart_at = exchange_place(c, &c->equilibrium.load.pose, slave->first + i);
  }
  to->pressure_rms_mpa = area > 0 ? sqrt(square / area) : 0;
}

static syn_status make(const syn_contact_problem *c, syn_arena *arena, results *r, syn_error *error) {
  const uint32_t n = r->node_count = c->bodies.node_count;
  SYN_TRY(SYN_TAKE(arena, &r->places, n, error));
  SYN_TRY(SYN_TAKE(arena, &r->moved, n, error));
  SYN_TRY(SYN_TAKE(arena, &r->pressure, n, error));
  SYN_TRY(SYN_TAKE(arena, &r->is_placed, n, error));
  SYN_TRY(SYN_TAKE(arena, &r->is_moved, n, error));
  memset(r->pressure, 0, n * sizeof *r->pressure);
  memset(r->is_placed, 0, n * sizeof *r->is_placed);
  memset(r->is_moved, 0, n * sizeof *r->is_moved);
  return SYN_OK;
}

syn_status syn_contact_problem_compare(const syn_contact_problem *problem, const char *path,
                                       syn_contact_comparison *comparison, syn_error *error) {
  char *bytes;
  size_t size;
  results r = {0};
  syn_arena arena = {.context = problem->context};
  *comparison = (syn_contact_comparison){0};
  if (!problem->equilibrium.seated)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no solution yet that %s could be compared with", path);
  SYN_TRY(syn_read_file(problem->context, path, &bytes, &size, error));
  syn_status status = make(problem, &arena, &r, error);
  if (!status) status = parse(&r, bytes, size, path, error);
  if (!status) status = check(problem, &r, path, error);
  if (!status) {
    compare_displacements(problem, &r, comparison);
    compare_pressures(problem, &r, comparison);
  }
  syn_free(problem->context, bytes);
  syn_arena_release(&arena);
  return status;
}
