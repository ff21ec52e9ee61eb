#include "result/note_about.h"

#include <string.h>

#include "base/text.h"

/* ---- warnings -----------------------------------------------------------------------------------------------------
 */

#define OF_RIM SYN_ABOUT_RIM
#define OF_PELVIS SYN_ABOUT_PELVIS
#define OF_NECK                                                                                                        \
  "alpha_deg alpha_3_deg alpha_1_30_deg alpha_12_deg alpha_extrapolated_deg alpha_1mm_deg head_neck_offset_mm "        \
  "head_neck_offset_ratio head_neck_ratio"
#define OF_SHAFT "neck_shaft_deg neck_shaft_isthmus_deg femoral_torsion_deg combined_version_deg"
#define OF_HEAD OF_NECK " " OF_RIM " head_radius_mm head_sphericity_mm joint_gap_mm"
#define ALL SYN_ABOUT_MOTIONS " " SYN_ABOUT_MEASURES

/* Words that occur only in this warning. A test searches the sources for them, so that a reworded warning is
 * noticed. */
static const struct {
  const char *words, *about;
} known[] = {
    {"poses of the FADIR protocol", "fadir"},
    {"the frontal plane through the centre does not cut the rim", OF_RIM},
    {"the femur has no condyles", SYN_ABOUT_MOTIONS " femoral_torsion_deg combined_version_deg"},
    {"are not all there", SYN_ABOUT_MOTIONS},
    {"too little of its shaft to show how it is turned", SYN_ABOUT_MOTIONS " femoral_torsion_deg combined_version_deg"},
    {"the side of the femur cannot be seen", ALL},
    {"the largest alpha angle is uncertain", "alpha_deg alpha_extrapolated_deg"},
    {"the alpha angle at 3 o'clock is uncertain", "alpha_3_deg"},
    {"the alpha angle at 1:30 is uncertain", "alpha_1_30_deg"},
    {"the alpha angle at 12 o'clock is uncertain", "alpha_12_deg"},
    {"has no spherical head", SYN_ABOUT_MOTIONS " " OF_HEAD},
    {"the femoral head is rough or deformed", SYN_ABOUT_MOTIONS " " OF_HEAD},
    {"no neck was found", OF_NECK " " OF_SHAFT},
    {"too little of the femur's shaft", OF_SHAFT},
    {"the pelvis is whole and nothing says which hip", ALL},
    {"the pelvis is not a whole hip bone", SYN_ABOUT_MOTIONS " " OF_PELVIS},
    {"the pelvis does not show how the body lies", SYN_ABOUT_MOTIONS " " OF_PELVIS},
    {"the rim of the acetabulum could not be followed", OF_PELVIS},
    {"check its name, its side, and that it is in mm", ALL},
    {"since every angle depends on it", ALL},
    {"where it is missing nothing touches", SYN_ABOUT_MOTIONS},
    {"from where the joint space is more even", SYN_ABOUT_MOTIONS},
    {"the joint surface of the head stops no motion", SYN_ABOUT_MOTIONS},
    {"where a motion starts in overlap", SYN_ABOUT_MOTIONS},
    {"left out of the range of motion", SYN_ABOUT_MOTIONS},
    {"as noise of a scan is: it is smoothed", ALL},
    {"side is not given, a right joint is assumed", ALL},
};

const char *syn_note_about(const char *warning) {
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strstr(warning, known[i].words)) return known[i].about;
  return "";
}

const char *syn_note_known_words(size_t index) {
  return index < sizeof known / sizeof *known ? known[index].words : NULL;
}

static bool has_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
  return false;
}

bool syn_note_is_about(const char *about, const char *name, bool is_motion) {
  return has_word(about, is_motion ? SYN_ABOUT_MOTIONS : SYN_ABOUT_MEASURES) || has_word(about, name);
}
