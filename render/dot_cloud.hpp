#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/apr/sample/slice.hpp"
#include "core/image/colormap.hpp"
#include "core/image/level_set.hpp"

class vtkRenderer;

namespace aprscope {

/// Particles as discs in the plane z = 0 of a VTK scene, in which a pixel covers one column step in
/// x and one row step in y, from 0, 0; the diameter follows the side of the cell, the colour the
/// value.
class DotCloud {
 public:
  explicit DotCloud(vtkRenderer& renderer);
  ~DotCloud();
  DotCloud(const DotCloud&) = delete;
  DotCloud& operator=(const DotCloud&) = delete;

  void set_dots(const std::vector<SliceDot>& dots, double row_step, double col_step);
  /// `marks`: marks the dots that a threshold keeps; none: no dot is marked.
  void set_colors(const Contrast& contrast, const ColorTable& table,
                  const std::optional<LevelSetMarks>& marks = std::nullopt);
  void set_visible(bool visible);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
