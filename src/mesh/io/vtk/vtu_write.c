/* The XML formats of VTK: PolyData (.vtp) for triangles, UnstructuredGrid (.vtu) for triangles and tetrahedra. Binary
 * data are appended raw, with 64-bit headers, compressed by zlib in blocks when asked; else everything is text. */
#include <string.h>

#include "base/parallel.h"
#include "base/status.h"
#include "base/zlib_memory.h"
#include "mesh/io/format.h"
#include "mesh/io/vtk/vtk_columns.h"
#include "mesh/io/vtk/vtu_read.h"
#include "mesh/io/xml.h"

enum { BLOCK_BYTES = 1 << 16 };

typedef struct vtu_array {
  syn_vtk_column column;
  size_t offset; /* start of its appended data */
} vtu_array;

/* Appended data are made before anything is written, because the XML in front says where each array begins. */
typedef struct vtu_writer {
  const syn_context *context;
  const syn_geometry *geometry;
  const syn_write_options *options;
  FILE *stream;
  syn_error *error;
  bool grid;         /* UnstructuredGrid rather than PolyData */
  vtu_array *arrays; /* fields on points, fields on cells, points, connectivity, offsets, types */
  size_t point_fields, cell_fields, array_count;
  unsigned char *bytes; /* the appended data */
  size_t size, capacity;
} vtu_writer;

static void add_array(vtu_writer *w, syn_vtk_column column) { w->arrays[w->array_count++].column = column; }

static syn_status list_arrays(vtu_writer *w) {
  const syn_geometry *g = w->geometry;
  SYN_TRY(SYN_NEW_ZEROED(w->context, &w->arrays, g->field_count + 4, w->error));
  syn_vtk_column column;
  for (size_t cursor = 0; syn_vtk_next_field(g, false, w->grid, w->options->single, &cursor, &column);
       ++w->point_fields)
    add_array(w, column);
  for (size_t cursor = 0; syn_vtk_next_field(g, true, w->grid, w->options->single, &cursor, &column); ++w->cell_fields)
    add_array(w, column);
  add_array(w, syn_vtk_points(g, w->options->single));
  add_array(w, syn_vtk_connectivity(g, w->grid));
  add_array(w, syn_vtk_offsets(g, w->grid));
  if (w->grid) add_array(w, syn_vtk_types(g));
  return SYN_OK;
}

/* ---- appended data ---------------------------------------------------------------------------------------------- */

static void store_word(vtu_writer *w, size_t at, uint64_t value) {
  for (size_t i = 0; i < 8; ++i) w->bytes[at + i] = (unsigned char)(value >> 8 * i);
}

static syn_status reserve_output(vtu_writer *w, size_t bytes) {
  return SYN_RESERVE(w->context, &w->bytes, w->size, bytes, &w->capacity, w->error);
}

static syn_status append_plain(vtu_writer *w, const syn_vtk_column *column) {
  const size_t values = syn_vtk_column_values(column), bytes = values * syn_number_size(column->type);
  SYN_TRY(reserve_output(w, 8 + bytes));
  store_word(w, w->size, bytes);
  syn_vtk_column_encode(column, 0, values, false, w->bytes + w->size + 8);
  w->size += 8 + bytes;
  return SYN_OK;
}

/* Some blocks of an array, compressed in parallel and independently. */
enum { BLOCKS_AT_ONCE = 32 };
typedef struct block_batch {
  const syn_context *context;
  const syn_vtk_column *column;
  size_t first, per_block; /* values */
  size_t bound;            /* max bytes of one */
  unsigned char *packed;   /* `bound` bytes for each */
  size_t sizes[BLOCKS_AT_ONCE];
} block_batch;

