/// The store of meshes: an assembly from it is the same, and what differs is made anew. Making it can be
/// stopped.

#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <pthread.h>

#include <electret/core/errors.hpp>
#include <electret/core/stop_scope.hpp>
#include <electret/geometry/springs.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {
namespace {

constexpr const char* text = R"([time]
step = 0.1
steps = 1
[[body]]
name = "a"
generate = { shape = "sphere", vertices = 30 }
mass = 1.0
[[body]]
name = "b"
mesh = "b.obj"
mass = 1.0
)";

class Stored : public ::testing::Test {
 protected:
  Assembly load(const std::vector<std::string>& overrides = {}) {
    return load_scene_text(text, "scene.toml", ".", overrides, reader_, store_);
  }
  MeshStore store_;
  std::string mesh_ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  int reads_ = 0;
  FileReader reader_ = [this](const std::string&) {
    ++reads_;
    return mesh_;
  };
};

TEST_F(Stored, MeshesAreMadeOnce) {
  const Assembly first = load(), again = load({"body.0.scale=2", "body.1.mass=3"});
  const Assembly plain =
      load_scene_text(text, "scene.toml", ".", {"body.0.scale=2", "body.1.mass=3"}, reader_);
  EXPECT_EQ(reads_, 2) << "once for the store, once without it";
  EXPECT_EQ(again.rest_positions, plain.rest_positions);
  EXPECT_EQ(again.faces, plain.faces);
  EXPECT_EQ(again.masses, plain.masses);
  EXPECT_EQ(2.0 * first.rest_positions[3], again.rest_positions[3]);
}

TEST_F(Stored, OtherParametersGiveAnotherMesh) {
  EXPECT_EQ(load().rest_positions.size(), 33U);
  EXPECT_EQ(load({"body.0.generate.vertices=31"}).rest_positions.size(), 34U);
  EXPECT_EQ(load({"body.1.mesh=c.obj"}).rest_positions.size(), 33U);
  EXPECT_EQ(reads_, 2);
  for (int n = 40; n < 80; ++n)
    EXPECT_EQ(load({"body.0.generate.vertices=" + std::to_string(n)}).rest_positions.size(),
              static_cast<std::size_t>(n) + 3);
  EXPECT_NE(key_of({"a", {{"b", 1.0}}}), key_of({"a", {{"b", std::string("1")}}}));
  EXPECT_NE(key_of({"a", {{"b", 0.1}}}), key_of({"a", {{"b", std::nextafter(0.1, 1.0)}}}));
}

TEST_F(Stored, AMeshAtFaultIsNotKept) {
  mesh_ = "v 0 0\n";
  EXPECT_THROW((void)load(), InputError);
  mesh_ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_NO_THROW((void)load());
}

TEST(FileStamps, TellWhenAFileHasChanged) {
  const std::string path = ::testing::TempDir() + "stamped.obj";
  const auto write = [&](const char* content) { std::ofstream(path) << content; };
  MeshStore store(file_stamp);
  int reads = 0;
  const auto vertices = [&] {
    const std::string scene = "[time]\nstep = 1\nsteps = 1\n[[body]]\nmass = 1\nmesh = \"" + path + "\"\n";
    const FileReader reader = [&](const std::string& file) { return ++reads, read_regular_file(file); };
    return load_scene_text(scene, "scene.toml", ".", {}, reader, store).masses.size();
  };
  std::filesystem::remove(path);
  EXPECT_EQ(file_stamp(path), "none");
  write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(vertices(), 3U);
  EXPECT_EQ(vertices(), 3U);
  EXPECT_EQ(reads, 1);
  write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n");
  EXPECT_EQ(vertices(), 4U);
  EXPECT_EQ(reads, 2);
  std::filesystem::remove(path);
  EXPECT_THROW((void)vertices(), InputError);
}

