#pragma once
/// \file
/// Buffers for the tasks of a parallel loop.

#include <memory>
#include <mutex>
#include <vector>

namespace electret::ddef {

/// As many W as tasks ever ran at the same time. Their contents must not influence results. Allocates only if
/// more tasks run at once than ever before.
template <class W>
class Workspaces {
 public:
  /// Holds one workspace for its own lifetime.
  class Lease {
   public:
    explicit Lease(Workspaces& from) : from_(from) {
      const std::scoped_lock lock(from_.mutex_);
      if (from_.free_.empty()) {
        from_.all_.push_back(std::make_unique<W>());
        from_.free_.reserve(from_.all_.size());
        workspace_ = from_.all_.back().get();
      } else {
        workspace_ = from_.free_.back();
        from_.free_.pop_back();
      }
    }
    ~Lease() {
      const std::scoped_lock lock(from_.mutex_);
      from_.free_.push_back(workspace_);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    W& operator*() const { return *workspace_; }
    W* operator->() const { return workspace_; }

   private:
    Workspaces& from_;
    W* workspace_ = nullptr;
  };

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<W>> all_;
  std::vector<W*> free_;
};

}  // namespace electret::ddef
