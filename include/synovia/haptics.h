/* Synovia: haptic rendering of soft tissue. A probe touches one soft body of a simulation. One thread simulates the
 * body some 30 times a second, another computes the force on the probe 1000 times a second. The first passes a small
 * local model to the second: the points near the probe and their coupled compliance.
 *
 *   syn_haptics_create(NULL, simulation, body, NULL, &haptics, &error);
 *   syn_haptics_push_device(NULL, &push, &device, &error);
 *   syn_haptics_run(haptics, &device, 10, &report, &error);
 *
 * Units as in tissue.h. */
#ifndef SYNOVIA_HAPTICS_H
#define SYNOVIA_HAPTICS_H

#include <synovia/io.h>
#include <synovia/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the probe ------------------------------------------------------------------------------------------------------
 */

/* A convex cylinder with a flat tip. It does not rotate. */
typedef struct syn_probe {
  double radius_mm; /* default 15 */
  double length_mm; /* default 100 */
  syn_vec3 axis;    /* from the tip to the handle, any length; default z: it pushes along -z */
} syn_probe;

/* Returns the distance of a point to the cylinder whose tip has its centre at `tip`: negative inside. `normal` (may be
 * NULL) is the outward unit normal at the nearest surface point. */
SYN_API double syn_probe_distance(const syn_probe *probe, syn_vec3 tip, syn_vec3 point, syn_vec3 *normal);

/* ---- devices --------------------------------------------------------------------------------------------------------
 */

/* A haptic device: moves the probe and renders the force. The force thread calls both functions in every period: they
 * must return within some microseconds, and neither allocate nor wait. */
typedef struct syn_haptics_device {
  /* Reads the position of the centre of the tip, `time_s` after the start; returns false to stop the loop. */
  bool (*read)(void *user, double time_s, syn_vec3 *tip);
  void (*write)(void *user, double time_s, syn_vec3 force); /* on the probe, N; NULL: nothing shows it */
  void (*destroy)(void *user);                              /* NULL: nothing to release */
  void *user;
} syn_haptics_device;
SYN_API void syn_haptics_device_release(syn_haptics_device *device);

/* A recorded motion: a table with the columns time, x, y and z (s and mm; see syn_recording_read), straight between its
 * rows. It ends with the last one. */
SYN_API syn_status syn_haptics_trajectory_device(const syn_context *context, const char *path,
                                                 syn_haptics_device *device, syn_error *error);

/* A push: from `from` along `way` and back in every period, as (1 - cos) / 2; the depth of period k is depth_mm times
 * 1 - variation * ((k * 7) mod 5) / 4, so that no two neighbours are the same (the quasi-sinusoidal motion of Sundaraj
 * 2004, Fig. 6.8). It never ends. */
typedef struct syn_haptics_push {
  syn_vec3 from;    /* the tip where it is farthest out */
  syn_vec3 way;     /* any length; default -z */
  double depth_mm;  /* default 10 */
  double period_s;  /* default 2 */
  double variation; /* 0 to 1; default 0.3 */
  uint32_t cookie;
} syn_haptics_push;
SYN_API syn_haptics_push syn_default_haptics_push(void);
SYN_API syn_status syn_haptics_push_device(const syn_context *context, const syn_haptics_push *push,
                                           syn_haptics_device *device, syn_error *error);

/* A real device behind UDP on the loopback interface: docs/haptics.md describes the packets. It is bound to `port` of
 * 127.0.0.1 (0: any free one; *bound is which). The probe stays at `start` until the first packet comes. */
SYN_API syn_status syn_haptics_udp_device(const syn_context *context, uint16_t port, syn_vec3 start, uint16_t *bound,
                                          syn_haptics_device *device, syn_error *error);

/* ---- the tissue -----------------------------------------------------------------------------------------------------
 */

