#pragma once

#include <memory>

#include "core/base/result.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope {

/// How this process was started, from its environment.
struct Launch {
  int rank = 0;
  int count = 1;
};

/// One of several processes if mpirun or srun started them together (Open MPI, PMI, PMIx under
/// Slurm); else the only one. A Slurm job of several tasks is not enough: its script is one
/// process. With APRSCOPE_RANKS=off in the environment every process is the only one.
Launch launch_of_this_process();

/// Connects the processes of a launch of several; loads MPI, which other runs do not need. All
/// processes must call it. Errors: this build has no MPI, its library does not load, the processes
/// were started by another MPI.
Result<std::unique_ptr<Ranks>> connect_ranks(const Launch& launch);

}  // namespace aprscope
