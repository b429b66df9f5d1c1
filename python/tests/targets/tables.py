"""Dictionaries whose keys are parts of the input."""


def from_pairs(text: str) -> str:
    options = dict([tuple(part.split("=", 1)) for part in text.split(",") if "=" in part])
    if "no-cache" in options:
        return "no cache"
    return options.get("max-age", "none")


def from_comprehension(text: str) -> int:
    table = {part: i for i, part in enumerate(text.split(","))}
    if "key" not in table:
        return -1
    return table["key"]


def from_display(a: str, b: str) -> int:
    table = {a: 1, b: 2}
    if len(table) == 1:
        return 10
    if "key" in table:
        return table["key"]
    return 0


def from_copies(a: str) -> int:
    table = {"x": 0}
    table.update({a: 1})
    merged = {"y": 0, **table.copy()}
    again = {} | dict(merged)
    return 1 if "key" in again else 0


def not_mappings(a: str) -> int:
    return len({**a}) if a == "x" else len(dict([(a,)]))  # type: ignore[arg-type]
