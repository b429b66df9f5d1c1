"""Lifting: operations that C code would swallow become calls of hooks.

A symbolic value is a subclass of the type it stands for, so most operations reach its methods. Some do not: `"abc".find(s)`, `s in "abc"`, `len(s)`, `int(s)`, `table[s]`, f-strings. The source of the module is parsed, these
operations are replaced by calls of the functions in `hooks.py`, and the module is compiled again under its own file name with all positions kept.

The module is not executed again. Its functions exist already, some of them wrapped in decorators or stored in tables; every function object that was compiled from the file gets the lifted code in place of its own, and
gets its own back at the end. Code at module level and in class bodies has run already and is left alone.

Calls with only constant arguments are not lifted: the receiver intercepts them if it is symbolic, and otherwise nothing is.
"""

from __future__ import annotations

import ast
import builtins
import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType

PREFIX = "__stringent_"
SUFFIX = "__"

FRAME_FUNCTIONS = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec", "__import__", "breakpoint"})
"""Builtins that look at the frame of their caller, which a hook would replace by its own."""

TABLE_METHODS = frozenset({"get", "pop", "setdefault", "copy"})
"""Methods whose result depends on the input although all arguments are constants: the dictionary may have a symbolic key."""


ANSWERS = frozenset({"__bool__", "__len__", "__index__", "__int__", "__hash__"})
"""Methods whose result code in C reads: it has to be plain."""


def hook(name: str) -> str:
    """The global name of a hook. It starts and ends with two underscores, so that it is not mangled in classes."""
    return f"{PREFIX}{name}{SUFFIX}"


