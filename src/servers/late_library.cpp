#include "servers/late_library.hpp"

#include <dlfcn.h>

#include "artifact/error.hpp"

namespace holdfast {

// Never unloaded: its threads and exit handlers would not survive that.
std::string LateLibrary::missing() {
  if (loaded_.load() != nullptr) return "";
  void* opened = ::dlopen(name_, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* why = ::dlerror();
    return std::string(why != nullptr ? why : name_) + "; remedy: " + remedy_;
  }
  loaded_ = opened;
  return "";
}

void* LateLibrary::function(const char* name) {
  if (const std::string why = missing(); !why.empty()) throw Unavailable(why);
  void* found = ::dlsym(loaded_.load(), name);
  if (found == nullptr) throw Unavailable(std::string(name_) + " has no " + name + "; remedy: " + remedy_);
  return found;
}

}  // namespace holdfast
