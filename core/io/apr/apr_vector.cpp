#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/ordered_pipeline.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/hdf5/hdf5_blosc.hpp"

namespace aprscope {
namespace {

constexpr std::uint64_t kChunkValues = 100000;  // what the reference library uses
constexpr std::size_t kTypeSizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};

hid_t file_type(int type) {
  const std::array<hid_t, 10> types = {H5T_STD_U8LE,   H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE,
                                       H5T_STD_I8LE,   H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE,
                                       H5T_IEEE_F32LE, H5T_IEEE_F64LE};
  return types[static_cast<std::size_t>(type)];
}

// The stated length must be possible with the bytes that are there.
Status check_storage(const Hdf5Dataset& facts, std::uint64_t file_bytes, const std::string& where) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48U;
  const std::uint64_t count = facts.extent[0];
  const std::uint64_t size = facts.type.size;
  const std::uint64_t chunk = facts.chunk.empty() ? 0 : facts.chunk[0];
  const bool all_there =
      chunk == 0
          ? facts.stored == count * size
          // A packed chunk has a header of 16 bytes; one that would not shrink is plain.
          : facts.stored / std::min<std::uint64_t>(16, chunk * size) >= (count + chunk - 1) / chunk;
  if (count > kMost || facts.stored > file_bytes || !all_there) {
    return Error{"says it has " + std::to_string(count) + " values, which are not in the file",
                 where, "the file is damaged, get another copy of it"};
  }
  return {};
}

static_assert(std::endian::native == std::endian::little, "chunks are written as they are");

// A chunk on its way to the file.
class Chunk {
 public:
  // `values` fill a chunk of `bytes` bytes, but for the end of the last one, which is zeros.
  void pack(std::span<const std::uint8_t> values, std::size_t bytes, std::size_t type_size,
            unsigned level) {
    plain_.assign(values.begin(), values.end());
    plain_.resize(bytes);
    packed_.resize(bytes);
    packed_.resize(blosc_pack_chunk(plain_, type_size, level, packed_));
  }
  [[nodiscard]] std::span<const std::uint8_t> stored() const {
    return packed_.empty() ? plain_ : packed_;
  }
  // Mask of the filters that were left out: the chunk did not shrink.
  [[nodiscard]] std::uint32_t skipped() const { return packed_.empty() ? 1 : 0; }

 private:
  std::vector<std::uint8_t> plain_, packed_;
};

}  // namespace

Result<Hdf5Vector> Hdf5Vector::open(const Hdf5Object& group, const std::string& name) {
  const Hdf5Object object = group.child(name);
  auto array = Hdf5Array::open(object);
  if (!array) {
    Error error = array.error();
    if (error.what == "is missing") error.advice = "the file is not a complete APR";
    return error;
  }
  const Hdf5Dataset& facts = array->facts();
  if (facts.extent.size() != 1) {
    return Error{"is not a one-dimensional dataset", object.where(), "the file is not an APR"};
  }
  // Bits that do not count, or halves, are not what any program writes here: a byte was changed.
  if (!facts.type.plain() || bytes_of(own_type(facts.type)) != facts.type.size) {
    return Error{"holds numbers of an unusual kind", object.where(),
                 "the file is damaged, get another copy of it"};
  }
  if (facts.storage == Hdf5Storage::mapped || facts.storage == Hdf5Storage::elsewhere) {
    return Error{"lies in other files", object.where(), "choose a file that holds its data itself"};
  }
  if (Status fits = check_storage(facts, group.reader->file_bytes(), object.where()); !fits) {
    return fits.error();
  }
  array->demand_all_values();
  return Hdf5Vector(*std::move(array));
}

