// The folders and files that a run leaves: written as a whole or not at all, and reached through no link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"

namespace holdfast {

// A file that is there as a whole or not at all: written beside, then renamed. The name beside is one that nothing has:
// what is there already, a link among it, is neither written through nor removed.
//
//   write_whole(folder_fd, "verdict.json", text, true, "runs/x/verdict.json");   // HarnessError names the last one
//
// Without `surely` the operating system writes when it likes, so that a machine that loses its power may lose the file,
// or leave it empty.
void write_whole(int folder, const std::string& name, const std::string& text, bool surely, const std::string& shown);

// A run's folder and all that lies beneath it, reached through a descriptor and through no link: the folder may be
// somebody else's, and what was planted in it must not lead to writing, reading or removing anything outside.
//
//   const RunDirectory run("runs/x");                       // this path may go through links: the user wrote it
//   if (run.has("cells/get_lock/kill/1/result.json"))  // BadInput where a link stands on the way
//     text = run.read("cells/get_lock/kill/1/result.json");
//   run.write("summary.md", text);                     // beside, then renamed; replaces nothing but a plain file
//
// Every step of a name is opened by itself, relative to the one before, with O_NOFOLLOW, and `..` is refused as a name.
// That is what openat2 does with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS, on kernels and in containers without it too.
// Files are opened as plain ones only (plain_file.hpp), whoever changes the folder meanwhile.

inline constexpr std::size_t kMostOfFile = std::size_t{64} << 20;  // bytes of a file that is read as a whole

enum class Keep : unsigned char { in_time, surely };  // surely: on the disk when the call returns

// Tells whether a name can lead to a file in such a folder: no part between its slashes is empty, `.` or `..`.
bool names_beneath(const std::string& name);

class RunDirectory {
 public:
  explicit RunDirectory(const std::string& folder);  // throws BadInput
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  // Whether there is a plain file, or a folder, of that name. Throws BadInput where something else stands there or on
  // the way.
  bool has(const std::string& name) const;
  bool has_folder(const std::string& name) const;

  // A plain file that is there, for readers that open files themselves.
  InputFile file(const std::string& name) const;
  std::string read(const std::string& name, std::size_t most = kMostOfFile) const;  // BadInput if there is more
  Descriptor open(const std::string& name) const;                                   // to read
  std::uint64_t size_of(const std::string& name) const;

  // Throws HarnessError as write_text_file does, and BadInput as `has`.
  void write(const std::string& name, const std::string& text, Keep keep = Keep::in_time) const;
  void make_folders(const std::string& name) const;  // with those above it

  // Brings a file, or the names in a folder, to the disk; sync_way those of every folder that leads there, too.
  void sync(const std::string& name) const;
  void sync_way(const std::string& name) const;

  void remove(const std::string& name) const;      // a file, or a link itself; nothing where it is not there
  void remove_all(const std::string& name) const;  // a folder with all in it; follows no link

  std::vector<std::string> folders_in(const std::string& name) const;  // their names, sorted
  // Those of plain files. Throws BadInput where something lies there that is neither.
  std::vector<std::string> files_in(const std::string& name) const;
  // Removes everything in the folder of that name but plain files; says of each what it was: "lab.log is a link".
  std::vector<std::string> remove_all_but_files(const std::string& name) const;

  // Makes the folder a copy of the one of that name in another run's folder: plain files and folders. What is neither
  // is refused, as a link is. What lies here already under the same names is replaced.
  void copy_folder(const RunDirectory& other, const std::string& name) const;

 private:
  enum class Missing : unsigned char { is_none, is_made };
  int walk(const std::vector<std::string>& parts, std::size_t steps, Missing missing) const;
  [[noreturn]] void refuse_step(const std::vector<std::string>& parts, std::size_t step, int parent) const;
  std::vector<std::string> entries_in(const std::string& name, bool folders) const;
  void copy_file(const RunDirectory& other, const std::string& name) const;

  std::string path_;
  int fd_;
};

}  // namespace holdfast
