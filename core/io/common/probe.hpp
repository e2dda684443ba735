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

/// A file, or a folder, while it is found out what it is. One thread at a time.
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

  /// Whether these bytes stand in the file from byte `offset` on. A file that ends before counts as
  /// going on with zeros, so that one that was cut off early is still known by what is left. No
  /// folder has any.
  [[nodiscard]] bool has(std::uint64_t offset, std::string_view bytes) const;

  /// The first bytes of the file, `most` or as many as it has; none of a folder.
  [[nodiscard]] std::string head(std::size_t most) const;

  /// What probe_hdf5() leaves here, as several formats ask it and each answer takes a process; none
  /// before.
  std::shared_ptr<const ProbedHdf5> hdf5;

 private:
  Probe(std::filesystem::path path, std::string dataset, JobContext context)
      : path_(std::move(path)), dataset_(std::move(dataset)), context_(std::move(context)) {}
  std::filesystem::path path_;
  // None for a folder.
  std::optional<RegularFile> file_;
  std::string dataset_;
  JobContext context_;
};

}  // namespace aprscope
