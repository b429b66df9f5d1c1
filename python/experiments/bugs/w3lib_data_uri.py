from w3lib.url import parse_data_uri


def check(text: str) -> None:
    """Only the documented ValueError leaves the function.

    post: True
    """
    try:
        parse_data_uri(text)
    except ValueError:
        pass
