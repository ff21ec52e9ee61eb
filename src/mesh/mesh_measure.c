/* Computes size, position and principal directions of a surface. Sums are taken pairwise over the triangles in order,
 * relative to the centre of the bounding box: accurate for a mesh far from the origin, and bit-identical every time. */
#include "base/vec.h"
#include "geometry/triangle_pair.h"

#include <synovia/mesh.h>

/* Computes unit normals of faces and vertices. Weighting a vertex's faces by their angles makes the result independent
 * of the triangulation of flat regions. */
/* Edges scaled to a largest coordinate of 1, so that neither tiny nor huge triangles leave the range of doubles. */
static syn_vec3 scaled(syn_vec3 a) {
  const double largest = max2(fabs(a.x), max2(fabs(a.y), fabs(a.z)));
  return largest > 0 ? vec3(a.x / largest, a.y / largest, a.z / largest) : a;
}

/* A cross product near its rounding error may belong to a triangle of exactly no area: only then it is worth asking. */
static syn_vec3 face_normal(const syn_vec3 p[3]) {
  const syn_vec3 u = scaled(vec3_sub(p[1], p[0])), v = scaled(vec3_sub(p[2], p[0])), n = vec3_cross(u, v);
  if (vec3_length2(n) < 1e-20 && syn_triangle_is_flat(p)) return vec3(0, 0, 0);
  return vec3_unit(n);
}

static void corners(const syn_trimesh *mesh, uint32_t t, syn_vec3 p[3]) {
  for (int c = 0; c < 3; ++c) p[c] = mesh->vertices[mesh->triangles[t].v[c]];
}

void syn_trimesh_face_normals(const syn_trimesh *mesh, syn_vec3 *normals) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    corners(mesh, t, p);
    normals[t] = face_normal(p);
  }
}

void syn_trimesh_vertex_normals(const syn_trimesh *mesh, syn_vec3 *normals) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) normals[i] = vec3(0, 0, 0);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    corners(mesh, t, p);
    const syn_vec3 normal = face_normal(p);
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 u = scaled(vec3_sub(p[(c + 1) % 3], p[c])), v = scaled(vec3_sub(p[(c + 2) % 3], p[c]));
      const double angle = atan2(vec3_length(vec3_cross(u, v)), vec3_dot(u, v));
      syn_vec3 *sum = &normals[mesh->triangles[t].v[c]];
      *sum = vec3_madd(*sum, angle, normal);
    }
  }
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) normals[i] = vec3_unit(normals[i]);
}

syn_box syn_trimesh_bounds(const syn_trimesh *mesh) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) box_add(&box, mesh->vertices[i]);
  return box;
}

/* ---- mass --------------------------------------------------------------------------------------------------------
 */

/* Integrals over the surface and over the solid of tetrahedra that its triangles span with the origin. */
typedef struct integrals {
  double area, volume;
  syn_vec3 area_first, first; /* of the position: over the surface, over the solid */
  double xx, yy, zz, xy, yz, zx;
} integrals;

/* Over the tetrahedron (0, a, b, c) of volume V the mean of x is (a + b + c) / 4, and the integral of x_i x_j is
 * V / 20 (a_i a_j + b_i b_j + c_i c_j + s_i s_j) with s = a + b + c. */
static void add_triangle(integrals *sum, syn_vec3 a, syn_vec3 b, syn_vec3 c) {
  const double area = 0.5 * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
  const double volume = vec3_dot(a, vec3_cross(b, c)) / 6, w = volume / 20;
  const syn_vec3 s = vec3_add(vec3_add(a, b), c);
  sum->area += area;
  sum->volume += volume;
  sum->area_first = vec3_madd(sum->area_first, area / 3, s);
  sum->first = vec3_madd(sum->first, volume / 4, s);
  sum->xx += w * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
  sum->yy += w * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
  sum->zz += w * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
  sum->xy += w * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
  sum->yz += w * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
  sum->zx += w * (a.z * a.x + b.z * b.x + c.z * c.x + s.z * s.x);
}

static integrals add_integrals(integrals a, const integrals *b) {
  a.area += b->area;
  a.volume += b->volume;
  a.area_first = vec3_add(a.area_first, b->area_first);
  a.first = vec3_add(a.first, b->first);
  a.xx += b->xx;
  a.yy += b->yy;
  a.zz += b->zz;
  a.xy += b->xy;
  a.yz += b->yz;
  a.zx += b->zx;
  return a;
}

enum { SUM_BLOCK = 128 };

static integrals integrate(const syn_trimesh *mesh, syn_vec3 origin, uint32_t begin, uint32_t end) {
  if (end - begin > SUM_BLOCK) {
    const uint32_t middle = begin + (end - begin) / 2;
    const integrals right = integrate(mesh, origin, middle, end);
    return add_integrals(integrate(mesh, origin, begin, middle), &right);
  }
  integrals sum = {0};
  for (uint32_t t = begin; t < end; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    add_triangle(&sum, vec3_sub(mesh->vertices[v[0]], origin), vec3_sub(mesh->vertices[v[1]], origin),
                 vec3_sub(mesh->vertices[v[2]], origin));
  }
  return sum;
}

/* Inertia about the point `at`, from the second moments about the origin (parallel axes). */
static syn_mat3 inertia_about(const integrals *sum, syn_vec3 at) {
  const syn_vec3 f = sum->first;
  const double v = sum->volume;
  const double xx = sum->xx - 2 * at.x * f.x + v * at.x * at.x, yy = sum->yy - 2 * at.y * f.y + v * at.y * at.y;
  const double zz = sum->zz - 2 * at.z * f.z + v * at.z * at.z,
               xy = sum->xy - at.x * f.y - at.y * f.x + v * at.x * at.y;
  const double yz = sum->yz - at.y * f.z - at.z * f.y + v * at.y * at.z;
  const double zx = sum->zx - at.z * f.x - at.x * f.z + v * at.z * at.x;
  return (syn_mat3){{{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}}};
}

syn_mass syn_trimesh_mass(const syn_trimesh *mesh) {
  if (mesh->triangle_count == 0) return (syn_mass){0};
  const syn_box box = syn_trimesh_bounds(mesh);
  const syn_vec3 origin = vec3_lerp(box.min, box.max, 0.5);
  const integrals sum = integrate(mesh, origin, 0, mesh->triangle_count);
  /* the volume of a flat sheet is not zero but what rounding leaves of it; its ratio to this size shows that */
  const double size = sum.area * vec3_distance(box.min, box.max);
  const bool solid = fabs(sum.volume) > 1e-13 * size;
  syn_vec3 centroid = {0, 0, 0};
  if (solid)
    centroid = vec3_scale(sum.first, 1 / sum.volume);
  else if (sum.area > 0)
    centroid = vec3_scale(sum.area_first, 1 / sum.area);
  return (syn_mass){.area_mm2 = sum.area,
                    .volume_mm3 = sum.volume,
                    .centroid = vec3_add(origin, centroid),
                    .inertia = inertia_about(&sum, centroid)};
}
