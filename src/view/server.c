/* The server runs one loop in the caller's thread: requests are answered one after the other, slow clients do not delay
 * others, and no locks are needed. Requests that need long work are suspended until it is done; the work calls the loop
 * to answer others meanwhile. */
#include "view/server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/platform.h"
#include "result/record_json.h"

enum {
  TOKEN_BYTES = 16,
  MOST_CONNECTIONS = 256,
  SILENT_SECONDS = 10, /* idle time after which a connection is closed */
  ARRIVE_MS = 4000,    /* max time for a whole request, however often a byte of it arrives … */
  CROWDED = 192,       /* … and with more connections than these */
  HURRY_MS = 1000,
  LEAVE_MS = 60000,                  /* max time for a whole answer */
  MOST_IGNORED = 16 * SYN_MOST_BODY, /* max bytes ignored of a body that is too large; then the connection is closed */
  LOOK_UP_MS = 200                   /* max delay until the loop notices a stop */
};

/* All clients have this computer's address, so limits apply to the time of each connection. */
typedef struct client {
  struct MHD_Connection *connection; /* NULL: the slot is free */
  uint64_t since; /* time of the connection, of the last answer, or of the start of the current one */
  bool is_answered;
  bool is_waiting; /* for the work, which does not count against the client */
  bool is_dropped;
} client;

typedef struct request request;

struct syn_server {
  const syn_context *context;
  atomic_bool asked_to_stop;
  struct MHD_Daemon *daemon;
  const syn_resource *resources;
  size_t resource_count;
  void *user;
  unsigned port;
  char path[2 + 2 * TOKEN_BYTES]; /* "/TOKEN" */
  char url[96];
  void (*work)(void *user);
  request *waiting; /* requests that wait for the work */
  uint64_t before;  /* time of the loop's last pass */
  uint64_t now;     /* client time in ms, without the time in which clients waited for the viewer */
  client clients[MOST_CONNECTIONS];
};

/* A request being received. */
struct request {
  const syn_resource *resource;
  struct MHD_Connection *connection;
  request *next; /* in the queue of waiting requests */
  bool waited;
  size_t size; /* bytes received, including those beyond the buffer */
  char body[SYN_MOST_BODY + 1];
};

/* ---- clients ----------------------------------------------------------------------------------------------------- */

static void note_client(void *user, struct MHD_Connection *connection, void **slot,
                        enum MHD_ConnectionNotificationCode what) {
  syn_server *server = user;
  client *known = *slot;
  if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
    if (known) known->connection = NULL;
    return;
  }
  for (size_t i = 0; i < MOST_CONNECTIONS && !*slot; ++i)
    if (!server->clients[i].connection) {
      server->clients[i] = (client){.connection = connection, .since = server->now};
      *slot = &server->clients[i];
    }
}

static client *client_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static void note_turn(const syn_server *server, struct MHD_Connection *connection, bool is_answered) {
  client *known = client_of(connection);
  if (!known) return;
  known->since = server->now;
  known->is_answered = is_answered;
}

/* The library notices the end of the stream and closes the connection. */
static void drop(client *c) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(c->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info) shutdown(info->connect_fd, SHUT_RDWR);
  c->is_dropped = true;
}

static void drop_slow_clients(syn_server *server) {
  size_t held = 0;
  for (size_t i = 0; i < MOST_CONNECTIONS; ++i) held += server->clients[i].connection != NULL;
  const uint64_t arrive = held > CROWDED ? HURRY_MS : ARRIVE_MS;
  for (size_t i = 0; i < MOST_CONNECTIONS; ++i) {
    client *c = &server->clients[i];
    if (c->connection && !c->is_dropped && !c->is_waiting &&
        server->now - c->since > (c->is_answered ? LEAVE_MS : arrive))
      drop(c);
  }
}

/* ---- replies ----------------------------------------------------------------------------------------------------- */

void syn_reply_bytes(syn_reply *reply, const char *type, char *bytes, size_t size) {
  *reply =
      (syn_reply){.status = MHD_HTTP_OK, .type = type, .bytes = bytes, .size = size, .release = free, .owner = bytes};
}

