// A client library that is loaded on the first call of one of its functions, since only some runs need it: libcurl and
// libpq load twenty-six further libraries, and would double the program's start time (bench/README.md).
//
//   namespace late {  // in one source file
//   constinit LateLibrary libpq("libpq.so.5", "apt-get install libpq5");
//   constinit LateFunction<decltype(::PQfinish)> PQfinish(libpq, "PQfinish");
//   }
//   late::PQfinish(db);                                  // the usual call; types come from the header
//
// Throws Unavailable, with the remedy, if the library is missing or lacks the function.
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

// A function of the library, with the type of its declaration.
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
