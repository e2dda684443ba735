// Preloaded into a program, makes one of its calls fail:
//   APRSCOPE_FAIL=CALL:N:ERROR   CALL malloc | write | fsync | rename | read; the N-th one, from 1,
//                                that the program makes after main() begins; ERROR ENOMEM, ENOSPC,
//                                EIO, EINTR
//   APRSCOPE_WHERE=FILE          says "library" there where libhdf5, libtiff, libblosc or the
//                                OpenMP runtime made the call, not what they called back: they may
//                                end a program that has no memory for them (libtiff 4.5.0 crashes
//                                in TIFFReadDirectory() then)
//   APRSCOPE_COUNT=FILE          writes "CALL number" lines there at the end instead
// Calls on standard input, output and error do not count.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum Call { kMalloc, kWrite, kFsync, kRename, kRead, kCalls };
constexpr const char* kNames[kCalls] = {"malloc", "write", "fsync", "rename", "read"};

std::atomic<bool> running{false};
std::atomic<long> made[kCalls];
// Set before main() begins.
int chosen = -1;
long number = 0;
int error = 0;
char count_file[4096];
char where_file[4096];

// Where the code of the program lies, and of the libraries that do not survive a refusal.
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
Range libraries[8];
std::size_t library_count = 0;
Range own[4];
std::size_t own_count = 0;

int keep_library(dl_phdr_info* info, std::size_t, void*) {
  // The program itself has no name.
  const bool program = info->dlpi_name[0] == '\0';
  for (int i = 0; program && i < info->dlpi_phnum && own_count < std::size(own); ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    own[own_count++] = {begin, begin + segment.p_memsz};
  }
  const bool wanted = std::strstr(info->dlpi_name, "libhdf5") != nullptr ||
                      std::strstr(info->dlpi_name, "libtiff") != nullptr ||
                      std::strstr(info->dlpi_name, "libblosc") != nullptr ||
                      std::strstr(info->dlpi_name, "libgomp") != nullptr ||
                      std::strstr(info->dlpi_name, "libomp") != nullptr;
  for (int i = 0; wanted && i < info->dlpi_phnum && library_count < std::size(libraries); ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    libraries[library_count++] = {begin, begin + segment.p_memsz};
  }
  return 0;
}

bool lies_in(std::uintptr_t at, const Range* ranges, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (at >= ranges[i].begin && at < ranges[i].end) return true;
  }
  return false;
}

// Whoever is met first on the way out made the call: code of the program that a library called
// back, or that runs in a parallel region, is the program's.
bool below_library() {
  void* frames[64];
  const int depth = backtrace(frames, std::size(frames));
  for (int f = 0; f < depth; ++f) {
    const auto at = reinterpret_cast<std::uintptr_t>(frames[f]);
    if (lies_in(at, own, own_count)) return false;
    if (lies_in(at, libraries, library_count)) return true;
  }
  return false;
}

