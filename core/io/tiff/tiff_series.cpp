#include "core/io/tiff/tiff_series.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/printable.hpp"
#include "core/base/regular_file.hpp"
#include "core/io/common/path_inside.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/common/units.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kMostChannels = 1 << 20;

Error series_error(const std::filesystem::path& path, const std::string& what,
                   const std::string& advice = kDamagedAdvice) {
  return {what, path.string(), advice};
}

// "47 × 33 u16", "47 × 33 u8, 3 samples a pixel".
std::string shape_text(const TiffPage& page) {
  return std::to_string(page.cols) + " × " + std::to_string(page.rows) + " " +
         dtype_name(page.type) +
         (page.samples == 1 ? "" : ", " + std::to_string(page.samples) + " samples a pixel");
}

double pixel_size(double resolution) {
  return std::isfinite(resolution) && resolution > 0.0 ? shortest_decimal(1.0 / resolution) : 0.0;
}

// Voxel size of files that have no more than the resolution tags.
VoxelSize plain_voxel(const TiffPages& pages) {
  const double unit = pages.resolution_unit == RESUNIT_CENTIMETER ? 1e4
                      : pages.resolution_unit == RESUNIT_INCH     ? 25400.0
                                                                  : 0.0;
  const auto micrometres = [&](double resolution) {
    return resolution > 0.0 && std::isfinite(resolution) ? shortest_decimal(unit / resolution)
                                                         : 0.0;
  };
  VoxelSize voxel;
  const double y = micrometres(pages.resolution_x);
  const double x = micrometres(pages.resolution_y);
  constexpr double believable = 20.0;
  if (y > 0.0 && x > 0.0 && y < believable && x < believable) voxel = {x, x, y, "µm"};
  return voxel;
}

VoxelSize imagej_voxel(const TiffPages& pages, const ImageJInfo& info) {
  VoxelSize voxel;
  voxel.z = info.spacing;
  voxel.y = pixel_size(pages.resolution_x);
  voxel.x = pixel_size(pages.resolution_y);
  voxel.unit = info.unit;
  if (info.unit.empty()) {
    // Without a unit use that of the tags, but not the printing default of 72 dots an inch.
    voxel.unit = "px";
    const bool inches = pages.resolution_unit == RESUNIT_INCH;
    if (inches || pages.resolution_unit == RESUNIT_CENTIMETER) {
      const bool printing = inches && std::abs(pages.resolution_x - 72.0) < 1e-3;
      if (!printing && voxel.y > 0.0) voxel.unit = inches ? "inch" : "cm";
      if (printing) voxel.x = voxel.y = 1.0;
    }
  }
  return sane_voxel(voxel);
}

std::vector<std::string> default_names(std::int64_t count, const TiffPage& shape) {
  std::vector<std::string> names;
  const bool colour = count == shape.samples && (count == 3 || count == 4);
  for (std::int64_t i = 0; i < count; ++i) {
    constexpr const char* colours[] = {"red", "green", "blue", "alpha"};
    names.push_back(colour ? colours[i] : std::to_string(i));
  }
  return names;
}

// The pages that are images at full resolution; all of them when the file marks none as such.
std::vector<std::int64_t> full_pages(const TiffPages& pages) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < pages.pages.size(); ++i) {
    if (!pages.pages[i].reduced) numbers.push_back(static_cast<std::int64_t>(i));
  }
  if (numbers.empty()) {
    for (std::size_t i = 0; i < pages.pages.size(); ++i) {
      numbers.push_back(static_cast<std::int64_t>(i));
    }
  }
  return numbers;
}

void set_shape(TiffSeries& series, const TiffPage& page, std::int64_t slices) {
  series.shape = page;
  series.size = {slices, page.rows, page.cols};
}

// Companions describe a plane in a few hundred bytes; their elements take many times as much
// memory.
constexpr std::uint64_t kMostXml = std::uint64_t{32} << 20U;

// Metadata that stand in a file of their own.
Result<std::string> companion_text(const OmeCompanion& named, const std::filesystem::path& path) {
  if (std::filesystem::path(named.file).has_parent_path()) {
    return series_error(path, "has its metadata in another folder (" + printable(named.file) + ")",
                        "put that file beside it");
  }
  const auto inside = path_inside(path.parent_path(), named.file, path.string());
  if (!inside) return inside.error();
  const auto file = open_regular(*inside);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  if (state->bytes > kMostXml) {
    return series_error(*inside,
                        "has " + std::to_string(state->bytes) + " bytes, more than metadata have");
  }
  std::string text(state->bytes, '\0');
  const auto got = file->read_at(0, text.data(), text.size());
  if (!got) return got.error();
  text.resize(*got);
  return text;
}

