#include "core/io/common/file_watch.hpp"

#include <utility>

namespace aprscope {
namespace {

class WatchedSlices : public SliceSource {
 public:
  WatchedSlices(std::unique_ptr<SliceSource> source, FileWatch watch)
      : source_(std::move(source)), watch_(std::move(watch)) {}

  [[nodiscard]] Size3 size() const override { return source_->size(); }
  [[nodiscard]] SampleKind kind() const override { return source_->kind(); }
  [[nodiscard]] const Volume& header() const override { return source_->header(); }
  [[nodiscard]] bool costly() const override { return source_->costly(); }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    Status read = source_->read(z, out, context);
    if (!read && read.error().cancelled()) return read;
    // Checked after each slice, so that all slices are of one file. A change is reported before an
    // error of reading, since it is its cause.
    if (Status same = watch_.unchanged(); !same) return same;
    return read;
  }

 private:
  std::unique_ptr<SliceSource> source_;
  FileWatch watch_;
};

}  // namespace

Result<FileWatch> FileWatch::begin(const std::filesystem::path& path) {
  const auto state = state_of(path);
  if (!state) return state.error();
  return FileWatch(path, *state);
}

Error changed_file(const std::filesystem::path& path, const std::optional<FileState>& before,
                   const std::optional<FileState>& now) {
  const char* what = "was written to while it was read";
  if (!before) {
    what = "was made while the data it belongs to were read";
  } else if (!now || now->inode != before->inode || now->device != before->device) {
    what = "was removed or replaced while it was read";
  } else if (now->bytes < before->bytes) {
    what = "was cut off while it was read";
  }
  return {what, path.string(), "wait until it is complete, then open it again"};
}

Status FileWatch::unchanged() const {
  const auto now = state_of(path_);
  if (now && *now == before_) return {};
  return changed_file(path_, before_, now ? std::optional(*now) : std::nullopt);
}

std::unique_ptr<SliceSource> watched_slices(std::unique_ptr<SliceSource> source, FileWatch watch) {
  return std::make_unique<WatchedSlices>(std::move(source), std::move(watch));
}

}  // namespace aprscope
