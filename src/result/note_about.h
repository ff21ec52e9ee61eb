/* Which numbers a warning or an assumption is about, so that it can stand beside them. */
#ifndef SYN_RESULT_NOTE_ABOUT_H
#define SYN_RESULT_NOTE_ABOUT_H

#include <synovia/hip.h>
#include <synovia/result.h>

/* Names of measures and motions with blanks between them; "motions" and "measures" are all of these. */
#define SYN_ABOUT_MOTIONS "motions"
#define SYN_ABOUT_MEASURES "measures"

/* By the words of a warning; "" where it is about no number in particular. */
const char *syn_note_about(const char *warning);
/* Words by which warnings are known; NULL behind the last. */
const char *syn_note_known_words(size_t index);
/* Is the number among those? */
bool syn_note_is_about(const char *about, const char *name, bool is_motion);

/* What a hip's numbers are based on. */
typedef struct syn_hip_assumed {
  const syn_hip_case *hip_case;
  bool has_limits;           /* ends of motions are among the numbers */
  size_t left_out_triangles; /* of the joint surface of the head, which stop no motion */
} syn_hip_assumed;
syn_hip_assumed syn_hip_assumed_of(const syn_hip_analysis *analysis);

/* What was taken for granted without a warning, and which numbers it is about. */
enum { SYN_HIP_ASSUMPTIONS = 4 };
bool syn_hip_assumes(const syn_hip_assumed *assumed, size_t index);
syn_value syn_hip_assumption(const syn_hip_assumed *assumed, size_t index);
const char *syn_hip_assumption_about(size_t index);
/* The same of an analysis, as a record with "text" and "about". */
bool syn_hip_has_assumption(const void *analysis, size_t index);
extern const syn_record syn_assumption_record;

#endif
