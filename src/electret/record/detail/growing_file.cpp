#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <electret/record/detail/growing_file.hpp>
#include <electret/record/detail/hdf5_driver.hpp>

namespace electret::hdf5 {
namespace {

/// HDF5 sees the base; the rest belongs to this driver.
struct GrowingFile {
  H5FD_t base{};
  int descriptor = -1;
  haddr_t end_of_allocation = 0;

  static GrowingFile& self(H5FD_t* file) { return *reinterpret_cast<GrowingFile*>(file); }
  static const GrowingFile& self(const H5FD_t* file) { return *reinterpret_cast<const GrowingFile*>(file); }

  /// The length now, bytes.
  [[nodiscard]] haddr_t length() const {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 ? static_cast<haddr_t>(status.st_size) : 0;
  }

  static H5FD_t* open(const char* name, unsigned flags, hid_t, haddr_t maximum) {
    if ((flags & (H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_CREAT)) != 0) return nullptr;
    const int descriptor = ::open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return nullptr;
    auto* file = new GrowingFile;
    file->descriptor = descriptor;
    file->base.maxaddr = maximum;
    return &file->base;
  }

  static herr_t close(H5FD_t* file) {
    ::close(self(file).descriptor);
    delete &self(file);
    return 0;
  }

  static herr_t query(const H5FD_t*, unsigned long* flags) {
    if (flags != nullptr) *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
  }

  static haddr_t allocated(const H5FD_t* file, H5FD_mem_t) {
    return std::max(self(file).end_of_allocation, self(file).length());
  }

  static herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
    self(file).end_of_allocation = address;
    return 0;
  }

  static haddr_t end(const H5FD_t* file, H5FD_mem_t) { return self(file).length(); }

  /// Bytes beyond the file's end are zeros.
  static herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
    auto* bytes = static_cast<unsigned char*>(buffer);
    std::size_t done = 0;
    while (done < size) {
      const ssize_t got =
          ::pread(self(file).descriptor, bytes + done, size - done, static_cast<off_t>(address + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return -1;
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    std::memset(bytes + done, 0, size - done);
    return 0;
  }

  /// HDF5 takes no driver without this function.
  static herr_t write(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, const void*) { return -1; }

  static H5FD_class_t driver() {
    H5FD_class_t type{};
    name_driver(type, "electret_growing", 601);
    type.open = open;
    type.close = close;  // Without a comparison, no two open files are the same one.
    type.query = query;
    type.get_eoa = allocated;
    type.set_eoa = set_allocated;
    type.get_eof = end;
    type.read = read;
    type.write = write;
    return type;
  }
};

/// The driver as HDF5 knows it. It must outlive every file that is open, and so is never given back.
hid_t growing_driver() {
  static const H5FD_class_t type = GrowingFile::driver();
  static hid_t known = H5I_INVALID_HID;
  if (H5Iget_type(known) != H5I_VFL) known = H5FDregister(&type);  // HDF5 may have been ended meanwhile.
  return known;
}

}  // namespace

Handle growing_file_access() {
  const Quiet quiet;
  const hid_t driver = growing_driver();
  check(driver, "HDF5 does not take the file driver");
  Handle access(H5Pcreate(H5P_FILE_ACCESS));
  check(H5Pset_driver(access.get(), driver, nullptr), "HDF5 does not take the file driver");
  return access;
}

}  // namespace electret::hdf5
