from validators import mac_address


def check(text: str) -> None:
    """An accepted address has one kind of separator.

    post: True
    """
    if mac_address(text) is True:
        assert not (":" in text and "-" in text)
