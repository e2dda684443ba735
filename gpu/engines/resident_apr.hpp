#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/dataset/dataset.hpp"
#include "gpu/device/gpu_device.hpp"
#include "gpu/octet/octet_apr.hpp"
#include "gpu/octet/octet_part.hpp"

namespace aprscope::gpu {

/// The APR that was used last, kept on the device with the last result, so that previews and
/// chains of filters do not send them again. What is handed out holds until the next call. All but
/// make_room() and release() are called with the device's turn held and the device in use; they
/// throw what guarded() catches: CUDA's errors, too little memory there (with numbers).
class ResidentApr {
 public:
  /// An APR as it lies on the device. The keys own what they point to, so that its address cannot
  /// be reused by another object while it serves as a key.
  struct Kept {
    std::shared_ptr<const AprAccess> access;
    std::shared_ptr<const Field> field;
    std::unique_ptr<OctetApr> apr;
    OctetValues input;
    /// Whether the interior cells of `input` hold means; nothing else is ever stored there.
    bool tree = false;
    /// The part of the last preview: the next edit will most likely show it again.
    std::unique_ptr<OctetPart> shown;
    /// Another field on the structure: the result of the last step, which the next one begins
    /// with, or what that one began with. Goes first where memory is short. Its host may let go of
    /// it.
    std::weak_ptr<const Field> other_field;
    OctetValues other;
  };

  explicit ResidentApr(std::shared_ptr<GpuDevice> device) : device_(std::move(device)) {}

  /// The structure of the input, with room for its values, a result and `more` bytes beside it.
  const OctetApr& structure(const Dataset& input, std::uint64_t more);
  /// The input with its values.
  const Kept& whole(const Dataset& input, std::uint64_t more);
  /// Keeps the main field of a result on the kept structure, so that the next step need not send
  /// it, if that leaves room for what the next step needs.
  void keep(const Apr& result, OctetValues values);
  /// The input with means in its interior cells, and what previews of these regions need.
  const Kept& part(const Dataset& input, std::span<const Region> regions);
  /// Whether this structure is the one that is kept.
  [[nodiscard]] bool has(const Dataset& input) const;
  /// Whether filters hold all of the input on the device. Makes room for what is not there yet.
  [[nodiscard]] bool fits(const Dataset& input);

  /// Frees everything that is kept.
  void release() { kept_ = {}; }
  /// Frees the last result, then the kept APR, if needed; takes the device's lock itself. Errors:
  /// fewer than `needed` bytes are free even then (with numbers).
  [[nodiscard]] Status make_room(std::uint64_t needed, const Dataset& input);

 private:
  std::shared_ptr<GpuDevice> device_;
  Kept kept_;  // guarded by the device's turn
};

}  // namespace aprscope::gpu
