#include "core/io/projections/npy_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/printable.hpp"

namespace aprscope {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kLongestHeader = std::size_t{1} << 20U;
constexpr std::size_t kMostFields = 1024;
constexpr std::size_t kLongestRow = std::size_t{1} << 20U;

// The Python literal that a header is: a cursor over its few forms. A form that is not there leaves
// the cursor at its place or makes the whole text invalid; nothing is ever read behind the end.
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  bool take(char c) {
    skip();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::optional<std::string> string() {
    skip();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
    const auto end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view found = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    // Names with escapes are none of cryoSPARC's.
    if (found.find('\\') != std::string_view::npos) return std::nullopt;
    return std::string(found);
  }

  std::optional<std::uint64_t> number() {
    skip();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    // Python 2 wrote long numbers with a suffix: 3L.
    if (!text_.empty() && text_.front() == 'L') text_.remove_prefix(1);
    return value;
  }

  bool word(std::string_view wanted) {
    skip();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(wanted.size());
    return true;
  }

  // (3,) or (2, 2), or a number alone.
  std::optional<std::vector<std::uint64_t>> shape() {
    std::vector<std::uint64_t> out;
    if (!take('(')) {
      const auto one = number();
      if (!one) return std::nullopt;
      return std::vector{*one};
    }
    while (!take(')')) {
      const auto one = number();
      if (!one || out.size() >= 8) return std::nullopt;
      out.push_back(*one);
      if (!take(',')) {
        if (!take(')')) return std::nullopt;
        break;
      }
    }
    return out;
  }

 private:
  void skip() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size())); }
  std::string_view text_;
};

// Parses a type; returns what is wrong with it, or an empty text.
std::string read_type(std::string_view type, NpyField& field) {
  if (type.size() < 2) return "has no type";
  const char order = type[0];
  field.kind = type[1];
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), size);
  if (field.kind == 'O') return "holds Python objects";
  if (error != std::errc() || end != type.data() + type.size()) return "has an unknown type";
  if (field.kind == 'U') size *= 4;
  const bool text = field.kind == 'S' || field.kind == 'U';
  const bool whole = field.kind == 'i' || field.kind == 'u' || field.kind == 'b';
  const bool fits = text    ? size <= kLongestRow
                    : whole ? size == 1 || size == 2 || size == 4 || size == 8
                            : field.kind == 'f' && (size == 4 || size == 8);
  if (!fits) return "has an unknown type";
  if (order == '>' && size > 1 && field.kind != 'S') return "is big-endian";
  if (order != '<' && order != '|' && order != '>' && order != '=') return "has an unknown type";
  field.size = static_cast<std::size_t>(size);
  return {};
}

class Header {
 public:
  Header(std::string_view text, const RegularFile& file) : in_(text), file_(file) {}

  Result<NpyTable> read() {
    bool fields = false;
    bool order = false;
    bool shape = false;
    if (!in_.take('{')) return broken();
    while (!in_.take('}')) {
      const auto key = in_.string();
      if (!key || !in_.take(':')) return broken();
      if (*key == "descr" && !fields) {
        if (Status ok = read_fields(); !ok) return ok.error();
        fields = true;
      } else if (*key == "fortran_order" && !order) {
        // Both orders are the same for one dimension.
        if (!in_.word("False") && !in_.word("True")) return broken();
        order = true;
      } else if (*key == "shape" && !shape) {
        const auto sizes = in_.shape();
        if (!sizes) return broken();
        if (sizes->size() != 1 || sizes->front() > std::uint64_t{1} << 40U) {
          return Error{"is an array of another shape than a table", file_.path().string(),
                       "choose the .cs file of the particles"};
        }
        out_.rows = static_cast<std::int64_t>(sizes->front());
        shape = true;
      } else {
        return broken();
      }
      if (!in_.take(',')) {
        if (!in_.take('}')) return broken();
        break;
      }
    }
    if (!fields || !order || !shape) return broken();
    return std::move(out_);
  }

 private:
  [[nodiscard]] Error broken() const {
    return Error{"has a NumPy header that describes no table", file_.path().string(),
                 "write the file again with the program that made it"};
  }

  Status read_fields() {
    if (!in_.take('[')) {
      return Error{"is an array of plain numbers and no table with fields", file_.path().string(),
                   "choose the .cs file of the particles"};
    }
    while (!in_.take(']')) {
      if (Status ok = read_field(); !ok) return ok;
      if (!in_.take(',')) {
        if (!in_.take(']')) return broken();
        break;
      }
    }
    return out_.fields.empty() ? Status(broken()) : Status();
  }

