#include "core/io/hdf5/hdf5_array.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/io/hdf5/hdf5_filters.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kMostRank = 32;
// Bytes read in one piece, so that a request to stop is heeded soon.
constexpr std::uint64_t kPieceBytes = 8U << 20U;
// The HDF5 library keeps the bytes of a chunk in 32 bits.
constexpr std::uint64_t kLargestChunk = UINT32_MAX;
// Chunks of at most so many bytes, or so many times all values, are plausible: data may grow.
constexpr std::uint64_t kModestChunk = std::uint64_t{64} << 20U;
constexpr std::uint64_t kChunkOfAll = 4;

}  // namespace

std::uint64_t Hdf5Box::elements() const {
  std::uint64_t n = 1;
  for (const std::uint64_t c : count) n *= c;
  return n;
}

Hdf5Array::Hdf5Array(Hdf5Object object, Hdf5Dataset facts)
    : object_(std::move(object)), facts_(std::move(facts)) {}

Error Hdf5Array::damaged(const std::string& what) const {
  return {"is damaged: " + what, object_.where(), "get the file again from its source"};
}

Result<Hdf5Array> Hdf5Array::open(const Hdf5Object& object) {
  auto facts = object.reader->dataset(object.path);
  if (!facts) return facts.error();
  Hdf5Array array(object, *std::move(facts));
  if (Status sound = array.check(); !sound) return sound.error();
  for (const Hdf5External& piece : array.facts_.external) {
    const auto path = file_beside(object.reader->path(), piece.file, object.where());
    if (!path) return path.error();
    auto file = open_regular(*path);
    if (!file) return file.error();
    const auto state = file->state();
    if (!state) return state.error();
    if (Status same = array.others_->note(path->string(), *state); !same) return same.error();
    array.files_.push_back(std::make_shared<RegularFile>(*std::move(file)));
  }
  return array;
}

Status Hdf5Array::check() const {
  const Hdf5Dataset& d = facts_;
  if (d.type.kind != Hdf5Kind::integer && d.type.kind != Hdf5Kind::real) {
    return Error{"does not hold numbers", object_.where(), "choose another dataset"};
  }
  if (!d.type.sound()) {
    return Error{"holds numbers of an unusual kind (" + std::to_string(8 * d.type.size) +
                     " bits that are no integer of these bits and no IEEE 754 number)",
                 object_.where(), "the file may be damaged: get it again from its source"};
  }
  const std::uint64_t most = (std::uint64_t{1} << 62U) / d.type.size;
  if (d.extent.size() > kMostRank || d.count() > most) return damaged("its size is impossible");
  if (!d.fill.empty() && d.fill.size() != d.type.size) return damaged("its fill value is");
  if (d.storage == Hdf5Storage::compact && d.compact.size() != d.count() * d.type.size) {
    return damaged("its values are not all there");
  }
  if (d.storage == Hdf5Storage::contiguous && d.address != kNowhere &&
      (d.stored < d.count() * d.type.size || d.address > object_.reader->file_bytes() ||
       d.count() * d.type.size > object_.reader->file_bytes() - d.address)) {
    return damaged("its values are not all in the file");
  }
  if (d.storage != Hdf5Storage::chunked) return {};
  std::uint64_t bytes = d.type.size;
  bool fine = d.chunk.size() == d.extent.size() && !d.chunk.empty();
  for (const std::uint64_t c : d.chunk) {
    fine = fine && c > 0 && !__builtin_mul_overflow(bytes, c, &bytes) && bytes <= kLargestChunk;
  }
  if (!fine) return damaged("its chunks have an impossible size");
  // Memory for a chunk is taken before it is known whether the file has so many bytes.
  if (bytes > std::max(kModestChunk, kChunkOfAll * d.count() * d.type.size)) {
    return damaged("its chunks are far larger than all of it");
  }
  if (const std::string name = unknown_filter(d.filters); !name.empty()) {
    return Error{"is compressed with " + name + ", which this program does not read",
                 object_.where(),
                 "write it again with deflate (gzip), Blosc, LZF, LZ4 or Zstandard"};
  }
  return {};
}

void Hdf5Array::fill_box(const Hdf5Box& box, NumberType target, std::uint8_t* out) const {
  const std::size_t bytes = bytes_of(target);
  const std::uint64_t elements = box.elements();
  if (facts_.fill.empty()) {
    std::memset(out, 0, elements * bytes);
    return;
  }
  std::uint8_t value[8];
  converter(facts_.type, target)(facts_.type, facts_.fill.data(), 1, value);
  for (std::uint64_t i = 0; i < elements; ++i) std::memcpy(out + i * bytes, value, bytes);
}

Status Hdf5Array::read(const Hdf5Box& box, NumberType target, void* out,
                       const JobContext& context) const {
  auto* const to = static_cast<std::uint8_t*>(out);
  if (converter(facts_.type, target) == nullptr) {
    return Error{"cannot be read in that type", object_.where(), "choose another"};
  }
  if (box.elements() == 0) return {};
  Status read = facts_.storage == Hdf5Storage::chunked  ? read_chunks(box, target, to, context)
                : facts_.storage == Hdf5Storage::mapped ? read_mapped(box, target, to, context)
                                                        : read_plain(box, target, to, context);
  if (!read && read.error().cancelled()) return read;
  // A change is reported before an error of reading, since it is its cause.
  if (Status same = others_->unchanged(); !same) return same;
  return read;
}

