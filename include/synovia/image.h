/* Synovia: label maps and volumes. Reads segmentations (NIfTI, NRRD, MetaImage, DICOM SEG, folders of masks) and scans,
 * says which label is which bone, and writes NIfTI and NRRD.
 *
 * Points are in mm in the patient's axes LPS (+x left, +y posterior, +z superior), whatever the axes of the file. */
#ifndef SYNOVIA_IMAGE_H
#define SYNOVIA_IMAGE_H

#include <synovia/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- images ----------------------------------------------------------------------------------------------------- */

typedef enum syn_image_kind {
  SYN_IMAGE_LABELS,      /* each voxel has the number of what it belongs to; 0 is nothing */
  SYN_IMAGE_INTENSITIES, /* a scan: Hounsfield units, signal, probabilities */
  SYN_IMAGE_KINDS
} syn_image_kind;
SYN_ENUM(syn_image_kind); /* "labels", "intensities" */

/* One structure of a label map. */
typedef struct syn_label {
  uint16_t value;             /* of its voxels, in its layer; never 0 */
  uint16_t layer;             /* structures that overlap are in different layers */
  const char *name;           /* as in the file; "label 5" if it has none. Never NULL in an image that was created */
  const char *part;           /* what it was recognised as: "femur", "hip_bone", "pelvis" (both sides), "sacrum", …;
                                 static storage. NULL: not recognised */
  syn_side side;              /* SYN_SIDES: not known, or the part has none */
  uint64_t voxel_count;       /* 0: the file names it, and no voxel has it */
  uint32_t first[3], last[3]; /* the smallest box of voxels around it, both ends included; 0 if it is empty */
} syn_label;

/* A grid of voxels. Immutable; counted, so that sharing copies nothing. Voxel (i, j, k) has the number
 * i + size[0] * (j + size[1] * k), and its centre is origin + i step[0] + j step[1] + k step[2]. The steps are linearly
 * independent, of any orientation and handedness, and need not be orthogonal. */
typedef struct syn_image {
  const syn_context *context; /* as given when made, may be NULL */
  syn_image_kind kind;
  uint32_t size[3];       /* each at least 1 */
  syn_vec3 origin;        /* centre of voxel (0, 0, 0) */
  syn_vec3 step[3];       /* from a voxel to the next along i, j, k: direction times spacing */
  uint32_t layer_count;   /* 1 unless structures overlap */
  const uint16_t *voxels; /* of a label map: layer_count times the grid, layer by layer; else NULL */
  const float *values;    /* of intensities; else NULL */
  size_t label_count;
  const syn_label *labels; /* sorted by layer, then value; every value in the map has its entry */
  /* The grid of the file, of which this is a piece: voxel (0, 0, 0) is its voxel file_first. */
  uint32_t file_size[3], file_first[3];
  bool oriented;      /* false: the file does not say how its axes lie in the patient, and LPS was assumed */
  const char *format; /* of the file it was read from: "nifti", "nrrd", …; static storage; NULL if from memory */
  struct syn_image_shared *shared; /* private; NULL in an image filled by hand */
} syn_image;

/* Copies an image that the caller describes: kind, size, origin, step, layer_count (0 counts as 1), and voxels or
 * values. Of `labels` value, layer, name, part and side are taken; counts and boxes are computed, and values of the map
 * without an entry get one. A file_size of 0 means that the image is the whole grid. SYN_BAD_ARGUMENT says what is
 * wrong: no voxels, steps that are not finite or span no volume, a value that is not finite. */
SYN_API syn_status syn_image_create(const syn_context *context, const syn_image *described, syn_image **image,
                                    syn_error *error);
SYN_API void syn_image_destroy(syn_image *image); /* NULL is fine */
/* Another reference to the same image, destroyed like any image. An image filled by hand is copied. Safe to call from
 * several threads. */
