"""A server's wrong clock, from outside: writes the page of src/preload/clock_page.hpp, names the library.

HOLDFAST_PRELOAD and HOLDFAST_VICTIM name the library and the small program (ctest sets them).
"""

import mmap
import os
import pathlib
import shutil
import struct
import time

LIBRARY = os.environ["HOLDFAST_PRELOAD"]
SLOT = struct.Struct("qqqq")  # offset_ns, drift_ppm, drift_from_ns, frozen_ns
PAGE = 8 + 2 * SLOT.size


class Clock:
    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "clock"
        self.path.write_bytes(bytes(PAGE))
        # A copy: the loader of programs takes a blank in a path for its end.
        self.library = shutil.copy(LIBRARY, self.path.with_name("server_clock.so"))
        with self.path.open("r+b") as file:
            self.page = mmap.mmap(file.fileno(), PAGE)

    def set(self, offset_ms=0, drift_ppm=0, frozen_ns=0):
        current = struct.unpack_from("Q", self.page)[0] + 1
        shift = (offset_ms * 1_000_000, drift_ppm, time.monotonic_ns(), frozen_ns)
        SLOT.pack_into(self.page, 8 + current % 2 * SLOT.size, *shift)
        struct.pack_into("Q", self.page, 0, current)

    def environment(self):
        return {**os.environ, "LD_PRELOAD": str(self.library), "HOLDFAST_CLOCK": str(self.path)}
