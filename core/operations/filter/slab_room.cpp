#include "core/operations/filter/slab_room.hpp"

#include <algorithm>
#include <utility>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

std::uint64_t bytes_of(const AprPart& part) {
  return part.access->bytes() + part.kept.capacity() * sizeof(AprPart::Run) +
         part.origins.capacity() * sizeof(AprPart::Origin);
}

std::span<float> of_length(std::vector<float>& list, std::size_t count) {
  if (list.size() < count) list.resize(count);
  return std::span(list).first(count);
}

}  // namespace

std::optional<AprPart> SlabRoom::part(std::int64_t index, std::span<const float> values) {
  const auto found = kept_.find(index);
  if (found == kept_.end() || !found->second) return std::nullopt;
  AprPart part = *std::move(found->second);
  found->second.reset();
  part.values = std::move(values_);
  part.values.resize(part.access->count());
  const auto runs = static_cast<std::int64_t>(part.origins.size());
  parallel_for(runs, runs > 4 ? thread_count() : 1, [&](std::int64_t i) {
    const AprPart::Origin& run = part.origins[static_cast<std::size_t>(i)];
    const auto to = part.values.begin() + static_cast<std::ptrdiff_t>(run.from);
    if (run.repeated) {
      std::fill_n(to, run.count, values[run.to]);
    } else {
      std::ranges::copy(values.subspan(run.to, run.count), to);
    }
  });
  return part;
}

void SlabRoom::give(std::int64_t index, AprPart part) {
  values_ = std::move(part.values);
  part.values.clear();
  if (const auto found = kept_.find(index); found != kept_.end()) {
    found->second = std::move(part);
    return;
  }
  part.kept.shrink_to_fit();
  part.origins.shrink_to_fit();
  const std::uint64_t bytes = bytes_of(part);
  if (bytes > left_) return;
  left_ -= bytes;
  kept_.emplace(index, std::move(part));
}

std::span<float> SlabRoom::tree(std::size_t count) { return of_length(tree_, count); }
std::span<float> SlabRoom::results(std::size_t count) { return of_length(results_, count); }

}  // namespace aprscope
