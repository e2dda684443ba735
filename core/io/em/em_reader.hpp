#pragma once

#include <memory>
#include <vector>

#include "core/io/em/em_volume.hpp"

// Private to core/io.

namespace aprscope {

/// One map (or stack) of an open file, in the program's axes. One thread at a time.
class EmReader {
 public:
  /// Reads the header alone. `zeros_after`: a file that ends before its header does counts as going
  /// on with zeros.
  static Result<EmHeader> read_header(EmKind kind, EmBytes& bytes,
                                      const std::filesystem::path& path);
  /// Errors: no such header, a map that is not there, a file that has less than it claims, which is
  /// found out before any memory is taken for pixels; cancelled.
  static Result<std::unique_ptr<EmReader>> open(EmKind kind, const SourceInfo& info,
                                                const SourceSelection& selection,
                                                const JobContext& context);

  [[nodiscard]] const EmHeader& header() const { return header_; }
  [[nodiscard]] Size3 size() const { return header_.size(); }
  [[nodiscard]] bool packed() const { return bytes_->packed(); }
  /// The volume without its pixels.
  [[nodiscard]] const Volume& facts() const { return facts_; }
  /// Slices that are best read together: more than one where the file's axes are others, as its
  /// sections are crossed then.
  [[nodiscard]] std::int64_t slices_at_once() const;
  /// Slices [begin, end) of samples as decode_em() makes them.
  template <class T>
  Status read(std::int64_t begin, std::int64_t end, T* out, const JobContext& context);

 private:
  EmReader(EmHeader header, std::unique_ptr<EmBytes> bytes, std::filesystem::path path)
      : header_(std::move(header)), bytes_(std::move(bytes)), path_(std::move(path)) {}
  Status read_plane(std::int64_t section, const JobContext& context);

  EmHeader header_;
  std::unique_ptr<EmBytes> bytes_;
  std::filesystem::path path_;
  Volume facts_;
  // The first section of the map that was chosen.
  std::int64_t first_section_ = 0;
  std::vector<std::uint8_t> raw_;
};

extern template Status EmReader::read(std::int64_t, std::int64_t, std::uint8_t*, const JobContext&);
extern template Status EmReader::read(std::int64_t, std::int64_t, std::uint16_t*,
                                      const JobContext&);
extern template Status EmReader::read(std::int64_t, std::int64_t, float*, const JobContext&);
extern template Status EmReader::read(std::int64_t, std::int64_t, double*, const JobContext&);

/// The voxel size of a map: Å, or "px" where the header does not say.
VoxelSize em_voxel(const EmHeader& header);

}  // namespace aprscope
