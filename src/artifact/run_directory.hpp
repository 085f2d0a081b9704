// Access to the folder of a run: files are written as a whole or not at all, and no link is ever followed inside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"

namespace holdfast {

// Writes a file that exists completely or not at all: under a temporary name, then renamed. The temporary name is
// unused before; an existing file or link of any name is neither written through nor removed.
//
//   write_whole(folder_fd, "verdict.json", text, true, "runs/x/verdict.json");   // the last text is for errors
//
// Without `surely` the operating system decides when to write; a machine that loses power may lose the file or leave it
// empty.
void write_whole(int folder, const std::string& name, const std::string& text, bool surely, const std::string& shown);

// A run's folder and everything below it, accessed through a descriptor and without following links: the folder may
// belong to another user, and what was placed in it must not cause reads, writes or removals outside.
//
//   const RunDirectory run("runs/x");                  // this path may contain links: the user wrote it
//   if (run.has("cells/get_lock/kill/1/result.json"))  // throws BadInput if a link is on the way
//     text = run.read("cells/get_lock/kill/1/result.json");
//   run.write("summary.md", text);                     // beside, then renamed; replaces nothing but a plain file
//
// Each part of a name is opened separately, relative to its parent, with O_NOFOLLOW, and `..` is refused. This equals
// openat2 with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS, but also works on kernels and in containers without it. Only
// plain files are opened (plain_file.hpp), even if another process changes the folder at the same time. Names are
// relative to the folder, with `/` between parts.

inline constexpr std::size_t kMostOfFile = std::size_t{64} << 20;  // limit in bytes for a file that is read as a whole

enum class Keep : unsigned char { in_time, surely };  // in_time: the system flushes later; surely: flushed on return

// Returns true if a name can lead to a file in such a folder: no part of it is empty, `.` or `..`.
bool names_beneath(const std::string& name);

class RunDirectory {
 public:
  explicit RunDirectory(const std::string& folder);  // throws BadInput
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  // Returns true if a plain file (has) or a folder (has_folder) of that name exists. Throws BadInput if something else
  // is at that place or on the way.
  bool has(const std::string& name) const;
  bool has_folder(const std::string& name) const;

  // Returns an existing plain file for readers that open files themselves.
  InputFile file(const std::string& name) const;
  // throws BadInput if the file is larger
  std::string read(const std::string& name, std::size_t most = kMostOfFile) const;
  Descriptor open(const std::string& name) const;  // for reading
  std::uint64_t size_of(const std::string& name) const;

  // Throws HarnessError as write_text_file does, and BadInput as `has`.
  void write(const std::string& name, const std::string& text, Keep keep = Keep::in_time) const;
  void make_folders(const std::string& name) const;  // including parent folders

  // Flushes a file, or the names in a folder, to the disk; sync_way also flushes every folder on the way.
  void sync(const std::string& name) const;
  void sync_way(const std::string& name) const;

  void remove(const std::string& name) const;      // removes a file, or a link itself; ignores a missing name
  void remove_all(const std::string& name) const;  // a folder with all in it; follows no link

  std::vector<std::string> folders_in(const std::string& name) const;  // sorted names
  // Sorted names of plain files. Throws BadInput if an entry is neither a file nor a folder.
  std::vector<std::string> files_in(const std::string& name) const;
  // Removes everything in that folder except plain files; returns a text for each: "lab.log is a link".
  std::vector<std::string> remove_all_but_files(const std::string& name) const;

  // Copies the folder of that name from another run's folder: plain files and folders; anything else, such as a link,
  // is refused. Existing entries with the same names are replaced.
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
