#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/hdf5_driver.hpp>
#include <electret/record/detail/ordered_file.hpp>

namespace electret::hdf5 {
namespace {

struct Block {
  H5FD_mem_t type = H5FD_MEM_DEFAULT;
  std::vector<unsigned char> bytes;
};

/// HDF5 sees the base; the rest belongs to this driver.
struct Driver {
  H5FD_t base{};
  int descriptor = -1;
  haddr_t end_of_allocation = 0;
  haddr_t committed_end = 0;  ///< End of allocation at the last commit; blocks beyond it are new.
  haddr_t file_size = 0;
  dev_t device{};
  ino_t inode{};
  OrderedFileControl* control = nullptr;
  std::map<haddr_t, Block> pending;
};

Driver& self(H5FD_t* file) {
  return *reinterpret_cast<Driver*>(file);
}
const Driver& self(const H5FD_t* file) {
  return *reinterpret_cast<const Driver*>(file);
}

/// Notes why a write failed. Nothing is written from then on, because what comes later in the order must not
/// be written without what comes before.
bool fail(Driver& driver) {
  if (driver.control->error == 0) driver.control->error = errno;
  driver.control->discard = true;
  return false;
}

bool write_bytes(Driver& driver, haddr_t address, const unsigned char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::pwrite(driver.descriptor, bytes, size, static_cast<off_t>(address));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail(driver);
    bytes += written;
    address += static_cast<haddr_t>(written);
    size -= static_cast<std::size_t>(written);
  }
  driver.file_size = std::max(driver.file_size, address);
  return true;
}

bool set_file_size(Driver& driver, haddr_t size) {
  if (size == driver.file_size) return true;
  if (::ftruncate(driver.descriptor, static_cast<off_t>(size)) != 0) return fail(driver);
  driver.file_size = size;
  return true;
}

/// Nodes of the chunk index begin with "TREE", type, level.
int tree_level(const Block& block) {
  return block.bytes.size() > 5 ? block.bytes[5] : 0;
}

/// The place of a block in the order of a commit; see the header.
std::tuple<int, int> rank(const Driver& driver, haddr_t address, const Block& block) {
  const bool tree = block.type == H5FD_MEM_BTREE;
  const bool header = block.type == H5FD_MEM_OHDR;
  const bool super = block.type == H5FD_MEM_SUPER;
  if (driver.control->shrinking) return {header ? 0 : tree ? 1 : super ? 3 : 2, 0};
  if (super) return {0, 0};
  if (address >= driver.committed_end) return {1, 0};
  return {tree ? 2 : header ? 4 : 3, tree ? -tree_level(block) : 0};
}

bool commit(Driver& driver) {
  using Entry = std::map<haddr_t, Block>::const_iterator;
  std::vector<Entry> order;
  for (auto entry = driver.pending.cbegin(); entry != driver.pending.cend(); ++entry) order.push_back(entry);
  std::stable_sort(order.begin(), order.end(), [&](const Entry& a, const Entry& b) {
    return rank(driver, a->first, a->second) < rank(driver, b->first, b->second);
  });
  if (driver.end_of_allocation > driver.file_size && !set_file_size(driver, driver.end_of_allocation))
    return false;
  for (const auto& entry : order)
    if (!write_bytes(driver, entry->first, entry->second.bytes.data(), entry->second.bytes.size()))
      return false;
  if (!set_file_size(driver, driver.end_of_allocation)) return false;
  driver.pending.clear();
  driver.committed_end = driver.end_of_allocation;
  return true;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t maximum) {
  const auto* info = static_cast<OrderedFileControl* const*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  const int descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    (*info)->error = errno;
    return nullptr;
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    (*info)->error = errno;
    ::close(descriptor);
    return nullptr;
  }
  auto* driver = new Driver;
  driver->descriptor = descriptor;
  driver->file_size = driver->committed_end = static_cast<haddr_t>(status.st_size);
  driver->device = status.st_dev;
  driver->inode = status.st_ino;
  driver->control = *info;
  driver->control->error = 0;  // HDF5 first tries whether the file exists.
  driver->base.maxaddr = maximum;
  return &driver->base;
}

