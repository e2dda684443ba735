// ImageJ and OME-XML metadata, in files made with libtiff or byte by byte.
#include <gtest/gtest.h>

#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

// Page number n holds the value n everywhere, so that the order of planes can be seen.
void write_numbered(const std::filesystem::path& path, PageSpec spec, int pages) {
  spec.cols = 5;
  spec.rows = 4;
  spec.bits = 8;
  TiffMaker maker(path, "w");
  for (int n = 0; n < pages; ++n) {
    maker.add(spec,
              std::vector<std::uint8_t>(std::size_t{20} * static_cast<std::size_t>(spec.samples),
                                        static_cast<std::uint8_t>(n)));
    spec.description.clear();
  }
}

// Page numbers of the slices of one channel and time point.
std::vector<int> slices(const std::filesystem::path& path, int channel, int time) {
  const Volume volume = must_load(path.string(), {channel, time});
  std::vector<int> numbers;
  for (std::int64_t z = 0; z < volume.size().z; ++z) {
    numbers.push_back(static_cast<int>(volume.value({z, 3, 4})));
  }
  return numbers;
}

SourceInfo must_inspect(const std::filesystem::path& path) {
  auto info = inspect(path.string());
  EXPECT_TRUE(info.ok()) << (info.ok() ? "" : info.error().message());
  return info ? *info : SourceInfo{};
}

TEST(ImageJMetadata, HyperstackOrderIsChannelSliceFrame) {
  TemporaryFolder folder;
  const auto path = folder / "hyper.tif";
  PageSpec spec;
  spec.description =
      "ImageJ=1.53t\nimages=24\nchannels=2\nslices=3\nframes=4\nhyperstack=true\n"
      "unit=micron\nspacing=0.5\n";
  spec.x_resolution = 4.0;
  spec.y_resolution = 2.0;
  write_numbered(path, spec, 24);
  const SourceInfo info = must_inspect(path);
  EXPECT_EQ(info.format, "ImageJ TIFF");
  EXPECT_EQ(info.size, (Size3{3, 4, 5}));
  EXPECT_EQ(info.channels.size(), 2U);
  EXPECT_EQ(info.times, 4);
  EXPECT_EQ(info.voxel, (VoxelSize{0.5, 0.5, 0.25, "µm"}));
  EXPECT_EQ(slices(path, 0, 0), (std::vector{0, 2, 4}));
  EXPECT_EQ(slices(path, 1, 0), (std::vector{1, 3, 5}));
  EXPECT_EQ(slices(path, 1, 3), (std::vector{19, 21, 23}));
}

TEST(ImageJMetadata, UnitsAndDefaults) {
  TemporaryFolder folder;
  const auto path = folder / "units.tif";
  const auto voxel = [&](const std::string& lines, int resolution_unit, double resolution) {
    PageSpec spec;
    spec.description = "ImageJ=1.53t\nimages=2\nslices=2\n" + lines;
    spec.x_resolution = spec.y_resolution = resolution;
    spec.resolution_unit = resolution_unit;
    write_numbered(path, spec, 2);
    return must_inspect(path).voxel;
  };
  for (const char* unit : {"um", "micron", "microns", "\\u00B5m", "\\u03BCm", "\xC2\xB5m",
                           "\xCE\xBCm", "\xB5m", "Micrometer"}) {
    EXPECT_EQ(voxel(std::string("unit=") + unit + "\nspacing=2\n", RESUNIT_NONE, 5.0),
              (VoxelSize{2.0, 0.2, 0.2, "µm"}))
        << unit;
  }
  EXPECT_EQ(voxel("unit=nm\nspacing=200\n", RESUNIT_NONE, 0.01),
            (VoxelSize{200.0, 100.0, 100.0, "nm"}));
  // Nobody measures voxels in centimetres.
  EXPECT_EQ(voxel("unit=cm\nspacing=0.001\n", RESUNIT_CENTIMETER, 2000.0),
            (VoxelSize{10.0, 5.0, 5.0, "µm"}));
  EXPECT_EQ(voxel("", RESUNIT_INCH, 72.0), (VoxelSize{1.0, 1.0, 1.0, "px"}));
  EXPECT_EQ(voxel("unit=pixel\nspacing=3\n", RESUNIT_NONE, 1.0), (VoxelSize{3.0, 1.0, 1.0, "px"}));
  EXPECT_EQ(voxel("unit=um\nspacing=-1.5\n", RESUNIT_NONE, 1.0), (VoxelSize{1.5, 1.0, 1.0, "µm"}));
  EXPECT_EQ(voxel("unit=um\nspacing=nan\n", RESUNIT_NONE, 1.0), (VoxelSize{1.0, 1.0, 1.0, "µm"}));
}

