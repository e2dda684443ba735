#include "core/io/em/em_volume.hpp"

#include <algorithm>
#include <array>
#include <climits>

#include "core/io/common/read_limits.hpp"
#include "core/io/em/em_reader.hpp"
#include "core/io/em/mrc_header.hpp"
#include "core/io/em/spider_header.hpp"

namespace aprscope {
namespace {

SampleKind kind_of(StoredAs stored) {
  return stored == StoredAs::u8    ? SampleKind::u8
         : stored == StoredAs::u16 ? SampleKind::u16
                                   : SampleKind::f32;
}

template <class T>
Result<AnyPixels> read_pixels(EmReader& reader, const std::filesystem::path& path,
                              const JobContext& context) {
  auto pixels = allocate_pixels<T>(reader.size(), path);
  if (!pixels) return pixels.error();
  if (Status ok = reader.read(0, reader.size().z, pixels->values.data(), context); !ok) {
    return ok.error();
  }
  return AnyPixels(*std::move(pixels));
}

// Slices that are read together and handed out one by one.
template <class T>
class Gathered {
 public:
  Status slice(EmReader& reader, std::int64_t z, T* out, const JobContext& context) {
    const Size3 size = reader.size();
    const std::int64_t many = reader.slices_at_once();
    if (many == 1) return reader.read(z, z + 1, out, context);
    const auto slice = static_cast<std::size_t>(size.x * size.y);
    if (z < begin_ || z >= end_) {
      const std::int64_t end = std::min(z + many, size.z);
      values_.resize(slice * static_cast<std::size_t>(end - z));
      begin_ = end_ = 0;
      if (Status ok = reader.read(z, end, values_.data(), context); !ok) return ok;
      begin_ = z;
      end_ = end;
    }
    std::copy_n(values_.data() + static_cast<std::size_t>(z - begin_) * slice, slice, out);
    return {};
  }

 private:
  std::vector<T> values_;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
};

class EmSlices : public SliceSource {
 public:
  explicit EmSlices(std::unique_ptr<EmReader> reader) : reader_(std::move(reader)) {}
  [[nodiscard]] Size3 size() const override { return reader_->size(); }
  [[nodiscard]] SampleKind kind() const override {
    return kind_of(em_stored_as(reader_->header().planes));
  }
  [[nodiscard]] const Volume& header() const override { return reader_->facts(); }
  [[nodiscard]] bool costly() const override { return reader_->packed(); }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    switch (kind()) {
      case SampleKind::u8:
        return u8_.slice(*reader_, z, static_cast<std::uint8_t*>(out), context);
      case SampleKind::u16:
        return u16_.slice(*reader_, z, static_cast<std::uint16_t*>(out), context);
      case SampleKind::f32:
        break;
    }
    return f32_.slice(*reader_, z, static_cast<float*>(out), context);
  }

 private:
  std::unique_ptr<EmReader> reader_;
  Gathered<std::uint8_t> u8_;
  Gathered<std::uint16_t> u16_;
  Gathered<float> f32_;
};

}  // namespace

Result<bool> is_em(EmKind kind, const Probe& probe) {
  auto bytes = EmBytes::open(probe.path());
  if (!bytes) return bytes.error();
  std::array<std::uint8_t, kEmHeaderBytes> head{};
  const auto got = (*bytes)->read_at(0, head.data(), head.size(), probe.context());
  // Packed data that cannot be unpacked is of nobody.
  if (!got) return got.error().cancelled() ? Result<bool>(got.error()) : Result<bool>(false);
  const std::uint64_t file_bytes = (*bytes)->packed() ? 0 : (*bytes)->file_bytes();
  return kind == EmKind::mrc ? is_mrc(head, file_bytes) : is_spider(head);
}

