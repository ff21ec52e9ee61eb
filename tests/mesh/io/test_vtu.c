/* The XML formats of VTK: every encoding is made here by a small encoder of the test's own. */
#include "io_meshes.h"

#include <zlib.h>

#include "base/base64.h"
#include "mesh/io/numbers.h"

/* ---- an encoder for tests --------------------------------------------------------------------------------------- */

typedef struct encoding {
  const char *format; /* "ascii", "binary", "appended" */
  bool raw;           /* appended data are raw, not base64 */
  bool big, wide, compressed;
  size_t block; /* bytes of a compressed block */
} encoding;

typedef struct maker {
  encoding e;
  char *xml, *appended;
  size_t xml_size, appended_size;
  FILE *to_xml, *to_appended;
} maker;

static const char *const type_names[] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                         "UInt32", "Int64", "UInt64", "Float32", "Float64"};

static void put_bytes(FILE *to, const void *bytes, size_t size, bool raw) {
  char text[8192];
  assert_true(syn_base64_length(size) < sizeof text);
  syn_base64_encode(bytes, size, text);
  if (raw)
    fwrite(bytes, 1, size, to);
  else
    fwrite(text, 1, syn_base64_length(size), to);
}

static size_t put_word(const maker *m, unsigned char *at, size_t value) {
  syn_numbers_encode(m->e.wide ? SYN_UINT64 : SYN_UINT32, m->e.big, &(double){(double)value}, 1, at);
  return m->e.wide ? 8 : 4;
}

static void put_data(const maker *m, FILE *to, const unsigned char *bytes, size_t size, bool raw) {
  unsigned char head[1024], packed[4096];
  if (!m->e.compressed) { /* header and data are one base64 text */
    size_t used = put_word(m, packed, size);
    memcpy(packed + used, bytes, size);
    put_bytes(to, packed, used + size, raw);
    return;
  }
  const size_t blocks = (size + m->e.block - 1) / m->e.block;
  size_t used = put_word(m, head, blocks), packed_size = 0;
  used += put_word(m, head + used, m->e.block);
  used += put_word(m, head + used, size % m->e.block);
  for (size_t at = 0; at < size; at += m->e.block) {
    uLongf length = sizeof packed - packed_size;
    const size_t part = size - at < m->e.block ? size - at : m->e.block;
    assert_int_equal(compress(packed + packed_size, &length, bytes + at, part), Z_OK);
    used += put_word(m, head + used, length);
    packed_size += length;
  }
  put_bytes(to, head, used, raw); /* header and blocks are two base64 texts */
  put_bytes(to, packed, packed_size, raw);
}

static void put_array(maker *m, const char *name, syn_number_type type, int components, const double *values,
                      size_t count) {
  unsigned char bytes[4096];
  fprintf(m->to_xml, "<DataArray type='%s' Name='%s' NumberOfComponents='%d' format='%s'", type_names[type], name,
          components, m->e.format);
  syn_numbers_encode(type, m->e.big, values, count, bytes);
  const size_t size = count * syn_number_size(type);
  if (strcmp(m->e.format, "appended") == 0) {
    fflush(m->to_appended);
    fprintf(m->to_xml, " offset='%zu'/>\n", m->appended_size);
    put_data(m, m->to_appended, bytes, size, m->e.raw);
    return;
  }
  fputs(">\n", m->to_xml);
  if (strcmp(m->e.format, "ascii") == 0)
    for (size_t i = 0; i < count; ++i) fprintf(m->to_xml, "%.17g\n", values[i]);
  else
    put_data(m, m->to_xml, bytes, size, false);
  fputs("<InformationKey name='x'><Value index='0'>1</Value></InformationKey></DataArray>\n", m->to_xml);
}

static void begin(maker *m, encoding e, const char *type) {
  *m = (maker){.e = e};
  m->to_xml = open_memstream(&m->xml, &m->xml_size);
  m->to_appended = open_memstream(&m->appended, &m->appended_size);
  fprintf(m->to_xml,
          "<?xml version='1.0'?>\n<VTKFile type='%s' version='1.0' byte_order='%s' header_type='%s'%s><%s>\n", type,
          e.big ? "BigEndian" : "LittleEndian", e.wide ? "UInt64" : "UInt32",
          e.compressed ? " compressor='vtkZLibDataCompressor'" : "", type);
}

