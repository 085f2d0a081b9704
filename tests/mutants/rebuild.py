"""Builds the checker with one text changed: compiles what depends on it, links it with what is built already."""

import dataclasses
import json
import pathlib
import re
import shlex
import subprocess

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
        self.commands = {}  # of each source: the build's command that compiles it, and all that this one compiles
        for entry in json.loads(commands.read_text()):
            together = self.sources_of(entry["file"])
            self.commands |= {source: (entry["command"], together) for source in together}

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

    def compile_command(self, command, file, folder):
        """That of the build, for another file, without optimizing; a mutant may leave something unused."""
        words = shlex.split(command)
        del words[words.index("-o") :]
        words = [word for word in words if not re.fullmatch(r"-O.|-f.*lto.*|-M.*|.*\.o(\.d)?", word)]
        at = next(i for i, word in enumerate(words) if word.startswith("-I"))
        return [*words[:at], f"-I{folder}", *words[at:], "-w", "-O0", "-c", file, "-o", f"{file}.o"]

    def build(self, mutant, folder):
        """The judge with this mutant in it, made in `folder`."""
        copy = folder / mutant.file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(self.changed(mutant))
        objects = []
        for number, (command, together) in enumerate(self.groups(mutant.file)):
            file = f"group_{number}.cpp"
            # Named from the top: a changed file is found in `folder` first.
            names = [pathlib.Path(source).relative_to(self.source) for source in together]
            (folder / file).write_text("".join(f'#include "{name}"\n' for name in names))
            words = self.compile_command(command, file, folder)
            self.call(mutant, words, folder)
            objects.append(f"{file}.o")
        # An object before the library takes the place of the library's own.
        judge = self.build_folder / "tests/mutants/CMakeFiles/judge_histories.dir/judge.cpp.o"
        libraries = [self.build_folder / f"libholdfast_{name}.a" for name in ("checker", "history", "artifact")]
        compiler = next(word for word in words if pathlib.Path(word).name != "ccache")
        self.call(mutant, [compiler, "-fno-lto", judge, *objects, *libraries, "-lfmt", "-o", "judge"], folder)
        return folder / "judge"

    def call(self, mutant, command, folder):
        answer = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=LONG_S)
        if answer.returncode != 0:
            raise NotBuilt(f"{mutant.file}: {mutant.rule}: does not compile:\n{answer.stderr[-2000:]}")