static void keep_bytes(void *owner) { (void)owner; }

void syn_reply_json(syn_reply *reply, unsigned status, json_t *value) {
  static char no_memory[] = "{\"error\":\"there is no memory for the answer\"}";
  char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
  json_decref(value);
  syn_reply_bytes(reply, "application/json", text ? text : no_memory, strlen(text ? text : no_memory));
  reply->status = text ? status : MHD_HTTP_INTERNAL_SERVER_ERROR;
  if (!text) reply->release = keep_bytes;
}

static void reply_sentence(syn_reply *reply, unsigned status, const char *sentence) {
  json_t *value = json_object();
  bool failed = !value;
  syn_json_put(value, "error", syn_text_to_json(sentence), &failed);
  if (failed) json_decref(value);
  syn_reply_json(reply, status, failed ? NULL : value);
}

void syn_reply_error(syn_reply *reply, const syn_error *error) {
  char sentence[1024];
  const bool ours = error->code == SYN_NO_MEMORY || error->code == SYN_IO_ERROR || error->code == SYN_NOT_FOUND;
  reply_sentence(reply, ours ? MHD_HTTP_INTERNAL_SERVER_ERROR : MHD_HTTP_BAD_REQUEST,
                 syn_error_text(error, sentence, sizeof sentence));
}