/* The finished file in *bytes, to be freed. */
static void finish(maker *m, const char *type, char **bytes, size_t *size) {
  fprintf(m->to_xml, "</%s>", type);
  fclose(m->to_appended);
  if (strcmp(m->e.format, "appended") == 0) {
    fprintf(m->to_xml, "<AppendedData encoding='%s'>\n _", m->e.raw ? "raw" : "base64");
    fwrite(m->appended, 1, m->appended_size, m->to_xml);
    fputs("</AppendedData>", m->to_xml);
  }
  fputs("</VTKFile>\n", m->to_xml);
  fclose(m->to_xml);
  free(m->appended);
  *bytes = m->xml;
  *size = m->xml_size;
}

/* Two pieces: a tetrahedron and a quadrilateral, then a triangle and a line. */
static void make_grid(encoding e, syn_number_type real, syn_number_type whole, char **bytes, size_t *size) {
  maker m;
  const double first[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1}, second[] = {5, 0, 0, 6, 0, 0, 5, 1, 0};
  begin(&m, e, "UnstructuredGrid");
  fputs("<FieldData><Array type='String' Name='SPACE' NumberOfTuples='1' format='ascii'>82 65 83 0</Array></FieldData>"
        "<Piece NumberOfPoints='5' NumberOfCells='2'><Points>",
        m.to_xml);
  put_array(&m, "Points", real, 3, first, 15);
  fputs("</Points><Cells>", m.to_xml);
  put_array(&m, "connectivity", whole, 1, (double[]){0, 1, 2, 4, 0, 1, 2, 3}, 8);
  put_array(&m, "offsets", whole, 1, (double[]){4, 8}, 2);
  put_array(&m, "types", SYN_UINT8, 1, (double[]){10, 9}, 2);
  fputs("</Cells><PointData>", m.to_xml);
  put_array(&m, "p", real, 1, (double[]){1, 2, 3, 4, 5}, 5);
  fputs("</PointData><CellData>", m.to_xml);
  put_array(&m, "c", whole, 2, (double[]){10, 11, 20, 21}, 4);
  fputs("</CellData></Piece><Piece NumberOfPoints='3' NumberOfCells='2'><CellData>", m.to_xml);
  put_array(&m, "c", whole, 2, (double[]){30, 31, 40, 41}, 4);
  fputs("</CellData><PointData>", m.to_xml);
  put_array(&m, "p", real, 1, (double[]){6, 7, 8}, 3);
  fputs("</PointData><Points>", m.to_xml);
  put_array(&m, "Points", real, 3, second, 9);
  fputs("</Points><Cells>", m.to_xml);
  put_array(&m, "connectivity", whole, 1, (double[]){0, 1, 2, 1, 2}, 5);
  put_array(&m, "offsets", whole, 1, (double[]){3, 5}, 2);
  put_array(&m, "types", SYN_UINT8, 1, (double[]){5, 3}, 2);
  fputs("</Cells></Piece>", m.to_xml);
  finish(&m, "UnstructuredGrid", bytes, size);
}

