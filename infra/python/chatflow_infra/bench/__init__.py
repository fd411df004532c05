"""Measures ChatFlow: ./chatflow bench NAME [--set KEY=VALUE]... [--repeat ROUNDS] [--docs]

{list}
  micro [--include REGEX] [--seconds S]
                    JMH: codec, room log, lane, people
  code [--revision COMMIT]
                    lines, files, methods and packages of the sources; needs no build

NAME       one of these; a common prefix runs all with it: scaling, tables
--set      replaces a value of the file in infra/bench: a varied value (several with commas, for example
           rate=200,1000), a setting, a key of the servers (CHATFLOW_...) or an option of the load client
--repeat   rounds
--docs     writes the table to its page in docs

Everything runs on loopback and is stopped at the end. Needs Linux (/proc). Settings take turns within a round. CPU is user + system
of whole processes. A window in which others used more than 5 % of the cores is flagged and not counted, unless all were. Rows as
JSON and the table go to results/.
"""
import argparse

from ..common import Problem
from ..quota import QuotaError
from . import code, micro, plan, runner

COMMANDS = {"micro": micro, "code": code}


def usage():
    listed = "\n".join(f"  {name:<17} {plan.read(name).common['about']}" for name in plan.names())
    return __doc__.replace("{list}", listed)


def main(arguments):
    is_check = arguments[:1] == ["--parse-only"]
    arguments = arguments[is_check:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        return 0
    parser = argparse.ArgumentParser(prog="./chatflow bench", usage=argparse.SUPPRESS, description=usage(),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--repeat", type=int)
    command = COMMANDS.get(arguments[0])
    if command:
        command.add_options(parser)
    else:
        parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
        parser.add_argument("--docs", action="store_true")
    options = parser.parse_args(arguments)
    try:
        plans = [] if command else [plan.read(name, options.set) for name in plan.matching(options.name)]
        if is_check:
            return 0
        if command:
            return command.main(options)
        is_exact = all([runner.run(each, options.repeat or each.common["rounds"], options.docs) for each in plans])
        return 0 if is_exact else "a run lost, duplicated or reordered deliveries: see the verdicts"
    except (Problem, QuotaError) as e:
        return f"bench: {e}"
