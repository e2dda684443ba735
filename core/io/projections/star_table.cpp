#include "core/io/projections/star_table.hpp"

#include <algorithm>
#include <limits>

#include "core/base/printable.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/system.hpp"
#include "core/io/common/read_limits.hpp"

namespace aprscope {
namespace {

// Asking the system costs more than so few rows take.
constexpr std::size_t kRowsUnchecked = 65536;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// Where the value that begins at `at` ends, past its closing quote or bracket; npos: not closed. A
// quote closes only before a blank, so that the ' in 5'-end is no quote.
std::size_t quoted_end(std::string_view line, std::size_t at, char close) {
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == close && (i + 1 == line.size() || is_blank(line[i + 1]))) return i + 1;
  }
  return std::string_view::npos;
}

class Parser {
 public:
  Parser(StarFile& file, const StarLimits& limits) : file_(file), limits_(limits) {}

  Status parse(const JobContext& context) {
    const std::string_view text = file_.text;
    std::uint64_t begin = 0;
    while (begin < text.size()) {
      const auto end = std::min(text.find('\n', begin), text.size());
      if (++line_ == std::numeric_limits<std::uint32_t>::max()) return error("is too long");
      if (line_ % 16384 == 0) {
        if (context.stop_requested()) return cancelled_error();
        context.report(static_cast<double>(begin) / static_cast<double>(text.size()), "reading");
      }
      if (Status ok = take(text.substr(begin, end - begin), begin); !ok) return ok;
      begin = end + 1;
    }
    if (state_ == State::labels && table().labels.empty())
      return error("ends in a loop_ of nothing");
    return {};
  }

 private:
  enum class State { outside, block, labels, rows };

  StarTable& table() { return file_.tables.back(); }

  [[nodiscard]] Error error(const std::string& what) const {
    return {what + " (line " + std::to_string(line_) + ")", file_.path.string(),
            "mend the table, or write it again with the program that made it"};
  }

  Status begin_table(std::string name) {
    if (file_.tables.size() >= limits_.tables) return error("holds too many tables");
    file_.tables.emplace_back();
    table().name = std::move(name);
    state_ = State::block;
    return {};
  }

  Status add_label(std::string_view label) {
    if (table().labels.size() >= limits_.columns) {
      return error("has more than " + std::to_string(limits_.columns) + " columns");
    }
    if (label.empty()) return error("has a column without a name");
    if (table().column(label)) {
      return error("has the column " + printable_line(label) + " twice");
    }
    table().labels.emplace_back(label);
    return {};
  }

  // Takes a line "_label value" outside of a loop.
  Status take_pair() {
    if (!table().rows.empty() || values_.size() != 2) {
      return error("has a label without one value, and no loop_ before it");
    }
    if (Status ok = add_label(values_[0].substr(1)); !ok) return ok;
    if (table().single.empty()) table().single_line = line_;
    table().single.emplace_back(values_[1]);
    return {};
  }

  // Rows may be as short as two bytes: their list is then far larger than the text.
  Status room_for_row() {
    std::vector<StarTable::Row>& rows = table().rows;
    if (rows.size() < rows.capacity()) return {};
    const std::size_t wanted = std::max<std::size_t>(1024, 2 * rows.size());
    if (rows.size() >= kRowsUnchecked) {
      if (Status fits = check_memory(wanted * sizeof(StarTable::Row), file_.path); !fits) {
        return fits;
      }
    }
    rows.reserve(wanted);
    return {};
  }

  Status take_row(std::string_view line, std::uint64_t begin) {
    if (values_.size() != table().labels.size()) {
      return error("has " + std::to_string(values_.size()) + " values in a row of " +
                   std::to_string(table().labels.size()) + " columns");
    }
    if (line.size() > std::numeric_limits<std::uint32_t>::max()) return error("has too long a row");
    if (Status ok = room_for_row(); !ok) return ok;
    table().rows.push_back({begin, static_cast<std::uint32_t>(line.size()), line_});
    state_ = State::rows;
    return {};
  }

