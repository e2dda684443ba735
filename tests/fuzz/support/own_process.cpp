#include "tests/fuzz/support/own_process.hpp"

#include <cstdlib>
#include <mutex>
#include <new>

#include "core/io/hdf5_channel.hpp"
#include "core/io/hdf5_handle.hpp"
#include "core/io/hdf5_responder.hpp"

namespace aprscope::fuzz {
namespace {

class OwnProcess : public Hdf5Channel {
 public:
  OwnProcess(int file, std::uint64_t bytes) : file_(file), bytes_(bytes) {}
  ~OwnProcess() override {
    const std::scoped_lock lock(hdf5_mutex());
    responder_ = {};
  }
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

  Result<std::vector<std::uint8_t>> ask(const std::vector<std::uint8_t>& request) override {
    const std::scoped_lock lock(hdf5_mutex());
    try {
      return request.empty() ? responder_.open(file_, bytes_) : responder_.respond(request);
    } catch (const std::bad_alloc&) {
      return Hdf5Responder::out_of_memory();
    }
  }

 private:
  int file_;
  std::uint64_t bytes_;
  Hdf5Responder responder_;
};

Result<std::unique_ptr<Hdf5Channel>> stay_here(const RegularFile& file, std::uint64_t bytes,
                                               const std::stop_token&) {
  return std::unique_ptr<Hdf5Channel>(std::make_unique<OwnProcess>(file.get(), bytes));
}

}  // namespace

bool read_hdf5_in_own_process() {
  if (std::getenv("APRSCOPE_FUZZ_OWN_PROCESS") == nullptr) return false;
  use_hdf5_channel(stay_here);
  return true;
}

}  // namespace aprscope::fuzz
