/* A small web server for one person on this computer: bound to loopback, every address begins with a secret token, and
 * only what is in the table of resources is there. */
#ifndef SYN_VIEW_SERVER_H
#define SYN_VIEW_SERVER_H

#include <jansson.h>

#include "base/status.h"

typedef struct syn_reply {
  bool waited;      /* the request has waited for the server's work and is asked again */
  bool later;       /* no answer yet: the request waits until the server's work is done. Nothing else is set then */
  unsigned status;  /* of HTTP */
  const char *type; /* static storage */
  char *bytes;
  size_t size;
  void (*release)(void *owner); /* called when the bytes have been sent, or cannot be */
  void *owner;
} syn_reply;

/* A reply that owns its bytes, which are from malloc. */
void syn_reply_bytes(syn_reply *reply, const char *type, char *bytes, size_t size);
/* Takes the reference; NULL: there was no memory for it. */
void syn_reply_json(syn_reply *reply, unsigned status, json_t *value);
/* {"error": sentence} with the status that fits: whose fault it was. */
void syn_reply_error(syn_reply *reply, const syn_error *error);

typedef struct syn_resource {
  const char *name; /* what follows http://127.0.0.1:PORT/TOKEN/ */
  bool takes_body;  /* POST; else GET and HEAD */
  /* `body` is terminated and at most SYN_MOST_BODY bytes long. Requests come one at a time. All of *reply but `waited`
   * is unset. */
  void (*answer)(void *user, const char *body, size_t size, syn_reply *reply);
} syn_resource;

enum { SYN_MOST_BODY = 64 * 1024 };

typedef struct syn_server syn_server;
/* Port 0: any that is free. Clients may connect from now on, and are answered while it runs. `resources` must outlive
 * the server. */
syn_status syn_server_open(const syn_context *context, unsigned port, const syn_resource *resources, size_t count,
                           void *user, syn_server **server, syn_error *error);
/* What takes long is done by `work`, which is called with `user` once a request waits for it, and must call
 * syn_server_serve now and then: other requests are answered there. */
void syn_server_set_work(syn_server *server, void (*work)(void *user));
/* From within the work: answers what has come meanwhile. False where the server is asked to stop. */
bool syn_server_serve(syn_server *server);
/* "/TOKEN" */
const char *syn_server_path(const syn_server *server);
/* "http://127.0.0.1:PORT/TOKEN/" */
const char *syn_server_url(const syn_server *server);
/* Answers until it is asked to stop, also if that was before. */
syn_status syn_server_run(syn_server *server, syn_error *error);
void syn_server_stop(syn_server *server);  /* from any thread, or a signal handler */
void syn_server_close(syn_server *server); /* NULL is fine */

#endif
