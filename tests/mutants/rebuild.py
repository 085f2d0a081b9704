"""Builds the checker with one text changed: compiles what depends on it, links it with what is built already.

    checker = Checker("build/release")
    checker.compile_apart([one.file for one in mutants], folder, jobs=2)   # where there are many
    judge = checker.build(mutant, another_folder)

The build compiles several files as one (cmake/Unity.cmake), most of it headers. So a single mutant takes all files of
its group. For many the files of their groups are first compiled each by itself, unchanged, and the headers of others
once: after that a mutant takes a third of the time.
"""

import concurrent.futures
import dataclasses
import json
import pathlib
import re
import shlex
import subprocess

OWN = ("checker", "src/artifact", "src/history")
FOREIGN = re.compile(r"^#include (<.*>)", re.MULTILINE)
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
LONG_S = 600


class NotBuilt(Exception):
    """Nothing can be said: a mutant does not fit the source, or does not compile."""


@dataclasses.dataclass
class Mutant:
    file: str
    rule: str  # in words
    old: str  # stands in the file exactly once
    new: str
    crowd: str = ""  # of crowds.py: judged in place of the stored histories


class Checker:
    """The checker as built in `build`, by its compile commands."""

    def __init__(self, build, source=SOURCE):
        self.build_folder = pathlib.Path(build).resolve()
        self.source = pathlib.Path(source)
        self.program = self.build_folder / "tests" / "mutants" / "judge_histories"
        commands = self.build_folder / "compile_commands.json"
        if not commands.is_file() or not self.program.is_file():
            raise NotBuilt(f"{build}: build the target judge_histories there first")
        self.commands = {}  # for each source: the build's command that compiles it, and all that this one compiles
        for entry in json.loads(commands.read_text()):
            together = self.sources_of(entry["file"])
            self.commands |= {source: (entry["command"], together) for source in together}
        self.apart = {}  # the object of each source that was compiled by itself
        self.before = []  # the flags for headers that were compiled before

    def sources_of(self, file):
        """The file, or what it includes if the build made it to compile several as one (cmake/Unity.cmake)."""
        if not pathlib.Path(file).is_relative_to(self.build_folder):
            return (file,)
        return tuple(re.findall(r'#include "(/.*)"', pathlib.Path(file).read_text())) if "/Unity/" in file else ()

    def changed(self, mutant):
        """The file's text with the rule changed."""
        path = self.source / mutant.file
        text = path.read_text() if path.is_file() else ""
        found = text.count(mutant.old)
        if found != 1:
            raise NotBuilt(f"{mutant.file}: {mutant.rule}: the text to change stands there {found} times: {mutant.old}")
        return text.replace(mutant.old, mutant.new)

    def units(self, file):
        """The .cpp files of the checker that are, or include, this file."""
        units, todo = set(), {file}
        texts = {str(p.relative_to(self.source)): p.read_text() for p in (self.source / "checker").rglob("*.?pp")}
        seen = set()
        while todo:
            one = todo.pop()
            seen.add(one)
            if one.endswith(".cpp"):
                units.add(one)
            else:
                todo |= {name for name, text in texts.items() if f'#include "{one}"' in text} - seen
        return sorted(units)

    def groups(self, file):
        """(command, files) of what must be compiled again when this file changes."""
        return {self.commands[str(self.source / unit)] for unit in self.units(file)}

    def parts(self, file):
        """(command, files) of what is compiled together when this file changes, and the objects of what is not."""
        groups = self.groups(file)
        if not all(source in self.apart for _, together in groups for source in together):
            return groups, []
        changed = {str(self.source / unit) for unit in self.units(file)}
        parts = [(command, (one,)) for command, together in groups for one in together if one in changed]
        return parts, [self.apart[one] for _, together in groups for one in together if one not in changed]

    def compile_command(self, command, file, folder):
        """The build's command, for another file, without optimizing; a mutant may leave something unused."""
        words = shlex.split(command)
        del words[words.index("-o") :]
        words = [word for word in words if not re.fullmatch(r"-O.|-f.*lto.*|-M.*|.*\.o(\.d)?", word)]
        words = [word for word in words if pathlib.Path(word).name != "ccache"]
        at = next(i for i, word in enumerate(words) if word.startswith("-I"))
        return [*words[:at], *self.before, f"-I{folder}", *words[at:], "-w", "-O0", "-c", file, "-o", f"{file}.o"]

    def compile(self, what, command, together, folder, name):
        """The object of these sources, and the compiler."""
        # Named from the top: a changed file is found in `folder` first.
        sources = [pathlib.Path(source).relative_to(self.source) for source in together]
        (folder / name).write_text("".join(f'#include "{source}"\n' for source in sources))
        words = self.compile_command(command, name, folder)
        self.call(what, words, folder)
        return folder / f"{name}.o", words[0]

    def compile_apart(self, files, folder, jobs):
        """All that is compiled together with these files, each by itself, into `folder`, before the first mutant."""
        groups = set().union(*(self.groups(file) for file in files))
        self.compile_headers(next(iter(groups))[0], folder)
        todo = [(command, one) for command, together in groups for one in together]

        def compile_one(number):
            command, one = todo[number]
            return one, self.compile(one, command, (one,), folder, f"apart_{number}.cpp")[0]

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            self.apart = dict(pool.map(compile_one, range(len(todo))))

    def compile_headers(self, command, folder):
        """Those that are not of this tree, and so are the same whatever is changed."""
        own = [path for below in OWN for path in (self.source / below).rglob("*.?pp")]
        headers = sorted({name for path in own for name in FOREIGN.findall(path.read_text())})
        (folder / "headers.hpp").write_text("".join(f"#include {name}\n" for name in headers))
        words = self.compile_command(command, "headers.hpp", folder)
        self.call("headers", [*words[:-4], "-x", "c++-header", "headers.hpp", "-o", "headers.hpp.gch"], folder)
        self.before = ["-include", str(folder / "headers.hpp")]

    def build(self, mutant, folder):
        """The judge with this mutant in it, made in `folder`."""
        what = f"{mutant.file}: {mutant.rule}"
        copy = folder / mutant.file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(self.changed(mutant))
        parts, objects = self.parts(mutant.file)
        for number, (command, together) in enumerate(parts):
            changed, compiler = self.compile(what, command, together, folder, f"part_{number}.cpp")
            objects.append(changed)
        # An object before the library takes the place of the library's own.
        judge = self.build_folder / "tests/mutants/CMakeFiles/judge_histories.dir/judge.cpp.o"
        libraries = [self.build_folder / f"libholdfast_{name}.a" for name in ("checker", "history", "artifact")]
        self.call(what, [compiler, "-fno-lto", judge, *objects, *libraries, "-lfmt", "-o", "judge"], folder)
        return folder / "judge"

    def call(self, what, command, folder):
        answer = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=LONG_S)
        if answer.returncode != 0:
            raise NotBuilt(f"{what}: does not compile:\n{answer.stderr[-2000:]}")