class _Lifter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.depth = 0
        self.name = ""

    # scopes

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.args = self.visit(node.args)
        self.depth += 1
        outer, self.name = self.name, node.name
        node.body = [self.visit(statement) for statement in node.body]
        self.name = outer
        self.depth -= 1
        return node

    visit_FunctionDef = _function
    visit_AsyncFunctionDef = _function

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if self.name in ANSWERS and node.value is not None and not isinstance(node.value, ast.Constant):
            name = ast.copy_location(ast.Constant(self.name), node.value)
            node.value = _call("answer", [node.value, name], node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        node.args = self.visit(node.args)
        self.depth += 1
        node.body = self.visit(node.body)
        self.depth -= 1
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = [self.visit(statement) for statement in node.body]
        return node

    # operations

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if self.depth == 0 or (isinstance(node.func, ast.Name) and node.func.id in FRAME_FUNCTIONS):
            return node
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if all(isinstance(argument, ast.Constant) for argument in arguments) and not (
            isinstance(node.func, ast.Attribute) and node.func.attr in TABLE_METHODS
        ):
            return node
        return _call("call", [node.func, *node.args], node, node.keywords)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if self.depth == 0 or len(node.ops) != 1:
            return node
        right = node.comparators[0]
        match node.ops[0]:
            case ast.In():
                return _call("contains", [node.left, right], node)
            case ast.NotIn():
                return _call("not_contains", [node.left, right], node)
            case ast.Eq() if not isinstance(node.left, ast.Constant) and not isinstance(right, ast.Constant):
                return _call("equal", [node.left, right], node)
            case ast.NotEq() if not isinstance(node.left, ast.Constant) and not isinstance(right, ast.Constant):
                return _call("not_equal", [node.left, right], node)
            case ast.Is() if _may_be_bool(node.left) and _may_be_bool(right):
                return _call("is_same", [node.left, right], node)
            case ast.IsNot() if _may_be_bool(node.left) and _may_be_bool(right):
                return _call("is_not_same", [node.left, right], node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if self.depth == 0 or (_is_constant(node.slice) and not _is_text(node.slice)):
            return node
        if isinstance(node.ctx, ast.Load):
            return _call("item", [node.value, _index(node.slice)], node)
        if _is_simple(node.value) and not isinstance(node.slice, ast.Slice):
            table = ast.parse(ast.unparse(node.value), mode="eval").body
            for part in ast.walk(table):
                if isinstance(part, ast.expr):
                    ast.copy_location(part, node.value)
            node.slice = _call("key", [table, node.slice], node.slice)
        return node

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        if self.depth == 0:
            return node
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        return _call("mapping", [ast.copy_location(ast.ListComp(pair, node.generators), node)], node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        self.generic_visit(node)
        if self.depth == 0:
            return node
        return _call("elements", [ast.copy_location(ast.ListComp(node.elt, node.generators), node)], node)

    def visit_Set(self, node: ast.Set) -> ast.AST:
        self.generic_visit(node)
        if self.depth == 0 or all(isinstance(element, ast.Constant) for element in node.elts):
            return node
        return _call("elements", [ast.copy_location(ast.List(node.elts, ast.Load()), node)], node)

    def visit_Match(self, node: ast.Match) -> ast.AST:
        self.generic_visit(node)
        if self.depth and all(_is_mapping(case.pattern) for case in node.cases):
            node.subject = _call("subject", [node.subject], node.subject)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        if self.depth == 0 or all(isinstance(key, ast.Constant) for key in node.keys):
            return node
        parts: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            elements = [value] if key is None else [key, value]
            parts.append(ast.copy_location(ast.Tuple(elements, ast.Load()), node))
        return _call("merged", parts, node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        if self.depth == 0 or not any(isinstance(part, ast.FormattedValue) for part in node.values):
            return node
        parts: list[ast.expr] = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                spec = part.format_spec or ast.copy_location(ast.Constant(""), node)
                conversion = ast.copy_location(ast.Constant(part.conversion), node)
                part = ast.copy_location(ast.Tuple([part.value, conversion, spec], ast.Load()), part)
            parts.append(part)
        return _call("joined", parts, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if self.depth and isinstance(node.op, ast.Mod) and not _is_number(node.right):
            return _call("modulo", [node.left, node.right], node)
        operator = _SET_OPERATORS.get(type(node.op))
        if self.depth and operator is not None and not _is_number(node.left) and not _is_number(node.right):
            return _call("combined", [node.left, node.right, ast.copy_location(ast.Constant(operator), node)], node)
        return node


def _call(name: str, args: list[ast.expr], node: ast.expr, keywords: list[ast.keyword] | None = None) -> ast.expr:
    function = ast.copy_location(ast.Name(hook(name), ast.Load()), node)
    return ast.copy_location(ast.Call(function, args, keywords or []), node)


_SET_OPERATORS: dict[type, str] = {ast.BitOr: "|", ast.BitAnd: "&", ast.Sub: "-"}


def _is_mapping(pattern: ast.pattern) -> bool:
    """Whether a pattern looks up keys, or takes anything and keeps nothing."""
    match pattern:
        case ast.MatchMapping() | ast.MatchAs(pattern=None, name=None) | ast.MatchValue() | ast.MatchSingleton():
            return True
        case ast.MatchOr(patterns):
            return all(map(_is_mapping, patterns))
    return False


def _may_be_bool(node: ast.expr) -> bool:
    return not isinstance(node, ast.Constant) or isinstance(node.value, bool)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp():
            return _is_constant(node.operand)
        case ast.Slice():
            return all(part is None or _is_constant(part) for part in (node.lower, node.upper, node.step))
        case ast.Tuple():
            # slices of several dimensions: no string, list or dictionary has them
            return any(isinstance(part, ast.Slice) for part in node.elts) or all(map(_is_constant, node.elts))
    return False


def _is_simple(node: ast.expr) -> bool:
    """A name or a chain of attributes, which may be evaluated twice."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _index(node: ast.expr) -> ast.expr:
    if not isinstance(node, ast.Slice):
        return node
    parts = [part or ast.copy_location(ast.Constant(None), node) for part in (node.lower, node.upper, node.step)]
    return _call("slice", parts, node)


def lift_source(source: str, filename: str) -> CodeType:
    """The code of a module with its operations lifted."""
    tree = _Lifter().visit(ast.parse(source, filename))
    return compile(tree, filename, "exec", dont_inherit=True)


def lift_expression(text: str, filename: str) -> CodeType:
    """The code of an expression with its operations lifted."""
    lifter = _Lifter()
    lifter.depth = 1
    return compile(lifter.visit(ast.parse(text, filename, "eval")), filename, "eval", dont_inherit=True)


def code_objects(code: CodeType) -> Iterator[CodeType]:
    """A code object and all that are nested in it, outermost first."""
    todo = [code]
    while todo:
        code = todo.pop()
        yield code
        todo.extend(reversed([constant for constant in code.co_consts if isinstance(constant, CodeType)]))


def _key(code: CodeType) -> tuple[str, int]:
    return (getattr(code, "co_qualname", code.co_name), code.co_firstlineno)


def _by_key(module: CodeType) -> dict[tuple[str, int], CodeType]:
    """The code objects of a module. Several that cannot be told apart, such as two lambdas of one line, are left out."""
    found: dict[tuple[str, int], CodeType | None] = {}
    for code in code_objects(module):
        key = _key(code)
        found[key] = None if key in found else code
    return {key: code for key, code in found.items() if code is not None}


class Lifting:
    """The lifted functions of some modules."""

    def __init__(self, hooks: dict[str, Callable[..., object]]) -> None:
        self.hooks = hooks
        self.modules: dict[str, CodeType] = {}
        self.failed: dict[str, str] = {}
        self._originals: list[tuple[FunctionType, CodeType]] = []

    def add(self, modules: Iterable[ModuleType]) -> None:
        """Replaces the code of all functions of these modules."""
        codes: dict[str, dict[tuple[str, int], CodeType]] = {}
        for module in modules:
            filename = getattr(module, "__file__", None)
            if not filename or filename in self.modules or filename in self.failed or not filename.endswith(".py"):
                continue
            try:
                with open(filename, encoding="utf-8") as file:
                    lifted = lift_source(file.read(), filename)
            except (OSError, SyntaxError, UnicodeDecodeError, RecursionError) as error:
                self.failed[filename] = str(error)
                continue
            self.modules[filename] = lifted
            codes[filename] = _by_key(lifted)
        if codes:
            self._replace(codes)

    def _replace(self, codes: dict[str, dict[tuple[str, int], CodeType]]) -> None:
        for function in gc.get_objects():
            if type(function) is not FunctionType:
                continue
            original = function.__code__
            table = codes.get(original.co_filename)
            if table is None:
                continue
            lifted = table.get(_key(original))
            if lifted is not None and lifted.co_freevars == original.co_freevars and lifted is not original:
                self._originals.append((function, original))
                function.__code__ = lifted

    def restore(self) -> None:
        for function, original in self._originals:
            function.__code__ = original
        self._originals.clear()
        self.modules.clear()

    @contextmanager
    def installed(self) -> Iterator[Lifting]:
        """The hooks are known to all modules."""
        names = {hook(name): function for name, function in self.hooks.items()}
        builtins.__dict__.update(names)
        try:
            yield self
        finally:
            self.restore()
            for name in names:
                builtins.__dict__.pop(name, None)


def modules_of(packages: Iterable[str]) -> list[ModuleType]:
    """The modules of these packages that are loaded now."""
    wanted = tuple(packages)
    found = []
    for name, module in sorted(sys.modules.items()):
        if isinstance(module, ModuleType) and any(
            name == package or name.startswith(package + ".") for package in wanted
        ):
            found.append(module)
    return found
