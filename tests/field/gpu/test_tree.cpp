/// Trees and lists that a device makes, against those of the host.

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include <field/gpu/device_for_tests.hpp>
#include <field/gpu/tree_copies.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/field/gpu/fmm/device_interactions.hpp>
#include <electret/field/gpu/fmm/host_tree.hpp>

namespace electret::test {
namespace {

using ::testing::AllOf, ::testing::HasSubstr, ::testing::Not;

struct Cloud {
  std::string name;
  VectorArray points;
};

VectorArray random_points(std::size_t n, unsigned seed, double size = 1.0, Vec3 low = {}) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, size);
  VectorArray points(n);
  for (Vec3& p : points) p = low + Vec3{unit(random), unit(random), unit(random)};
  return points;
}

VectorArray torus(std::size_t n) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(0.0, 6.283185307179586);
  VectorArray points(n);
  for (Vec3& p : points) {
    const double a = angle(random), b = angle(random), r = 1.0 + 0.3 * std::cos(b);
    p = {r * std::cos(a), r * std::sin(a), 0.3 * std::sin(b)};
  }
  return points;
}

VectorArray line(std::size_t n) {
  VectorArray points = random_points(n, 4);
  for (Vec3& p : points) p.y = 0.25, p.z = 2.0 * p.x;
  return points;
}

/// Clusters of very different sizes: crowds that need keys of their own, within crowds.
VectorArray clusters(std::size_t n) {
  VectorArray points;
  double size = 1.0;
  Vec3 low{};
  for (int k = 0; k < 6; ++k) {
    const VectorArray cluster = random_points(n / 6, 5U + static_cast<unsigned>(k), size, low);
    points.insert(points.end(), cluster.begin(), cluster.end());
    low = cluster[1];
    size *= 1e-3;
  }
  std::shuffle(points.begin(), points.end(), std::mt19937(6));
  return points;
}

/// Many points at few places.
VectorArray coincident(std::size_t n) {
  VectorArray points = random_points(n, 7);
  for (std::size_t i = 0; i < n; i += 2) points[i] = points[i % 6];
  return points;
}

/// Some points, 700 at one place or very close there, and 700 in a cluster that needs two generations of
/// keys.
VectorArray one_place_and_cluster(bool at_one_place) {
  constexpr Vec3 place{0.25, 0.25, 0.25};
  VectorArray points = random_points(300, 17);
  const VectorArray near = random_points(650, 18, 1e-11, place), others = random_points(50, 19, 1e-8, place),
                    inner = random_points(600, 20, 1e-11, {0.75, 0.75, 0.75}),
                    outer = random_points(100, 21, 1e-6, {0.75, 0.75, 0.75});
  for (const VectorArray* part : {&near, &others})
    for (const Vec3& p : *part) points.push_back(at_one_place ? place : p);
  for (const VectorArray* part : {&inner, &outer}) points.insert(points.end(), part->begin(), part->end());
  return points;
}

VectorArray lattice(int side) {
  VectorArray points;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z) points.push_back({0.1 * x, 0.1 * y, 0.1 * z});
  std::shuffle(points.begin(), points.end(), std::mt19937(8));
  return points;
}