Result<SourceInfo> inspect_em(EmKind kind, const Probe& probe) {
  auto bytes = EmBytes::open(probe.path());
  if (!bytes) return bytes.error();
  const auto header = EmReader::read_header(kind, **bytes, probe.path());
  if (!header) return header.error();
  if (!probe.dataset().empty()) {
    return Error{"is a file of " + header->format + " and has no dataset " + probe.dataset(),
                 probe.path().string(), "leave the dataset out"};
  }
  if (!(*bytes)->packed()) {
    Status fits = check_em_planes(header->planes, (*bytes)->file_bytes(), probe.path());
    if (!fits) return fits.error();
  }
  SourceInfo info;
  info.path = probe.path();
  info.format = header->format + (header->stack ? " stack" : "");
  info.size = header->size();
  info.dtype = em_dtype(header->planes);
  info.voxel = em_voxel(*header);
  info.times = static_cast<int>(std::min<std::int64_t>(header->maps, INT_MAX));
  info.file_bytes = (*bytes)->file_bytes();
  return info;
}

Result<Volume> load_em(EmKind kind, const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) {
  context.report(0.0, "reading");
  const auto reader = EmReader::open(kind, info, selection, context);
  if (!reader) return reader.error();
  Result<AnyPixels> pixels = [&] {
    switch (em_stored_as((*reader)->header().planes)) {
      case StoredAs::u8:
        return read_pixels<std::uint8_t>(**reader, info.path, context);
      case StoredAs::u16:
        return read_pixels<std::uint16_t>(**reader, info.path, context);
      case StoredAs::f32:
        break;
    }
    return read_pixels<float>(**reader, info.path, context);
  }();
  if (!pixels) return pixels.error();
  Volume volume = (*reader)->facts();
  volume.pixels = *std::move(pixels);
  return volume;
}

Result<std::unique_ptr<SliceSource>> open_em_slices(EmKind kind, const SourceInfo& info,
                                                    const SourceSelection& selection) {
  auto reader = EmReader::open(kind, info, selection, {});
  if (!reader) return reader.error();
  return std::unique_ptr<SliceSource>(std::make_unique<EmSlices>(*std::move(reader)));
}

Status read_em_exactly(EmKind kind, const SourceInfo& info, const SourceSelection& selection,
                       const SliceVisitor& visit, const JobContext& context) {
  const auto reader = EmReader::open(kind, info, selection, context);
  if (!reader) return reader.error();
  const Size3 size = (*reader)->size();
  auto slice = allocate_pixels<double>({1, size.x, size.y}, info.path);
  if (!slice) return slice.error();
  Gathered<double> gathered;
  for (std::int64_t z = 0; z < size.z; ++z) {
    if (Status ok = gathered.slice(**reader, z, slice->values.data(), context); !ok) return ok;
    if (Status seen = visit(z, slice->values); !seen) return seen;
    context.report(static_cast<double>(z + 1) / static_cast<double>(size.z), "reading");
  }
  return {};
}

Format em_format(EmKind kind, std::string id, std::string name, std::vector<std::string> endings,
                 std::vector<std::string> mime_types) {
  Format format;
  format.id = std::move(id);
  format.name = std::move(name);
  format.endings = std::move(endings);
  format.mime_types = std::move(mime_types);
  format.is_it = [kind](const Probe& probe) { return is_em(kind, probe); };
  format.inspect = [kind](const Probe& probe) { return inspect_em(kind, probe); };
  format.load = [kind](const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) -> Result<Data> {
    auto volume = load_em(kind, info, selection, context);
    if (!volume) return volume.error();
    return Data(*std::move(volume));
  };
  format.slices = [kind](const SourceInfo& info, const SourceSelection& selection) {
    return open_em_slices(kind, info, selection);
  };
  format.exactly = [kind](const SourceInfo& info, const SourceSelection& selection,
                          const SliceVisitor& visit, const JobContext& context) {
    return read_em_exactly(kind, info, selection, visit, context);
  };
  return format;
}

}  // namespace aprscope