  Status read_field() {
    if (!in_.take('(')) return broken();
    auto name = in_.string();
    if (!name || !in_.take(',')) return broken();
    const auto type = in_.string();
    if (!type) return broken();
    NpyField field;
    field.name = *std::move(name);
    const std::string printed = printable_line(utf8_prefix(field.name, 60));
    if (const std::string why = read_type(*type, field); !why.empty()) {
      return Error{"has a field " + printed + " that " + why, file_.path().string(),
                   "write the table with little-endian numbers and texts"};
    }
    std::uint64_t count = 1;
    if (in_.take(',')) {
      const auto shape = in_.shape();
      if (!shape) {
        if (!in_.take(')')) return broken();
        return add(std::move(field));
      }
      for (const std::uint64_t n : *shape) {
        if (n > kLongestRow) return too_long();
        count *= n;
        if (count > kLongestRow) return too_long();
      }
      (void)in_.take(',');
    }
    if (!in_.take(')')) return broken();
    field.count = static_cast<std::size_t>(count);
    return add(std::move(field));
  }

  [[nodiscard]] Error too_long() const {
    return Error{
        "has rows of more than 1 MiB or more than " + std::to_string(kMostFields) + " fields",
        file_.path().string(), "choose the .cs file of the particles"};
  }

  Status add(NpyField field) {
    field.offset = out_.row_bytes;
    const std::size_t bytes = field.size * field.count;
    if (bytes > kLongestRow || out_.row_bytes + bytes > kLongestRow ||
        out_.fields.size() >= kMostFields) {
      return too_long();
    }
    out_.row_bytes += bytes;
    if (out_.field(field.name) != nullptr) {
      return Error{"has the field " + printable_line(utf8_prefix(field.name, 60)) + " twice",
                   file_.path().string(), "write the file again with the program that made it"};
    }
    out_.fields.push_back(std::move(field));
    return {};
  }

  Literal in_;
  const RegularFile& file_;
  NpyTable out_;
};

std::uint64_t whole(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return value;
}

}  // namespace

const NpyField* NpyTable::field(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const NpyField& one) { return one.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

bool begins_like_npy(std::string_view head) { return head.starts_with(kMagic); }

Result<NpyTable> read_npy_table(const RegularFile& file) {
  const std::string where = file.path().string();
  std::array<std::uint8_t, 12> head{};
  const auto got = file.read_at(0, head.data(), head.size());
  if (!got) return got.error();
  const std::string_view begin(reinterpret_cast<const char*>(head.data()), *got);
  if (*got < head.size() || !begins_like_npy(begin)) {
    return Error{"is no NumPy array", where, "choose a .cs file of cryoSPARC"};
  }
  const int version = head[6];
  if (version < 1 || version > 3) {
    return Error{"is a NumPy array of the unknown version " + std::to_string(version), where,
                 "write it again with another NumPy"};
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const auto length = static_cast<std::size_t>(whole(head.data() + 8, length_bytes));
  if (length > kLongestHeader) {
    return Error{"has a NumPy header of more than 1 MiB", where,
                 "choose the .cs file of the particles"};
  }
  std::string text(length, '\0');
  const auto read = file.read_at(8 + length_bytes, text.data(), length);
  if (!read) return read.error();
  if (*read < length) {
    return Error{"ends within its NumPy header", where, "copy the file again"};
  }
  auto table = Header(text, file).read();
  if (!table) return table;
  table->begin = 8 + length_bytes + length;
  const auto state = file.state();
  if (!state) return state.error();
  const std::uint64_t bytes = state->bytes > table->begin ? state->bytes - table->begin : 0;
  if (table->row_bytes == 0 || static_cast<std::uint64_t>(table->rows) > bytes / table->row_bytes) {
    return Error{"ends before its " + std::to_string(table->rows) + " rows do", where,
                 "copy the file again"};
  }
  return table;
}

double npy_number(const NpyField& field, std::span<const std::uint8_t> row, std::size_t which) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (which >= field.count) return kNone;
  const std::uint64_t bits =
      field.size <= 8 ? whole(row.data() + field.offset + which * field.size, field.size) : 0;
  switch (field.kind) {
    case 'f':
      return field.size == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                             : std::bit_cast<double>(bits);
    case 'u':
      return static_cast<double>(bits);
    case 'b':
      return bits != 0 ? 1.0 : 0.0;
    case 'i': {
      const std::size_t unused = 64 - 8 * field.size;
      return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
    }
    default:
      return kNone;
  }
}

std::string npy_text(const NpyField& field, std::span<const std::uint8_t> row) {
  const std::uint8_t* const bytes = row.data() + field.offset;
  std::string text;
  if (field.count == 0) return text;
  if (field.kind == 'S') {
    text.assign(reinterpret_cast<const char*>(bytes), field.size);
  } else if (field.kind == 'U') {
    for (std::size_t i = 0; i < field.size; i += 4) {
      const std::uint64_t c = whole(bytes + i, 4);
      text += c < 128 ? static_cast<char>(c) : '?';
    }
  }
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

}  // namespace aprscope
