#include <electret/core/version.hpp>
#include <electret/field/gpu/cache_files.hpp>
#include <electret/field/gpu/kernel_texts.hpp>
#include <electret/field/gpu/verdicts.hpp>

namespace electret::gpu {
namespace {

std::string path_of(const std::string& key) {
  const std::string folder = kernel_cache_folder();
  return folder.empty() ? folder : folder + "/passed-" + hash_of(key) + ".txt";
}

}  // namespace

std::string verdict_key(const Facts& facts) {
  std::string texts;
  for (const EmbeddedText* text = embedded_texts_begin(); text != embedded_texts_end(); ++text)
    texts += kernel_text(text->file);
  return device_key(facts) + electret::version + '\n' + hash_of(texts) + '\n';
}

bool was_passed(const std::string& key) {
  const std::string path = path_of(key);
  return !path.empty() && read_cache_file(path) == key;
}

void keep_passed(const std::string& key) {
  const std::string path = path_of(key);
  if (!path.empty()) write_cache_file(path, key);
}

}  // namespace electret::gpu