herr_t close_file(H5FD_t* file) {
  Driver* driver = &self(file);
  if (!driver->control->discard) commit(*driver);
  if (::close(driver->descriptor) != 0) fail(*driver);
  delete driver;
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  const auto key = [](const Driver& driver) { return std::tuple(driver.device, driver.inode); };
  return key(self(a)) < key(self(b)) ? -1 : key(self(b)) < key(self(a)) ? 1 : 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  // No accumulation and no sieve, so that every block arrives by itself, with its type.
  if (flags != nullptr) *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

/// Index nodes (up to 3136 bytes for n×3 frames) never straddle a page. The system copies within a page
/// without checking for signals, so that a node changes as a whole.
haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  constexpr haddr_t page = 4096;
  Driver& driver = self(file);
  haddr_t address = driver.end_of_allocation;
  if (type == H5FD_MEM_BTREE) address = (address + page - 1) / page * page;
  driver.end_of_allocation = address + size;
  return address;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
  return self(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file).end_of_allocation = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return self(file).file_size;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  Driver& driver = self(file);
  auto* bytes = static_cast<unsigned char*>(buffer);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got =
        ::pread(driver.descriptor, bytes + done, size - done, static_cast<off_t>(address + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  std::memset(bytes + done, 0, size - done);
  for (const auto& [start, block] : driver.pending) {
    const haddr_t first = std::max(start, address);
    const haddr_t last = std::min<haddr_t>(start + block.bytes.size(), address + size);
    if (first < last)
      std::memcpy(bytes + (first - address), block.bytes.data() + (first - start), last - first);
  }
  return 0;
}

/// Holds a block back.
void keep(Driver& driver, H5FD_mem_t type, haddr_t address, std::size_t size, const unsigned char* bytes) {
  // Blocks are rewritten as a whole. A block that overlaps others replaces the parts of them that it covers.
  auto next = driver.pending.lower_bound(address);
  if (next != driver.pending.begin()) {
    auto& [start, before] = *std::prev(next);
    if (start + before.bytes.size() > address) before.bytes.resize(address - start);
  }
  while (next != driver.pending.end() && next->first < address + size) {
    const haddr_t end = next->first + next->second.bytes.size();
    if (end > address + size) {
      Block rest{next->second.type, {}};
      rest.bytes.assign(next->second.bytes.end() - static_cast<std::ptrdiff_t>(end - address - size),
                        next->second.bytes.end());
      driver.pending.emplace(address + size, std::move(rest));
    }
    next = driver.pending.erase(next);
  }
  driver.pending[address] = {type, std::vector<unsigned char>(bytes, bytes + size)};
}

/// HDF5 is never told that a write failed: it would not close the file then, and at the process's end it
/// would close it with a driver that is gone. What could not be written is held back, so that HDF5 reads what
/// it wrote. OrderedFile reports the failure.
herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  Driver& driver = self(file);
  const auto* bytes = static_cast<const unsigned char*>(buffer);
  const bool is_raw = type == H5FD_MEM_DRAW, drops = is_raw && driver.control->shrinking;
  const bool is_written =
      drops || (is_raw && !driver.control->discard && write_bytes(driver, address, bytes, size));
  if (!is_written) keep(driver, type, address, size, bytes);
  return 0;
}

/// Tells HDF5 of no failure either; see `write`.
herr_t flush(H5FD_t* file, hid_t, hbool_t) {
  Driver& driver = self(file);
  if (!driver.control->discard) commit(driver);
  return 0;
}

/// The length is set in `commit`, at its place in the order.
herr_t truncate(H5FD_t*, hid_t, hbool_t) {
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t type{};
  name_driver(type, "electret_ordered", 600);
  type.fapl_size = sizeof(OrderedFileControl*);
  type.open = open_file;
  type.close = close_file;
  type.cmp = compare_files;
  type.query = query;
  type.alloc = allocate;
  type.get_eoa = end_of_allocation;
  type.set_eoa = set_end_of_allocation;
  type.get_eof = end_of_file;
  type.read = read;
  type.write = write;
  type.flush = flush;
  type.truncate = truncate;
  return type;
}

}  // namespace

OrderedFile::OrderedFile(const std::string& path, Mode mode) {
  const Quiet quiet;
  static const H5FD_class_t type = driver_class();
  driver_ = Handle(H5FDregister(&type));
  check(driver_.get(), "HDF5 does not take the file driver");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  OrderedFileControl* control = &control_;
  H5Pset_driver(access.get(), driver_.get(), &control);
  // Without a chunk cache, data reach the file when they are written.
  H5Pset_cache(access.get(), 0, 0, 0, 1.0);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  file_ = Handle(mode == Mode::create ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get())
                                      : H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()));
  if (!file_.open()) {
    const std::string why = failure();
    throw IoError(!why.empty() ? "cannot write " + path + ": " + why
                               : "cannot go on with " + path +
                                     ": it is not a readable HDF5 file; run with "
                                     "--overwrite to start afresh",
                  path);
  }
}

OrderedFile::~OrderedFile() {
  // What the last flush did not make visible is given up; `close` is the way to keep it.
  abandon();
}

void OrderedFile::flush() {
  const Quiet quiet;
  throw_unless(H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0);
}

void OrderedFile::end_cut() {
  flush();
  control_.shrinking = false;
}

void OrderedFile::close() {
  if (!file_.open()) return;
  flush();
  throw_unless(file_.close());
}

void OrderedFile::throw_unless(bool good) {
  if (is_abandoned_ || (good && control_.error == 0)) return;
  control_.discard = true;
  throw IoError(failure());
}

std::string OrderedFile::failure() const {
  return control_.error == 0 ? "" : std::strerror(control_.error);
}

}  // namespace electret::hdf5
