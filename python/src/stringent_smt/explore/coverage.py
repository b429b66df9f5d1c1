"""Lines and branches of the functions under test, by execution.

A branch is one direction of a conditional jump of the bytecode: of `if`, `while`, `for`, `and`, `or`, a conditional expression or a filter. Jumps that the compiler duplicates count once, by their position in the source; those
of `with` and `except`, which no condition of the program decides, do not count. The lifted code has the jumps of the original.

Python 3.12 and later report both by `sys.monitoring`, where a place costs something only the first time in an execution. Earlier versions are traced instruction by instruction, which is slower and gives the same.
"""

from __future__ import annotations

import dis
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from .lift import code_objects

_OPTIMIZED = 1
_PROLOGUE = frozenset({"RESUME", "MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR", "POP_TOP", "GEN_START", "CACHE"})
_NO_CONDITION = frozenset({"WITH_EXCEPT_START", "CHECK_EXC_MATCH", "CHECK_EG_MATCH", "JUMP_IF_NOT_EXC_MATCH"})


@dataclass(slots=True)
class FunctionInfo:
    """A function of the file, with the numbers of its lines and branches in the tables of `Measure`."""

    file: str
    name: str
    line: int
    lines: list[int] = field(default_factory=list)
    branches: list[int] = field(default_factory=list)


@dataclass(slots=True, frozen=True)
class Line:
    file: str
    line: int


@dataclass(slots=True, frozen=True)
class Direction:
    """One direction of a condition. The column is 0 where Python does not keep it (3.10)."""

    file: str
    line: int
    column: int
    end: int
    truth: bool


