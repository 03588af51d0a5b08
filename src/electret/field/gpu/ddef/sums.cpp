#include <algorithm>
#include <bit>
#include <cmath>

#include <electret/field/gpu/ddef/sums.hpp>

namespace electret::gpu {
namespace {

/// As many meshes as the discretisation keeps.
constexpr std::size_t most_meshes = 4;
/// Far pairs at a smaller ρ² (scaled) are summed again with compensated differences: the CPU's limit of
/// float32.
constexpr float closest_far = 1e-6F;
/// The same of near pairs, relative to the squared radius of the near set.
constexpr float closest_near = 1e-6F;
/// The bits of a place: a coordinate of 1 is 2^62.
constexpr int most_units = 62;

template <class I>
std::size_t at(I i) {
  return static_cast<std::size_t>(i);
}

/// The pairs of one launch: some milliseconds, so that no desktop's watchdog ends it. The bits do not depend
/// on it.
Count pairs_of_launch(const Facts& facts) {
  return facts.kind == Kind::discrete ? Count{1} << 33 : Count{1} << 31;
}

std::size_t quads(const DdefArithmetic& arithmetic) {
  return arithmetic.gradients ? 3 : 1;
}

/// The number times 2^units, modulo 2^64. What is below 1 is dropped, as the kernel does.
std::int64_t place_of(double x, int units) {
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 2047);
  const std::uint64_t digits = (bits & fraction) | (exponent ? fraction + 1 : 0);
  const int shift = (exponent ? exponent : 1) - 1075 + units;
  std::uint64_t place = 0;
  if (shift >= 0 && shift < 64) place = digits << shift;
  if (shift < 0 && shift > -64) place = digits >> -shift;
  return static_cast<std::int64_t>(bits >> 63 ? 0 - place : place);
}

/// The bits of places that the box needs: its corners are within 2^63.
int units_of(const ddef::Discretisation& d) {
  const Vec3 low = d.box().low - d.centre(), high = low + d.box().size;
  const double furthest = std::max({-low.x, -low.y, -low.z, high.x, high.y, high.z, 1.0});
  return std::isfinite(furthest) ? most_units - std::ilogb(furthest) : most_units;
}

void upload_axes(Array<double>& to, Count first, Count stride, const ddef::Arrays<double>& from,
                 Count count) {
  const std::vector<double>* const axes[] = {&from.x, &from.y, &from.z};
  for (Count axis = 0; axis < 3; ++axis)
    to.upload(std::span(*axes[axis]).first(at(count)), at(axis * stride + first));
}

}  // namespace

DdefSums::DeviceMesh::DeviceMesh(Device& device, const ddef::Mesh& mesh)
    : tables(mesh),
      corners(device),
      mask_rows(device),
      near_begin(device),
      near(device),
      masks(device),
      geometry(device),
      seen_begin(device),
      seen(device),
      around_begin(device),
      around(device) {
  corners.assign(tables.corners);
  mask_rows.assign(tables.mask_rows);
  near_begin.assign(tables.near_begin);
  near.assign(tables.near);
  masks.assign(tables.masks);
  geometry.assign(tables.geometry);
}

DdefSums::DdefSums(Device& device, const DdefArithmetic& arithmetic)
    : device_(device),
      arithmetic_(arithmetic),
      pairs_a_launch_(pairs_of_launch(device.facts())),
      coordinates_(device),
      high_(device),
      low_(device),
      places_(device),
      tetrahedra_(device),
      first_source_(device),
      order_(device),
      part_begin_(device),
      charges_(device),
      frame_(device),
      tiles_(device),
      near_groups_(device),
      part_sums_(device),
      far_(device),
      out_(device),
      corner_fields_(device),
      coincident_(device, 2),
      close_(device) {
  const auto points = device.program({{"ddef_points.cl"}});
  const auto sums = device.program(
      {{"ddef_pairs.cl", "ddef_interpolation.cl", "ddef_far.cl", "ddef_lists.cl", "ddef_near.cl"},
       {{"COMPENSATED", arithmetic.compensated ? "1" : "0"}, {"TAYLOR", arithmetic.gradients ? "1" : "0"}}});
  place_ = points->kernel("ddef_place");
  charge_ = points->kernel("ddef_charges");
  far_kernel_ = sums->kernel("ddef_far");
  add_parts_ = sums->kernel("ddef_add_parts");
  near_kernel_ = sums->kernel("ddef_near");
}