Result<OmeInfo> ome_of(const TiffPages& pages, const std::filesystem::path& path,
                       std::string& companion_name) {
  const auto count = static_cast<std::int64_t>(pages.pages.size());
  const int samples = pages.pages.front().samples;
  OmeFile own{path.filename().string(), ""};
  const auto companion = ome_companion(pages.description);
  if (!companion) return parse_ome(pages.description, count, samples, own);
  const auto text = companion_text(*companion, path);
  if (!text) return text.error();
  own.uuid = companion->uuid;
  companion_name = companion->file;
  return parse_ome(*text, count, samples, own);
}

Result<TiffSeries> arrange_ome(const TiffPages& pages, const std::filesystem::path& path) {
  TiffSeries series;
  auto parsed = ome_of(pages, path, series.companion);
  if (!parsed) {
    Error error = parsed.error();
    if (error.where.empty()) error.where = path.string();
    return error;
  }
  OmeInfo& ome = *parsed;
  series.format = "OME-TIFF";
  series.plane_channels = ome.plane_channels();
  series.times = ome.size_t;
  series.seconds = ome.seconds;
  series.voxel = ome.voxel;
  series.page = std::move(ome.directory);
  series.file = std::move(ome.file);
  series.others = std::move(ome.others);
  if (series.page.front() < 0) {
    return series_error(path, "does not hold the first plane that its OME-XML describes",
                        "open the file of the set that holds it, or save the set as one file");
  }
  // The planes of a set are alike, so that one of this file's says what all are.
  std::int64_t number = 0;
  for (std::size_t i = series.page.size(); i-- > 0;) {
    if (series.file[i] == 0 && series.page[i] >= 0) number = series.page[i];
  }
  set_shape(series, pages.pages[static_cast<std::size_t>(number)], ome.size_z);
  if (ome.size_x != series.size.y || ome.size_y != series.size.x) {
    return series_error(path, "is contradictory: OME-XML says " + std::to_string(ome.size_x) +
                                  " × " + std::to_string(ome.size_y) + " pixels, the page has " +
                                  std::to_string(series.size.y) + " × " +
                                  std::to_string(series.size.x));
  }
  const std::int64_t channels = series.plane_channels * series.shape.samples;
  series.channels = default_names(channels, series.shape);
  // An RGB channel's one name does not name its colours.
  const bool named = series.shape.samples == 1 || std::ssize(ome.channel_names) >= channels;
  const auto given = std::min(series.channels.size(), ome.channel_names.size());
  for (std::size_t i = 0; named && i < given; ++i) series.channels[i] = ome.channel_names[i];
  if (series.shape.samples == 1 && std::ssize(ome.channel_hints) == channels) {
    series.hints = std::move(ome.channel_hints);
  }
  return series;
}

// ImageJ's stacks of one directory: planes in one run, as far as `images` says.
Status take_run(TiffSeries& series, const TiffPages& pages, const ImageJInfo& info,
                const std::filesystem::path& path) {
  const TiffPage& page = pages.pages.front();
  if (!page.problem.empty()) return series_error(path, page.problem, page.advice);
  const std::uint64_t held = (pages.file_bytes - pages.run_offset) / page.pixel_bytes;
  if (held < static_cast<std::uint64_t>(info.images)) {
    return series_error(path, "is cut off: it says images=" + std::to_string(info.images) +
                                  ", but holds only " + std::to_string(held));
  }
  series.run_offset = pages.run_offset;
  return {};
}