std::vector<Cloud> clouds() {
  std::vector<Cloud> all;
  for (const std::size_t n : {1, 2, 48, 49, 1000, 4097})
    all.push_back({"cube " + std::to_string(n), random_points(n, 9, 2.0, {-1.0, -1.0, -1.0})});
  all.push_back({"torus", torus(20'000)});
  all.push_back({"line", line(1000)});
  all.push_back({"clusters", clusters(6000)});
  all.push_back({"coincident", coincident(3000)});
  all.push_back({"one place and a cluster", one_place_and_cluster(true)});
  all.push_back({"one place", VectorArray(700, Vec3{0.3, -0.4, 0.5})});
  all.push_back({"far away", random_points(3000, 10, 1.0, {1e6, -3e6, 2e5})});
  all.push_back({"small", random_points(3000, 11, 1e-9)});
  all.push_back({"large", random_points(3000, 12, 1e9)});
  all.push_back({"lattice", lattice(16)});
  return all;
}

void expect_same_points(const Copy& found, const Copy& expected) {
  EXPECT_EQ(found.order, expected.order);
  EXPECT_EQ(found.fixed, expected.fixed);
  EXPECT_EQ(found.rows, expected.rows);
  EXPECT_EQ(rows(found.high), rows(expected.high));
  EXPECT_EQ(rows(found.low), rows(expected.low));
}

void expect_same_cells(const Copy& found, const Copy& expected) {
  EXPECT_EQ(found.levels, expected.levels);
  EXPECT_EQ(rows(found.points), rows(expected.points));
  EXPECT_EQ(rows(found.family), rows(expected.family));
  EXPECT_EQ(found.leaves, expected.leaves);
}

double distance(const Copy& a, const Copy& b, std::size_t c) {
  const Float4 &h = a.centre[c], &l = a.centre_low[c], &g = b.centre[c], &k = b.centre_low[c];
  const auto apart = [](float x, float x_low, float y, float y_low) {
    return static_cast<double>(x) - static_cast<double>(y) +
           (static_cast<double>(x_low) - static_cast<double>(y_low));
  };
  return norm(Vec3{apart(h.x, l.x, g.x, k.x), apart(h.y, l.y, g.y, k.y), apart(h.z, l.z, g.z, k.z)});
}

/// The number of cells whose ball is another one. With ties for the farthest point, rounding decides.
std::size_t other_balls(const Copy& found, const Copy& expected) {
  constexpr double rounding = 4e-15;  // of the centres' parts
  std::size_t others = 0;
  for (std::size_t c = 0; c < found.cells; ++c) {
    const auto radius = static_cast<double>(expected.centre_low[c].w);
    const double error = std::abs(static_cast<double>(found.centre_low[c].w) - radius);
    others += error > 1e-6 * radius + rounding || distance(found, expected, c) > 1e-6 * radius + rounding;
  }
  return others;
}

/// The rule of fmm::Acceptance in float32, on the balls that the device found.
class Rule {
 public:
  /// Lengths are in the frame. Pairs closer than `softened` interact by Taylor series.
  Rule(const fmm::Plan& plan, double closest, double softened, double softening, const Copy& targets,
       const Copy& sources)
      : acceptance_(plan),
        order_(plan.order),
        closest_(static_cast<float>(closest * closest)),
        softened_(static_cast<float>(softened * softened)),
        softening_(static_cast<float>(softening * softening)),
        targets_(targets),
        sources_(sources) {}

  /// A list's number; or 0 for the rest, whatever is to be cut.
  [[nodiscard]] int far_list(std::size_t a, std::size_t b) const {
    const Float4 &h = targets_.centre[a], &l = targets_.centre_low[a], &g = sources_.centre[b],
                 &k = sources_.centre_low[b];
    const float x = (h.x - g.x) + (l.x - k.x), y = (h.y - g.y) + (l.y - k.y), z = (h.z - g.z) + (l.z - k.z);
    const float square = std::fma(x, x, std::fma(y, y, z * z)), reach = l.w + k.w,
                reach_square = reach * reach;
    const fmm::AcceptanceTables tables = acceptance_.tables();
    const bool soft = square < softened_;
    const float by = soft ? square + softening_ : square;
    if (!(square > closest_ && reach_square < by * static_cast<float>(tables.largest))) return 0;
    if (soft && !(reach_square < square * 0.9025F)) return 0;
    int bin = 0;  // the bin of u², by comparisons that round as the kernel's
    while (bin < fmm::AcceptanceTables::bins && 1024.0F * reach_square >= by * static_cast<float>(bin + 1))
      ++bin;
    const int verdict = tables.verdicts[soft ? fmm::AcceptanceTables::bins + 2 + bin : bin];
    if (verdict == 0 || points(targets_, a) * points(sources_, b) < tables.worth[verdict]) return 0;
    return soft ? order_ + verdict - fmm::before_taylor : verdict;
  }
  /// Whether the source is cut, of a pair that is not far.
  [[nodiscard]] bool cuts_source(std::size_t a, std::size_t b) const {
    if (is_leaf(sources_, b)) return false;
    const float own = targets_.centre_low[a].w, other = sources_.centre_low[b].w;
    return is_leaf(targets_, a) || other > own || (other == own && a > b);
  }
  static bool is_leaf(const Copy& tree, std::size_t c) { return tree.family[c].y == 0; }

 private:
  static double points(const Copy& tree, std::size_t c) {
    return is_leaf(tree, c) ? static_cast<double>(tree.points[c].y - tree.points[c].x)
                            : std::numeric_limits<double>::infinity();
  }
  fmm::Acceptance acceptance_;
  int order_;
  float closest_, softened_, softening_;
  const Copy &targets_, &sources_;
};

/// All pairs by that rule, one after another: {list, target, source}; list 0: near leaves.
std::vector<std::array<std::int32_t, 3>> pairs_by(const Rule& rule, const Copy& targets,
                                                  const Copy& sources) {
  std::vector<std::array<std::int32_t, 3>> found;
  std::vector<std::pair<std::int32_t, std::int32_t>> open{{0, 0}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const int list = rule.far_list(i, j);
    if (list > 0 || (Rule::is_leaf(targets, i) && Rule::is_leaf(sources, j))) {
      found.push_back({list, a, b});
    } else if (rule.cuts_source(i, j)) {
      for (int k = 0; k < sources.family[j].y; ++k) open.emplace_back(a, sources.family[j].x + k);
    } else {
      for (int k = 0; k < targets.family[i].y; ++k) open.emplace_back(targets.family[i].x + k, b);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The same of the device's lists.
std::vector<std::array<std::int32_t, 3>> pairs_of(const Lists& lists, const Copy& targets) {
  std::vector<std::array<std::int32_t, 3>> found;
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(gpu::most_lists); ++p)
    for (auto k = lists.far_begin[static_cast<std::size_t>(p)];
         k < lists.far_begin[static_cast<std::size_t>(p) + 1]; ++k)
      found.push_back(
          {p, lists.far[static_cast<std::size_t>(k)].x, lists.far[static_cast<std::size_t>(k)].y});
  for (std::size_t leaf = 0; leaf < targets.leaf_count; ++leaf)
    for (auto k = lists.begins[leaf]; k < lists.begins[leaf + 1]; ++k)
      found.push_back({0, targets.leaves[leaf], lists.near[static_cast<std::size_t>(k)]});
  std::sort(found.begin(), found.end());
  return found;
}

fmm::Plan plan() {
  return {1e-5, 8, 48, false};
}

class DeviceTrees : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_test_device()) return;
    device_ = test_device();
    use(plan());
  }
  void use(const fmm::Plan& plan, double softening = 0.0, double closest_harmonic = 0.0) {
    settings_ = {plan, softening, closest_harmonic};
    device_side_ = gpu::make_device_interactions(*device_, settings_);
    host_side_ = gpu::make_host_interactions(*device_, settings_, threads_);
  }
  [[nodiscard]] Lists lists(gpu::Interactions& side) const {
    return {side.lists(), side.targets(), settings_.plan.order + side.lists().taylor_orders};
  }
  void expect_same_lists() {
    const Lists found = lists(*device_side_), expected = lists(*host_side_);
    EXPECT_TRUE(found.targets_are_right);
    EXPECT_EQ(found.far_begin, expected.far_begin);
    EXPECT_EQ(found.far_start, expected.far_start);
    EXPECT_EQ(rows(found.far), rows(expected.far));
    EXPECT_EQ(found.begins, expected.begins);
    EXPECT_EQ(found.near, expected.near);
  }
  void expect_lists_by_rule() {
    const Copy targets(device_side_->targets()), sources(device_side_->sources());
    const bool softened = device_side_->lists().taylor_orders > 0;
    const double scale = device_side_->frame().scale, harmonic = scale * settings_.closest_harmonic;
    const Rule rule(settings_.plan, softened ? gpu::closest_far : std::max(gpu::closest_far, harmonic),
                    softened ? harmonic : 0.0, scale * settings_.softening, targets, sources);
    EXPECT_EQ(pairs_of(lists(*device_side_), targets), pairs_by(rule, targets, sources));
  }

  Threads threads_{1};
  std::unique_ptr<gpu::Device> device_;
  gpu::TreeSettings settings_{plan()};
  std::unique_ptr<gpu::Interactions> device_side_, host_side_;
};

TEST_F(DeviceTrees, AreThoseOfTheHost) {
  ELECTRET_NEEDS_DEVICE();
  for (const Cloud& cloud : clouds()) {
    SCOPED_TRACE(cloud.name);
    device_side_->place(cloud.points);
    host_side_->place(cloud.points);
    const Copy found(device_side_->sources()), expected(host_side_->sources());
    expect_same_points(found, expected);
    expect_same_cells(found, expected);
    if (HasFailure()) return;
    EXPECT_EQ(other_balls(found, expected), 0U);
    // On a lattice many cells are equally large but for rounding, which decides on the host which one is cut.
    if (cloud.name != "lattice") expect_same_lists();
    expect_lists_by_rule();
  }
}

TEST_F(DeviceTrees, AreThoseOfTheHostWithEveryKindOfPlan) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray points = random_points(3000, 13);
  for (const fmm::Plan& plan : {fmm::Plan{4.7e-3, 3, 48}, fmm::Plan{2.6e-10, 16, 80},
                                fmm::Plan{3.4e-10, 18, 96}, fmm::Plan{1e-5, 8, 1}}) {
    SCOPED_TRACE(plan.order);
    use(plan);
    device_side_->place(points);
    host_side_->place(points);
    const Copy found(device_side_->sources()), expected(host_side_->sources());
    expect_same_cells(found, expected);
    EXPECT_EQ(other_balls(found, expected), 0U);
    expect_same_lists();
    expect_lists_by_rule();
  }
}

TEST_F(DeviceTrees, AreThoseOfTheHostAtSeparateTargets) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray sources = clusters(2400), targets = random_points(1500, 14, 3.0, {-1.0, -1.0, -1.0});
  const VectorArray one = {{0.1, 0.2, 0.3}};
  for (const auto& [from, at] :
       {std::pair{sources, targets}, {targets, sources}, {one, targets}, {targets, one}}) {
    SCOPED_TRACE(at.size());
    device_side_->place(from, at);
    host_side_->place(from, at);
    for (const bool of_targets : {false, true}) {
      const Copy found(of_targets ? device_side_->targets() : device_side_->sources()),
          expected(of_targets ? host_side_->targets() : host_side_->sources());
      expect_same_points(found, expected);
      expect_same_cells(found, expected);
      EXPECT_EQ(other_balls(found, expected), 0U);
    }
    expect_same_lists();
    expect_lists_by_rule();
  }
}

