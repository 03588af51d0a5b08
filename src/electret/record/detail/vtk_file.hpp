#pragma once
/// \file
/// VTK's XML files: a text that says which arrays there are, followed by the arrays' bytes. Also the
/// collection of all frames' files.

#include <span>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/detail/export_writers.hpp>

namespace electret {

/// One piece of one file. It keeps views of the arrays, which must live until it is written.
class VtkFile {
 public:
  /// `type` is such as "PolyData", `counts` such as " NumberOfPoints=\"8\"".
  VtkFile(std::string type, const std::string& counts);

  void begin(const char* section);
  void end();
  /// `more` holds further attributes.
  template <class T>
  void array(const char* name, int components, std::span<const T> values, const char* more = "") {
    add(name, components, vtk_type<T>(), {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
        more);
  }
  void array(const char* name, VectorView vectors);
  /// Adds vectors in the run's precision; if `is_single`, they are float32.
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

/// Adds PointData, which are displacement from `rest` (m), velocity if it is stored, charge, mass and, if
/// they are stored, reactions of pins (N) and contact forces (N) with their states; then Points.
/// `displacement` holds numbers that must live until the file is written.
void add_points(VtkFile& file, const RunBody& body, FrameNumbers& numbers, bool is_single, VectorView rest,
                ScalarView masses, VectorArray& displacement);

/// Writes BODY.pvd for each body, with the times of its files. Their names end in `ending` (".vtu").
void write_collections(const ExportPlan& plan, ExportFolder& folder, const std::string& ending);

}  // namespace electret
