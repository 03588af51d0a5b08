#include <algorithm>
#include <optional>
#include <tuple>

#include <field/gpu/device_for_tests.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/direct/sums.hpp>

namespace electret::test {
namespace {

bool same(const std::vector<gpu::Float4>& a, const std::vector<gpu::Float4>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const gpu::Float4& l, const gpu::Float4& r) {
    return l.x == r.x && l.y == r.y && l.z == r.z && l.w == r.w;
  });
}

/// 600 charges as sources and targets, with vectors.
class DirectSumsOnADevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_test_device()) GTEST_SKIP() << "no OpenCL device: " << gpu::why_none();
    device_ = test_device();
    points_.emplace(*device_), vectors_.emplace(*device_), charges_.emplace(*device_),
        close_.emplace(*device_), buffers_.emplace(*device_);
    Cloud cloud = make_cloud("cube", 600, true);
    cloud.positions[9] = cloud.positions[500];
    points_->assign(cloud.positions, {}, 1.0);
    vectors_->assign(random_vectors(600, 4), {}, 1.0);
    charges_->assign(cloud.charges, 1e5);
  }
  gpu::DirectResult<float> summed(gpu::DirectSums<float>& sums, float closest) {
    gpu::DirectTask<float> task;
    task.sources = task.targets = {&*points_, &*vectors_, 600};
    task.charges = &*charges_;
    task.own = true;
    gpu::DirectResult<float> result;
    EXPECT_TRUE(sums.sum(task, closest, *close_, result));
    return result;
  }

  std::unique_ptr<gpu::Device> device_;
  std::optional<gpu::Rows<float>> points_, vectors_;
  std::optional<gpu::Scalars<float>> charges_;
  std::optional<gpu::ClosePairs> close_;
  std::optional<gpu::DirectBuffers<float>> buffers_;
};

TEST_F(DirectSumsOnADevice, HaveTheSameBitsInOneLaunchAndInMany) {
  for (const bool products : {false, true}) {
    gpu::DirectSums<float> whole(*device_, *buffers_, true, products),
        sliced(*device_, *buffers_, true, products);
    sliced.limit_launches(1);
    const gpu::DirectResult<float> expected = summed(whole, 1e-10F), result = summed(sliced, 1e-10F);
    EXPECT_TRUE(same(result.field, expected.field));
    EXPECT_TRUE(same(result.product, expected.product));
    EXPECT_EQ(close_->sorted().size(), 2U);
  }
}

TEST_F(DirectSumsOnADevice, NoteEachCloserPairInBothDirections) {
  gpu::DirectSums<float> sums(*device_, *buffers_, true, false);
  summed(sums, 1e-10F);
  ASSERT_EQ(close_->sorted().size(), 2U);
  EXPECT_EQ(close_->sorted()[0].x, 9);
  EXPECT_EQ(close_->sorted()[0].y, 500);
  EXPECT_EQ(close_->sorted()[1].x, 500);
  EXPECT_EQ(close_->sorted()[1].y, 9);
}

/// More pairs than the list's first size: all of them come, once each.
TEST_F(DirectSumsOnADevice, NoteAsManyPairsAsThereAre) {
  gpu::DirectSums<float> sums(*device_, *buffers_, true, false);
  summed(sums, 100.0F);
  const auto pairs = close_->sorted();
  ASSERT_EQ(pairs.size(), 600U * 599U);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    EXPECT_EQ(pairs[k].x, static_cast<int>(k / 599));
    EXPECT_EQ(pairs[k].y, static_cast<int>(k % 599 + (k % 599 >= k / 599 ? 1 : 0)));
  }
}

/// Beyond what is allowed nothing is counted, so that no number of pairs can run over the count.
TEST_F(DirectSumsOnADevice, StopCountingBeyondWhatIsAllowed) {
  gpu::DirectSums<float> plain(*device_, *buffers_, false, false);
  gpu::DirectTask<float> task;
  task.sources = task.targets = {&*points_, &*vectors_, 600};
  task.charges = &*charges_;
  task.own = true;
  gpu::DirectResult<float> result;
  EXPECT_FALSE(plain.sum(task, 100.0F, *close_, result));
  EXPECT_EQ(close_->count().downloaded()[0], 1025);
}

/// 2000 of 20 000 targets lie close to one of 16 sources: both passes of the adjoint, with sides exchanged,
/// and every call decide alike.
TEST(DirectAdjointOnADevice, HasTheSameBitsEachTime) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray sources = random_vectors(16, 1), w = random_vectors(20000, 3);
  VectorArray targets = random_vectors(20000, 2);
  for (std::size_t i = 0; i < 2000; ++i) targets[i] = sources[i % 16] + 1e-5 * targets[i];
  const std::vector<double> charges(16, 1e-6);
  Threads threads(1);
  FieldOptions options;
  options.accuracy = 1e-3;
  const auto solver = gpu::make_direct_field_solver(options, threads, test_device());
  solver->prepare(sources, targets);
  struct Adjoint {
    VectorArray target = VectorArray(20000), source = VectorArray(16);
    std::vector<double> charge = std::vector<double>(16);
    bool operator==(const Adjoint&) const = default;
  };
  const auto adjoint = [&] {
    Adjoint a;
    solver->target_adjoint(charges, w, a.target, a.source, a.charge);
    return a;
  };
  const Adjoint first = adjoint();
  EXPECT_EQ(adjoint(), first);
}

TEST(RowsOnADevice, KeepWhatRoundingLoses) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  gpu::Rows<float> rows(*device);
  VectorArray values = random_vectors(1000, 8);
  for (auto& x : values) x += Vec3{1e6, 0, -1e6};
  const Vec3 centre{1e6, 0, -1e6};
  rows.assign(values, centre, 0.5);
  const auto high = rows.high().downloaded(), low = rows.low().downloaded();
  ASSERT_EQ(high.size(), 1024U);
  for (std::size_t i = 0; i < 1000; ++i) {
    const Vec3 expected = 0.5 * (values[i] - centre);
    for (const auto& [h, l, v] :
         {std::tuple{high[i].x, low[i].x, expected.x}, std::tuple{high[i].y, low[i].y, expected.y},
          std::tuple{high[i].z, low[i].z, expected.z}}) {
      EXPECT_EQ(h, static_cast<float>(v));  // the high part is the rounded one
      EXPECT_NEAR(static_cast<double>(h) + static_cast<double>(l), v, 0x1p-49);
    }
  }
  EXPECT_EQ(high[1000].x, 0.0F);
}

}  // namespace
}  // namespace electret::test