SYN_API syn_status syn_image_share(const syn_image *image, syn_image **same, syn_error *error);
/* The voxels first[] to last[], both included and within the image, as an image. Labels that are not in it stay in the
 * table, empty. */
SYN_API syn_status syn_image_crop(const syn_image *image, const uint32_t first[3], const uint32_t last[3],
                                  syn_image **piece, syn_error *error);

/* Number of voxels of one layer. */
SYN_API size_t syn_image_voxel_count(const syn_image *image);
/* From voxel coordinates (centres are whole numbers) to a point, and back. */
SYN_API syn_vec3 syn_image_point(const syn_image *image, syn_vec3 voxel);
SYN_API syn_vec3 syn_image_voxel(const syn_image *image, syn_vec3 point);
/* The value at a point: of intensities interpolated between voxel centres, NAN outside of them; of a label map the
 * value of the voxel around the point in the first layer where it is not 0, and 0 outside. */
SYN_API double syn_image_sample(const syn_image *image, syn_vec3 point);
/* Index of the label that `name` means, or SYN_NONE: the one of this name in the file, else the only one recognised as
 * this part ("femur_right", "right hip bone", "sacrum"), else the only one of this value ("75"). */
SYN_API uint32_t syn_image_label_find(const syn_image *image, const char *name);
/* What a name means: *part (static storage) and *side as in syn_label; NULL and SYN_SIDES if it means no known part. */
SYN_API void syn_image_part_find(const char *name, const char **part, syn_side *side);

/* ---- files ------------------------------------------------------------------------------------------------------ */

typedef struct syn_image_read_options {
  syn_image_kind kind; /* what is expected; a scan that is given for a label map is refused; default labels */
  const char *labels;  /* what labels are, for files that do not tell: "pelvis=1,femur_left=2+3,sacrum=Kreuzbein", each
                          a part with an optional side = values or names of the file, joined by + where a bone has
                          several. Others are as recognised. NULL: none */
  const char *const *parts; /* only labels of these parts ("femur", or "femur_left") are kept, and the others become 0;
                               all, if none of them is recognised. NULL: all */
  size_t part_count;
  bool crop;             /* keep the box around the labels that are kept; default true */
  uint32_t margin;       /* voxels around that box, as far as the file has them; default 4 */
  const syn_box *box_mm; /* of intensities only the voxels in this box, LPS mm, are kept; NULL: all */
  const char *format;    /* "nifti", "nrrd", "metaimage", "dicom", "masks"; NULL: by content */
  uint32_t cookie;
} syn_image_read_options;
SYN_API syn_image_read_options syn_default_image_read_options(void);

/* Reads a file, or a folder of masks or DICOM files. A label map is read twice, so that memory is needed only for the
 * box that is kept. At most 2^31 voxels. Warnings say what the header leaves open or contradicts. `options` may be
 * NULL: defaults. On failure *error names file and byte or line. */
SYN_API syn_status syn_image_read(const syn_context *context, const char *path, const syn_image_read_options *options,
                                  syn_image **image, syn_error *error);
/* The same from memory; `name` (may be NULL) is used for messages and for the label of a mask. */
SYN_API syn_status syn_image_parse(const syn_context *context, const void *bytes, size_t size, const char *name,
                                   const syn_image_read_options *options, syn_image **image, syn_error *error);

typedef struct syn_image_write_options {
  bool whole;         /* on the grid of the file it was read from, with 0 around; default true */
  const char *format; /* "nifti" or "nrrd"; NULL: by the name's ending: .nii, .nii.gz, .nrrd, .seg.nrrd */
  uint32_t cookie;
} syn_image_write_options;
SYN_API syn_image_write_options syn_default_image_write_options(void);
/* Writes NIfTI-1 or NRRD with the names of the labels; atomically. Layers that overlap need .nrrd. `options` may be
 * NULL: defaults. */
SYN_API syn_status syn_image_write(const syn_context *context, const syn_image *image, const char *path,
                                   const syn_image_write_options *options, syn_error *error);