Result<TiffSeries> arrange_stack(const TiffPages& pages, const std::filesystem::path& path) {
  const auto imagej = parse_imagej(pages.description);
  TiffSeries series;
  const std::vector<std::int64_t> numbers = full_pages(pages);
  const TiffPage& first = pages.pages[static_cast<std::size_t>(numbers.front())];
  std::int64_t planes = std::ssize(numbers);
  const bool run = imagej && imagej->images > 1 && pages.pages.size() == 1 && pages.run_offset != 0;
  if (run) {
    if (auto taken = take_run(series, pages, *imagej, path); !taken) return taken.error();
    planes = imagej->images;
  } else {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const TiffPage& page = pages.pages[static_cast<std::size_t>(numbers[i])];
      if (page.same_shape(first)) continue;
      return series_error(path,
                          "has pages of different kinds: the first is " + shape_text(first) +
                              ", page " + std::to_string(numbers[i] + 1) + " is " +
                              shape_text(page),
                          "save the images as separate files");
    }
  }

  std::int64_t slices = planes;
  if (imagej) {
    series.format = "ImageJ TIFF";
    series.voxel = imagej_voxel(pages, *imagej);
    series.seconds = imagej->seconds;
    for (std::size_t d = 0; d < 3; ++d) {
      const double step = d == 0 ? series.voxel.z : d == 1 ? series.voxel.x : series.voxel.y;
      const double origin = -imagej->origin_pixel[d] * step;
      series.origin[d] = origin == 0.0 || !std::isfinite(origin) ? 0.0 : origin;
    }
    // Counts that do not fit the pages are leftovers of another image.
    if (imagej->channels * imagej->frames <= planes &&
        imagej->channels * imagej->frames * imagej->slices == planes) {
      series.plane_channels = imagej->channels;
      series.times = imagej->frames;
      slices = imagej->slices;
    }
  } else {
    series.voxel = plain_voxel(pages);
  }
  set_shape(series, first, slices);
  if (!run) {
    series.page.resize(static_cast<std::size_t>(planes));
    for (std::int64_t i = 0; i < planes; ++i) {
      const std::int64_t c = i % series.plane_channels;
      const std::int64_t z = i / series.plane_channels % slices;
      const std::int64_t t = i / (series.plane_channels * slices);
      series.page[series.plane(t, c, z)] = numbers[static_cast<std::size_t>(i)];
    }
  }
  if (series.plane_channels > kMostChannels / std::max(first.samples, 1)) {
    return series_error(path, "claims " + std::to_string(series.plane_channels) + " channels");
  }
  series.channels = default_names(series.plane_channels * first.samples, first);
  if (imagej && !imagej->channel_name.empty() && series.channels.size() == 1) {
    series.channels.front() = imagej->channel_name;
  }
  return series;
}

}  // namespace

Status check_planes(const TiffSeries& series, TiffFiles& files, std::int64_t t, std::int64_t c,
                    const JobContext& context) {
  if (!series.shape.problem.empty()) {
    return series_error(files.path(), series.shape.problem, series.shape.advice);
  }
  if (series.page.empty()) return {};
  // Facts about the last file looked at: slices come file by file.
  std::uint64_t total = 0;
  bool compressed = false;
  std::size_t last = files.count();
  for (std::int64_t z = 0; z < series.size.z; ++z) {
    if (context.stop_requested()) return cancelled_error();
    const std::size_t plane = series.plane(t, c, z);
    const std::int64_t number = series.page[plane];
    if (number < 0) {
      return series_error(files.path(),
                          "does not hold slice " + std::to_string(z) + " of channel " +
                              std::to_string(c) + ", time point " + std::to_string(t) +
                              " that its metadata describes",
                          "choose another one, or open the file of the set that holds it");
    }
    const std::size_t place = series.file_of(plane);
    const auto file = files.open(place, context);
    if (!file) return file.error();
    const TiffPages& pages = *(*file)->pages;
    const std::filesystem::path& path = (*file)->file.path();
    if (place != last) {
      last = place;
      total = 0;
      compressed = false;
    }
    const std::string where = "page " + std::to_string(number + 1) + " ";
    if (series.pages_each > 0 && pages.pages.size() != series.pages_each) {
      return series_error(path,
                          "has " + std::to_string(pages.pages.size()) + " pages, and " +
                              files.path().filename().string() + " has " +
                              std::to_string(series.pages_each),
                          "move the files that do not belong to the image elsewhere");
    }
    if (number >= std::ssize(pages.pages)) {
      return series_error(path, "has no " + where + "that the metadata of its set describe");
    }
    const TiffPage& page = pages.pages[static_cast<std::size_t>(number)];
    if (!page.problem.empty()) return series_error(path, where + page.problem, page.advice);
    if (!page.same_shape(series.shape)) {
      return files.count() == 1
                 ? series_error(path, where + "is " + shape_text(page) + ", unlike the first page")
                 : series_error(path,
                                "is " + shape_text(page) + ", unlike " + shape_text(series.shape) +
                                    " of " + files.path().filename().string(),
                                "move the files that do not belong to the image elsewhere");
    }
    compressed = compressed || page.compressed;
    if (__builtin_add_overflow(total, page.pixel_bytes, &total)) total = UINT64_MAX;
    if (!compressed && total > pages.file_bytes) {
      return series_error(path, "claims " + size_text(series.size) + " pixels (" +
                                    std::to_string(total) + " bytes), but has only " +
                                    std::to_string(pages.file_bytes) + " bytes");
    }
  }
  return {};
}

Result<TiffSeries> arrange_tiff(const TiffPages& pages, const std::filesystem::path& path) {
  auto series =
      is_ome_xml(pages.description) ? arrange_ome(pages, path) : arrange_stack(pages, path);
  if (!series) return series;
  auto bytes = checked_bytes(series->size, 8, series->channels.size(), path);
  if (!bytes) return bytes.error();
  return series;
}

}  // namespace aprscope