TEST_F(DeviceTrees, KeepCloseCellsOfSoftenedPairsNear) {
  ELECTRET_NEEDS_DEVICE();
  use(plan(), 0.01, 0.9);
  const VectorArray points = random_points(3000, 15);
  device_side_->place(points);
  host_side_->place(points);
  expect_same_lists();
  const std::vector<std::int32_t> close = lists(*device_side_).near;
  use(plan());
  device_side_->place(points);
  EXPECT_LT(lists(*device_side_).near.size(), close.size());
}

TEST_F(DeviceTrees, ListCloseCellsOfSoftenedPairsForTaylorSeries) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray points = random_points(3000, 15), targets = random_points(1000, 16, 2.0);
  for (const auto& [leaf_size, softening, reach] :
       {std::tuple{Index{8}, 0.02, 0.6}, {Index{16}, 0.05, 4.0}, {Index{48}, 1e-4, 1e-3}}) {
    SCOPED_TRACE(reach);
    use({1e-3, 5, leaf_size}, softening, reach);
    settings_.taylor_orders = 8;
    device_side_ = gpu::make_device_interactions(*device_, settings_);
    device_side_->place(points);
    // They are not worth it if the softening stays within a leaf's neighbours.
    EXPECT_EQ(device_side_->lists().taylor_orders, reach > 0.1 ? 8 : 0);
    const Lists found = lists(*device_side_);
    EXPECT_TRUE(found.targets_are_right);
    EXPECT_EQ(found.far_begin.back() > found.far_begin[6], reach > 0.1);
    if (reach > 1.0) {
      EXPECT_EQ(found.far_begin[6], 0);
    }
    expect_lists_by_rule();
    device_side_->place(points, targets);
    expect_lists_by_rule();
  }
}

