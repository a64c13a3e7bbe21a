// Part of the shared library alone, which has a C++ runtime of its own: the 72 KB that the runtime keeps for throwing exceptions when
// memory is short would stay behind each time the library is unloaded.
namespace __gnu_cxx {  // NOLINT: a name of the runtime's
void __freeres();      // NOLINT
}

namespace {

__attribute__((destructor)) void give_back() { __gnu_cxx::__freeres(); }

}  // namespace
