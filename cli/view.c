/* view: the report of a hip as a page that answers. Its protocol is web/src/live-protocol.ts. */
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "view_server.h"

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

static size_t most_vertices(const syn_hip *hip) {
  size_t most = 0;
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (hip->parts[i] && hip->parts[i]->vertex_count > most) most = hip->parts[i]->vertex_count;
  return most;
}

static syn_status put_page(cli_view_state *view, FILE *to, syn_error *error) {
  const syn_context *context = &view->session->context;
  const size_t count = most_vertices(&view->hip_case->hip);
  double *unknown;
  SYN_TRY(SYN_NEW(context, &unknown, count, error));
  for (size_t i = 0; i < count; ++i) unknown[i] = (double)NAN;
  syn_report_field fields[CLI_POSE_FIELDS];
  syn_hip_live live = {.url = view->url, .field_count = CLI_POSE_FIELDS};
  for (size_t i = 0; i < CLI_POSE_FIELDS; ++i) cli_pose_field(i, unknown, &fields[i]);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) live.fields[i] = fields;
  syn_arena arena = {.context = context};
  syn_provenance provenance;
  syn_status status = cli_provenance(view->session, &arena, &provenance, error);
  if (status == SYN_OK)
    status = syn_hip_page_put(context, view->analysis, "hip", cli_hip_title(view->session, view->hip_case, "Hip"),
                              &provenance, &live, to, error);
  syn_arena_release(&arena);
  syn_free(context, unknown);
  return status;
}

static void leave_page(void *user) {
  cli_page *page = user;
  if (!page || --page->users) return;
  free(page->bytes);
  free(page);
}

static syn_status make_page(cli_view_state *view, syn_error *error) {
  syn_memory_stream bytes;
  SYN_TRY(syn_memory_open(&bytes, error));
  const syn_status put = put_page(view, bytes.stream, error);
  const syn_status closed = syn_memory_close(&bytes, put == SYN_OK ? error : NULL);
  cli_page *page = put == SYN_OK && closed == SYN_OK ? calloc(1, sizeof *page) : NULL;
  if (!page) {
    free(bytes.bytes);
    if (put != SYN_OK || closed != SYN_OK) return put != SYN_OK ? put : closed;
    return syn_fail_memory(error, sizeof *page);
  }
  *page = (cli_page){.bytes = bytes.bytes, .size = bytes.size, .users = 1};
  leave_page(view->page);
  view->page = page;
  view->page_is_old = false;
  return SYN_OK;
}

/* The session has been told already; what comes later is for the page. */
void cli_view_warn_afresh(cli_view_state *view) {
  cli_session *session = view->session;
  json_array_clear(session->warnings);
  size_t i;
  json_t *warning;
  json_array_foreach(view->warnings, i, warning) {
    json_array_append_new(session->warnings, json_sprintf("before the edit: %s", json_string_value(warning)));
  }
  session->keeps_warning = true;
}

/* After an edit everything is analysed again when somebody asks for the page again. */
static syn_status renew_page(cli_view_state *view, syn_error *error) {
  if (!view->page_is_old) return SYN_OK;
  syn_hip_analysis *analysis;
  cli_poser *poser;
  cli_view_warn_afresh(view);
  SYN_TRY(syn_hip_analysis_create(&view->session->context, view->hip_case, NULL, &analysis, error));
  const syn_status status = cli_poser_create(view->session, analysis, view->displays, &poser, error);
  if (status != SYN_OK) {
    syn_hip_analysis_destroy(analysis);
    return status;
  }
  cli_poser_destroy(view->poser);
  syn_hip_analysis_destroy(view->analysis);
  view->analysis = analysis;
  view->poser = poser;
  return make_page(view, error);
}

/* ---- resources ----------------------------------------------------------------------------------------------------
 */

static void answer_page(void *user, const char *body, size_t size, cli_reply *reply) {
  (void)body;
  (void)size;
  cli_view_state *view = user;
  syn_error error = {.byte = -1};
  if (renew_page(view, &error) != SYN_OK) {
    cli_reply_error(reply, &error);
    return;
  }
  ++view->page->users;
  cli_reply_bytes(reply, "text/html; charset=utf-8", view->page->bytes, view->page->size);
  reply->release = leave_page;
  reply->owner = view->page;
}

/* The body as JSON, or a reply that says why not. */
static json_t *read_body(const char *body, size_t size, cli_reply *reply) {
  json_error_t why;
  json_t *value = json_loadb(body, size, JSON_REJECT_DUPLICATES, &why);
  if (value) return value;
  syn_error error = {.byte = -1};
  syn_fail(&error, SYN_BAD_FORMAT, "this is not JSON: %.200s", why.text);
  cli_reply_error(reply, &error);
  return NULL;
}

static void answer_pose(void *user, const char *body, size_t size, cli_reply *reply) {
  cli_view_state *view = user;
  syn_error error = {.byte = -1};
  json_t *request = read_body(body, size, reply);
  if (!request) return;
  char *bytes;
  size_t length;
  if (cli_poser_answer(view->poser, request, &bytes, &length, &error) == SYN_OK)
    cli_reply_bytes(reply, "application/octet-stream", bytes, length);
  else
    cli_reply_error(reply, &error);
  json_decref(request);
}

