#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/apr/structure/access.hpp"

namespace aprscope {

/// The values of one particle field, one a particle, in any type that a file can hold.
using FieldValues =
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>,
                 std::vector<std::uint64_t>, std::vector<std::int8_t>, std::vector<std::int16_t>,
                 std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                 std::vector<double>>;

/// A named field on the particles (or on the tree) of an APR.
struct Field {
  std::string name;
  FieldValues values;

  [[nodiscard]] std::uint64_t count() const;
  /// The type of the values: "u8", "u16", … "f64".
  [[nodiscard]] const char* dtype() const;
  [[nodiscard]] std::uint64_t bytes() const;
  /// A copy of the values as f32.
  [[nodiscard]] std::vector<float> to_float() const;
};

/// What an APR was made with; the attributes of the file, see APR file layout.
struct AprParameters {
  float lambda = 3.0F;
  float sigma_th = 0.0F;
  float sigma_th_max = 0.0F;
  float intensity_th = 0.0F;
  float grad_th = 0.0F;
  float rel_error = 0.1F;
  float psfx = 1.0F;
  float psfy = 1.0F;
  float psfz = 1.0F;
  float noise_sd_estimate = 0.0F;
  float background_intensity_estimate = 0.0F;

  friend bool operator==(const AprParameters&, const AprParameters&) = default;
};

/// An APR: a structure, fields on it, and where it comes from. Cheap to copy: structure and fields
/// are shared and immutable.
struct Apr {
  std::shared_ptr<const AprAccess> access;
  std::vector<std::shared_ptr<const Field>> fields;
  /// Fields on the tree that the file held (kept for the round trip).
  std::vector<std::shared_ptr<const Field>> tree_fields;
  VoxelSize voxel;
  AprParameters parameters;
  std::string name;
  std::string channel;
  int channel_index = 0;
  int time = 0;
  /// The steps that led to it, one line each ("convert rel_error=0.1", …).
  std::vector<std::string> history;
  /// The objects that were found on it, one label a particle; null: none were looked for.
  std::shared_ptr<const Labels> labels;

  /// The field that is shown and filtered unless another is asked for: particle_intensities,
  /// particles or parts, else the first. Null when there are no fields.
  [[nodiscard]] std::shared_ptr<const Field> main_field() const;
  [[nodiscard]] std::shared_ptr<const Field> field(const std::string& name) const;
  /// Bytes of structure and fields in memory.
  [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace aprscope
