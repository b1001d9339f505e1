"""Values that a shell could run or replace do not reach the code of an entry."""

import pytest

from torchdoctor.knowledge.harmless import keep_harmless


@pytest.mark.parametrize("value", ["torch==2.6.0", "cu126", r"C:\Program Files (x86)\a\b.dll", "numpy"])
def test_plain_value_is_kept(value: str) -> None:
    assert keep_harmless({"name": value}) == {"name": value}


@pytest.mark.parametrize(
    "value", ["x(calc)", "$(calc)", "a;calc", "a & calc", "`calc`", "%PATH%", "a\ncalc", 'a"b']
)
def test_value_that_a_shell_could_run_is_left_out(value: str) -> None:
    assert keep_harmless({"name": value}) == {}


@pytest.mark.parametrize("package", ["torch", "apex", "Apex", "nunchaku"])
def test_package_that_pip_would_take_from_another_project_is_left_out(package: str) -> None:
    values = dict.fromkeys(("package", "built_package", "distribution"), package)
    assert keep_harmless(values) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("requirement", "sympy"),
        ("requirement", "mpmath<1.4,>=1.1.0"),
        ("requirements", '"typing-extensions>=4.10.0"'),
        ("requirements", '"filelock" "sympy==1.13.1"'),
        ("open_joined", 'os.path.join(self.root, "a/b.txt")'),
        ("open_joined", "root + 'classes.txt'"),
    ],
)
def test_requirement_of_pip_is_kept(name: str, value: str) -> None:
    assert keep_harmless({name: value}) == {name: value}


@pytest.mark.parametrize("value", ["sympy>out.txt & calc", 'sympy" & calc', "sympy>=1 $(calc)", "--pre", ""])
def test_text_that_is_no_requirement_is_left_out(value: str) -> None:
    assert keep_harmless({"requirement": value, "requirements": f'"{value}"', "other": "a>=1"}) == {}


@pytest.mark.parametrize(
    "value", ["calc(a)", 'root + "$(calc)"', "a + calc()", "os.path.join(a)", 'a + "b;c"']
)
def test_expression_that_joins_no_names_and_texts_is_left_out(value: str) -> None:
    assert keep_harmless({"open_joined": value}) == {}
