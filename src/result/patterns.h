/* Patterns of words that several records use. */
#ifndef SYN_RESULT_PATTERNS_H
#define SYN_RESULT_PATTERNS_H

/* The centre, the measures, the limits of motion and the impingement of a hip; see syn_hip_record. */
#define CENTER_WORDS                                                                                                   \
  "Centre of the {side} hip: {center:.3} mm ({chosen})\n"                                                              \
  "{#every_method}  {name:-18} {?why_not}-- {why_not}\n{:}{center.0:9.3} {center.1:9.3} {center.2:9.3}"                \
  "{?radius_mm}  radius {radius_mm:6.3}{/}{?residual_mm}  residual {residual_mm:.3}{/}  {about}\n{/}{/}"               \
  "{?spread_mm>0}The methods lie within {spread_mm:.2} mm of each other.\n{/}"

#define MEASURE_WORDS                                                                                                  \
  "{?side=left}Left{:}Right{/} hip{?has_pelvis}; frame of the pelvis: {pelvis_frame.source}{/}"                        \
  "{?has_femur}; frame of the femur: {femur_frame.source}{/}\n"                                                        \
  "{#every_measure}  {label:-46} {?why_not}       -- {why_not}{:}{value:8.2} {unit:-7} {band:-24}{range}{/}\n{/}"

#define DEPTH_WORDS(WHICH)                                                                                             \
  "{!" WHICH "_max_mm}      -- the bodies for it are not there{:}{?" WHICH "_max_mm>0}{" WHICH                         \
  "_max_mm:6.2} mm, at step {" WHICH "_step} of {last_step}{:}  none{/}{/}\n"

#define TURN_DEPTH_WORDS DEPTH_WORDS("curvilinear")
#define RADIAL_DEPTH_WORDS DEPTH_WORDS("radial")

#define FAI_WORDS                                                                                                      \
  "{?along}Penetration along {along}:\n"                                                                               \
  "  femur into labrum, along the turn      " TURN_DEPTH_WORDS                                                         \
  "  femur into the socket's soft tissue    " RADIAL_DEPTH_WORDS                                                       \
  "{?class}  shape as in the published group:       {class}\n{/}{/}"                                                   \
  "{#fadir}FADIR, flexion 70-110°, adduction 0-20°: {?mean_deg}internal rotation free of bone contact "              \
  "{mean_deg:.1}° (mean), {least_deg:.1}° (least){:}no pose of the protocol is free{/}\n{/}"

#define LIMIT_WORDS                                                                                                    \
  "{#motions}  {label:-36} {?state=stopped}{angle_deg:7.2}°  {stop_words}"                                            \
  "{?has_soft}{?bone_angle_deg}, bones alone {bone_angle_deg:.2}°{/}{/}{?band_words}, {band_words}{/}"                \
  "{?range_words}  ({range_words}){/}{?start_overlaps}  the start itself collides{/}"                                  \
  "{:}   {state_words}{/}\n{/}"

#define BAND_WORDS                                                                                                     \
  "\nIf the centre is off by {band_mm} mm:"                                                                            \
  "{#effect}{?motion=flexion}{?low_deg} {label} {low_deg:.1} to {high_deg:.1}°{/}{/}{/}"                              \
  "{#effect}{?motion=internal_rotation_90}{?low_deg}, {label} {low_deg:.1} to {high_deg:.1}°{/}{/}{/}.\n"

#define OVERLAP_WORDS                                                                                                  \
  "{#overlap}\nThe bones overlap as they lie, at {point:.2} mm{?depth_mm}, {depth_mm:.3} mm deep{/}: check the "       \
  "segmentation before trusting the range of motion.\n{/}"                                                             \
  "{?articular_overlap_mm>0}\nThe head overlaps its socket by {articular_overlap_mm:.3} mm; the joint surface stops "  \
  "no motion.\n{/}"

/* The words of a syn_congruity_path. */
#define CONGRUITY_WORDS                                                                                                \
  "\n{label}\n  flexion   add.    rot.   contact   above  pressure  even  stress  strain   force\n"                    \
  "{#moments}  {flexion_deg:6.1}° {adduction_deg:6.1}° {rotation_deg:6.1}° {#acetabular_cartilage}"                 \
  "{contact_mm2:5.0} mm² {above_mm2:5.0} mm² {pressure_mpa:7.3*1e3} kPa {even:5.2|-} {peak_mpa:7.3*1e3} "            \
  "{strain:5.1*100} %{/} {force_n:7.3} N\n{/}{!complete}  there is no equilibrium beyond\n{/}"

#endif
