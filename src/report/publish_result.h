/* Interface of the kinds of results for syn_publish: each fills its page and writes its other files. */
#ifndef SYN_REPORT_PUBLISH_RESULT_H
#define SYN_REPORT_PUBLISH_RESULT_H

#include "base/files/outbox.h"
#include "report/page_builder.h"

/* A result while its files are written. */
typedef struct syn_publication {
  const syn_publish_options *options;
  syn_outbox *outbox;
  const char *hidden; /* temporary folder of the files until all are published; NULL without a folder */
  syn_context files;  /* its title names the files */
  syn_page page;
} syn_publication;

/* Returns the path for a file of that name; after writing it, call syn_publication_add. Both belong to the file's
 * atomic output. */
syn_status syn_publication_path(syn_publication *to, const char *name, const char **path, syn_error *error);
syn_status syn_publication_add(syn_publication *to, const char *path, syn_error *error);

/* Writes STEM_0000.vtu and so on, and STEM.pvd with the times of all steps. */
typedef struct syn_publication_series {
  const char *stem;
  const double *times;
  size_t count;
  syn_status (*write)(const syn_context *context, const void *of, size_t step, const char *path, syn_error *error);
  const void *of;
} syn_publication_series;
syn_status syn_publication_add_series(syn_publication *to, const syn_publication_series *series, syn_error *error);

/* A row of the table in publish_result.c. */
typedef struct syn_published_kind {
  const syn_record *record; /* of the result */
  const char *kind;         /* of its page */
  const char *command;      /* of its result.json */
  const char *title;        /* if the page is given none; NULL: `add` sets one */
  bool files_first;         /* the other files are written before the page */
  /* Returns the base name of files: the title of the page, or this. */
  const char *(*name_files)(syn_publication *to, const void *result);
  syn_status (*add)(syn_publication *to, const void *result, syn_error *error);   /* fills the page */
  syn_status (*write)(syn_publication *to, const void *result, syn_error *error); /* the other files; NULL: none */
} syn_published_kind;

extern const syn_published_kind syn_published_hip, syn_published_joint, syn_published_skeleton,
    syn_published_simulation, syn_published_haptics, syn_published_pressure, syn_published_congruity,
    syn_published_resection, syn_published_osteotomy, syn_published_ligament_rom, syn_published_ligament_stiffness,
    syn_published_graft;

#endif
