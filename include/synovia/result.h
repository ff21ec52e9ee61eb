/* Synovia: results described once. A record is a table of fields: key in files, label for people, unit, published
 * range, and the function that gets the value. JSON, tables of a page, columns of a study and bindings to other
 * languages all come from these tables.
 *
 * The structure is static: which fields there are does not depend on the object, so that a file can be read with the
 * same table that wrote it. */
#ifndef SYNOVIA_RESULT_H
#define SYNOVIA_RESULT_H

#include <synovia/congruity.h>
#include <synovia/graft.h>
#include <synovia/haptics.h>
#include <synovia/hip.h>
#include <synovia/joint_analysis.h>
#include <synovia/osteotomy.h>
#include <synovia/pressure_run.h>
#include <synovia/skeleton_analysis.h>
#include <synovia/surgery.h>
#include <synovia/tissue_scene.h>
#include <synovia/virtual_hip.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values -------------------------------------------------------------------------------------------------------
 */

typedef enum syn_value_kind {
  SYN_VALUE_NONE, /* not known: null in JSON */
  SYN_VALUE_REAL, /* NAN and infinities count as not known */
  SYN_VALUE_INTEGER,
  SYN_VALUE_BOOLEAN,
  SYN_VALUE_TEXT,
  SYN_VALUE_POINT,
  SYN_VALUE_NUMBERS, /* a list of numbers, or rows of them */
  SYN_VALUE_TEXTS,   /* a list of texts */
  SYN_VALUE_RECORD,  /* an object with a table of its own */
  SYN_VALUE_LIST,    /* of such objects */
  SYN_VALUE_KINDS
} syn_value_kind;
/* "none", "real", "integer", "boolean", "text", "point", "numbers", "texts", "record", "list". */
SYN_API const char *syn_value_kind_name(syn_value_kind kind);

enum { SYN_VALUE_WORDS = 128 };

typedef struct syn_value {
  syn_value_kind kind;
  union {
    double real;
    int64_t integer;
    bool boolean;
    struct {
      const char *text; /* NULL: `words` */
      char words[SYN_VALUE_WORDS];
    } text;
    syn_vec3 point;
    struct {
      double (*at)(const void *object, size_t index);
      const void *object;
      size_t count, columns; /* columns 0: one list; else count is a multiple of it */
    } numbers;
    struct {
      const char *(*at)(const void *object, size_t index);
      const void *object;
      size_t count;
    } texts;
    struct { /* RECORD: the fields are got from (object, first). LIST: item i is the record of (object, first + i) */
      const void *object;
      size_t first, count;
      bool (*has)(const void *object,
                  size_t index); /* LIST: items for which it is false are left out; NULL: keep all */
    } items;
  };
} syn_value;

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

/* Where a field appears. */
enum {
  SYN_IN_FILE = 1,    /* JSON */
  SYN_IN_STUDY = 2,   /* a column of study.csv; of a record or list, those of its fields that say so */
  SYN_IN_SUMMARY = 4, /* such a column that the page of a study shows as well; the others are details */
  SYN_IN_PAGE = 8,    /* a column of a table on the page of one analysis */
  SYN_OPTIONAL = 16,  /* left out of JSON if `get` returns SYN_VALUE_NONE, instead of null */
  SYN_IN_WORDS = 32   /* only where syn_record_words() asks for it */
};

typedef struct syn_record syn_record;

typedef struct syn_result_field {
  const char *key;         /* "angle_deg" */
  const char *label;       /* "Ends at" */
  const char *unit;        /* "deg", "mm", "percent", "h", "" */
  unsigned use;            /* SYN_IN_FILE … */
  syn_value_kind kind;     /* what `get` returns unless SYN_VALUE_NONE */
  const syn_record *items; /* RECORD and LIST: the table of the object or of each item; else NULL */
  syn_value (*get)(const void *object, size_t index);
  double low, high;   /* published range, NAN for an open end; only with a source */
  const char *source; /* NULL: no range */
  const char *about;  /* how it is defined, one sentence; NULL: the label says it */
} syn_result_field;

struct syn_record {
  const char *name;
  const syn_result_field *fields;
  size_t field_count;
  /* More fields, one for each of an enumeration (measures, landmarks, methods); their `get` is given the object and
   * index * more_count + their own number. NULL: none. */
  syn_result_field (*more)(size_t number);
  size_t more_count;
  bool more_last;    /* they follow the others instead of preceding them */
  const char *words; /* the pattern of syn_record_words() for people; NULL: there is none */
};