/* The page lists the hashes of its script and style (report/page_parts.c); these headers go with every answer. */
static const char *const headers[][2] = {
    {"Content-Security-Policy", "script-src-attr 'none'; object-src 'none'; frame-src 'none'; connect-src 'self'; "
                                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

/* Releases the bytes on success and on failure. */
static enum MHD_Result send_reply(struct MHD_Connection *connection, syn_reply *reply, const char *allow) {
  struct MHD_Response *response =
      MHD_create_response_from_buffer_with_free_callback_cls(reply->size, reply->bytes, reply->release, reply->owner);
  if (!response) {
    reply->release(reply->owner);
    return MHD_NO;
  }
  bool complete = MHD_add_response_header(response, "Content-Type", reply->type) == MHD_YES;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i)
    complete = MHD_add_response_header(response, headers[i][0], headers[i][1]) == MHD_YES && complete;
  if (allow) complete = MHD_add_response_header(response, "Allow", allow) == MHD_YES && complete;
  const enum MHD_Result sent = complete ? MHD_queue_response(connection, reply->status, response) : MHD_NO;
  MHD_destroy_response(response);
  return sent;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *allow,
                              const char *sentence) {
  syn_reply reply;
  reply_sentence(&reply, status, sentence);
  return send_reply(connection, &reply, allow);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static bool is_our_name(const syn_server *server, const char *host) {
  static const char *const names[] = {"127.0.0.1", "localhost"};
  char port[16];
  snprintf(port, sizeof port, ":%u", server->port);
  for (size_t i = 0; host && i < 2; ++i) {
    const size_t length = strlen(names[i]);
    if (strncmp(host, names[i], length) == 0 && strcmp(host + length, port) == 0) return true;
  }
  return false;
}

static const char *header_of(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool is(const char *value, const char *word) { return value && strcmp(value, word) == 0; }

/* Browsers say whether a request comes from one of our pages, from the user, or from elsewhere. The address of the page
 * may be opened from elsewhere, but only as a top-level page; a form of another page submitted here navigates as well.
 */
static bool is_from_us(struct MHD_Connection *connection, const char *method, const syn_resource *asked) {
  const char *site = header_of(connection, "Sec-Fetch-Site");
  if (!site || is(site, "same-origin") || is(site, "none")) return true;
  if (asked->name[0] || (!is(method, "GET") && !is(method, "HEAD"))) return false;
  return is(header_of(connection, "Sec-Fetch-Mode"), "navigate") &&
         is(header_of(connection, "Sec-Fetch-Dest"), "document");
}

typedef struct host_headers {
  const syn_server *server;
  size_t ours, others;
} host_headers;

static enum MHD_Result note_host(void *user, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind;
  host_headers *hosts = user;
  if (strcasecmp(name, "Host") != 0) return MHD_YES;
  if (is_our_name(hosts->server, value))
    ++hosts->ours;
  else
    ++hosts->others;
  return MHD_YES;
}

/* DNS rebinding: a foreign page whose name resolves to this computer would send that name. */
static bool is_for_us(const syn_server *server, struct MHD_Connection *connection) {
  static const char scheme[] = "http://";
  const char *origin = header_of(connection, "Origin");
  host_headers hosts = {.server = server};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, note_host, &hosts);
  if (hosts.ours != 1 || hosts.others) return false;
  return !origin || (strncmp(origin, scheme, strlen(scheme)) == 0 && is_our_name(server, origin + strlen(scheme)));
}

/* Compares in constant time. */
static bool has_token(const syn_server *server, const char *url) {
  const size_t length = strlen(server->path);
  if (strlen(url) <= length || url[length] != '/') return false;
  unsigned char differs = 0;
  for (size_t i = 0; i < length; ++i) differs |= (unsigned char)(url[i] ^ server->path[i]);
  return differs == 0;
}

static const syn_resource *find_resource(const syn_server *server, struct MHD_Connection *connection, const char *url,
                                         const char *method) {
  const syn_resource *found = NULL;
  if (!is_for_us(server, connection) || !has_token(server, url)) return NULL;
  for (size_t i = 0; i < server->resource_count; ++i)
    if (strcmp(url + strlen(server->path) + 1, server->resources[i].name) == 0) found = &server->resources[i];
  return found && is_from_us(connection, method, found) ? found : NULL;
}

static bool announces_too_much(struct MHD_Connection *connection) {
  const char *length = header_of(connection, "Content-Length");
  return length && strtoull(length, NULL, 10) > SYN_MOST_BODY;
}

/* Forms of other pages cannot send this content type. */
static bool is_json(struct MHD_Connection *connection) {
  static const char json[] = "application/json";
  const char *type = header_of(connection, "Content-Type");
  if (!type || strncasecmp(type, json, strlen(json)) != 0) return false;
  return strchr("; \t", type[strlen(json)]) != NULL; /* parameters, or the end */
}

static const char too_large[] = "the request is larger than 64 KiB";

/* Rejects a bad request as soon as its headers are received. */
static enum MHD_Result begin(syn_server *server, struct MHD_Connection *connection, const char *url, const char *method,
                             void **state) {
  const syn_resource *resource = find_resource(server, connection, url, method);
  if (!resource) return refuse(connection, MHD_HTTP_NOT_FOUND, NULL, "there is nothing here");
  const bool fits =
      resource->takes_body ? strcmp(method, "POST") == 0 : strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
  if (!fits)
    return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, resource->takes_body ? "POST" : "GET, HEAD",
                  resource->takes_body ? "this takes POST only" : "this takes GET only");
  if (announces_too_much(connection)) return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, NULL, too_large);
  if (resource->takes_body && !is_json(connection))
    return refuse(connection, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, NULL, "this takes Content-Type: application/json only");
  request *made = malloc(sizeof *made);
  if (!made) return MHD_NO;
  made->resource = resource;
  made->connection = connection;
  made->waited = false;
  made->size = 0;
  *state = made;
  return MHD_YES;
}

static enum MHD_Result take_body(request *r, const char *bytes, size_t *size) {
  if (r->size + *size <= SYN_MOST_BODY) memcpy(r->body + r->size, bytes, *size);
  r->size += *size;
  *size = 0;
  return r->size <= MOST_IGNORED ? MHD_YES : MHD_NO;
}

/* Suspends the connection until the work is done; then the handler is called again. */
static void set_aside(syn_server *server, request *r) {
  client *known = client_of(r->connection);
  if (known) known->is_waiting = true;
  r->next = server->waiting;
  server->waiting = r;
  MHD_suspend_connection(r->connection);
}

