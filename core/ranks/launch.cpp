#include "core/ranks/launch.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <dlfcn.h>

#include "core/base/process.hpp"
#include "core/ranks/rank_link.hpp"

namespace aprscope {
namespace {

constexpr const char* kModule = "aprscope-mpi.so";
constexpr const char* kSwitch = "APRSCOPE_RANKS";

std::optional<int> number_in(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  const std::string_view text(value);
  int number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Launch> launch_in(const char* rank_variable, const char* count_variable) {
  const auto rank = number_in(rank_variable);
  const auto count = number_in(count_variable);
  if (!rank || !count || *rank < 0 || *rank >= *count) return std::nullopt;
  return Launch{*rank, *count};
}

bool is_switched_off() {
  const char* const value = std::getenv(kSwitch);
  return value != nullptr && std::string_view(value) == "off";
}

Error not_connected(const Launch& launch, std::string why, std::string advice) {
  return {std::to_string(launch.count) + " processes were started together, but " + std::move(why),
          "MPI", std::move(advice)};
}

}  // namespace

Launch launch_of_this_process() {
  if (is_switched_off()) return {};
  if (const auto open_mpi = launch_in("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")) {
    return *open_mpi;
  }
  if (const auto pmi = launch_in("PMI_RANK", "PMI_SIZE")) return *pmi;
  // srun --mpi=pmix does not say how many there are, but Slurm does.
  if (const auto pmix = launch_in("PMIX_RANK", "SLURM_STEP_NUM_TASKS")) return *pmix;
  return {};
}

Result<std::unique_ptr<Ranks>> connect_ranks(const Launch& launch) {
  const auto module = find_part(kModule);
  if (!module) {
    return not_connected(launch, "this program was built without MPI",
                         "run it without mpirun, or build it where Open MPI is installed");
  }
  // Never closed: the library stays in use until the process ends.
  void* const library = ::dlopen(module->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = ::dlerror();
    return not_connected(
        launch, std::string("MPI cannot be loaded (") + (why != nullptr ? why : "no reason") + ")",
        "install Open MPI on all hosts, or run it without mpirun");
  }
  const auto open = reinterpret_cast<OpenRankLink>(::dlsym(library, kOpenRankLink));  // NOLINT
  std::unique_ptr<RankLink> link(open != nullptr ? open() : nullptr);
  if (!link) {
    return not_connected(launch, "MPI does not start", "run it without mpirun");
  }
  if (const RankPlace place = link->place();
      place.rank != launch.rank || place.count != launch.count) {
    return not_connected(launch, "not by the MPI that this program is built with (Open MPI)",
                         "start them with its mpirun, or with srun --mpi=pmix");
  }
  return std::make_unique<Ranks>(std::move(link));
}

}  // namespace aprscope
