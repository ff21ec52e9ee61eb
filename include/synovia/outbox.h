/* Synovia: files that a run writes: all of them appear when it succeeds, and none if it fails or is stopped.
 *
 * An outbox collects the hidden folders of all folders that get files. A part of the work that is
 * published separately has its own outbox, a child of the whole's: after a signal, one call for the parent removes what
 * all of them have staged. */
#ifndef SYNOVIA_OUTBOX_H
#define SYNOVIA_OUTBOX_H

#include <synovia/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct syn_outbox syn_outbox;

/* `parent` may be NULL, and must outlive it. */
SYN_API syn_status syn_outbox_create(const syn_context *context, syn_outbox *parent, syn_outbox **outbox,
                                     syn_error *error);
/* Drops what was not published. NULL is fine. */
SYN_API void syn_outbox_destroy(syn_outbox *outbox);

/* Called before any work: makes FOLDER and its parents, or fails at once where nothing can be written there. *hidden
 * (may be NULL) is the folder in which its files are written until they are published; the outbox's own. */
SYN_API syn_status syn_outbox_stage(syn_outbox *outbox, const char *folder, const char **hidden, syn_error *error);
/* The same for one file, whose folder must be there. *hidden (may be NULL) is the path to write to, valid until the
 * next call. */
SYN_API syn_status syn_outbox_stage_file(syn_outbox *outbox, const char *path, const char **hidden, syn_error *error);
/* For a file that is written later, by other means: is it one that can be made or replaced? */
SYN_API syn_status syn_outbox_check_file(const char *path, syn_error *error);

/* Remembers a file that was written at this hidden path. */
SYN_API syn_status syn_outbox_add(syn_outbox *outbox, const char *hidden_path, syn_error *error);
/* The files that were added and not dropped, as the user knows them. */
SYN_API size_t syn_outbox_count(const syn_outbox *outbox);
SYN_API const char *syn_outbox_file(const syn_outbox *outbox, size_t index);
/* Takes the hidden folders out of a text that names files; returns it. */
SYN_API char *syn_outbox_unhide(const syn_outbox *outbox, char *text);

/* A file that is of no more use once the next call of syn_outbox_publish has succeeded, such as one that lets a killed
 * run continue: it is removed then, and stays if the files are dropped. */
SYN_API syn_status syn_outbox_replace(syn_outbox *outbox, const char *path, syn_error *error);
/* Puts in place what was added since the last call. A file takes the place of one, or of a link, of its name. What a
 * process that was killed meanwhile did not put in place, the next one that stages the folder does, and warns that it
 * did. */
SYN_API syn_status syn_outbox_publish(syn_outbox *outbox, syn_error *error);
/* Drops what was added since then, and every hidden folder. */
SYN_API void syn_outbox_discard(syn_outbox *outbox);

/* A claim that other processes respect and that ends with this one, however it ends. One at a time. false: another
 * process has it; with `wait` the call waits for that process. On a file system without locks every process gets it. */
SYN_API bool syn_outbox_claim(syn_outbox *outbox, const char *path, bool wait);
SYN_API void syn_outbox_end_claim(syn_outbox *outbox);

/* Removes the hidden folders and claims of the outbox and of all its children from the disk. Allocates nothing and may
 * be called by a signal handler: every other call holds signals off while it changes the lists. */
SYN_API void syn_outbox_remove(const syn_outbox *outbox);

#ifdef __cplusplus
}
#endif
#endif
