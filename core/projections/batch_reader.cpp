#include "core/projections/batch_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/projections/finite.hpp"

namespace aprscope {

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

// Of one that is full.
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
  if (!ok) return ok.error();
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

Status BatchReader::read(Share rows, Batch& batch) const {
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
  std::vector<std::uint8_t> sound(batch.rows.size());
  parallel_for(rows.size(), threads_for(rows.size() * pixels), [&](std::int64_t i) {
    const std::span<const float> image(batch.images.data() + i * pixels,
                                       static_cast<std::size_t>(pixels));
    sound[static_cast<std::size_t>(i)] = are_finite(image) ? 1 : 0;
  });
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    if (sound[i] != 0) continue;
    const Projection& bad = batch.rows[i];
    const std::string stack = bad.stack < table.stacks.size()
                                  ? table.stacks[bad.stack].filename().string()
                                  : std::string("a stack");
    return Error{"image " + std::to_string(bad.image + 1) + " of " + stack +
                     " has pixels that are not numbers",
                 place_of(table, bad), "leave the row out or mend the stack"};
  }
  return {};
}

}  // namespace aprscope
