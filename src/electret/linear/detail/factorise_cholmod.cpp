#include <cholmod.h>

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

/// `matrix` as CHOLMOD sees it; its arrays are only lent.
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
  require(owner->factor != nullptr, "CHOLMOD could not analyse the system's matrix (out of memory?)");
  cholmod_l_factorize(&sparse, owner->factor, &common);
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
