#include "mesh/io/foreign_file.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#ifndef SYN_CORE
#include "base/json.h"
#include "base/zlib_memory.h"
#endif

/* ---- signatures ----------------------------------------------------------------------------------------------------
 */

/* What to do with it. */
typedef enum foreign_kind { IMAGE, DICOM, VOXELS, PICTURE, CAD, ARCHIVE, SCENE, OTHER } foreign_kind;

static const char *const advice[] = {
    [IMAGE] =
        "It has voxels and no surface: a segmentation is what 'synovia hip SCAN' takes for both hips, and 'synovia "
        "mesh labels SCAN -o DIR' makes surfaces of it; a scan is segmented first (TotalSegmentator, 3D Slicer)",
    [DICOM] = "It has voxels and no surface: a DICOM segmentation is what 'synovia hip SCAN' and 'synovia mesh labels' "
              "take; a scan is segmented first (TotalSegmentator, 3D Slicer)",
    [VOXELS] = "It has voxels and no surface: save it as NIfTI or NRRD, segment it (TotalSegmentator, 3D Slicer), and "
               "give the segmentation to 'synovia hip SCAN' or 'synovia mesh labels'",
    [PICTURE] = "It has no surface",
    [CAD] = "It has curved faces and no triangles: export it from a CAD program or FreeCAD as STL, in mm",
    [ARCHIVE] = "Unpack it and give the mesh that is in it",
    [SCENE] = "Export the body from Blender or another modelling program as PLY, OBJ or STL",
    [OTHER] = "Export the mesh from the program that wrote it as PLY, STL or VTK",
};

typedef struct signature {
  size_t at;
  const char *bytes;
  size_t length;
  const char *what;
  foreign_kind kind;
} signature;
#define AT(OFFSET, BYTES, WHAT, KIND)                                                                                  \
  { (OFFSET), (BYTES), sizeof(BYTES) - 1, (WHAT), (KIND) }

static const signature signatures[] = {
    AT(344, "n+1\0", "a NIfTI image", IMAGE),
    AT(344, "ni1\0", "the header of a NIfTI image", IMAGE),
    AT(4, "n+2\0\r\n\x1a\n", "a NIfTI image", IMAGE),
    AT(4, "ni2\0\r\n\x1a\n", "the header of a NIfTI image", IMAGE),
    AT(128, "DICM", "a DICOM file", DICOM),
    AT(0, "NRRD000", "an NRRD image", IMAGE),
    AT(0, "\x89HDF\r\n\x1a\n", "an HDF5 file, as MINC images and results of simulations are", OTHER),
    AT(0, "CDF\001", "a NetCDF file, as older MINC images are", VOXELS),
    AT(0, "CDF\002", "a NetCDF file, as older MINC images are", VOXELS),
    AT(0, "II*\0", "a TIFF picture", VOXELS),
    AT(0, "MM\0*", "a TIFF picture", VOXELS),
    AT(0, "\x89PNG\r\n\x1a\n", "a PNG picture", PICTURE),
    AT(0, "\xff\xd8\xff", "a JPEG picture", PICTURE),
    AT(0, "GIF8", "a GIF picture", PICTURE),
    AT(0, "%PDF-", "a PDF document", PICTURE),
    AT(0, "<!DOCTYPE html", "a web page", PICTURE),
    AT(0, "<!doctype html", "a web page", PICTURE),
    AT(0, "<html", "a web page", PICTURE),
    AT(0, "ISO-10303-21", "a STEP file", CAD),
    AT(0, "**ABCDEFGHIJKLMNOPQRSTUVWXYZ", "a Parasolid file", CAD),
    AT(0, "3D Geometry File Format", "a Rhino file", CAD),
    AT(0, "PK\003\004", "a zip archive", ARCHIVE), /* also 3MF and office documents */
    AT(0, "PK\005\006", "an empty zip archive", ARCHIVE),
    AT(0, "\x1f\x8b", "a gzip archive", ARCHIVE),
    AT(0, "BZh", "a bzip2 archive", ARCHIVE),
    AT(0,
       "\xfd"
       "7zXZ\0",
       "an xz archive", ARCHIVE),
    AT(0, "7z\xbc\xaf\x27\x1c", "a 7z archive", ARCHIVE),
    AT(0, "\x28\xb5\x2f\xfd", "a zstd archive", ARCHIVE),
    AT(0, "Rar!\x1a\x07", "a rar archive", ARCHIVE),
    AT(257, "ustar", "a tar archive", ARCHIVE),
    AT(0, "glTF", "a glTF scene, which is only written", SCENE),
    AT(0, "Kaydara FBX Binary", "an FBX scene", SCENE),
    AT(0, "BLENDER", "a Blender file", SCENE),
    AT(0, "#VRML", "a VRML scene", SCENE),
    AT(0, "MATLAB 5.0 MAT-file", "a MATLAB file", OTHER),
    AT(0,
       "\x7f"
       "ELF",
       "a program", PICTURE),
};

