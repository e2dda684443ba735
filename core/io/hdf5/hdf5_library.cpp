#include "core/io/hdf5/hdf5_library.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/io/hdf5/hdf5_driver.hpp"
#include "core/io/hdf5/hdf5_facts.hpp"
#include "core/io/hdf5/hdf5_wire.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kMostLinks = 1U << 19U;
// Attributes are read whole; this program uses none that are longer.
constexpr std::uint64_t kLongestAttribute = 1U << 16U;
constexpr std::size_t kMostAttributes = 1000;
constexpr std::size_t kDeepestPath = 64;
constexpr const char* kNeverWritten = "chunk storage is not allocated";

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (end > at) parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

Error leads_elsewhere(hid_t at, const char* name, std::size_t bytes) {
  std::vector<char> value(std::min<std::size_t>(bytes, kLongestAttribute) + 1, '\0');
  const char* file = nullptr;
  const char* object = nullptr;
  const bool known =
      H5Lget_val(at, name, value.data(), value.size() - 1, H5P_DEFAULT) >= 0 &&
      H5Lunpack_elink_val(value.data(), value.size() - 1, nullptr, &file, &object) >= 0;
  H5Eclear2(H5E_DEFAULT);
  return {known ? std::string("it is a link to ") + object + " in the file " + file
                : std::string("it is a link into another file"),
          "", ""};
}

// Opens the object at a path; none when no link leads there.
Result<std::optional<Hdf5Id>> open_path(hid_t file, const std::string& path) {
  Hdf5Id at(H5Oopen(file, "/", H5P_DEFAULT));
  if (!at) return library_error("its root cannot be read");
  const auto parts = parts_of(path);
  if (parts.size() > kDeepestPath) return Error{"its groups are nested too deeply", "", ""};
  for (const std::string& part : parts) {
    if (H5Iget_type(at.get()) != H5I_GROUP) return std::optional<Hdf5Id>();
    const htri_t exists = H5Lexists(at.get(), part.c_str(), H5P_DEFAULT);
    if (exists < 0) return library_error("its names cannot be read");
    if (exists == 0) return std::optional<Hdf5Id>();
    H5L_info_t link{};
    if (H5Lget_info(at.get(), part.c_str(), &link, H5P_DEFAULT) < 0) {
      return library_error("its names cannot be read");
    }
    if (link.type == H5L_TYPE_EXTERNAL) {
      return leads_elsewhere(at.get(), part.c_str(), link.u.val_size);
    }
    Hdf5Id next(H5Oopen(at.get(), part.c_str(), H5P_DEFAULT));
    if (!next) return library_error("it cannot be opened");
    at = std::move(next);
  }
  return std::optional<Hdf5Id>(std::move(at));
}

Result<Hdf5Id> must_open(hid_t file, const std::string& path) {
  auto opened = open_path(file, path);
  if (!opened) return opened.error();
  if (!*opened) return Error{"is missing", "", ""};
  return *std::move(*opened);
}

Hdf5ObjectKind kind_of(hid_t object) {
  switch (H5Iget_type(object)) {
    case H5I_GROUP:
      return Hdf5ObjectKind::group;
    case H5I_DATASET:
      return Hdf5ObjectKind::dataset;
    default:
      return Hdf5ObjectKind::other;
  }
}

// Called by the C library: nothing may be thrown through it.
herr_t note_link(hid_t, const char* name, const H5L_info_t* link, void* data) noexcept {
  auto& links = *static_cast<std::vector<Hdf5Child>*>(data);
  if (link->type != H5L_TYPE_HARD) return 0;
  if (links.size() >= kMostLinks) return -1;
  Hdf5Child child;
  child.name = name;
  child.address = link->u.address;
  links.push_back(std::move(child));
  return 0;
}