static void check_grid(const syn_geometry *g) {
  assert_int_equal(g->point_count, 8);
  assert_int_equal(g->triangle_count, 3);
  assert_int_equal(g->tet_count, 1);
  assert_int_equal(g->field_count, 3);
  assert_true(g->points[5].x == -5 && g->points[4].z == 1); /* RAS turned to LPS */
  assert_memory_equal(g->triangles[2].v, ((uint32_t[]){5, 6, 7}), 12);
  const double *p = find_field(g, "p", SYN_ON_POINTS)->values, *c = find_field(g, "c", SYN_ON_TRIANGLES)->values;
  for (int i = 0; i < 8; ++i) assert_true(p[i] == i + 1);
  const double expected[] = {20, 21, 20, 21, 30, 31};
  for (int i = 0; i < 6; ++i) assert_true(c[i] == expected[i]);
  assert_true(find_field(g, "c", SYN_ON_TETS)->values[1] == 11);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static void every_encoding_gives_the_same_mesh(void **state) {
  (void)state;
  const syn_number_type reals[] = {SYN_FLOAT32, SYN_FLOAT64, SYN_INT8};
  const char *formats[] = {"ascii", "binary", "appended"};
  for (int i = 0; i < 3 * 2 * 2 * 2 * 2 * 3 * 8; ++i) {
    int left = i;
    encoding e = {.format = formats[left % 3], .block = 8 + (size_t)i % 64};
    e.raw = (left /= 3) & 1, e.big = (left /= 2) & 1, e.wide = (left /= 2) & 1, e.compressed = (left /= 2) & 1;
    const syn_number_type real = reals[(left /= 2) % 3], whole = (syn_number_type)((left / 3) % 8);
    char *bytes;
    size_t size;
    make_grid(e, real, whole, &bytes, &size);
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_geometry g;
    syn_error error = {0};
    ASSERT_OK(syn_geometry_parse(&context, bytes, size, "f.vtu", NULL, &g, &error));
    check_grid(&g);
    assert_int_equal(memory.warnings, 1);
    assert_non_null(strstr(memory.last_warning, "1 lines"));
    syn_geometry_free(&context, &g);
    assert_int_equal(memory.live, 0);
    free(bytes);
  }
}

static const encoding nasty[] = {{"ascii", false, false, false, false, 0},  {"binary", false, false, false, false, 0},
                                 {"binary", false, true, true, true, 16},   {"appended", true, false, true, false, 0},
                                 {"appended", true, true, false, true, 24}, {"appended", false, false, true, true, 8}};

static void files_are_refused_wherever_they_are_cut(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof nasty / sizeof *nasty; ++i) {
    char *bytes;
    size_t size;
    make_grid(nasty[i], SYN_FLOAT32, SYN_INT32, &bytes, &size);
    const size_t accepted = check_every_prefix("f.vtu", bytes, size, 0);
    /* Inline data need the last tag; appended ones only all of their bytes and what comes after them is not looked at.
     */
    assert_in_range(accepted, 0, strlen("</AppendedData></VTKFile>\n"));
    check_random_damage("f.vtu", bytes, size, 500);
    free(bytes);
  }
}

static syn_status read_refusing(const syn_context *context, void *user, syn_error *error) {
  const syn_field *file = user; /* name: the bytes, components: how many */
  syn_geometry g;
  syn_status status = syn_geometry_parse(context, file->name, file->components, "f.vtu", NULL, &g, error);
  if (status == SYN_OK) syn_geometry_free(context, &g);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof nasty / sizeof *nasty; ++i) {
    char *bytes;
    size_t size;
    make_grid(nasty[i], SYN_FLOAT32, SYN_INT32, &bytes, &size);
    syn_field file = {.name = bytes, .components = (uint32_t)size};
    check_every_allocation(read_refusing, &file);
    free(bytes);
  }
}

/* VTK numbers cells vertices, lines, polygons, strips, though strips stand before polygons in the file. */
static void polydata_is_read_in_the_order_of_vtk(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  maker m;
  char *bytes;
  size_t size;
  begin(&m, nasty[1], "PolyData");
  fputs("<Piece NumberOfPoints='6' NumberOfVerts='1' NumberOfLines='1' NumberOfStrips='1' NumberOfPolys='2'><CellData>",
        m.to_xml);
  put_array(&m, "q", SYN_FLOAT64, 1, (double[]){1, 2, 3, 4, 5}, 5);
  fputs("<Array type='String' Name='names' format='ascii'>65 0</Array></CellData><Points>", m.to_xml);
  put_array(&m, "Points", SYN_FLOAT32, 3, (double[]){0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0}, 18);
  fputs("</Points><Verts>", m.to_xml);
  put_array(&m, "connectivity", SYN_INT64, 1, (double[]){0}, 1);
  put_array(&m, "offsets", SYN_INT64, 1, (double[]){1}, 1);
  fputs("</Verts><Lines>", m.to_xml);
  put_array(&m, "connectivity", SYN_INT64, 1, (double[]){0, 1}, 2);
  put_array(&m, "offsets", SYN_INT64, 1, (double[]){2}, 1);
  fputs("</Lines><Strips>", m.to_xml);
  put_array(&m, "connectivity", SYN_INT64, 1, (double[]){1, 4, 2, 5}, 4);
  put_array(&m, "offsets", SYN_INT64, 1, (double[]){4}, 1);
  fputs("</Strips><Polys>", m.to_xml);
  put_array(&m, "connectivity", SYN_INT64, 1, (double[]){0, 1, 2, 0, 1, 2, 3}, 7);
  put_array(&m, "offsets", SYN_INT64, 1, (double[]){3, 7}, 2);
  fputs("</Polys></Piece>", m.to_xml);
  finish(&m, "PolyData", &bytes, &size);
  syn_geometry g;
  syn_error error = {0};
  ASSERT_OK(syn_geometry_parse(&context, bytes, size, "unknown", NULL, &g, &error));
  assert_int_equal(g.triangle_count, 1 + 2 + 2);
  const double q[] = {3, 4, 4, 5, 5};
  for (int i = 0; i < 5; ++i) assert_true(g.fields[0].values[i] == q[i]);
  assert_non_null(strstr(memory.all_warnings, "'names' was left out"));
  assert_non_null(strstr(memory.all_warnings, "1 points, 1 lines"));
  syn_geometry_free(&context, &g);
  free(bytes);
}

