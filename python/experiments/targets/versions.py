"""A version with an optional epoch, pre-release and build."""

STAGES = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "rc": 2}


def number(text: str) -> int:
    if not text.isdigit():
        raise ValueError("not a number")
    if len(text) > 1 and text[0] == "0":
        raise ValueError("leading zero")
    value = int(text)
    if value > 9999:
        raise ValueError("too large")
    return value


def split_build(text: str) -> tuple[str, str]:
    core, plus, build = text.partition("+")
    if not plus:
        return core, ""
    if not build:
        raise ValueError("empty build")
    for part in build.split("."):
        if not part.isalnum():
            raise ValueError("build")
    return core, build


def stage_of(text: str) -> tuple[int, int]:
    name = text.rstrip("0123456789")
    digits = text[len(name) :]
    name = name.rstrip(".").lower()
    if name == "dev":
        return -1, 0
    if name not in STAGES:
        return 3, 0
    if not digits:
        return STAGES[name], 0
    return STAGES[name], number(digits)


def describe(major: int, minor: int, patch: int) -> str:
    if major == 0:
        if minor == 0:
            return "experiment"
        return "before the first"
    if minor == 0 and patch == 0:
        return "first of " + str(major)
    if patch > 100:
        return "often repaired"
    if major == minor == patch:
        return "all equal"
    return "stable"


def classify_version(text: str) -> str:
    if text[:1] in ("v", "V"):
        text = text[1:]
    epoch, mark, rest = text.partition("!")
    if mark:
        if number(epoch) > 1:
            return "far epoch"
        text = rest
    text, build = split_build(text)
    core, dash, stage = text.partition("-")
    parts = core.split(".")
    if len(parts) == 2:
        parts.append("0")
    if len(parts) != 3:
        return "parts"
    major, minor, patch = (number(part) for part in parts)
    if dash:
        rank, count = stage_of(stage)
        if rank < 0:
            return "development"
        if rank == 3:
            return "unknown stage"
        if rank == 2 and count > 5:
            return "many candidates"
        return "pre-release " + str(rank)
    if build:
        if build.startswith("git"):
            return "from git"
        return "built"
    return describe(major, minor, patch)
