#include <algorithm>
#include <cctype>
#include <cstddef>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/field/gpu/crossover.hpp>
#include <electret/field/gpu/limits.hpp>
#include <electret/field/gpu/placement.hpp>
#include <electret/field/gpu/self_test.hpp>

namespace electret::gpu {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string solver_on(Kind kind, const FieldOptions& options, Count charges) {
  if (options.solver != "auto") return options.solver;
  return charges < fmm_crossover(kind, options) ? "direct" : "fmm";
}

/// The first device if it is a discrete GPU that can be used.
std::optional<Facts> first_discrete() {
  const auto all = devices();
  if (all.empty() || all.front().facts.kind != Kind::discrete || !all.front().unusable.empty())
    return std::nullopt;
  return all.front().facts;
}

Placement automatic(const FieldOptions& options, Count charges) {
  Placement on_cpu{
      .device = {}, .solver = {}, .why = "auto takes a GPU only where measurements say that it is faster"};
  const std::optional<Count> least = auto_crossover(options);
  if (!least || charges < *least) return on_cpu;
  // Nobody asked for a GPU: whatever forbids one leaves the field to the CPU, and the reason is told.
  try {
    const std::optional<Facts> device = first_discrete();
    if (!device) return on_cpu;
    Placement there{"gpu", device, solver_on(device->kind, options, charges),
                    "auto takes a discrete GPU for " + std::to_string(*least) + " charges or more, here " +
                        std::to_string(charges)};
    check_limits(there.solver, options, charges, *device);
    require_self_test(there.name);
    return there;
  } catch (const InputError& error) {
    on_cpu.why = "auto would take a GPU, but " + error.findings().front().message;
  } catch (const DeviceError& error) {
    on_cpu.why = std::string("auto would take a GPU, but ") + error.what();
  }
  return on_cpu;
}

}  // namespace

Placement placement(const FieldOptions& options, Count charges) {
  if (options.device == "auto") return automatic(options, charges);
  if (!asks_for_gpu(options.device)) return {.device = {}, .solver = {}, .why = "requested"};
  const Facts facts = device_facts(options.device);
  Placement there{options.device, facts, solver_on(facts.kind, options, charges),
                  "requested by device = " + in_quotes(options.device)};
  check_limits(there.solver, options, charges, facts);
  return there;
}

bool is_named(const Facts& facts, std::string_view part) {
  const std::string wanted = lower(part);
  return lower(facts.name).find(wanted) != std::string::npos ||
         lower(facts.platform).find(wanted) != std::string::npos;
}

std::string choice_of(const std::vector<Listed>& all, std::size_t k) {
  const std::string& name = all[k].facts.name;
  const auto same = 1 + std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k),
                                      [&](const Listed& each) { return is_named(each.facts, name); });
  return "gpu:" + name + (same > 1 ? "#" + std::to_string(same) : "");
}

bool is_first_gpu(const std::vector<Listed>& all, std::size_t k) {
  return all[k].facts.kind != Kind::processor &&
         std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k),
                      [](const Listed& each) { return each.facts.kind != Kind::processor; });
}

std::string device_text(const Facts& facts) {
  return facts.name + " (" + facts.platform + ", driver " + facts.driver + ")";
}

}  // namespace electret::gpu
