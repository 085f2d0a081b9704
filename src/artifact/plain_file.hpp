// Opens a plain file in a folder where others may write: through no link, and nothing else in its place.
//
//   const Descriptor log = open_plain_file(folder + "/lab.log", FileUse::append);   // HarnessError: "... is a link"
//   const Descriptor journal = open_plain_file(path, FileUse::write);   // made if it is not there, and emptied
//
// A trial's processes may write into its folder, and a lock's adapter may put anything in the place of a file there: a
// link to a file that only root may read, a FIFO that nothing writes to, a device. Opening one of these fails at once.
// The folder itself is trusted here; a step on the way that is not has to be walked by RunDirectory
// (run_directory.hpp). What is to be read is an InputFile (input_file.hpp), which also limits how much.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <utility>

#include "artifact/descriptor.hpp"
#include "artifact/error.hpp"

namespace holdfast {

// In the place of a plain file, or of a folder on the way to it, is something else: a FIFO, a link.
struct NotPlain : BadInput {
  NotPlain(std::string place, const std::string& kind)
      : BadInput(place + ": " + kind + "; remedy: remove it"), path(std::move(place)) {}
  std::string path;
};

enum class FileUse : unsigned char { read, write, append };

// Throws BadInput to read, HarnessError otherwise.
Descriptor open_plain_file(const std::string& path, FileUse use);
Descriptor open_plain_file(int folder, const std::string& name, const std::string& shown, FileUse use);

// Why a file of a folder that is not trusted is not opened: "is a link, ...", "is a folder", "is not a plain file".
std::string kind_of_file(const struct stat& found);

// `path`, a file that was found in a folder which the user named. Throws BadInput where it is no plain file nor a link
// to one: a FIFO or a device in a folder might never end.
const std::string& found_file(const std::string& path);

std::string larger_than(std::size_t most);  // "is larger than 64 MiB"

}  // namespace holdfast