class Measure:
    """What there is to cover, and what an execution covered. Places are numbered; sets of numbers are what executions are compared by."""

    def __init__(self) -> None:
        self.places: list[Line | Direction] = []
        self.functions: list[FunctionInfo] = []
        self.reached: set[int] = set()
        self._numbers: dict[Line | Direction, int] = {}
        # by the identity of the code: its hash would look at all of its instructions
        self._lines: dict[int, dict[int, int]] = {}
        self._jumps: dict[int, dict[int, tuple[int, int, int]]] = {}
        self._codes: dict[int, CodeType] = {}
        self._collector: _Collector | None = None

    def add(self, module: CodeType) -> None:
        """Adds the functions of a module."""
        codes = []
        for code in code_objects(module):
            if code.co_flags & _OPTIMIZED and id(code) not in self._codes:
                self._codes[id(code)] = code
                self._add_function(code)
                codes.append(code)
        if self._collector is not None:
            self._collector.watch(codes)

    def _number(self, place: Line | Direction) -> int:
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self.places)
            self.places.append(place)
        return number

    def _add_function(self, code: CodeType) -> None:
        name = getattr(code, "co_qualname", code.co_name).replace("<locals>.", "")
        info = FunctionInfo(code.co_filename, name, code.co_firstlineno)
        lines: dict[int, int] = {}
        jumps: dict[int, tuple[int, int, int]] = {}
        line = code.co_firstlineno
        previous = ""
        condition: dis.Instruction | None = None
        for instruction in dis.get_instructions(code):
            line = _line_of(instruction, line)
            if instruction.opname not in _PROLOGUE and line not in lines and line > 0:
                lines[line] = self._number(Line(code.co_filename, line))
            truth = _truth_if_jumped(instruction.opname)
            if truth is not None and previous not in _NO_CONDITION and instruction.opname not in _NO_CONDITION:
                column, end = _columns(_of_condition(instruction, condition))
                taken = self._number(Direction(code.co_filename, line, column, end, truth))
                not_taken = self._number(Direction(code.co_filename, line, column, end, not truth))
                jumps[instruction.offset] = (instruction.argval, taken, not_taken)
                info.branches.extend(n for n in (taken, not_taken) if n not in info.branches)
            if instruction.opname not in ("CACHE", "NOT_TAKEN"):
                previous = instruction.opname
                condition = instruction
        info.lines = list(lines.values())
        self._lines[id(code)] = lines
        self._jumps[id(code)] = jumps
        if lines:
            self.functions.append(info)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Switches measuring on."""
        self._collector = _monitor(self) or _Tracer(self)
        try:
            self._collector.watch(list(self._codes.values()))
            yield
        finally:
            self._collector.close()
            self._collector = None

    def start(self) -> None:
        """Starts an execution."""
        self.reached = set()
        assert self._collector is not None
        self._collector.start()

    def stop(self) -> set[int]:
        """Ends an execution. Returns the numbers of all places that it reached."""
        assert self._collector is not None
        self._collector.stop()
        return self.reached


def _line_of(instruction: dis.Instruction, line: int) -> int:
    if sys.version_info >= (3, 11):
        positions = instruction.positions
        return line if positions is None or positions.lineno is None else positions.lineno
    starts = instruction.starts_line
    return line if starts is None else starts


def _of_condition(jump: dis.Instruction, previous: dis.Instruction | None) -> dis.Instruction:
    """The instruction whose place is that of the condition: Python 3.11 gives all jumps of `a and b` the place of the whole."""
    if sys.version_info[:2] == (3, 11) and jump.opname != "FOR_ITER" and previous is not None:
        return previous
    return jump


def _columns(instruction: dis.Instruction) -> tuple[int, int]:
    if sys.version_info >= (3, 11):
        positions = instruction.positions
        if positions is not None and positions.col_offset is not None:
            return positions.col_offset, positions.end_col_offset or 0
    return 0, instruction.offset


def _truth_if_jumped(opname: str) -> bool | None:
    """The truth of the condition if this jump is taken; none if it is no conditional jump."""
    if opname == "FOR_ITER":
        return False
    if "JUMP" not in opname or "_IF_" not in opname:
        return None
    return "IF_TRUE" in opname or opname.endswith("IF_NONE")


class _Collector:
    def watch(self, codes: Iterable[CodeType]) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


def _monitor(measure: Measure) -> _Collector | None:
    if sys.version_info < (3, 12):
        return None
    for tool in (4, 3, 5, 2, 1, 0):
        if sys.monitoring.get_tool(tool) is None:
            return _Monitor(measure, tool)
    return None


class _Monitor(_Collector):
    """`sys.monitoring`: lines are disabled at their first event of an execution, jumps when both directions were seen."""

    def __init__(self, measure: Measure, tool: int) -> None:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self.measure = measure
        self.tool = tool
        self.monitoring = monitoring
        events = monitoring.events
        monitoring.use_tool_id(tool, "stringent_smt")
        directions = [events.BRANCH_LEFT, events.BRANCH_RIGHT] if hasattr(events, "BRANCH_LEFT") else [events.BRANCH]
        self.events = events.LINE
        monitoring.register_callback(tool, events.LINE, self.line)
        for event in directions:
            monitoring.register_callback(tool, event, self.branch)
            self.events |= event
        self.each_direction = len(directions) == 2
        self.disable = monitoring.DISABLE
        self.codes: list[CodeType] = []

    def watch(self, codes: Iterable[CodeType]) -> None:
        for code in codes:
            self.monitoring.set_local_events(self.tool, code, self.events)
            self.codes.append(code)

    def start(self) -> None:
        self.monitoring.restart_events()

    def line(self, code: CodeType, line: int) -> Any:
        number = self.measure._lines[id(code)].get(line)
        if number is not None:
            self.measure.reached.add(number)
        return self.disable

    def branch(self, code: CodeType, offset: int, destination: int) -> Any:
        jump = self.measure._jumps[id(code)].get(offset)
        if jump is None:
            return self.disable
        target, taken, not_taken = jump
        reached = self.measure.reached
        reached.add(taken if destination >= target else not_taken)
        if self.each_direction or (taken in reached and not_taken in reached):
            return self.disable
        return None

    def close(self) -> None:
        for code in self.codes:
            self.monitoring.set_local_events(self.tool, code, 0)
        self.monitoring.free_tool_id(self.tool)


class _Tracer(_Collector):
    """`sys.settrace` with events for instructions."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.before: Any = None

    def start(self) -> None:
        self.before = sys.gettrace()
        sys.settrace(self.call)
        threading.settrace(self.call)

    def stop(self) -> None:
        sys.settrace(self.before)
        threading.settrace(self.before)

    def call(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        if id(code) not in self.measure._codes:
            return None
        frame.f_trace_opcodes = True
        lines = self.measure._lines[id(code)]
        jumps = self.measure._jumps[id(code)]
        reached = self.measure.reached
        pending: tuple[int, int, int] | None = None

        def local(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal pending
            if event == "opcode":
                if pending is not None:
                    target, taken, not_taken = pending
                    reached.add(taken if frame.f_lasti == target else not_taken)
                pending = jumps.get(frame.f_lasti)
            elif event == "line":
                number = lines.get(frame.f_lineno)
                if number is not None:
                    reached.add(number)
            elif event == "exception":
                pending = None
            return local

        return local
