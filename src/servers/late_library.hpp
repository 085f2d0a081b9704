// A client library that is loaded when a function of it is first called, since only some runs need it: libcurl and
// libpq bring twenty-six libraries more, and would double what each start of the program takes (bench/README.md).
//
//   namespace late {  // of one source
//   constinit LateLibrary libpq("libpq.so.5", "apt-get install libpq5");
//   constinit LateFunction<decltype(::PQfinish)> PQfinish(libpq, "PQfinish");
//   }
//   late::PQfinish(db);                                  // as ever; the compiler knows the types from the header
//
// Throws Unavailable, with the remedy, where the library is missing or lacks the function.
#pragma once

#include <atomic>
#include <string>

namespace holdfast {

class LateLibrary {
 public:
  constexpr LateLibrary(const char* name, const char* remedy) : name_(name), remedy_(remedy) {}

  std::string missing();  // why it cannot be loaded, and the remedy; empty: it is loaded
  void* function(const char* name);

 private:
  const char* name_;
  const char* remedy_;
  std::atomic<void*> loaded_ = nullptr;
};

// A function of it, with the types of its declaration.
template <class Signature>
class LateFunction {
 public:
  constexpr LateFunction(LateLibrary& library, const char* name) : library_(&library), name_(name) {}

  template <class... Arguments>
  decltype(auto) operator()(Arguments... arguments) {
    void* found = found_.load();
    if (found == nullptr) found_ = found = library_->function(name_);
    return reinterpret_cast<Signature*>(found)(arguments...);
  }

 private:
  LateLibrary* library_;
  const char* name_;
  std::atomic<void*> found_ = nullptr;
};

}  // namespace holdfast
