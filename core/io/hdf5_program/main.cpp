// The process that runs the HDF5 library on one file, see hdf5_helper.hpp. A program of its own:
// what was forked from one with many threads may find locks that nobody will ever open, and would
// begin with all that the program has in memory.
#include <cstdio>
#include <cstdlib>

#include <sys/socket.h>

#include "core/io/hdf5/hdf5_helper.hpp"

int main(int argc, char** argv) {
  using namespace aprscope;
  int kind = 0;
  socklen_t length = sizeof kind;
  if (argc != 2 || ::getsockopt(kHdf5HelperSocket, SOL_SOCKET, SO_TYPE, &kind, &length) != 0) {
    std::fputs("aprscope-hdf5 is started by aprscope and aprscope-cli when they read HDF5\n",
               stderr);
    return 1;
  }
  serve_hdf5(kHdf5HelperFile, std::strtoull(argv[1], nullptr, 10), kHdf5HelperSocket);
}