TEST(ImageJMetadata, CountsThatDoNotFitThePagesAreNotBelieved) {
  TemporaryFolder folder;
  const auto path = folder / "stale.tif";
  for (const char* lines :
       {"images=24\nchannels=2\nslices=12\n", "images=6\nchannels=4\nslices=3\n",
        "images=6\nchannels=2147483647\nslices=2147483647\nframes=2147483647\n",
        "images=6\nchannels=-2\nslices=x\n", "images=6\n"}) {
    PageSpec spec;
    spec.description = std::string("ImageJ=1.53t\n") + lines;
    write_numbered(path, spec, 6);
    const SourceInfo info = must_inspect(path);
    EXPECT_EQ(info.size.z, 6) << lines;
    EXPECT_EQ(info.channels.size(), 1U);
    EXPECT_EQ(info.times, 1);
  }
}

TEST(ImageJMetadata, StackWithOneDirectory) {
  TemporaryFolder folder;
  const auto path = folder / "run.tif";
  for (const bool big_endian : {false, true}) {
    CraftedTiff crafted;
    crafted.big_endian = big_endian;
    crafted.bits = 16;
    crafted.strip_bytes = 24;
    crafted.description = "ImageJ=1.53t\nimages=10\nchannels=2\nslices=5\nunit=um\nspacing=3\n";
    for (int plane = 0; plane < 10; ++plane) {
      for (int i = 0; i < 12; ++i) {
        const int value = 1000 * plane + i;
        const char high = static_cast<char>(value >> 8);
        const char low = static_cast<char>(value & 255);
        crafted.payload += big_endian ? std::string{high, low} : std::string{low, high};
      }
    }
    const std::string bytes = crafted.bytes();
    write_bytes(path, bytes);
    const SourceInfo info = must_inspect(path);
    EXPECT_EQ(info.size, (Size3{5, 3, 4}));
    EXPECT_EQ(info.channels.size(), 2U);
    EXPECT_EQ(info.voxel.z, 3.0);
    for (int c = 0; c < 2; ++c) {
      const Volume volume = must_load(path.string(), {c, 0});
      ASSERT_EQ(volume.size(), info.size);
      for (std::int64_t z = 0; z < 5; ++z) {
        for (std::int64_t i = 0; i < 12; ++i) {
          ASSERT_EQ(volume.value({z, i / 4, i % 4}), static_cast<float>(1000 * (2 * z + c) + i));
        }
      }
    }
    // One byte less, and the last plane is not there.
    write_bytes(path, bytes.substr(0, bytes.size() - 1));
    const auto cut = inspect(path.string());
    ASSERT_FALSE(cut.ok());
    EXPECT_NE(cut.error().message().find("images=10, but holds only 9"), std::string::npos)
        << cut.error().message();
  }
}

TEST(ImageJMetadata, StackWithOneDirectoryAboveFourGigabytes) {
  TemporaryFolder folder;
  const auto path = folder / "huge.tif";
  CraftedTiff crafted;
  crafted.big_endian = true;
  crafted.cols = crafted.rows = 1000;
  crafted.strip_bytes = 1000000;
  crafted.description = "ImageJ=1.53t\nimages=5000\nchannels=500\nslices=10\n";
  const std::string head = crafted.bytes();
  write_bytes(path, head);
  // A hole of 5 GB, which takes no space, and one pixel at its end.
  std::filesystem::resize_file(path, head.size() + 5000000000ULL - 1);
  {
    std::ofstream out(path, std::ios::binary | std::ios::app);
    out.put('\x2A');
  }
  const SourceInfo info = must_inspect(path);
  EXPECT_EQ(info.size, (Size3{10, 1000, 1000}));
  ASSERT_EQ(info.channels.size(), 500U);
  const Volume volume = must_load(path.string(), {499, 0});
  ASSERT_EQ(volume.size(), info.size);
  EXPECT_EQ(volume.value({9, 999, 999}), 42);
  EXPECT_EQ(sums(volume).plain, 42);
}

