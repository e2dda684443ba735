// What the driver of the fault tests cannot do with aprscope-cli:
//   fault_tool inputs FOLDER          writes image.tif, image.h5 (contiguous), source of image.apr
//   fault_tool save-workspace FILE    saves a workspace of many items, as the window does
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include <hdf5.h>

#include "app/gui/document/workspace/window_workspace.hpp"
#include "core/base/memory_end.hpp"
#include "core/io/write.hpp"

namespace {

using namespace aprscope;

int fail(const std::string& what) {
  std::fprintf(stderr, "fault_tool: %s\n", what.c_str());
  return 1;
}

Pixels<std::uint16_t> spots(const Size3& size) {
  Pixels<std::uint16_t> pixels(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const std::int64_t dz = z % 24 - 12;
        const std::int64_t dx = x % 40 - 20;
        const std::int64_t dy = y % 36 - 18;
        const std::int64_t r = dz * dz + dx * dx + dy * dy;
        pixels.at(z, x, y) =
            static_cast<std::uint16_t>(100 + (x * 31 + y * 17 + z * 7) % 13 + 60000 / (10 + r));
      }
    }
  }
  return pixels;
}

bool write_contiguous(const std::string& path, const Pixels<std::uint16_t>& pixels) {
  const hsize_t extent[] = {static_cast<hsize_t>(pixels.size.z),
                            static_cast<hsize_t>(pixels.size.x),
                            static_cast<hsize_t>(pixels.size.y)};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, extent, nullptr);
  const hid_t set =
      H5Dcreate2(file, "volume", H5T_STD_U16LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const bool written =
      H5Dwrite(set, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, pixels.values.data()) >= 0;
  H5Dclose(set);
  H5Sclose(space);
  return H5Fclose(file) >= 0 && written;
}

int write_inputs(const std::string& folder) {
  Volume volume;
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  volume.pixels = spots({32, 64, 64});
  if (Status done = write_tiff(volume, folder + "/image.tif"); !done) {
    return fail(done.error().message());
  }
  const Pixels<std::uint16_t> large = spots({96, 256, 256});
  if (!write_contiguous(folder + "/large.h5", large)) return fail("large.h5 cannot be written");
  volume.pixels = large;
  if (Status done = write_tiff(volume, folder + "/large.tif"); !done) {
    return fail(done.error().message());
  }
  return 0;
}

int save(const std::string& path) {
  gui::WindowWorkspace workspace;
  for (std::uint64_t id = 1; id <= 2000; ++id) {
    gui::ShownItem item;
    item.id = id;
    item.name = "item " + std::to_string(id);
    item.recipe = {"/data/image.tif", 0, 0, {*complete({"convert", {}}), *complete({"box", {}})}};
    workspace.items.push_back(std::move(item));
  }
  workspace.current = 1;
  const Status saved = save_workspace(workspace, path);
  return saved ? 0 : fail(saved.error().message());
}

}  // namespace

int main(int argc, char** argv) {
  end_with_a_sentence_without_memory("fault_tool");
  try {
    const std::string what = argc == 3 ? argv[1] : "";
    if (what == "inputs") return write_inputs(argv[2]);
    if (what == "save-workspace") return save(argv[2]);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory");
  }
  std::fprintf(stderr, "usage: fault_tool inputs FOLDER | save-workspace FILE\n");
  return 2;
}
