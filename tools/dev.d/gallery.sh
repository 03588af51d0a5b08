# ./dev gallery.

# dev_gallery [--data DIR] [NAME ...]: runs the scenes of docs/gallery.md, all or NAMEs, and draws their strips again; DIR has
# the meshes that Electret does not bring.
dev_gallery() {
  need build gallery
  forget_if_moved release
  is_configured release || configure release -DELECTRET_BUILD_TESTS=OFF
  compile release electret_command
  /usr/bin/python3 "$root/tools/gallery.py" "$root/build/release/bin/electret" "$@"
}
