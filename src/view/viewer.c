/* Serves the report of a hip as a page that answers. Its protocol is web/src/live/protocol.ts. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/files/file.h"
#include "base/files/outbox.h"
#include "base/json.h"
#include "base/memory.h"
#include "report/hip/hip_page.h"
#include "report/joint/joint_page.h"
#include "result/record_json.h"
#include "view/viewer.h"

void syn_view_progress_begin(syn_view_progress *p) {
  p->step = 0;
  p->share = 0;
  p->what[0] = 0;
}

void syn_view_progress_note(syn_view_progress *p, const char *what, double fraction) {
  char name[sizeof p->what];
  snprintf(name, sizeof name, "%s", what);
  if (p->step == 0 || strcmp(name, p->what) != 0) {
    ++p->step;
    memcpy(p->what, name, sizeof name);
  }
  if (p->step > p->step_count) return; /* the number of steps is unknown */
  const double share = ((double)(p->step - 1) + fraction) / (double)p->step_count;
  if (share > p->share) p->share = share;
}

void syn_view_progress_end(syn_view_progress *p, bool keep) {
  if (keep) p->step_count = p->step;
}

static syn_status add(const syn_view_warnings *w, const char *before, const char *text, syn_view_texts *to,
                      syn_error *error) {
  const size_t size = strlen(before) + strlen(text) + 1;
  SYN_TRY(SYN_RESERVE(&w->caller, &to->at, to->count, 1, &to->capacity, error));
  SYN_TRY(SYN_NEW(&w->caller, &to->at[to->count], size, error));
  snprintf(to->at[to->count++], size, "%s%s", before, text);
  return SYN_OK;
}

static void drop(const syn_view_warnings *w, syn_view_texts *texts) {
  for (size_t i = 0; i < texts->count; ++i) syn_free(&w->caller, texts->at[i]);
  syn_free(&w->caller, texts->at);
  *texts = (syn_view_texts){0};
}

/* Keeps a warning once, even if several steps give it. */
static void take(void *user, const char *text) {
  syn_view_warnings *w = user;
  for (size_t i = 0; i < w->now.count; ++i)
    if (strcmp(w->now.at[i], text) == 0) return;
  if (add(w, "", text, &w->now, NULL) != SYN_OK) w->failed = true;
  if (w->caller.warn) w->caller.warn(w->caller.user, text);
}

static void *reallocate(void *user, void *block, size_t bytes) {
  const syn_view_warnings *w = user;
  return w->caller.reallocate(w->caller.user, block, bytes);
}

static bool progress(void *user, const char *what, double fraction) {
  const syn_view_warnings *w = user;
  if (w->progress && !w->progress(w->listener, what, fraction)) return false;
  return !w->caller.progress || w->caller.progress(w->caller.user, what, fraction);
}

/* *context is the caller's (NULL: the default) with its warnings kept here; the struct must not move. */
static void view_warnings_keep(syn_view_warnings *w, const syn_context *caller, syn_context *context) {
  *w = (syn_view_warnings){.caller = caller ? *caller : syn_default_context()};
  *context = w->caller;
  context->user = w;
  context->warn = take;
  if (context->reallocate) context->reallocate = reallocate;
  context->progress = progress;
}

/* Attributes all warnings so far to the opening of the hip. */
static syn_status view_warnings_opened(syn_view_warnings *w, syn_error *error) {
  for (size_t i = 0; i < w->now.count; ++i) SYN_TRY(add(w, "before the edit: ", w->now.at[i], &w->opening, error));
  return SYN_OK;
}

syn_status syn_view_warnings_renew(syn_view_warnings *w, syn_view_texts *before, syn_error *error) {
  *before = w->now;
  w->now = (syn_view_texts){0};
  w->failed = false;
  for (size_t i = 0; i < w->opening.count; ++i) SYN_TRY(add(w, "", w->opening.at[i], &w->now, error));
  return SYN_OK;
}

void syn_view_warnings_settle(syn_view_warnings *w, syn_view_texts *before, bool keep) {
  drop(w, keep ? before : &w->now);
  if (!keep) w->now = *before;
}

static void view_warnings_release(syn_view_warnings *w) {
  drop(w, &w->now);
  drop(w, &w->opening);
}

/* ---- viewer ---------------------------------------------------------------------------------------------------- */

