#include "core/io/hdf5/hdf5_driver.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace aprscope {
namespace {

// The first member must be `common`, which the library knows of every driver.
struct DescriptorFile {
  H5FD_t common{};
  int descriptor = -1;
  haddr_t end_of_space = 0;
  haddr_t end_of_file = 0;
};

struct Access {
  int descriptor = -1;
  haddr_t bytes = 0;
};

hid_t driver_id = H5I_INVALID_HID;
PixelsAt* noted = nullptr;

DescriptorFile* own(H5FD_t* file) { return reinterpret_cast<DescriptorFile*>(file); }
const DescriptorFile* own(const H5FD_t* file) {
  return reinterpret_cast<const DescriptorFile*>(file);
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t) {
  // The library opens what external links and virtual datasets name in the same way.
  if (std::strcmp(name, kDescriptorName) != 0 || (flags & H5F_ACC_RDWR) != 0) return nullptr;
  const auto* info = static_cast<const Access*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  auto* file = static_cast<DescriptorFile*>(std::calloc(1, sizeof(DescriptorFile)));
  if (file == nullptr) return nullptr;
  file->descriptor = info->descriptor;
  file->end_of_file = info->bytes;
  return &file->common;
}

herr_t close_file(H5FD_t* file) {
  std::free(own(file));
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) { return a < b ? -1 : a > b ? 1 : 0; }

herr_t query(const H5FD_t*, unsigned long* flags) {
  // A driver block in the file is not obeyed.
  *flags = H5FD_FEAT_IGNORE_DRVRINFO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_space(const H5FD_t* file, H5FD_mem_t) { return own(file)->end_of_space; }

herr_t set_end_of_space(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  own(file)->end_of_space = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return own(file)->end_of_file; }

herr_t read_bytes(H5FD_t* base, H5FD_mem_t kind, hid_t, haddr_t address, size_t bytes, void* out) {
  const DescriptorFile* file = own(base);
  // The library takes global heaps (texts, mappings) for pixels, too; it reads none of them where
  // pixels are noted.
  if (kind == H5FD_MEM_DRAW && noted != nullptr) {
    noted->address = address;
    noted->bytes = bytes;
    ++noted->reads;
    return 0;
  }
  if (address > file->end_of_file) return -1;
  auto* to = static_cast<char*>(out);
  // The library reads ahead before it knows how long some structures are: add zeros at the end.
  if (const haddr_t left = file->end_of_file - address; bytes > left) {
    std::memset(to + left, 0, bytes - left);
    bytes = left;
  }
  while (bytes > 0) {
    const ssize_t got = ::pread(file->descriptor, to, bytes, static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return -1;
    to += got;
    address += static_cast<haddr_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return 0;
}

herr_t refuse_write(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*) { return -1; }

H5FD_class_t make_class() {
  H5FD_class_t c{};
  c.name = "descriptor";
  c.maxaddr = (haddr_t{1} << 62U) - 1;
  c.fc_degree = H5F_CLOSE_WEAK;
  c.fapl_size = sizeof(Access);
  c.open = open_file;
  c.close = close_file;
  c.cmp = compare;
  c.query = query;
  c.get_eoa = end_of_space;
  c.set_eoa = set_end_of_space;
  c.get_eof = end_of_file;
  c.read = read_bytes;
  c.write = refuse_write;
  for (auto& kind : c.fl_map) kind = H5FD_MEM_SUPER;
  return c;
}

}  // namespace

hid_t descriptor_driver() {
  static const H5FD_class_t driver = make_class();
  if (driver_id < 0) driver_id = H5FDregister(&driver);
  return driver_id;
}

hid_t descriptor_access(int descriptor, std::uint64_t bytes) {
  const hid_t driver = descriptor_driver();
  const hid_t access = driver < 0 ? H5I_INVALID_HID : H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0) return H5I_INVALID_HID;
  const Access info{descriptor, bytes};
  if (H5Pset_driver(access, driver, &info) < 0) {
    H5Pclose(access);
    return H5I_INVALID_HID;
  }
  return access;
}

void note_pixels(PixelsAt* at) { noted = at; }

}  // namespace aprscope
