#include <optional>

#include <electret/core/direction.hpp>
#include <electret/scene/tables/cameras.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind camera_rotate =
    numbers_of_tracks<&Assembly::cameras, &CameraTrack::view, &Pinhole::rotate>();
constinit const NumberKind camera_translate =
    numbers_of_tracks<&Assembly::cameras, &CameraTrack::view, &Pinhole::translate>();
constinit const NumberKind camera_zoom =
    numbers_of_tracks<&Assembly::cameras, &CameraTrack::view, &Pinhole::zoom>();
}  // namespace number

namespace {

/// The sine of the smallest angle between where a camera looks and what is up.
constexpr double least_sine = 1e-6;

void check_camera(SceneChecking& checking, const CameraOptions& camera, const std::string& key) {
  checking.name(camera.name, key, "a camera", "two cameras", "names of cameras are unique");
  const auto is_direction = [&](const Vec3& direction, const char* name) {
    const std::string own = key + "." + name;
    if (checking.report.is_bad(own)) return false;
    if (direction != Vec3{}) return true;
    checking.add(own, in_quotes(name) + " = [0, 0, 0]", "allowed: a direction of any length but 0");
    return false;
  };
  const bool looks = is_direction(camera.towards, "towards"), stands = is_direction(camera.up, "up");
  if (looks && stands && norm(cross(direction_of(camera.towards), direction_of(camera.up))) < least_sine)
    checking.add(key + ".up", "\"up\" is along \"towards\", so that nothing says which way up the picture is",
                 "allowed: a direction across \"towards\", at least in part");
}

std::optional<CameraTrack> camera_track(Assembling&, const CameraOptions& camera, const std::string&) {
  return CameraTrack{"camera." + camera.name,
                     {camera_axes(camera.towards, camera.up), camera.position, camera.focal_length,
                      camera.rotate, camera.translate, camera.zoom}};
}

void check_camera_track(const Assembly&, const CameraTrack& track) {
  require_argument(track.view.focal_length > 0.0 && track.view.zoom > 0.0,
                   "assembly: a camera has no focal length or zoom above 0");
}

std::vector<SchemaRow> camera_rows() {
  using namespace schema;
  return {
      row<&CameraOptions::name>("name").required().says("Unique among cameras."),
      row<&CameraOptions::position>("position").unit("m").required().says("Where the camera is."),
      row<&CameraOptions::towards>("towards").required().says("Where it looks. Any length but 0."),
      row<&CameraOptions::up>("up").says(
          "What is up in its picture. Any length but 0, and not along `towards`."),
      row<&CameraOptions::focal_length>("focal_length")
          .unit("px")
          .above(0)
          .required()
          .says("Distance of the picture from the pinhole, in pixels."),
      row<&CameraOptions::rotate>("rotate").unit("degrees").says(
          "Turns what the camera sees about its axes to the right, up and back, one after the other, "
          "through the world's origin."),
      row<&CameraOptions::translate>("translate").unit("m").says("Then moves it to the right, up and back."),
      row<&CameraOptions::zoom>("zoom").above(0).says("Factor on the focal length.")};
}

}  // namespace

/// A camera does not determine a run, and is therefore no part of its identity.
SceneTable camera_table() {
  SceneTable table;
  table.schema = {.name = "camera",
                  .is_repeated = true,
                  .description =
                      "A pinhole camera that filmed the bodies, for the loss `pixels`. It acts on nothing. "
                      "`rotate`, `translate` and `zoom` correct what is known of it.",
                  .rows = camera_rows()};
  table.called = "camera.NAME";
  table.numbers = {{&number::camera_rotate, Per::own, {{"rotate", "Turns of what the camera sees."}}},
                   {&number::camera_translate, Per::own, {{"translate", "Shift of what the camera sees."}}},
                   {&number::camera_zoom, Per::own, {{"zoom", "Factor on the camera's focal length."}}}};
  table.name_of = name_of_track<&Assembly::cameras>;
  table.read = read_each<&Scene::cameras>;
  table.check = check_each<&Scene::cameras, check_camera>;
  table.assemble = add_each<&Scene::cameras, &Assembly::cameras, camera_track>;
  table.check_assembly = check_tracks<&Assembly::cameras, check_camera_track>;
  return table;
}

}  // namespace electret
