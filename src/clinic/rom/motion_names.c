/* Finds motions by the names that users type. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <synovia/clinic.h>

#include "base/status.h"
#include "base/text.h"
#include "clinic/hip.h"

/* The clinical motions, then the series. */
static const char *name_at(const void *user, size_t index) {
  (void)user;
  const size_t clinical = SYN_CLINICAL_MOTIONS;
  return index < clinical ? syn_clinical_motions[index].name : syn_hip_series[index - clinical].name;
}

static bool is_new(const void *const *list, size_t count, const void *item) {
  for (size_t i = 0; i < count; ++i)
    if (list[i] == item) return false;
  return true;
}

static void take_all(const syn_motion **motions, size_t *motion_count, const syn_motion_series **series,
                     size_t *series_count) {
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) motions[(*motion_count)++] = &syn_clinical_motions[i];
  for (size_t i = 0; series && i < SYN_HIP_SERIES; ++i)
    if (!syn_hip_series[i].is_test) series[(*series_count)++] = &syn_hip_series[i];
}

syn_status syn_motions_named(const char *const *names, size_t count, const syn_motion **motions, size_t *motion_count,
                             const syn_motion_series **series, size_t *series_count, syn_error *error) {
  *motion_count = 0;
  if (series) *series_count = 0;
  if (count == 0) take_all(motions, motion_count, series, series_count);
  for (size_t i = 0; i < count; ++i) {
    const syn_motion *motion = syn_clinical_motion_named(names[i]);
    const syn_motion_series *one = series ? syn_motion_series_named(names[i]) : NULL;
    char typed[64], hint[96];
    snprintf(typed, sizeof typed, "%.60s", names[i]);
    if (!motion && !one)
      return syn_fail(
          error, SYN_BAD_ARGUMENT, "there is no motion '%s'.%s", typed,
          syn_did_you_mean(typed, name_at, NULL, SYN_CLINICAL_MOTIONS + (series ? SYN_HIP_SERIES : 0), hint));
    if (one && is_new((const void *const *)series, *series_count, one)) series[(*series_count)++] = one;
    if (!one && is_new((const void *const *)motions, *motion_count, motion)) motions[(*motion_count)++] = motion;
  }
  return SYN_OK;
}

static const char *series_name_at(const void *user, size_t index) {
  (void)user;
  return syn_hip_series[index].name;
}

syn_status syn_motion_check(const char *motion, syn_error *error) {
  if (syn_motion_series_named(motion) || access(motion, F_OK) == 0) return SYN_OK;
  char hint[96], names[160] = "";
  for (size_t i = 0; i < SYN_HIP_SERIES; ++i) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", syn_hip_series[i].name);
  }
  return syn_fail_at(error, SYN_NOT_FOUND, motion, 0, -1, "there is no such file, and no motion of this name (%s).%s",
                     names, syn_did_you_mean(motion, series_name_at, NULL, SYN_HIP_SERIES, hint));
}
