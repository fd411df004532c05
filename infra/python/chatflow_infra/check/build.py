"""The build with its tests and gates."""
import os
import re
import subprocess

from ..common import ROOT, Problem, Skipped, call
from .registry import DEFAULT, NAMED, NEEDS, check


def revision():
    """Returns the commit for /health."""
    try:
        return call("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD").strip()
    except (Problem, OSError):
        return "unknown"


def failures(lines):
    """Returns Maven's errors of failed tests or gates, without the advice at their end."""
    errors = [line.removeprefix("[ERROR] ").rstrip() for line in lines if line.startswith("[ERROR] ")]
    return list(dict.fromkeys(line for line in errors if line and not re.match(r"To see|Re-run|For more|After correcting|See |-> \[Help|\[Help|  mvn ", line)))


def maven(run, *arguments, politely=False, **environment):
    """Runs Maven with low priority and its output in the check's log; returns the number of tests."""
    command = [*(("nice", "-n", "10") if politely else ()), "mvn", "-B", *arguments, f"-Dbuild.revision={revision()}"]
    run.say(" ".join(command))
    said = []
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | environment, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            run.say(line.rstrip())
            said.append(line)
    tests = sum(int(count) for count in re.findall(r"(?m)^\[\w+\] Tests run: (\d+), .* in ", "".join(said)))
    if process.returncode:
        raise Problem("\n".join(["", *failures(said), f"mvn ended with {process.returncode} after {tests:,} tests"]))
    return f"{tests:,} tests"


@check("build", "the build with its gates and all Java tests: integration tests on the embedded broker, RabbitMQ and PostgreSQL, pages in Chromium",
       580, when=DEFAULT, needs=("maven",), wants=("rabbitmq", "postgres", "headless-chromium", "ss"))
def build(run):
    """Runs the build. Integration tests use RabbitMQ and Chromium if available, and report if not."""
    environment = {}
    stamps = [ROOT / "target" / name for name in ("build.stamp", "lab.stamp")]
    for stamp in stamps:  # earlier than any edit during the build
        stamp.with_suffix(".stamp.new").touch()
    for need in ("rabbitmq", "headless-chromium"):
        if not NEEDS[need].is_there():
            run.session.add("SKIPPED", run.check, f"tests that need it: {NEEDS[need].lacks}")
    try:
        environment["CHATFLOW_TEST_POSTGRES"] = run.site.postgres().url
    except Skipped as e:
        run.session.add("SKIPPED", run.check, f"tests that need PostgreSQL: {e}")
    told = maven(run, "verify", **environment)
    for stamp in stamps:  # saves ./chatflow another build
        stamp.with_suffix(".stamp.new").replace(stamp)
    return told


@check("long-tests", 'Java tests with the tag "long", and of three RabbitMQ nodes', 190, needs=("maven",), wants=("debootstrap", "ip"))
def long_tests(run):
    """Runs only the tests that a normal build omits."""
    run.session.built()
    environment, cluster = {}, run.directory / "rabbitmq-cluster"
    try:
        run.session.rabbitmq_cluster()
        environment["CHATFLOW_TEST_RABBITMQ_CLUSTER"] = str(cluster)
    except Skipped as e:
        run.session.add("SKIPPED", run.check, f"tests that need three nodes of RabbitMQ: {e}")
    try:
        return maven(run, "verify", "-Dgroups=long", "-Dtest=None", "-Dtest.excluded=", "-Djacoco.skip=true", "-Dsurefire.failIfNoSpecifiedTests=false",
                     **environment)
    finally:
        if cluster.exists():
            subprocess.run([ROOT / "infra/rabbitmq/test-broker", "remove", cluster], check=False)


def simulate(run, test, *arguments):
    """Runs seeds of the simulation, in parallel to checks that mostly wait, because it uses simulated time."""
    return maven(run, "test", "-pl", "server", "-am", f"-Dtest={test}", "-Dtest.jvm.short=-XX:+UseParallelGC", "-Djacoco.skip=true",
                 "-Dsurefire.failIfNoSpecifiedTests=false", *arguments, politely=True)


@check("lincheck", "the room log is linearizable in 20 scenarios with 150 interleavings each", 40, needs=("maven",))
def lincheck(run):
    return maven(run, "test", "-pl", "consumer-lib", "-Dtest=RoomLogLincheckTest", "-Djacoco.skip=true", "-Dlincheck.scenarios=20",
                 "-Dlincheck.invocations=150", politely=True)


@check("simulation", "servers and their clients in simulated time: seeds 20,001 to 100,000; the build plays the first 20,000", 400, needs=("maven",))
def simulation(run):
    """Runs the product's own code; a reader of the complete log judges. A failing seed is shrunk and printed with its steps."""
    return simulate(run, "SimulationTest", "-Dsimulation.base=20001", "-Dsimulation.seeds=80000")


@check("simulation-new", "the same with different seeds for each commit", 480, when=NAMED, needs=("maven",))
def simulation_new(run):
    """Searches new defects: a failing seed is a defect, though not always of the commit."""
    base = int(call("git", "-C", ROOT, "rev-parse", "HEAD")[:12], 16)
    return simulate(run, "SimulationTest", "-Dsimulation.seeds=100000", f"-Dsimulation.base={base}")


@check("mutants", "the simulation detects, within 20,000 seeds, omitted rules that rarely show; the build plays the others", 260, needs=("maven",))
def mutants(run):
    """Changes one method of the product per mutant."""
    return simulate(run, "MutantsTest", "-Dsimulation.mutant.played=500", "-Dsimulation.mutant.seeds=20000")
