"""Two words are compared in several ways."""


def contained(a: str, b: str) -> str:
    if a.startswith(b) or b.startswith(a):
        return "prefix"
    if a.endswith(b) or b.endswith(a):
        return "suffix"
    if a in b:
        return "inside"
    if b in a:
        return "around"
    return ""


def differences(a: str, b: str) -> int:
    count = 0
    for i in range(len(a)):
        if a[i] != b[i]:
            count += 1
    return count


def swapped(a: str, b: str) -> bool:
    return any(a[:i] + a[i + 1] + a[i] + a[i + 2 :] == b for i in range(len(a) - 1))


def vowels(text: str) -> int:
    return sum(1 for c in text if c in "aeiou")


def compare(a: str, b: str) -> str:
    if not a or not b:
        return "empty"
    if a == b:
        return "same"
    if a.lower() == b.lower():
        return "same but for case"
    if a.strip() == b.strip():
        return "same but for space"
    if a[::-1] == b:
        return "reversed"
    part = contained(a, b)
    if part:
        return part
    if len(a) == len(b):
        if swapped(a, b):
            return "swapped"
        if sorted(a) == sorted(b):
            return "anagram"
        if differences(a, b) == 1:
            return "one letter"
        if differences(a, b) <= 3 and len(a) > 4:
            return "similar"
    if a.replace("-", "") == b.replace("-", ""):
        return "hyphens"
    if a[0] == b[0] and a[-1] == b[-1] and vowels(a) == vowels(b):
        return "same frame"
    if abs(len(a) - len(b)) > 10:
        return "other length"
    return "different"
