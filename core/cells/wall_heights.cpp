#include "core/cells/wall_heights.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace aprscope {
namespace {

// From so many times as many on, one after the other is put in its place; else all are split anew.
constexpr std::size_t kManyMore = 16;

void push(std::vector<float>& heap, float height, const auto& order) {
  heap.push_back(height);
  std::push_heap(heap.begin(), heap.end(), order);
}
float pop(std::vector<float>& heap, const auto& order) {
  std::pop_heap(heap.begin(), heap.end(), order);
  const float height = heap.back();
  heap.pop_back();
  return height;
}

}  // namespace

WallHeights::WallHeights(std::vector<float> heights) { split(std::move(heights)); }

void WallHeights::split(std::vector<float> heights) {
  lowest_ = *std::min_element(heights.begin(), heights.end());
  const auto half = static_cast<std::ptrdiff_t>((heights.size() + 1) / 2);
  std::nth_element(heights.begin(), heights.begin() + half - 1, heights.end());
  upper_.assign(heights.begin() + half, heights.end());
  lower_.assign(heights.begin(), heights.begin() + half);
  std::make_heap(lower_.begin(), lower_.end(), std::less<>());
  std::make_heap(upper_.begin(), upper_.end(), std::greater<>());
}

void WallHeights::add(float height) {
  lowest_ = std::min(lowest_, height);
  if (height <= median()) {
    push(lower_, height, std::less<>());
  } else {
    push(upper_, height, std::greater<>());
  }
  if (lower_.size() > upper_.size() + 1) {
    push(upper_, pop(lower_, std::less<>()), std::greater<>());
  } else if (lower_.size() < upper_.size()) {
    push(lower_, pop(upper_, std::greater<>()), std::less<>());
  }
}

void WallHeights::take(WallHeights&& other) {
  if (size() < other.size()) std::swap(*this, other);
  if (other.size() * kManyMore <= size()) {
    for (const float height : other.lower_) add(height);
    for (const float height : other.upper_) add(height);
  } else {
    std::vector<float> all = std::move(lower_);
    all.reserve(all.size() + upper_.size() + other.size());
    for (const std::vector<float>* more : {&upper_, &other.lower_, &other.upper_}) {
      all.insert(all.end(), more->begin(), more->end());
    }
    split(std::move(all));
  }
  other = {};
}

}  // namespace aprscope