Status Hdf5Array::read_plain(const Hdf5Box& box, NumberType target, std::uint8_t* out,
                             const JobContext& context) const {
  if (facts_.storage == Hdf5Storage::contiguous && facts_.address == kNowhere) {
    if (all_values_) return damaged("its values were never written");
    fill_box(box, target, out);
    return {};
  }
  const std::vector<std::uint64_t>& extent = facts_.extent;
  const std::size_t rank = extent.size();
  // Dimensions from `whole` on are taken as a whole, so that the rows of the one before it follow
  // each other in the file.
  std::size_t whole = rank;
  while (whole > 0 && box.count[whole - 1] == extent[whole - 1]) --whole;
  const std::size_t outer = whole > 0 ? whole - 1 : 0;
  std::uint64_t run = 1;
  for (std::size_t d = outer; d < rank; ++d) run *= box.count[d];
  const std::uint64_t total = box.elements();
  const std::size_t size = facts_.type.size;
  const std::size_t target_size = bytes_of(target);
  const Converter convert = converter(facts_.type, target);
  const bool direct = same_bytes(facts_.type, target);
  std::vector<std::uint8_t> scratch;
  std::vector<std::uint64_t> at(box.start.begin(), box.start.end());
  const std::uint64_t piece = std::max<std::uint64_t>(1, kPieceBytes / size);
  for (std::uint64_t done = 0; done < total;) {
    std::uint64_t first = 0;
    for (std::size_t d = 0; d < rank; ++d) first = first * extent[d] + at[d];
    for (std::uint64_t begin = 0; begin < run; begin += piece) {
      if (context.stop_requested()) return cancelled_error();
      const std::uint64_t n = std::min(piece, run - begin);
      std::uint8_t* const to = out + (done + begin) * target_size;
      std::uint8_t* const bytes = direct ? to : (scratch.resize(n * size), scratch.data());
      if (Status got = read_bytes((first + begin) * size, bytes, n * size); !got) return got;
      if (!direct) convert(facts_.type, bytes, n, to);
      context.report(static_cast<double>(done + begin + n) / static_cast<double>(total), "reading");
    }
    done += run;
    for (std::size_t d = outer; d-- > 0;) {
      if (++at[d] < box.start[d] + box.count[d]) break;
      at[d] = box.start[d];
    }
  }
  return {};
}

Status Hdf5Array::read_bytes(std::uint64_t offset, std::uint8_t* out, std::size_t bytes) const {
  if (facts_.storage == Hdf5Storage::elsewhere) return read_external(offset, out, bytes);
  if (facts_.storage == Hdf5Storage::compact) {
    if (offset > facts_.compact.size() || bytes > facts_.compact.size() - offset) {
      return damaged("its values are not all there");
    }
    std::memcpy(out, facts_.compact.data() + offset, bytes);
    return {};
  }
  const auto got = object_.reader->file().read_at(facts_.address + offset, out, bytes);
  if (!got) return got.error();
  if (*got != bytes) return damaged("the file ends before its values do");
  return {};
}

Status Hdf5Array::read_external(std::uint64_t offset, std::uint8_t* out, std::size_t bytes) const {
  for (std::size_t i = 0; i < files_.size() && bytes > 0; ++i) {
    const Hdf5External& piece = facts_.external[i];
    if (offset >= piece.bytes) {
      offset -= piece.bytes;
      continue;
    }
    const std::size_t here = std::min<std::uint64_t>(bytes, piece.bytes - offset);
    std::uint64_t at = 0;
    if (__builtin_add_overflow(piece.offset, offset, &at)) return damaged("it names a wrong place");
    const auto got = files_[i]->read_at(at, out, here);
    if (!got) return got.error();
    if (*got != here) {
      return Error{"its values lie in " + piece.file + ", which is shorter than that",
                   object_.where(), "get that file again from its source"};
    }
    out += here;
    bytes -= here;
    offset = 0;
  }
  return bytes == 0 ? Status() : damaged("its values are not all there");
}

Result<std::filesystem::path> file_beside(const std::filesystem::path& beside,
                                          const std::string& name, const std::string& where) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path folder = beside.has_parent_path() ? beside.parent_path() : fs::path(".");
  const fs::path named = fs::path(name).lexically_normal();
  const bool here = !named.has_parent_path() ||
                    (named.is_absolute() && fs::equivalent(named.parent_path(), folder, code));
  const fs::path path = folder / named.filename();
  if (named.filename().empty() || !here ||
      fs::symlink_status(path, code).type() != fs::file_type::regular) {
    return Error{
        "its values lie in another file (" + name + "), which is not a file in the same folder",
        where, "put that file beside it, or open a copy that holds its own values"};
  }
  return path;
}

}  // namespace aprscope