typedef struct syn_haptics_options {
  syn_probe probe;
  double simulation_hz; /* frames per second; default 30; 0: as many as possible */
  double force_hz;      /* default 1000 */
  double reach_mm;      /* points of the skin nearer than this to the tip's centre may be touched; default 0: twice the
                           radius of the probe */
  uint32_t most_points; /* maximum number of points, the nearest ones; default 48, at most 256 */
  bool realtime;        /* ask for priority and locked memory; default true. Works without them, too */
  uint32_t cookie;
} syn_haptics_options;
SYN_API syn_haptics_options syn_default_haptics_options(void);

/* A probe on one body. Used by one thread at a time, except for the two that syn_haptics_run starts. */
typedef struct syn_haptics syn_haptics;
/* The simulation is borrowed: it must outlive the object, and must not be stepped elsewhere meanwhile. Its integrator
 * is static or implicit. A body of the model "vdm" is solved by its own equations and felt through the buffer model of
 * Sundaraj 2004, §6.2.3; every other model through the compliance of the points near the probe, which is that of the
 * whole body. `options` may be NULL. */
SYN_API syn_status syn_haptics_create(const syn_context *context, syn_simulation *simulation, uint32_t body,
                                      const syn_haptics_options *options, syn_haptics **haptics, syn_error *error);
SYN_API void syn_haptics_destroy(syn_haptics *haptics); /* NULL is fine */

/* Computes one frame of the simulation with the tip at this position, and passes its points to syn_haptics_force. */
SYN_API syn_status syn_haptics_frame(syn_haptics *haptics, syn_vec3 tip, syn_error *error);
/* Computes the force on the probe with the tip at this position, N, from the points of the last frame. Allocates
 * nothing. The same calls in the same order give the same bits. */
SYN_API syn_vec3 syn_haptics_force(syn_haptics *haptics, syn_vec3 tip);
/* The force that the whole body had in the last frame. */
SYN_API syn_vec3 syn_haptics_frame_force(const syn_haptics *haptics);
/* Positions of the body's nodes in the last frame. */
SYN_API const syn_vec3 *syn_haptics_positions(const syn_haptics *haptics);

typedef struct syn_haptics_points {
  uint32_t count;    /* handed on in the last frame */
  uint32_t left_off; /* within reach, but more than most_points */
  uint32_t touching; /* of those that were handed on, in the last force */
} syn_haptics_points;
SYN_API syn_haptics_points syn_haptics_points_of(const syn_haptics *haptics);

/* ---- the loop -------------------------------------------------------------------------------------------------------
 */

/* Microseconds; to within 2 %. */
typedef struct syn_haptics_times {
  double p50_us, p99_us, p999_us, max_us;
} syn_haptics_times;

/* One period of the force loop. */
typedef struct syn_haptics_sample {
  double time_s;
  syn_vec3 tip, force;
  syn_vec3 frame_force; /* of the whole body, as of the last frame */
} syn_haptics_sample;

typedef struct syn_haptics_report {
  double seconds;              /* how long it ran */
  uint64_t periods;            /* of the force loop */
  uint64_t late;               /* periods whose force was not ready before the next one started, or that were skipped */
  double rate_hz;              /* periods per second, without skipped ones */
  uint64_t frames;             /* of the simulation */
  double simulation_hz;        /* frames per second */
  syn_haptics_times computing; /* from reading the device to the force */
  syn_haptics_times waking;    /* from the start of a period to the wake-up of the thread */
  bool has_priority;           /* the system granted a real-time priority */
  bool has_locked_memory;
  double force_n;                    /* the largest */
  uint32_t left_off;                 /* points beyond most_points, in the last frame */
  const syn_haptics_sample *samples; /* one per period; valid until the next run */
  size_t sample_count;
} syn_haptics_report;

/* Runs both threads for a number of seconds, at most 3600, or until the device ends. SYN_NO_MEMORY if a thread or
 * memory is not available; a frame that fails ends the run with its error. The context's progress is called about ten
 * times a second and may stop the run: SYN_CANCELLED. */
SYN_API syn_status syn_haptics_run(syn_haptics *haptics, const syn_haptics_device *device, double seconds,
                                   syn_haptics_report *report, syn_error *error);

