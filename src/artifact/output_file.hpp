// Writes a file named by the user on the command line.
//
//   write_output_file("junit.xml", text);     // whole or not at all, as write_text_file does
//   write_output_file("/dev/stdout", text);   // written in place: stays a device
//
// A plain file is replaced as a whole. A device, a FIFO, a socket or a link is opened and written, as a shell's `>`
// does, and never replaced. Throws HarnessError. RunDirectory (run_directory.hpp) writes files in a run's folder.
#pragma once

#include <string>

namespace holdfast {

void write_output_file(const std::string& path, const std::string& text);

// Checks the path before the work begins; throws BadInput with the flag's name if no file can be written there.
void check_output_place(const std::string& flag, const std::string& path);

}  // namespace holdfast
