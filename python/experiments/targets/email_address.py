"""An address is checked and sorted by its domain."""

FREE = {"gmail.com": "google", "outlook.com": "microsoft", "mail.ru": "vk"}
BLOCKED = ("trash.net", "10minutes.org")
COUNTRIES = {"de", "fr", "pl", "jp"}


def quoted(local: str) -> bool:
    if len(local) < 3 or not (local.startswith('"') and local.endswith('"')):
        return False
    return '"' not in local[1:-1]


def local_fault(local: str) -> str:
    if not local:
        return "no name"
    if len(local) > 64:
        return "long name"
    if quoted(local):
        return ""
    if local[0] == "." or local[-1] == ".":
        return "dot at the border"
    if ".." in local:
        return "two dots"
    for c in local:
        if not (c.isalnum() or c in "._-+"):
            return "character " + c
    return ""


def label_fault(label: str) -> str:
    if not label:
        return "empty label"
    if len(label) > 63:
        return "long label"
    if label.startswith("-") or label.endswith("-"):
        return "hyphen at the border"
    if not label.replace("-", "").isalnum():
        return "character in a label"
    return ""


def kind_of(domain: str) -> str:
    if domain in FREE:
        return "free " + FREE[domain]
    if domain.endswith(BLOCKED):
        return "blocked"
    top = domain.rsplit(".", 1)[-1]
    if top.isdigit():
        return "numeric"
    if top in COUNTRIES:
        return "country " + top
    if top == "edu" or ".ac." in domain:
        return "university"
    return "other"


def check_address(text: str) -> str:
    text = text.strip()
    if text.startswith("mailto:"):
        text = text[len("mailto:") :]
    if "<" in text:
        _, _, rest = text.partition("<")
        if not rest.endswith(">"):
            return "bracket"
        text = rest[:-1]
    if text.count("@") != 1:
        return "number of @"
    local, domain = text.split("@")
    fault = local_fault(local)
    if fault:
        return fault
    labels = domain.lower().split(".")
    if len(labels) < 2:
        return "one label"
    for label in labels:
        fault = label_fault(label)
        if fault:
            return fault
    _, plus, tag = local.partition("+")
    if plus and not tag:
        return "empty tag"
    return kind_of(domain.lower())
