"""A line of a log is routed by its level, time and source."""

import re

STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)")
LEVELS = {"DEBUG": 10, "INFO": 20, "WARN": 30, "WARNING": 30, "ERROR": 40, "FATAL": 50}
PAIR = re.compile(r"(\w+)=(\S+)")


def level_of(text: str) -> int:
    name = text.strip("[]").upper()
    if name in LEVELS:
        return LEVELS[name]
    if name.isdigit():
        return min(int(name), 50)
    return -1


def time_of(text: str) -> str:
    match = STAMP.match(text)
    if match is None:
        return "no time"
    month, hour = int(match.group(2)), int(match.group(4))
    if not 1 <= month <= 12:
        return "month"
    if hour > 23:
        return "hour"
    if hour < 6:
        return "night"
    if match.group(1) < "2000":
        return "old"
    return "day"


def fields(text: str) -> dict[str, str]:
    return {match.group(1): match.group(2) for match in PAIR.finditer(text)}


def service_route(service: str, level: int) -> str:
    if service == "db":
        if level >= 40:
            return "page the database team"
        return "database log"
    if service.startswith("web-"):
        if service[4:].isdigit():
            return "web server " + service[4:]
        return "web server"
    if service in ("auth", "login"):
        return "security"
    return "archive"


def message_route(message: str, level: int) -> str:
    lower = message.lower()
    if "timeout" in lower or "timed out" in lower:
        if level >= 40:
            return "network, urgent"
        return "network"
    if lower.startswith("user ") and lower.endswith("denied"):
        return "audit"
    if "\\x" in message:
        return "binary"
    if not message.isascii():
        return "encoding"
    if len(message) > 80:
        return "long"
    return "archive"


def route_line(line: str) -> str:
    if line.startswith("#"):
        return "comment"
    head, bar, rest = line.partition(" | ")
    if not bar:
        if not line.strip():
            return "blank"
        return "unstructured"
    time = time_of(head)
    if time in ("month", "hour"):
        return "bad " + time
    word, _, message = rest.partition(" ")
    level = level_of(word)
    if level < 0:
        return "level"
    if level == 10:
        return "drop"
    if level == 50:
        return "page everyone"
    if time == "night" and level >= 40:
        return "page the night shift"
    found = fields(message)
    if "service" in found:
        return service_route(found["service"], level)
    return message_route(message.strip(), level)
