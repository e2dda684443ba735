#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// The values of a data set in the forms that computing and showing want: each is made once, on
/// first use, by any thread. Labels are not among them. Errors: std::bad_alloc where memory does
/// not suffice.
class DatasetValues {
 public:
  /// The values of an image; `volume` stays as it is.
  explicit DatasetValues(std::shared_ptr<const Volume> volume);
  /// The values of the main field of an APR; null: it has none.
  DatasetValues(std::shared_ptr<const AprAccess> access, std::shared_ptr<const Field> field);

  /// The main field as f32, one value a particle (empty for an image, or without a field).
  [[nodiscard]] const std::vector<float>& particles() const;
  /// Means of the interior cells, one value a cell of the tree (empty for an image, or without a
  /// field).
  [[nodiscard]] const std::vector<float>& tree_mean() const;
  /// Whether these means are known; and, from whoever came by them, what tree_mean() then is: one
  /// value a cell of the tree. Ignored where they are known already.
  [[nodiscard]] bool has_tree_mean() const;
  void keep_tree_mean(std::vector<float> means) const;
  /// The image as f32 (z, x, y); empty for an APR.
  [[nodiscard]] const Pixels<float>& pixels() const;
  /// The number of values (of the image, or of the main field) that are not finite; computed once.
  /// `first` is the pixel, or the first pixel of the particle's cell.
  [[nodiscard]] NonFinite non_finite() const;
  /// Bytes of what was made so far and is not shared with the data.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  // Behind a pointer: mutexes do not move.
  struct Made {
    // Guards the pointers below and is never held while something is computed.
    std::mutex mutex;
    std::mutex particles_build;
    std::mutex tree_build;
    std::mutex pixels_build;
    std::mutex finite_build;
    std::shared_ptr<const std::vector<float>> particles;
    std::shared_ptr<const std::vector<float>> tree_mean;
    std::shared_ptr<const Pixels<float>> pixels;
    std::shared_ptr<const NonFinite> non_finite;
  };

  std::shared_ptr<const Volume> volume_;  // null for an APR
  std::shared_ptr<const AprAccess> access_;
  std::shared_ptr<const Field> field_;
  std::unique_ptr<Made> made_ = std::make_unique<Made>();
};

}  // namespace aprscope