std::string ome(const std::string& pixels_attributes, const std::string& children,
                const std::string& root_attributes = "") {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
         "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"" +
         root_attributes + "><Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" Type=\"uint8\" " +
         pixels_attributes + ">" + children + "</Pixels></Image></OME>";
}

TEST(OmeMetadata, SizesUnitsAndChannelNames) {
  TemporaryFolder folder;
  const auto path = folder / "sizes.ome.tif";
  PageSpec spec;
  spec.description =
      ome("DimensionOrder=\"XYCZT\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"3\" SizeC=\"2\" SizeT=\"2\" "
          "PhysicalSizeX=\"0.25\" PhysicalSizeY=\"250\" PhysicalSizeYUnit=\"nm\" "
          "PhysicalSizeZ=\"0.001\" PhysicalSizeZUnit=\"mm\"",
          "<Channel ID=\"Channel:0:0\" Name=\"DAPI &amp; &#956;\"/><Channel ID=\"Channel:0:1\"/>"
          "<TiffData/>");
  write_numbered(path, spec, 12);
  const SourceInfo info = must_inspect(path);
  EXPECT_EQ(info.format, "OME-TIFF");
  EXPECT_EQ(info.size, (Size3{3, 4, 5}));
  EXPECT_EQ(info.times, 2);
  EXPECT_EQ(info.channels, (std::vector<std::string>{"DAPI & μ", "1"}));
  EXPECT_EQ(info.voxel.unit, "µm");
  EXPECT_DOUBLE_EQ(info.voxel.y, 0.25);
  EXPECT_DOUBLE_EQ(info.voxel.x, 0.25);
  EXPECT_DOUBLE_EQ(info.voxel.z, 1.0);
  EXPECT_EQ(slices(path, 1, 1), (std::vector{7, 9, 11}));
  EXPECT_EQ(must_load(path.string()).channel, "DAPI & μ");
}

TEST(OmeMetadata, ColoursOfChannels) {
  TemporaryFolder folder;
  const auto path = folder / "colours.ome.tif";
  PageSpec spec;
  const std::string sizes =
      "DimensionOrder=\"XYCZT\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"1\" SizeC=\"3\" SizeT=\"1\"";
  // 0xFF8000FF as a signed number, 0x00FF40FF, and none.
  spec.description = ome(sizes,
                         "<Channel Color=\"-8388353\"/><Channel Color=\"16728319\"/><Channel/>"
                         "<TiffData/>");
  write_numbered(path, spec, 3);
  EXPECT_EQ(must_inspect(path).hints,
            (std::vector<ChannelHint>{
                {Rgb{0xFF, 0x80, 0x00}, {}}, {Rgb{0x00, 0xFF, 0x40}, {}}, ChannelHint{}}));
  spec.description = ome(sizes, "<Channel/><Channel/><Channel/><TiffData/>");
  write_numbered(path, spec, 3);
  EXPECT_TRUE(must_inspect(path).hints.empty());
}

TEST(OmeMetadata, EveryDimensionOrder) {
  TemporaryFolder folder;
  const auto path = folder / "order.ome.tif";
  const int sizes[3] = {3, 2, 4};  // Z, C, T
  for (const std::string order : {"XYZCT", "XYZTC", "XYCZT", "XYCTZ", "XYTZC", "XYTCZ"}) {
    PageSpec spec;
    spec.description = ome("DimensionOrder=\"" + order +
                               "\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"3\" SizeC=\"2\" SizeT=\"4\"",
                           "");
    write_numbered(path, spec, 24);
    // Stride of each dimension in the file.
    int stride[3] = {0, 0, 0};
    int step = 1;
    for (const char d : order.substr(2)) {
      const int i = d == 'Z' ? 0 : d == 'C' ? 1 : 2;
      stride[i] = step;
      step *= sizes[i];
    }
    for (int c = 0; c < 2; ++c) {
      for (int t = 0; t < 4; ++t) {
        const int first = c * stride[1] + t * stride[2];
        EXPECT_EQ(slices(path, c, t),
                  (std::vector{first, first + stride[0], first + 2 * stride[0]}))
            << order;
      }
    }
  }
}

