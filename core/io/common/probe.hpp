#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/job_context.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"

namespace aprscope {

struct ProbedHdf5;

/// A file or folder whose format is being found out. One thread at a time.
class Probe {
 public:
  /// `dataset` is what was asked for inside the file, "" for nothing. Never waits. Errors name the
  /// file: those of open_regular(), it cannot be read, it is empty.
  static Result<Probe> open(const std::filesystem::path& path, std::string dataset,
                            const JobContext& context);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] bool is_folder() const { return !file_; }
  [[nodiscard]] const std::string& dataset() const { return dataset_; }
  [[nodiscard]] const JobContext& context() const { return context_; }

  /// Whether these bytes stand in the file from byte `offset` on. A file that ends before
  /// counts as going on with zeros, so that a truncated file is still recognised. False for a
  /// folder.
  [[nodiscard]] bool has(std::uint64_t offset, std::string_view bytes) const;

  /// The first bytes of the file, `most` or as many as it has; none of a folder.
  [[nodiscard]] std::string head(std::size_t most) const;

  /// The answer of probe_hdf5(), kept here since several formats ask for it and each answer takes a
  /// process; null before.
  std::shared_ptr<const ProbedHdf5> hdf5;

 private:
  Probe(std::filesystem::path path, std::string dataset, JobContext context)
      : path_(std::move(path)), dataset_(std::move(dataset)), context_(std::move(context)) {}
  std::filesystem::path path_;
  // The open file; none for a folder.
  std::optional<RegularFile> file_;
  std::string dataset_;
  JobContext context_;
};

}  // namespace aprscope
