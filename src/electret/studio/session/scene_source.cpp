#include <map>
#include <mutex>
#include <utility>

#include <electret/studio/session/scene_source.hpp>

namespace electret::studio {

Assembly SceneSource::assembled(const std::vector<std::string>& more, const Control& control) const {
  std::vector<std::string> all = overrides;
  all.insert(all.end(), more.begin(), more.end());
  return load_scene_text(text, file, folder, all, read, *meshes, control);
}

FileReader kept(FileReader read) {
  struct Files {
    std::mutex mutex;
    std::map<std::string, std::string> bytes;
  };
  return [read = std::move(read), files = std::make_shared<Files>()](const std::string& path) {
    const std::lock_guard lock(files->mutex);
    const auto found = files->bytes.find(path);
    return found != files->bytes.end() ? found->second : files->bytes.emplace(path, read(path)).first->second;
  };
}

}  // namespace electret::studio
