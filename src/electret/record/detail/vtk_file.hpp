#pragma once
/// \file
/// VTK's XML files: a text that says which arrays there are, and the arrays' bytes behind it; and the
/// collection of the files of all frames.

#include <span>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/detail/export_writers.hpp>

namespace electret {

/// One piece of one file. Arrays are viewed until it is written.
class VtkFile {
 public:
  /// `type` as "PolyData"; `counts` as " NumberOfPoints=\"8\"".
  VtkFile(std::string type, const std::string& counts);

  void begin(const char* section);
  void end();
  /// `more`: further attributes.
  template <class T>
  void array(const char* name, int components, std::span<const T> values, const char* more = "") {
    add(name, components, vtk_type<T>(), {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
        more);
  }
  void array(const char* name, VectorView vectors);
  /// In the run's precision, which float32 numbers have.
  void stored(const char* name, VectorView vectors, bool is_single);

  void write(const std::string& path);

 private:
  template <class T>
  static const char* vtk_type();
  void add(const char* name, int components, const char* type, std::string_view bytes, const char* more);

  std::string type_, text_, section_;
  std::vector<std::string_view> arrays_;
  std::vector<std::vector<float>> singles_;
  std::uint64_t offset_ = 0;
};

template <>
inline const char* VtkFile::vtk_type<double>() {
  return "Float64";
}
template <>
inline const char* VtkFile::vtk_type<float>() {
  return "Float32";
}
template <>
inline const char* VtkFile::vtk_type<std::int32_t>() {
  return "Int32";
}
template <>
inline const char* VtkFile::vtk_type<std::int64_t>() {
  return "Int64";
}
template <>
inline const char* VtkFile::vtk_type<std::uint8_t>() {
  return "UInt8";
}

/// Displacement from `rest`, m, velocity where it is stored, charge and mass, as PointData; then Points.
/// `displacement` keeps its numbers until the file is written.
void add_points(VtkFile& file, const RunBody& body, FrameNumbers& numbers, bool is_single, VectorView rest,
                ScalarView masses, VectorArray& displacement);

/// BODY.pvd of each body: the times of its files, whose names end in `ending` (".vtu").
void write_collections(const ExportPlan& plan, const ExportFolder& folder, const std::string& ending);

}  // namespace electret
