/* Synovia: bodies of molecules (Maciel 2005, §3.4), the model "molecules" of tissue.h: made of given balls and
 * connections, tested, and covered with metaballs. Units as in tissue.h. */
#ifndef SYNOVIA_MOLECULES_H
#define SYNOVIA_MOLECULES_H

#include <synovia/tissue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Input balls and connections. Borrows everything; nodes keep the order of the balls. */
typedef struct syn_molecules {
  uint32_t count;
  const syn_vec3 *centers;
  const double *radii_mm;
  const double *volumes_mm3; /* that each ball represents; NULL: the cube around the ball */
  size_t connection_count;
  const uint32_t (*connections)[2];
  size_t tet_count; /* for the rule 'tetrahedral': their edges are connections */
  const syn_tet *tets;
  double spring_area_mm2;  /* cross section that each spring represents; 0: that of the volumes at its ends */
  syn_vec3 pull;           /* direction of the virtual tensile test; zero: the axis along which the body is longest */
  double pull_n;           /* its force; 0: infinitesimal */
  double pull_area_mm2;    /* cross section of the body; 0: volume by length */
  const syn_trimesh *skin; /* NULL: metaballs (§3.4.5) */
  bool bare;               /* with NULL: no skin at all */
  uint32_t cookie;
} syn_molecules;
SYN_API syn_molecules syn_default_molecules(void);
/* The material must be complete in the options. SYN_BAD_ARGUMENT names the ball or connection that is not valid;
 * SYN_NOT_CONVERGED: no stiffness shows the moduli. */
SYN_API syn_status syn_molecules_create(const syn_context *context, const syn_molecules *molecules,
                                        const syn_soft_options *options, syn_soft **soft, syn_error *error);
SYN_API const double *syn_molecules_radii(const syn_soft *soft); /* of the molecules, mm; NULL for other models */
SYN_API size_t syn_molecules_connection_count(const syn_soft *soft);
/* Caller's arrays of that many; the stiffness (may be NULL) in N/mm. */
SYN_API void syn_molecules_connections(const syn_soft *soft, uint32_t (*connections)[2], double *stiffness_n_mm);
/* The virtual tensile test (Eq. 3.17): molecules at the low end along `direction` are fixed, those at the high end
 * share the force (0: infinitesimal, for 1 N). area_mm2 0: volume by length. */
SYN_API syn_status syn_molecules_pull(const syn_soft *soft, syn_vec3 direction, double force_n, double area_mm2,
                                      double *young_mpa, double *elongation_mm, syn_error *error);
/* The skin of metaballs around molecules at x: the surface where Σ (1 - d^2 / 4 r^2)^2 over the balls falls to 9/16, as
 * around one alone at its radius r. Grid of `cell_mm` (0: half the least radius). Destroy it with
 * syn_trimesh_destroy. */
SYN_API syn_status syn_molecules_skin(const syn_soft *soft, const syn_vec3 *x, double cell_mm, syn_trimesh **skin,
                                      syn_error *error);

#ifdef __cplusplus
}
#endif
#endif