/* ---- the page ---------------------------------------------------------------------------------------------------- */

syn_status syn_viewer_provenance(const syn_viewer *view, syn_provenance *provenance, syn_error *error) {
  if (view->warnings.failed) return syn_fail_memory(error, sizeof(char *));
  *provenance = (syn_provenance){.command = view->command,
                                 .date = view->date,
                                 .warnings = (const char *const *)view->warnings.now.at,
                                 .warning_count = view->warnings.now.count};
  return SYN_OK;
}

static const syn_trimesh *surface_at(const syn_viewer *view, size_t i) {
  return view->joint ? view->joint->bodies[i].surface : view->hip_case->hip.parts[i];
}

static size_t most_vertices(const syn_viewer *view) {
  size_t most = 0;
  for (size_t i = 0; i < view->display_count; ++i)
    if (surface_at(view, i) && surface_at(view, i)->vertex_count > most) most = surface_at(view, i)->vertex_count;
  return most;
}

static syn_status put_hip(const syn_viewer *view, const syn_provenance *provenance, const syn_report_field *fields,
                          FILE *to, syn_error *error) {
  syn_hip_live live = {.url = syn_server_path(view->server), .field_count = SYN_VIEW_FIELDS};
  for (int i = 0; i < SYN_HIP_PARTS; ++i) live.fields[i] = fields;
  return syn_hip_page_put(&view->context, view->analysis, "hip", view->title, provenance, &live, to, error);
}

static syn_status put_joint(const syn_viewer *view, const syn_provenance *provenance, const syn_report_field *fields,
                            FILE *to, syn_error *error) {
  const syn_joint_live live = {syn_server_path(view->server), SYN_VIEW_JOINT_FIELDS, fields};
  return syn_joint_page_put(&view->context, view->joint_analysis, view->title, provenance, &live, to, error);
}

static syn_status put_page(const syn_viewer *view, FILE *to, syn_error *error) {
  if (view->scene_file) return syn_viewer_put_scene(view, to, error);
  const size_t count = most_vertices(view);
  syn_provenance provenance;
  double *unknown;
  SYN_TRY(syn_viewer_provenance(view, &provenance, error));
  SYN_TRY(SYN_NEW(&view->context, &unknown, count, error));
  for (size_t i = 0; i < count; ++i) unknown[i] = (double)NAN;
  syn_report_field fields[SYN_VIEW_FIELDS];
  for (size_t i = 0; i < SYN_VIEW_FIELDS; ++i) syn_view_field(i, unknown, &fields[i]);
  const syn_status status =
      view->joint ? put_joint(view, &provenance, fields, to, error) : put_hip(view, &provenance, fields, to, error);
  syn_free(&view->context, unknown);
  return status;
}

static void leave_page(void *user) {
  syn_view_page *page = user;
  if (!page || --page->users) return;
  free(page->bytes);
  free(page);
}

static syn_status make_page(syn_viewer *view, syn_error *error) {
  syn_memory_stream bytes;
  SYN_TRY(syn_memory_open(&bytes, error));
  const syn_status put = put_page(view, bytes.stream, error);
  const syn_status closed = syn_memory_close(&bytes, put == SYN_OK ? error : NULL);
  syn_view_page *page = put == SYN_OK && closed == SYN_OK ? calloc(1, sizeof *page) : NULL;
  if (!page) {
    free(bytes.bytes);
    if (put != SYN_OK || closed != SYN_OK) return put != SYN_OK ? put : closed;
    return syn_fail_memory(error, sizeof *page);
  }
  *page = (syn_view_page){.bytes = bytes.bytes, .size = bytes.size, .users = 1};
  leave_page(view->page);
  view->page = page;
  view->page_is_old = false;
  return SYN_OK;
}

/* 95 % intervals take too long for opening a page, so they are skipped. */
static syn_status analyse(const syn_viewer *view, syn_hip_analysis **analysis, syn_error *error) {
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  what.bands.draws = 0;
  return syn_hip_analysis_create(&view->context, view->hip_case, &what, analysis, error);
}

