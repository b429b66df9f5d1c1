"""Small functions with known paths."""

LEVELS = {"DEBUG": 10, "INFO": 20}


def route(url: str, n: int = 0) -> str:
    if url.startswith("http://"):
        rest = url[7:]
        if rest.find("/") > 3:
            return "path"
        if rest == "localhost":
            return "local"
    elif url.endswith(".py"):
        if n > 10 and n % 7 == 3:
            raise ValueError("seven")
        return "script"
    return "other"


def level(line: str) -> int:
    name, colon, code = line.partition(":")
    if not colon:
        return -1
    if name.upper() not in LEVELS:
        return -2
    if int(code) == 404:
        raise LookupError(code)
    return LEVELS[name.upper()]


def three(text: str, flag: bool, items: list[str]) -> str:
    if flag and items and items[0] == "first":
        return "list"
    if text * 2 == "abab":
        return "twice"
    return "none"


def never(text: str) -> bool:
    if text != text:
        return False
    return len(text + "a") > len(text)