/* Field number `i` of field_count + more_count, and its value in an object. */
SYN_API size_t syn_record_count(const syn_record *record);
SYN_API syn_result_field syn_record_field(const syn_record *record, size_t i);
SYN_API syn_value syn_record_value(const syn_record *record, size_t i, const void *object, size_t index);

/* The value as text for people, stored in `words` if it had to be formatted; "" if unknown. */
SYN_API const char *syn_value_text(const syn_value *value);
/* NAN unless it is a number. */
SYN_API double syn_value_number(const syn_value *value);
/* The symbol of a unit on a page: "°", "mm", "%". */
SYN_API const char *syn_unit_symbol(const char *unit);

/* The object as JSON text, indented; free() it. NULL without memory. */
SYN_API char *syn_record_json(const syn_record *record, const void *object, size_t index);

/* The object in the words of a pattern, for people; free() it. NULL without memory. A pattern of NULL is that of the
 * record. In the pattern
 *   {key}             is the value of that field, {key.part} that of a field of a record, {key.0} one of several
 * numbers,
 *                     {.} the text of a list of texts, {@} the number of a list's item, from 1;
 *   {key:FORMAT}      the same as FORMAT says: "-" to the left, "+" with its sign, a width in letters, "." and
 * decimals, "g" as printf's %g, "a" without its sign, "," in groups of three digits, "*" and a factor, and at last "|"
 * and what stands there if the value is not known, which else is blank;
 *   {#key} … {/}      is repeated for every item of a list; a record counts as one item; {#key~20} for about 20 of
 * them, evenly, and the last;
 *   {?key} … {:} … {/}  the first part where the value is known, true and not empty, else the second, which may be
 *                     missing; {!key} the other way round; {?key=word}, {?key<1} and {?key>1} compare;
 *   {,text}           is the text, but not in the first item of a list.
 * Within an item a key is one of the item's fields, else one of those around it. */
SYN_API char *syn_record_words(const syn_record *record, const void *object, size_t index, const char *pattern);

/* ---- the results of a hip -----------------------------------------------------------------------------------------
 */

/* The object of each is a `const syn_hip_analysis *`; what it does not have is null. The record of measures needs an
 * analysis with measures. */
SYN_API extern const syn_record syn_hip_record;    /* all that `synovia hip` prints */
SYN_API extern const syn_record syn_center_record; /* centre by every method, and its effect */
SYN_API extern const syn_record
    syn_sensitivity_record;                         /* of an analysis with a sensitivity: depths about other centres */
SYN_API extern const syn_record syn_measure_record; /* angles, lengths, landmarks and frames */
SYN_API extern const syn_record syn_rom_record;     /* motions, envelope, overlap of the bones */
SYN_API extern const syn_record syn_fai_record;     /* depths along a motion, FADIR */

/* Parts of them. The index of an item is its number in the array that is the object. */
SYN_API extern const syn_record syn_seat_record;          /* of a syn_hip */
SYN_API extern const syn_record syn_motion_limit_record;  /* of syn_motion_limit[] */
SYN_API extern const syn_record syn_slack_limit_record;   /* the same with the shift of the head */
SYN_API extern const syn_record syn_series_limit_record;  /* of syn_series_limit[] */
SYN_API extern const syn_record syn_sweep_limit_record;   /* of syn_sweep_limit[] */
SYN_API extern const syn_record syn_contact_place_record; /* of syn_contact_place[] */
SYN_API extern const syn_record syn_event_record;         /* of syn_event[]: where a turn ends */
SYN_API extern const syn_record syn_envelope_record;      /* of a syn_envelope */
SYN_API extern const syn_record syn_penetration_record;   /* of a syn_penetration */
SYN_API extern const syn_record syn_center_method_record; /* of an analysis: methods as rows of a page's table */
SYN_API extern const syn_record syn_center_effect_record; /* of a syn_center_effect: motions as such rows */

/* ---- the results of any other joint -------------------------------------------------------------------------------
 */

SYN_API extern const syn_record syn_joint_record;           /* of a syn_joint_analysis: all that `synovia rom` prints */
SYN_API extern const syn_record syn_joint_limit_record;     /* of syn_joint_limit[] */
SYN_API extern const syn_record syn_joint_collision_record; /* of syn_joint_collision[] */

