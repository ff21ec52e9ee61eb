/* collide: options that choose how a method works. */
#include <string.h>

#include "base/status.h"
#include "collide/collide.h"

/* Each option, and the methods that take it. */
typedef struct how_option {
  const char *name, *methods[8];
} how_option;

static const how_option table[] = {
    {"mapping", {"radial", "ray-table", "split"}},
    {"table-size", {"radial", "ray-table", "sliding-hash", "cylindrical", "split"}},
    {"neighbours", {"radial", "cylindrical"}},
    {"no-normals", {"radial", "ray-table", "sliding-hash", "split"}},
    {"both-roles", {"radial", "cylindrical", "split", "distance", "proximity", "proximity-walk"}},
    {"between-vertices", {"radial", "cylindrical", "split", "distance", "proximity", "proximity-walk"}},
    {"reach", {"distance", "proximity", "proximity-walk"}},
    {"sheets", {"distance", "proximity", "proximity-walk"}},
    {"ball-radius", {"spheres"}},
    {"convex-algorithm", {"convex"}},
};
enum { OPTIONS = sizeof table / sizeof *table, METHODS = sizeof table->methods / sizeof *table->methods };

const char *cli_collide_how_given(const cli_arguments *arguments) {
  for (size_t i = 0; i < OPTIONS; ++i)
    if (cli_given(arguments, table[i].name)) return table[i].name;
  return NULL;
}

static syn_status check_method(const how_option *option, const char *method, syn_error *error) {
  char list[160] = "";
  for (size_t m = 0; m < METHODS && option->methods[m]; ++m) {
    if (strcmp(option->methods[m], method) == 0) return SYN_OK;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", m == 0 ? "" : ", ", option->methods[m]);
  }
  return syn_fail(error, SYN_BAD_ARGUMENT, "the method %s does not take --%s; these do: %s", method, option->name,
                  list);
}

static syn_mapping mapping_of(const cli_arguments *arguments) {
  for (int mapping = SYN_MAPPING_SPHERICAL; mapping < SYN_MAPPINGS; ++mapping)
    if (cli_is(arguments, "mapping", syn_mapping_name((syn_mapping)mapping)) ||
        (cli_text(arguments, "mapping", "")[0] == '0' + mapping))
      return (syn_mapping)mapping;
  return SYN_MAPPING_UNIFORM;
}

syn_status cli_collide_how(const cli_arguments *arguments, const char *method, syn_collide_options *how,
                           syn_error *error) {
  for (size_t i = 0; i < OPTIONS; ++i)
    if (cli_given(arguments, table[i].name)) SYN_TRY(check_method(&table[i], method, error));
  how->mapping = mapping_of(arguments);
  how->table_size = (uint32_t)cli_number(arguments, "table-size", 0);
  how->neighbours = (uint32_t)cli_number(arguments, "neighbours", 0);
  how->use_normals = !cli_given(arguments, "no-normals");
  how->both_roles = cli_given(arguments, "both-roles");
  how->between_vertices = cli_given(arguments, "between-vertices");
  how->sheets = cli_given(arguments, "sheets");
  how->reach_mm = cli_number(arguments, "reach", how->reach_mm);
  how->ball_radius_mm = cli_number(arguments, "ball-radius", how->ball_radius_mm);
  if (cli_is(arguments, "convex-algorithm", syn_convex_algorithm_name(SYN_CONVEX_GJK)))
    how->convex_algorithm = SYN_CONVEX_GJK;
  how->thresholds_mm = cli_numbers(arguments, "threshold");
  how->threshold_count = cli_number_count(arguments, "threshold");
  return SYN_OK;
}
