#include <filesystem>
#include <fstream>
#include <functional>
#include <system_error>
#include <utility>

#include <stdlib.h>  // NOLINT: mkdtemp is POSIX, not <cstdlib>

#include "app/cli/bench/bench.hpp"
#include "core/base/atomic_file.hpp"
#include "core/io/write.hpp"

namespace aprscope::cli {
namespace {

namespace fs = std::filesystem;

// A folder for the files that are written and read, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code code;
    std::string pattern = (fs::temp_directory_path(code) / "aprscope-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// A way to write files, and the name of its rows.
struct Way {
  std::string name;
  std::string file;
  std::function<Status(const fs::path&)> write;
};

Status write_and_read(const Way& way, const fs::path& folder, Row row, BenchTable& table,
                      Session& session) {
  const fs::path path = folder / way.file;
  const auto write = table.measure([&] { return way.write(path); });
  if (!write) return write.error();
  std::error_code code;
  row.bytes = fs::file_size(path, code);
  row.op = "write_" + way.name;
  table.add(row, *write);
  const auto read = table.measure([&]() -> Status {
    const auto back = load_file(path.string(), session.context());
    return back ? Status() : back.error();
  });
  if (!read) return read.error();
  row.op = "read_" + way.name;
  table.add(row, *read);
  return {};
}

// The fastest possible: the bytes of an image written as they are, as write_tiff() does, and read.
Status plain_bytes(const std::vector<float>& values, const fs::path& path, Row row,
                   BenchTable& table) {
  row.bytes = values.size() * sizeof(float);
  const auto write = table.measure([&] {
    return write_atomically(path, [&](const fs::path& temporary) -> Status {
      std::ofstream out(temporary, std::ios::binary);
      out.write(reinterpret_cast<const char*>(values.data()),
                static_cast<std::streamsize>(row.bytes));
      out.close();
      return out ? Status() : Error{"cannot be written", temporary.string(), "free some space"};
    });
  });
  if (!write) return write.error();
  row.op = "write_bytes";
  table.add(row, *write);
  std::vector<float> back(values.size());
  const auto read = table.measure([&]() -> Status {
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(back.data()), static_cast<std::streamsize>(row.bytes));
    return in ? Status() : Error{"cannot be read", path.string(), "free some memory"};
  });
  if (!read) return read.error();
  row.op = "read_bytes";
  table.add(row, *read);
  return {};
}

Volume as_floats(const Volume& image) {
  Volume real;
  real.pixels = image.to_float();
  real.voxel = image.voxel;
  return real;
}

}  // namespace

Status bench_io(const BenchCase& item, BenchTable& table, Session& session) {
  const ScratchFolder folder;
  if (folder.path().empty()) {
    return Error{"cannot make a temporary folder", "", "set TMPDIR to a folder that is writable"};
  }
  Data particles = item.data;
  if (std::holds_alternative<Volume>(particles)) {
    auto made =
        session.backend().run({"convert", {}}, *Dataset::create(item.data), session.context());
    if (!made) return made.error();
    particles = *std::move(made);
  }
  const Apr& apr = std::get<Apr>(particles);
  const auto image = image_of(item, session);
  if (!image) return image.error();
  const auto pixels = static_cast<std::uint64_t>((*image)->size().count());
  Row row{item.name, "", "-", "-", apr.access->count(), pixels, 0, apr.bytes(), 0.0};
  const Way to_apr{"apr", "bench.apr", [&](const fs::path& path) {
                     return write_apr(apr, path, {}, session.context());
                   }};
  if (Status done = write_and_read(to_apr, folder.path(), row, table, session); !done) return done;
  row.particles = 0;
  const Volume& own = (*image)->volume();
  // Float values, as filters and deconvolution give.
  const Volume real = as_floats(own);
  for (const Volume* volume : {&own, &real}) {
    row.moved = volume->bytes();
    for (const auto& [name, packing] : {std::pair{"deflate", TiffPacking::deflate},
                                        {"zstd", TiffPacking::zstd},
                                        {"plain", TiffPacking::none}}) {
      const Way to_tiff{std::string("tif_") + volume->dtype() + "_" + name, "bench.tif",
                        [&, packing = packing](const fs::path& path) {
                          return write_tiff(*volume, path, session.context(), packing);
                        }};
      if (Status done = write_and_read(to_tiff, folder.path(), row, table, session); !done) {
        return done;
      }
    }
    if (std::holds_alternative<Pixels<float>>(volume->pixels)) break;
  }
  row.moved = real.bytes();
  return plain_bytes(std::get<Pixels<float>>(real.pixels).values, folder.path() / "bench.raw", row,
                     table);
}

}  // namespace aprscope::cli
