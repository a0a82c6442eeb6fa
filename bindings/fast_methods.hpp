// Methods called once or more a move, as plain C functions: a call costs a quarter of one through
// pybind11's general dispatch. They only take the good path; whatever is unusual goes to the slow
// method of the same name, which explains what is wrong.
#pragma once

#include "bindings.hpp"

namespace henro::python {

// The C++ object of an instance, nullptr if it was never initialised.
template <class T>
T* object_of(PyObject* self) {
    auto* instance = reinterpret_cast<py::detail::instance*>(self);
    if (instance->simple_layout) return static_cast<T*>(instance->simple_value_holder[0]);
    return static_cast<T*>(instance->get_value_and_holder().value_ptr());
}

inline PyObject* not_initialised() {
    PyErr_SetString(PyExc_TypeError, "the object was never initialised");
    return nullptr;
}

// Adds a method in place of the class's own of that name, which stays as "_slow_<name>".
template <class Class>
void add_fast_method(Class& type, PyMethodDef& definition) {
    if (py::hasattr(type, definition.ml_name))
        type.attr((std::string("_slow_") + definition.ml_name).c_str()) =
            type.attr(definition.ml_name);
    auto* object = reinterpret_cast<PyTypeObject*>(type.ptr());
    type.attr(definition.ml_name) =
        py::reinterpret_steal<py::object>(PyDescr_NewMethod(object, &definition));
}

inline PyObject* call_slow(const char* name, PyObject* self, PyObject* argument) {
    const std::string slow = std::string("_slow_") + name;
    PyObject* method = PyObject_GetAttrString(self, slow.c_str());
    if (method == nullptr) return nullptr;
    PyObject* result = PyObject_CallOneArg(method, argument);
    Py_DECREF(method);
    return result;
}

}  // namespace henro::python
