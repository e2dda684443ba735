#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace aprscope::gui {

/// Calls `release` on another thread; nobody waits for it.
void release_elsewhere(std::function<void()> release);

/// A pointer to the same object whose memory is freed on another thread after its last owner is
/// gone: freeing gigabytes takes a tenth of a second for each, during which the window would not
/// respond.
template <class T>
std::shared_ptr<T> released_elsewhere(std::shared_ptr<T> held) {
  T* const object = held.get();
  return {object, [held = std::move(held)](T*) mutable {
            release_elsewhere([last = std::exchange(held, nullptr)]() mutable { last.reset(); });
          }};
}

}  // namespace aprscope::gui