static syn_status pack_block(void *user, size_t i, syn_error *error) {
  block_batch *batch = user;
  unsigned char *block; /* too large for a stack */
  const size_t values = syn_vtk_column_values(batch->column), begin = batch->first + i * batch->per_block;
  const size_t end = begin + batch->per_block < values ? begin + batch->per_block : values;
  z_stream z = syn_zlib_stream(batch->context);
  /* Coordinates hardly get smaller with more effort, indices a little. */
  SYN_TRY(SYN_NEW(batch->context, &block, BLOCK_BYTES, error));
  if (deflateInit(&z, Z_BEST_SPEED) != Z_OK) {
    syn_free(batch->context, block);
    return syn_fail_memory(error, sizeof z);
  }
  syn_vtk_column_encode(batch->column, begin, end, false, block);
  z.next_in = block;
  z.avail_in = (uInt)((end - begin) * syn_number_size(batch->column->type));
  z.next_out = batch->packed + i * batch->bound;
  z.avail_out = (uInt)batch->bound;
  deflate(&z, Z_FINISH); /* cannot fail: the bound is large enough */
  batch->sizes[i] = batch->bound - z.avail_out;
  deflateEnd(&z);
  syn_free(batch->context, block);
  return SYN_OK;
}

/* The sizes go to `header`. */
static syn_status append_batch(vtu_writer *w, block_batch *batch, size_t count, size_t header) {
  SYN_TRY(syn_parallel_tasks(w->context, count, pack_block, batch, w->error));
  for (size_t i = 0; i < count; ++i) {
    SYN_TRY(reserve_output(w, batch->sizes[i]));
    memcpy(w->bytes + w->size, batch->packed + i * batch->bound, batch->sizes[i]);
    w->size += batch->sizes[i];
    store_word(w, header + 8 * i, batch->sizes[i]);
  }
  return SYN_OK;
}

/* Number of blocks, bytes of a full one, bytes of the last (0: full), compressed bytes of each; then the blocks. */
static syn_status append_compressed(vtu_writer *w, const syn_vtk_column *column) {
  const size_t values = syn_vtk_column_values(column), size = syn_number_size(column->type);
  const size_t per_block = BLOCK_BYTES / size, blocks = (values + per_block - 1) / per_block, header = w->size + 24;
  block_batch batch = {
      .context = w->context, .column = column, .per_block = per_block, .bound = compressBound(BLOCK_BYTES)};
  SYN_TRY(reserve_output(w, 8 * (3 + blocks)));
  store_word(w, w->size, blocks);
  store_word(w, w->size + 8, BLOCK_BYTES);
  store_word(w, w->size + 16, values % per_block * size);
  w->size += 8 * (3 + blocks);
  SYN_TRY(SYN_NEW(w->context, &batch.packed, BLOCKS_AT_ONCE * batch.bound, w->error));
  syn_status status = SYN_OK;
  for (size_t block = 0; block < blocks && status == SYN_OK; block += BLOCKS_AT_ONCE) {
    const size_t left = blocks - block;
    batch.first = block * per_block;
    status = append_batch(w, &batch, left < BLOCKS_AT_ONCE ? left : BLOCKS_AT_ONCE, header + 8 * block);
  }
  syn_free(w->context, batch.packed);
  return status;
}

static syn_status append_arrays(vtu_writer *w) {
  syn_status status = SYN_OK;
  for (size_t i = 0; i < w->array_count && status == SYN_OK; ++i) {
    w->arrays[i].offset = w->size;
    status = w->options->compress ? append_compressed(w, &w->arrays[i].column) : append_plain(w, &w->arrays[i].column);
  }
  return status;
}

/* ---- XML -------------------------------------------------------------------------------------------------------- */

static void write_array(const vtu_writer *w, const vtu_array *array) {
  static const char *const types[] = {
      [SYN_UINT8] = "UInt8", [SYN_INT64] = "Int64", [SYN_FLOAT32] = "Float32", [SYN_FLOAT64] = "Float64"};
  const syn_vtk_column *column = &array->column;
  fprintf(w->stream, "        <DataArray type=\"%s\" Name=\"", types[column->type]);
  syn_xml_write_escaped(w->stream, column->name);
  fprintf(w->stream, "\" NumberOfComponents=\"%u\" ", column->components);
  if (w->options->binary) {
    fprintf(w->stream, "format=\"appended\" offset=\"%zu\"/>\n", array->offset);
    return;
  }
  fputs("format=\"ascii\">\n", w->stream);
  syn_vtk_column_print(column, w->stream);
  fputs("        </DataArray>\n", w->stream);
}