static bool fits_signature(const signature *s, const char *bytes, size_t size) {
  return size >= s->at + s->length && memcmp(bytes + s->at, s->bytes, s->length) == 0;
}

/* Without the preamble of files a DICOM data set begins with an element of group 2 or 8: its number, then either two
 * capital letters (explicit) or the length of a first value that names the letters used (implicit). */
static bool is_bare_dicom(const char *b, size_t size) {
  if (size < 16 || (b[0] != 2 && b[0] != 8) || b[1] != 0 || b[3] != 0) return false;
  const bool explicit_type = b[4] >= 'A' && b[4] <= 'Z' && b[5] >= 'A' && b[5] <= 'Z';
  return explicit_type || (b[0] == 8 && memcmp(b + 8, "ISO_IR", 6) == 0);
}

/* The first line of IGES is 80 columns wide, of section S, number 1. */
static bool is_iges(const char *b, size_t size) {
  return size >= 81 && b[72] == 'S' && (b[79] == '1') && (b[80] == '\n' || b[80] == '\r') &&
         memchr(b, '\n', 72) == NULL;
}

/* MetaImage (.mha, .mhd) is lines "Key = value". Analyze has a number of bytes, its own, and no signature. */
static bool is_meta_image(const char *b, size_t size) {
  const size_t head = size < 4096 ? size : 4096;
  if (size < 12 || (strncmp(b, "ObjectType", 10) != 0 && strncmp(b, "NDims", 5) != 0 && strncmp(b, "Comment", 7) != 0))
    return false;
  for (size_t i = 0; i + 8 < head; ++i)
    if (!memcmp(b + i, "DimSize", 7)) return true;
  return false;
}

static bool is_analyze(const char *b, size_t size) {
  return size == 348 && (!memcmp(b, "\x5c\x01\0\0", 4) || !memcmp(b, "\0\0\x01\x5c", 4));
}

static const signature *recognise_bytes(const char *bytes, size_t size) {
  static const signature bare_dicom = {.what = "a DICOM file", .kind = DICOM},
                         iges = {.what = "an IGES file", .kind = CAD},
                         meta = {.what = "a MetaImage (.mha, .mhd)", .kind = IMAGE},
                         analyze = {.what = "the header of an Analyze image", .kind = VOXELS};
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; ++i)
    if (fits_signature(&signatures[i], bytes, size)) return &signatures[i];
  if (is_bare_dicom(bytes, size)) return &bare_dicom;
  if (is_iges(bytes, size)) return &iges;
  if (is_meta_image(bytes, size)) return &meta;
  return is_analyze(bytes, size) ? &analyze : NULL;
}

/* ---- messages ------------------------------------------------------------------------------------------------------
 */

/* "ply, off, …": the formats that are read. */
static void list_formats(char *room, size_t size) {
  size_t used = 0;
  room[0] = 0;
  for (size_t i = 0; i < syn_formats_count && used < size; ++i)
    if (syn_formats[i]->read)
      used += (size_t)snprintf(room + used, size - used, "%s%s", used > 0 ? ", " : "", syn_formats[i]->info.name);
}

static syn_status fail_as(const char *name, const char *before, const signature *found, syn_error *error) {
  char known[128];
  list_formats(known, sizeof known);
  return syn_fail_at(error, SYN_BAD_FORMAT, name, 0, -1, "this is %s%s, not a mesh. %s. Meshes are read from %s",
                     before, found->what, advice[found->kind], known);
}

