#include "core/operations/particles/file_forecast.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/apr/convert/conversion.hpp"
#include "core/base/system.hpp"
#include "core/base/temporary.hpp"
#include "core/io/apr/apr_write.hpp"

namespace aprscope {
namespace {

// The parts: blocks of so many pixels, on a grid of so many at most.
constexpr std::int64_t kBlockSlices = 32;
constexpr std::int64_t kBlockSide = 128;
constexpr std::int64_t kGroups = 4;
constexpr std::int64_t kBlocksAcross = 4;
// Writing a file takes its size twice: pieces of it wait beside it for the lists before them.
constexpr std::uint64_t kFileAndPieces = 2;

// Where blocks of a side begin along a dimension of n pixels: each in the middle of its share.
std::vector<std::int64_t> starts(std::int64_t n, std::int64_t side, std::int64_t most) {
  const std::int64_t count = std::clamp<std::int64_t>(n / side, 1, most);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < count; ++i) {
    out.push_back(std::max<std::int64_t>(0, (2 * i + 1) * n / (2 * count) - side / 2));
  }
  return out;
}

// The blocks side by side and behind one another, as one image with one set of thresholds. That
// they do not fit together costs particles at their edges.
template <class T>
Result<Volume> montage(SliceSource& source, const JobContext& context) {
  const Size3 n = source.size();
  const Size3 block{std::min(kBlockSlices, n.z), std::min(kBlockSide, n.x),
                    std::min(kBlockSide, n.y)};
  const auto zs = starts(n.z, block.z, kGroups);
  const auto xs = starts(n.x, block.x, kBlocksAcross);
  const auto ys = starts(n.y, block.y, kBlocksAcross);
  Pixels<T> pixels({std::ssize(zs) * block.z, std::ssize(xs) * block.x, std::ssize(ys) * block.y});
  std::vector<T> slice(static_cast<std::size_t>(n.x * n.y));
  for (std::size_t g = 0; g < zs.size(); ++g) {
    for (std::int64_t k = 0; k < block.z; ++k) {
      const std::int64_t z = static_cast<std::int64_t>(g) * block.z + k;
      if (context.stop_requested()) return cancelled_error();
      context.report(static_cast<double>(z) / static_cast<double>(pixels.size.z), "disk space");
      if (Status read = source.read(zs[g] + k, slice.data(), JobContext(context.stop_token()));
          !read) {
        return read.error();
      }
      for (std::size_t i = 0; i < xs.size(); ++i) {
        for (std::int64_t x = 0; x < block.x; ++x) {
          T* out = pixels.values.data() +
                   (z * pixels.size.x + static_cast<std::int64_t>(i) * block.x + x) * pixels.size.y;
          for (const std::int64_t y : ys) {
            out = std::copy_n(slice.data() + (xs[i] + x) * n.y + y, block.y, out);
          }
        }
      }
    }
  }
  Volume out = source.header();
  out.pixels = std::move(pixels);
  return out;
}

Result<Volume> montage_of(SliceSource& source, const JobContext& context) {
  switch (source.kind()) {
    case SampleKind::u8:
      return montage<std::uint8_t>(source, context);
    case SampleKind::u16:
      return montage<std::uint16_t>(source, context);
    case SampleKind::f32:
      break;
  }
  return montage<float>(source, context);
}

// What depends on the size is that of the whole image, not of its parts.
AprWriteOptions settled(const AprWriteOptions& options, const Size3& size) {
  return {options.with_tree.value_or(has_tree_by_default(size)),
          options.for_looking.value_or(packs_for_looking(size))};
}

}  // namespace

Result<std::uint64_t> forecast_bytes(SliceSource& source, const ConversionParameters& parameters,
                                     const AprWriteOptions& options,
                                     const std::filesystem::path& output,
                                     const JobContext& context) {
  try {
    const auto image = montage_of(source, context.part(0.0, 0.7));
    if (!image) return image.error();
    const auto apr = convert(*image, parameters, context.part(0.7, 0.9));
    if (!apr) return apr.error();
    const auto target = resolve_target(output);
    if (!target) return target.error();
    const auto file = TemporaryFile::create(*target);
    if (!file) return file.error();
    if (Status written =
            write_apr(*apr, file->path(), settled(options, source.size()), context.part(0.9, 1.0));
        !written) {
      return written.error();
    }
    std::error_code failed;
    const std::uintmax_t bytes = std::filesystem::file_size(file->path(), failed);
    if (failed) return Error{"cannot be looked up", output.string(), "choose another folder"};
    const double share =
        static_cast<double>(source.size().count()) / static_cast<double>(image->size().count());
    return static_cast<std::uint64_t>(static_cast<double>(bytes) * share);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to convert slice by slice", "conversion", "close other data"};
  }
}

Status check_disk(const std::filesystem::path& output, std::uint64_t bytes) {
  const auto target = resolve_target(output);
  if (!target) return target.error();
  const std::filesystem::path folder =
      target->parent_path().empty() ? std::filesystem::path(".") : target->parent_path();
  std::error_code failed;
  const auto space = std::filesystem::space(folder, failed);
  if (failed || space.capacity == 0 || bytes <= space.available) return {};
  return Error{"needs about " + format_bytes(bytes * kFileAndPieces) +
                   " while it is written, and " + format_bytes(space.available) +
                   " are free on its disk",
               output.string(), "choose a folder on another disk, or free some space"};
}

}  // namespace aprscope
