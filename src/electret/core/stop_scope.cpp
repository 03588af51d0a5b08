#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/stop_scope.hpp>

namespace electret {
namespace {

thread_local const StopScope* innermost = nullptr;

}  // namespace

StopScope::StopScope(std::stop_token token)
    : token_(std::move(token)), outer_(std::exchange(innermost, this)) {}

StopScope::~StopScope() {
  innermost = outer_;
}

void throw_if_stopped() {
  for (const StopScope* scope = innermost; scope != nullptr; scope = scope->outer_)
    if (scope->token_.stop_requested()) throw Cancelled();
}

}  // namespace electret
