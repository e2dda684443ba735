#include <filesystem>
#include <system_error>

#include <stdlib.h>  // NOLINT: mkdtemp is POSIX, not <cstdlib>

#include "app/cli/bench/bench.hpp"
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

Status write_and_read(const Data& data, const fs::path& path, Row row, BenchTable& table,
                      Session& session) {
  const auto write = table.measure([&]() -> Status {
    if (const auto* apr = std::get_if<Apr>(&data)) {
      return write_apr(*apr, path, {}, session.context());
    }
    return write_tiff(std::get<Volume>(data), path, session.context());
  });
  if (!write) return write.error();
  std::error_code code;
  row.bytes = fs::file_size(path, code);
  row.op = "write_" + path.extension().string().substr(1);
  table.add(row, *write);
  const auto read = table.measure([&]() -> Status {
    const auto back = load_file(path.string(), session.context());
    return back ? Status() : back.error();
  });
  if (!read) return read.error();
  row.op = "read_" + path.extension().string().substr(1);
  table.add(row, *read);
  return {};
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
  if (Status done = write_and_read(particles, folder.path() / "bench.apr", row, table, session);
      !done) {
    return done;
  }
  row.particles = 0;
  row.moved = (*image)->volume().bytes();
  return write_and_read((*image)->data(), folder.path() / "bench.tif", row, table, session);
}

}  // namespace aprscope::cli