syn_status syn_refuse_unknown(const syn_source *source, syn_error *error) {
  char known[128];
  list_formats(known, sizeof known);
  return syn_fail_at(error, SYN_BAD_FORMAT, source->name, 0, -1,
                     "neither the content nor the name is of a mesh format that Synovia reads: %s", known);
}

#ifdef SYN_CORE
static syn_status refuse_packed(const syn_source *source, syn_error *error) {
  return (void)source, (void)error, SYN_OK;
}
static syn_status refuse_json(const syn_source *source, syn_error *error) { return (void)source, (void)error, SYN_OK; }
#else
/* Rejects a gzip file with a description of its content, by its first bytes. */
static syn_status refuse_packed(const syn_source *source, syn_error *error) {
  char head[512];
  if (source->size < 18 || memcmp(source->bytes, "\x1f\x8b", 2) != 0) return SYN_OK;
  z_stream z = syn_zlib_stream(source->context);
  if (inflateInit2(&z, 15 + 16) != Z_OK) return SYN_OK;
  z.next_in = (unsigned char *)(uintptr_t)source->bytes; /* zlib does not write there */
  z.avail_in = source->size < 65536 ? (unsigned)source->size : 65536;
  z.next_out = (unsigned char *)head;
  z.avail_out = sizeof head;
  inflate(&z, Z_SYNC_FLUSH);
  const size_t size = sizeof head - z.avail_out;
  inflateEnd(&z);
  const signature *inner = recognise_bytes(head, size);
  return inner ? fail_as(source->name, "a packed file (gzip), in it ", inner, error) : SYN_OK;
}

static syn_status refuse_json(const syn_source *source, syn_error *error) {
  json_error_t at;
  size_t first = 0;
  while (first < source->size && first < 64 && source->bytes[first] && strchr(" \t\r\n", source->bytes[first])) ++first;
  if (first >= source->size || source->bytes[first] != '{') return SYN_OK;
  json_t *value = json_loadb(source->bytes, source->size, JSON_REJECT_DUPLICATES, &at);
  if (!value) return SYN_OK;
  const char *kind = syn_json_kind_text(syn_json_kind_of(value));
  json_decref(value);
  return syn_fail_at(error, SYN_BAD_FORMAT, source->name, 0, -1, "this is no mesh but %s",
                     kind[0] ? kind : "a JSON file that Synovia does not know");
}
#endif

syn_status syn_refuse_foreign(const syn_source *source, syn_error *error) {
  SYN_TRY(refuse_packed(source, error));
  const signature *found = recognise_bytes(source->bytes, source->size);
  if (found) return fail_as(source->name, "", found, error);
  return refuse_json(source, error);
}

/* ---- folders -------------------------------------------------------------------------------------------------------
 */

static bool is_dicom_file(const char *folder, const char *name) {
  char path[1024], head[132];
  if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) return false;
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  const size_t size = fread(head, 1, sizeof head, file);
  fclose(file);
  return (size == sizeof head && !memcmp(head + 128, "DICM", 4)) || is_bare_dicom(head, size);
}

/* NIfTI and NRRD by their names: a folder may have hundreds. */
static bool is_image_name(const char *name) {
  static const char *const endings[] = {".nii", ".nii.gz", ".nrrd", ".mha"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i)
    if (syn_path_ends(name, endings[i])) return true;
  return false;
}

syn_status syn_refuse_image_folder(syn_status status, const char *path, syn_error *error) {
  static const signature dicom = {.what = "a folder of DICOM files", .kind = DICOM},
                         images = {.what = "a folder of images", .kind = IMAGE};
  enum { LOOKED_AT = 32 };
  DIR *folder = opendir(path);
  const signature *found = NULL;
  if (!folder) return status;
  const struct dirent *entry;
  for (int i = 0; i < LOOKED_AT && !found && (entry = readdir(folder)) != NULL; ++i) {
    if (entry->d_name[0] == '.') continue;
    found = is_dicom_file(path, entry->d_name) ? &dicom : is_image_name(entry->d_name) ? &images : NULL;
  }
  closedir(folder);
  return found ? fail_as(path, "", found, error) : status;
}
