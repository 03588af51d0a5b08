#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <electret/core/vertex_loops.hpp>
#include <electret/field/crossover.hpp>
#include <electret/field/gpu/close_pairs.hpp>
#include <electret/field/gpu/fmm/device_interactions.hpp>
#include <electret/field/gpu/fmm/evaluation.hpp>

namespace electret::gpu {
namespace {

constexpr Count chunk_size = Count{1} << 14;

double accuracy_of(const FieldOptions& options) {
  return options.accuracy.value_or(default_field_accuracy);
}

/// Harmonic expansions represent 1/r, and 1/ρ where the difference, 3/2 (ε/R)², is within a tenth of the
/// accuracy.
TreeSettings tree_settings(const FieldOptions& options, const fmm::Plan& plan, Kind kind) {
  TreeSettings settings{plan, options.softening, options.softening * std::sqrt(15.0 / accuracy_of(options))};
  settings.taylor_orders = fmm::highest_taylor_order(plan);
  if (kind == Kind::processor) return settings;
  settings.pairs_worth = gpu_pairs_worth();
  settings.taylor_pairs_worth = gpu_taylor_pairs_worth();
  return settings;
}

/// direct::power_of_two_scale by several threads.
double scale_of(ScalarView charges, Threads& threads) {
  std::array<double, 64> largest{};
  const auto n = static_cast<Count>(charges.size());
  const Count chunk = std::max(chunk_size, (n + 63) / 64);
  threads.for_chunks(n, chunk, [&](Count begin, Count end) {
    double& most = largest[static_cast<std::size_t>(begin / chunk)];
    for (Count i = begin; i < end; ++i) most = std::max(most, std::abs(charges[static_cast<std::size_t>(i)]));
  });
  return direct::power_of_two_scale(ScalarView(largest));
}

}  // namespace

Evaluation::Evaluation(const FieldOptions& options, const fmm::Plan& plan, Device& device, Threads& threads)
    : options_(options),
      device_(device),
      threads_(threads),
      interactions_(make_device_interactions(device, tree_settings(options, plan, device.facts().kind))),
      orders_(plan.order),
      far_(device, plan.order, generated_orders(device.facts()), threads),
      near_pass_(device),
      program_(device.program({{"points.cl"}})),
      put_charges_(program_->kernel("put_charges")),
      put_vectors_(program_->kernel("put_vectors")),
      charges_(device),
      near_(device),
      sums_(device),
      given_(device),
      vectors_(device),
      near_products_(device),
      products_(device) {}

void Evaluation::place(VectorView sources) {
  own_ = true;
  sources_ = targets_ = sources;
  if (sources.empty()) return;
  interactions_->place(sources);
  make_room();
}

void Evaluation::place(VectorView sources, VectorView targets) {
  own_ = false;
  sources_ = sources, targets_ = targets;
  if (sources.empty() || targets.empty()) return;
  interactions_->place(sources, targets);
  make_room();
}

void Evaluation::make_room() {
  far_.make_room(interactions_->sources(), interactions_->targets(), interactions_->lists());
  if (has_taylor_pairs()) {
    if (!taylor_)
      taylor_ = std::make_unique<TaylorPasses>(device_, orders_, interactions_->lists().taylor_orders);
    taylor_->make_room(interactions_->sources(), interactions_->targets(), interactions_->lists());
  }
  charges_.resize(sources_.size());
  near_.resize(targets_.size());
  sums_.resize(targets_.size() + 1);
}

bool Evaluation::has_taylor_pairs() const {
  const DeviceLists& lists = interactions_->lists();
  return lists.far_begin.back() > lists.far_begin[static_cast<std::size_t>(orders_) + 1];
}

void Evaluation::upload_charges(ScalarView charges, double scale) {
  rounded_.resize(charges.size());
  for_vertices(
      threads_, charges.size(), [&](std::size_t i) { rounded_[i] = static_cast<float>(scale * charges[i]); },
      chunk_size);
  charges_.upload(rounded_);
  const DevicePoints& points = interactions_->sources().points;
  device_.launch(*put_charges_, groups_for(static_cast<Count>(points.count), put_charges_->lanes()),
                 static_cast<std::int32_t>(points.count), points.order, charges_, points.high);
}

/// If coordinates within X are rounded by 2⁻²⁵ X, K changes by at most 4√3 2⁻²⁵ X/ρ. A quarter of the
/// accuracy is allowed for that. Where this bound would make many leaves repeat their sums, compensated
/// differences are cheaper.
double Evaluation::closest_plain() const {
  const double closest = 7.0 * 0x1p-25 / (0.25 * accuracy_of(options_));
  constexpr double rarely_met = 1e-2;
  return closest <= rarely_met ? closest : std::numeric_limits<double>::infinity();
}

NearSettings Evaluation::near_settings() const {
  return {own_, softening(), closest_plain()};
}

/// Enqueues all passes. Nothing comes back between them.
void Evaluation::sum_on_device(ScalarView charges, double charge_scale) {
  DeviceTree &sources = interactions_->sources(), &targets = interactions_->targets();
  const DeviceLists& lists = interactions_->lists();
  const std::size_t n = targets_.size();
  upload_charges(charges, charge_scale);
  device_.fill(sums_.memory(), n * sizeof(Float4), sizeof(NearCounters), 0);
  far_.find_moments(sources);
  far_.find_locals(sources, targets, lists);
  near_pass_.sum(sources, targets, lists, near_settings(), near_, sums_, n);
  if (has_taylor_pairs()) {
    taylor_->find_moments(sources);
    taylor_->find_locals(sources, targets, lists, softening());
    taylor_->add_fields(targets, near_);
  }
  far_.evaluate(targets, near_, sums_);
}

/// Returns false if all passes must run again, with more room.
bool Evaluation::read_sums() {
  received_.resize(targets_.size() + 1);
  sums_.download(received_);
  counters_ = std::bit_cast<NearCounters>(received_.back());
  coincident_ = static_cast<Count>(counters_.coincident_high) << 32 | counters_.coincident_low;
  near_pass_.forget_close();
  if (counters_.close == 0 || too_many_close()) return true;
  return near_pass_.read_close(counters_.close);
}

void Evaluation::add_close_pairs(ScalarView charges, VectorSpan field, ScalarSpan potential) const {
  for (const Int2& pair : near_pass_.close()) {
    const auto i = static_cast<std::size_t>(pair.x), j = static_cast<std::size_t>(pair.y);
    const ExactSums sums =
        exact_pair(targets_[i], sources_[j], charges[j], options_.softening, Vec3{}, Vec3{});
    field[i] += options_.constant * sums.field;
    if (!potential.empty()) potential[i] += options_.constant * sums.potential;
  }
}

bool Evaluation::field(ScalarView charges, VectorSpan field, ScalarSpan potential) {
  coincident_ = 0;
  if (sources_.empty() || targets_.empty()) {
    std::fill(field.begin(), field.end(), Vec3{});
    std::fill(potential.begin(), potential.end(), 0.0);
    return true;
  }
  if (interactions_->lists().has_long_leaf) return false;
  const double charge_scale = scale_of(charges, threads_), length_scale = interactions_->frame().scale;
  do sum_on_device(charges, charge_scale);
  while (!read_sums());
  if (too_many_close()) return false;
  const double potential_unit = options_.constant * length_scale / charge_scale;
  const double field_unit = potential_unit * length_scale;
  for_vertices(
      threads_, targets_.size(),
      [&](std::size_t i) {
        const Float4& sum = received_[i];
        field[i] = field_unit * Vec3{sum.x, sum.y, sum.z};
        if (!potential.empty()) potential[i] = potential_unit * static_cast<double>(sum.w);
      },
      chunk_size);
  add_close_pairs(charges, field, potential);
  return true;
}

}  // namespace electret::gpu