/* ---- the results of a skeleton ------------------------------------------------------------------------------------
 */

/* The object of each is a `const syn_skeleton_analysis *`. */
SYN_API extern const syn_record syn_skeleton_record; /* all that `synovia skeleton` prints */
/* A run of a scene: syn_tissue_run. */
SYN_API extern const syn_record syn_tissue_run_record;
/* A run of a haptic scene: syn_haptics_result. */
SYN_API extern const syn_record syn_haptics_record;
SYN_API extern const syn_record syn_skeleton_dof_record;   /* the index is the number of a Dof */
SYN_API extern const syn_record syn_skeleton_touch_record; /* posture * pair_count + pair */
SYN_API extern const syn_record syn_skeleton_range_record; /* the number of a range */

/* ---- operations ---------------------------------------------------------------------------------------------------
 */

SYN_API extern const syn_record syn_resection_record; /* of a syn_resection: all that `synovia surgery resect` prints */

/* ---- contact pressure ---------------------------------------------------------------------------------------------
 */

/* The object of each is a `const syn_pressure *`. */
SYN_API extern const syn_record syn_pressure_record;           /* all that `synovia pressure` prints */
SYN_API extern const syn_record syn_bearing_comparison_record; /* of a syn_bearing_comparison */
SYN_API extern const syn_record syn_pressure_step_record;      /* the index is the number of a step */
SYN_API extern const syn_record syn_pressure_region_record;    /* step * 4 + region of the socket's layer */
/* Of a syn_pressure_training: all that `synovia pressure --train` prints. */
SYN_API extern const syn_record syn_pressure_training_record;

/* ---- other results ------------------------------------------------------------------------------------------------
 */

SYN_API extern const syn_record syn_mesh_info_record;     /* of a syn_mesh_info: counts, health and measures */
SYN_API extern const syn_record syn_mesh_health_record;   /* of a syn_mesh_info: its health alone */
SYN_API extern const syn_record syn_tet_quality_record;   /* of a syn_tet_quality */
SYN_API extern const syn_record syn_geometry_record;      /* of a syn_geometry: its counts */
SYN_API extern const syn_record syn_layer_record;         /* of syn_layer[]: how it was made, and its mesh */
SYN_API extern const syn_record syn_repair_record;        /* of a syn_repair_report */
SYN_API extern const syn_record syn_collision_record;     /* of a syn_collision */
SYN_API extern const syn_record syn_clearance_record;     /* of a syn_clearance */
SYN_API extern const syn_record syn_overlap_record;       /* of a syn_overlap */
SYN_API extern const syn_record syn_zone_record;          /* of a syn_overlap: zones as rows of a page's table */
SYN_API extern const syn_record syn_contour_record;       /* of a syn_overlap: loops as such rows */
SYN_API extern const syn_record syn_turn_range_record;    /* of a syn_turn_range */
SYN_API extern const syn_record syn_motion_center_record; /* of a syn_motion_center */
SYN_API extern const syn_record syn_body_record;          /* of syn_body[]: name and counts */
/* Of nothing (NULL): the index is the number in the table. */
SYN_API extern const syn_record syn_method_record; /* see syn_method_at */
SYN_API extern const syn_record syn_shape_record;  /* see syn_shape_at */

/* ---- operations ---------------------------------------------------------------------------------------------------
 */

SYN_API extern const syn_record syn_graft_record;            /* of a syn_graft: before and after */
SYN_API extern const syn_record syn_graft_plan_record;       /* of syn_graft_plan[]: one pair of tunnels */
SYN_API extern const syn_record syn_graft_row_record;        /* of syn_graft_row[]: one angle */
SYN_API extern const syn_record syn_congruity_record;        /* of a syn_congruity */
SYN_API extern const syn_record syn_congruity_path_record;   /* of syn_congruity_path[]: one motion */
SYN_API extern const syn_record syn_congruity_moment_record; /* of syn_congruity_moment[] */
SYN_API extern const syn_record syn_osteotomy_record;        /* of a syn_osteotomy: before and after */
SYN_API extern const syn_record syn_ligament_rom_record;     /* of a syn_ligament_rom: before (bones alone) and after */
SYN_API extern const syn_record syn_ligament_stiffness_record; /* of a syn_ligament_stiffness */
SYN_API extern const syn_record syn_ligament_row_record;       /* of syn_ligament_row[]: one angle */

#ifdef __cplusplus
}
#endif
#endif
