#include "core/io/tiff/tiff_description.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "core/base/memory_error.hpp"
#include "core/io/tiff/tiff_file.hpp"
#include "core/io/tiff/tiff_files.hpp"
#include "core/io/tiff/tiff_metadata.hpp"

namespace aprscope {
namespace {

constexpr std::uint32_t kImageJCounts = 50838;
constexpr std::uint32_t kImageJMetadata = 50839;
// Labels of more slices are not read.
constexpr std::uint32_t kMostTexts = 1U << 20U;

constexpr std::array<std::pair<std::uint32_t, const char*>, 8> kTags{
    {{TIFFTAG_DOCUMENTNAME, "DocumentName"},
     {TIFFTAG_MAKE, "Make"},
     {TIFFTAG_MODEL, "Model"},
     {TIFFTAG_SOFTWARE, "Software"},
     {TIFFTAG_DATETIME, "DateTime"},
     {TIFFTAG_ARTIST, "Artist"},
     {TIFFTAG_HOSTCOMPUTER, "HostComputer"},
     {TIFFTAG_COPYRIGHT, "Copyright"}}};

using Bytes = std::span<const std::uint8_t>;

std::uint32_t number_at(Bytes bytes, std::size_t at, std::size_t size, bool big_endian) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value = value << 8U | bytes[at + (big_endian ? i : size - 1 - i)];
  }
  return value;
}

void add_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80U) {
    put(code);
  } else if (code < 0x800U) {
    put(0xC0U | code >> 6U);
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

// Halves of pairs that stand alone become the sign for what cannot be read.
std::string utf8_of_utf16(Bytes bytes, bool big_endian) {
  std::string out;
  for (std::size_t at = 0; at + 2 <= bytes.size() && out.size() <= kMostMetadata; at += 2) {
    std::uint32_t code = number_at(bytes, at, 2, big_endian);
    if (code >= 0xD800U && code < 0xE000U) {
      const std::uint32_t next =
          at + 4 <= bytes.size() ? number_at(bytes, at + 2, 2, big_endian) : 0;
      if (code < 0xDC00U && next >= 0xDC00U && next < 0xE000U) {
        code = 0x10000U + ((code - 0xD800U) << 10U) + (next - 0xDC00U);
        at += 2;
      } else {
        code = 0xFFFDU;
      }
    }
    add_utf8(code, out);
  }
  return out;
}

// An ASCII tag of the first page; "" where it has none.
std::string text_tag(TIFF* tiff, std::uint32_t tag) {
  const char* text = nullptr;
  if (TIFFGetField(tiff, tag, &text) != 1 || text == nullptr) return {};
  return text;
}

std::string title_of(const std::string& description) {
  if (is_ome_xml(description)) return "OME-XML";
  if (parse_imagej(description)) return "ImageJ";
  return "ImageDescription";
}

// The OME-XML of a file that only names another one, or why it is not shown.
MetadataPart companion_part(const std::string& name, const std::filesystem::path& path) {
  const auto inside = tiff_file_in(path.parent_path(), name, path.string());
  const auto part = inside ? metadata_file(name, *inside) : inside.error();
  return part ? *part : MetadataPart{name, "(not shown: " + part.error().message() + ")"};
}

std::vector<MetadataPart> imagej_parts(TIFF* tiff) {
  std::uint32_t counted = 0;
  std::uint32_t held = 0;
  const std::uint32_t* counts = nullptr;
  const std::uint8_t* bytes = nullptr;
  if (TIFFGetField(tiff, kImageJCounts, &counted, &counts) != 1 || counts == nullptr ||
      TIFFGetField(tiff, kImageJMetadata, &held, &bytes) != 1 || bytes == nullptr) {
    return {};
  }
  // Tags that libtiff does not know have the type that the file gives them.
  const TIFFField* const first = TIFFFindField(tiff, kImageJCounts, TIFF_ANY);
  const TIFFField* const second = TIFFFindField(tiff, kImageJMetadata, TIFF_ANY);
  if (first == nullptr || second == nullptr || TIFFFieldDataType(first) != TIFF_LONG ||
      (TIFFFieldDataType(second) != TIFF_BYTE && TIFFFieldDataType(second) != TIFF_UNDEFINED)) {
    return {};
  }
  return parse_imagej_texts({counts, counted}, {bytes, held});
}

}  // namespace

std::vector<MetadataPart> parse_imagej_texts(std::span<const std::uint32_t> counts, Bytes bytes) {
  // The head: a mark in the order of bytes that all has, then a kind and how many of it, each.
  if (counts.empty() || counts[0] > bytes.size() || counts[0] < 12 || counts[0] % 8 != 4) return {};
  const std::string_view mark(reinterpret_cast<const char*>(bytes.data()), 4);
  const bool big_endian = mark == "IJIJ";
  if (!big_endian && mark != "JIJI") return {};
  std::vector<MetadataPart> parts;
  std::size_t at = counts[0];
  std::size_t entry = 1;
  for (std::size_t head = 4; head < counts[0]; head += 8) {
    const std::uint32_t kind = number_at(bytes, head, 4, big_endian);
    const std::uint32_t count = number_at(bytes, head + 4, 4, big_endian);
    constexpr std::uint32_t kInfo = 0x696e666f;    // "info"
    constexpr std::uint32_t kLabels = 0x6c61626c;  // "labl"
    if (count > kMostTexts) return parts;
    MetadataPart part{kind == kInfo ? "ImageJ: Info" : "ImageJ: Labels", {}};
    for (std::uint32_t i = 0; i < count; ++i, ++entry) {
      if (entry >= counts.size() || counts[entry] > bytes.size() - at) return parts;
      if ((kind == kInfo || kind == kLabels) && part.text.size() <= kMostMetadata) {
        if (i > 0) part.text += '\n';
        part.text += utf8_of_utf16(bytes.subspan(at, counts[entry]), big_endian);
      }
      at += counts[entry];
    }
    if (!part.text.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

Result<std::vector<MetadataPart>> read_tiff_texts(const std::filesystem::path& path,
                                                  const JobContext& context) {
  if (context.stop_requested()) return cancelled_error();
  const auto file = TiffFile::open_for_reading(path);
  if (!file) return file.error();
  std::vector<MetadataPart> parts;
  const std::string description = text_tag(file->get(), TIFFTAG_IMAGEDESCRIPTION);
  parts.push_back({title_of(description), description});
  if (is_ome_xml(description)) {
    if (const auto companion = ome_companion(description)) {
      parts.push_back(companion_part(companion->file, path));
    }
  }
  for (MetadataPart& part : imagej_parts(file->get())) parts.push_back(std::move(part));
  std::string tags;
  for (const auto& [tag, name] : kTags) {
    const std::string text = text_tag(file->get(), tag);
    if (!text.empty()) tags += std::string(name) + " = " + text + "\n";
  }
  parts.push_back({"Tags", std::move(tags)});
  if (file->out_of_memory()) return memory_error(path.string());
  if (Status read = file->reading(); !read) return read.error();
  return parts;
}

}  // namespace aprscope
