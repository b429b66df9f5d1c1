"""Entry points into pip, with annotated parameters."""

from pip._internal.index import package_finder
from pip._internal.models import link, wheel
from pip._internal.req import constructors, req_file
from pip._internal.utils import misc
from pip._internal.vcs import git


def wheel_name(filename: str) -> object:
    return wheel.Wheel(filename).version


def redact_netloc(netloc: str) -> object:
    return misc.redact_netloc(netloc)


def redact_auth_from_url(url: str) -> object:
    return misc.redact_auth_from_url(url)


def parse_netloc(netloc: str) -> object:
    return misc.parse_netloc(netloc)


def strtobool(value: str) -> object:
    return misc.strtobool(value)


def preprocess(content: str) -> object:
    return list(req_file.preprocess(content))


def break_args_options(line: str) -> object:
    return req_file.break_args_options(line)


def git_remote(url: str) -> object:
    return git.Git._git_remote_to_pip_url(url)


def git_revision(url: str) -> object:
    return git.Git.get_url_rev_and_auth(url)


def link_fragments(url: str) -> object:
    found = link.Link(url)
    return found.filename, found.ext, found.egg_fragment if hasattr(found, "egg_fragment") else found._egg_fragment


def clean_url(url: str) -> object:
    return link._ensure_quoted_url(url)


def parse_editable(requirement: str) -> object:
    return constructors.parse_editable(requirement)


def version_of_fragment(fragment: str, name: str) -> object:
    return package_finder._extract_version_from_fragment(fragment, name)
