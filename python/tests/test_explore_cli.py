"""The command line of explorations, with bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    source = HERE.parent / "src"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source), str(HERE)])}
    command = [sys.executable, "-m", "stringent_smt", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=cwd, timeout=120, check=False)


def test_cover_text():
    done = run("cover", "targets.urls:route", "--budget", "20")
    assert done.returncode == 0, done.stderr
    assert "11/11" in done.stdout and "12/12" in done.stdout
    assert "all paths were executed" in done.stdout
    assert "# raises ValueError: seven" in done.stdout


def test_a_syntax_error_is_shown(tmp_path):
    (tmp_path / "broken.py").write_text("def f(x):\n    y = = x\n")
    done = run("cover", "broken.py:f", cwd=tmp_path)
    assert done.returncode == 2
    assert "broken.py:2:9: " in done.stderr and "\n      y = = x\n          ^\n" in done.stderr


def test_a_page_that_cannot_be_written_does_not_cost_the_result(tmp_path):
    done = run("cover", "targets.urls:route", "--budget", "20", "--html", str(tmp_path / "none" / "page.html"))
    assert done.returncode == 2 and "No such file" in done.stderr
    assert "12/12" in done.stdout


def test_a_solver_that_ends_is_named():
    done = run("cover", "targets.urls:route", "--budget", "20", "--solver", "false")
    assert "without an answer: the solver process ended" in done.stdout
    assert "all paths were executed" not in done.stdout


def test_cover_json_and_html(tmp_path):
    page = tmp_path / "page.html"
    done = run("cover", "targets.urls:route", "--budget", "20", "--format", "json", "--html", str(page))
    found = json.loads(done.stdout)
    assert found["exhaustive"] is True and found["defects"] == []
    route = next(f for f in found["functions"] if f["name"] == "route")
    assert route["branches"] == {"covered": 12, "all": 12} and route["missing_lines"] == []
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") and "http://localhost" in text
    assert 'class="line full"' in text and 'class="line none"' in text
    assert "<link" not in text and "src=" not in text


def test_tracking_lost_is_told():
    done = run("cover", "targets.bad:exact_types", "--budget", "5", "--input", "'abc'")
    assert done.returncode == 0
    assert "tracking lost here" in done.stdout and "intern" in done.stdout and "bad.py:" in done.stdout


def test_check():
    done = run("check", "targets.contracts:shorten", "--budget", "10")
    assert done.returncode == 1
    assert (
        "postcondition: len(__return__) <= limit does not hold" in done.stdout
        and "when calling shorten(" in done.stdout
    )
    assert run("check", "targets.contracts:right", "--budget", "10").returncode == 0
    different = run(
        "check", "targets.contracts:one", "--equals", "targets.contracts:other", "--budget", "10", "--format", "json"
    )
    assert different.returncode == 1
    assert json.loads(different.stdout)["problems"][0]["kind"] == "difference"


def test_methods():
    assert "'up'" in run("cover", "targets.contracts:Parser.parse", "--budget", "10").stdout
    assert "'static'" in run("cover", "targets.contracts:Parser.static", "--budget", "10").stdout
    done = run("cover", "targets.contracts:Needs.method")
    assert done.returncode == 2 and "needs an object" in done.stderr


def test_generated_tests_pass(tmp_path):
    tests, queries = tmp_path / "test_route.py", tmp_path / "queries"
    done = run("generate", "targets.urls:route", "--budget", "20", "--tests", str(tests), "--queries", str(queries))
    assert done.returncode == 0 and "7 tests written" in done.stdout
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    again = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert again.returncode == 0 and "7 passed" in again.stdout, again.stdout
    index = json.loads((queries / "index.json").read_text(encoding="utf-8"))["queries"]
    assert len(index) == len(list(queries.glob("*.smt2"))) >= 7
    binary = os.environ.get("STRINGENT_BINARY", "stringent")
    for entry in index:
        file = queries / entry["file"]
        assert f"(set-info :status {entry['status']})" in file.read_text(encoding="utf-8")
        assert (
            subprocess.run([binary, "solve", str(file)], capture_output=True, text=True, check=True).stdout.strip()
            == entry["status"]
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cover", "route"], "error: 'route' is not of the form MODULE:FUNCTION"),
        (["cover", "targets.missing:route"], "error: there is no module targets.missing"),
        (
            ["cover", "targets.urls:rout"],
            "error: the module targets.urls has no function named rout; did you mean route?",
        ),
        (["cover", "targets.bad:CONSTANT"], "error: CONSTANT is not a function, it is a value of type int"),
        (["cover", "targets.fails_on_import:f"], "raises OSError when it is imported at"),
        (["cover", "nowhere.py:f"], "error: there is no file nowhere.py"),
        (["cover", "targets.bad:unknown_type"], "error: no values for the parameter stream"),
        (["cover", "targets.urls:route", "--input", "abc"], "error: the input abc is not a literal"),
        (["cover", "targets.urls:route", "--solver", "nosuchsolver"], "nosuchsolver"),
        (["cover", "targets.urls:route", "--lift", "no_such_package"], "error: --lift no_such_package"),
        (["cover", "targets.urls:route", "--budget", "0"], "0 is not a positive number"),
        (["check", "targets.contracts:broken"], "error: broken: cannot read the contract"),
        (["generate", "targets.urls:route", "--runs", "1"], "error: nothing to generate"),
    ],
)
def test_bad_arguments(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr and done.stderr.endswith("\n")
    assert "Traceback" not in done.stderr and done.stdout == ""


def test_endless_loop():
    done = run("check", "targets.bad:loops", "--budget", "10", "--run-time", "0.3")
    assert done.returncode == 1
    assert "limit: stopped after 0.3 s" in done.stdout and "loops(text='a" in done.stdout


def test_isolated_files_are_safe(tmp_path):
    victim = HERE / "targets" / "victim.txt"
    victim.write_text("still here\n", encoding="utf-8")
    try:
        done = run("check", "targets.bad:deletes", "--budget", "10", "--isolate")
        assert done.returncode == 1
        assert "--isolate does not permit os.remove of" in done.stdout
        assert victim.exists()
        done = run("cover", "targets.bad:leaves_files", "--runs", "3", "--isolate", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert list(tmp_path.iterdir()) == []
    finally:
        victim.unlink()


def test_isolated_process_that_crashes(tmp_path):
    done = run("cover", "targets.bad:crashes", "--budget", "10", "--isolate", "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 3
    assert "error: the process ended by SIGSEGV; the input was {'text': 'c'}" in done.stderr
    assert run("cover", "targets.bad:crashes", "--budget", "10").stderr.startswith("Fatal Python error: Segm")


def test_threads_and_exit_handlers_do_not_take_part_in_the_end():
    done = run("cover", "targets.bad:leaves_threads", "--budget", "10", "--runs", "2")
    assert done.returncode == 0 and "end: " in done.stdout
    assert done.stderr == "note: 2 threads of the function still run; they are ended\n"


def test_output_to_descriptors_is_dropped():
    done = run("cover", "targets.bad:writes_to_descriptors", "--budget", "10", "--format", "json")
    assert done.returncode == 0 and done.stderr == ""
    assert json.loads(done.stdout)["defects"] == []


@pytest.mark.parametrize("isolate", [[], ["--isolate"]])
def test_endless_import(tmp_path, isolate):
    (tmp_path / "endless.py").write_text("while True:\n    pass\n", encoding="utf-8")
    (tmp_path / "leaves.py").write_text("import os\nos._exit(0)\n", encoding="utf-8")
    limits = ["--budget", "0.5", "--run-time", "0.1", *isolate]
    done = run("cover", "endless.py:f", *limits, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: the import of the module does not end: stopped after 1.5 s\n"
    done = run("cover", "leaves.py:f", *limits, cwd=tmp_path)
    assert done.returncode == 2
    assert "raises ProcessExit when it is imported" in done.stderr and "os._exit(0)" in done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_ends_with_the_call():
    done = run("cover", "targets.bad:forks", "--budget", "10")
    assert done.returncode == 0 and done.stdout.count("end: ") == 1


@pytest.mark.parametrize(
    ("function", "count"), [("asynchronous", 2), ("generator", 2), ("elements", 3), ("Counter.step", 2), ("leaves", 1)]
)
def test_generated_tests_of_other_functions_pass(tmp_path, function, count):
    tests = tmp_path / "test_it.py"
    done = run("generate", f"targets.bad:{function}", "--runs", "30", "--tests", str(tests))
    assert done.returncode == 0 and f"{count} tests written" in done.stdout, done.stdout
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    again = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert again.returncode == 0 and f"{count} passed" in again.stdout, again.stdout


@pytest.mark.parametrize(
    ("function", "inputs", "lines"),
    [
        ("odd_comparison", [], ["raises RuntimeError: no comparison"]),
        ("threads", ["'aa'", "'t'"], ["tracking may end in code that is not lifted: threading.Thread"]),
        ("recursion", ["'deep'"], ["raises RecursionError: maximum recursion depth exceeded"]),
        ("exact_types", ["'abc'"], ["tracking lost here", "intern"]),
    ],
)
def test_bad_functions_end_with_a_clear_line(function, inputs, lines):
    arguments = [argument for text in inputs for argument in ("--input", text)]
    done = run("cover", f"targets.bad:{function}", "--budget", "5", "--runs", "10", *arguments)
    assert done.returncode == 0, done.stderr
    assert all(line in done.stdout for line in lines), done.stdout
    assert "end: " in done.stdout and done.stdout.endswith("\n") and "Traceback" not in done.stderr
    assert "all paths were executed" not in done.stdout or function == "odd_comparison"


def test_version() -> None:
    done = run("--version")
    assert done.returncode == 0 and done.stdout.startswith("stringent-smt ")
