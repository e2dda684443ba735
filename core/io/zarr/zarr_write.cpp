#include "core/io/zarr/zarr_write.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>

#include "core/io/common/read_limits.hpp"
#include "core/io/zarr/zarr_group_write.hpp"
#include "core/io/zarr/zarr_place.hpp"
#include "core/io/zarr/zarr_pyramid_write.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

const char* name_of(SampleKind kind) {
  return kind == SampleKind::u8 ? "u8" : kind == SampleKind::u16 ? "u16" : "f32";
}

// What has to be alike in all parts, and what the first one says of all.
struct PartFacts {
  Size3 size;
  SampleKind kind = SampleKind::u8;
  VoxelSize voxel;
  std::array<double, 3> origin{0.0, 0.0, 0.0};
  std::string name;
  std::string channel;
};

Result<PartFacts> facts_of(const OmeZarrPart& part, const fs::path& path) {
  if (const auto* pixels = std::get_if<std::shared_ptr<const Volume>>(&part)) {
    const Volume& volume = **pixels;
    return PartFacts{volume.size(), static_cast<SampleKind>(volume.pixels.index()),
                     volume.voxel,  volume.origin,
                     volume.name,   volume.channel};
  }
  const Apr& apr = *std::get<std::shared_ptr<const Apr>>(part);
  const auto field = apr.main_field();
  if (!field) {
    return Error{"has particles without values", path.string(), "choose data that have some"};
  }
  return PartFacts{apr.access->size(), zarr_kind(*field), apr.voxel, {}, apr.name, apr.channel};
}

class Writer {
 public:
  Writer(const OmeZarrSeries& series, fs::path path, fs::path folder, OmeZarrVersion version)
      : path_(std::move(path)), folder_(std::move(folder)), version_(version) {
    facts_.series = series;
    facts_.ranges.resize(series.channels.size());
  }

  Status write(const ZarrPlace& place, const OmeZarrPart& part, const JobContext& context) {
    auto found = facts_of(part, path_);
    if (!found) return found.error();
    if (pyramid_.arrays.empty()) {
      if (Status begun = begin(*found); !begun) return begun;
    } else if (found->size != facts_.size || found->kind != facts_.kind) {
      return unlike(place, *found);
    }
    std::string& name = facts_.series.channels[static_cast<std::size_t>(place.channel)].name;
    if (name.empty()) name = std::move(found->channel);
    return write_zarr_part(pyramid_, place, part,
                           facts_.ranges[static_cast<std::size_t>(place.channel)], context);
  }

  // Last, as it takes the range of values.
  [[nodiscard]] Status finish() const {
    return write_zarr_group(folder_, facts_, pyramid_.factors, version_);
  }

 private:
  // The arrays are there with all their places before the first of them is filled.
  Status begin(const PartFacts& first) {
    facts_.size = first.size;
    facts_.kind = first.kind;
    facts_.voxel = first.voxel;
    facts_.origin = first.origin;
    facts_.name = first.name;
    pyramid_ = zarr_pyramid({folder_, first.size, first.kind,
                             static_cast<int>(facts_.series.channels.size()), facts_.series.times,
                             version_ == OmeZarrVersion::v05});
    for (const ZarrArrayPlan& plan : pyramid_.arrays) {
      if (Status made = write_zarr_array(plan); !made) return made;
    }
    return {};
  }

  [[nodiscard]] Error unlike(const ZarrPlace& place, const PartFacts& found) const {
    const bool sizes = found.size != facts_.size;
    const std::string here = sizes ? size_text(found.size) + " pixels" : name_of(found.kind);
    const std::string first = sizes ? size_text(facts_.size) : name_of(facts_.kind);
    return {"cannot be one image: channel " + std::to_string(place.channel) + " at time point " +
                std::to_string(place.time) + " has " + here + ", the first one " + first,
            path_.string(), "write those that are alike, or each to a folder of its own"};
  }

  fs::path path_;
  fs::path folder_;
  OmeZarrVersion version_;
  ZarrFacts facts_;
  ZarrPyramid pyramid_;
};

// `making`: the share of a part's progress for making it.
Status write_parts(const OmeZarrSeries& series, const MakeOmeZarrPart& part, double making,
                   const fs::path& path, OmeZarrVersion version, const JobContext& context) {
  const auto channels = static_cast<int>(series.channels.size());
  if (channels == 0 || series.times < 1) {
    return Error{"has no channel or time point", path.string(), "choose one at least"};
  }
  return make_zarr_folder(path, [&](const fs::path& folder) -> Status {
    Writer writer(series, path, folder, version);
    const double count = static_cast<double>(channels) * series.times;
    for (int time = 0; time < series.times; ++time) {
      for (int channel = 0; channel < channels; ++channel) {
        if (context.stop_requested()) return cancelled_error();
        const double i = static_cast<double>(time) * channels + channel;
        const JobContext share = context.part(i / count, (i + 1.0) / count);
        const auto made = part(channel, time, share.part(0.0, making));
        if (!made) return made.error();
        Status written = writer.write({channel, time}, *made, share.part(making, 1.0));
        if (!written) return written;
      }
    }
    return writer.finish();
  });
}

// One part that is there already and outlives the call.
template <class T>
Status write_one(const T& data, const fs::path& path, OmeZarrVersion version,
                 const JobContext& context) {
  const std::shared_ptr<const T> lent(std::shared_ptr<const void>(), &data);
  const MakeOmeZarrPart part = [&](int, int, const JobContext&) -> Result<OmeZarrPart> {
    return OmeZarrPart(lent);
  };
  return write_parts({}, part, 0.0, path, version, context);
}

}  // namespace

bool is_zarr_name(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".zarr";
}

Status write_ome_zarr(const OmeZarrSeries& series, const MakeOmeZarrPart& part,
                      const fs::path& path, OmeZarrVersion version, const JobContext& context) {
  // Reading and computing take longer than packing.
  return write_parts(series, part, 0.7, path, version, context);
}

Status write_ome_zarr(const Volume& volume, const fs::path& path, OmeZarrVersion version,
                      const JobContext& context) {
  return write_one(volume, path, version, context);
}

Status write_ome_zarr(const Apr& apr, const fs::path& path, OmeZarrVersion version,
                      const JobContext& context) {
  return write_one(apr, path, version, context);
}

}  // namespace aprscope
