#include "core/io/common/metadata_part.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "core/base/printable.hpp"
#include "core/base/regular_file.hpp"

namespace aprscope {
namespace {

// Deeper than metadata are; indents would take more than what they indent.
constexpr std::size_t kDeepest = 100;
// Lists and objects of no more characters stay in one line, where they hold no others.
constexpr std::size_t kShort = 100;
constexpr std::size_t kLongestTitle = 300;

// Keeps what is written as long as it is not too much.
class BoundedWriter : public pugi::xml_writer {
 public:
  explicit BoundedWriter(std::size_t most) : most_(most) {}
  void write(const void* data, std::size_t size) override {
    if (text.size() <= most_) text.append(static_cast<const char*>(data), size);
  }
  std::string text;

 private:
  std::size_t most_;
};

class DepthWalker : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node&) override { return depth() <= static_cast<int>(kDeepest); }
};

std::optional<std::string> indented_xml(std::string_view text, std::size_t most) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(text.data(), text.size(), pugi::parse_full);
  if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
  DepthWalker walker;
  if (!parsed || !document.traverse(walker)) return std::nullopt;
  BoundedWriter writer(most);
  document.save(writer, "  ", pugi::format_indent | pugi::format_no_declaration,
                pugi::encoding_utf8);
  if (writer.text.size() > most) return std::nullopt;
  return std::move(writer.text);
}

// The place after a text in sound JSON that begins at `at` with its quote.
std::size_t after_text(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

// Where a list or an object that begins at `at` ends, if it is short and holds no other; else 0.
std::size_t short_end(std::string_view json, std::size_t at) {
  for (std::size_t i = at + 1; i < json.size() && i - at <= kShort;) {
    if (json[i] == '"') {
      i = after_text(json, i);
      continue;
    }
    if (json[i] == ']' || json[i] == '}') return i;
    if (json[i] == '[' || json[i] == '{') return 0;
    ++i;
  }
  return 0;
}

// Puts blanks between the words of JSON: each number stays as it is written.
class JsonIndenter {
 public:
  explicit JsonIndenter(std::string_view json) : json_(json) {}

  std::optional<std::string> run(std::size_t most) {
    while (at_ < json_.size()) {
      step();
      if (out_.size() > most || depth_ > kDeepest) return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  void step() {
    const char c = json_[at_];
    if (c == '"') {
      const std::size_t end = after_text(json_, at_);
      out_ += json_.substr(at_, end - at_);
      at_ = end;
      return;
    }
    if (c == '[' || c == '{') {
      open(c);
    } else if (c == ']' || c == '}') {
      close(c);
    } else if (c == ',') {
      out_ += c;
      if (at_ < flat_end_) {
        out_ += ' ';
      } else {
        new_line();
      }
    } else if (c == ':') {
      out_ += ": ";
    } else if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
      out_ += c;
    }
    ++at_;
  }

  void open(char c) {
    out_ += c;
    flat_end_ = short_end(json_, at_);
    if (flat_end_ > 0) return;
    ++depth_;
    new_line();
  }

  void close(char c) {
    if (at_ != flat_end_) {
      --depth_;
      new_line();
    }
    flat_end_ = 0;
    out_ += c;
  }

  void new_line() {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  std::string_view json_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  // The end of the short list or object that is being written; 0: none.
  std::size_t flat_end_ = 0;
  std::string out_;
};

std::optional<std::string> indented(std::string_view text, std::size_t most) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos) return std::nullopt;
  if (text[first] == '<') return indented_xml(text, most);
  if (text[first] != '{' && text[first] != '[') return std::nullopt;
  const std::string_view json = text.substr(first);
  // The parser takes a zero for the end, and what follows it for nothing.
  if (json.find('\0') != std::string_view::npos) return std::nullopt;
  if (!nlohmann::json::accept(json.begin(), json.end())) return std::nullopt;
  return JsonIndenter(json).run(most);
}

// A line without what ends it: tabulators stay, other control characters are told.
void add_line(std::string_view line, std::string& out) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (true) {
    const std::size_t tab = line.find('\t');
    out += printable(line.substr(0, tab));
    if (tab == std::string_view::npos) return;
    out += '\t';
    line.remove_prefix(tab + 1);
  }
}

}  // namespace

MetadataPart shown_metadata(MetadataPart raw, std::size_t most) {
  MetadataPart out{printable(utf8_prefix(raw.title, kLongestTitle)), {}, raw.cut};
  // What writers of other languages end texts with.
  while (raw.text.ends_with('\0')) raw.text.pop_back();
  if (raw.text.size() > most) {
    raw.text.resize(utf8_prefix(raw.text, most).size());
    out.cut = true;
  }
  std::string text = std::move(raw.text);
  if (!out.cut) {
    if (auto better = indented(text, most)) text = *std::move(better);
  }
  std::string_view rest = text;
  while (!rest.empty() && out.text.size() < most) {
    const std::size_t end = rest.find('\n');
    add_line(rest.substr(0, end), out.text);
    if (end != std::string_view::npos) out.text += '\n';
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  if (!rest.empty() || out.text.size() > most) {
    out.text.resize(utf8_prefix(out.text, most).size());
    out.cut = true;
  }
  return out;
}

Result<MetadataPart> metadata_file(const std::string& title, const std::filesystem::path& path) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  MetadataPart part{title, {}, state->bytes > kMostMetadata};
  part.text.resize(std::min<std::uint64_t>(state->bytes, kMostMetadata));
  const auto got = file->read_at(0, part.text.data(), part.text.size());
  if (!got) return got.error();
  part.text.resize(*got);
  return part;
}

}  // namespace aprscope
