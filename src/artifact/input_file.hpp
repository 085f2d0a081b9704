// A file to read, together with how far its location is trusted.
//
//   void judge(const InputFile& history);
//   judge("app.jsonl");                       // named by the user: may be a link, a pipe or a device
//   judge(InputFile::in(trial, "history.jsonl"));   // in a run's folder: a plain file, through no link
//
// A reader takes an InputFile and calls `open`, so that no caller can forget where the file lies. RunDirectory::file
// returns one, too. This class does not interpret the contents.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "artifact/descriptor.hpp"

namespace holdfast {

inline constexpr std::size_t kEndOfLog = std::size_t{256} << 10;  // bytes read from the end of a log
// limit in bytes for a pipe or device, which has no size
inline constexpr std::size_t kMostOfStream = std::size_t{64} << 20;

class InputFile {
 public:
  InputFile(std::string path) : path_(std::move(path)) {}  // NOLINT(google-explicit-constructor): named by the user
  InputFile(const char* path) : path_(path) {}             // NOLINT(google-explicit-constructor)
  static InputFile in(const std::string& folder, const std::string& name);
  static InputFile stored(const std::string& path);  // relative to the directory part of the path

  const std::string& path() const { return path_; }
  bool is_there() const;           // throws BadInput if a run's folder has something other than a plain file there
  Descriptor open() const;         // throws BadInput, as do the functions below
  bool can_be_read_again() const;  // false for a pipe

  std::string start(std::size_t most) const;  // at most `most` bytes from the beginning
  std::string tail(std::size_t most) const;   // at most `most` bytes from the end
  std::string text(std::size_t most) const;   // throws BadInput for a larger file, before reading if the size is known

 private:
  std::string path_;
  std::string folder_;  // empty: the user named the file
  std::string name_;
};

}  // namespace holdfast
