
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/stage_operator.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {
namespace {

constexpr Count chunk = 512;

}  // namespace

BlockPattern hessian_pattern(const System& system) {
  std::vector<ElementList> lists;
  for (const auto& energy : system.elastic)
    lists.push_back({energy->elements().vertices_per_element(), energy->elements().connectivity()});
  return BlockPattern::of_elements(system.vertex_count(), lists);
}

StageOperator::StageOperator(System& system, double factor) : system_(system), factor_(factor) {
  for (const double m : system.masses()) masses32_.push_back(static_cast<float>(m));
}

void StageOperator::linearised() {
  map_ = nullptr;
  multiplied_.clear();
  by_rows_ = true;
  for (const auto& energy : system_.elastic) by_rows_ = energy->begin_row_products() && by_rows_;
}

void StageOperator::scale_by_masses(PaddedView32 d, PaddedSpan32 out, Count begin, Count end) const {
  for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
    for (int l = 0; l < 4; ++l) out[i].lane[l] = masses32_[i] * d[i].lane[l];
}

void StageOperator::multiply_rows(PaddedView32 d, PaddedSpan32 out, Count begin, Count end) const {
  scale_by_masses(d, out, begin, end);
  for (const auto& energy : system_.elastic)
    energy->add_hessian_product_rows(static_cast<float>(factor_), d, out, begin, end);
  if (added_ != nullptr) added_->add_product_rows(1.0F, d, out, begin, end);
}

void StageOperator::multiply(PaddedView32 d, PaddedSpan32 out) {
  const auto in_chunks = [&](auto&& body) { system_.threads->for_chunks(rows(), chunk, body); };
  if (by_rows_) return in_chunks([&](Count begin, Count end) { multiply_rows(d, out, begin, end); });
  if (map_ != nullptr) {
    map_->apply(d, out);
  } else {
    in_chunks([&](Count begin, Count end) { scale_by_masses(d, out, begin, end); });
    for (const auto& energy : system_.elastic)
      energy->add_hessian_product(static_cast<float>(factor_), d, out);
  }
  if (added_ != nullptr)
    in_chunks([&](Count begin, Count end) { added_->add_product_rows(1.0F, d, out, begin, end); });
}

void StageOperator::take_elastic_product(VectorView d) {
  multiplied_.assign(d.begin(), d.end());
  elastic_.resize(d.size());
  set_zero(*system_.threads, elastic_);
  for (const auto& energy : system_.elastic) energy->add_hessian_product(d, elastic_);
}

void StageOperator::multiply(VectorView d, VectorSpan out) {
  if (!same_bits(*system_.threads, d, multiplied_)) take_elastic_product(d);
  for_vertices(*system_.threads, d.size(),
               [&](std::size_t i) { out[i] = system_.masses()[i] * d[i] + factor_ * elastic_[i]; });
  if (added_ != nullptr) added_->add_product(*system_.threads, d, out);
}

}  // namespace electret