TEST_F(Stored, TellsWhatItDoes) {
  std::vector<std::string> notices;
  std::vector<Count> done;
  Control control;
  control.notice = [&](std::string_view what) { notices.emplace_back(what); };
  control.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 3);
    done.push_back(progress.done);
  };
  const auto again = [&] { return load_scene_text(text, "scene.toml", ".", {}, reader_, store_, control); };
  (void)again();
  EXPECT_EQ(notices, (std::vector<std::string>{"making body \"a\" of shape sphere",
                                               "joining the vertices of body \"a\"", "reading b.obj",
                                               "joining the vertices of body \"b\""}));
  EXPECT_EQ(done, (std::vector<Count>{0, 1, 2, 3}));
  notices.clear();
  (void)again();
  EXPECT_EQ(notices, (std::vector<std::string>{"joining the vertices of body \"a\"",
                                               "joining the vertices of body \"b\""}));
}

/// Runs `work` with a stop that was requested before.
template <class Work>
void expect_stopped(Work&& work) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  EXPECT_THROW((void)work(), Cancelled);
}

/// Whatever takes long while bodies are assembled looks at the stop itself, in its loops.
TEST(Stopping, EndsTheMakingOfShapesAndTheSearchForNeighbours) {
  const std::string path = ::testing::TempDir() + "stopped.obj";
  std::ofstream(path) << "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
                         "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
  const ParameterValues within{{"surface", path}, {"cell_size", 0.3}}, many{{"vertices", 1000.0}};
  const std::vector<GeneratorSpec> shapes{
      {"blob", many},
      {"sphere", many},
      {"duck", many},
      {"tshirt", many},
      {"voxels", within},
      {"fill", within},
      {"torus", {{"vertices", 1000.0}, {"sampling", std::string("best_candidate")}}},
      {"blob", {{"vertices", 30000.0}}}};
  for (const GeneratorSpec& spec : shapes) {
    SCOPED_TRACE(spec.shape);
    expect_stopped([&] { return generate(spec); });
  }
  const VectorArray points = generate({"lattice", {{"nx", 3.0}, {"ny", 3.0}, {"nz", 3.0}}}).vertices;
  expect_stopped([&] { return nearest(points, 6); });
  EXPECT_EQ(nearest(points, 6).size(), nearest(points, 6).size()) << "a scope ends with its block";
}

double thread_time(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A blob that would take half a minute is being made when the stop comes.
TEST(Stopping, AnotherThreadStopsAShapeThatIsBeingMade) {
  MeshStore store;
  std::stop_source source;
  std::atomic<bool> is_making = false;
  double requested = 0.0;
  clockid_t clock{};
  ASSERT_EQ(pthread_getcpuclockid(pthread_self(), &clock), 0);
  Control control;
  control.stop = source.get_token();
  control.notice = [&](std::string_view) { is_making = true, is_making.notify_one(); };
  std::thread stopper([&] {
    is_making.wait(false);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    requested = thread_time(clock);
    source.request_stop();
  });
  const std::string scene =
      "[time]\nstep = 1\nsteps = 1\n[[body]]\nname = \"a\"\nmass = 1\n"
      "generate = { shape = \"blob\", vertices = 2000000 }\n";
  EXPECT_THROW((void)load_scene_text(scene, "scene.toml", ".", {}, read_regular_file, store, control),
               Cancelled);
  stopper.join();
  EXPECT_LT(thread_time(clock) - requested, 0.5) << "processor seconds from the request to the end";
  EXPECT_EQ(store.size(), 0U);
}

TEST_F(Stored, AStoppedSceneIsAssembledAfterwards) {
  std::stop_source source;
  Control control;
  control.stop = source.get_token();
  control.notice = [&](std::string_view what) {
    if (what == "reading b.obj") source.request_stop();
  };
  const auto stopped = [&] { return load_scene_text(text, "scene.toml", ".", {}, reader_, store_, control); };
  EXPECT_THROW((void)stopped(), Cancelled);
  EXPECT_EQ(store_.size(), 1U) << "what was made stays";
  EXPECT_EQ(load().rest_positions, load_scene_text(text, "scene.toml", ".", {}, reader_).rest_positions);
}

}  // namespace
}  // namespace electret::test