static syn_status analyse_again(syn_viewer *view, syn_error *error) {
  syn_hip_analysis *analysis;
  syn_view_poser *poser;
  if (view->scene_file) return make_page(view, error);
  if (view->joint) {
    SYN_TRY(syn_viewer_analyse_joint(view, error));
    return make_page(view, error);
  }
  SYN_TRY(analyse(view, &analysis, error));
  const syn_status status = syn_view_poser_create(&view->context, analysis, view->displays, &poser, error);
  if (status != SYN_OK) {
    syn_hip_analysis_destroy(analysis);
    return status;
  }
  syn_view_poser_destroy(view->poser);
  syn_hip_analysis_destroy(view->analysis);
  view->analysis = analysis;
  view->poser = poser;
  return make_page(view, error);
}

/* Stores the progress, and answers other requests meanwhile. */
static bool hear(void *listener, const char *what, double fraction) {
  syn_viewer *view = listener;
  syn_view_progress_note(&view->progress, what, fraction);
  return !view->is_renewing || syn_server_serve(view->server);
}

static void begin_progress(syn_viewer *view) {
  view->warnings.progress = hear;
  view->warnings.listener = view;
  syn_view_progress_begin(&view->progress);
}

static void end_progress(syn_viewer *view, bool keep) {
  view->warnings.progress = NULL;
  syn_view_progress_end(&view->progress, keep);
}

/* After an edit everything is analysed again when the page is next requested. Meanwhile poses are answered from the old
 * analysis; edits wait. */
static void renew_page(void *user) {
  syn_viewer *view = user;
  syn_view_texts before;
  view->is_renewing = true;
  begin_progress(view);
  view->renewal_error = (syn_error){.byte = -1};
  syn_status status = syn_view_warnings_renew(&view->warnings, &before, &view->renewal_error);
  if (status == SYN_OK) status = analyse_again(view, &view->renewal_error);
  syn_view_warnings_settle(&view->warnings, &before, status == SYN_OK);
  end_progress(view, status == SYN_OK);
  if (status == SYN_OK) view->renewal_error.code = SYN_OK; /* discards errors of attempts on the way */
  view->is_renewing = false;
}

/* ---- resources --------------------------------------------------------------------------------------------------- */

static void answer_page(void *user, const char *body, size_t size, syn_reply *reply) {
  (void)body;
  (void)size;
  syn_viewer *view = user;
  if (view->scene_file && !view->is_renewing) syn_viewer_look_at_scene(view);
  /* A request that has waited gets the result, even if an edit came first. */
  reply->later = view->is_renewing || (view->page_is_old && !reply->waited);
  if (reply->later) return;
  if (reply->waited && view->renewal_error.code != SYN_OK) {
    syn_reply_error(reply, &view->renewal_error);
    return;
  }
  ++view->page->users;
  syn_reply_bytes(reply, "text/html; charset=utf-8", view->page->bytes, view->page->size);
  reply->release = leave_page;
  reply->owner = view->page;
}

/* Returns the body as JSON, or NULL and a reply with the reason. */
static json_t *read_body(const syn_viewer *view, const char *body, size_t size, syn_reply *reply) {
  json_error_t why;
  json_t *value = json_loadb(body, size, JSON_REJECT_DUPLICATES, &why);
  syn_error error = {.byte = -1};
  if (value && !view->scene_file) return value;
  if (value)
    syn_fail(&error, SYN_BAD_ARGUMENT, "a scene of soft tissue is played; there is nothing to pose, edit or save");
  else if (json_error_code(&why) == json_error_out_of_memory)
    syn_fail_memory(&error, size);
  else
    syn_fail(&error, SYN_BAD_FORMAT, "this is not JSON: %.200s", why.text);
  json_decref(value);
  syn_reply_error(reply, &error);
  return NULL;
}

static void answer_pose(void *user, const char *body, size_t size, syn_reply *reply) {
  const syn_viewer *view = user;
  syn_error error = {.byte = -1};
  json_t *request = read_body(view, body, size, reply);
  if (!request) return;
  char *bytes;
  size_t length;
  if (syn_view_poser_answer(view->poser, request, &bytes, &length, &error) == SYN_OK)
    syn_reply_bytes(reply, "application/octet-stream", bytes, length);
  else
    syn_reply_error(reply, &error);
  json_decref(request);
}

