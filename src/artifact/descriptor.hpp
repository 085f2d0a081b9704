// An open file descriptor that is closed with the object.
//
//   const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC));
//   if (file.none()) ...
#pragma once

#include <unistd.h>

#include <utility>

namespace holdfast {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(other.take()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int get() const { return fd_; }
  bool none() const { return fd_ < 0; }
  int take() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace holdfast
