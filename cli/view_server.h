/* A small web server for one person on this computer: bound to loopback, every address begins with a secret token, and
 * only what is in the table of resources is there. */
#ifndef CLI_VIEW_SERVER_H
#define CLI_VIEW_SERVER_H

#include "output.h"

typedef struct cli_reply {
  unsigned status;  /* of HTTP */
  const char *type; /* static storage */
  char *bytes;
  size_t size;
  void (*release)(void *owner); /* called when the bytes have been sent, or cannot be */
  void *owner;
} cli_reply;

/* A reply that owns its bytes, which are from malloc. */
void cli_reply_bytes(cli_reply *reply, const char *type, char *bytes, size_t size);
void cli_reply_json(cli_reply *reply, unsigned status, json_t *value); /* takes the reference */
/* {"error": sentence} with the status that fits: whose fault it was. */
void cli_reply_error(cli_reply *reply, const syn_error *error);

typedef struct cli_resource {
  const char *name; /* what follows http://127.0.0.1:PORT/TOKEN/ */
  bool takes_body;  /* POST; else GET and HEAD */
  /* `body` is terminated and at most CLI_MOST_BODY bytes long. Requests come one at a time. */
  void (*answer)(void *user, const char *body, size_t size, cli_reply *reply);
} cli_resource;

enum { CLI_MOST_BODY = 64 * 1024 };

typedef struct cli_server cli_server;
/* Port 0: any that is free. Clients may connect from now on, and are answered while it runs. `resources` must outlive
 * the server. */
syn_status cli_server_open(unsigned port, const cli_resource *resources, size_t count, void *user, cli_server **server,
                           syn_error *error);
/* "/TOKEN" */
const char *cli_server_path(const cli_server *server);
/* "http://127.0.0.1:PORT/TOKEN/" */
const char *cli_server_url(const cli_server *server);
/* From now on Ctrl-C (SIGINT) and SIGTERM only ask the server to stop. */
void cli_server_catch_signals(void);
/* Answers until that happens. */
syn_status cli_server_run(cli_server *server, syn_error *error);
void cli_server_close(cli_server *server); /* NULL is fine */

#endif
