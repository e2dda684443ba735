#include "core/io/formats.hpp"

#include <optional>
#include <utility>

#include "core/io/apr/apr_format.hpp"
#include "core/io/bdv/bdv_format.hpp"
#include "core/io/em/mrc_format.hpp"
#include "core/io/em/spider_format.hpp"
#include "core/io/hdf5/hdf5_format.hpp"
#include "core/io/image_source.hpp"
#include "core/io/imaris/imaris_format.hpp"
#include "core/io/projections/projection_format.hpp"
#include "core/io/slices/slices_format.hpp"
#include "core/io/tiff/tiff_format.hpp"
#include "core/io/tiles/tiles_format.hpp"
#include "core/io/zarr/zarr_format.hpp"
#include "core/io/zarr/zarr_store.hpp"

namespace aprscope {

const std::vector<Format>& formats() {
  static const std::vector<Format> table{tiff_format(),
                                         hdf5_format(),
                                         apr_format(),
                                         projection_format(),
                                         mrc_format(),
                                         spider_format(),
                                         bdv_format(),
                                         imaris_format(),
                                         slices_format(),
                                         zarr_format(),
                                         tiles_format({inspect, open_slices})};
  return table;
}

const Format* format_by_id(std::string_view id) {
  for (const Format& format : formats()) {
    if (format.id == id) return &format;
  }
  return nullptr;
}

namespace {

// Files of kinds that are known but not read: what they are says more than what they are not.
std::optional<Error> unread_kind(const Probe& probe) {
  for (const char* magic : {"PK\3\4", "PK\5\6"}) {
    if (!probe.has(0, magic)) continue;
    return Error{"is a ZIP archive; images in archives, such as zipped Zarr, are not read",
                 probe.path().string(), "unpack it, then open the folder or file that was in it"};
  }
  // TensorStore's OCDBT: the manifest that describes the database.
  if (probe.has(0, "\x0c\xdb\x3a\x2a")) return ocdbt_error(probe.path());
  return std::nullopt;
}

}  // namespace

Result<const Format*> find_format(std::span<const Format> table, Probe& probe) {
  for (const Format& format : table) {
    if (format.folders != probe.is_folder()) continue;
    const auto it_is = format.is_it(probe);
    if (!it_is) return it_is.error();
    if (*it_is) return &format;
  }
  if (auto known = unread_kind(probe)) return *std::move(known);
  std::vector<Format> files;
  for (const Format& format : table) {
    if (!format.folders) files.push_back(format);
  }
  return Error{"is not a " + format_names(files) + " file", probe.path().string(),
               "save the image as TIFF, or choose another file"};
}

std::string format_names(std::span<const Format> table) {
  std::string text;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (i > 0) text += i + 1 == table.size() ? " or " : ", ";
    text += table[i].name;
  }
  return text;
}

std::string format_list(std::span<const Format> table) {
  std::string text;
  for (const Format& format : table) {
    if (!text.empty()) text += ", ";
    text += format.name;
    if (format.endings.empty()) continue;
    text += " (";
    for (const std::string& ending : format.endings) {
      if (&ending != &format.endings.front()) text += ", ";
      text += ending;
    }
    text += ")";
  }
  return text;
}

}  // namespace aprscope
