// Small readings of /proc about processes and threads. A process may end at any time: a reading is empty then.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

std::string read_at_once(int descriptor);                // whole contents of an open file of /proc
void refuse_full_table(int error);                       // throws HarnessError if that means too many open files
std::string read_proc(const std::string& path);          // opens the file for reading
pid_t process_of(pid_t tid);                             // 0: it has ended
int descriptor_of(pid_t process, std::uint64_t number);  // copies its descriptor; -1: not found
bool is_same_file(pid_t process, std::uint64_t number, int ours);  // true if its descriptor is the same file as ours
std::string name_of_process(pid_t pid);
std::vector<pid_t> children_of(pid_t process, pid_t thread);
// the rest of the line after the field's name
std::string_view field_after(std::string_view text, std::string_view name);

}  // namespace holdfast
