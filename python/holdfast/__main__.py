"""The command `holdfast`: the program of this package, in place of Python."""

import os
import sys

from .verdict import program


def main():
    os.execv(program(), ["holdfast", *sys.argv[1:]])


if __name__ == "__main__":
    main()