/// A mesh is a function of m and the box's aspect alone.
void DdefSums::choose_mesh(const ddef::Mesh& mesh) {
  const auto known = std::find_if(meshes_.begin(), meshes_.end(), [&](const auto& m) {
    return m->tables.grid_points == mesh.tessellation.grid_points &&
           m->tables.aspect == mesh.tessellation.aspect;
  });
  if (known != meshes_.end()) {
    std::rotate(meshes_.begin(), known, known + 1);
    return;
  }
  if (meshes_.size() == most_meshes) meshes_.pop_back();
  meshes_.insert(meshes_.begin(), std::make_unique<DeviceMesh>(device_, mesh));
}

void DdefSums::place(const ddef::Discretisation& d, Threads& threads) {
  choose_mesh(d.mesh());
  sources_ = static_cast<Index>(d.sources().size());
  targets_ = static_cast<Index>(d.targets().size());
  first_target_ = d.own() ? 0 : sources_;
  first_vertex_ = first_target_ + targets_;
  points_ = first_vertex_ + static_cast<Index>(tables().vertices.size());

  const auto tetrahedra = static_cast<Index>(d.mesh().tessellation.size());
  first_.resize(at(tetrahedra) + 1);
  for (Index t = 0; t < tetrahedra; ++t) first_[at(t)] = static_cast<Index>(d.sources().begin(t));
  first_.back() = sources_;
  first_source_.assign(first_);
  far_tiles_.cut(d.sources(), tetrahedra);
  tiles_.assign(far_tiles_.tiles);
  part_begin_.assign(far_tiles_.part_begin);
  groups_.cut(d, threads);
  near_groups_.assign(groups_.groups);
  order_.assign(d.targets().order());
  place_points(d);
}

void DdefSums::place_points(const ddef::Discretisation& d) {
  const auto grid = static_cast<Count>(tables().vertices.size());
  grid_.resize(grid);
  for (Count k = 0; k < grid; ++k) grid_.set(k, d.grid().at(tables().vertices[at(k)]));
  coordinates_.resize(3 * at(points_));
  upload_axes(coordinates_, 0, points_, d.sources().coordinates(), sources_);
  if (!d.own()) upload_axes(coordinates_, first_target_, points_, d.targets().coordinates(), targets_);
  upload_axes(coordinates_, first_vertex_, points_, grid_, grid);

  const int units = units_of(d);
  set_frame(d, units);
  high_.resize(at(points_));
  low_.resize(at(points_));
  places_.resize(3 * at(points_));
  tetrahedra_.resize(at(sources_));
  const Vec3& centre = d.centre();
  device_.launch(*place_, groups_for(points_, place_->lanes()), coordinates_, points_, points_,
                 place_of(centre.x, units), place_of(centre.y, units), place_of(centre.z, units), units,
                 static_cast<float>(std::ldexp(1.0, -units)), first_source_,
                 static_cast<Index>(first_.size()) - 1, sources_, high_, low_, places_, tetrahedra_);
}

/// What kernels/ddef_pairs.cl says of a frame.
void DdefSums::set_frame(const ddef::Discretisation& d, int units) {
  const Vec3& size = d.box().size;
  const double softening = d.softening_squared();
  const double most = 1e37;
  float frame[16] = {};
  for (int axis = 0; axis < 3; ++axis) {
    const double inverse = 1.0 / size[axis];
    const volatile auto high = static_cast<float>(inverse);
    frame[axis] = high;
    frame[3 + axis] = static_cast<float>(inverse - static_cast<double>(high));
    frame[6 + axis] = static_cast<float>(size[axis]);
  }
  frame[9] = static_cast<float>(softening);
  frame[10] = static_cast<float>(std::min(std::ldexp(softening, 2 * units), most));
  // Only a softening of 0 is 0 there: the least normal number is far below what places resolve.
  if (d.softening() > 0.0) frame[10] = std::max(frame[10], std::numeric_limits<float>::min());
  frame[11] = static_cast<float>(std::ldexp(1.0, units));
  frame[12] = exact_below_;
  frame[13] = closest_far;
  frame[14] = closest_near;
  frame[15] = static_cast<float>(std::ldexp(1.0, -units));
  frame_.assign(frame);
}

