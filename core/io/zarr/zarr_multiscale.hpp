#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.hpp"
#include "core/io/zarr/zarr_node.hpp"
#include "core/io/zarr/zarr_store.hpp"

// Private to core/io: what OME-NGFF says of an image in several resolutions.

namespace aprscope {

/// Levels of an image, and arrays of a store, that are looked at.
inline constexpr std::size_t kMostZarrDatasets = 1000;

/// An axis as a file names it.
struct ZarrAxis {
  /// In small letters, as its type.
  std::string name;
  std::string type;
  std::string unit;
};

/// One level of a pyramid.
struct ZarrLevel {
  std::string key;
  /// One for each axis.
  std::vector<double> scale;
  std::vector<double> translation;
  /// Why where its pixels are is not known.
  std::optional<Error> problem;
};

/// An image, the largest level first.
struct ZarrMultiscale {
  std::string version;
  std::vector<ZarrAxis> axes;
  std::vector<ZarrLevel> levels;
};

/// Attributes of OME-NGFF: since 0.5 in an object of their own.
const nlohmann::ordered_json& ome_attributes(const ZarrNode& node);

/// The first image of the group `node`, whose key this is; nothing where it has none. Errors: a
/// level outside of the folder.
Result<std::optional<ZarrMultiscale>> zarr_multiscale(const ZarrStore& store,
                                                      const std::string& key, const ZarrNode& node);

/// Numbers of a list that has so many; nothing for anything else.
std::optional<std::vector<double>> zarr_numbers(const nlohmann::ordered_json& list,
                                                std::size_t count);

/// Names of axes are compared in small letters.
std::string lower_case(std::string text);

}  // namespace aprscope
