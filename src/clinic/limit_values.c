#include "clinic/limit_values.h"

syn_value syn_value_of_place(const syn_contact_place *place) {
  const bool known = place && (place->femur < SYN_FEMUR_REGIONS || place->pelvis < SYN_PELVIS_REGIONS);
  return known ? value_record(place, 0) : value_none();
}

syn_value syn_value_of_limit(const syn_limit *limit) {
  char words[96];
  return syn_value_words("%s", syn_hip_limit_words(limit, words));
}

syn_value syn_value_of_place_words(const syn_contact_place *place) {
  char words[96];
  return syn_value_words("%s", syn_contact_place_words(place, words));
}

/* "head-neck junction on the rim, 312 of 693 poses" */
syn_value syn_value_of_most(const syn_contact_place *places, size_t count) {
  syn_femur_region femur;
  syn_pelvis_region pelvis;
  const size_t most = places ? syn_contact_place_most(places, count, &femur, &pelvis) : 0;
  if (most == 0) return value_none();
  return syn_value_words("%s on the %s, %zu of %zu poses", syn_femur_region_name(femur), syn_pelvis_region_name(pelvis),
                         most, count);
}
