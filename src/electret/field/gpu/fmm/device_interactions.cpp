#include <algorithm>
#include <cmath>

#include <electret/field/gpu/fmm/device_interactions.hpp>
#include <electret/field/gpu/fmm/device_walk.hpp>

namespace electret::gpu {
namespace {

class DeviceInteractions final : public Interactions {
 public:
  DeviceInteractions(Device& device, const TreeSettings& settings)
      : settings_(settings),
        source_maker_(device, settings.plan.leaf_size),
        target_maker_(device, settings.plan.leaf_size),
        walk_(device, settings),
        sources_(device),
        targets_(device),
        lists_(device) {}

  void place(VectorView points) override {
    own_ = true;
    const fmm::Box box = source_maker_.upload(points, sources_.points);
    set_frame(box);
    source_maker_.make(frame_, box, sources_);
    walk(source_maker_, sources_);
  }
  void place(VectorView sources, VectorView targets) override {
    own_ = false;
    const fmm::Box box = source_maker_.upload(sources, sources_.points),
                   others = target_maker_.upload(targets, targets_.points);
    set_frame(fmm::united(box, others));
    source_maker_.make(frame_, box, sources_);
    target_maker_.make(frame_, others, targets_);
    walk(target_maker_, targets_);
  }
  [[nodiscard]] const direct::Frame& frame() const override { return frame_; }
  [[nodiscard]] DeviceTree& sources() override { return sources_; }
  [[nodiscard]] DeviceTree& targets() override { return own_ ? sources_ : targets_; }
  [[nodiscard]] const DeviceLists& lists() const override { return lists_; }

 private:
  void set_frame(const fmm::Box& box) { frame_ = direct::frame_of(box.low, box.high, settings_.softening); }
  void walk(const TreeMaker& maker, const DeviceTree& targets) {
    walk_.run(targets.cells, maker.leaf_of(), sources_.cells, frame_.scale, lists_);
  }

  TreeSettings settings_;
  direct::Frame frame_;
  bool own_ = true;
  TreeMaker source_maker_, target_maker_;
  DeviceWalk walk_;
  DeviceTree sources_, targets_;
  DeviceLists lists_;
};

}  // namespace

std::vector<double> gpu_pairs_worth() {
  // Counted in the compiled texts of M2L at orders 4 to 16; below and above by their trend.
  constexpr double slots[fmm::max_order + 1] = {0,    180,  300,    450,    650,   940,  1280,
                                                1720, 2200, 2800,   3500,   4300,  5200, 6200,
                                                7400, 8700, 10'100, 11'700, 13'400};
  constexpr double slots_of_pair = 24.0;  // with idle lanes and the gathering of sources
  std::vector<double> worth;
  for (const double count : slots) worth.push_back(std::floor(count / slots_of_pair));
  return worth;
}

std::vector<double> gpu_taylor_pairs_worth() {
  // Each product of taylor_m2l takes two loads from local memory beside the multiplication, and rows of a
  // series are short; each number of a series takes a step of the recurrence and three passes.
  constexpr double slots_of_product = 6.0, slots_of_number = 60.0, slots_of_pair = 24.0;
  std::vector<double> worth{0.0};
  for (int p = 1; p <= fmm::max_taylor_order; ++p) {
    double products = 1.0;
    for (int k = 1; k <= 6; ++k) products = products * (p + k) / k;
    worth.push_back(
        std::floor((slots_of_product * products + slots_of_number * fmm::powers(p)) / slots_of_pair));
  }
  return worth;
}

std::unique_ptr<Interactions> make_device_interactions(Device& device, const TreeSettings& settings) {
  return std::make_unique<DeviceInteractions>(device, settings);
}

}  // namespace electret::gpu
