"""Checks infra/aws without an AWS account, as gates of ./chatflow test: each returns PASS, FAIL, or SKIPPED with its missing requirement.

The AWS provider is from the plugin directory in CHATFLOW_TF_PLUGIN_DIR (in the layout of terraform providers mirror), or from
terraform init.
"""
from ..check.registry import ALL, NAMED, check
from . import boot, design, machines, moto, texts
from .workshop import Workshop

TERRAFORM = ("terraform",)
MACHINE = ("linux", "root", "terraform", "curl")
GATES = [
    # name, gate, seconds, needs, whether it needs the packaged programs
    ("format", design.formatted, 1, TERRAFORM, False),
    ("sources", design.sources, 1, (), False),
    ("validate", design.valid, 7, TERRAFORM, False),
    ("design", design.tested, 70, TERRAFORM, False),
    ("cloud-init", texts.cloud_init, 5, ("terraform", "cloud-init"), False),
    ("units", texts.units, 2, ("systemd",), False),
    ("prometheus", texts.prometheus, 1, ("terraform", "prometheus"), False),
    ("fetch", boot.fetch, 2, (), False),
    ("leave", boot.leave, 2, ("curl",), False),
    ("load", boot.load, 1, (), False),
    ("upload", boot.upload, 1, (), False),
    ("logs", boot.logs, 1, (), False),
    ("watch", boot.watch, 1, ("curl",), False),
    ("server", machines.server, 7, MACHINE, True),
    ("broker", machines.broker, 7, (*MACHINE, "rabbitmq", "xfs"), False),
    ("monitor", machines.monitor, 6, (*MACHINE, "prometheus"), False),
    ("client", machines.client, 1, MACHINE, True),
    ("moto", moto.applied_and_destroyed, 400, TERRAFORM, False),
]


def _register(name, gate, seconds, needs, uses_programs):
    @check(f"aws-{name}", gate.__doc__.strip().splitlines()[0], seconds, needs=needs, uses_programs=uses_programs,
           when=NAMED if gate is moto.applied_and_destroyed else ALL)
    def judged(run):
        return gate(run.session.share("workshop", lambda: Workshop(run.session.site.directory / "aws")))


for each in GATES:
    _register(*each)
