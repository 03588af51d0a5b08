#include <algorithm>

#include <electret/field/gpu/direct/sums.hpp>

namespace electret::gpu {
namespace {

constexpr std::size_t lanes = 128;

/// The sources of one group of lanes. A few thousand groups fill every device, and the division depends on
/// the numbers of points alone, so that bits do not depend on the device's size.
std::size_t chunk_of(std::size_t targets, std::size_t sources) {
  constexpr std::size_t groups_wanted = 4096, least = 256;
  const std::size_t target_groups = Rows<float>::padded(targets) / lanes;
  const std::size_t parts = std::max<std::size_t>(1, groups_wanted / std::max<std::size_t>(1, target_groups));
  const std::size_t chunk = Rows<float>::padded((sources + parts - 1) / parts);
  return std::max(least, chunk);
}

/// The pairs of one launch. A desktop's watchdog ends a launch that takes too long, and a program that is to
/// stop waits for it: these take some 10 ms of a large card and 50 ms of a small one, whose float64 may have
/// a 64th of float32's rate. The bits do not depend on it.
std::size_t pairs_of_launch(const Facts& facts, bool products, bool float64) {
  const std::size_t pairs = facts.kind == Kind::discrete ? std::size_t{1} << 33 : std::size_t{1} << 30;
  return pairs / (products ? 2 : 1) / (float64 ? 32 : 1);
}

ProgramSource source_of(bool compensated, bool products, bool float64) {
  ProgramSource source{{"direct.cl"},
                       {{"COMPENSATED", compensated ? "1" : "0"}, {"PRODUCTS", products ? "1" : "0"}}};
  if (float64) source.defines.emplace_back("FLOAT64", "1");
  return source;
}

}  // namespace

template <class T>
DirectSums<T>::DirectSums(Device& device, DirectBuffers<T>& buffers, bool compensated, bool products)
    : device_(device),
      buffers_(buffers),
      compensated_(compensated),
      products_(products),
      pairs_a_launch_(pairs_of_launch(device.facts(), products, sizeof(T) == sizeof(double))),
      program_(device.program(source_of(compensated, products, sizeof(T) == sizeof(double)))),
      sum_(program_->kernel("direct")),
      add_parts_(program_->kernel("add_parts")) {}

template <class T>
void DirectSums<T>::run(const DirectTask<T>& task, T closest, std::size_t allowed, const ClosePairs& close) {
  const std::size_t padded = Rows<float>::padded(task.targets.count), groups = padded / lanes;
  const std::size_t chunk = chunk_of(task.targets.count, task.sources.count);
  const std::size_t parts = (task.sources.count + chunk - 1) / chunk;
  for (Array<Row4<T>>* sums : {&buffers_.partial, &buffers_.partial_errors}) sums->resize(parts * padded);
  for (Array<Row4<T>>* sums : {&buffers_.partial_products, &buffers_.partial_product_errors})
    sums->resize(products_ ? parts * padded : 0);
  buffers_.field.resize(padded);
  buffers_.product.resize(products_ ? padded : 0);
  const auto number = [](std::size_t n) { return static_cast<std::int32_t>(n); };
  const auto softening_squared = static_cast<T>(task.softening * task.softening);
  const auto& t = task.targets;
  const auto& s = task.sources;
  const std::size_t step = std::max(lanes, pairs_a_launch_ / std::max(lanes, parts * padded) / lanes * lanes);
  for (std::size_t from = 0; from < chunk; from += step) {
    const auto launch = [&](const auto&... sums_and_vectors) {
      device_.launch(*sum_, static_cast<Count>(parts * groups), t.points->high(), t.points->low(),
                     s.points->high(), s.points->low(), sums_and_vectors..., close.count(), number(allowed),
                     close.pairs(), close.capacity());
    };
    const std::int32_t begin = number(from), end = number(from + step), own = task.own;
    if (products_)
      launch(t.vectors->high(), t.vectors->low(), s.vectors->high(), s.vectors->low(),
             task.charges->numbers(), number(t.count), number(s.count), number(groups), number(chunk), begin,
             end, own, softening_squared, closest, buffers_.partial, buffers_.partial_errors,
             buffers_.partial_products, buffers_.partial_product_errors);
    else
      launch(task.charges->numbers(), number(t.count), number(s.count), number(groups), number(chunk), begin,
             end, own, softening_squared, closest, buffers_.partial, buffers_.partial_errors);
  }
  const auto add = [&](const Array<Row4<T>>& from, const Array<Row4<T>>& errors, const Array<Row4<T>>& to) {
    device_.launch(*add_parts_, static_cast<Count>(groups), from, errors, number(parts), number(padded), to);
  };
  add(buffers_.partial, buffers_.partial_errors, buffers_.field);
  if (products_) add(buffers_.partial_products, buffers_.partial_product_errors, buffers_.product);
}

template <class T>
bool DirectSums<T>::sum(const DirectTask<T>& task, T closest, ClosePairs& close, DirectResult<T>& result) {
  // Where many pairs are too close for plain differences, compensated ones cost less than the host.
  const bool last_resort = compensated_ || sizeof(T) == sizeof(double);
  const std::size_t most =
      last_resort ? ClosePairs::most
                  : std::max<std::size_t>(1024, std::max(task.targets.count, task.sources.count) / 8);
  auto read = ClosePairs::Read::complete;
  do {
    close.clear();
    run(task, closest, most, close);
    read = close.read(most);
  } while (read == ClosePairs::Read::grown);
  if (read == ClosePairs::Read::too_many) return false;
  result.field.resize(buffers_.field.size());
  buffers_.field.download(result.field);
  result.product.resize(buffers_.product.size());
  buffers_.product.download(result.product);
  return true;
}

template class DirectSums<float>;
template class DirectSums<double>;

}  // namespace electret::gpu