/* Answers {"share": 0 to 1, "step": 3, "steps": 9, "doing": what}, or {"share": null} if no analysis is running. */
static void answer_progress(void *user, const char *body, size_t size, syn_reply *reply) {
  (void)body;
  (void)size;
  const syn_viewer *view = user;
  bool failed = false;
  json_t *answer = json_object();
  syn_json_put(answer, "share", view->is_renewing ? json_real(view->progress.share) : json_null(), &failed);
  if (view->is_renewing) {
    const syn_view_progress *p = &view->progress;
    syn_json_put(answer, "step", json_integer((json_int_t)p->step), &failed);
    syn_json_put(answer, "steps", json_integer((json_int_t)(p->step > p->step_count ? p->step : p->step_count)),
                 &failed);
    syn_json_put(answer, "doing", syn_text_to_json(p->what), &failed);
  }
  if (failed) json_decref(answer);
  syn_reply_json(reply, 200, failed ? NULL : answer);
}

static void answer_edit(void *user, const char *body, size_t size, syn_reply *reply) {
  const syn_viewer *view = user;
  syn_error error = {.byte = -1};
  reply->later = view->is_renewing;
  if (reply->later) return;
  json_t *request = read_body(user, body, size, reply), *answer;
  if (!request) return;
  if (syn_viewer_edit(user, request, &answer, &error) == SYN_OK)
    syn_reply_json(reply, 200, answer);
  else
    syn_reply_error(reply, &error);
  json_decref(request);
}

static void answer_save(void *user, const char *body, size_t size, syn_reply *reply) {
  syn_viewer *view = user;
  syn_error error = {.byte = -1};
  reply->later = view->is_renewing;
  if (reply->later) return;
  json_t *request = read_body(view, body, size, reply);
  if (!request) return;
  json_decref(request);
  if (syn_viewer_save(view, &error) != SYN_OK) {
    syn_reply_error(reply, &error);
    return;
  }
  bool failed = false;
  json_t *answer = json_object();
  syn_json_put(answer, "file", syn_text_to_json(view->save_path), &failed);
  if (failed) json_decref(answer);
  syn_reply_json(reply, 200, failed ? NULL : answer);
}

static const syn_resource resources[] = {
    {"", false, answer_page},    {"progress", false, answer_progress}, {"pose", true, answer_pose},
    {"edit", true, answer_edit}, {"save", true, answer_save},
};

/* ---- create and destroy ------------------------------------------------------------------------------------------ */

syn_viewer_options syn_default_viewer_options(void) { return (syn_viewer_options){.cookie = SYN_COOKIE}; }

/* NULL stays NULL. */
static syn_status keep_text(syn_viewer *view, const char *text, const char **kept, syn_error *error) {
  char *copy = NULL;
  if (text) SYN_TRY(syn_arena_text(&view->arena, text, strlen(text), &copy, error));
  *kept = copy;
  return SYN_OK;
}

static syn_status keep_options(syn_viewer *view, const syn_viewer_options *options, syn_error *error) {
  const syn_joint *joint = view->joint ? view->joint : view->hip_case->joint;
  const char *file = view->joint ? view->joint_file : view->hip_case->joint_file, *save = file ? file : "joint.json";
  const bool named = joint->name[0] && (view->joint || strcmp(joint->name, "hip") != 0);
  const char *title = named ? joint->name : view->joint ? "Joint" : "Hip";
  SYN_TRY(keep_text(view, options->title ? options->title : title, &view->title, error));
  SYN_TRY(keep_text(view, options->save_path ? options->save_path : save, &view->save_path, error));
  SYN_TRY(keep_text(view, options->command, &view->command, error));
  return keep_text(view, options->date, &view->date, error);
}

/* Makes the parts as the page shows them; the result is deterministic, so both agree. */
static syn_status make_displays(syn_viewer *view, syn_error *error) {
  const size_t count = view->joint ? view->joint->body_count : SYN_HIP_PARTS;
  const syn_trimesh **surfaces;
  size_t *triangles;
  SYN_TRY(syn_arena_take(&view->arena, count, sizeof *surfaces, (void **)&surfaces, error));
  SYN_TRY(SYN_TAKE(&view->arena, &triangles, count, error));
  SYN_TRY(SYN_TAKE(&view->arena, &view->displays, count, error));
  for (size_t i = 0; i < count; ++i) {
    surfaces[i] = surface_at(view, i);
    triangles[i] = syn_default_report_options().display_triangles;
  }
  SYN_TRY(syn_displays_make(&view->context, surfaces, triangles, count, view->displays, error));
  view->display_count = count;
  return SYN_OK;
}

