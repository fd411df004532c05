"""Reads a benchmark from its file in infra/bench, with the settings of its rows. infra/bench/README.md describes the format."""
import itertools
import json
import tomllib

from ..common import ROOT, Problem, jvm

FILES = ROOT / "infra/bench"
#: Defaults of optional settings.
DEFAULTS = dict(about="", page="lab/performance.md", rounds=1, order="fleet", pause=0, heap="256m", jvm=" ".join(jvm("SERVER")), broker="rabbitmq",
                form="launcher", servers=1, balancer="none", affinity="off", neighbour="no", store="", settle=0, wire="chatflow",
                port=18400, hosts="", server_cpu=0.0, broker_cpu=0.0, client_cpu=0.0, speakers_apart=False, crowds=1)
#: Rows need separate servers for different values of these, and of every server key (in capitals).
OF_SERVERS = ("form", "broker", "servers", "balancer", "affinity", "heap", "jvm", "store", "server_cpu", "hosts")
ORDERS = ("fleet", "round", "together")


def names():
    """Returns the names of all benchmark files in alphabetical order."""
    return sorted(file.stem for file in FILES.glob("*.toml") if file.stem != "columns")


def matching(name):
    """Returns the benchmark of this name, or all with this prefix and a hyphen."""
    found = [one for one in names() if one == name] or [one for one in names() if one.startswith(name + "-")]
    if not found:
        raise Problem(f"no benchmark {name}; available: {', '.join([*names(), 'micro', 'code'])}")
    return found


def parsed(text, like):
    """Converts a value from the command line to the type in the file."""
    for kind in (int, float) if not isinstance(like, str) else ():
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class Plan:
    """The setup of one benchmark: its servers, varied values, load and columns."""

    def __init__(self, name, data, columns):
        self.name, self.data = name, data
        self.vary, self.load, self.warm = (data.pop(key, {}) for key in ("vary", "load", "warm"))
        self.steps, self.warm_steps = data.pop("step", []), data.pop("warm_step", [])
        self.ratio, self.theirs, self.exact_if = data.pop("ratio", {}), data.pop("theirs", {}), data.pop("exact_if", [])
        own = data.pop("column", {})
        self.columns = {one: own.get(one) or columns[one] for one in [*data.pop("columns", []), *own]}
        self.common = DEFAULTS | data
        if self.common["order"] not in ORDERS:
            raise Problem(f"{name}: order must be one of {', '.join(ORDERS)}")

    def override(self, key, text):
        """Applies --set KEY=VALUE: a value, or several varied ones separated by commas."""
        tables = [dimension for dimension, values in self.vary.items() if any(isinstance(one, dict) and key in one for one in values)]
        if key in self.warm:
            self.warm[key] = parsed(text.split(",")[-1], self.warm[key])
        if tables:
            wanted = text.split(",")
            self.vary[tables[0]] = [one for one in self.vary[tables[0]] if str(one.get(key)) in wanted]
            if not self.vary[tables[0]]:
                raise Problem(f"{self.name}: no row has {key}={text}")
        elif key in self.vary:
            self.vary[key] = [parsed(one, self.vary[key][0]) for one in text.split(",")]
        elif key in self.common:
            self.common[key] = parsed(text, self.common[key])
        elif key.isupper() or not self.steps:
            (self.common if key.isupper() else self.load)[key] = parsed(text, self.load.get(key))
        else:
            raise Problem(f"{self.name} has no {key}; it has {', '.join([*self.vary, *self.common])}")

    def settings(self):
        """Returns the rows in table order, each as a dict of varied values and one of all values."""
        for values in itertools.product(*self.vary.values()):
            shown, all_values = {}, dict(self.common)
            for dimension, value in zip(self.vary, values):
                tabled = value if isinstance(value, dict) else {dimension: value}
                all_values |= tabled
                shown |= {"name": tabled["name"]} if "name" in tabled else tabled
            yield shown, all_values

    def dimensions(self):
        """Returns the columns of the varied values."""
        return list(dict.fromkeys(key for shown, _ in self.settings() for key in shown))

    def fleets(self):
        """Returns the rows by the servers that they need."""
        found = {}
        for shown, setting in self.settings():
            key = tuple((key, str(value)) for key, value in sorted(setting.items()) if key in OF_SERVERS or key.isupper())
            found.setdefault(key, []).append((shown, setting))
        return list(found.values())

    def load_of(self, setting):
        """Returns the options of the load client, fixed and varied."""
        varied = {key: value for key, value in setting.items()
                  if key not in self.common and key not in ("name", "run", "cores") and not key.isupper()}
        return options(self.load | varied, setting)


def value_of(value, setting):
    """Evaluates a text with an equals sign as an expression over the row's values."""
    if isinstance(value, str) and value.startswith("="):
        return eval(value[1:], {"__builtins__": {}}, dict(setting))  # only files of this repository
    return value


def wire(name):
    """Returns the protocol of this name, as the crowd needs it."""
    wires = json.loads((FILES / "wires.json").read_text(encoding="utf-8"))
    if name not in wires:
        raise Problem(f"no protocol {name} in wires.json; available: {', '.join(wires)}")
    return wires[name]


def options(table, setting):
    """Returns the words of a command line; true is an option without a value."""
    words = []
    for key, value in table.items():
        value = value_of(value, setting)
        words += [f"--{key}"] if value is True else [f"--{key}", value] if value != "" else []
    return words


def read(name, overrides=()):
    """Reads the benchmark of this name; `overrides` are KEY=VALUE."""
    with open(FILES / "columns.toml", "rb") as columns, open(FILES / f"{name}.toml", "rb") as file:
        plan = Plan(name, tomllib.load(file), tomllib.load(columns))
    for one in overrides:
        key, sign, text = one.partition("=")
        if not sign:
            raise Problem(f"--set must be KEY=VALUE, found {one}")
        plan.override(key, text)
    return plan