  Status take(std::string_view line, std::uint64_t begin) {
    if (!split_star_line(line, values_))
      return error("has a quote or a bracket that is not closed");
    if (values_.empty()) return {};
    const std::string_view first = values_.front();
    // The text of a first value may begin as a keyword does: what has a row's length is a row.
    const bool row = (state_ == State::labels || state_ == State::rows) &&
                     values_.size() == table().labels.size() && values_.size() > 1;
    if (!row && values_.size() == 1 && first.starts_with("data_")) {
      return begin_table(std::string(first.substr(5)));
    }
    if (state_ == State::outside) return error("has a line before the first data_ block");
    if (!row && values_.size() == 1 && first == "loop_") {
      // Several loops of one block are tables of the same name.
      if (!table().labels.empty()) {
        if (Status ok = begin_table(table().name); !ok) return ok;
      }
      state_ = State::labels;
      return {};
    }
    const bool label = first.size() > 1 && first.front() == '_';
    if (state_ == State::labels && label && !row && values_.size() == 1) {
      return add_label(first.substr(1));
    }
    if (state_ == State::block) {
      if (label) return take_pair();
      return error("has values without a loop_ before them");
    }
    if (table().labels.empty()) return error("has a loop_ without labels");
    return take_row(line, begin);
  }

  StarFile& file_;
  const StarLimits& limits_;
  State state_ = State::outside;
  std::uint32_t line_ = 0;
  std::vector<std::string_view> values_;
};

}  // namespace

bool split_star_line(std::string_view line, std::vector<std::string_view>& values) {
  values.clear();
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at >= line.size() || line[at] == '#') return true;
    std::size_t end = at;
    if (line[at] == '\'' || line[at] == '"') {
      end = quoted_end(line, at, line[at]);
      if (end == std::string_view::npos) return false;
      values.push_back(line.substr(at + 1, end - at - 2));
    } else if (line[at] == '[') {
      end = line.find(']', at);
      if (end == std::string_view::npos) return false;
      values.push_back(line.substr(at, ++end - at));
    } else {
      while (end < line.size() && !is_blank(line[end])) ++end;
      values.push_back(line.substr(at, end - at));
    }
    at = end;
  }
}

std::optional<std::size_t> StarTable::column(std::string_view label) const {
  const auto found = std::find(labels.begin(), labels.end(), label);
  if (found == labels.end()) return {};
  return static_cast<std::size_t>(found - labels.begin());
}

const StarTable* StarFile::table(std::string_view name) const {
  for (const StarTable& table : tables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

std::uint32_t StarFile::row(const StarTable& table, std::size_t number,
                            std::vector<std::string_view>& values) const {
  if (!table.single.empty()) {
    values.assign(table.single.begin(), table.single.end());
    return table.single_line;
  }
  const StarTable::Row& row = table.rows[number];
  split_star_line(std::string_view(text).substr(row.begin, row.length), values);
  return row.line;
}

Result<StarFile> parse_star(std::string text, const std::filesystem::path& path,
                            const StarLimits& limits, const JobContext& context) {
  StarFile file;
  file.path = path;
  file.text = std::move(text);
  if (file.text.size() > limits.bytes) {
    return Error{"is larger than a table may be (" + format_bytes(limits.bytes) + ")",
                 path.string(), "check that it is a STAR file"};
  }
  // The mark of order that some editors put before UTF-8.
  if (file.text.starts_with("\xEF\xBB\xBF")) file.text.replace(0, 3, "   ");
  if (file.text.find('\0') != std::string::npos) {
    return Error{"is not text", path.string(), "choose a STAR or XMD file"};
  }
  const auto first = file.text.find_first_not_of(" \t\r\n");
  file.xmipp = first != std::string::npos &&
               std::string_view(file.text).substr(first).starts_with("# XMIPP_STAR_1");
  if (Status ok = Parser(file, limits).parse(context); !ok) return ok.error();
  return file;
}

Result<StarFile> read_star(const std::filesystem::path& path, const StarLimits& limits,
                           const JobContext& context) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  if (state->bytes > limits.bytes) {
    return Error{"is larger than a table may be (" + format_bytes(limits.bytes) + ")",
                 path.string(), "check that it is a STAR file"};
  }
  if (Status fits = check_memory(state->bytes, path); !fits) return fits.error();
  std::string text(state->bytes, '\0');
  const auto got = file->read_at(0, text.data(), text.size());
  if (!got) return got.error();
  text.resize(*got);
  return parse_star(std::move(text), path, limits, context);
}

}  // namespace aprscope
