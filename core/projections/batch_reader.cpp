#include "core/projections/batch_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/projections/finite.hpp"
#include "core/projections/inserted_row.hpp"
#include "core/projections/left_out_rows.hpp"

namespace aprscope {
namespace {

// Longest list of images in an error; longer lists are cut.
constexpr std::size_t kLongestList = 200;

Error unsound_images(const ProjectionTable& table, const Projection& first, std::int64_t count,
                     std::string list) {
  const std::string stack = first.stack < table.stacks.size()
                                ? table.stacks[first.stack].filename().string()
                                : std::string("a stack");
  const std::string name = "image " + std::to_string(first.image + 1) + " of " + stack;
  const std::string advice = "mend the stack, or leave unusable rows out";
  if (count == 1) {
    return {name + " has pixels that are not numbers", place_of(table, first), advice};
  }
  if (list.size() > kLongestList) list = list.substr(0, list.rfind(',', kLongestList)) + ", …";
  return {std::to_string(count) + " images have pixels that are not numbers, the first of them " +
              name + ": rows " + list,
          place_of(table, first), advice};
}

}  // namespace

void BatchReader::start(Share share, std::int64_t size, bool keep, const Room& room) {
  wait();
  share_ = share;
  size_ = std::max<std::int64_t>(size, 1);
  at_ = 0;
  keep_ = keep;
  batches_ = {};
  if (!kept_.empty()) return;
  try {
    if (room) {
      batches_[0].room = room(batch_floats());
      if (share_.size() > size_) batches_[1].room = room(batch_floats());
    }
  } catch (const std::bad_alloc&) {
    // read() says it where ordinary memory is short, too.
  }
  read_ahead();
}

// Floats of a full batch.
std::size_t BatchReader::batch_floats() const {
  const std::int64_t side = projections_.table.side;
  return static_cast<std::size_t>(std::min(size_, share_.size()) * side * side);
}

void BatchReader::wait() {
  if (reading_.valid()) reading_.wait();
  reading_ = {};
}

void BatchReader::end() {
  wait();
  batches_ = {};
  kept_ = {};
}

void BatchReader::read_ahead() {
  const Share rows = following(at_);
  if (rows.size() == 0) return;
  Batch& batch = batches_[filling_];
  const auto work = [this, rows, &batch]() -> Status {
    try {
      return read(rows, batch);
    } catch (const std::bad_alloc&) {
      return Error{"not enough memory for the images of a batch", projections_.table.path.string(),
                   "close other data"};
    }
  };
  reading_ = reader_.start(work);
}

Result<const Batch*> BatchReader::next() {
  if (at_ >= share_.size()) return static_cast<const Batch*>(nullptr);
  const auto number = static_cast<std::size_t>(at_ / size_);
  if (number < kept_.size()) {
    at_ += size_;
    return &kept_[number];
  }
  const Status ok = reading_.get();
  if (!ok) {
    if (tell_refused_ && !refused_.empty()) tell_refused_(std::exchange(refused_, {}));
    return ok.error();
  }
  const Batch* now = &batches_[filling_];
  if (keep_) {
    kept_.push_back(std::move(batches_[filling_]));
    batches_[filling_] = {};
    now = &kept_.back();
  }
  at_ += size_;
  filling_ = 1 - filling_;
  read_ahead();
  return now;
}

Status BatchReader::read(Share rows, Batch& batch) {
  if (Status ok = read_images(rows, batch); !ok) return ok;
  if (unsound_ == Unsound::left_out) return {};
  if (std::find(batch.sound.begin(), batch.sound.end(), 0) == batch.sound.end()) return {};
  return unsound_from(batch);
}

Status BatchReader::read_images(Share rows, Batch& batch) const {
  const ProjectionTable& table = projections_.table;
  batch.begin = rows.begin;
  batch.rows.clear();
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    const std::int64_t row = plan_.rows[static_cast<std::size_t>(i)];
    batch.rows.push_back(table.rows[static_cast<std::size_t>(row)]);
  }
  const std::int64_t pixels = table.side * table.side;
  if (batch.room == nullptr) {
    batch.room = std::make_shared_for_overwrite<float[]>(batch_floats());
  }
  batch.images = {batch.room.get(), static_cast<std::size_t>(rows.size() * pixels)};
  if (Status ok = projections_.images->read(batch.rows, batch.images, context_); !ok) return ok;
  batch.sound.assign(batch.rows.size(), 1);
  parallel_for(rows.size(), threads_for(rows.size() * pixels), [&](std::int64_t i) {
    const std::span<float> image = batch.images.subspan(static_cast<std::size_t>(i * pixels),
                                                        static_cast<std::size_t>(pixels));
    if (are_finite(image)) return;
    batch.sound[static_cast<std::size_t>(i)] = 0;
    std::fill(image.begin(), image.end(), 0.0F);
  });
  return {};
}

// Names those of the batch and of all that follow, which are read for this alone: whoever mends a
// stack, or leaves rows out, wants to know all.
Error BatchReader::unsound_from(Batch& batch) {
  std::vector<bool> rows(projections_.table.rows.size(), false);
  const Projection first = batch.rows[static_cast<std::size_t>(
      std::find(batch.sound.begin(), batch.sound.end(), 0) - batch.sound.begin())];
  std::int64_t count = 0;
  const auto note = [&] {
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (batch.sound[i] != 0) continue;
      ++count;
      rows[static_cast<std::size_t>(plan_.rows[static_cast<std::size_t>(batch.begin) + i])] = true;
    }
  };
  note();
  for (;;) {
    const Share more = piece_of(share_, batch.end() - share_.begin, size_);
    if (more.size() == 0) break;
    if (context_.stop_requested()) return cancelled_error();
    if (Status ok = read_images(more, batch); !ok) return ok.error();
    note();
  }
  refused_ = std::move(rows);
  return unsound_images(projections_.table, first, count, row_ranges(refused_));
}

}  // namespace aprscope
