#include <algorithm>
#include <utility>
#include <variant>

#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/hdf5/hdf5_blosc.hpp"

namespace aprscope {
namespace {

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
  // No program writes partial integers or half floats here: the description was damaged.
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
  // What cannot be opened counts as a vector, so that open() reports what is wrong with it.
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

bool Hdf5Vector::is_stored_as(const VectorChunks& chunks) const {
  const Hdf5Dataset& facts = array_.facts();
  return count() == chunks.count && type() == chunks.type && !facts.type.big_endian &&
         facts.storage == Hdf5Storage::chunked && facts.chunk.size() == 1 &&
         facts.chunk[0] == chunks.chunk && facts.filters.size() == 1 &&
         facts.filters[0].id == kBloscFilter &&
         is_blosc_filter(facts.filters[0].values, chunks.value_bytes,
                         chunks.chunk * chunks.value_bytes, chunks.packing);
}

Status Hdf5Vector::read_pieces(const std::function<Status(const VectorPiece& piece)>& take,
                               const JobContext& context) const {
  const std::uint64_t chunk = array_.facts().chunk[0];
  const std::uint64_t chunks = (count() + chunk - 1) / chunk;
  return array_.read_stored(
      0, chunks,
      [&](std::uint64_t index, std::uint32_t skipped, std::span<const std::uint8_t> bytes) {
        VectorPiece piece;
        piece.begin = index * chunk;
        piece.count = std::min(chunk, count() - piece.begin);
        piece.packed = true;
        piece.skipped = skipped;
        piece.bytes = bytes;
        context.report(static_cast<double>(index + 1) / static_cast<double>(chunks), "writing");
        return take(piece);
      },
      context);
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

}  // namespace aprscope