TEST(OmeMetadata, DirectoriesInAnyOrder) {
  TemporaryFolder folder;
  const auto path = folder / "map.ome.tif";
  PageSpec spec;
  spec.description =
      ome("DimensionOrder=\"XYZCT\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"2\" SizeC=\"2\" SizeT=\"1\"",
          "<TiffData IFD=\"3\" FirstZ=\"0\" FirstC=\"0\" PlaneCount=\"1\"/>"
          "<TiffData IFD=\"2\" FirstZ=\"1\" FirstC=\"0\"/>"
          "<TiffData IFD=\"0\" FirstC=\"1\" PlaneCount=\"2\"/>");
  write_numbered(path, spec, 4);
  EXPECT_EQ(slices(path, 0, 0), (std::vector{3, 2}));
  EXPECT_EQ(slices(path, 1, 0), (std::vector{0, 1}));
}

TEST(OmeMetadata, OtherFilesAreNeededWhenTheirPlanesAre) {
  TemporaryFolder folder;
  const auto path = folder / "set.ome.tif";
  PageSpec spec;
  spec.description =
      ome("DimensionOrder=\"XYZCT\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"1\" SizeC=\"2\" SizeT=\"1\"",
          "<TiffData FirstC=\"0\" IFD=\"0\"><UUID FileName=\"set.ome.tif\">urn:a</UUID></TiffData>"
          "<TiffData FirstC=\"1\" IFD=\"0\"><UUID FileName=\"two.ome.tif\">urn:b</UUID></TiffData>",
          " UUID=\"urn:a\"");
  write_numbered(path, spec, 1);
  const SourceInfo info = must_inspect(path);
  ASSERT_EQ(info.channels.size(), 2U);
  EXPECT_EQ(slices(path, 0, 0), std::vector{0});
  const auto missing = load(info, {1, 0});
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message().find("needs two.ome.tif"), std::string::npos)
      << missing.error().message();
  // A part of the set that is no image of the set's.
  PageSpec other;
  write_numbered(folder / "two.ome.tif", other, 1);
  EXPECT_EQ(slices(path, 1, 0), std::vector{0});
  std::filesystem::remove(folder / "two.ome.tif");
  std::filesystem::create_symlink("/etc/hostname", folder / "two.ome.tif");
  const auto outside = load(info, {1, 0});
  ASSERT_FALSE(outside.ok());
  EXPECT_NE(outside.error().message().find("is a link out of its folder"), std::string::npos)
      << outside.error().message();
}

// Two files of two slices each, a channel in each; and what names them in any folder but their own.
std::string two_channels(const std::string& one, const std::string& two, const std::string& own) {
  return ome("DimensionOrder=\"XYZCT\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"2\" SizeC=\"2\" SizeT=\"1\"",
             "<TiffData FirstC=\"0\" IFD=\"0\" PlaneCount=\"2\"><UUID FileName=\"" + one +
                 "\">urn:a</UUID></TiffData>"
                 "<TiffData FirstC=\"1\" IFD=\"1\" PlaneCount=\"2\"><UUID FileName=\"" +
                 two + "\">urn:b</UUID></TiffData>",
             own.empty() ? "" : " UUID=\"" + own + "\"");
}

