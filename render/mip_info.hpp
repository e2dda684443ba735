#pragma once

#include <QString>
#include <cstdint>

namespace aprscope {

/// What the heads-up panel says about the data; the rest it knows itself.
struct MipInfo {
  QString name;
  /// 0 for a pixel image.
  std::uint64_t particles = 0;
  double computational_ratio = 0.0;
  /// Bytes of the data and what is derived from it.
  std::uint64_t bytes = 0;
  /// "CPU, 2 threads".
  QString backend;
  bool preview = false;
  friend bool operator==(const MipInfo&, const MipInfo&) = default;
};

/// The picture on screen: what the heads-up panel reports.
struct MipFrame {
  double milliseconds = 0.0;
  int width = 0;
  int height = 0;
  int level = 0;
  int level_max = 0;
  /// Every ray of the screen at the finest level; else coarse, while the camera moves.
  bool exact = false;
};

}  // namespace aprscope
