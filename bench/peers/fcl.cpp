/* FCL: collision and distance of triangle meshes by trees of oriented boxes and swept spheres. */
#include <cmath>
#include <limits>
#include <memory>

#include <fcl/fcl.h>

#include "peers/peers.h"

namespace {

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;
enum Question { BOOLEAN, ALL_PAIRS, CLEARANCE };

struct State {
  std::shared_ptr<Model> fixed, mobile;
  Question question;
};

std::shared_ptr<Model> model_of(const syn_trimesh &mesh) {
  auto model = std::make_shared<Model>();
  model->beginModel(static_cast<int>(mesh.triangle_count), static_cast<int>(mesh.vertex_count));
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  points.reserve(mesh.vertex_count);
  triangles.reserve(mesh.triangle_count);
  for (std::size_t i = 0; i < mesh.vertex_count; ++i)
    points.emplace_back(mesh.vertices[i].x, mesh.vertices[i].y, mesh.vertices[i].z);
  for (std::size_t i = 0; i < mesh.triangle_count; ++i)
    triangles.emplace_back(mesh.triangles[i].v[0], mesh.triangles[i].v[1], mesh.triangles[i].v[2]);
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

void *open_pair(const bench_contender *self, const bench_scene *scene, syn_error *) {
  return new State{model_of(*scene->fixed.surface), model_of(*scene->mobile.surface),
                   static_cast<Question>(self->variant)};
}

void close_pair(void *state) { delete static_cast<State *>(state); }

fcl::Transform3d transform_of(const syn_pose &pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const syn_vec3 &row = pose.rotation.row[i];
    transform.linear().row(i) << row.x, row.y, row.z;
  }
  transform.translation() << pose.translation.x, pose.translation.y, pose.translation.z;
  return transform;
}

void ask_pair(void *state, const syn_pose *pose, bench_answer *answer) {
  const State &s = *static_cast<State *>(state);
  const fcl::Transform3d at = transform_of(*pose), home = fcl::Transform3d::Identity();
  if (s.question == CLEARANCE) {
    fcl::DistanceRequest<double> request;
    fcl::DistanceResult<double> result;
    answer->depth_mm = -fcl::distance(s.fixed.get(), home, s.mobile.get(), at, request, result);
    return;
  }
  fcl::CollisionRequest<double> request;
  request.num_max_contacts = s.question == BOOLEAN ? 1 : std::numeric_limits<std::size_t>::max();
  fcl::CollisionResult<double> result;
  answer->count = fcl::collide(s.fixed.get(), home, s.mobile.get(), at, request, result);
}

} // namespace

const bench_contender bench_fcl[] = {
    {"fcl", "OBBRSS", "boolean", BOOLEAN, open_pair, ask_pair, close_pair},
    {"fcl", "OBBRSS", "all-pairs", ALL_PAIRS, open_pair, ask_pair, close_pair},
    {"fcl", "OBBRSS", "clearance", CLEARANCE, open_pair, ask_pair, close_pair},
};
const std::size_t bench_fcl_count = sizeof bench_fcl / sizeof *bench_fcl;
