// A file to read, and how far its place is trusted.
//
//   void judge(const InputFile& history);
//   judge("app.jsonl");                       // named by the user: a link, a pipe or a device may be meant
//   judge(InputFile::in(trial, "history.jsonl"));   // in a run's folder: a plain file, through no link
//
// A reader takes an InputFile and opens it by `open`, so that no caller can forget where the file lies.
// RunDirectory::file gives one, too. It does not look into the file.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "artifact/descriptor.hpp"

namespace holdfast {

inline constexpr std::size_t kEndOfLog = std::size_t{256} << 10;     // bytes that hold the last words of a log
inline constexpr std::size_t kMostOfStream = std::size_t{64} << 20;  // bytes of a pipe or a device, which tell no size

class InputFile {
 public:
  InputFile(std::string path) : path_(std::move(path)) {}  // NOLINT(google-explicit-constructor): named by the user
  InputFile(const char* path) : path_(path) {}             // NOLINT(google-explicit-constructor)
  static InputFile in(const std::string& folder, const std::string& name);
  static InputFile stored(const std::string& path);  // in the folder that the path begins with

  const std::string& path() const { return path_; }
  bool is_there() const;           // of a run's folder: throws BadInput where something else stands there
  Descriptor open() const;         // throws BadInput, as do those below
  bool can_be_read_again() const;  // a pipe cannot

  std::string start(std::size_t most) const;  // its first bytes
  std::string tail(std::size_t most) const;   // its last bytes
  std::string text(std::size_t most) const;   // refused if there is more, before it is read where the size is known

 private:
  std::string path_;
  std::string folder_;  // empty: the user named the file
  std::string name_;
};

}  // namespace holdfast