// Plain system calls: whatever else takes memory.
void say_where() {
  if (where_file[0] == '\0' || !below_library()) return;
  const int fd = ::open(where_file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (fd >= 0 && ::syscall(SYS_write, fd, "library", 7) > 0) ::close(fd);
}

bool fails(Call call) {
  if (!running.load(std::memory_order_relaxed)) return false;
  const long now = made[call].fetch_add(1, std::memory_order_relaxed) + 1;
  if (call != chosen || now != number) return false;
  running = false;
  say_where();
  running = true;
  errno = error;
  return true;
}

bool fails(Call call, int fd) { return fd > STDERR_FILENO && fails(call); }

void choose() {
  if (const char* file = std::getenv("APRSCOPE_COUNT")) {
    std::strncpy(count_file, file, sizeof count_file - 1);
  }
  if (const char* file = std::getenv("APRSCOPE_WHERE")) {
    std::strncpy(where_file, file, sizeof where_file - 1);
  }
  const char* text = std::getenv("APRSCOPE_FAIL");
  if (text == nullptr) return;
  char call[16] = {};
  char name[16] = {};
  if (std::sscanf(text, "%15[a-z]:%ld:%15s", call, &number, name) != 3) _exit(99);
  for (int i = 0; i < kCalls; ++i) {
    if (std::strcmp(call, kNames[i]) == 0) chosen = i;
  }
  error = std::strcmp(name, "ENOSPC") == 0   ? ENOSPC
          : std::strcmp(name, "EINTR") == 0  ? EINTR
          : std::strcmp(name, "ENOMEM") == 0 ? ENOMEM
                                             : EIO;
}

void write_counts() {
  running = false;
  if (count_file[0] == '\0') return;
  std::FILE* file = std::fopen(count_file, "w");
  if (file == nullptr) return;
  for (int i = 0; i < kCalls; ++i) std::fprintf(file, "%s %ld\n", kNames[i], made[i].load());
  std::fclose(file);
}

template <class F>
F* next(F*, const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

int (*program)(int, char**, char**) = nullptr;

// Looking up a function takes memory: it is done while that does not count.
void look_up() {
  static_cast<void>(below_library());
  char byte = 0;
  iovec part{&byte, 1};
  static_cast<void>(::write(-1, &byte, 1) + ::pwrite(-1, &byte, 1, 0) +
                    ::pwrite64(-1, &byte, 1, 0) + ::writev(-1, &part, 1) + ::read(-1, &byte, 1) +
                    ::pread(-1, &byte, 1, 0) + ::pread64(-1, &byte, 1, 0) + ::fsync(-1) +
                    ::rename("", "") + ::renameat(-1, "", -1, ""));
}

int counted_main(int argc, char** argv, char** environment) {
  choose();
  dl_iterate_phdr(keep_library, nullptr);
  look_up();
  std::atexit(write_counts);
  running = true;
  const int code = program(argc, argv, environment);
  running = false;
  return code;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  program = main;
  return next(&__libc_start_main, "__libc_start_main")(counted_main, argc, argv, init, fini,
                                                       rtld_fini, stack_end);
}

void* malloc(std::size_t n) { return fails(kMalloc) ? nullptr : __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) {
  return fails(kMalloc) ? nullptr : __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) { return fails(kMalloc) ? nullptr : __libc_realloc(p, n); }
void* memalign(std::size_t line, std::size_t n) {
  return fails(kMalloc) ? nullptr : __libc_memalign(line, n);
}
void* aligned_alloc(std::size_t line, std::size_t n) { return memalign(line, n); }
int posix_memalign(void** out, std::size_t line, std::size_t n) {
  void* const p = memalign(line, n);
  if (p == nullptr) return ENOMEM;
  *out = p;
  return 0;
}

ssize_t write(int fd, const void* data, std::size_t n) {
  static auto* const real = next(&write, "write");
  return fails(kWrite, fd) ? -1 : real(fd, data, n);
}
ssize_t pwrite(int fd, const void* data, std::size_t n, off_t at) {
  static auto* const real = next(&pwrite, "pwrite");
  return fails(kWrite, fd) ? -1 : real(fd, data, n, at);
}
ssize_t pwrite64(int fd, const void* data, std::size_t n, off64_t at) {
  static auto* const real = next(&pwrite64, "pwrite64");
  return fails(kWrite, fd) ? -1 : real(fd, data, n, at);
}
ssize_t writev(int fd, const iovec* parts, int n) {
  static auto* const real = next(&writev, "writev");
  return fails(kWrite, fd) ? -1 : real(fd, parts, n);
}
ssize_t read(int fd, void* data, std::size_t n) {
  static auto* const real = next(&read, "read");
  return fails(kRead, fd) ? -1 : real(fd, data, n);
}
ssize_t pread(int fd, void* data, std::size_t n, off_t at) {
  static auto* const real = next(&pread, "pread");
  return fails(kRead, fd) ? -1 : real(fd, data, n, at);
}
ssize_t pread64(int fd, void* data, std::size_t n, off64_t at) {
  static auto* const real = next(&pread64, "pread64");
  return fails(kRead, fd) ? -1 : real(fd, data, n, at);
}
int fsync(int fd) {
  static auto* const real = next(&fsync, "fsync");
  return fails(kFsync) ? -1 : real(fd);
}
int rename(const char* from, const char* to) {
  static auto* const real = next(&rename, "rename");
  return fails(kRename) ? -1 : real(from, to);
}
int renameat(int a, const char* from, int b, const char* to) {
  static auto* const real = next(&renameat, "renameat");
  return fails(kRename) ? -1 : real(a, from, b, to);
}
}
