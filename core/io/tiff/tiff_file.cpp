#include "core/io/tiff/tiff_file.hpp"

#include <cstdarg>
#include <cstdio>
#include <new>
#include <utility>

#include "core/base/memory_error.hpp"

namespace aprscope {

struct TiffFile::Log {
  std::string last;
};

namespace {

// The library says so where malloc gives nothing; what is beyond a limit that we or it have set is
// the file's doing.
bool is_about_memory(const std::string& message) {
  for (const char* words : {"beyond the", "threshold"}) {
    if (message.find(words) != std::string::npos) return false;
  }
  for (const char* words : {"memory", "No space for", "allocat"}) {
    if (message.find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

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

template <class Open>
Result<TiffFile> TiffFile::open(const std::filesystem::path& path, std::int64_t largest_allocation,
                                const Error& failure, const Open& open) {
  TiffFile file;
  file.path_ = path;
  file.log_.reset(new Log);
  struct OptionsDeleter {
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
  };
  const std::unique_ptr<TIFFOpenOptions, OptionsDeleter> options(TIFFOpenOptionsAlloc());
  if (!options) return memory_error(path.string());
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, file.log_.get());
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, file.log_.get());
  if (largest_allocation > 0) {
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largest_allocation);
  }
  file.tiff_.reset(open(options.get()));
  if (!file.tiff_) return file.error(failure.what, failure.advice);
  return file;
}

tmsize_t TiffFile::on_read(thandle_t source, void* out, tmsize_t bytes) {
  auto& from = *static_cast<Source*>(source);
  try {
    const auto got = from.file->read_at(from.at, out, static_cast<std::size_t>(bytes));
    if (!got) {
      if (!from.failed) from.failed = got.error();
      return -1;
    }
    from.at += *got;
    from.read += *got;
    return static_cast<tmsize_t>(*got);
  } catch (const std::bad_alloc&) {  // for the error's text; the library is C
    from.no_memory = true;
    return -1;
  }
}

toff_t TiffFile::on_seek(thandle_t source, toff_t offset, int whence) {
  auto& from = *static_cast<Source*>(source);
  from.at = offset + (whence == SEEK_SET ? 0 : whence == SEEK_CUR ? from.at : from.bytes);
  return from.at;
}

toff_t TiffFile::on_size(thandle_t source) { return static_cast<Source*>(source)->bytes; }

Result<TiffFile> TiffFile::open_for_reading(const std::filesystem::path& path) {
  auto regular = open_regular(path);
  if (!regular) return regular.error();
  const auto state = regular->state();
  if (!state) return state.error();
  return open_for_reading(path, std::make_shared<const RegularFile>(*std::move(regular)),
                          state->bytes);
}

Result<TiffFile> TiffFile::another() const {
  return open_for_reading(path_, source_->file, source_->bytes);
}

Result<TiffFile> TiffFile::open_for_reading(const std::filesystem::path& path,
                                            std::shared_ptr<const RegularFile> regular,
                                            std::uint64_t bytes) {
  auto source = std::make_unique<Source>();
  source->file = std::move(regular);
  source->bytes = bytes;
  // Most memory that libtiff may take at once: a strip or tile as stored, or a table of them, never
  // more than the file, plus a margin for codecs' work space.
  constexpr std::int64_t margin = 64 << 20;
  const Error failure{"is not a readable TIFF file", "",
                      "check that the file is complete, or save it again as TIFF"};
  const auto refuse_writing = [](thandle_t, void*, tmsize_t) -> tmsize_t { return -1; };
  const auto close_later = [](thandle_t) { return 0; };
  auto file =
      open(path, static_cast<std::int64_t>(bytes) + margin, failure, [&](TIFFOpenOptions* options) {
        // "m": not memory-mapped, so that a file truncated meanwhile gives an error and no
        // SIGBUS.
        return TIFFClientOpenExt(path.c_str(), "rm", source.get(), on_read, refuse_writing, on_seek,
                                 close_later, on_size, nullptr, nullptr, options);
      });
  if (file) file->source_ = std::move(source);
  return file;
}

Result<TiffFile> TiffFile::open_for_writing(const std::filesystem::path& path, bool big) {
  const Error failure{"cannot be created", "", "choose another folder or free some space"};
  return open(path, 0, failure, [&](TIFFOpenOptions* options) {
    return TIFFOpenExt(path.c_str(), big ? "w8" : "w", options);
  });
}

Status TiffFile::reading() const {
  if (source_ && source_->failed) return *source_->failed;
  if (source_ && source_->no_memory) return memory_error(path_.string());
  return {};
}

bool TiffFile::has_error() const { return log_ && !log_->last.empty(); }

bool TiffFile::out_of_memory() const { return has_error() && is_about_memory(log_->last); }

Error TiffFile::error(const std::string& what, const std::string& advice) const {
  if (out_of_memory()) {
    log_->last.clear();
    return memory_error(path_.string());
  }
  Error error{what, path_.string(), advice};
  if (has_error()) {
    error.what += " (" + std::exchange(log_->last, {}) + ")";
  }
  return error;
}

}  // namespace aprscope
