"""The build with its tests and gates."""
import os
import re
import subprocess

from ..common import ROOT, Problem, Skipped, call
from .registry import LONG, NEEDS, QUICK, check

LOG = ROOT / "target/verify.log"
SHOWN = re.compile(r"Tests run:.*in |ERROR|BUILD|Building ChatFlow|Reactor Summary")


def revision():
    """The commit that is built, for /health."""
    try:
        return call("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD").strip()
    except (Problem, OSError):
        return "unknown"


def maven(run, log, *arguments, politely=False, **environment):
    """Runs Maven, with its progress on the screen, politely: others have the machine first; the number of tests."""
    run.progress(f"mvn {' '.join(arguments)} ... (everything is in {log.relative_to(ROOT)})")
    tests = 0
    with open(log, "w", buffering=1, encoding="utf-8") as out, subprocess.Popen(
            [*(("nice", "-n", "10") if politely else ()), "mvn", "-B", *arguments, f"-Dbuild.revision={revision()}"], cwd=ROOT, env=os.environ | environment, text=True,
            errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            out.write(line)
            counted = re.search(r"Tests run: (\d+), .* in ", line)
            tests += int(counted[1]) if counted else 0
            if SHOWN.search(line):
                run.progress(line.rstrip())
    if process.returncode:
        raise Problem(f"mvn ended with {process.returncode} after {tests} tests: see {log.relative_to(ROOT)}")
    return tests


@check("build", "the build with its tests and gates (--quick: without integration tests)", 830, when=QUICK, needs=("maven",),
       wants=("rabbitmq", "postgres", "chromium", "ss", "debootstrap", "ip"), quick_seconds=150)
def build(run):
    """Integration tests meet RabbitMQ and Chromium where they are; where not, they say so themselves."""
    session, environment = run.session, {}
    stamps = [ROOT / "target" / name for name in ("build.stamp", "lab.stamp")]
    for stamp in stamps:  # from before: what is edited meanwhile is newer
        stamp.with_suffix(".stamp.new").touch()
    if session.mode == QUICK:
        tests = maven(run, LOG, "verify", "-T2", "-DskipITs", "-Djacoco.skip")  # the coverage floor counts integration tests
    else:
        try:
            environment["CHATFLOW_TEST_RABBITMQ"] = session.rabbitmq().management_of_guest
            environment["CHATFLOW_TEST_RABBITMQ_NODE"] = str(run.directory / "rabbitmq-to-stop")
        except Skipped as e:
            session.add("SKIPPED", run.check, f"every test with RabbitMQ: {e}")
        cluster = run.directory / "rabbitmq-cluster"
        try:
            session.rabbitmq_cluster()
            environment["CHATFLOW_TEST_RABBITMQ_CLUSTER"] = str(cluster)
        except Skipped as e:
            session.add("SKIPPED", run.check, f"tests with three nodes of RabbitMQ: {e}")
        try:
            environment["CHATFLOW_TEST_POSTGRES"] = run.site.postgres().url
        except Skipped as e:
            session.add("SKIPPED", run.check, f"every test with PostgreSQL: {e}")
        if not NEEDS["chromium"].is_there():
            session.add("SKIPPED", run.check, f"the page in a browser: {NEEDS['chromium'].lacks}")
        try:
            tests = maven(run, LOG, "verify", "-T2", "-Dsimulation.seeds=1000", **environment)  # `simulation` plays these and more
        finally:
            subprocess.run([ROOT / "infra/rabbitmq/test-broker", "stop", run.directory / "rabbitmq-to-stop"], check=False)
            if cluster.exists():
                subprocess.run([ROOT / "infra/rabbitmq/test-broker", "remove", cluster], check=False)
    for stamp in stamps:  # ./chatflow need not build it again
        stamp.with_suffix(".stamp.new").replace(stamp)
    return f"{tests} tests"


@check("long-tests", 'tests with the tag "long"', 60, when=LONG, needs=("maven",))
def long_tests(run):
    """After the build: only what a usual one leaves out."""
    run.session.built()
    tests = maven(run, ROOT / "target/verify-long.log", "verify", "-Dgroups=long", "-Dtest.excluded=", "-Djacoco.skip=true",
                  "-Dsurefire.failIfNoSpecifiedTests=false")
    return f"{tests} tests"


def simulate(run, log, test, *arguments):
    """Seeds of the simulation, which know no time: what waits most of the time runs beside them."""
    return maven(run, ROOT / "target" / log, "test", "-pl", "server", "-am", f"-Dtest={test}", "-Djacoco.skip=true",
                 "-Dsurefire.failIfNoSpecifiedTests=false", *arguments, politely=True)


@check("simulation", "servers and their clients in simulated time: 100,000 seeds", 280, needs=("maven",))
def simulation(run):
    """The product's own code; who reads the log from its birth judges. A seed that fails is shrunk, and told with its steps."""
    return f"{simulate(run, 'simulation.log', 'SimulationTest', '-Dsimulation.seeds=100000')} tests"


@check("simulation-long", "the same with seeds that each commit has for itself", 480, when=LONG, needs=("maven",))
def simulation_long(run):
    """They may find what nobody has met: a seed that fails is a defect, though not always of the commit."""
    base = int(call("git", "-C", ROOT, "rev-parse", "HEAD")[:12], 16)
    return f"{simulate(run, 'simulation-long.log', 'SimulationTest', '-Dsimulation.seeds=100000', f'-Dsimulation.base={base}')} tests"


@check("mutants", "the simulation notices each rule that is left out, within 2,000 seeds", 40, needs=("maven",))
def mutants(run):
    """One method of the product is changed for each."""
    return f"{simulate(run, 'mutants.log', 'MutantsTest', '-Dsimulation.mutant.seeds=2000')} tests"


@check("mutants-long", "the same with all rules, within 20,000 seeds", 600, when=LONG, needs=("maven",))
def mutants_long(run):
    """All of them, at full length."""
    return f"{simulate(run, 'mutants-long.log', 'MutantsTest', '-Dsimulation.mutant.seeds=20000')} tests"
