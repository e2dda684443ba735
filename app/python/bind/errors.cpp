#include "app/python/bind/errors.hpp"

#include "app/python/bind/bind.hpp"
#include "core/base/printable.hpp"

namespace nb = nanobind;

namespace aprscope::python {
namespace {

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ErrorThrown& caught) {
    const Error& error = caught.error();
    const nb::object type = nb::module_::import_("aprscope._error").attr("Error");
    // Tracebacks print these texts, so they are escaped; `where` stays exact, for use as a path.
    const nb::object made =
        type(python_text(printable(error.what)), python_text(error.where),
             python_text(printable(error.advice)), python_text(printable(error.message())));
    PyErr_SetObject(type.ptr(), made.ptr());
  }
}

}  // namespace

nb::str python_text(const std::string& text) {
  PyObject* const made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(made);
}

void bind_errors(nb::module_& /*module*/) { nb::register_exception_translator(translate); }

}  // namespace aprscope::python
