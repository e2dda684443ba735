#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/apr/convert/slice_conversion.hpp"

namespace aprscope {

/// The cells of a conversion that has not come to its end, in a hidden file beside its output:
/// choosing them takes more than half of the time. If the program or the machine dies, the same
/// conversion goes on from there the next time; whoever lives to destroy this object removes the
/// file, after an error or a cancel as well.
class UnfinishedConversion {
 public:
  /// What is kept: the cells, and a number for each slice of the image that they were chosen for.
  struct Kept {
    ChosenCells chosen;
    std::vector<std::uint64_t> slices;
  };

  /// `key`: of all that cells depend on but the samples, which no other conversion shares; `part`:
  /// of how many channels and time points before it the output has particles, too.
  UnfinishedConversion(const std::filesystem::path& output, std::uint64_t key,
                       std::size_t part = 0);
  ~UnfinishedConversion();
  UnfinishedConversion(const UnfinishedConversion&) = delete;
  UnfinishedConversion& operator=(const UnfinishedConversion&) = delete;

  /// What a run that died has left of this conversion of an image of `size`; none where there is
  /// no such file, or one that is damaged or of another conversion. Throws std::bad_alloc.
  [[nodiscard]] std::optional<Kept> load(const Size3& size);
  /// Keeps the cells. Nothing is kept where the disk is full, the folder refuses, or another file
  /// has that name.
  void save(const Kept& kept);

  /// Removes what such conversions have left for parts from `first` on, up to `end` and as many
  /// beyond as follow each other. Files of others stay.
  static void remove_left(const std::filesystem::path& output, std::size_t first, std::size_t end);

  /// `.name.apr.cells` beside `name.apr`, `.name.apr.cells-1` of the part that follows, ….
  static std::filesystem::path file_beside(const std::filesystem::path& output,
                                           std::size_t part = 0);

 private:
  std::filesystem::path path_;
  std::uint64_t key_;
  // The file at `path_`, if any, is one of these.
  bool ours_ = false;
};

/// The slices of another source, which is not read again to see whether the image is still the same
/// as in an earlier pass: each slice has a number that its samples give.
class WitnessedSlices final : public SliceSource {
 public:
  /// `source` must outlive this. With the numbers of an earlier pass, `known`, slices that have
  /// others are errors.
  explicit WitnessedSlices(SliceSource& source, std::vector<std::uint64_t> known = {});

  [[nodiscard]] Size3 size() const override { return source_.size(); }
  [[nodiscard]] SampleKind kind() const override { return source_.kind(); }
  [[nodiscard]] const Volume& header() const override { return source_.header(); }
  [[nodiscard]] bool costly() const override { return source_.costly(); }
  /// Errors: also a slice that is another than it was.
  Status read(std::int64_t z, void* out, const JobContext& context) override;

  /// The numbers of all slices, 0 for those that were not read.
  [[nodiscard]] const std::vector<std::uint64_t>& numbers() const { return numbers_; }

 private:
  SliceSource& source_;
  bool known_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace aprscope