void DdefSums::set_charges(const ddef::SortedCharges& charges) {
  charges_.assign(std::span(charges.float32).first(at(sources_)));
  device_.launch(*charge_, groups_for(sources_, charge_->lanes()), charges_, sources_, high_);
}

void DdefSums::sum_far() {
  const DeviceMesh& mesh = *meshes_.front();
  const Index padded = padded_vertices(), blocks = tables().blocks;
  part_sums_.resize(2 * quads(arithmetic_) * at(parts()) * at(padded));
  far_.resize(2 * quads(arithmetic_) * at(padded));
  const Count pairs_a_part = Count{padded} * sources_ / parts();
  in_launches(
      parts(), pairs_a_launch_, [&](Count) { return pairs_a_part; },
      [&](Index first, Index end) {
        device_.launch(*far_kernel_, Count{blocks} * (end - first), high_, low_, places_, coordinates_,
                       points_, frame_, tetrahedra_, tiles_, part_begin_, parts(), mesh.mask_rows, mesh.masks,
                       tables().chunks, first_vertex_, static_cast<Index>(tables().vertices.size()), blocks,
                       first, part_sums_);
      });
  device_.launch(*add_parts_, static_cast<Count>(quads(arithmetic_)) * (padded / add_parts_->lanes()),
                 part_sums_, parts(), padded, far_);
}

std::optional<Count> DdefSums::evaluate(bool near_only, std::span<Float4> out) {
  const DeviceMesh& mesh = *meshes_.front();
  out_.resize(at(targets_));
  far_.resize(2 * quads(arithmetic_) * at(padded_vertices()));
  corner_fields_.resize(tables().corners.size() * (arithmetic_.gradients ? 10 : 4));
  auto read = ClosePairs::Read::grown;
  while (read == ClosePairs::Read::grown) {
    coincident_.fill(0);
    close_.clear();
    in_launches(
        static_cast<Count>(groups_.groups.size()), pairs_a_launch_,
        [&](Count k) { return groups_.pairs[at(k)]; },
        [&](Index first, Index end) {
          device_.launch(*near_kernel_, end - first, high_, low_, places_, coordinates_, points_, frame_,
                         near_groups_, first, first_source_, mesh.near_begin, mesh.near, mesh.corners,
                         mesh.geometry, far_, padded_vertices(), order_, sources_, first_target_,
                         first_vertex_, near_only ? 1 : 0, out_, corner_fields_, coincident_, close_.count(),
                         close_.pairs(), close_.capacity());
        });
    read = close_.read();
  }
  if (read == ClosePairs::Read::too_many) return {};
  out_.download(out);
  std::uint32_t words[2] = {};
  coincident_.download(words);
  return static_cast<Count>(words[1]) << 32 | static_cast<Count>(words[0]);
}

void DdefSums::DeviceMesh::add_products(const ddef::Mesh& mesh) {
  if (has_products) return;
  const ProductTables more(mesh, tables);
  seen_begin.assign(more.seen_begin);
  seen.assign(more.seen);
  around_begin.assign(more.around_begin);
  around.assign(more.around);
  has_products = true;
}

DdefSums::ProductSums::ProductSums(Device& device, const DdefArithmetic& arithmetic)
    : components(device),
      high(device),
      low(device),
      weights(device),
      totals(device),
      far_sums(device),
      out(device),
      close(device) {
  vectors = device.program({{"ddef_points.cl"}})->kernel("ddef_vectors");
  const auto sums =
      device.program({{"ddef_pairs.cl", "ddef_interpolation.cl", "ddef_lists.cl", "ddef_weights.cl",
                       "ddef_product_pairs.cl", "ddef_far_products.cl", "ddef_near_products.cl"},
                      {{"COMPENSATED", "1"}, {"TAYLOR", arithmetic.gradients ? "1" : "0"}}});
  spread = sums->kernel("ddef_spread");
  total_weights = sums->kernel("ddef_total_weights");
  far = sums->kernel("ddef_far_products");
  near = sums->kernel("ddef_near_products");
}

