// RankLink by MPI, as a module that is loaded only where several processes were started together.
// The module uses nothing of the rest of the program, which is not linked to it.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

// Without MPI's C++ interface, which the standard dropped and which needs a library of its own.
#define OMPI_SKIP_MPICXX 1   // NOLINT: the library looks for it
#define MPICH_SKIP_MPICXX 1  // NOLINT
#include <mpi.h>
#include <sched.h>

#include "core/ranks/rank_link.hpp"

namespace aprscope {
namespace {

constexpr int kData = 1;
constexpr int kAlert = 2;
// MPI counts in int.
constexpr std::size_t kMost = std::size_t{1} << 30;

// Ends the process on an error of MPI: no rank can go on if one cannot reach the others.
void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  std::fprintf(stderr,
               "aprscope-cli: %s between the processes failed (%.*s); look at the network.\n", what,
               length, text.data());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

// Waits for a request without the spinning of MPI_Wait: others may compute on this processor.
void wait_patiently(MPI_Request& request, const char* what) {
  constexpr int kEager = 200;
  constexpr std::chrono::microseconds kFirst{50};
  constexpr std::chrono::microseconds kLongest{2000};
  std::chrono::microseconds pause = kFirst;
  for (int i = 0;; ++i) {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
    if (done != 0) return;
    if (i < kEager) continue;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongest);
  }
}

class MpiLink final : public RankLink {
 public:
  MpiLink() {
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "the start");
    check(MPI_Comm_rank(MPI_COMM_WORLD, &place_.rank), "the start");
    check(MPI_Comm_size(MPI_COMM_WORLD, &place_.count), "the start");
    look_round();
  }

  [[nodiscard]] RankPlace place() const override { return place_; }

  void send(int to, std::span<const std::byte> bytes) override {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kMost))) {
      check(MPI_Send(bytes.data(), length_of(bytes.size()), MPI_BYTE, to, kData, MPI_COMM_WORLD),
            "a message");
    }
  }

  void receive(int from, std::span<std::byte> bytes) override {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kMost))) {
      MPI_Request request = MPI_REQUEST_NULL;
      check(MPI_Irecv(bytes.data(), length_of(bytes.size()), MPI_BYTE, from, kData, MPI_COMM_WORLD,
                      &request),
            "a message");
      wait_patiently(request, "a message");
    }
  }

  int waiting(std::span<const int> from) override {
    for (const int rank : from) {
      int there = 0;
      check(MPI_Iprobe(rank, kData, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), "a message");
      if (there != 0) return rank;
    }
    return -1;
  }

  void exchange(int to, std::span<const std::byte> out, int from,
                std::span<std::byte> in) override {
    while (!out.empty() || !in.empty()) {
      check(MPI_Sendrecv(out.data(), length_of(out.size()), MPI_BYTE,
                         out.empty() ? MPI_PROC_NULL : to, kData, in.data(), length_of(in.size()),
                         MPI_BYTE, in.empty() ? MPI_PROC_NULL : from, kData, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE),
            "an exchange");
      out = out.subspan(std::min(out.size(), kMost));
      in = in.subspan(std::min(in.size(), kMost));
    }
  }

  void raise() override {
    raised_here_ = 1;
    for (int other = 0; other < place_.count; ++other) {
      if (other == place_.rank) continue;
      check(MPI_Isend(nullptr, 0, MPI_BYTE, other, kAlert, MPI_COMM_WORLD, &alerts_.emplace_back()),
            "a message");
    }
  }

  bool raised() override {
    int there = 0;
    check(MPI_Iprobe(MPI_ANY_SOURCE, kAlert, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE),
          "a message");
    return there != 0;
  }

  void close() override {
    // MPI wants every message received before the end.
    MPI_Request all = MPI_REQUEST_NULL;
    int raised = 0;
    check(MPI_Iallreduce(&raised_here_, &raised, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &all),
          "the end");
    wait_patiently(all, "the end");
    for (int i = raised_here_; i < raised; ++i) {
      check(
          MPI_Recv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, kAlert, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "the end");
    }
    check(MPI_Waitall(static_cast<int>(alerts_.size()), alerts_.data(), MPI_STATUSES_IGNORE),
          "the end");
    check(MPI_Finalize(), "the end");
  }

  [[noreturn]] void abort() override {
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::_Exit(1);
  }

 private:
  static int length_of(std::size_t bytes) { return static_cast<int>(std::min(bytes, kMost)); }

  // Finds out how many ranks are on this host, and on the same processors.
  void look_round() {
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, place_.rank, MPI_INFO_NULL,
                              &host),
          "the start");
    check(MPI_Comm_rank(host, &place_.local_rank), "the start");
    check(MPI_Comm_size(host, &place_.local_count), "the start");
    cpu_set_t mine;
    CPU_ZERO(&mine);
    // Where that fails, all ranks report empty sets, which are equal: all share.
    if (::sched_getaffinity(0, sizeof mine, &mine) != 0) CPU_ZERO(&mine);
    std::vector<cpu_set_t> all(static_cast<std::size_t>(place_.local_count));
    check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, host),
          "the start");
    place_.sharing = static_cast<int>(std::count_if(
        all.begin(), all.end(), [&](const cpu_set_t& other) { return CPU_EQUAL(&mine, &other); }));
    check(MPI_Comm_free(&host), "the start");
  }

  RankPlace place_;
  int raised_here_ = 0;
  std::vector<MPI_Request> alerts_;
};

}  // namespace
}  // namespace aprscope

// The way in for launch.cpp, by its name.
extern "C" __attribute__((visibility("default"))) aprscope::RankLink* aprscope_open_rank_link() {
  int level = 0;
  // Messages are sent by whichever thread has something to send, but by one at a time.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) {
    return nullptr;
  }
  if (level < MPI_THREAD_SERIALIZED) {
    std::fprintf(stderr,
                 "aprscope-cli: this MPI serves one thread only; use one that is built with "
                 "support for threads.\n");
    return nullptr;
  }
  return new aprscope::MpiLink;  // NOLINT: its owner is on the other side
}
