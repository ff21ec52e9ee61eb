/* A small web server for one person on this computer: bound to loopback, every address begins with a secret token, and
 * only listed resources exist. */
#ifndef SYN_VIEW_SERVER_H
#define SYN_VIEW_SERVER_H

#include <jansson.h>

#include "base/status.h"

typedef struct syn_reply {
  bool waited;      /* the request has waited for the server's work and is repeated */
  bool later;       /* no answer yet: the request waits until the server's work is done. No other member is set then */
  unsigned status;  /* of HTTP */
  const char *type; /* static storage */
  char *bytes;
  size_t size;
  void (*release)(void *owner); /* called when the bytes have been sent, or cannot be */
  void *owner;
} syn_reply;

/* Makes a reply that owns its bytes, which are from malloc. */
void syn_reply_bytes(syn_reply *reply, const char *type, char *bytes, size_t size);
/* Takes the reference; NULL: out of memory. */
void syn_reply_json(syn_reply *reply, unsigned status, json_t *value);
/* Replies {"error": sentence} with the HTTP status that fits the error. */
void syn_reply_error(syn_reply *reply, const syn_error *error);

typedef struct syn_resource {
  const char *name; /* the part after http://127.0.0.1:PORT/TOKEN/ */
  bool takes_body;  /* POST; else GET and HEAD */
  /* `body` is terminated and at most SYN_MOST_BODY bytes long. Requests are passed one at a time. Only `waited` of
   * *reply is set. */
  void (*answer)(void *user, const char *body, size_t size, syn_reply *reply);
} syn_resource;

enum { SYN_MOST_BODY = 64 * 1024 };

typedef struct syn_server syn_server;
/* Opens a server; port 0: any free one. Clients may connect from now on, and are answered while it runs. `resources`
 * must outlive the server. */
syn_status syn_server_open(const syn_context *context, unsigned port, const syn_resource *resources, size_t count,
                           void *user, syn_server **server, syn_error *error);
/* Sets the function for long work. It is called with `user` once a request waits for it, and must call syn_server_serve
 * regularly, which answers other requests. */
void syn_server_set_work(syn_server *server, void (*work)(void *user));
/* Called from the work: answers pending requests. Returns false if the server is to stop. */
bool syn_server_serve(syn_server *server);
/* "/TOKEN" */
const char *syn_server_path(const syn_server *server);
/* "http://127.0.0.1:PORT/TOKEN/" */
const char *syn_server_url(const syn_server *server);
/* Answers requests until the server is stopped; returns at once if it was stopped before. */
syn_status syn_server_run(syn_server *server, syn_error *error);
void syn_server_stop(syn_server *server);  /* from any thread, or a signal handler */
void syn_server_close(syn_server *server); /* NULL is fine */

#endif
