"""Functions with contracts."""


def shorten(text: str, limit: int) -> str:
    """Cuts a text.

    pre: limit >= 0
    post: len(__return__) <= limit
    post[text]:
        text == __old__.text
    """
    if len(text) <= limit:
        return text
    return text[:limit] + "."


def right(text: str) -> str:
    """
    pre: "x" in text
    post: __return__ != ""
    """
    return text


def announces(text: str) -> int:
    """Reads a number.

    :raises ValueError: for everything else
    """
    return int(text)


def google(text: str) -> int:
    """Reads.

    Raises:
        KeyError: sometimes
    """
    if text == "a":
        raise KeyError(text)
    raise IndexError(text)


def asserts(text: str) -> None:
    assert not text.endswith("?"), "a question"


def one(text: str) -> str:
    return text.strip(" ")


def other(text: str) -> str:
    return text.strip()


def same(text: str) -> str:
    return text.lstrip(" ").rstrip(" ")


def broken(text: str) -> str:
    """
    post: this is no expression
    """
    return text


class Parser:
    def __init__(self) -> None:
        self.level = 1

    def parse(self, text: str) -> int:
        if text == "up":
            return self.level + 1
        return self.level

    @staticmethod
    def static(text: str) -> bool:
        return text == "static"


class Needs:
    def __init__(self, name: str) -> None:
        self.name = name

    def method(self) -> str:
        return self.name
