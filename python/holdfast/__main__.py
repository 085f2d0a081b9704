"""The command `holdfast`: the program of this package, in place of Python."""

import os
import sys

from .verdict import own_program


def main():
    # Ignores HOLDFAST_PROGRAM, which may name this very command.
    program = own_program()
    if program is None:
        sys.exit("holdfast: this package came without its program; remedy: pip install a wheel of holdfast")
    os.execv(program, ["holdfast", *sys.argv[1:]])


if __name__ == "__main__":
    main()
