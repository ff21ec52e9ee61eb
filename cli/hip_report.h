/* A hip's report while it is filled in: each part in a file of its own. */
#ifndef CLI_HIP_REPORT_H
#define CLI_HIP_REPORT_H

#include "base/memory.h"
#include "hip.h"
#include "report/model.h"

enum { CLI_MOTIONS = 32 }; /* at least what the table of clinical motions holds */
enum { CLI_MOST_SENTENCES = 24, CLI_MOST_LIVE_FIELDS = 4, CLI_MOST_INPUTS = 32 };

typedef struct cli_hip_writing {
  cli_session *session;
  const syn_hip_analysis *analysis;
  const cli_live *live; /* NULL: a file */
  syn_arena arena;      /* everything that the report points to */
  syn_report report;
  const char *summary[CLI_MOST_SENTENCES];
  syn_report_body bodies[SYN_HIP_PARTS];
  syn_report_field fields[SYN_HIP_PARTS][CLI_MOST_LIVE_FIELDS + CLI_HIP_FIELDS];
  syn_report_motion motions[CLI_MOTIONS + 1];
  syn_report_curve curves[2];
  syn_report_marker markers[SYN_LANDMARKS];
  syn_report_range ranges[SYN_MEASURES + CLI_MOTIONS];
  syn_report_clock_mark clock[CLI_MOTIONS];
  syn_report_table tables[4];
  syn_report_input inputs[CLI_MOST_INPUTS];
} cli_hip_writing;

/* Memory for a report comes from one arena; where it runs out, texts become "" and the write fails. */
char *cli_report_text(cli_hip_writing *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* 2.3 as "2:15"; quarter hours are as fine as anybody speaks. */
const char *cli_report_hour(cli_hip_writing *w, double hour);
/* A sentence, or a label, begins with a capital letter. */
char *cli_report_capital(char *sentence);

/* Assumptions and warnings: those of the session, of the frames, and of the joint file. */
syn_status cli_report_fill_notes(cli_hip_writing *w, syn_error *error);
/* What limits the joint, in plain words. */
void cli_report_fill_summary(cli_hip_writing *w);
/* The scene: bodies with their fields, and how they move. */
syn_status cli_report_fill_bodies(cli_hip_writing *w, syn_error *error);
syn_status cli_report_fill_motions(cli_hip_writing *w, syn_error *error);
/* Numbers: against published ranges and on the clock face, and as tables. */
void cli_report_fill_ranges(cli_hip_writing *w);
syn_status cli_report_fill_tables(cli_hip_writing *w, syn_error *error);

#endif
