#include "core/io/em/em_reader.hpp"

#include <algorithm>
#include <array>

#include "core/base/system.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/em/mrc_header.hpp"
#include "core/io/em/spider_header.hpp"

namespace aprscope {
namespace {

// Slices that cross the sections of a file are gathered up to so many bytes.
constexpr std::int64_t kGathered = std::int64_t{64} << 20U;
// Packed data that would grow more than this is unpacked once to see whether it does.
constexpr std::uint64_t kUsualPacking = 64;

Error cut_off(const EmPlanes& planes, const std::filesystem::path& path) {
  return {"is cut off: it holds less than the " + std::to_string(planes.sections) +
              " sections of " + std::to_string(planes.columns) + " × " +
              std::to_string(planes.rows) + " that it claims",
          path.string(), "get the file again from its source"};
}

Status check_length(const EmPlanes& planes, EmBytes& bytes, const std::filesystem::path& path,
                    const JobContext& context) {
  if (!bytes.packed()) return check_em_planes(planes, bytes.file_bytes(), path);
  if (planes.end() / kUsualPacking <= bytes.file_bytes()) return {};
  std::uint8_t last = 0;
  const auto got = bytes.read_at(planes.end() - 1, &last, 1, context);
  if (!got) return got.error();
  if (*got == 0) return cut_off(planes, path);
  return {};
}

}  // namespace

VoxelSize em_voxel(const EmHeader& header) {
  double known = 0.0;
  for (const double size : header.voxel) known = known > 0.0 ? known : size;
  if (known <= 0.0) return {};
  const auto size = [&](std::size_t axis) {
    return header.voxel[axis] > 0.0 ? header.voxel[axis] : known;
  };
  return {size(2), size(1), size(0), "Å"};
}

Result<EmHeader> EmReader::read_header(EmKind kind, EmBytes& bytes,
                                       const std::filesystem::path& path) {
  std::array<std::uint8_t, kEmHeaderBytes> head{};
  const auto got = bytes.read_at(0, head.data(), head.size(), {});
  if (!got) return got.error();
  const std::uint64_t file_bytes = bytes.packed() ? 0 : bytes.file_bytes();
  return kind == EmKind::mrc ? parse_mrc(head, file_bytes, path) : parse_spider(head, path);
}

Result<std::unique_ptr<EmReader>> EmReader::open(EmKind kind, const SourceInfo& info,
                                                 const SourceSelection& selection,
                                                 const JobContext& context) {
  auto bytes = EmBytes::open(info.path);
  if (!bytes) return bytes.error();
  auto header = read_header(kind, **bytes, info.path);
  if (!header) return header.error();
  if (selection.channel != 0 || selection.time < 0 || selection.time >= header->maps) {
    return Error{"has no channel " + std::to_string(selection.channel) + " at time point " +
                     std::to_string(selection.time),
                 info.path.string(),
                 "choose channel 0, time points 0 to " + std::to_string(header->maps - 1)};
  }
  if (Status ok = check_length(header->planes, **bytes, info.path, context); !ok) {
    return ok.error();
  }
  std::unique_ptr<EmReader> reader(new EmReader(*std::move(header), *std::move(bytes), info.path));
  const EmHeader& read = reader->header_;
  reader->first_section_ = selection.time * (read.planes.sections / read.maps);
  if (Status fits = check_memory(read.planes.plane_bytes(), info.path); !fits) {
    return fits.error();
  }
  Volume& facts = reader->facts_;
  facts.voxel = em_voxel(read);
  facts.origin = {read.origin[2], read.origin[1], read.origin[0]};
  facts.name = info.path.stem().string();
  facts.channel = "0";
  facts.time = selection.time;
  return reader;
}

std::int64_t EmReader::slices_at_once() const {
  if (header_.axes[2] == 2) return 1;
  const Size3 all = size();
  const std::int64_t slice = all.x * all.y * 8;
  return std::clamp<std::int64_t>(kGathered / slice, 1, all.z);
}

Status EmReader::read_plane(std::int64_t section, const JobContext& context) {
  const EmPlanes& planes = header_.planes;
  raw_.resize(planes.plane_bytes());
  const auto got =
      bytes_->read_at(planes.offset(first_section_ + section), raw_.data(), raw_.size(), context);
  if (!got) return got.error();
  if (*got < raw_.size()) return cut_off(planes, path_);
  return {};
}

template <class T>
Status EmReader::read(std::int64_t begin, std::int64_t end, T* out, const JobContext& context) {
  const EmPlanes& planes = header_.planes;
  const Size3 all = size();
  if (header_.axes == std::array<int, 3>{0, 1, 2}) {
    for (std::int64_t z = begin; z < end; ++z, out += all.x * all.y) {
      if (Status ok = read_plane(z, context); !ok) return ok;
      decode_em(raw_.data(), planes, planes.rows, out);
      context.report(static_cast<double>(z + 1) / static_cast<double>(all.z), "reading");
    }
    return {};
  }
  // Steps in the program's memory along columns, rows and sections.
  const std::array<std::int64_t, 3> along{1, all.y, all.x * all.y};
  std::array<std::int64_t, 3> step{};
  for (std::size_t i = 0; i < 3; ++i) step[i] = along[static_cast<std::size_t>(header_.axes[i])];
  // The file's axis that is z: only its part [begin, end) is read.
  const auto z_at = static_cast<std::size_t>(
      std::find(header_.axes.begin(), header_.axes.end(), 2) - header_.axes.begin());
  std::array<std::int64_t, 3> from{0, 0, 0};
  std::array<std::int64_t, 3> to{planes.columns, planes.rows, planes.sections / header_.maps};
  from[z_at] = begin;
  to[z_at] = end;
  std::vector<T> plane(static_cast<std::size_t>(planes.columns * planes.rows));
  for (std::int64_t s = from[2]; s < to[2]; ++s) {
    if (Status ok = read_plane(s, context); !ok) return ok;
    decode_em(raw_.data(), planes, planes.rows, plane.data());
    for (std::int64_t r = from[1]; r < to[1]; ++r) {
      const T* const row = plane.data() + r * planes.columns;
      const std::int64_t base = s * step[2] + r * step[1] - begin * along[2];
      for (std::int64_t c = from[0]; c < to[0]; ++c) out[base + c * step[0]] = row[c];
    }
    context.report(static_cast<double>(s + 1 - from[2]) / static_cast<double>(to[2] - from[2]),
                   "reading");
  }
  return {};
}

template Status EmReader::read(std::int64_t, std::int64_t, std::uint8_t*, const JobContext&);
template Status EmReader::read(std::int64_t, std::int64_t, std::uint16_t*, const JobContext&);
template Status EmReader::read(std::int64_t, std::int64_t, float*, const JobContext&);
template Status EmReader::read(std::int64_t, std::int64_t, double*, const JobContext&);

}  // namespace aprscope
