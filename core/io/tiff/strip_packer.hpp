#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// Private to core/io: packing of strips of TIFF files.

namespace aprscope {

/// How the strips of a TIFF file are packed.
enum class TiffPacking {
  /// zlib's format (Compression 8), which every program opens.
  deflate,
  /// Zstandard (Compression 50000): quicker to read, but ImageJ does not open it.
  zstd,
  none,
};

/// Packs strips one after the other; one thread at a time. The same bytes give the same strip,
/// whatever was packed before.
class StripPacker {
 public:
  explicit StripPacker(TiffPacking packing);
  ~StripPacker();
  StripPacker(StripPacker&&) noexcept;
  StripPacker& operator=(StripPacker&&) noexcept;

  /// The strip as it is stored, in `out`, which is replaced. False if the library could not
  /// (never for want of room: what does not shrink is kept as it is, in a frame).
  [[nodiscard]] bool pack(std::span<const std::uint8_t> strip, std::vector<std::uint8_t>& out);

 private:
  struct Deflate;
  struct Zstd;
  TiffPacking packing_;
  std::unique_ptr<Deflate> deflate_;
  std::unique_ptr<Zstd> zstd_;
};

/// Replaces each value of a row but the first by its difference to the one before (Predictor 2),
/// modulo the range of T.
template <class T>
void difference_row(std::span<T> row) {
  for (std::size_t i = row.size(); i-- > 1;) row[i] = static_cast<T>(row[i] - row[i - 1]);
}

}  // namespace aprscope
