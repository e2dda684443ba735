#include "core/io/hdf5/hdf5_handle.hpp"

#include <string_view>

#include "core/io/hdf5/hdf5_blosc.hpp"

namespace aprscope {
namespace {

// Switches off the library's work at exit: it visits objects that damaged files left behind, and
// may crash. Our files are closed and checked long before. It must be switched off before the
// library is initialised, hence a static.
const bool no_work_at_exit = H5dont_atexit() >= 0;

}  // namespace

std::recursive_timed_mutex& hdf5_mutex() {
  static_cast<void>(no_work_at_exit);
  // Never destroyed: handles in static storage may be closed after this file's statics.
  static std::recursive_timed_mutex* const mutex = [] {
    H5open();
    register_blosc_filter();
    return new std::recursive_timed_mutex;
  }();
  // Thread-safe builds of the library have one error stack a thread, each with its own printing.
  thread_local const bool silent = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(silent);
  return *mutex;
}

bool Hdf5Handle::reset() {
  if (!valid()) return true;
  const std::scoped_lock lock(hdf5_mutex());
  const hid_t id = release();
  switch (H5Iget_type(id)) {
    case H5I_FILE:
      return H5Fclose(id) >= 0;
    case H5I_GROUP:
      return H5Gclose(id) >= 0;
    case H5I_DATASET:
      return H5Dclose(id) >= 0;
    case H5I_DATATYPE:
      return H5Tclose(id) >= 0;
    case H5I_DATASPACE:
      return H5Sclose(id) >= 0;
    case H5I_ATTR:
      return H5Aclose(id) >= 0;
    case H5I_GENPROP_LST:
      return H5Pclose(id) >= 0;
    default:
      return H5Oclose(id) >= 0;
  }
}

std::string hdf5_error_text() {
  const std::scoped_lock lock(hdf5_mutex());
  std::string text;
  const auto take = [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
    if (entry->desc != nullptr && *entry->desc != '\0') {
      *static_cast<std::string*>(out) = entry->desc;
    }
    return 0;
  };
  // Downward runs from the call that was made to the function that failed first, whose words say
  // most; the last one is kept.
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take, &text);
  H5Eclear2(H5E_DEFAULT);
  // Failed reads and writes come with time, addresses and the name of a temporary file around the
  // one thing that helps.
  constexpr std::string_view kBefore = "error message = '";
  if (const auto at = text.find(kBefore); at != std::string::npos) {
    const auto begin = at + kBefore.size();
    text = text.substr(begin, text.find('\'', begin) - begin);
  }
  return text;
}

Error hdf5_error(const std::filesystem::path& path, const std::string& what,
                 const std::string& advice) {
  const std::string reason = hdf5_error_text();
  return {reason.empty() ? what : what + " (" + reason + ")", path.string(), advice};
}

}  // namespace aprscope
