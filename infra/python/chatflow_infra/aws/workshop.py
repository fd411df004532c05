"""Resources that gates share: a copy of infra to work in, the rendered user data."""
import json
import os
import shutil

from ..common import ROOT, Problem, Skipped, call, expect, need

AWS = ROOT / "infra/aws"


def executable(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)
    return file


def import_yaml():
    try:
        import yaml
    except ImportError as e:
        raise Skipped("package python3-yaml is not installed") from e
    return yaml


SUM = "0" * 63
VALUES = {
    "artifact_bucket": "chatflow-artifacts",
    "artifacts": {kind: {"key": f"chatflow/{kind}/{SUM}{n}.{suffix}", "sha256": f"{SUM}{n}"} for n, (kind, suffix) in enumerate(
        {"war": "war", "tomcat": "tar.gz", "client": "jar", "monitoring": "tar.gz"}.items())},
}
#: Also user data of a cluster's machines.
BROKERS = {str(n): {"host": f"10.42.{112 + 16 * n}.10", "volume": f"vol-000000000000000{n}"} for n in (1, 2, 3)}


class Workshop:
    """The temporary directory of one run, with shared resources that are created once."""

    def __init__(self, directory):
        self.directory = directory
        directory.mkdir(parents=True)
        self._infra = self._rendered = self._initialised = None

    @property
    def environment(self):
        """Returns Terraform's environment: no settings of the caller, no colours, data outside the sources."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "AWS_"))}
        return kept | {"TF_CLI_CONFIG_FILE": "/dev/null", "TF_IN_AUTOMATION": "1", "CHECKPOINT_DISABLE": "1",
                       "AWS_EC2_METADATA_DISABLED": "true"}

    @property
    def infra(self):
        """Returns a copy of infra/ for Terraform's files."""
        if not self._infra:
            self._infra = self.directory / "infra"
            ignore = shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.auto.tfvars*", "__pycache__", "lab", "python")
            shutil.copytree(ROOT / "infra", self._infra, ignore=ignore)
        return self._infra

    def terraform(self, *arguments, folder="aws", environment=None, timeout=1200):
        return call(need("terraform", "terraform (1.11 or later)"), *arguments, directory=self.infra / folder,
                    environment=environment or self.environment, timeout=timeout)

    def initialised(self):
        """Returns the root module with its provider; raises Skipped if that is unavailable."""
        if self._initialised is None:
            plugins = os.environ.get("CHATFLOW_TF_PLUGIN_DIR")
            try:
                self.terraform("init", "-input=false", "-no-color", "-backend=false",
                               *([f"-plugin-dir={plugins}"] if plugins else []), timeout=300)
                self._initialised = ""
            except Problem as e:
                text = " ".join(str(e).split())
                expect("could not connect" in text or "Failed to query" in text or "provider registry" in text, str(e))
                self._initialised = "the AWS provider is unavailable: no network; set CHATFLOW_TF_PLUGIN_DIR to a plugin directory"
        if self._initialised:
            raise Skipped(self._initialised)

    @property
    def rendered(self):
        """Returns user data by kind of machine, as text."""
        if not self._rendered:
            self.terraform("init", "-input=false", "-no-color", folder="aws/render")
            out = self._render(VALUES)
            self._rendered = {"server": out["server"], "broker": out["broker"]["1"], "client": out["client"], "monitor": out["monitor"]}
            several = self._render(VALUES | {"brokers": BROKERS})
            self._rendered |= {f"broker-{n}": text for n, text in several["broker"].items()}
            self._rendered["monitor-of-several"] = several["monitor"]
        return self._rendered

    def _render(self, values):
        (self.infra / "aws/render/terraform.tfvars.json").write_text(json.dumps(values), encoding="utf-8")
        self.terraform("apply", "-input=false", "-no-color", "-auto-approve", folder="aws/render")
        return {name: out["value"] for name, out in json.loads(self.terraform("output", "-json", folder="aws/render")).items()}

    def machine(self, kind):
        """Returns the parsed cloud-config of a kind of machine."""
        return import_yaml().safe_load(self.rendered[kind])

    def files(self, kind):
        """Returns the files that cloud-init writes: path -> entry."""
        return {f["path"]: f for f in self.machine(kind)["write_files"]}
