/* CGAL: signed distance of every vertex by the closest point of an AABB tree and a test of the side. */
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>

#include "peers/peers.h"

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
using Primitive = CGAL::AABB_face_graph_triangle_primitive<Mesh>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;
using Side = CGAL::Side_of_triangle_mesh<Mesh, Kernel>;

struct State {
  Mesh mesh;
  Tree tree;
  std::unique_ptr<Side> side;
  std::vector<syn_vec3> mobile;
  std::vector<double> depth;
  bool hint; /* start from the last vertex's closest point: neighbours in the list are often neighbours in space */
};

void *open_pair(const bench_contender *self, const bench_scene *scene, syn_error *) {
  auto state = std::make_unique<State>();
  const syn_trimesh &fixed = *scene->fixed.surface, &mobile = *scene->mobile.surface;
  for (std::size_t i = 0; i < fixed.vertex_count; ++i)
    state->mesh.add_vertex(Kernel::Point_3(fixed.vertices[i].x, fixed.vertices[i].y, fixed.vertices[i].z));
  for (std::size_t i = 0; i < fixed.triangle_count; ++i) {
    const std::uint32_t *v = fixed.triangles[i].v;
    state->mesh.add_face(Mesh::Vertex_index(v[0]), Mesh::Vertex_index(v[1]), Mesh::Vertex_index(v[2]));
  }
  state->tree.insert(faces(state->mesh).first, faces(state->mesh).second, state->mesh);
  state->tree.build();
  state->tree.accelerate_distance_queries();
  state->side = std::make_unique<Side>(state->tree);
  state->mobile.assign(mobile.vertices, mobile.vertices + mobile.vertex_count);
  state->depth.resize(mobile.vertex_count);
  state->hint = self->variant != 0;
  return state.release();
}

void close_pair(void *state) { delete static_cast<State *>(state); }

double signed_depth(const State &s, const Kernel::Point_3 &point, Tree::Point_and_primitive_id &last) {
  last = s.hint ? s.tree.closest_point_and_primitive(point, last) : s.tree.closest_point_and_primitive(point);
  const double distance = std::sqrt(CGAL::squared_distance(point, last.first));
  return (*s.side)(point) == CGAL::ON_UNBOUNDED_SIDE ? -distance : distance;
}

void ask_pair(void *state, const syn_pose *pose, bench_answer *answer) {
  State &s = *static_cast<State *>(state);
  double deepest = -std::numeric_limits<double>::infinity();
  Tree::Point_and_primitive_id last = s.tree.any_reference_point_and_id();
  for (std::size_t i = 0; i < s.mobile.size(); ++i) {
    const syn_vec3 p = syn_pose_point(pose, s.mobile[i]);
    s.depth[i] = signed_depth(s, Kernel::Point_3(p.x, p.y, p.z), last);
    if (s.depth[i] > deepest) deepest = s.depth[i];
    answer->count += s.depth[i] > 0;
  }
  answer->depth_mm = deepest;
}

} // namespace

const bench_contender bench_cgal[] = {
    {"cgal", "AABB tree", "signed-distance-field", 0, open_pair, ask_pair, close_pair},
    {"cgal", "AABB tree with hints", "signed-distance-field", 1, open_pair, ask_pair, close_pair},
};
const std::size_t bench_cgal_count = sizeof bench_cgal / sizeof *bench_cgal;