static void go_on(syn_server *server) {
  while (server->waiting) {
    request *r = server->waiting;
    client *known = client_of(r->connection);
    if (known) known->is_waiting = false;
    server->waiting = r->next;
    r->waited = true;
    note_turn(server, r->connection, false);
    MHD_resume_connection(r->connection);
  }
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *bytes, size_t *size, void **state) {
  (void)version;
  syn_server *server = user;
  request *r = *state;
  if (!r) return begin(server, connection, url, method, state);
  if (*size) return take_body(r, bytes, size);
  if (r->size > SYN_MOST_BODY) return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, NULL, too_large);
  r->body[r->size] = 0;
  syn_reply reply = {.waited = r->waited};
  r->resource->answer(server->user, r->body, r->size, &reply);
  if (reply.later) {
    set_aside(server, r);
    return MHD_YES;
  }
  note_turn(server, connection, true);
  return send_reply(connection, &reply, NULL);
}

static void end_request(void *user, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode why) {
  (void)why;
  note_turn(user, connection, false);
  free(*state);
  *state = NULL;
}

/* ---- create and destroy ------------------------------------------------------------------------------------------ */

static bool make_token(syn_server *server) {
  unsigned char bytes[TOKEN_BYTES];
  if (!syn_random_bytes(bytes, sizeof bytes)) return false;
  server->path[0] = '/';
  for (size_t i = 0; i < TOKEN_BYTES; ++i) snprintf(server->path + 1 + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

/* Keeps escapes, since addresses are compared as received: a decoded NUL would end one early. */
static size_t keep_escapes(void *user, struct MHD_Connection *connection, char *text) {
  (void)user;
  (void)connection;
  return strlen(text);
}

static bool listen_on(syn_server *server, unsigned port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
                                    MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_NOTIFY_COMPLETED, end_request, server,
                                    MHD_OPTION_NOTIFY_CONNECTION, note_client, server, MHD_OPTION_UNESCAPE_CALLBACK,
                                    keep_escapes, NULL, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
                                    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENT_SECONDS, MHD_OPTION_END);
  if (!server->daemon) return false;
  server->port = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  return true;
}

syn_status syn_server_open(const syn_context *context, unsigned port, const syn_resource *resources, size_t count,
                           void *user, syn_server **server, syn_error *error) {
  syn_server *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->resources = resources;
  made->resource_count = count;
  made->user = user;
  if (!make_token(made) || !listen_on(made, port)) {
    syn_free(context, made);
    return syn_fail(error, SYN_NO_PROGRAM, "the viewer cannot listen on port %u of this computer: try another --port",
                    port);
  }
  snprintf(made->url, sizeof made->url, "http://127.0.0.1:%u%s/", made->port, made->path);
  *server = made;
  return SYN_OK;
}

const char *syn_server_path(const syn_server *server) { return server->path; }
const char *syn_server_url(const syn_server *server) { return server->url; }

static uint64_t clock_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Excludes the time of a long answer from the clients' time limits. */
static void pass_time(syn_server *server, uint64_t ms) { server->now += ms < 2 * LOOK_UP_MS ? ms : 2 * LOOK_UP_MS; }

void syn_server_set_work(syn_server *server, void (*work)(void *user)) { server->work = work; }

static bool look_at_clients(syn_server *server, int wait_ms) {
  const bool fine = MHD_run_wait(server->daemon, wait_ms) == MHD_YES;
  const uint64_t now = clock_ms();
  pass_time(server, now - server->before);
  server->before = now;
  drop_slow_clients(server);
  return fine;
}

bool syn_server_serve(syn_server *server) {
  look_at_clients(server, 0); /* the loop detects errors */
  return !server->asked_to_stop;
}

syn_status syn_server_run(syn_server *server, syn_error *error) {
  server->before = clock_ms();
  while (!server->asked_to_stop) {
    if (!look_at_clients(server, LOOK_UP_MS) && !server->asked_to_stop)
      return syn_fail(error, SYN_IO_ERROR, "the viewer's connections failed");
    if (!server->waiting) continue;
    server->work(server->user);
    go_on(server);
  }
  return SYN_OK;
}

void syn_server_stop(syn_server *server) { server->asked_to_stop = true; }

void syn_server_close(syn_server *server) {
  if (!server) return;
  go_on(server); /* no connection may be suspended when the library stops */
  MHD_stop_daemon(server->daemon);
  syn_free(server->context, server);
}
