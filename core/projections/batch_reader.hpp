#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/base/side_thread.hpp"
#include "core/projections/projections.hpp"
#include "core/projections/reconstruction_plan.hpp"
#include "core/ranks/shares.hpp"

namespace aprscope {

/// Some rows of a plan, from its row `begin` on, and their images, side² values each.
struct Batch {
  std::int64_t begin = 0;
  std::vector<Projection> rows;
  std::span<float> images;
  /// For each row whether all of its pixels are numbers; if not, all were set to 0.
  std::vector<std::uint8_t> sound;
  /// Memory of the images, with room for the largest batch.
  std::shared_ptr<float[]> room;

  [[nodiscard]] std::int64_t end() const { return begin + static_cast<std::int64_t>(rows.size()); }
};

/// Reads the images of a plan batch by batch, one ahead in another thread. The arguments of the
/// constructor must outlive it.
class BatchReader {
 public:
  /// Makes memory for so many floats. Throws std::bad_alloc.
  using Room = std::function<std::shared_ptr<float[]>(std::size_t floats)>;

  BatchReader(const Projections& projections, const ReconstructionPlan& plan,
              const JobContext& context, Unsound unsound = Unsound::refused,
              UnsoundRows refused = {})
      : projections_(projections),
        plan_(plan),
        context_(context),
        unsound_(unsound),
        tell_refused_(std::move(refused)) {}
  ~BatchReader() { wait(); }
  BatchReader(const BatchReader&) = delete;
  BatchReader& operator=(const BatchReader&) = delete;

  /// Begins, or begins again, with `share` of the plan's rows, `size` at a time. `keep`: images
  /// stay in memory for the next start(), which must ask for the same rows or the first of them.
  /// `room` makes the memory of images; ordinary memory if it is empty or returns null.
  void start(Share share, std::int64_t size, bool keep, const Room& room = {});
  /// The next batch, valid until the next call; null after the last. Errors: an image that
  /// cannot be read; images with pixels that are not numbers, if refused: all of the
  /// share.
  Result<const Batch*> next();
  /// Ends reading ahead, and frees all images.
  void end();

 private:
  void wait();
  [[nodiscard]] Share following(std::int64_t begin) const { return piece_of(share_, begin, size_); }
  Status read(Share rows, Batch& batch);
  Status read_images(Share rows, Batch& batch) const;
  [[nodiscard]] Error unsound_from(Batch& batch);
  [[nodiscard]] std::size_t batch_floats() const;
  void read_ahead();

  const Projections& projections_;
  const ReconstructionPlan& plan_;
  const JobContext& context_;
  Unsound unsound_;
  UnsoundRows tell_refused_;
  // Rows of the table that the error of a batch names; written by the thread that reads ahead.
  std::vector<bool> refused_;
  Share share_;
  std::int64_t size_ = 1;
  std::int64_t at_ = 0;  // rows of the share that were given
  bool keep_ = false;
  // One batch is used while the other one is read.
  std::array<Batch, 2> batches_;
  std::size_t filling_ = 0;
  SideThread reader_;
  std::future<Status> reading_;
  std::vector<Batch> kept_;
};

}  // namespace aprscope
