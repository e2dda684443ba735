#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/includes.hpp"

// Folders inside the large ones, ground first: each may include what it names, and itself.
namespace aprscope {
namespace {

using Arrows = std::map<std::string, std::vector<std::string>>;

// What stands in the large folder itself, beside its sub-folders, puts them together.
constexpr const char* kRoot = "";

const std::map<std::string, Arrows>& rooms() {
  static const std::map<std::string, Arrows> of_folder{
      {"core/apr",
       {{"structure", {}},
        {"convert", {"structure"}},
        {"sample", {"structure"}},
        {"raycast", {"structure", "sample"}}}},
      {"core/deconvolution", {{"psf", {}}, {"blur", {}}, {"iterate", {"blur"}}}},
      {"core/io",
       {{"common", {}},
        {"tiff", {"common"}},
        {"hdf5", {"common"}},
        {"hdf5_program", {"hdf5", "common"}},
        {"apr", {"hdf5", "common"}},
        {"em", {"common"}},
        {"projections", {"em", "common"}},
        {"slices", {"tiff", "common"}},
        {"zarr", {"common"}},
        {"bdv", {"hdf5", "zarr", "common"}},
        {"imaris", {"hdf5", "common"}},
        {"tiles", {"common"}},
        {"colours", {}},
        {kRoot,
         {"common", "tiff", "hdf5", "apr", "em", "projections", "slices", "zarr", "bdv", "imaris",
          "tiles"}}}},
      {"core/operations",
       {{"schema", {}},
        {"engine", {"schema"}},
        {"filter", {"engine", "schema"}},
        {"particles", {"engine", "schema"}},
        {"measure", {"particles", "engine", "schema"}},
        {"deconvolve", {"measure", "filter", "engine", "schema"}},
        {"segment", {"measure", "engine", "schema"}},
        {"maps", {"measure", "engine", "schema"}},
        {"project", {"maps", "engine", "schema"}},
        {kRoot,
         {"deconvolve", "engine", "filter", "maps", "measure", "particles", "project",
          "segment"}}}},
      {"gpu",
       {{"device", {}},
        {"octet", {"device"}},
        {"convert", {"octet", "device"}},
        {"pixel", {"octet", "device"}},
        {"deconvolution", {"pixel", "octet", "device"}},
        {"topology", {"pixel", "octet", "device"}},
        {"cells", {"pixel", "octet", "device"}},
        {"projections", {"device"}},
        {"engines",
         {"device", "octet", "convert", "pixel", "deconvolution", "topology", "cells",
          "projections"}},
        {"bench",
         {"device", "octet", "convert", "pixel", "deconvolution", "topology", "cells",
          "projections", "engines"}}}},
      {"app/cli",
       {{"shared", {}},
        {"commands", {"shared"}},
        {"bench", {"shared"}},
        {kRoot, {"shared", "commands", "bench"}}}},
      {"app/gui",
       {{"widgets", {}},
        {"help", {"widgets"}},
        {"document", {"widgets"}},
        {"views", {"document", "widgets"}},
        {"compare", {"views", "document", "widgets"}},
        {"panels", {"compare", "views", "document", "widgets"}},
        {"window", {"panels", "compare", "views", "document", "help", "widgets"}},
        {kRoot, {"window", "panels", "compare", "views", "document", "help", "widgets"}}}}};
  return of_folder;
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.rfind(folder + "/", 0) == 0;
}

// The sub-folder of `folder` in which `path` lies; kRoot where it lies in the folder itself.
std::string room_of(const std::string& path, const std::string& folder) {
  const auto begin = folder.size() + 1;
  const auto end = path.find('/', begin);
  return end == std::string::npos ? kRoot : path.substr(begin, end - begin);
}

TEST(Architecture, SubFoldersFollowTheirArrows) {
  std::map<std::string, int> looked_at;
  for (const test::Include& i : test::all_includes()) {
    for (const auto& [folder, arrows] : rooms()) {
      if (!is_below(i.file, folder)) continue;
      const std::string from = room_of(i.file, folder);
      ASSERT_TRUE(arrows.count(from)) << i.file << " is in no room of " << folder;
      if (!is_below(i.target, folder)) continue;
      ++looked_at[folder];
      const std::string to = room_of(i.target, folder);
      const auto& may = arrows.at(from);
      EXPECT_TRUE(from == to || std::find(may.begin(), may.end(), to) != may.end())
          << i.file << " includes " << i.target;
    }
  }
  for (const auto& [folder, arrows] : rooms()) EXPECT_GT(looked_at[folder], 20) << folder;
}

}  // namespace
}  // namespace aprscope
