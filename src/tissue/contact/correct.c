/* Responses that act on positions and velocities after a step. */
#include "tissue/contact/contact.h"

syn_status syn_sim_correct(syn_simulation *s, syn_error *error) {
  (void)s;
  (void)error;
  return SYN_OK;
}
