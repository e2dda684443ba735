// What a source does is asserted somewhere, and one finds where. A source of core, gpu, render or
// app has a test of its own name (x_test.cpp, or one thought of it: x_…_test.cpp) among the tests
// that mirror its part of the tree; or tests use its header; or it is reached through others only,
// and stands in the list with the test that does so.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

// Sources whose paths begin with this are parts of one thing, which is tested as a whole: the inner
// steps of an algorithm through its result, operations through the executor, the window through
// mouse and keyboard.
struct Group {
  std::string sources;
  /// Below tests/, without "_test.cpp"; empty: none, and `why` says why.
  std::string test;
  std::string why;
};

const std::vector<Group>& groups() {
  static const std::string steps =
      "steps of an algorithm whose result is compared with a plain one";
  static const std::string kernels = "innermost loops: both instruction sets give the same bits";
  static const std::string format = "parts of a format, which is read and written as a whole";
  static const std::string operation = "operations are run as recipes and commands run them";
  static const std::string device = "what a device computes is compared with the CPU";
  static const std::string window = "the window is driven with mouse and keyboard";
  static const std::string command = "commands are run as processes";
  static const std::string measures = "measures speed: nothing to assert but that it runs";
  static const std::vector<Group> all{
      {"core/apr/convert/", "core/apr/convert/conversion", steps},
      {"core/apr/raycast/", "core/apr/raycast/raycast", steps},
      {"core/apr/sample/", "core/apr/sample/reconstruction", steps},
      {"core/apr/structure/tree_kernel", "core/apr/structure/tree", kernels},
      {"core/base/log", "app/cli/failure", "its lines are read where programs write them"},
      {"core/base/startable_threads", "core/base/parallel", "asked by parallel loops only"},
      {"core/cells/", "core/cells/label_records", steps},
      {"core/cells/crofton", "core/cells/label_shape", steps},
      {"core/cells/label_scan", "core/cells/connected_components", steps},
      {"core/cells/local_threshold", "core/operations/segment/threshold_operation", steps},
      {"core/cells/particle_", "core/cells/particle_components", steps},
      {"core/cells/principal_axes", "core/cells/label_shape", steps},
      {"core/cells/run_kernel", "core/cells/connected_components", kernels},
      {"core/cells/slice_outlines", "core/cells/corrections", steps},
      {"core/cells/split_flood", "core/cells/corrections", steps},
      {"core/deconvolution/blur/", "core/deconvolution/blur/blur_model", steps},
      {"core/deconvolution/iterate/", "core/deconvolution/iterate/richardson_lucy", steps},
      {"core/deconvolution/psf/", "core/deconvolution/psf/psf", steps},
      {"core/filter/", "core/filter/convolution", steps},
      {"core/image/fft_lines", "core/image/fft", steps},
      {"core/image/picture", "core/image/figure", steps},
      {"core/io/png_write", "core/io/image_write", format},
      {"core/io/apr/", "core/io/apr/apr_write", format},
      {"core/io/common/", "core/io/bad_files", "what all formats share"},
      {"core/io/em/", "core/io/em/em_volume", format},
      {"core/io/hdf5/", "core/io/hdf5/hdf5_reader", format},
      {"core/io/hdf5_program/", "core/io/hdf5_elsewhere", "a program of its own, run as one"},
      {"core/io/projections/", "core/io/projections/projection_file", format},
      {"core/io/slices/slice_folder", "core/io/slices/slices_format", format},
      {"core/io/tiff/", "core/io/tiff_layout", format},
      {"core/io/zarr/", "core/io/zarr/zarr_image", format},
      {"core/maps/", "core/operations/maps/maps", steps},
      {"core/operations/standard", "core/operations/engine/registry",
       "the table that the registry has"},
      {"core/operations/deconvolve/", "core/operations/deconvolve/deconvolution_operation",
       operation},
      {"core/operations/engine/", "core/pipeline/execution", operation},
      {"core/operations/filter/", "core/operations/filter/convolutions", operation},
      {"core/operations/maps/", "core/operations/maps/maps", operation},
      {"core/operations/measure/", "core/operations/measure/cells_operation", operation},
      {"core/operations/measure/counted_levels", "core/topology/level_choice", operation},
      {"core/operations/measure/threshold_list", "core/topology/topology_curves", operation},
      {"core/operations/measure/topology_", "core/topology/topology_curves", operation},
      {"core/operations/particles/", "core/operations/particles/conversion_operation", operation},
      {"core/operations/project/", "app/cli/projections", operation},
      {"core/operations/schema/", "core/operations/schema/operation", operation},
      {"core/operations/segment/", "core/operations/segment/watershed_operation", operation},
      {"core/pipeline/workspace_item", "core/pipeline/workspace", format},
      {"core/projections/", "core/projections/backproject", steps},
      {"core/ranks/mpi_module/", "app/cli/ranks", "loaded where mpirun started the program"},
      {"core/topology/", "core/topology/oracle", steps},
      {"gpu/bench/", "", measures},
      {"gpu/cells/", "gpu/cells/component_labels", device},
      {"gpu/convert/", "gpu/convert/image_conversion", device},
      {"gpu/deconvolution/", "gpu/deconvolution/particle_deconvolution", device},
      {"gpu/device/", "gpu/memory", device},
      {"gpu/engines/", "gpu/engines/devices", device},
      {"gpu/octet/", "gpu/octet/octet_filter", device},
      {"gpu/pixel/", "gpu/engines/filter_engine", device},
      {"gpu/projections/", "gpu/projections/projection_inserter", device},
      {"gpu/topology/", "gpu/engines/topology_gauge", device},
      {"render/", "render/slice_view", "parts of a view, whose pixels are looked at"},
      {"render/heads_up", "render/mip_view", "parts of a view, whose pixels are looked at"},
      {"render/mip_", "render/mip_view", "parts of a view, whose pixels are looked at"},
      {"app/cli/", "app/cli/session", command},
      {"app/cli/bench/", "", measures},
      {"app/cli/commands/", "app/cli/chain", command},
      {"app/cli/shared/", "app/cli/overwrite", command},
      {"app/gui/main", "app/gui/program", "the program is run as a process"},
      {"app/gui/preview_meter", "", measures},
      {"app/gui/qt_log", "app/gui/looks_messages", window},
      {"app/gui/stall_meter", "", measures},
      {"app/gui/compare/", "app/gui/compare", window},
      {"app/gui/document/", "app/gui/open", window},
      {"app/gui/document/corrections", "app/gui/cells", window},
      {"app/gui/document/label_", "app/gui/cells", window},
      {"app/gui/document/shown_labels", "app/gui/cells_views", window},
      {"app/gui/document/workspace_", "app/gui/workspace", window},
      {"app/gui/help/", "app/gui/help", window},
      {"app/gui/panels/", "app/gui/panels", window},
      {"app/gui/views/", "app/gui/views", window},
      {"app/gui/widgets/", "app/gui/looks_window", window},
      {"app/gui/window/", "app/gui/looks_window", window},
      {"app/gui/window/main_window_workspace", "app/gui/workspace", window},
      {"app/gui/window/tour_steps", "app/gui/tour", window},
  };
  return all;
}