static void write_group(const vtu_writer *w, const char *name, size_t begin, size_t end) {
  fprintf(w->stream, "      <%s>\n", name);
  for (size_t i = begin; i < end; ++i) write_array(w, &w->arrays[i]);
  fprintf(w->stream, "      </%s>\n", name);
}

/* Each byte of a text is given by its code. */
static void write_text(const vtu_writer *w, const char *name, const char *text) {
  fprintf(w->stream, "      <Array type=\"String\" Name=\"%s\" NumberOfTuples=\"1\" format=\"ascii\">", name);
  for (; *text; ++text) fprintf(w->stream, "%d ", (unsigned char)*text);
  fputs("0</Array>\n", w->stream);
}

/* The patient axes as 3D Slicer notes them, and whose file it is. */
static void write_field_data(const vtu_writer *w) {
  const syn_space space = w->geometry->space;
  const char *title = syn_context_or_default(w->context)->title;
  if (space == SYN_SPACE_UNKNOWN && !title) return;
  fputs("    <FieldData>\n", w->stream);
  if (space != SYN_SPACE_UNKNOWN) write_text(w, "SPACE", syn_space_name(space));
  if (title) write_text(w, "TITLE", title);
  fputs("    </FieldData>\n", w->stream);
}

static void write_xml(const vtu_writer *w) {
  const syn_geometry *g = w->geometry;
  const char *type = w->grid ? "UnstructuredGrid" : "PolyData";
  const bool packed = w->options->binary && w->options->compress;
  fprintf(w->stream,
          "<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"%s>\n  <%s>\n",
          type, packed ? " compressor=\"vtkZLibDataCompressor\"" : "", type);
  write_field_data(w);
  if (w->grid)
    fprintf(w->stream, "    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", g->point_count,
            g->triangle_count + g->tet_count);
  else
    fprintf(w->stream,
            "    <Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%zu\">\n",
            g->point_count, g->triangle_count);
  const size_t points = w->point_fields + w->cell_fields;
  write_group(w, "PointData", 0, w->point_fields);
  write_group(w, "CellData", w->point_fields, points);
  write_group(w, "Points", points, points + 1);
  write_group(w, w->grid ? "Cells" : "Polys", points + 1, w->array_count);
  fprintf(w->stream, "    </Piece>\n  </%s>\n", type);
  if (w->options->binary) {
    fputs("  <AppendedData encoding=\"raw\">\n    _", w->stream);
    fwrite(w->bytes, 1, w->size, w->stream);
    fputs("\n  </AppendedData>\n", w->stream);
  }
  fputs("</VTKFile>\n", w->stream);
}

static syn_status write_file(vtu_writer *w) {
  SYN_TRY(list_arrays(w));
  if (w->options->binary) SYN_TRY(append_arrays(w));
  write_xml(w);
  return SYN_OK;
}

static syn_status write_with(vtu_writer w) {
  syn_status status = write_file(&w);
  syn_free(w.context, w.arrays);
  syn_free(w.context, w.bytes);
  return status;
}

static syn_status write_vtu(const syn_context *context, const syn_geometry *geometry, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  return write_with((vtu_writer){
      .context = context, .geometry = geometry, .options = options, .stream = stream, .error = error, .grid = true});
}

static syn_status write_vtp(const syn_context *context, const syn_geometry *geometry, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  size_t tet_fields = 0;
  for (size_t i = 0; i < geometry->field_count; ++i) tet_fields += geometry->fields[i].on == SYN_ON_TETS;
  if (tet_fields) syn_warn(context, "vtp files hold no tetrahedra: %zu fields on them were left out", tet_fields);
  return write_with(
      (vtu_writer){.context = context, .geometry = geometry, .options = options, .stream = stream, .error = error});
}

const syn_format syn_format_vtp = {.info = {"vtp", ".vtp", true, true, true, false, true, true},
                                   .sniff = syn_vtu_sniff,
                                   .read = syn_vtu_read,
                                   .write = write_vtp};
const syn_format syn_format_vtu = {.info = {"vtu", ".vtu", true, true, true, true, true, true},
                                   .sniff = syn_vtu_sniff,
                                   .read = syn_vtu_read,
                                   .write = write_vtu};