#define ROOT "<VTKFile type='UnstructuredGrid'>\n"
#define PIECE ROOT "<UnstructuredGrid>\n<Piece NumberOfPoints='1' NumberOfCells='1'>\n"
#define POINTS PIECE "<Points><DataArray type='Float32' format='ascii'>0 0 0</DataArray></Points>\n"
#define CELLS                                                                                                          \
  POINTS "<Cells><DataArray type='Int32' Name='connectivity'>0 0 0</DataArray>\n<DataArray type='Int32' "              \
         "Name='offsets'>3</DataArray><DataArray type='Int32' Name='types'>5</DataArray></Cells>\n"
#define END "</Piece></UnstructuredGrid></VTKFile>"

static void mistakes_are_named_with_their_line(void **state) {
  (void)state;
  const struct {
    const char *text, *part;
    int64_t line;
  } bad[] = {
      {"<VTKFile type='Collection'/>", "type 'Collection' holds no mesh", 1},
      {"<VTKFile/>", "type '' holds no mesh", 1},
      {"<a><VTKFile type='PolyData'/></a>", "begins with <a>", 1},
      {"<VTKFile type='PolyData'/>", "no <PolyData>", 1},
      {"<VTKFile type='PolyData' compressor='vtkLZ4DataCompressor'/>", "compressed by vtkLZ4DataCompressor", 1},
      {"<VTKFile type='PolyData'><PolyData>\n<Piece/></PolyData></VTKFile>", "NumberOfPoints", 2},
      {"<VTKFile type='PolyData'><PolyData>\n<Piece NumberOfPoints='x'/></PolyData></VTKFile>", "not a count", 2},
      {PIECE END, "no <Points>", 3},
      {PIECE "<Points><DataArray type='Float32'>\n0 0\n0 0</DataArray></Points>" END, "holds 4 values where 3", 4},
      {PIECE "<Points><DataArray type='Float32'>\n0 0\na</DataArray></Points>" END, "found 'a'", 6},
      {PIECE "<Points><DataArray type='Float16'>0 0 0</DataArray></Points>" END, "unknown type 'Float16'", 4},
      {PIECE "<Points><DataArray>0 0 0</DataArray></Points>" END, "unknown type ''", 4},
      {PIECE "<Points><DataArray type='Int8' format='morse'>0</DataArray></Points>" END, "unknown format 'morse'", 4},
      {PIECE "<Points><DataArray type='Int8' format='appended'/></Points>" END, "no <AppendedData>", 4},
      {PIECE "<Points><DataArray type='Int8' format='binary'>AwAAAA==</DataArray></Points>" END, "end too early", 4},
      {PIECE "<Points><DataArray type='Int8' format='binary'>AgAAAAAA</DataArray></Points>" END, "2 bytes where 3", 4},
      {PIECE "<Points><DataArray type='Int8' format='binary'>Aw</DataArray></Points>" END, "holds 0 bytes where 3", 4},
      {PIECE "<Points><DataArray type='Int8' format='binary'>AwA!AAAAAAA=</DataArray></Points>" END, "end too early",
       4},
      {PIECE "<Points><DataArray type='Int8' format='binary'>AwAA<b/>AAAAAA=</DataArray></Points>" END, "split", 4},
      {POINTS END, "no <Cells>", 3},
      {POINTS "<Cells/>" END, "named \"offsets\"", 5},
      {POINTS "<Cells><DataArray type='Int32' Name='connectivity'>0 0 0</DataArray><DataArray type='Int32' "
              "Name='offsets'>4</DataArray><DataArray type='Int32' Name='types'>5</DataArray></Cells>" END,
       "impossible end 4", 5},
      {POINTS "<Cells><DataArray type='Int32' Name='connectivity'>0 0 1</DataArray><DataArray type='Int32' "
              "Name='offsets'>3</DataArray><DataArray type='Int32' Name='types'>5</DataArray></Cells>" END,
       "uses point 1", 5},
      {CELLS "<PointData>\n<DataArray type='Int8' Name='a' NumberOfComponents='2'>1</DataArray></PointData>" END,
       "holds 1 values where 2", 8},
      {CELLS "<CellData>\n<DataArray type='Int8' Name='a' NumberOfComponents='x'>1</DataArray></CellData>" END,
       "not a count", 8},
      {ROOT "<UnstructuredGrid/>\n<AppendedData encoding='raw'>abc", "underscore", 0},
      {PIECE "<Points><DataArray type='Int8' format='appended' offset='99'/></Points></Piece></UnstructuredGrid>"
             "<AppendedData encoding='raw'>_abc</AppendedData></VTKFile>",
       "beyond the end", 4},
      {PIECE "<Points><DataArray type='Int8' format='appended'/></Points></Piece></UnstructuredGrid>"
             "<AppendedData encoding='raw'>_abc</AppendedData></VTKFile>",
       "beyond the end", 4},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    check_text_fails("f.vtu", bad[i].text, bad[i].line, bad[i].part);
}

static void hostile_counts_take_no_memory(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error = {0};
  ASSERT_FAILS(parse_text(&context, "f.vtu",
                          ROOT "<UnstructuredGrid><Piece NumberOfPoints='4294967296'/></UnstructuredGrid></VTKFile>",
                          &g, &error),
               SYN_TOO_LARGE, "more than 2^32");
  const char *texts[] = {
      ROOT "<UnstructuredGrid><Piece NumberOfPoints='4000000000'><Points><DataArray type='Float64'>0 0 "
           "0</DataArray></Points>"
           "</Piece></UnstructuredGrid></VTKFile>",
      "<VTKFile type='PolyData' header_type='UInt64'><PolyData><Piece NumberOfPoints='4000000000'><Points><DataArray "
      "type='Int8' format='binary'>AAAAAP////8=</DataArray></Points></Piece></PolyData></VTKFile>",
      /* 2^31 blocks of 2^31 bytes */
      "<VTKFile type='PolyData' compressor='vtkZLibDataCompressor'><PolyData><Piece "
      "NumberOfPoints='4000000000'><Points>"
      "<DataArray type='Int8' "
      "format='binary'>AAAAgAAAAIAAAAAAAAAAAAAA</DataArray></Points></Piece></PolyData></VTKFile>"};
  for (int i = 0; i < 3; ++i) ASSERT_FAILS(parse_text(&context, "f.vtu", texts[i], &g, &error), SYN_BAD_FORMAT, NULL);
  assert_int_equal(memory.live, 0);
  assert_in_range(memory.peak_bytes, 1, 1 << 18);
}

/* A small file that would inflate beyond the limit for files is refused before it does. */
static void inflation_is_limited(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  context.max_file_bytes = 1000000;
  const size_t points = 400000, size = 3 * points;
  unsigned char *zeros = calloc(size, 1), packed[4096], head[16];
  uLongf length = sizeof packed;
  assert_int_equal(compress(packed, &length, zeros, size), Z_OK);
  const double words[] = {1, (double)size, 0, (double)length};
  syn_numbers_encode(SYN_UINT32, false, words, 4, head);
  char text[8192], head64[64] = "", data64[6000] = "";
  syn_base64_encode(head, 16, head64);
  syn_base64_encode(packed, length, data64);
  snprintf(text, sizeof text,
           "<VTKFile type='PolyData' compressor='vtkZLibDataCompressor'><PolyData><Piece NumberOfPoints='%zu'><Points>"
           "<DataArray type='Int8' format='binary'>%s%s</DataArray></Points></Piece></PolyData></VTKFile>",
           points, head64, data64);
  syn_geometry g;
  syn_error error = {0};
  ASSERT_FAILS(parse_text(&context, "f.vtp", text, &g, &error), SYN_TOO_LARGE, "limit of 1000000 bytes");
  context.max_file_bytes = 1 << 24;
  ASSERT_OK(parse_text(&context, "f.vtp", text, &g, &error));
  assert_int_equal(g.point_count, points);
  syn_geometry_free(&context, &g);
  free(zeros);
}

static void fields_missing_in_a_piece_are_left_out_with_a_warning(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error = {0};
  ASSERT_OK(parse_text(&context, "f.vtu",
                       CELLS
                       "<PointData><DataArray type='Int8' Name='a'>1</DataArray><DataArray type='Int8' "
                       "NumberOfComponents='0'>2</DataArray><DataArray type='Bit' Name='bits'>1</DataArray><DataArray "
                       "type='Int8' Name='wide' NumberOfComponents='1000'>1</DataArray></PointData></Piece>\n<Piece "
                       "NumberOfPoints='1'><Points><DataArray type='Int8'>1 1 1</DataArray></Points><PointData>"
                       "<DataArray type='Int8'>3</DataArray></PointData>" END,
                       &g, &error));
  assert_int_equal(g.field_count, 1);
  assert_string_equal(g.fields[0].name, "unnamed");
  assert_true(g.fields[0].values[0] == 2 && g.fields[0].values[1] == 3);
  assert_int_equal(memory.warnings, 3);
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static void everything_survives_writing_and_reading(void **state) {
  (void)state;
  test_random random = {8};
  for (int round = 0; round < 32; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    const bool grid = round & 1;
    syn_geometry g = make_everything(&random, 1 + random_below(&random, 500), 1 + random_below(&random, 500),
                                     grid ? 1 + random_below(&random, 500) : 0),
                 back;
    if (!grid) g.field_count = 2;
    g.space = round & 16 ? SYN_SPACE_UNKNOWN : SYN_SPACE_LPS;
    syn_write_options options = syn_default_write_options();
    options.binary = round & 2;
    options.compress = round & 4;
    write_and_read(&context, &g, grid ? "all.vtu" : "all.vtp", &options, &back);
    check_same_geometry(&g, &back, true);
    assert_int_equal(back.space, g.space);
    syn_geometry_free(&context, &back);
    options.single = true;
    write_and_read(&context, &g, grid ? "all.vtu" : "all.vtp", &options, &back);
    for (size_t i = 0; i < g.point_count; ++i) assert_true(back.points[i].y == (double)(float)g.points[i].y);
    syn_geometry_free(&context, &back);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.warnings, 0);
  }
}

/* Fields of the triangles and of the tetrahedra with different names: each is written, with NAN on the cells it has no
 * values for. */
static void fields_of_triangles_and_of_tetrahedra_are_both_written(void **state) {
  (void)state;
  test_random random = {9};
  syn_context context = syn_default_context();
  for (int round = 0; round < 4; ++round) {
    syn_geometry g = make_everything(&random, 20, 30, 40), back;
    double *on_triangles = malloc(g.triangle_count * sizeof(double)), *on_tets = malloc(g.tet_count * sizeof(double));
    for (size_t i = 0; i < g.triangle_count; ++i) on_triangles[i] = random_between(&random, 0, 1);
    for (size_t i = 0; i < g.tet_count; ++i) on_tets[i] = random_between(&random, 2, 3);
    syn_field fields[] = {{"thickness", SYN_ON_TRIANGLES, 1, on_triangles}, {"stress", SYN_ON_TETS, 1, on_tets}};
    g.fields = fields;
    g.field_count = 2;
    syn_write_options options = syn_default_write_options();
    options.binary = round & 1;
    options.compress = round & 2;
    write_and_read(&context, &g, "both.vtu", &options, &back);
    size_t found = 0;
    for (size_t f = 0; f < back.field_count; ++f) {
      const bool of_tets = strcmp(back.fields[f].name, "stress") == 0;
      const syn_field_on on = of_tets ? SYN_ON_TETS : SYN_ON_TRIANGLES;
      if (back.fields[f].on != on) continue;
      const size_t count = of_tets ? g.tet_count : g.triangle_count;
      for (size_t i = 0; i < count; ++i) assert_true(back.fields[f].values[i] == (of_tets ? on_tets : on_triangles)[i]);
      ++found;
    }
    assert_int_equal(found, 2);
    syn_geometry_free(&context, &back);
    free(on_triangles);
    free(on_tets);
  }
}

static void nothing_at_all_can_be_written_and_read(void **state) {
  (void)state;
  syn_geometry nothing = {0}, back;
  for (int i = 0; i < 3; ++i) {
    syn_write_options options = syn_default_write_options();
    options.binary = i > 0;
    options.compress = i > 1;
    write_and_read(NULL, &nothing, "empty.vtp", &options, &back);
    check_same_geometry(&nothing, &back, true);
    syn_geometry_free(NULL, &back);
    write_and_read(NULL, &nothing, "empty.vtu", &options, &back);
    check_same_geometry(&nothing, &back, true);
    syn_geometry_free(NULL, &back);
  }
}

static void what_polydata_cannot_hold_is_told(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  test_random random = {4};
  syn_geometry g = make_everything(&random, 10, 5, 7), back;
  write_and_read(&context, &g, "some.vtp", NULL, &back);
  assert_int_equal(back.triangle_count, 5);
  assert_int_equal(back.tet_count, 0);
  assert_int_equal(back.field_count, 4);
  assert_non_null(strstr(memory.all_warnings, "7 were left out"));
  assert_non_null(strstr(memory.all_warnings, "1 fields on them"));
  syn_geometry_free(&context, &back);
}

static syn_status write_refusing(const syn_context *context, void *user, syn_error *error) {
  return syn_geometry_write(context, user, temporary_path("refused.vtu"), NULL, error);
}

static void every_refused_allocation_of_writing_is_survived(void **state) {
  (void)state;
  test_random random = {4};
  syn_geometry g = make_everything(&random, 100, 50, 70);
  check_every_allocation(write_refusing, &g);
}

static void the_animals_are_read(void **state) {
  (void)state;
  const struct {
    const char *name;
    size_t points, tets;
  } animals[] = {{"deformable/raptorTetra_8418.vtu", 2996, 8418}, {"deformable/Armadillo_Tetra_4406.vtu", 1446, 4406}};
  for (int i = 0; i < 2; ++i) {
    REQUIRE_DATA(path, animals[i].name);
    syn_geometry g, back;
    syn_error error = {0};
    ASSERT_OK(syn_geometry_read(NULL, path, NULL, &g, &error));
    assert_int_equal(g.point_count, animals[i].points);
    assert_int_equal(g.tet_count, animals[i].tets);
    assert_int_equal(g.triangle_count, 0);
    write_and_read(NULL, &g, "animal.vtu", NULL, &back);
    check_same_geometry(&g, &back, true);
    syn_geometry_free(NULL, &g);
    syn_geometry_free(NULL, &back);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_encoding_gives_the_same_mesh),
      cmocka_unit_test(files_are_refused_wherever_they_are_cut),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(polydata_is_read_in_the_order_of_vtk),
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(hostile_counts_take_no_memory),
      cmocka_unit_test(inflation_is_limited),
      cmocka_unit_test(fields_missing_in_a_piece_are_left_out_with_a_warning),
      cmocka_unit_test(everything_survives_writing_and_reading),
      cmocka_unit_test(fields_of_triangles_and_of_tetrahedra_are_both_written),
      cmocka_unit_test(nothing_at_all_can_be_written_and_read),
      cmocka_unit_test(what_polydata_cannot_hold_is_told),
      cmocka_unit_test(every_refused_allocation_of_writing_is_survived),
      cmocka_unit_test(the_animals_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
