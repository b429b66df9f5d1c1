from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression


def check(text: str) -> None:
    """Only the documented exception leaves the function.

    post: True
    """
    try:
        canonicalize_license_expression(text)
    except InvalidLicenseExpression:
        pass