TEST(OmeMetadata, FilesOfASetAreReadTogether) {
  TemporaryFolder folder;
  PageSpec spec;
  spec.description = two_channels("one.ome.tif", "two.ome.tif", "urn:a");
  write_numbered(folder / "one.ome.tif", spec, 2);
  spec.description = two_channels("one.ome.tif", "two.ome.tif", "urn:b");
  write_numbered(folder / "two.ome.tif", spec, 3);
  for (const char* name : {"one.ome.tif", "two.ome.tif"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(slices(folder / name, 0, 0), (std::vector{0, 1}));
    EXPECT_EQ(slices(folder / name, 1, 0), (std::vector{1, 2}));
  }
  // Their folder is the set.
  const SourceInfo info = must_inspect(folder.path());
  EXPECT_EQ(info.datasets, std::vector<std::string>{"/one.ome.tif"});
  EXPECT_EQ(slices(folder.path(), 1, 0), (std::vector{1, 2}));
  // Fewer pages than the set says.
  write_numbered(folder / "two.ome.tif", spec, 2);
  const auto cut = load(must_inspect(folder / "one.ome.tif"), {1, 0});
  ASSERT_FALSE(cut.ok());
  EXPECT_NE(cut.error().message().find("two.ome.tif: has no page 3"), std::string::npos)
      << cut.error().message();
}

TEST(OmeMetadata, FilesOfASetLieInOneFolder) {
  for (const char* name : {"../two.ome.tif", "/etc/two.ome.tif", "sub/two.ome.tif"}) {
    TemporaryFolder folder;
    PageSpec spec;
    spec.description = two_channels("one.ome.tif", name, "urn:a");
    write_numbered(folder / "one.ome.tif", spec, 2);
    const auto data = load(must_inspect(folder / "one.ome.tif"), {1, 0});
    ASSERT_FALSE(data.ok());
    EXPECT_NE(data.error().message().find("which is not a file beside it"), std::string::npos)
        << data.error().message();
  }
}

// Without numbers of their own, files are known by their names; one that was renamed is still one.
TEST(OmeMetadata, FilesAreKnownByTheirNames) {
  TemporaryFolder folder;
  PageSpec spec;
  spec.description = two_channels("one.ome.tif", "two.ome.tif", "");
  write_numbered(folder / "one.ome.tif", spec, 2);
  write_numbered(folder / "two.ome.tif", spec, 3);
  EXPECT_EQ(slices(folder / "two.ome.tif", 0, 0), (std::vector{0, 1}));
  EXPECT_EQ(slices(folder / "two.ome.tif", 1, 0), (std::vector{1, 2}));
  spec.description = two_channels("old.ome.tif", "old.ome.tif", "");
  write_numbered(folder / "new.ome.tif", spec, 4);
  EXPECT_EQ(slices(folder / "new.ome.tif", 1, 0), (std::vector{1, 2}));
}

// Each element without a number of planes goes through all that follow.
TEST(OmeMetadata, PlanesThatAreNamedOverAndOverAreRefused) {
  TemporaryFolder folder;
  const auto path = folder / "one.ome.tif";
  std::string elements;
  for (int i = 0; i < 700; ++i) elements += "<TiffData><UUID FileName=\"b.tif\"/></TiffData>";
  PageSpec spec;
  spec.description = ome(
      "DimensionOrder=\"XYZCT\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"1048576\" SizeC=\"1\" SizeT=\"1\"",
      elements + "<TiffData FirstZ=\"3\" IFD=\"0\"><UUID FileName=\"one.ome.tif\"/></TiffData>");
  write_numbered(path, spec, 1);
  const auto refused = inspect(path.string());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("named over and over"), std::string::npos)
      << refused.error().message();
}

// A file each, whose first plane alone is named.
TEST(OmeMetadata, ASetOfManyFilesIsNotNamedOverAndOver) {
  TemporaryFolder folder;
  std::string elements;
  for (int z = 0; z < 1000; ++z) {
    const std::string at = std::to_string(z);
    elements += "<TiffData FirstZ=\"" + at + "\"><UUID FileName=\"z" + at + ".tif\"/></TiffData>";
  }
  PageSpec spec;
  spec.description =
      ome("DimensionOrder=\"XYZCT\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"1000\" SizeC=\"1\" SizeT=\"1\"",
          elements);
  write_numbered(folder / "z0.tif", spec, 1);
  spec.description.clear();
  for (int z = 1; z < 1000; ++z) {
    write_numbered(folder / ("z" + std::to_string(z) + ".tif"), spec, 1);
  }
  EXPECT_EQ(must_inspect(folder / "z0.tif").size.z, 1000);
}

