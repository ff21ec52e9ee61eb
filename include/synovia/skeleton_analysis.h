/* Synovia: analysis of a skeleton. Applies a posture or a recorded motion to its joints, finds contacts of its bodies,
 * and computes the range of each degree of freedom (Dof) up to contact. */
#ifndef SYNOVIA_SKELETON_ANALYSIS_H
#define SYNOVIA_SKELETON_ANALYSIS_H

#include <synovia/collide.h>
#include <synovia/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct syn_skeleton_input {
  const char *skeleton;            /* a skeleton file; must be given */
  const char *meshes;              /* folder of its mesh files; NULL: that of the skeleton file */
  const syn_read_options *reading; /* of the meshes; may be NULL */
  uint32_t cookie;
} syn_skeleton_input;
SYN_API syn_skeleton_input syn_default_skeleton_input(void);

typedef struct syn_skeleton_analysis_options {
  const char *posture;   /* values of Dofs, see syn_skeleton_set; NULL: all at rest */
  const char *recording; /* a recorded motion, see syn_recording_read: columns by the names of Dofs; NULL: none */
  double mm_per_unit;    /* of its lengths; 0 (default): 1000 for .mot and .sto, which are in metres, else 1 */
  bool unclamped;        /* values beyond the current range are used unchanged; default false: they are clamped */
  bool bodies;           /* the meshes are read even if nothing else needs them */
  const char *method;    /* bodies are collided in every posture by this method, in both roles; NULL: they are not */
  /* For the method; its centre and axis are set for each pair: those of the joint that carries the mobile body.
   * Default: reach_mm is 20. */
  syn_collide_options colliding;
  const char *const *ranges; /* names of Dofs that are moved in both directions until bodies touch; may be NULL */
  size_t range_count;
  uint32_t cookie;
} syn_skeleton_analysis_options;
SYN_API syn_skeleton_analysis_options syn_default_skeleton_analysis_options(void);

/* Two bodies that may touch. The mobile one is deeper in the tree, or later in the list. */
typedef struct syn_skeleton_pair {
  size_t fixed, mobile; /* numbers of bodies */
  size_t level;         /* the Dof about which arcs and radii of this pair are measured: the first rotation of the joint
                           that carries the mobile body, or of the nearest joint above that has one; SIZE_MAX: none, then
                           the origin of that joint's frame and its z axis */
} syn_skeleton_pair;

/* A pair in one posture. */
typedef struct syn_skeleton_touch {
  bool touching;
  size_t contact_count; /* of both bodies: vertices of either in the other, or pairs of elements */
  double depth_mm;      /* as the method measures it: negative is a clearance; -INFINITY: nothing is near; NAN: it
                           measures none */
  syn_vec3 point;       /* the deepest one, in the world; NAN without a contact */
} syn_skeleton_touch;

/* Upper or lower limit of a Dof. */
typedef struct syn_skeleton_stop {
  double value;         /* radians or mm */
  bool by_contact;      /* false: by the end of its range in force */
  size_t pair;          /* that touches; SIZE_MAX: none */
  syn_vec3 point;       /* where, in the world; NAN without a contact */
  syn_event_kind touch; /* NONE if the path was followed in steps, and without a contact */
  syn_contact_of of;    /* where it was followed in steps */
} syn_skeleton_stop;

typedef struct syn_skeleton_dof_range {
  size_t dof;
  double start;       /* its value in the posture */
  syn_range in_force; /* by limits and modifiers in the posture */
  bool
      exact; /* in closed form: a rotation about a fixed axis that moves no other Dof. Otherwise the path is followed in
                steps of 1 degree or 0.5 mm and the contact is bisected: contacts shorter than a step may be missed */
  size_t overlap_count; /* pairs that overlap in the posture: they stop nothing */
  syn_skeleton_stop lower, upper;
} syn_skeleton_dof_range;

/* All results. Arrays of postures: posture * dof_count + dof, and so on. Release with syn_skeleton_analysis_destroy. */
typedef struct syn_skeleton_analysis {
  const syn_context *context;
  syn_skeleton *skeleton; /* owned after syn_skeleton_analyse, else borrowed */
  bool owns_skeleton;
  const char *skeleton_file, *recording_file; /* as given; NULL: none */
  double *asked, *start;                      /* of each Dof: the value of the posture before and after clamping */
  size_t column_count;                        /* Dofs that the recording moves */
  size_t posture_count;                       /* rows of the recording, or 1: the posture alone */
  double *times_s;                            /* of each posture */
  double *values;                             /* of each posture and Dof, clamped */
  size_t *clamped;                            /* of each Dof: postures in which it was clamped */
  syn_pose *joints, *bodies;                  /* of each posture: frames in the world */
  const char *method;                         /* NULL: bodies were not collided */
  bool both_roles; /* of a method that looks for vertices in bodies: for those of either body in the other, so that the
                      order of the bodies in the file makes no difference. A collider does so with both_roles only */
  size_t pair_count, range_count;
  syn_skeleton_pair *pairs;    /* of bodies with a mesh that may touch; none unless a method or a range is asked for */
  syn_skeleton_touch *touches; /* of each posture and pair; NULL without a method */
  syn_skeleton_dof_range *ranges;
  /* Of each body, if there are ranges: triangles of its joint surface ("articular" of its joint), which end no range:
   * they glide on the bodies that its joint does not carry. */
  size_t *left_out;
  struct syn_skeleton_analysis_store *store; /* private */
} syn_skeleton_analysis;

/* `options` may be NULL. The skeleton must outlive the analysis; bodies without a mesh touch nothing. SYN_BAD_ARGUMENT
 * names a Dof that the skeleton does not have, or a value beyond its limits. */
SYN_API syn_status syn_skeleton_analysis_create(const syn_context *context, syn_skeleton *skeleton,
                                                const syn_skeleton_analysis_options *options,
                                                syn_skeleton_analysis **analysis, syn_error *error);
/* Reads the skeleton, and the meshes where bodies are needed, and analyses it. */
SYN_API syn_status syn_skeleton_analyse(const syn_context *context, const syn_skeleton_input *input,
                                        const syn_skeleton_analysis_options *options, syn_skeleton_analysis **analysis,
                                        syn_error *error);
SYN_API void syn_skeleton_analysis_destroy(syn_skeleton_analysis *analysis); /* NULL is fine */

/* Returns the pair with the maximum penetration depth in a posture; SIZE_MAX if none touch. */
SYN_API size_t syn_skeleton_deepest_pair(const syn_skeleton_analysis *analysis, size_t posture);
/* Returns the number of postures in which no pair touches. */
SYN_API size_t syn_skeleton_free_postures(const syn_skeleton_analysis *analysis);

/* The object of each is a `const syn_skeleton_analysis *`; see result.h. */
SYN_API extern const syn_record syn_skeleton_record;       /* all that `synovia skeleton` prints */
SYN_API extern const syn_record syn_skeleton_dof_record;   /* the index is the number of a Dof */
SYN_API extern const syn_record syn_skeleton_touch_record; /* posture * pair_count + pair */
SYN_API extern const syn_record syn_skeleton_range_record; /* the number of a range */

#ifdef __cplusplus
}
#endif
#endif
