// Writes a file that the user named on the command line.
//
//   write_output_file("junit.xml", text);     // whole or not at all, as write_text_file does
//   write_output_file("/dev/stdout", text);   // written into: it stays what it is
//
// A plain file is replaced by a whole one. A device, a FIFO, a socket or a link is never replaced: it is opened and
// written, as a shell's `>` does. Throws HarnessError. Files in a run's folder are RunDirectory's (run_directory.hpp).
#pragma once

#include <string>

namespace holdfast {

void write_output_file(const std::string& path, const std::string& text);

// Before the work begins: throws BadInput, with the flag's name, where no file of that name can be.
void check_output_place(const std::string& flag, const std::string& path);

}  // namespace holdfast
