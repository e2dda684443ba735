#include "core/io/tiff_file.hpp"

#include <cstdarg>
#include <cstdio>
#include <system_error>
#include <utility>

namespace aprscope {

struct TiffFile::Log {
  std::string last;
};

void TiffFile::LogDeleter::operator()(Log* log) const { delete log; }

int TiffFile::on_error(TIFF* /*tiff*/, void* log, const char* /*module*/, const char* format,
                       va_list arguments) {
  char text[256] = "";
  std::vsnprintf(text, sizeof text, format, arguments);
  // The text may quote what the file holds.
  for (char* c = text; *c != '\0'; ++c) {
    const auto code = static_cast<unsigned char>(*c);
    if (code < 0x20 || code >= 0x7F) *c = '?';
  }
  std::string& last = static_cast<Log*>(log)->last;
  // The first error is the cause; those that follow tell what could not be done because of it.
  if (last.empty()) {
    last = text;
    while (!last.empty() && (last.back() == '.' || last.back() == ' ')) last.pop_back();
  }
  return 1;  // handled: the handlers of the whole process, which print, are not called
}

int TiffFile::on_warning(TIFF* /*tiff*/, void* /*log*/, const char* /*module*/,
                         const char* /*format*/, va_list /*arguments*/) {
  return 1;
}

Result<TiffFile> TiffFile::open(const std::filesystem::path& path, const char* mode,
                                std::int64_t largest_allocation) {
  TiffFile file;
  file.path_ = path;
  file.log_.reset(new Log);
  struct OptionsDeleter {
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
  };
  const std::unique_ptr<TIFFOpenOptions, OptionsDeleter> options(TIFFOpenOptionsAlloc());
  if (!options) {
    return Error{"cannot be opened: out of memory", path.string(), "close other data"};
  }
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, file.log_.get());
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, file.log_.get());
  if (largest_allocation > 0) {
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largest_allocation);
  }
  file.tiff_.reset(TIFFOpenExt(path.c_str(), mode, options.get()));
  if (!file.tiff_) {
    return mode[0] == 'r'
               ? file.error("is not a readable TIFF file",
                            "check that the file is complete, or save it again as TIFF")
               : file.error("cannot be created", "choose another folder or free some space");
  }
  return file;
}

Result<TiffFile> TiffFile::open_for_reading(const std::filesystem::path& path) {
  std::error_code code;
  const auto bytes = std::filesystem::file_size(path, code);
  // What libtiff takes in one piece while reading is a strip or tile as stored, or a table of them:
  // never more than the file, but for a margin for codecs' work space.
  constexpr std::int64_t margin = 64 << 20;
  const std::int64_t limit = code ? margin : static_cast<std::int64_t>(bytes) + margin;
  // m: not memory-mapped, so that a file that is cut off meanwhile gives an error and no SIGBUS.
  return open(path, "rm", limit);
}

Result<TiffFile> TiffFile::open_for_writing(const std::filesystem::path& path, bool big) {
  return open(path, big ? "w8" : "w", 0);
}

bool TiffFile::has_error() const { return log_ && !log_->last.empty(); }

Error TiffFile::error(const std::string& what, const std::string& advice) const {
  Error error{what, path_.string(), advice};
  if (has_error()) {
    error.what += " (" + std::exchange(log_->last, {}) + ")";
  }
  return error;
}

}  // namespace aprscope
