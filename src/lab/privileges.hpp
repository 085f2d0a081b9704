// What a process of the lab may not do: servers and clients need none of the capabilities that the lab's runner has,
// and can get none back, whatever they execute.
#pragma once

namespace holdfast {

// Of the calling process, for good: no capabilities, none by execve, no_new_privs. Only calls that are safe between
// fork and exec. False, and errno, where the kernel refuses.
bool give_up_privileges();

}  // namespace holdfast
