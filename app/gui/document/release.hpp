#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace aprscope::gui {

/// Calls `release` on a thread that nobody waits for.
void release_elsewhere(std::function<void()> release);

/// The same object, but whoever lets go of it last, its memory goes back on another thread: giving
/// gigabytes back to the system takes a tenth of a second each, which the window must not stand
/// still for.
template <class T>
std::shared_ptr<T> released_elsewhere(std::shared_ptr<T> held) {
  T* const object = held.get();
  return {object, [held = std::move(held)](T*) mutable {
            release_elsewhere([last = std::exchange(held, nullptr)]() mutable { last.reset(); });
          }};
}

}  // namespace aprscope::gui
