#pragma once

#include <cstdint>
#include <optional>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/nameless_file.hpp"

// Private to core/apr/convert.

namespace aprscope {

/// The slices of another source, whose work is done once where it is much: what a first pass gave
/// waits on a disk for the passes to come. Only as much as the system can hold in memory beside it,
/// as a disk may be slower than unpacking, and where the disk has ample room; else each pass reads
/// the source.
class KeptSlices final : public SliceSource {
 public:
  /// `source` must outlive this.
  explicit KeptSlices(SliceSource& source);

  [[nodiscard]] Size3 size() const override { return source_.size(); }
  [[nodiscard]] SampleKind kind() const override { return source_.kind(); }
  [[nodiscard]] const Volume& header() const override { return source_.header(); }
  [[nodiscard]] bool costly() const override { return !file_ && source_.costly(); }
  Status read(std::int64_t z, void* out, const JobContext& context) override;

 private:
  SliceSource& source_;
  std::size_t slice_bytes_;
  std::optional<NamelessFile> file_;
  // Slices [0, kept_) are in the file.
  std::int64_t kept_ = 0;
};

}  // namespace aprscope
