#include <electret/dynamics/stage/preconditioning.hpp>

namespace electret {
namespace {

Preconditioning made_here(Preconditioning p) {
  p.made_at = MadeAt::here;
  p.fine_made_at = FineMadeAt::with_coarse;
  p.age = PreconditionerAge::young;
  return p;
}

Preconditioning clamped(Preconditioning p) {
  p.matrix = HessianKind::clamped;
  p.bounds = SmootherBounds::none;
  return made_here(p);
}

Preconditioning usable_here(Preconditioning p) {
  const bool is_multigrid = p.kind == PreconditionerKind::multigrid;
  if (!is_multigrid || p.made_at == MadeAt::nowhere || p.age == PreconditionerAge::old) return made_here(p);
  if (p.fine_made_at == FineMadeAt::nowhere) p.fine_made_at = FineMadeAt::with_coarse;
  if (p.age == PreconditionerAge::fine_old) p.fine_made_at = FineMadeAt::apart;
  p.age = PreconditionerAge::young;
  return p;
}

Preconditioning after_refusal(Preconditioning p, bool in_solve) {
  const bool is_multigrid = p.kind == PreconditionerKind::multigrid;
  if (is_multigrid && p.made_at != MadeAt::here) return made_here(p);
  if (in_solve && p.bounds == SmootherBounds::kept) {
    p.bounds = SmootherBounds::none;
    return made_here(p);
  }
  if (p.matrix == HessianKind::exact) return clamped(p);
  if (in_solve) p.kind = PreconditionerKind::block_jacobi;
  return p;
}

}  // namespace

Preconditioning next(Preconditioning now, PreconditioningEvent event) {
  switch (event) {
    case PreconditioningEvent::needed:
      return usable_here(now);
    case PreconditioningEvent::refused_matrix:
      return after_refusal(now, false);
    case PreconditioningEvent::refused_in_solve:
      return after_refusal(now, true);
    case PreconditioningEvent::unfinished:
      if (now.kind == PreconditionerKind::multigrid && now.made_at != MadeAt::here) return made_here(now);
      now.kind = PreconditionerKind::multigrid;
      return now;
  }
  return now;
}

bool is_made_anew(const Preconditioning& before, const Preconditioning& wanted) {
  return wanted.made_at != before.made_at || wanted.matrix != before.matrix ||
         wanted.bounds != before.bounds || before.age == PreconditionerAge::old;
}

}  // namespace electret