/// Then cells meet point by point, and the number of their pairs grows with the square of the number of
/// points.
TEST_F(DeviceTrees, RefuseListsThatAreTooLongToBeCounted) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray points = random_points(3000, 15);
  const auto refused = [&](double softening, Count longest) -> std::string {
    settings_ = {plan(), softening, 90.0 * softening};
    settings_.longest_list = longest;
    device_side_ = gpu::make_device_interactions(*device_, settings_);
    try {
      device_side_->place(points);
    } catch (const gpu::OutOfDeviceMemory& error) {
      return error.what();
    }
    return "";
  };
  ASSERT_EQ(refused(0.02, settings_.longest_list), "");
  const auto leaves = static_cast<Count>(device_side_->sources().cells.leaf_count);
  ASSERT_EQ(device_side_->lists().near.size(), static_cast<std::size_t>(leaves * leaves));
  EXPECT_EQ(refused(0.02, leaves * leaves + 1), "");
  EXPECT_THAT(
      refused(0.02, leaves * leaves),
      AllOf(HasSubstr("lists of pairs of cells"), HasSubstr(std::to_string(leaves * leaves) + " pairs"),
            HasSubstr("solver = \"direct\""), HasSubstr("device = \"cpu\"")));
  device_side_->place(random_points(300, 15));  // others may follow
  host_side_ = gpu::make_host_interactions(*device_, settings_, threads_);
  host_side_->place(random_points(300, 15));
  expect_same_lists();
  EXPECT_THAT(refused(0.0, 1000), HasSubstr("1000 pairs"));
}

