"""The backend of Hypothesis: it finds values that random search does not, and keeps the rules of Hypothesis."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from stringent_smt.hypothesis_entry import register

register()

symbolic = settings(backend="stringent", max_examples=40, database=None, derandomize=True, deadline=None)


def parse_version(text: str) -> tuple[int, str]:
    """A small parser with a defect for one kind of input."""
    if not text.startswith("v"):
        return 0, text
    number, _, rest = text[1:].partition(".")
    if number.isdecimal() and int(number) == 42 and rest.endswith("rc"):
        raise AssertionError("defect")
    return 1, rest


def found(test: object) -> str:
    """The message of the failure of a test."""
    with pytest.raises(AssertionError) as caught:
        test()  # type: ignore[operator]
    return str(caught.value).splitlines()[0]


def test_strings() -> None:
    @symbolic
    @given(st.text())
    def check(text: str) -> None:
        parse_version(text)

    assert found(check) == "defect"


def test_digits_that_are_no_numbers() -> None:
    @symbolic
    @given(st.text())
    def check(text: str) -> None:
        if text[1:].isdigit() and text.startswith("v"):
            int(text[1:])

    with pytest.raises(ValueError, match="invalid literal"):
        check()


def test_numbers() -> None:
    @symbolic
    @given(st.integers(), st.integers(min_value=0, max_value=10**6))
    def check(a: int, b: int) -> None:
        assert not (3 * a + b == 123456789 and b > 1000 and b % 7 == 3), "found"

    assert found(check) == "found"


def test_bytes() -> None:
    @symbolic
    @given(st.binary())
    def check(data: bytes) -> None:
        assert not (data.startswith(b"\x89PNG") and len(data) == 9), "found"

    assert found(check) == "found"


def test_lists_and_booleans() -> None:
    @symbolic
    @given(st.lists(st.integers(0, 1000)), st.booleans())
    def check(numbers: list[int], flag: bool) -> None:
        assert not (flag and len(numbers) == 3 and numbers[1] == 777), "found"

    assert found(check) == "found"


def test_alphabets_and_sizes_are_kept() -> None:
    seen = []

    @symbolic
    @given(st.text("abc", min_size=2, max_size=5), st.integers(3, 9), st.floats(0, 1), st.sampled_from("xyz"))
    def check(text: str, number: int, real: float, letter: str) -> None:
        assert 2 <= len(text) <= 5
        assert text.strip("abc") == ""
        assert 3 <= number <= 9
        assert 0 <= real <= 1
        assert letter in "xyz"
        seen.append((str(text), int(number)))

    check()
    assert len(set(seen)) > 1


def test_assume() -> None:
    @settings(symbolic, suppress_health_check=list(HealthCheck))
    @given(st.text())
    def check(text: str) -> None:
        assume(text.count("-") == 2)
        assume(len(text) > 8)
        assert not text.endswith("--"), "found"

    assert found(check) == "found"


def test_a_test_that_passes() -> None:
    calls = []

    @symbolic
    @given(st.text(max_size=20))
    def check(text: str) -> None:
        calls.append(1)
        assert text.replace("a", "bb").count("a") == 0

    check()
    assert len(calls) > 1


def test_same_test_cases_every_time() -> None:
    def run() -> list[str]:
        seen = []

        @settings(symbolic, max_examples=20)
        @given(st.text())
        def check(text: str) -> None:
            seen.append("".join(map(str, text)))
            if text.startswith("ab") and text[2:] == text[:2]:
                seen.append("here")

        check()
        return seen

    first = run()
    assert first == run()
    assert "here" in first


def test_code_is_as_before_afterwards() -> None:
    before = parse_version.__code__

    @symbolic
    @given(st.text())
    def check(text: str) -> None:
        parse_version("w" + text)

    check()
    assert parse_version.__code__ is before


def test_alternatives() -> None:
    @symbolic
    @given(st.one_of(st.none(), st.booleans(), st.text()))
    def check(value: object) -> None:
        assert value != "zip", "found"

    assert found(check) == "found"


def test_keys_of_dictionaries() -> None:
    @symbolic
    @given(st.dictionaries(st.text(max_size=5), st.integers()))
    def check(table: dict[str, int]) -> None:
        assert table.get("key") != 77, "found"

    assert found(check) == "found"


def test_elements_of_sets() -> None:
    @symbolic
    @given(st.sets(st.text(max_size=3)))
    def check(words: set[str]) -> None:
        assert "zq" not in words, "found"

    assert found(check) == "found"
