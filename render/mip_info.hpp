#pragma once

#include <QString>
#include <cstdint>

namespace aprscope {

/// Facts about the data for the heads-up panel; the panel finds all others itself.
struct MipInfo {
  QString name;
  /// 0 for a pixel image.
  std::uint64_t particles = 0;
  double computational_ratio = 0.0;
  /// Bytes of the data, and of everything derived from it.
  std::uint64_t bytes = 0;
  /// "CPU, 2 threads".
  QString backend;
  bool preview = false;
  /// Levels that the file of an overview has beyond its own.
  int finer_levels = 0;
  friend bool operator==(const MipInfo&, const MipInfo&) = default;
};

/// The picture on screen: what the heads-up panel reports.
struct MipFrame {
  double milliseconds = 0.0;
  int width = 0;
  int height = 0;
  int level = 0;
  int level_max = 0;
  /// Rendered with every ray of the screen at the finest level; false: coarse, during movement.
  bool exact = false;
};

}  // namespace aprscope