bool is_vector(const Hdf5Child& dataset) {
  // What cannot be opened is taken for one: open() tells what is wrong with it.
  if (dataset.kind == Hdf5ObjectKind::unreadable) return true;
  const Hdf5Type& type = dataset.type;
  const bool whole = type.kind == Hdf5Kind::integer;
  return dataset.kind == Hdf5ObjectKind::dataset && dataset.extent.size() == 1 &&
         (whole || type.kind == Hdf5Kind::real) && !type.name().empty() &&
         (whole || type.size >= 4);
}

Status Hdf5Vector::read(void* target, const JobContext& context) const {
  return read(0, count(), target, context);
}

Status Hdf5Vector::read(std::uint64_t begin, std::uint64_t count, void* target,
                        const JobContext& context) const {
  return array_.read({{begin}, {count}}, own_type(array_.facts().type), target, context);
}

FieldValues make_values(int type, std::uint64_t count) {
  FieldValues values;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((static_cast<int>(I) == type ? (void)values.emplace<I>(count) : void()), ...);
  }
  (std::make_index_sequence<std::variant_size_v<FieldValues>>());
  return values;
}

Result<FieldValues> read_values(const Hdf5Vector& vector, const JobContext& context) {
  return read_values(vector, 0, vector.count(), context);
}

Result<FieldValues> read_values(const Hdf5Vector& vector, std::uint64_t begin, std::uint64_t count,
                                const JobContext& context) {
  FieldValues values = make_values(vector.type(), count);
  void* const data = std::visit([](auto& v) { return static_cast<void*>(v.data()); }, values);
  if (Status read = vector.read(begin, count, data, context); !read) return read.error();
  return values;
}

Status write_vector(hid_t group, const std::string& name, int type, const void* values,
                    std::uint64_t count, unsigned level, const std::string& where,
                    const JobContext& context) {
  const auto failed = [&] {
    return hdf5_error(where, "\"" + name + "\" cannot be written",
                      "free some space or choose another folder");
  };
  const std::size_t size = kTypeSizes[type];
  Hdf5Handle dataset;
  {
    const std::scoped_lock lock(hdf5_mutex());
    const hsize_t extent = count;
    const hsize_t chunk = std::min(count, kChunkValues);
    const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr));
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    // No time of day in the file: the same data must give the same bytes.
    if (!space || !creation || H5Pset_obj_track_times(creation.get(), false) < 0 ||
        H5Pset_chunk(creation.get(), 1, &chunk) < 0 ||
        !add_blosc_filter(creation.get(), size, chunk * size, level)) {
      return failed();
    }
    dataset = Hdf5Handle(H5Dcreate2(group, name.c_str(), file_type(type), space.get(), H5P_DEFAULT,
                                    creation.get(), H5P_DEFAULT));
    if (!dataset) return failed();
  }
  // The chunks are packed here, by all threads, as HDF5 would have it done one after the other.
  const auto chunk = std::min(count, kChunkValues);
  const auto chunks = static_cast<std::int64_t>((count + chunk - 1) / chunk);
  const auto* const bytes = static_cast<const std::uint8_t*>(values);
  Status written = ordered_pipeline<Chunk>(
      chunks, threads_for(static_cast<std::int64_t>(count)), context,
      [&](std::int64_t i, int, Chunk& item) {
        const std::uint64_t begin = static_cast<std::uint64_t>(i) * chunk;
        const std::uint64_t here = std::min(chunk, count - begin);
        item.pack({bytes + begin * size, here * size}, chunk * size, size, level);
      },
      [&](std::int64_t i, const Chunk& item) -> Status {
        const hsize_t start = static_cast<std::uint64_t>(i) * chunk;
        {
          const std::scoped_lock lock(hdf5_mutex());
          if (H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, item.skipped(), &start,
                             item.stored().size(), item.stored().data()) < 0) {
            return failed();
          }
        }
        context.report(static_cast<double>(i + 1) / static_cast<double>(chunks), "writing");
        return {};
      });
  if (!written) return written;
  if (!dataset.reset()) return failed();
  return {};
}

}  // namespace aprscope