static void answer_edit(void *user, const char *body, size_t size, cli_reply *reply) {
  syn_error error = {.byte = -1};
  json_t *request = read_body(body, size, reply), *answer;
  if (!request) return;
  if (cli_view_edit(user, request, &answer, &error) == SYN_OK)
    cli_reply_json(reply, 200, answer);
  else
    cli_reply_error(reply, &error);
  json_decref(request);
}

static void answer_save(void *user, const char *body, size_t size, cli_reply *reply) {
  cli_view_state *view = user;
  syn_error error = {.byte = -1};
  json_t *request = read_body(body, size, reply);
  if (!request) return;
  json_decref(request);
  if (cli_view_save(view, &error) != SYN_OK) {
    cli_reply_error(reply, &error);
    return;
  }
  json_t *answer = json_object();
  json_object_set_new(answer, "file", cli_string(view->save_path));
  cli_reply_json(reply, 200, answer);
}

static const cli_resource resources[] = {
    {"", false, answer_page},
    {"pose", true, answer_pose},
    {"edit", true, answer_edit},
    {"save", true, answer_save},
};

/* ---- the command --------------------------------------------------------------------------------------------------
 */

/* The parts as the page will show them: it makes the same of the same. */
static syn_status make_displays(cli_view_state *view, syn_error *error) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (view->hip_case->hip.parts[i])
      SYN_TRY(syn_display_make(&view->session->context, view->hip_case->hip.parts[i],
                               syn_default_report_options().display_triangles, &view->displays[i], error));
  return SYN_OK;
}

static syn_status prepare(cli_view_state *view, syn_error *error) {
  SYN_TRY(make_displays(view, error));
  SYN_TRY(syn_hip_analysis_create(&view->session->context, view->hip_case, NULL, &view->analysis, error));
  SYN_TRY(cli_poser_create(view->session, view->analysis, view->displays, &view->poser, error));
  return make_page(view, error);
}

static syn_status serve(cli_view_state *view, syn_error *error) {
  cli_session *session = view->session;
  cli_server *server;
  SYN_TRY(cli_server_open((unsigned)cli_number(&session->arguments, "port", 0), resources,
                          sizeof resources / sizeof *resources, view, &server, error));
  view->url = cli_server_path(server);
  syn_status status = prepare(view, error);
  if (status == SYN_OK) {
    cli_server_catch_signals(); /* whoever reads the address may end the viewer at once */
    cli_set(session, "url", json_string(cli_server_url(server)));
    if (!session->json) puts(cli_server_url(server));
    cli_print(session, "Open it in a browser on this computer. Ctrl-C ends the viewer.\n");
    cli_tell_now(session);
    status = cli_server_run(server, error);
  }
  cli_server_close(server);
  return status;
}

static void release(cli_view_state *view) {
  cli_poser_destroy(view->poser);
  syn_hip_analysis_destroy(view->analysis);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) syn_display_release(&view->session->context, &view->displays[i]);
  leave_page(view->page);
  json_decref(view->warnings);
}

/* A folder stands for the joint file in it; free() the result. */
static char *joint_in_folder(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode) ? cli_path(path, "joint.json") : NULL;
}

static syn_status run(cli_session *session, syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  const bool one = arguments->operand_count == 1;
  char *inside = one ? joint_in_folder(arguments->operands[0]) : NULL;
  if (inside) arguments->operands[0] = inside;
  cli_view_state view = {.session = session, .joint_path = one ? arguments->operands[0] : NULL};
  view.save_path = cli_text(arguments, "save", one ? arguments->operands[0] : "joint.json");
  syn_status status = cli_given(arguments, "save") ? cli_check_file(view.save_path, error) : SYN_OK;
  if (status == SYN_OK) status = cli_open_hip(session, false, &view.hip_case, error);
  if (status == SYN_OK) {
    view.warnings = json_deep_copy(session->warnings);
    status = serve(&view, error);
    release(&view);
    syn_hip_case_destroy(view.hip_case);
  }
  if (inside) arguments->operands[0] = "";
  free(inside);
  return status;
}

static const cli_option options[] = {
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_TITLE_OPTION,
    {.name = "port",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 0,
     .max = 65535,
     .standard = "any that is free",
     .help = "port to listen on"},
    {.name = "save",
     .kind = CLI_PATH,
     .value = "FILE",
     .standard = "the joint file itself; joint.json for meshes",
     .help = "joint file that the page saves to; what was there stays as FILE.bak"},
};

const cli_command cli_view = {
    .name = "view",
    .summary = "live viewer on this computer",
    .usage = {"JOINT|DIR [--port N] [--save FILE]", "PELVIS FEMUR [--port N] [--save FILE]"},
    .description =
        "Analyses the hip as `synovia hip` would and prints the address of its report as a page that answers: drag the "
        "femur and see depth, clearance and the range of motion at that pose; place the centre and the landmarks by "
        "picking; save the joint file. DIR is a folder with a joint.json, as `hip` and `demo` write it.\n\n"
        "The server listens on this computer alone, and its address holds a secret that changes with every start. "
        "Ctrl-C ends it.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