/* ---- the deformed ultrasound image ----------------------------------------------------------------------------------
 */

typedef struct syn_haptics_image {
  uint32_t width, height;    /* pixels; default 256 and 256 */
  double width_mm, depth_mm; /* of the plane under the tip; default 0: twice the probe's diameter, 80 */
  syn_vec3 across;           /* a direction in the plane; default 0: any across the probe's axis */
  syn_vec3 vein;             /* centre of the vein in the plane, mm: across, depth at rest, radius; default 0, 25, 6 */
  uint32_t cookie;
} syn_haptics_image;
SYN_API syn_haptics_image syn_default_haptics_image(void);
/* What an ultrasound probe with its tip there would show after the last frame: speckle of the tissue, a vein without
 * echo, a bone with its shadow. The tissue at rest is imagined; it is seen through the displacements of the body's
 * nodes (Sundaraj 2004, Fig. 6.7). `pixels` has width * height bytes, rows from the tip down;
 * `image` may be NULL: defaults. */
SYN_API syn_status syn_haptics_draw(const syn_haptics *haptics, const syn_haptics_image *image, syn_vec3 tip,
                                    uint8_t *pixels, syn_error *error);

/* ---- scenes ---------------------------------------------------------------------------------------------------------
 */

/* A scene that is built in. */
typedef struct syn_haptics_scene_info {
  const char *name;                                   /* "thigh", "maciel-a" … "maciel-d" */
  const char *summary;                                /* half a sentence */
  double published_simulation_hz, published_force_hz; /* by its author; NAN where none is given */
} syn_haptics_scene_info;
SYN_API size_t syn_haptics_scene_count(void);
SYN_API syn_haptics_scene_info syn_haptics_scene_at(size_t index);

/* A simulation, what touches it, and how. The scene owns all. */
typedef struct syn_haptics_scene {
  const syn_context *context;
  const char *name;
  const syn_haptics_scene_info *built_in; /* NULL: from a file */
  const syn_soft *soft;                   /* the body that is felt */
  uint32_t held_nodes;
  syn_haptics *haptics;
  syn_haptics_push push; /* the device unless another is named */
  syn_haptics_image image;
  const char *trajectory;          /* NULL: none is named */
  int udp_port;                    /* -1: none */
  struct syn_haptics_store *store; /* private */
} syn_haptics_scene;

/* `name` is that of a built-in scene, or a scene file with the key "haptics" (docs/haptics.md). `reading` (may be NULL)
 * is for meshes; `simulation_hz` replaces the scene's own rate unless it is NAN. SYN_BAD_FORMAT names the file and the
 * key. Release with syn_haptics_scene_destroy. */
SYN_API syn_status syn_haptics_scene_open(const syn_context *context, const char *name, const syn_read_options *reading,
                                          double simulation_hz, syn_haptics_scene **scene, syn_error *error);
SYN_API void syn_haptics_scene_destroy(syn_haptics_scene *scene); /* NULL is fine */
/* The device that the scene names: its trajectory, its UDP port, or its push. */
SYN_API syn_status syn_haptics_scene_device(const syn_haptics_scene *scene, syn_haptics_device *device,
                                            syn_error *error);

/* Results of the run of a scene. */
typedef struct syn_haptics_result {
  const syn_haptics_scene *scene;
  const char *device; /* "push", "trajectory" or "udp" */
  syn_haptics_report report;
} syn_haptics_result;
/* Runs a scene with the device that it names. */
SYN_API syn_status syn_haptics_scene_run(const syn_haptics_scene *scene, double seconds, syn_haptics_result *result,
                                         syn_error *error);
/* Writes to the folder: force.csv with a row per period, force.svg with the force of the loop over that of the body,
 * and the ultrasound image before the push and at its deepest, image-rest.pgm and image-pressed.pgm. Changes the
 * simulation: call it last. */
SYN_API syn_status syn_haptics_result_write(const syn_haptics_result *result, const char *folder, syn_error *error);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_haptics_record; /* of a syn_haptics_result */

#ifdef __cplusplus
}
#endif
#endif
