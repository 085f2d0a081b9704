// Opens a plain file in a folder where others may write; refuses links and special files.
//
//   const Descriptor log = open_plain_file(folder + "/lab.log", FileUse::append);   // HarnessError: "... is a link"
//   const Descriptor journal = open_plain_file(path, FileUse::write);   // created or truncated
//
// A trial's processes may write into its folder, and a lock's adapter may replace a file there: by a link to a file
// that only root may read, a FIFO without a writer, a device. Opening one of these fails immediately. The folder itself
// is trusted here; RunDirectory (run_directory.hpp) walks untrusted paths. To read, use InputFile (input_file.hpp),
// which also limits the size.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <utility>

#include "artifact/descriptor.hpp"
#include "artifact/error.hpp"

namespace holdfast {

// Something other than a plain file, or a folder on the way to it, was found: a FIFO, a link.
struct NotPlain : BadInput {
  NotPlain(std::string place, const std::string& kind)
      : BadInput(place + ": " + kind + "; remedy: remove it"), path(std::move(place)) {}
  std::string path;
};

enum class FileUse : unsigned char { read, write, append };

// Throws BadInput when opening for reading, otherwise HarnessError.
Descriptor open_plain_file(const std::string& path, FileUse use);
Descriptor open_plain_file(int folder, const std::string& name, const std::string& shown, FileUse use);

// Reason why a file of an untrusted folder is not opened: "is a link, ...", "is a folder", "is not a plain file".
std::string kind_of_file(const struct stat& found);

// Returns `path`, a file found in a folder named by the user. Throws BadInput unless it is a plain file or a link to
// one: reading a FIFO or a device might never end.
const std::string& found_file(const std::string& path);

std::string larger_than(std::size_t most);  // "is larger than 64 MiB"

}  // namespace holdfast
