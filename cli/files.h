/* The files that a run writes: all of them appear when it has succeeded, and none where it fails or is stopped. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "command.h"

/* Called before any work: makes FOLDER and its parents, or fails at once where nothing can be written there. *hidden
 * (may be NULL) is the folder in which its files are written until they are published; borrowed. */
syn_status cli_stage(cli_session *session, const char *folder, const char **hidden, syn_error *error);
/* The same for one file, whose folder must be there. *hidden (may be NULL) is the path to write to. */
syn_status cli_stage_file(cli_session *session, const char *path, const char **hidden, syn_error *error);
/* A file that is written later, by other means: is it one that can be made or replaced? */
syn_status cli_check_file(const char *path, syn_error *error);

/* Remembers a file that was written at this hidden path. */
void cli_made(cli_session *session, const char *hidden_path);
/* The result's `files`. */
void cli_set_files(cli_session *session);
/* Writes geometry to a hidden path and remembers the file. */
syn_status cli_write(cli_session *session, const syn_geometry *geometry, const char *hidden_path,
                     const syn_write_options *options, syn_error *error);

/* Puts in place what was made since the last call; cli_finish does it at the end. */
syn_status cli_publish(cli_session *session, syn_error *error);
/* Drops what was made since then. */
void cli_discard(cli_session *session);
/* Takes the hidden folders out of a text that names files; returns it. */
char *cli_without_hidden(const cli_session *session, char *text);

/* ---- sharing work -------------------------------------------------------------------------------------------------
 */

/* A claim that other processes respect and that ends with this one, however it ends. One at a time. false: another
 * process has it; with `wait` that is waited for. Where the file system has no locks everybody gets it. */
bool cli_claim(const char *path, bool wait);
void cli_end_claim(void);

/* ---- being stopped ------------------------------------------------------------------------------------------------
 */

/* From now on a signal that ends the program removes first what it has staged. */
void cli_catch_signals(void);
/* Removes what all sessions have staged. */
void cli_remove_staged(void);
/* For work that has to clean up behind itself: the first signal is only remembered, and progress callbacks answer that
 * the work is to stop. */
void cli_stop_politely(bool politely);
/* The signal that was remembered, or 0. */
int cli_stopped_by(void);

#endif
