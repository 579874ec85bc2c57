"""Where sources can be changed so that tests ought to notice, and how the change is written."""

import re

# --- Finding places ---------------------------------------------------------------------------

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
}
OPERATOR = re.compile(r"(?<=\s)(<=|>=|==|!=|&&|\|\||\+=|-=|<|>|\+|-)(?=\s)")
LITERAL = re.compile(r"(?<![\w.$@#])(\d[\d_]*|true|false)(?![\w.])")
EXTREME = re.compile(r"(?<![\w.])(min|max)\((?!of:)")
CONDITION = re.compile(r"^\s*(?:if|guard) (.*?)(?: \{.*| else \{.*)$")
STATEMENT = re.compile(
    r"^[a-z_][\w.\[\]()?!]*( (=|\+=|-=|\*=|/=|>>=|<<=|\|=|&=) .+|\(.*\)|\.\w+\(.*\))$")
KEYWORDS = re.compile(
    r"^(return|if|guard|let|var|for|while|switch|case|default|break|continue|throw|try|defer|func"
    r"|init|super|static|public|package|private|fileprivate|mutating|precondition\w*|assert\w*"
    r"|fatalError|await|do|repeat|self\.init|import|extension|struct|enum|class|else)\b")
NOT_A_LINE = re.compile(
    r"^\s*(import|@|#|case\b.*=|///?|precondition|assert)|\bfunc [^\w`]|precondition|assert\w*\(")


def masked(text):
    """The text with comments and strings made blank, as long as before."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|#".*?"#|"""(?:.|\n)*?"""', re.S)
    parts, at = [], 0
    while at < len(text):
        match = pattern.match(text, at)
        if match:
            parts.append(blank(match.group()))
            at = match.end()
        elif text[at] == '"':
            end = end_of_string(text, at)
            parts.append(blank(text[at:end]))
            at = end
        else:
            parts.append(text[at])
            at += 1
    return "".join(parts)


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def end_of_string(text, at):
    """Behind the quotation mark that ends a string of one line, whatever is put into it."""
    at += 1
    while at < len(text) and text[at] not in '"\n':
        if text.startswith("\\(", at):
            at, depth = at + 2, 1
            while at < len(text) and depth:
                if text[at] == '"':
                    at = end_of_string(text, at)
                    continue
                depth += (text[at] == "(") - (text[at] == ")")
                at += 1
        else:
            at += 2 if text[at] == "\\" else 1
    return at + 1


def balanced(text):
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def indent(line):
    return len(line) - len(line.lstrip())


def in_initialiser(lines, number):
    for line in reversed(lines[:number]):
        if re.search(r"\b(func|init|var \w+.*\{|subscript|deinit)\b", line):
            return "init" in line
    return False


def in_assertion(lines, number):
    """Whether a line is the condition of an assertion that begins above it."""
    return number > 0 and re.search(r"\b(assert|precondition)\($", lines[number - 1].rstrip())


def places(lines, number):
    """What can be changed in a line: (kind, from column, to column, before, after)."""
    line = lines[number]
    if not line.strip() or NOT_A_LINE.search(line) or in_assertion(lines, number):
        return []
    found = []
    for match in OPERATOR.finditer(line):
        found.append(("operator", *match.span(1), match.group(1), SWAPS[match.group(1)]))
    if not line.lstrip().startswith("case"):
        for match in LITERAL.finditer(line):
            before = match.group(1)
            after = {"true": "false", "false": "true", "1": "0"}.get(before)
            after = after or str(int(before.replace("_", "")) + 1)
            found.append(("literal", *match.span(1), before, after))
    for match in EXTREME.finditer(line):
        other = {"min": "max", "max": "min"}[match.group(1)]
        found.append(("extreme", *match.span(1), match.group(1), other))
    match = CONDITION.match(line)
    if match and not re.search(r"\b(let|var|case)\b|,|\{", match.group(1)):
        if balanced(match.group(1)):
            found.append(("negation", *match.span(1), match.group(1), f"!({match.group(1)})"))
    return found + removals(lines, number)


def removals(lines, number):
    line, text = lines[number], lines[number].strip()
    after = next((l for l in lines[number + 1:] if l.strip()), "")
    before = next((l for l in reversed(lines[:number]) if l.strip()), "").rstrip()
    if not STATEMENT.match(text) or KEYWORDS.match(text) or not balanced(text):
        return []
    if indent(after) > indent(line) or re.match(r"\s*[.?:)\]&|+*/<>-]", after):
        return []
    if not re.search(r"([{}:)\w\]\"?!]|\bin)$", before) or re.search(r"\b(return|in|=)$", before):
        return []
    if indent(before) < indent(line) and not re.search(r"(\{|:|\bin)$", before):
        return []
    if in_initialiser(lines, number):
        return []
    return [("removal", indent(line), len(line.rstrip()), text, "nothing")]


# --- Writing them -----------------------------------------------------------------------------

RUNTIME = """
import Glibc

