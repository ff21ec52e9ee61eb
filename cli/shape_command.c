/* shape: any generated model, its options taken from the library's table of shapes. */
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "print.h"

enum { MAX_PARAMETERS = 40, STANDARD_TEXT = 24 };

static const char *shape_name(size_t index) { return index < SYN_SHAPES ? syn_shapes[index]->name : NULL; }

static const char *shape_summary(const char *name) { return syn_shape_named(name)->summary; }

static const char *shape_name_at(const void *user, size_t index) {
  (void)user;
  return shape_name(index);
}

/* The parameters of a shape as options. Their defaults as text live as long as the program. */
static size_t parameters_as_options(const char *name, cli_option *room, size_t capacity) {
  static char standards[MAX_PARAMETERS][STANDARD_TEXT];
  const syn_shape_info *info = syn_shape_named(name);
  size_t count = 0;
  for (; count < info->parameter_count && count < capacity && count < MAX_PARAMETERS; ++count) {
    const syn_shape_parameter *p = &info->parameters[count];
    snprintf(standards[count], STANDARD_TEXT, "%.6g", p->standard);
    room[count] = (cli_option){.name = p->name,
                               .kind = p->whole ? CLI_COUNT : CLI_NUMBER,
                               .value = p->whole                      ? "N"
                                        : strcmp(p->unit, "mm") == 0  ? "MM"
                                        : strcmp(p->unit, "deg") == 0 ? "DEG"
                                                                      : "X",
                               .unit = p->unit,
                               .min = p->min,
                               .max = p->max,
                               .standard = standards[count],
                               .help = p->help};
  }
  return count;
}

static syn_status list_shapes(cli_session *session) {
  cli_set_list(session, "shapes", &syn_shape_record, NULL, SYN_SHAPES);
  for (size_t i = 0; i < SYN_SHAPES; ++i) cli_print(session, "%-12s %s\n", syn_shapes[i]->name, syn_shapes[i]->summary);
  cli_print(session, "\n`synovia shape NAME --help` lists the parameters of each.\n");
  return SYN_OK;
}

/* The values that were given, by the names of the table. */
static size_t given_values(const cli_arguments *arguments, const syn_shape_info *info, syn_shape_value *values) {
  size_t count = 0;
  for (size_t i = 0; i < info->parameter_count; ++i)
    if (cli_given(arguments, info->parameters[i].name))
      values[count++] = (syn_shape_value){info->parameters[i].name, cli_number(arguments, info->parameters[i].name, 0)};
  return count;
}

static void print_shape(cli_session *session, const syn_joint *shape, const char *folder) {
  cli_set_list(session, "bodies", &syn_body_record, shape->bodies, shape->body_count);
  cli_print_bodies(session, shape->bodies, shape->body_count);
  cli_set_files(session);
  const size_t files = syn_outbox_count(session->outbox);
  cli_print(session, "%zu file%s in %s\n", files, files == 1 ? "" : "s", folder);
}

static syn_status make_and_write(cli_session *session, const syn_shape_info *info, const char *folder,
                                 const char *format, syn_error *error) {
  const char *hidden;
  syn_shape_value values[MAX_PARAMETERS];
  syn_joint *shape;
  const size_t count = given_values(&session->arguments, info, values);
  SYN_TRY(syn_outbox_stage(session->outbox, folder, &hidden, error));
  SYN_TRY(syn_shape_create(&session->context, info->name, values, count, &shape, error));
  const syn_status status = syn_joint_stage(shape, format, session->outbox, hidden, error);
  if (status == SYN_OK) print_shape(session, shape, folder);
  syn_joint_destroy(shape);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  if (arguments->operand_count == 0) return list_shapes(session);
  const char *name = arguments->operands[0], *folder = cli_text(arguments, "out", NULL);
  const char *format = cli_text(arguments, "format", NULL);
  const syn_shape_info *info = syn_shape_named(name);
  if (!info) {
    char hint[96];
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no shape '%.40s'.%s `synovia shape` lists them.", name,
                    syn_did_you_mean(name, shape_name_at, NULL, SYN_SHAPES, hint));
  }
  if (!folder) return syn_fail(error, SYN_BAD_ARGUMENT, "-o DIR is needed: the folder for the files");
  syn_format_info written;
  if (format) SYN_TRY(syn_format_find("", format, &written, error));
  return make_and_write(session, info, folder, format, error);
}

static const cli_option options[] = {
    OPT_OUT(NULL, "folder for the files; needed with a NAME"),
    OPT_TEXT("format", "NAME", "ply, and vtu for volumes", 0, "format of the mesh files"),
};

const cli_command cli_shape = {
    .name = "shape",
    .summary = "make a model from parameters: hip, sphere, cube, …",
    .usage = {"NAME [--PARAMETER VALUE…] -o DIR [--format NAME]", ""},
    .description =
        "Writes one mesh file per body, and joint.json where the bodies form a joint. Without a NAME it lists the "
        "shapes. The name comes first, then its parameters. When something fails, no file is left.",
    .options = CLI_TABLE(options),
    .operands = {0, 1},
    .options_for = parameters_as_options,
    .operand_at = shape_name,
    .operand_summary = shape_summary,
    .run = run,
};