void describe(hid_t file, Hdf5Child& child) {
  const Hdf5Id object(H5Oopen_by_addr(file, child.address));
  if (!object) {
    child.kind = Hdf5ObjectKind::unreadable;
    return;
  }
  child.kind = kind_of(object.get());
  if (child.kind != Hdf5ObjectKind::dataset) return;
  const Hdf5Id space(H5Dget_space(object.get()));
  const Hdf5Id type(H5Dget_type(object.get()));
  if (!space || !type || !extent_facts(space.get(), child.extent)) {
    child.extent.clear();
    return;
  }
  child.type = type_facts(type.get());
}

// Reads the values in the type of the file, so that the library converts nothing.
void read_attribute(hid_t attribute, Hdf5Attribute& out) {
  const Hdf5Id space(H5Aget_space(attribute));
  const Hdf5Id type(H5Aget_type(attribute));
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space.get()) : -1;
  if (!type || count < 0) {
    out.wrong = library_reason("it is damaged");
    return;
  }
  out.type = type_facts(type.get());
  out.count = static_cast<std::uint64_t>(count);
  if (out.type.kind == Hdf5Kind::other || out.count == 0) return;
  if (out.type.variable) {
    // Attributes of variable length are read only if they are a single text.
    char* text = nullptr;
    if (out.count != 1) return;
    if (H5Aread(attribute, type.get(), &text) < 0) {
      out.wrong = library_reason("it is damaged");
      return;
    }
    if (text != nullptr) {
      out.values.assign(text, text + ::strnlen(text, kLongestAttribute));
      H5free_memory(text);
    }
    return;
  }
  if (out.count > kLongestAttribute / out.type.size) return;
  out.values.resize(out.count * out.type.size);
  if (H5Aread(attribute, type.get(), out.values.data()) < 0) {
    out.wrong = library_reason("it is damaged");
  }
}

// Called by the C library: nothing may be thrown through it.
herr_t note_attribute(hid_t object, const char* name, const H5A_info_t*, void* data) noexcept {
  auto& attributes = *static_cast<std::vector<Hdf5Attribute>*>(data);
  if (attributes.size() >= kMostAttributes) return -1;
  Hdf5Attribute& out = attributes.emplace_back();
  out.name = name;
  const Hdf5Id attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute) {
    out.wrong = library_reason("it cannot be opened");
  } else {
    read_attribute(attribute.get(), out);
  }
  return 0;
}

}  // namespace

Result<Hdf5Library> Hdf5Library::open(int descriptor, std::uint64_t bytes) {
  const Hdf5Id access(descriptor_access(descriptor, bytes));
  if (!access) return Error{library_reason("the HDF5 library does not start"), "", ""};
  Hdf5Library library(H5Fopen(kDescriptorName, H5F_ACC_RDONLY, access.get()));
  if (library.file_ < 0) return Error{library_reason("it cannot be opened"), "", ""};
  return library;
}

Hdf5Library::~Hdf5Library() {
  if (open_ >= 0) H5Dclose(open_);
  if (file_ >= 0) H5Fclose(file_);
}

Hdf5Library::Hdf5Library(Hdf5Library&& other) noexcept
    : file_(std::exchange(other.file_, H5I_INVALID_HID)),
      open_(std::exchange(other.open_, H5I_INVALID_HID)),
      open_path_(std::move(other.open_path_)) {}

Result<std::optional<Hdf5ObjectKind>> Hdf5Library::kind(const std::string& path) const {
  auto opened = open_path(file_, path);
  if (!opened) return opened.error();
  if (!*opened) return std::optional<Hdf5ObjectKind>();
  return std::optional(kind_of((*opened)->get()));
}

Result<std::vector<Hdf5Child>> Hdf5Library::children(const std::string& group) const {
  const auto opened = must_open(file_, group);
  if (!opened) return opened.error();
  std::vector<Hdf5Child> out;
  if (H5Iget_type(opened->get()) != H5I_GROUP) return Error{"is not a group", "", ""};
  if (H5Literate(opened->get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, note_link, &out) < 0) {
    return out.size() >= kMostLinks ? Error{"holds more than 500,000 names", "", ""}
                                    : library_error("its names cannot be read");
  }
  for (Hdf5Child& child : out) describe(file_, child);
  H5Eclear2(H5E_DEFAULT);
  std::sort(out.begin(), out.end(),
            [](const Hdf5Child& a, const Hdf5Child& b) { return a.name < b.name; });
  return out;
}