/// Copies z to the device, spreads it to the vertices, and adds up what they have.
void DdefSums::spread_vectors(const DeviceMesh& m, const ddef::Arrays<double>& z) {
  ProductSums& p = *products_;
  const std::size_t corners = tables().corners.size(), vertices = tables().vertices.size();
  p.components.resize(3 * at(sources_));
  p.high.resize(at(sources_));
  p.low.resize(at(sources_));
  p.weights.resize(quads(arithmetic_) * corners);
  p.totals.resize(quads(arithmetic_) * vertices);
  upload_axes(p.components, 0, sources_, z, sources_);
  device_.launch(*p.vectors, groups_for(sources_, p.vectors->lanes()), p.components, sources_, most_units - 1,
                 static_cast<float>(std::ldexp(1.0, 1 - most_units)), p.high, p.low);
  device_.launch(*p.spread, groups_for(static_cast<Count>(corners), p.spread->lanes()), high_, low_, places_,
                 coordinates_, points_, frame_, first_source_, m.corners, m.geometry, p.high, first_vertex_,
                 static_cast<Index>(corners / 4), p.weights);
  device_.launch(*p.total_weights, groups_for(static_cast<Count>(vertices), p.total_weights->lanes()),
                 m.around_begin, m.around, static_cast<Index>(vertices), p.weights, p.totals);
}

bool DdefSums::products(const ddef::Mesh& mesh, const ddef::Arrays<double>& z, std::span<Float4> out) {
  DeviceMesh& m = *meshes_.front();
  m.add_products(mesh);
  if (!products_) products_ = std::make_unique<ProductSums>(device_, arithmetic_);
  spread_vectors(m, z);
  ProductSums& p = *products_;
  p.far_sums.resize(2 * at(sources_));
  p.out.resize(at(sources_));
  const Count pairs_a_tile = Count{ddef_tile} * static_cast<Count>(tables().vertices.size());
  in_launches(
      static_cast<Count>(far_tiles_.tiles.size()), pairs_a_launch_, [&](Count) { return pairs_a_tile; },
      [&](Index first, Index end) {
        device_.launch(*p.far, end - first, high_, low_, places_, coordinates_, points_, frame_, tetrahedra_,
                       tiles_, first, m.mask_rows, m.masks, tables().chunks, first_vertex_,
                       static_cast<Index>(tables().vertices.size()), p.totals, p.far_sums);
      });
  auto read = ClosePairs::Read::grown;
  while (read == ClosePairs::Read::grown) {
    p.close.clear();
    in_launches(
        static_cast<Count>(groups_.groups.size()), pairs_a_launch_,
        [&](Count k) { return 2 * groups_.pairs[at(k)]; },
        [&](Index first, Index end) {
          device_.launch(*p.near, end - first, high_, low_, places_, coordinates_, points_, frame_,
                         near_groups_, first, first_source_, m.near_begin, m.near, m.seen_begin, m.seen,
                         m.corners, m.geometry, corner_fields_, p.high, p.low, p.weights, p.far_sums, order_,
                         sources_, first_vertex_, p.out, p.close.count(), p.close.pairs(),
                         p.close.capacity());
        });
    read = p.close.read();
  }
  p.out.download(out);
  return read == ClosePairs::Read::complete;
}

std::vector<ddef::VertexSums> DdefSums::far_sums() const {
  const std::vector<Float4> far = far_.downloaded();
  const std::size_t padded = at(padded_vertices());
  const auto sum = [&](std::size_t quad, std::size_t k, float Float4::*part) {
    return static_cast<double>(far[2 * quad * padded + k].*part) +
           static_cast<double>(far[(2 * quad + 1) * padded + k].*part);
  };
  std::vector<ddef::VertexSums> result(tables().vertices.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    ddef::VertexSums& v = result[at(tables().vertices[k])];
    v.vector = {sum(0, k, &Float4::x), sum(0, k, &Float4::y), sum(0, k, &Float4::z)};
    v.scalar = sum(0, k, &Float4::w);
    if (!arithmetic_.gradients) continue;
    float Float4::*const parts[] = {&Float4::x, &Float4::y, &Float4::z, &Float4::w};
    for (std::size_t c = 0; c < ddef::symmetric_size; ++c) v.gradient[c] = sum(1 + c / 4, k, parts[c % 4]);
  }
  return result;
}

}  // namespace electret::gpu