/* ---- surfaces --------------------------------------------------------------------------------------------------- */

/* The size of the voxels that the labels were made with, in mm along i, j, k: that of the grid or, where a map was
 * resampled to a finer grid, what the stairs of its surfaces show (a map of 3 mm on a grid of 1.5 mm changes in every
 * second plane only). */
SYN_API syn_status syn_image_resolution_find(const syn_image *image, double voxel_mm[3], syn_error *error);

typedef struct syn_image_surface_options {
  const uint32_t *labels; /* indices into image->labels; they compete for the space, all others count as background.
                             NULL: all */
  size_t label_count;
  double smooth_voxels;    /* standard deviation of the Gaussian in the smoothing kernel, in voxels of the true
                              resolution; 0.3 to 3; default 1.2. From 1.1 to 1.4 errors on bones change by less than a
                              tenth */
  double tolerance_voxels; /* deviation (root of the mean square) at which triangles are joined; 0: none are; default
                              0.05 */
  bool apart;              /* neighbours keep 0.05 voxels from each other instead of sharing their wall: for contact;
                              default false */
  double island_fraction;  /* pieces smaller than this fraction of the volume of the largest are left out, and with
                              them all cavities; default 0: everything is kept */
  uint32_t cookie;
} syn_image_surface_options;
SYN_API syn_image_surface_options syn_default_image_surface_options(void);

/* Faces of the image. */
enum { SYN_LOW_I = 1, SYN_HIGH_I = 2, SYN_LOW_J = 4, SYN_HIGH_J = 8, SYN_LOW_K = 16, SYN_HIGH_K = 32 };

typedef struct syn_label_surface {
  const char *name;  /* of the label; the image's, which is shared */
  uint32_t label;    /* index into image->labels */
  syn_trimesh *mesh; /* closed, manifold, outward, in LPS mm. NULL: the label vanishes when it is smoothed */
  double rms_voxel;  /* the surface lies within this distance (root of the mean square) of the bone, in voxels of the
                        true resolution, if the labels are right */
  double volume_mm3; /* of the surface, */
  double voxel_volume_mm3; /* and of the label's voxels */
  uint32_t islands;        /* pieces beside the largest, kept or not */
  uint32_t cavities;       /* hollows inside */
  uint32_t tunnels;        /* holes through the pieces that are kept */
  uint32_t removed;        /* of islands and cavities */
  uint64_t disagreements;  /* voxels whose centre the surface puts on the other side than the map does */
  unsigned closed_at;      /* faces of the image that cut it, where it was closed: bits SYN_LOW_I … */
} syn_label_surface;

typedef struct syn_image_surfaces {
  const syn_context *context;
  syn_image *image;        /* a reference */
  double voxel_mm[3];      /* of the grid */
  double resolution_mm[3]; /* see syn_image_resolution_find */
  size_t count;
  syn_label_surface *surfaces; /* in the order of the options, or of the image; labels without voxels are left out */
} syn_image_surfaces;

/* Makes the surface of each label: its indicator is smoothed with a Gaussian, and the surface lies where it equals the
 * largest of the other labels' and the background's. Neighbours therefore share their wall and never cross. Surfaces
 * are closed where the image ends. The same bits on any number of threads; memory beside the meshes is that of some
 * slices per thread. Warns of what is left out. `options` may be NULL: defaults. Release with
 * syn_image_surfaces_destroy. */
SYN_API syn_status syn_image_surfaces_create(const syn_image *image, const syn_image_surface_options *options,
                                             syn_image_surfaces **surfaces, syn_error *error);
SYN_API void syn_image_surfaces_destroy(syn_image_surfaces *surfaces); /* NULL is fine */
/* Their results as field tables; see result.h. */
SYN_API extern const syn_record syn_label_surface_record;  /* of syn_label_surface[] */
SYN_API extern const syn_record syn_image_surfaces_record; /* grid, resolution and labels */

#ifdef __cplusplus
}
#endif
#endif