Result<Hdf5Dataset> Hdf5Library::dataset(const std::string& path) const {
  const auto opened = must_open(file_, path);
  if (!opened) return opened.error();
  if (H5Iget_type(opened->get()) != H5I_DATASET) return Error{"is not a dataset", "", ""};
  return dataset_facts(opened->get());
}

Result<std::vector<Hdf5Attribute>> Hdf5Library::attributes(const std::string& path) const {
  const auto object = must_open(file_, path);
  if (!object) return object.error();
  std::vector<Hdf5Attribute> out;
  if (H5Aiterate2(object->get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, note_attribute, &out) <
      0) {
    return out.size() >= kMostAttributes ? Error{"has more than 1000 attributes", "", ""}
                                         : library_error("its attributes are damaged");
  }
  H5Eclear2(H5E_DEFAULT);
  return out;
}

Result<std::vector<Hdf5Place>> Hdf5Library::places(const std::string& path,
                                                   const std::vector<std::uint64_t>& first,
                                                   const std::vector<std::uint64_t>& last) {
  if (open_ < 0 || open_path_ != path) {
    if (open_ >= 0) H5Dclose(open_);
    open_ = H5I_INVALID_HID;
    const auto opened = must_open(file_, path);
    if (!opened) return opened.error();
    if (H5Iget_type(opened->get()) != H5I_DATASET) return Error{"is not a dataset", "", ""};
    H5Iinc_ref(opened->get());
    open_ = opened->get();
    open_path_ = path;
  }
  const Hdf5Id creation(H5Dget_create_plist(open_));
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  const int rank = creation ? H5Pget_chunk(creation.get(), H5S_MAX_RANK, chunk.data()) : -1;
  if (rank <= 0) return library_error("it is not in chunks");
  if (first.size() != static_cast<std::size_t>(rank) || last.size() != first.size()) {
    return Error{"has another rank", "", ""};
  }
  std::vector<Hdf5Place> out;
  std::vector<std::uint64_t> at = first;
  while (true) {
    if (out.size() >= kMostPlaces) return Error{"has too many chunks for one request", "", ""};
    std::array<hsize_t, H5S_MAX_RANK> element{};
    for (std::size_t d = 0; d < first.size(); ++d) {
      if (at[d] > last[d] || __builtin_mul_overflow(at[d], chunk[d], &element[d])) {
        return Error{"has no such chunk", "", ""};
      }
    }
    Hdf5Place place;
    hsize_t bytes = 0;
    if (H5Dget_chunk_storage_size(open_, element.data(), &bytes) < 0) {
      // The only way in which the library (1.10) says that a chunk was never written.
      const std::string reason = library_reason("its chunks cannot be found");
      if (reason != kNeverWritten) return Error{"cannot be read (" + reason + ")", "", ""};
      bytes = 0;
    }
    if (bytes > 0) {
      PixelsAt seen;
      std::uint32_t skipped = 0;
      note_pixels(&seen);
      char nothing = 0;
      const herr_t got = H5Dread_chunk(open_, H5P_DEFAULT, element.data(), &skipped, &nothing);
      note_pixels(nullptr);
      if (got < 0 || seen.reads != 1) return library_error("its chunks cannot be found");
      place = {seen.address, seen.bytes, skipped};
    }
    out.push_back(place);
    std::size_t d = at.size();
    while (d-- > 0) {
      if (++at[d] <= last[d]) break;
      at[d] = first[d];
    }
    if (d == static_cast<std::size_t>(-1)) return out;
  }
}

}  // namespace aprscope
