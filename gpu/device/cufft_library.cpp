#include "gpu/device/cufft_library.hpp"

#include <mutex>
#include <optional>
#include <utility>

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "gpu/device/cuda_check.hpp"

namespace aprscope::gpu {
namespace {

const std::string kCudaVersion = std::to_string(CUDART_VERSION / 1000);
// The version to load has to be that of the headers that this file was compiled with.
const std::string kName = "libcufft.so." + std::to_string(CUFFT_VER_MAJOR);

Error not_loaded(const std::string& why) {
  return {"cuFFT cannot be loaded (" + why + ")", "Fourier transform on the GPU",
          "install the cuFFT of CUDA " + kCudaVersion + ", or choose the CPU (--device cpu)"};
}

std::string last_problem() {
  const char* const why = ::dlerror();
  return why != nullptr ? why : "no reason";
}

// False where the library has no such function.
template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));  // NOLINT: what dlsym gives
  return function != nullptr;
}

}  // namespace

std::vector<std::string> cufft_places() {
  return {kName, "/usr/local/cuda/lib64/" + kName,
          "/usr/local/cuda-" + kCudaVersion + "/lib64/" + kName, "/opt/cuda/lib64/" + kName};
}

Result<CufftLibrary> load_cufft(const std::vector<std::string>& places) {
  void* library = nullptr;
  std::string why;
  for (const std::string& place : places) {
    library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    if (why.empty()) why = last_problem();
  }
  if (library == nullptr) return not_loaded(why);
  CufftLibrary f{};
  const bool complete =
      find(library, "cufftCreate", f.create) && find(library, "cufftDestroy", f.destroy) &&
      find(library, "cufftSetAutoAllocation", f.set_auto_allocation) &&
      find(library, "cufftMakePlanMany64", f.make_plan_many) &&
      find(library, "cufftSetStream", f.set_stream) &&
      find(library, "cufftSetWorkArea", f.set_work_area) &&
      find(library, "cufftExecC2C", f.exec_c2c) && find(library, "cufftExecC2R", f.exec_c2r) &&
      find(library, "cufftExecR2C", f.exec_r2c);
  if (!complete) return not_loaded(last_problem());
  return f;
}

const CufftLibrary& cufft() {
  static std::mutex mutex;
  static std::optional<CufftLibrary> functions;
  const std::scoped_lock lock(mutex);
  if (!functions) {
    auto loaded = load_cufft(cufft_places());
    if (!loaded) throw Failure{loaded.error()};
    functions = *loaded;
  }
  return *functions;
}

}  // namespace aprscope::gpu
