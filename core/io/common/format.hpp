#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/io/common/metadata_part.hpp"
#include "core/io/common/probe.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// Takes slices one after the other; an error ends the reading.
using SliceVisitor = std::function<Status(std::int64_t z, std::span<const double> values)>;

/// A format that is read. Each stands beside its reader; formats.cpp names them all.
struct Format {
  /// Id of the format, in lower case: "tiff".
  std::string id;
  /// Name of the format in sentences: "TIFF".
  std::string name;
  /// How such files are named, in lower case and with the dot: ".tif"; at least one, but for
  /// folders that go by any name. For dialogs and help: what a file is, its content says.
  std::vector<std::string> endings;
  /// MIME types of such files; at least one, except for folders, which desktops open themselves.
  std::vector<std::string> mime_types;
  /// Whether it holds particles, not pixels.
  bool particles = false;
  /// Whether its images are folders, not files.
  bool folders = false;

  /// Whether the content is of this format: by its signature, and, where formats share a signature,
  /// by as little more as tells them apart. At most one of those formats returns true. Errors: the
  /// file cannot be examined.
  std::function<Result<bool>(Probe& probe)> is_it;
  /// Reads the headers of a file that is of this format. See inspect(), which fills in format_id.
  std::function<Result<SourceInfo>(Probe& probe)> inspect;
  /// See load(), which watches that the file stays the same meanwhile.
  std::function<Result<Data>(const SourceInfo& info, const SourceSelection& selection,
                             const JobContext& context)>
      load;
  /// See open_slices(), which watches too. Empty for particles and tables of projections.
  std::function<Result<std::unique_ptr<SliceSource>>(const SourceInfo& info,
                                                     const SourceSelection& selection)>
      slices;
  /// All slices of an image, in order, as f64: with values that load() rounds to f32, but integers
  /// beyond 2^53, which are rounded. Empty where `slices` is.
  std::function<Status(const SourceInfo& info, const SourceSelection& selection,
                       const SliceVisitor& visit, const JobContext& context)>
      exactly;
  /// The file that tells of a change while an image is read; empty where that is the image's own.
  std::function<std::filesystem::path(const SourceInfo& info)> watched{};
  /// What the file says of itself, as it stands there: see original_metadata(), which makes it fit
  /// to be shown. Empty where it says nothing beyond what SourceInfo has.
  std::function<Result<std::vector<MetadataPart>>(const SourceInfo& info,
                                                  const JobContext& context)>
      metadata{};
};

}  // namespace aprscope