// How many sources stand in groups; this only gets smaller.
constexpr std::size_t kMostInGroups = 392;

struct Tests {
  /// Path below tests/ without "_test.cpp".
  std::set<std::string> names;
  /// Headers of the program that tests include.
  std::set<std::string> headers;
};

std::string below(const fs::path& path, const fs::path& folder) {
  return fs::relative(path, folder).generic_string();
}

Tests read_tests() {
  static const std::regex include(R"re(^\s*#\s*include\s*"((core|gpu|render|app)/[^"]+)")re");
  static const std::regex ending(R"(_test\.(cpp|cu|py)$)");
  Tests found;
  const fs::path folder = test::source_dir() / "tests";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = below(entry.path(), folder);
    if (std::regex_search(name, ending)) {
      found.names.insert(std::regex_replace(name, ending, ""));
    }
    std::ifstream in(entry.path());
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (std::regex_search(line, match, include)) found.headers.insert(match[1].str());
    }
  }
  return found;
}

std::vector<std::string> sources() {
  std::vector<std::string> all;
  for (const char* top : {"app", "core", "gpu", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / top)) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".cpp" || ending == ".cu") {
        all.push_back(below(entry.path(), test::source_dir()));
      }
    }
  }
  return all;
}

// "core/io" of core/io/tiff/x.cpp: tests may lie flat there.
std::string part_of(const std::string& source) {
  const auto first = source.find('/');
  const auto second = source.find('/', first + 1);
  return source.substr(0, second == std::string::npos ? first : second);
}

