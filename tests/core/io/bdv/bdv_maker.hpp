#pragma once

#include <string>
#include <vector>

// XML files of BigDataViewer for tests, as its own programs write them.

namespace aprscope::test {

struct BdvXmlMaker {
  std::string loader =
      "<ImageLoader format=\"bdv.hdf5\"><hdf5 type=\"relative\">a.h5</hdf5></ImageLoader>";
  std::string setups;
  std::string attributes;
  std::string times =
      "<Timepoints type=\"pattern\"><integerpattern>0</integerpattern></Timepoints>";
  std::string missing;
  std::string registrations;
  std::string base = "<BasePath type=\"relative\">.</BasePath>";

  /// `kinds` as "<channel>0</channel><tile>1</tile>".
  BdvXmlMaker& setup(int id, const std::string& kinds, const std::string& size = "5 4 3",
                     const std::string& voxel = "0.25 0.5 2", const std::string& unit = "micron") {
    setups += "<ViewSetup><id>" + std::to_string(id) + "</id><name>setup " + std::to_string(id) +
              "</name><size>" + size + "</size><voxelSize><unit>" + unit + "</unit><size>" + voxel +
              "</size></voxelSize><attributes>" + kinds + "</attributes></ViewSetup>\n";
    return *this;
  }

  BdvXmlMaker& registration(int time, int setup, const std::vector<std::string>& affines) {
    registrations += "<ViewRegistration timepoint=\"" + std::to_string(time) + "\" setup=\"" +
                     std::to_string(setup) + "\">";
    for (const std::string& affine : affines) {
      registrations += "<ViewTransform type=\"affine\"><Name>n</Name><affine>" + affine +
                       "</affine></ViewTransform>";
    }
    registrations += "</ViewRegistration>\n";
    return *this;
  }

  [[nodiscard]] std::string text() const {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made by a test -->\n"
           "<SpimData version=\"0.2\">" +
           base + "<SequenceDescription>" + loader + "<ViewSetups>" + setups + attributes +
           "</ViewSetups>" + times + "<MissingViews>" + missing +
           "</MissingViews></SequenceDescription><ViewRegistrations>" + registrations +
           "</ViewRegistrations></SpimData>\n";
  }
};

}  // namespace aprscope::test
