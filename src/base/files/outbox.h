/* Atomic output: a run writes its files to temporary folders and publishes all of them when it succeeds, none
 * if it fails or is stopped.
 *
 * An outbox lists the hidden temporary folders of all output folders. Work that is published separately has a separate
 * outbox, a child of that of the run: after a signal, one call for the parent removes the temporary files of all of
 * them. */
#ifndef SYN_BASE_OUTBOX_H
#define SYN_BASE_OUTBOX_H

#include "base/status.h"

typedef struct syn_outbox syn_outbox;

/* `parent` may be NULL, and must outlive it. */
SYN_PROGRAM_API syn_status syn_outbox_create(const syn_context *context, syn_outbox *parent, syn_outbox **outbox,
                                             syn_error *error);
/* Deletes the files that were not published. NULL is fine. */
SYN_PROGRAM_API void syn_outbox_destroy(syn_outbox *outbox);

/* Call before any work: creates FOLDER and its parents, and fails if it is not writable. *hidden (may be NULL) is the
 * temporary folder for its files until they are published; owned by the outbox. */
SYN_PROGRAM_API syn_status syn_outbox_stage(syn_outbox *outbox, const char *folder, const char **hidden,
                                            syn_error *error);
/* Does the same for one file, whose folder must exist. *hidden (may be NULL) is the path to write to, valid until the
 * next call. */
SYN_PROGRAM_API syn_status syn_outbox_stage_file(syn_outbox *outbox, const char *path, const char **hidden,
                                                 syn_error *error);
/* Checks whether a file can be created or replaced, for files that are written later without the outbox. */
SYN_PROGRAM_API syn_status syn_outbox_check_file(const char *path, syn_error *error);

/* Registers a file that was written at this hidden path for publication. */
SYN_PROGRAM_API syn_status syn_outbox_add(syn_outbox *outbox, const char *hidden_path, syn_error *error);
/* The files that were added and not discarded, under their final paths. */
SYN_PROGRAM_API size_t syn_outbox_count(const syn_outbox *outbox);
SYN_PROGRAM_API const char *syn_outbox_file(const syn_outbox *outbox, size_t index);
/* Replaces hidden paths in a text by the final ones; returns the text. */
SYN_PROGRAM_API char *syn_outbox_unhide(const syn_outbox *outbox, char *text);

/* Registers a file to delete after the next successful syn_outbox_publish, such as a checkpoint. It stays if the files
 * are discarded. */
SYN_PROGRAM_API syn_status syn_outbox_replace(syn_outbox *outbox, const char *path, syn_error *error);
/* Moves the files added since the last call to their final paths. A file replaces an existing file or link of its name.
 * If the process is killed during the call, the next process that stages the folder completes the publication with a
 * warning. */
SYN_PROGRAM_API syn_status syn_outbox_publish(syn_outbox *outbox, syn_error *error);
/* Deletes the files added since the last publication, and every hidden folder. */
SYN_PROGRAM_API void syn_outbox_discard(syn_outbox *outbox);

/* Takes a lock that other processes respect and that ends with this process, however it ends. One lock at a time.
 * Returns false if another process has it; with `wait` the call waits for that process. On a file system without locks
 * every process gets it. */
SYN_PROGRAM_API bool syn_outbox_claim(syn_outbox *outbox, const char *path, bool wait);
SYN_PROGRAM_API void syn_outbox_end_claim(syn_outbox *outbox);

/* Removes the hidden folders and claims of the outbox and of all its children from the disk. Allocates nothing and may
 * be called by a signal handler: every other call blocks signals while it changes the lists. */
SYN_PROGRAM_API void syn_outbox_remove(const syn_outbox *outbox);

#endif
