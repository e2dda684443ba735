#include "gpu/device/pinned_pieces.hpp"

#include "core/base/system.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class PinnedPiecesTest : public test::CudaTest {};

std::vector<std::uint32_t> numbers(std::size_t count, std::uint32_t seed) {
  std::vector<std::uint32_t> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<std::uint32_t>(i) * 2654435761U + seed;
  }
  return out;
}

TEST_F(PinnedPiecesTest, EveryByteArrivesWhateverTheLengthAndTheThreads) {
  gpu::PinnedPieces pieces(device_->index());
  constexpr std::size_t kMegabyte = std::size_t{1} << 18U;  // of 4-byte numbers
  for (const int threads : {1, 2, 5, 16}) {
    set_thread_count(threads);
    for (const std::size_t count :
         {std::size_t{1}, kMegabyte - 1, kMegabyte, kMegabyte + 1, 37 * kMegabyte + 11}) {
      const auto sent = numbers(count, static_cast<std::uint32_t>(threads));
      const gpu::DeviceBuffer<std::uint32_t> there(count, "test", device_->main());
      pieces.upload(sent.data(), there.data(), there.bytes(), device_->main());
      std::vector<std::uint32_t> back(count);
      pieces.download(there.data(), back.data(), there.bytes(), device_->main());
      EXPECT_EQ(back, sent) << count << " numbers, " << threads << " threads";
    }
  }
  set_thread_count(0);
}

// Pieces that one stream still sends are not taken by a transfer on another.
TEST_F(PinnedPiecesTest, TransfersOfTwoStreamsDoNotMix) {
  gpu::PinnedPieces pieces(device_->index());
  constexpr std::size_t kCount = (std::size_t{1} << 22U) + 5;
  const gpu::DeviceBuffer<std::uint32_t> a(kCount, "test", device_->main());
  const gpu::DeviceBuffer<std::uint32_t> b(kCount, "test", device_->main());
  device_->fork();
  const auto first = numbers(kCount, 1);
  const auto second = numbers(kCount, 2);
  std::vector<std::uint32_t> back(kCount);
  pieces.upload(second.data(), b.data(), b.bytes(), device_->main());
  pieces.upload(first.data(), a.data(), a.bytes(), device_->side());
  pieces.download(b.data(), back.data(), b.bytes(), device_->main());
  EXPECT_EQ(back, second);
  device_->join();
  pieces.download(a.data(), back.data(), a.bytes(), device_->main());
  EXPECT_EQ(back, first);
}

}  // namespace
}  // namespace aprscope