static syn_status open_server(syn_viewer *view, const syn_viewer_options *options, syn_error *error) {
  SYN_TRY(syn_server_open(&view->context, options->port, resources, sizeof resources / sizeof *resources, view,
                          &view->server, error));
  syn_server_set_work(view->server, renew_page);
  return SYN_OK;
}

static syn_status prepare_scene(syn_viewer *view, const syn_hip_input *input, const syn_viewer_options *options,
                                syn_error *error) {
  if (options->save_path)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a scene of soft tissue is played; there is nothing to save");
  SYN_TRY(syn_viewer_open_scene(view, input, error));
  SYN_TRY(keep_text(view, options->title, &view->title, error));
  SYN_TRY(keep_text(view, options->command, &view->command, error));
  SYN_TRY(keep_text(view, options->date, &view->date, error));
  SYN_TRY(open_server(view, options, error));
  syn_viewer_look_at_scene(view);
  begin_progress(view);
  SYN_TRY(make_page(view, error));
  end_progress(view, true);
  return SYN_OK;
}

static syn_status prepare(syn_viewer *view, const syn_hip_input *input, const syn_viewer_options *options,
                          syn_error *error) {
  bool joint;
  if (syn_viewer_names_scene(input)) return prepare_scene(view, input, options, error);
  /* Open the joint or the hip. */
  if (options->save_path) SYN_TRY(syn_outbox_check_file(options->save_path, error));
  SYN_TRY(syn_viewer_names_joint(view, input, &joint, error));
  if (joint)
    SYN_TRY(syn_viewer_open_joint(view, input, error));
  else
    SYN_TRY(syn_hip_case_create(&view->context, input, &view->hip_case, error));
  SYN_TRY(view_warnings_opened(&view->warnings, error));
  SYN_TRY(keep_options(view, options, error));
  /* Open the server before the long analysis; a port in use then fails at once. */
  SYN_TRY(open_server(view, options, error));
  SYN_TRY(make_displays(view, error));
  begin_progress(view);
  if (view->joint) {
    SYN_TRY(syn_viewer_analyse_joint(view, error));
  } else {
    SYN_TRY(analyse(view, &view->analysis, error));
    SYN_TRY(syn_view_poser_create(&view->context, view->analysis, view->displays, &view->poser, error));
  }
  SYN_TRY(make_page(view, error));
  end_progress(view, true);
  return SYN_OK;
}

syn_status syn_viewer_create(const syn_context *context, const syn_hip_input *input, const syn_viewer_options *options,
                             syn_viewer **viewer, syn_error *error) {
  *viewer = NULL;
  const syn_viewer_options standard = syn_default_viewer_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_viewer_options, error));
  syn_viewer *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  view_warnings_keep(&made->warnings, context, &made->context);
  made->arena.context = &made->context;
  const syn_status status = prepare(made, input, options, error);
  if (status == SYN_OK)
    *viewer = made;
  else
    syn_viewer_destroy(made);
  return status;
}

const char *syn_viewer_url(const syn_viewer *viewer) { return syn_server_url(viewer->server); }
syn_status syn_viewer_run(syn_viewer *viewer, syn_error *error) { return syn_server_run(viewer->server, error); }
void syn_viewer_stop(syn_viewer *viewer) { syn_server_stop(viewer->server); }

void syn_viewer_destroy(syn_viewer *viewer) {
  if (!viewer) return;
  syn_server_close(viewer->server);
  syn_view_poser_destroy(viewer->poser);
  syn_hip_analysis_destroy(viewer->analysis);
  syn_joint_analysis_destroy(viewer->joint_analysis);
  for (size_t i = 0; i < viewer->display_count; ++i) syn_display_release(&viewer->context, &viewer->displays[i]);
  leave_page(viewer->page);
  syn_hip_case_destroy(viewer->hip_case);
  syn_joint_destroy(viewer->joint);
  syn_arena_release(&viewer->arena);
  view_warnings_release(&viewer->warnings);
  const syn_context caller = viewer->warnings.caller;
  syn_free(&caller, viewer);
}