TEST(OmeMetadata, MetadataInACompanionFile) {
  TemporaryFolder folder;
  const auto only = [](const std::string& uuid, const std::string& file) {
    return "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" UUID=\"" + uuid +
           "\"><BinaryOnly MetadataFile=\"" + file + "\" UUID=\"" + uuid + "\"/></OME>";
  };
  PageSpec spec;
  spec.description = only("urn:a", "set.companion.ome");
  write_numbered(folder / "one.ome.tif", spec, 2);
  spec.description = only("urn:b", "set.companion.ome");
  write_numbered(folder / "two.ome.tif", spec, 3);
  write_bytes(folder / "set.companion.ome", two_channels("one.ome.tif", "two.ome.tif", "urn:c"));
  for (const char* name : {"one.ome.tif", "two.ome.tif"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(slices(folder / name, 0, 0), (std::vector{0, 1}));
    EXPECT_EQ(slices(folder / name, 1, 0), (std::vector{1, 2}));
  }
  const auto further = must_inspect(folder / "one.ome.tif").further;
  EXPECT_EQ(further, (std::vector{folder / "two.ome.tif", folder / "set.companion.ome"}));
  // Metadata of no size that they have.
  std::filesystem::resize_file(folder / "set.companion.ome", 33U << 20U);
  const auto large = inspect((folder / "one.ome.tif").string());
  ASSERT_FALSE(large.ok());
  EXPECT_NE(large.error().message().find("more than metadata have"), std::string::npos)
      << large.error().message();
  std::filesystem::remove(folder / "set.companion.ome");
  const auto alone = inspect((folder / "one.ome.tif").string());
  ASSERT_FALSE(alone.ok());
  EXPECT_NE(alone.error().message().find("needs set.companion.ome"), std::string::npos)
      << alone.error().message();
  spec.description = only("urn:a", "../set.companion.ome");
  write_numbered(folder / "one.ome.tif", spec, 2);
  EXPECT_FALSE(inspect((folder / "one.ome.tif").string()).ok());
}

TEST(OmeMetadata, ColoursOfOnePage) {
  TemporaryFolder folder;
  const auto path = folder / "rgb.ome.tif";
  PageSpec spec;
  spec.samples = 3;
  spec.description =
      ome("DimensionOrder=\"XYCZT\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"2\" SizeC=\"3\" SizeT=\"1\"",
          "<Channel SamplesPerPixel=\"3\" Name=\"stain\"/><TiffData/>");
  write_numbered(path, spec, 2);
  EXPECT_EQ(must_inspect(path).channels, (std::vector<std::string>{"red", "green", "blue"}));
  EXPECT_EQ(slices(path, 2, 0), (std::vector{0, 1}));
}

TEST(OmeMetadata, SubResolutionsAreNotSlices) {
  TemporaryFolder folder;
  const auto path = folder / "pyramid.ome.tif";
  TIFFSetWarningHandler(nullptr);
  {
    TiffMaker maker(path, "w");
    PageSpec spec;
    spec.cols = 6;
    spec.rows = 4;
    spec.bits = 8;
    spec.description =
        ome("DimensionOrder=\"XYZCT\" SizeX=\"6\" SizeY=\"4\" SizeZ=\"2\" SizeC=\"1\" SizeT=\"1\"",
            "<TiffData/>");
    PageSpec half = spec;
    half.cols = 3;
    half.rows = 2;
    half.description.clear();
    half.subfile = FILETYPE_REDUCEDIMAGE;
    for (std::uint8_t z = 0; z < 2; ++z) {
      std::uint64_t place = 0;
      TIFFSetField(maker.get(), TIFFTAG_SUBIFD, 1, &place);
      maker.add(spec, std::vector<std::uint8_t>(24, z));
      maker.add(half, std::vector<std::uint8_t>(6, 99));
      spec.description.clear();
    }
  }
  const Volume volume = must_load(path.string());
  ASSERT_EQ(volume.size(), (Size3{2, 4, 6}));
  EXPECT_EQ(volume.value({0, 0, 0}), 0);
  EXPECT_EQ(volume.value({1, 3, 5}), 1);
}

TEST(OmeMetadata, UnusableXmlIsRefused) {
  TemporaryFolder folder;
  const auto path = folder / "bad.ome.tif";
  const std::string sizes = "SizeX=\"5\" SizeY=\"4\" SizeZ=\"1\" SizeC=\"1\" ";
  const std::string good = ome(sizes + "SizeT=\"1\"", "");
  for (const std::string& xml :
       {good.substr(0, good.size() - 9), ome("SizeX=\"5\"", ""), ome(sizes + "SizeT=\"0\"", ""),
        ome("SizeX=\"5\" SizeY=\"4\" SizeZ=\"60000\" SizeC=\"60000\" SizeT=\"60000\"", ""),
        ome("SizeX=\"5\" SizeY=\"4\" SizeZ=\"7\" SizeC=\"1\" SizeT=\"1\"", ""),
        ome("SizeX=\"9\" SizeY=\"4\" SizeZ=\"1\" SizeC=\"1\" SizeT=\"1\"", ""),
        ome(sizes + "SizeT=\"1\"", "<TiffData IFD=\"4294967290\"/>"),
        std::string("<OME xmlns=\"x\"></OME>"),
        std::string("<OME><BinaryOnly MetadataFile=\"a.ome\"/></OME>")}) {
    PageSpec spec;
    spec.description = xml;
    write_numbered(path, spec, 1);
    const auto info = inspect(path.string());
    ASSERT_FALSE(info.ok()) << xml;
    EXPECT_NE(info.error().message().find("bad.ome.tif"), std::string::npos)
        << info.error().message();
  }
}

TEST(PlainTiff, ResolutionTagsCountOnlyWhenTheyMayBeAMicroscope) {
  TemporaryFolder folder;
  const auto path = folder / "plain.tif";
  const auto voxel = [&](int unit, double resolution) {
    PageSpec spec;
    spec.x_resolution = spec.y_resolution = resolution;
    spec.resolution_unit = unit;
    write_numbered(path, spec, 1);
    return must_inspect(path).voxel;
  };
  EXPECT_EQ(voxel(RESUNIT_CENTIMETER, 40000.0), (VoxelSize{0.25, 0.25, 0.25, "µm"}));
  EXPECT_EQ(voxel(RESUNIT_INCH, 50800.0), (VoxelSize{0.5, 0.5, 0.5, "µm"}));
  EXPECT_EQ(voxel(RESUNIT_INCH, 300.0), VoxelSize{});
  EXPECT_EQ(voxel(RESUNIT_NONE, 5.0), VoxelSize{});
}

// Frames a given time apart.
TEST(ImageJMetadata, TheIntervalOfFramesIsInSeconds) {
  TemporaryFolder folder;
  const auto path = folder / "film.tif";
  const auto seconds = [&](const std::string& lines) {
    PageSpec spec;
    spec.description = "ImageJ=1.53t\nimages=3\nframes=3\n" + lines;
    write_numbered(path, spec, 3);
    return must_inspect(path).seconds;
  };
  EXPECT_EQ(seconds("finterval=2.5\n"), 2.5);
  EXPECT_EQ(seconds("finterval=2.5\ntunit=min\n"), 150.0);
  EXPECT_EQ(seconds("tunit=ms\nfinterval=500\n"), 0.5);
  for (const char* unknown :
       {"", "finterval=0\n", "finterval=nan\n", "finterval=-1\n", "finterval=2\ntunit=frames\n"}) {
    EXPECT_EQ(seconds(unknown), std::nullopt) << unknown;
  }
}

TEST(OmeMetadata, TheTimeIncrementIsInSeconds) {
  TemporaryFolder folder;
  const auto path = folder / "film.ome.tif";
  const auto seconds = [&](const std::string& attributes) {
    PageSpec spec;
    spec.description =
        "<?xml version=\"1.0\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">"
        "<Image><Pixels DimensionOrder=\"XYZCT\" Type=\"uint8\" SizeX=\"5\" SizeY=\"4\" "
        "SizeZ=\"1\" SizeC=\"1\" SizeT=\"3\" " +
        attributes + "><TiffData/></Pixels></Image></OME>";
    write_numbered(path, spec, 3);
    return must_inspect(path).seconds;
  };
  EXPECT_EQ(seconds("TimeIncrement=\"2.5\""), 2.5);
  EXPECT_EQ(seconds("TimeIncrement=\"250\" TimeIncrementUnit=\"ms\""), 0.25);
  EXPECT_EQ(seconds("TimeIncrement=\"2\" TimeIncrementUnit=\"h\""), 7200.0);
  for (const char* unknown : {"", "TimeIncrement=\"0\"", "TimeIncrement=\"soon\"",
                              "TimeIncrement=\"2\" TimeIncrementUnit=\"frames\""}) {
    EXPECT_EQ(seconds(unknown), std::nullopt) << unknown;
  }
}

}  // namespace
}  // namespace aprscope::test
