#include <bit>
#include <utility>

#include <electret/record/detail/files.hpp>
#include <electret/record/detail/markup.hpp>
#include <electret/record/detail/vtk_file.hpp>

namespace electret {
namespace {

constexpr const char* prolog = "<?xml version=\"1.0\"?>\n<VTKFile type=\"";

}  // namespace

VtkFile::VtkFile(std::string type, const std::string& counts) : type_(std::move(type)) {
  text_ = prolog + type_ + "\" version=\"1.0\" byte_order=\"" +
          (std::endian::native == std::endian::big ? "BigEndian" : "LittleEndian") +
          "\" header_type=\"UInt64\">\n<" + type_ + ">\n<Piece" + counts + ">\n";
}

void VtkFile::begin(const char* section) {
  section_ = section;
  text_ += "<" + section_ + ">\n";
}

void VtkFile::end() {
  text_ += "</" + section_ + ">\n";
}

void VtkFile::add(const char* name, int components, const char* type, std::string_view bytes,
                  const char* more) {
  text_ += "<DataArray type=\"" + std::string(type) + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
           std::to_string(components) + "\"" + more + " format=\"appended\" offset=\"" +
           std::to_string(offset_) + "\"/>\n";
  arrays_.push_back(bytes);
  offset_ += sizeof(std::uint64_t) + bytes.size();
}

void VtkFile::array(const char* name, VectorView vectors) {
  array(name, 3, std::span<const double>(&vectors.data()->x, 3 * vectors.size()));
}

void VtkFile::stored(const char* name, VectorView vectors, bool is_single) {
  if (!is_single) return array(name, vectors);
  auto& singles = singles_.emplace_back();
  singles.reserve(3 * vectors.size());
  for (const Vec3& v : vectors)
    for (int axis = 0; axis < 3; ++axis) singles.push_back(static_cast<float>(v[axis]));
  array(name, 3, std::span<const float>(singles));
}

void VtkFile::write(const std::string& path) {
  OutputFile file(path);
  file.write(text_ + "</Piece>\n</" + type_ + ">\n<AppendedData encoding=\"raw\">\n_");
  for (const std::string_view bytes : arrays_) {
    file.write(static_cast<std::uint64_t>(bytes.size()), std::endian::native);
    file.write(bytes);
  }
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.close();
}

void add_points(VtkFile& file, const RunBody& body, FrameNumbers& numbers, bool is_single, VectorView rest,
                ScalarView masses, VectorArray& displacement) {
  const VectorView own = body.own(numbers.positions());
  displacement.assign(own.begin(), own.end());
  for (std::size_t i = 0; i < displacement.size(); ++i) displacement[i] -= rest[i];
  file.begin("PointData");
  file.array("displacement", displacement);
  if (!numbers.velocities().empty()) file.stored("velocity", body.own(numbers.velocities()), is_single);
  file.array("charge", 1, body.own(numbers.charges()));
  file.array("mass", 1, masses);
  if (!numbers.pin_reactions().empty()) file.array("pin_reaction", body.own(numbers.pin_reactions()));
  if (const VertexContacts& contacts = numbers.contacts(); !contacts.forces.empty()) {
    file.array("contact_force", body.own(contacts.forces));
    file.array("contact_state", 1,
               std::span<const std::uint8_t>(contacts.states).subspan(body.first, body.count));
  }
  if (!numbers.pair_forces().empty()) file.array("body_contact_force", body.own(numbers.pair_forces()));
  file.end();
  file.begin("Points");
  file.stored("Points", own, is_single);
  file.end();
}

void write_collections(const ExportPlan& plan, ExportFolder& folder, const std::string& ending) {
  for (const RunBody& body : plan.bodies) {
    OutputFile file(folder.path(body.file_name + ".pvd"));
    file.write(prolog + std::string("Collection\" version=\"0.1\">\n<Collection>\n"));
    for (std::size_t k = 0; k < plan.frames.size(); ++k) {
      std::string text = "<DataSet timestep=\"";
      append_number(text, plan.times[k]);
      file.write(text + "\" part=\"0\" file=\"" + marked_up(plan.file_name(body, k, ending)) + "\"/>\n");
    }
    file.write("</Collection>\n</VTKFile>\n");
    file.close();
  }
}

}  // namespace electret
