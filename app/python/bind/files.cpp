// Files: their contents, reading and writing.
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "app/python/bind/bind.hpp"
#include "app/python/bind/call.hpp"
#include "app/python/bind/held.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/formats.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/operations/project/half_map_files.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace aprscope::python {
namespace {

// Python passes names of files as bytes, which may not be UTF-8.
std::string path_of(const nb::bytes& path) { return {path.c_str(), path.size()}; }

nb::dict info_of(const nb::bytes& path) {
  const auto info =
      computed<SourceInfo>([path = path_of(path)](const JobContext& context, BesideJob& /*self*/) {
        return inspect(path, context);
      });
  nb::dict facts;
  facts["format"] = python_text(info.format);
  facts["is_apr"] = info.is_apr;
  facts["shape"] = nb::make_tuple(info.size.z, info.size.x, info.size.y);
  facts["dtype"] = python_text(info.dtype);
  facts["voxel"] = nb::make_tuple(info.voxel.z, info.voxel.x, info.voxel.y);
  facts["unit"] = python_text(info.voxel.unit);
  nb::list channels;
  for (const std::string& channel : info.channels) channels.append(python_text(channel));
  facts["channels"] = channels;
  facts["times"] = info.times;
  nb::list datasets;
  for (const std::string& dataset : info.datasets) datasets.append(python_text(dataset));
  facts["datasets"] = datasets;
  facts["particles"] = info.particles;
  nb::list fields;
  for (const std::string& field : info.fields) fields.append(python_text(field));
  facts["fields"] = fields;
  return facts;
}

Error missing(const std::string& what, int asked, int count, const std::string& path) {
  return {"has no " + what + " " + std::to_string(asked), path,
          count == 1 ? "use 0, the only one" : "use 0 to " + std::to_string(count - 1)};
}

Held open_file(const nb::bytes& path, int channel, int time, const nb::object& progress) {
  const std::string name = path_of(path);
  Watchers watchers;
  watchers.progress = progress;
  auto data = computed<std::shared_ptr<const Dataset>>(
      [name, channel, time](const JobContext& context,
                            BesideJob& /*self*/) -> Result<std::shared_ptr<const Dataset>> {
        const auto info = inspect(name, context);
        if (!info) return info.error();
        const auto channels = static_cast<int>(info->channels.size());
        if (channel < 0 || channel >= channels) return missing("channel", channel, channels, name);
        if (time < 0 || time >= info->times) return missing("time point", time, info->times, name);
        auto read = load(*info, {channel, time}, context);
        if (!read) return read.error();
        return Dataset::create(*std::move(read));
      },
      watchers);
  return {std::move(data), name};
}

struct WriteSettings {
  std::optional<bool> with_tree;
  OmeZarrVersion zarr = OmeZarrVersion::v04;
  TiffPacking packing = TiffPacking::deflate;
};

Status write_data(const Dataset& data, const std::string& path, const WriteSettings& settings,
                  const JobContext& context) {
  if (!data.is_apr()) {
    if (std::filesystem::path(path).extension() == ".apr") {
      return Error{"the data is a pixel image, not particles", path,
                   "write a .tif, or convert the image first"};
    }
    return is_zarr_name(path) ? write_ome_zarr(data.volume(), path, settings.zarr, context)
                              : write_image(data.volume(), path, context, settings.packing);
  }
  if (is_zarr_name(path)) return write_ome_zarr(data.apr(), path, settings.zarr, context);
  if (std::filesystem::path(path).extension() == ".apr") {
    return write_apr(data.apr(), path, {settings.with_tree}, context);
  }
  return Error{"the data is particles, which no file of this name holds", path,
               "write an .apr, or save aprscope.reconstruct(data)"};
}

void save_file(const Held& held, const nb::bytes& path, std::optional<bool> with_tree,
               const std::string& zarr, const std::string& packing, const nb::object& progress) {
  const std::string name = path_of(path);
  WriteSettings settings;
  settings.with_tree = with_tree;
  if (zarr == "0.5") settings.zarr = OmeZarrVersion::v05;
  if (packing == "zstd") settings.packing = TiffPacking::zstd;
  if (packing == "none") settings.packing = TiffPacking::none;
  Watchers watchers;
  watchers.progress = progress;
  computed<bool>(
      [data = held.data, name, settings](const JobContext& context,
                                         BesideJob& /*self*/) -> Result<bool> {
        if (Status ok = write_data(*data, name, settings, context); !ok) return ok.error();
        return true;
      },
      watchers);
}

void save_labels(const Held& held, const nb::bytes& path) {
  computed<bool>([data = held.data, name = path_of(path)](const JobContext& context,
                                                          BesideJob& /*self*/) -> Result<bool> {
    if (Status ok = write_labels_of(*data, name, context); !ok) return ok.error();
    return true;
  });
}

void save_half_maps(const Held& held, const nb::bytes& path) {
  computed<bool>([data = held.data, name = path_of(path)](const JobContext& context,
                                                          BesideJob& /*self*/) -> Result<bool> {
    if (data->is_apr()) return Error{"is no map", data->name(), "give what backproject() made"};
    if (Status ok = write_half_maps(data->volume(), name, context); !ok) return ok.error();
    return true;
  });
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def("info", info_of, "path"_a);
  module.def("open_file", open_file, "path"_a, "channel"_a, "time"_a, "progress"_a.none());
  module.def("save_file", save_file, "held"_a, "path"_a, "with_tree"_a.none(), "zarr"_a,
             "packing"_a, "progress"_a.none());
  module.def("save_labels", save_labels, "held"_a, "path"_a);
  module.def("save_half_maps", save_half_maps, "held"_a, "path"_a);
  module.def("formats", [] { return python_text(format_list()); });
}

}  // namespace aprscope::python
