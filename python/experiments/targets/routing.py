"""A URL is routed to a handler."""

VERSIONS = ("v1", "v2")
FILES = {".css": "style", ".js": "script", ".png": "image"}


def split_scheme(url: str) -> tuple[str, str]:
    at = url.find("://")
    if at < 0:
        return "http", url
    return url[:at].lower(), url[at + 3 :]


def route_shop(parts: list[str], query: dict[str, str]) -> str:
    if not parts:
        return "shop"
    if parts[0] == "items":
        if len(parts) == 1:
            if query.get("sort") == "price":
                return "items by price"
            return "items"
        if parts[1].isdigit():
            if int(parts[1]) == 0:
                return "no such item"
            return "item " + str(int(parts[1]) % 10)
        return "item by name"
    if parts[0] == "cart":
        if "add" in query:
            return "cart, add"
        return "cart"
    return "shop, unknown"


def route_api(parts: list[str], query: dict[str, str]) -> str:
    if not parts or parts[0] not in VERSIONS:
        return "api, version"
    if len(parts) < 2:
        return "api, root"
    if parts[1] == "search":
        if not query.get("q"):
            return "api, empty search"
        if len(query["q"]) > 20:
            return "api, long search"
        return "api, search"
    if parts[1].startswith("user-"):
        user = parts[1][5:]
        if not user:
            return "api, no user"
        if user == "me":
            return "api, self"
        return "api, user"
    return "api, unknown"


def route_file(name: str) -> str:
    for ending, kind in FILES.items():
        if name.endswith(ending):
            return kind
    if name.startswith("."):
        return "hidden file"
    return "download"


def queries(text: str) -> dict[str, str]:
    found = {}
    for pair in text.split("&"):
        key, equals, value = pair.partition("=")
        if equals:
            found[key] = value
        elif key:
            found[key] = ""
    return found


def route(url: str) -> str:
    scheme, rest = split_scheme(url)
    if scheme not in ("http", "https"):
        return "scheme"
    host, _, path = rest.partition("/")
    if "@" in host:
        return "credentials"
    name, colon, port = host.partition(":")
    if colon and (not port.isdigit() or int(port) > 65535):
        return "port"
    if not name:
        return "no host"
    path, _, fragment = path.partition("#")
    path, mark, text = path.partition("?")
    query = queries(text) if mark else {}
    parts = [part for part in path.split("/") if part]
    if ".." in parts:
        return "outside"
    if not parts:
        if fragment == "top":
            return "top"
        return "home"
    if parts[0] == "shop":
        return route_shop(parts[1:], query)
    if parts[0] == "api":
        return route_api(parts[1:], query)
    if parts[0] in ("static", "files") and len(parts) > 1:
        return route_file(parts[-1])
    return "not found"
