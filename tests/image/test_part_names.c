/* What names of labels mean. */
#include "support.h"

static const struct {
  const char *name, *part;
  syn_side side;
} names[] = {
    /* TotalSegmentator and its like */
    {"femur_left", "femur", SYN_SIDE_LEFT},
    {"hip_right", "hip_bone", SYN_SIDE_RIGHT},
    {"sacrum", "sacrum", SYN_SIDES},
    {"clavicula_left", "clavicle", SYN_SIDE_LEFT},
    /* spellings */
    {"Femur L", "femur", SYN_SIDE_LEFT},
    {"R_Femur", "femur", SYN_SIDE_RIGHT},
    {"femurL", "femur", SYN_SIDE_LEFT},
    {"LFemur", "femur", SYN_SIDE_LEFT},
    {"FEMUR_RIGHT", "femur", SYN_SIDE_RIGHT},
    {"rightfemur", "femur", SYN_SIDE_RIGHT},
    {"femurleft", "femur", SYN_SIDE_LEFT},
    {"femur-right-3", "femur", SYN_SIDE_RIGHT},
    {"proximal femur (right)", "femur", SYN_SIDE_RIGHT},
    {"Left hip bone", "hip_bone", SYN_SIDE_LEFT},
    {"os coxae sinistrum", "hip_bone", SYN_SIDE_LEFT},
    {"hemipelvis_R", "hip_bone", SYN_SIDE_RIGHT},
    {"Pelvis_left", "hip_bone", SYN_SIDE_LEFT},
    {"pelvis", "pelvis", SYN_SIDES},
    {"Bony pelvis", "pelvis", SYN_SIDES},
    {"femur left and right", "femur", SYN_SIDES},
    {"patella.r", "patella", SYN_SIDE_RIGHT},
    /* languages */
    {"Femur re", "femur", SYN_SIDE_RIGHT},
    {"Oberschenkelknochen links", "femur", SYN_SIDE_LEFT},
    {"H\xc3\xbc"
     "ftbein_rechts",
     "hip_bone", SYN_SIDE_RIGHT},
    {"Hu\xcc\x88"
     "ftbein_rechts",
     "hip_bone", SYN_SIDE_RIGHT},
    {"Kreuzbein", "sacrum", SYN_SIDES},
    {"F\xc3\x89MUR droit", "femur", SYN_SIDE_RIGHT},
    {"os iliaque gauche", "hip_bone", SYN_SIDE_LEFT},
    {"f\xc3\xa9mur izquierdo", "femur", SYN_SIDE_LEFT},
    {"femore sinistro", "femur", SYN_SIDE_LEFT},
    {"\xe5\xb7\xa6\xe8\x82\xa1\xe9\xaa\xa8", "femur", SYN_SIDE_LEFT},               /* left femur, Chinese */
    {"\xe5\xa4\xa7\xe8\x85\xbf\xe9\xaa\xa8_\xe5\x8f\xb3", "femur", SYN_SIDE_RIGHT}, /* femur, right, Japanese */
    {"\xd0\x91\xd0\xb5\xd0\xb4\xd1\x80\xd0\xb5\xd0\xbd\xd0\xbd\xd0\xb0\xd1\x8f", "femur", SYN_SIDES}, /* Russian */
    {"corps de l'hum\xc3\xa9rus", "humerus", SYN_SIDES},
    {"diaphyse de l\xe2\x80\x99hum\xc3\xa9rus droit", "humerus", SYN_SIDE_RIGHT},
    {"Femur der linken Seite", "femur", SYN_SIDE_LEFT},
    {"femur \xe2\x80\x93 left", "femur", SYN_SIDE_LEFT},
    /* not the bone */
    {"hip_implant", NULL, SYN_SIDES},
    {"femoral artery", NULL, SYN_SIDES},
    {"rectus femoris", NULL, SYN_SIDES},
    {"femur head left", NULL, SYN_SIDES},
    {"iliac_artery_left", NULL, SYN_SIDES},
    {"gluteus_maximus_right", NULL, SYN_SIDES},
    {"hippocampus_left", NULL, SYN_SIDES},
    {"label 75", NULL, SYN_SIDES},
    {"left", NULL, SYN_SIDES},
    {"", NULL, SYN_SIDES},
    {"\xc3", NULL, SYN_SIDES},
    {"\xff\xfe\xd0", NULL, SYN_SIDES},
};

static void names_mean_bones_and_sides(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *part;
    syn_side side;
    syn_image_part_find(names[i].name, &part, &side);
    if ((part == NULL) != (names[i].part == NULL) || (part && strcmp(part, names[i].part) != 0) ||
        side != names[i].side)
      fail_msg("'%s' is %s, %s", names[i].name, part ? part : "nothing", syn_side_name(side));
  }
}

static void long_names_are_no_danger(void **state) {
  (void)state;
  char name[2000];
  const char *part;
  syn_side side;
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = 0;
  syn_image_part_find(name, &part, &side);
  assert_null(part);
  memset(name, '\xd0', sizeof name - 1);
  syn_image_part_find(name, &part, &side);
  assert_null(part);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_mean_bones_and_sides),
      cmocka_unit_test(long_names_are_no_danger),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
