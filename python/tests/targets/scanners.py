"""Functions that read their input character by character, or by code without a model."""

import ast


def keyword(text: str) -> str:
    """A scanner fixes the bounds of a word before it looks at the word."""
    end = 0
    while end < len(text) and text[end] not in " ;":
        end += 1
    word = text[:end]
    if word == "terminate":
        return "end"
    if word.startswith("comm"):
        return "comm"
    return "other"


def stripped(text: str) -> str:
    """The word is a part of a part of the input."""
    before, _, after = text.partition("=")
    value = after.strip()
    size = 0
    for c in value:
        if c == ",":
            break
        size += 1
    if value[:size].lower() == "identity":
        return before
    return ""


def literal(text: str) -> object:
    """Code without a model that breaks on a backslash."""
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1 and '"' not in text[1:-1]:
        return ast.literal_eval(text)
    return None


def cleaned(text: str) -> str:
    return "clean" if text.translate({9: None, 10: None, 13: None}).lstrip() == "data:," else ""


def label(text: str) -> bool:
    return text.encode("idna").decode("utf-8").endswith(".example")
