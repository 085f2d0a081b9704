"""The command `holdfast`: the program of this package, in place of Python."""

import os
import sys

from .verdict import own_program


def main():
    # HOLDFAST_PROGRAM may name this very command, so it is not asked.
    program = own_program()
    if program is None:
        sys.exit("holdfast: this package came without its program; remedy: pip install a wheel of holdfast")
    os.execv(program, ["holdfast", *sys.argv[1:]])


if __name__ == "__main__":
    main()
