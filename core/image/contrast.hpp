#pragma once

namespace aprscope {

/// How grey values become colours: t = clamp((v − low) / (high − low), 0, 1)^gamma.
struct Contrast {
  double low = 0.0;
  double high = 1.0;
  double gamma = 1.0;
  friend bool operator==(const Contrast&, const Contrast&) = default;
};

}  // namespace aprscope
