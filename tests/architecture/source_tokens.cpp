#include "tests/architecture/source_tokens.hpp"

#include <algorithm>
#include <cctype>

namespace aprscope::test {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : rest_(source) {}

  std::vector<Token> run() {
    bool line_begins = true;
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '\n') {
        line_begins = true;
        skip(1);
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        skip(1);
      } else if (rest_.starts_with("//")) {
        skip(rest_.find('\n'));
      } else if (rest_.starts_with("/*")) {
        skip_through("*/", 2);
      } else if (c == '#' && line_begins) {
        skip_directive();
      } else {
        line_begins = false;
        take();
      }
    }
    return std::move(tokens_);
  }

 private:
  void skip(std::size_t n) {
    n = std::min(n, rest_.size());
    line_ += static_cast<int>(std::count(rest_.begin(), rest_.begin() + n, '\n'));
    rest_.remove_prefix(n);
  }

  // The end may begin `from` characters on.
  void skip_through(std::string_view end, std::size_t from) {
    const std::size_t at = rest_.find(end, from);
    skip(at == std::string_view::npos ? at : at + end.size());
  }

  // With the lines that go on after a backslash, and comments, which may go on as well.
  void skip_directive() {
    while (!rest_.empty() && rest_.front() != '\n') {
      if (rest_.front() == '\\') {
        skip(2);
      } else if (rest_.starts_with("//")) {
        skip(rest_.find('\n'));
      } else if (rest_.starts_with("/*")) {
        skip_through("*/", 2);
      } else {
        skip(1);
      }
    }
  }

  void skip_quoted(char quote) {
    skip(1);
    while (!rest_.empty() && rest_.front() != quote) skip(rest_.front() == '\\' ? 2 : 1);
    skip(1);
  }

  // R"x( … )x", of which "x( … )x" is left.
  void skip_raw() {
    const std::size_t open = rest_.find('(');
    if (open == std::string_view::npos) return skip(open);
    const std::string end = ")" + std::string(rest_.substr(1, open - 1)) + "\"";
    skip_through(end, open);
  }

  void take() {
    const int line = line_;
    const char c = rest_.front();
    if (c == '"' || c == '\'') {
      skip_quoted(c);
      tokens_.push_back({"\"\"", line});
    } else if (in_word(c)) {
      // A number may have quotes between its digits.
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      std::size_t n = 1;
      while (n < rest_.size() && (in_word(rest_[n]) || (number && rest_[n] == '\''))) ++n;
      const std::string word(rest_.substr(0, n));
      skip(n);
      const bool text = !rest_.empty() && rest_.front() == '"';
      if (text && word.back() == 'R' && word.size() <= 3) {
        skip_raw();
        tokens_.push_back({"\"\"", line});
      } else {
        tokens_.push_back({word, line});
      }
    } else {
      const std::size_t n = rest_.starts_with("::") ? 2 : 1;
      tokens_.push_back({std::string(rest_.substr(0, n)), line});
      skip(n);
    }
  }

  std::string_view rest_;
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source).run(); }

}  // namespace aprscope::test