bool has_test(const std::string& source, const Tests& tests) {
  const std::string stem = fs::path(source).stem().string();
  const std::string part = part_of(source) + "/";
  const bool named =
      std::any_of(tests.names.begin(), tests.names.end(), [&](const std::string& name) {
        const std::string own = fs::path(name).filename().string();
        return name.rfind(part, 0) == 0 && (own == stem || own.rfind(stem + "_", 0) == 0);
      });
  if (named) return true;
  const std::string path = fs::path(source).replace_extension().generic_string();
  return tests.headers.count(path + ".hpp") + tests.headers.count(path + ".cuh") > 0;
}

// The group that says most of a source; null: none.
const Group* group_of(const std::string& source) {
  const Group* best = nullptr;
  for (const Group& group : groups()) {
    if (source.rfind(group.sources, 0) != 0) continue;
    if (best == nullptr || group.sources.size() > best->sources.size()) best = &group;
  }
  return best;
}

TEST(Architecture, EachSourceHasATest) {
  const Tests tests = read_tests();
  const std::vector<std::string> all = sources();
  ASSERT_GT(all.size(), 500U);
  ASSERT_GT(tests.names.size(), 200U);
  std::set<std::string> used;
  std::size_t grouped = 0;
  for (const std::string& source : all) {
    if (has_test(source, tests)) continue;
    const Group* group = group_of(source);
    EXPECT_NE(group, nullptr) << source << " has no test of its name, no test includes its header, "
                              << "and it is in no group";
    if (group == nullptr) continue;
    used.insert(group->sources);
    ++grouped;
  }
  // A new source has a test of its name.
  EXPECT_LE(grouped, kMostInGroups);
  for (const Group& group : groups()) {
    EXPECT_EQ(used.count(group.sources), 1U)
        << group.sources << ": all of these have tests of their own by now";
    EXPECT_GT(group.why.size(), 5U) << group.sources;
    if (!group.test.empty()) {
      EXPECT_EQ(tests.names.count(group.test), 1U) << group.test << " is no test";
    }
  }
}

TEST(Architecture, ASourceWithoutATestWouldBeSeen) {
  const Tests tests{{"core/io/word_reader", "app/gui/cells_views"}, {"core/io/tiff/seen.hpp"}};
  EXPECT_TRUE(has_test("core/io/tiff/word_reader.cpp", tests));
  EXPECT_TRUE(has_test("app/gui/views/cells.cpp", tests));
  EXPECT_TRUE(has_test("core/io/tiff/seen.cpp", tests));
  EXPECT_FALSE(has_test("core/io/tiff/unseen.cpp", tests));
  EXPECT_FALSE(has_test("core/image/word_reader.cpp", tests));
  EXPECT_EQ(group_of("core/new_subject/x.cpp"), nullptr);
  EXPECT_EQ(group_of("core/cells/run_kernel.cpp")->test, "core/cells/connected_components");
}

}  // namespace
}  // namespace aprscope
