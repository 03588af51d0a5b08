#include <new>

#include <cholmod.h>
#include <sys/mman.h>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/factorise.hpp>
#include <electret/linear/detail/library_threads.hpp>

namespace electret::detail {
namespace {

/// CHOLMOD's workspace and settings.
struct Workspace {
  cholmod_common common;
  Workspace() {
    cholmod_l_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.print = 0;
    common.error_handler = nullptr;
  }
  ~Workspace() { cholmod_l_finish(&common); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
};

/// A factor of CHOLMOD, kept alive as long as its values are.
struct Factor {
  Workspace workspace;
  cholmod_factor* factor = nullptr;
  ~Factor() { cholmod_l_free_factor(&factor, &workspace.common); }
};

/// `matrix` as CHOLMOD sees it, with the arrays of `matrix` itself.
cholmod_sparse view(LowerTriangle& matrix) {
  cholmod_sparse sparse{};
  sparse.nrow = sparse.ncol = static_cast<std::size_t>(matrix.size);
  sparse.nzmax = matrix.values.size();
  sparse.p = matrix.offsets.data();
  sparse.i = matrix.rows.data();
  sparse.x = matrix.values.data();
  sparse.stype = -1;
  sparse.itype = CHOLMOD_LONG;
  sparse.xtype = CHOLMOD_REAL;
  sparse.dtype = CHOLMOD_DOUBLE;
  sparse.sorted = 1;
  sparse.packed = 1;
  return sparse;
}

void require_memory(const cholmod_common& common) {
  if (common.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
}

/// Throws std::bad_alloc if the process may not have the memory that the numbers of `factor` take. OpenBLAS,
/// which CHOLMOD calls, asks for its buffer for ever if it is refused, so that it must not be refused.
void require_memory_of(const cholmod_factor& factor) {
  constexpr std::size_t blas_buffer = std::size_t{130} << 20U;
  constexpr std::size_t column_work = 6 * sizeof(double);
  const std::size_t bytes =
      sizeof(double) * (factor.xsize + factor.maxcsize) + column_work * factor.n + blas_buffer;
  void* room = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, bytes);
}

template <class To>
std::vector<To> converted(const void* from, std::size_t count) {
  const auto* first = static_cast<const SuiteSparse_long*>(from);
  std::vector<To> result(count);
  for (std::size_t k = 0; k < count; ++k) result[k] = static_cast<To>(first[k]);
  return result;
}

}  // namespace

PanelFactor factorise_by_cholmod(LowerTriangle& matrix) {
  const SingleThreadedBlas single;
  const WithoutOpenMpTeams serial;
  auto owner = std::make_shared<Factor>();
  cholmod_common& common = owner->workspace.common;
  cholmod_sparse sparse = view(matrix);
  owner->factor = cholmod_l_analyze(&sparse, &common);
  if (owner->factor == nullptr) throw std::bad_alloc();  // METIS does not say that it is short of memory.
  require_memory_of(*owner->factor);
  cholmod_l_factorize(&sparse, owner->factor, &common);
  require_memory(common);
  require(common.status == CHOLMOD_OK, "the system's matrix is not positive definite");
  const cholmod_factor& l = *owner->factor;
  require(l.is_super && l.is_ll, "CHOLMOD did not give a supernodal factor");

  PanelFactor factor;
  factor.permutation = converted<Index>(l.Perm, l.n);
  factor.first_column = converted<Index>(l.super, l.nsuper + 1);
  factor.row_offsets = converted<Count>(l.pi, l.nsuper + 1);
  factor.value_offsets = converted<Count>(l.px, l.nsuper + 1);
  factor.rows = converted<Index>(l.s, l.ssize);
  factor.values = std::shared_ptr<const double>(owner, static_cast<const double*>(l.x));
  factor.invert_diagonal();
  return factor;
}

}  // namespace electret::detail