TEST_F(DeviceTrees, WeighPairsOfPointsByTheDevicesOwnCosts) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray points = random_points(3000, 16);
  std::size_t near[2] = {};
  for (const bool own_costs : {false, true}) {
    use({1e-5, 8, 12, false});  // leaves whose pairs are about as many as an M2L is worth
    if (own_costs) settings_.pairs_worth = gpu::gpu_pairs_worth();
    device_side_ = gpu::make_device_interactions(*device_, settings_);
    host_side_ = gpu::make_host_interactions(*device_, settings_, threads_);
    device_side_->place(points);
    host_side_->place(points);
    expect_same_lists();
    near[own_costs] = device_side_->lists().near.size();
  }
  EXPECT_LT(near[1], near[0]);
}

/// Each pair of points meets once: by expansions of one pair of cells, or point by point.
TEST_F(DeviceTrees, MeetEachPairOfPointsOnce) {
  ELECTRET_NEEDS_DEVICE();
  for (const VectorArray& points : {lattice(8), coincident(500), clusters(600)}) {
    device_side_->place(points);
    const Copy tree(device_side_->sources());
    std::vector<int> met(points.size() * points.size());
    for (const auto& [order, a, b] : pairs_of(lists(*device_side_), tree)) {
      const Int2 t = tree.points[static_cast<std::size_t>(a)], s = tree.points[static_cast<std::size_t>(b)];
      for (std::int32_t i = t.x; i < t.y; ++i)
        for (std::int32_t j = s.x; j < s.y; ++j)
          ++met[static_cast<std::size_t>(i) * points.size() + static_cast<std::size_t>(j)];
    }
    EXPECT_EQ(std::count(met.begin(), met.end(), 1), static_cast<std::ptrdiff_t>(met.size()));
  }
}

