from packaging.markers import InvalidMarker, Marker


def check(text: str) -> None:
    """Only the documented exception leaves the constructor.

    post: True
    """
    try:
        Marker(text)
    except InvalidMarker:
        pass
