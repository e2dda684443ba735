#include "core/io/projections/projection_images.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>
#include <optional>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Most bytes of neighbouring images read at once: long enough for disks and networks, short enough
// that threads share a batch and that it stays in the cache until it is converted.
constexpr std::uint64_t kReadBytes = 4 << 20;
// Sets have a stack a micrograph; a process may open a thousand files or so.
constexpr std::size_t kOpenFiles = 64;

// Images that lie one after the other: order[begin, end).
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class StackImages : public ProjectionImages {
 public:
  StackImages(std::vector<ProjectionStack> stacks, std::int64_t side,
              std::filesystem::path table_path)
      : stacks_(std::move(stacks)),
        side_(side),
        table_path_(std::move(table_path)),
        files_(stacks_.size()) {}

  Status read(std::span<const Projection> rows, std::span<float> out,
              const JobContext& context) override {
    const auto pixels = static_cast<std::size_t>(side_ * side_);
    if (out.size() != rows.size() * pixels) {
      return Error{"was asked for " + std::to_string(rows.size()) + " images into " +
                       std::to_string(out.size()) + " values",
                   table_path_.string(), "this is a mistake in the program"};
    }
    for (const Projection& row : rows) {
      if (Status ok = check(row); !ok) return ok;
    }
    const std::vector<std::size_t> order = file_order(rows);
    const std::vector<Run> runs = runs_of(rows, order);
    const auto count = static_cast<std::int64_t>(runs.size());
    const int threads = static_cast<int>(std::min<std::int64_t>(thread_count(), count));
    std::vector<std::vector<std::uint8_t>> buffers(static_cast<std::size_t>(std::max(threads, 1)));
    std::vector<Status> done(runs.size());
    const auto work = [&](std::int64_t i, int thread) {
      const auto at = static_cast<std::size_t>(i);
      if (context.stop_requested()) return;
      done[at] =
          read_run(rows, std::span(order).subspan(runs[at].begin, runs[at].end - runs[at].begin),
                   buffers[static_cast<std::size_t>(thread)], out.data());
    };
    parallel_each(count, threads, work);
    if (context.stop_requested()) return cancelled_error();
    for (Status& one : done) {
      if (!one) return one;
    }
    return {};
  }

 private:
  [[nodiscard]] Error error(const Projection& row, const std::string& what,
                            const std::string& advice) const {
    const bool known = row.stack < stacks_.size();
    return {what + " (asked for by line " + std::to_string(row.line) + " of " +
                table_path_.filename().string() + ")",
            known ? stacks_[row.stack].path.string() : table_path_.string(), advice};
  }

  [[nodiscard]] Status check(const Projection& row) const {
    if (row.stack >= stacks_.size()) {
      return error(row, "has no stack " + std::to_string(row.stack), "open the table again");
    }
    const ProjectionStack& stack = stacks_[row.stack];
    if (!stack.problem.empty()) {
      return error(row, stack.problem,
                   "say where the project's folder is, or leave its images out");
    }
    if (stack.planes.columns != side_) {
      return error(row,
                   "holds images of " + std::to_string(stack.planes.columns) + " pixels, not of " +
                       std::to_string(side_),
                   "leave its images out");
    }
    if (row.image < 0 || row.image >= stack.images) {
      const bool cut = row.image >= 0 && row.image < stack.planes.sections;
      return error(row,
                   cut ? "is cut off after image " + std::to_string(stack.images)
                       : "has " + std::to_string(stack.images) + " images and no image " +
                             std::to_string(row.image + 1),
                   cut ? "get the file again from its source" : "leave that image out");
    }
    return {};
  }

  [[nodiscard]] static std::vector<std::size_t> file_order(std::span<const Projection> rows) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (rows[a].stack != rows[b].stack) return rows[a].stack < rows[b].stack;
      return rows[a].image != rows[b].image ? rows[a].image < rows[b].image : a < b;
    });
    return order;
  }

  [[nodiscard]] std::vector<Run> runs_of(std::span<const Projection> rows,
                                         std::span<const std::size_t> order) const {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Projection& row = rows[order[i]];
      if (!runs.empty()) {
        const Projection& first = rows[order[runs.back().begin]];
        const Projection& last = rows[order[i - 1]];
        const EmPlanes& planes = stacks_[row.stack].planes;
        // The same image twice is read once.
        const bool next = row.stack == last.stack && row.image - last.image <= 1;
        if (next && planes.offset(row.image) + planes.plane_bytes() - planes.offset(first.image) <=
                        kReadBytes) {
          ++runs.back().end;
          continue;
        }
      }
      runs.push_back({i, i + 1});
    }
    return runs;
  }

  Status read_run(std::span<const Projection> rows, std::span<const std::size_t> order,
                  std::vector<std::uint8_t>& buffer, float* out) {
    const Projection& first = rows[order.front()];
    const ProjectionStack& stack = stacks_[first.stack];
    const EmPlanes& planes = stack.planes;
    auto file = open(first);
    if (!file) return file.error();
    const std::uint64_t begin = planes.offset(first.image);
    const std::uint64_t end = planes.offset(rows[order.back()].image) + planes.plane_bytes();
    buffer.resize(std::max<std::size_t>(buffer.size(), end - begin));
    const auto got = (*file)->read_at(begin, buffer.data(), end - begin);
    if (!got) return error(first, got.error().what, got.error().advice);
    // Checked after reading, so that bytes of a file that changed are not used.
    const auto now = state_of(stack.path);
    if (*got < end - begin || !now || *now != stack.state) return changed(first);
    const auto pixels = static_cast<std::size_t>(side_ * side_);
    const Projection* before = nullptr;
    const float* image_before = nullptr;
    for (const std::size_t index : order) {
      const Projection& row = rows[index];
      float* const image = out + index * pixels;
      // Decoding overwrites the raw bytes, so an image that occurs twice is copied.
      if (before != nullptr && before->image == row.image) {
        std::copy_n(image_before, pixels, image);
      } else {
        decode_em(buffer.data() + (planes.offset(row.image) - begin), planes, side_, image);
      }
      before = &row;
      image_before = image;
    }
    return {};
  }

  [[nodiscard]] Error changed(const Projection& row) const {
    return error(row, "is another file than when the table was opened", "open the table again");
  }

  // The open file of a row's stack; some files are kept open.
  Result<std::shared_ptr<const RegularFile>> open(const Projection& row) {
    {
      const std::lock_guard lock(mutex_);
      if (files_[row.stack]) return files_[row.stack];
    }
    auto opened = open_regular(stacks_[row.stack].path);
    if (!opened) return error(row, opened.error().what, opened.error().advice);
    const auto state = opened->state();
    if (!state || *state != stacks_[row.stack].state) return changed(row);
    auto file = std::make_shared<const RegularFile>(*std::move(opened));
    const std::lock_guard lock(mutex_);
    if (!files_[row.stack]) {
      files_[row.stack] = file;
      kept_.push_back(row.stack);
      if (kept_.size() > kOpenFiles) {
        files_[kept_.front()].reset();
        kept_.pop_front();
      }
    }
    return file;
  }

  const std::vector<ProjectionStack> stacks_;
  const std::int64_t side_;
  const std::filesystem::path table_path_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const RegularFile>> files_;
  std::deque<std::uint32_t> kept_;
};

}  // namespace

std::shared_ptr<ProjectionImages> stack_images(std::vector<ProjectionStack> stacks,
                                               std::int64_t side,
                                               std::filesystem::path table_path) {
  return std::make_shared<StackImages>(std::move(stacks), side, std::move(table_path));
}

}  // namespace aprscope
