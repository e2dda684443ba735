#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"
#include "core/io/common/read_files.hpp"

// Private to core/io: folders in which Zarr and N5 keep arrays.

namespace aprscope {

/// A folder of files that are asked for by keys like "0/c/1/2". No key and no link leads out of it.
/// Copies share the states of files that were read.
class ZarrStore {
 public:
  /// Opens a folder. Errors: it is no folder.
  static Result<ZarrStore> open(const std::filesystem::path& folder);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// The file behind a key; nothing where there is none. Errors: the key or a link leads out of the
  /// folder, or to nothing; what is there is no regular file; it is another than it was when it was
  /// asked for before; the disk.
  [[nodiscard]] Result<std::optional<RegularFile>> find(const std::string& key) const;

  /// All bytes behind a key; nothing where there is no file. Errors: those of find(); more bytes
  /// than `most`; the file changes meanwhile.
  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> read(const std::string& key,
                                                                      std::uint64_t most) const;

  /// Names of the folders below the folder `key` ("" for the store's own), in order; no links, no
  /// hidden ones, and no more than `most`.
  [[nodiscard]] std::vector<std::string> folders(const std::string& key, std::size_t most) const;

  /// The files that were asked for so far, and those that were not there.
  [[nodiscard]] ReadFiles& files() const { return *files_; }

 private:
  explicit ZarrStore(std::filesystem::path path, std::filesystem::path real)
      : path_(std::move(path)),
        real_(std::move(real)),
        files_(std::make_shared<ReadFiles>(real_)) {}
  std::filesystem::path path_;
  // The path with links resolved.
  std::filesystem::path real_;
  std::shared_ptr<ReadFiles> files_;
};

/// The error for a folder or file of TensorStore's OCDBT, a database of arrays that is not read.
Error ocdbt_error(const std::filesystem::path& path);

/// An error that names the file if it is another than `before`.
Status unchanged(const RegularFile& file, const FileState& before);

/// Whether a key names nothing but folders and a file below the one that it starts from: no empty
/// part, no "." and no "..", no zero byte.
bool stays_inside(const std::string& key);

/// "folder/name", or the one of both that is not empty.
std::string joined_key(const std::string& folder, const std::string& name);

}  // namespace aprscope