/// A pair of cells is far in both directions or in none, so that forces are opposite.
TEST_F(DeviceTrees, HaveSymmetricLists) {
  ELECTRET_NEEDS_DEVICE();
  for (const VectorArray& points : {lattice(12), torus(5000), clusters(3000)}) {
    device_side_->place(points);
    const auto pairs = pairs_of(lists(*device_side_), Copy(device_side_->sources()));
    auto mirrored = pairs;
    for (auto& [order, a, b] : mirrored) std::swap(a, b);
    std::sort(mirrored.begin(), mirrored.end());
    EXPECT_EQ(pairs, mirrored);
  }
}

/// Of what was computed before, nothing is left.
TEST_F(DeviceTrees, AreTheSameWhateverWasPlacedBefore) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray points = clusters(3000), others = torus(7000);
  device_side_->place(points);
  const Copy first(device_side_->sources());
  const Lists first_lists = lists(*device_side_);
  const std::vector<Int2> far = device_side_->lists().far.downloaded();
  device_side_->place(others);
  device_side_->place(others, points);
  device_side_->place(points);
  const Copy second(device_side_->sources());
  expect_same_points(second, first);
  expect_same_cells(second, first);
  EXPECT_EQ(rows(second.centre), rows(first.centre));
  EXPECT_EQ(rows(device_side_->lists().far.downloaded()), rows(far));
  EXPECT_EQ(lists(*device_side_).near, first_lists.near);
}

/// Points at one place have no keys of the later generations that others need, whatever memory holds there.
TEST_F(DeviceTrees, DivideNoPointsAtOnePlaceByWhatWasPlacedBefore) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray points = one_place_and_cluster(true);
  host_side_->place(points);
  const Copy expected(host_side_->sources());
  for (const VectorArray& before : {one_place_and_cluster(false), torus(7000)}) {
    device_side_->place(before);
    device_side_->place(points);
    const Copy found(device_side_->sources());
    expect_same_points(found, expected);
    expect_same_cells(found, expected);
  }
}

TEST(EveryKernel, OfTreesAndLists) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(1);
  gpu::TreeSettings settings{{1e-4, 5, 6, false}};
  const auto device = test_device();
  const auto host_side = gpu::make_host_interactions(*device, settings, threads);
  VectorArray points = random_points(70, 9);
  for (const Vec3& crowd : {Vec3{0.1, 0.9, 0.4}, Vec3{0.7, 0.2, 0.3}})
    for (const Vec3& p : random_points(12, 10, 1e-5, crowd)) points.push_back(p);
  host_side->place(points);
  const Lists expected(host_side->lists(), host_side->sources(), 5);
  for (const std::size_t batch_bytes : {settings.batch_bytes, std::size_t{5'000}}) {
    settings.batch_bytes = batch_bytes;
    const auto device_side = gpu::make_device_interactions(*device, settings);
    device_side->place(points);
    expect_same_cells(Copy(device_side->sources()), Copy(host_side->sources()));
    EXPECT_EQ(device_side->lists().batches.size() > 1, batch_bytes == 5'000);
    EXPECT_EQ(device_side->lists().far_begin, expected.far_begin);
    std::vector<std::int32_t> near = device_side->lists().near.downloaded();
    for (std::size_t k = 0; k + 1 < expected.begins.size(); ++k)
      std::sort(near.begin() + expected.begins[k], near.begin() + expected.begins[k + 1]);
    EXPECT_EQ(near, expected.near);
  }
}

}  // namespace
}  // namespace electret::test