/// The mutant that is awake; -1 for none, and -2 to note which ones are come by.
@usableFromInline let awakeMutant = getenv("GOLDILOCKS_MUTANT").map { Int32(atoi($0)) } ?? -1
nonisolated(unsafe) private let noted = UnsafeMutablePointer<Bool>.allocate(capacity: 4096)
private let notes: Int32 = {
  noted.initialize(repeating: false, count: 4096)
  return open(getenv("GOLDILOCKS_MUTANT_NOTES")!, O_WRONLY | O_APPEND | O_CREAT, 0o600)
}()

@usableFromInline func noteMutant(_ number: Int32) -> Bool {
  let notes = notes
  if noted[Int(number)] { return false }
  noted[Int(number)] = true
  let line = "\\(number)\\n"
  _ = line.withCString { write(notes, $0, line.utf8.count) }
  return false
}

@inlinable @inline(__always) public func mutant(_ number: Int32) -> Bool {
  awakeMutant == number || awakeMutant == -2 && noteMutant(number)
}

@inlinable public func mutantMin<T: Comparable>(_ n: Int32, _ a: T, _ b: T) -> T {
  mutant(n) ? max(a, b) : min(a, b)
}
@inlinable public func mutantMin<T: Comparable>(_ n: Int32, _ a: T, _ b: T, _ c: T) -> T {
  mutant(n) ? max(a, b, c) : min(a, b, c)
}
@inlinable public func mutantMax<T: Comparable>(_ n: Int32, _ a: T, _ b: T) -> T {
  mutant(n) ? min(a, b) : max(a, b)
}
@inlinable public func mutantMax<T: Comparable>(_ n: Int32, _ a: T, _ b: T, _ c: T) -> T {
  mutant(n) ? min(a, b, c) : max(a, b, c)
}
"""


def operator_name(number):
    """A name that no other operator has: digits of base 8 in mathematical signs."""
    signs = "∘∙⊕⊖⊗⊘⊙⊚"
    name = "⊛"
    while True:
        name += signs[number % 8]
        number //= 8
        if number == 0:
            return name


def operator_source(number, before, after):
    name = operator_name(number)
    start = f"@inlinable @inline(__always) public func {name} "

    def function(generics, left, right, result):
        return (f"{start}{generics}(a: {left}, b: {right}) -> {result} "
                f"{{ mutant({number}) ? a {after} b : a {before} b }}")

    if before in ("==", "!="):
        return [f"infix operator {name} : ComparisonPrecedence",
                function("<T: Equatable>", "T", "T", "Bool")]
    if before in ("<", "<=", ">", ">="):
        return [f"infix operator {name} : ComparisonPrecedence",
                function("<T: Comparable>", "T", "T", "Bool")]
    if before in ("&&", "||"):
        kind = "LogicalConjunctionPrecedence" if before == "&&" else "LogicalDisjunctionPrecedence"
        return [f"infix operator {name} : {kind}",
                f"{start}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool "
                f"{{ mutant({number}) ? try a {after} b() : try a {before} b() }}"]
    if before in ("+=", "-="):
        return [f"infix operator {name} : AssignmentPrecedence",
                f"{start}<T: AdditiveArithmetic>(a: inout T, b: T) "
                f"{{ if mutant({number}) {{ a {after} b }} else {{ a {before} b }} }}",
                f"{start}(a: inout TimeSpan, b: TimeSpan) "
                f"{{ a = mutant({number}) ? a {after[0]} b : a {before[0]} b }}"]
    lines = [f"infix operator {name} : AdditionPrecedence",
             function("<T: AdditiveArithmetic>", "T", "T", "T"),
             function("", "MediaTime", "MediaTime", "MediaTime"),
             function("", "TimeSpan", "TimeSpan", "TimeSpan"),
             function("", "Instant", "TimeSpan", "Instant")]
    if before == "-":
        lines.append(f"{start}(a: Instant, b: Instant) -> TimeSpan "
                     f"{{ mutant({number}) ? b - a : a - b }}")
    return lines


def rewritten(line, mutant):
    number, kind = mutant["id"], mutant["kind"]
    before, after = mutant["before"], mutant["after"]
    text = {
        "operator": operator_name(number),
        "literal": f"(mutant({number}) ? {after} : {before})",
        "negation": f"(mutant({number}) != ({before}))",
        "choice": f"(mutant({number}) ? {after} : {before})",
        "removal": f"if !mutant({number}) {{ {before} }}",
        "extreme": f"mutant{before.capitalize()}({number}, ",
    }[kind]
    end = mutant["to"] + (1 if kind == "extreme" else 0)
    return line[:mutant["from"]] + text + line[end:]
