"""Applies and destroys against moto, a local imitation of AWS."""
import json
import subprocess

from ..common import Skipped, call, expect, free_port, get, need, wait_until
from .workshop import AWS

KEY = "sentinel-token-0123456789abcdef0123456789"
COOKIE = "sentinel0cookie0123456789abcdef0123456789"
SECRETS = {u: f"sentinel-{u}-0123456789" for u in ("server", "consumer", "monitor", "admin")}
KEYS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing", "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true", "MOTO_IAM_LOAD_MANAGED_POLICIES": "true"}


def applied_and_destroyed(workshop):
    """1, 2 and 4 servers applied to moto and destroyed; state without secrets, only the balancer open"""
    server = need("moto_server", "moto[server] (PyPI)")
    try:
        import boto3
    except ImportError as e:
        raise Skipped("package boto3 (PyPI) is not installed") from e
    workshop.initialised()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environment = workshop.environment | KEYS | {"AWS_ENDPOINT_URL": url}
    log = open(workshop.directory / "moto.log", "wb")
    process = subprocess.Popen([server, "-H", "127.0.0.1", "-p", str(port)], env=environment, stdin=subprocess.DEVNULL,
                               stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_until(lambda: get(f"{url}/moto-api/")[0] == 200 or process.poll() is not None, "moto_server answers")

        def client(service):
            return boto3.client(service, endpoint_url=url, region_name="us-east-1", aws_access_key_id="testing",
                                aws_secret_access_key="testing")

        uploaded(workshop, environment, client("s3"))
        counts = []
        for count, options in ((1, {}), (2, {"balancer": "nlb", "load_client": True, "monitor": True}), (4, {"broker_nodes": 3})):
            counts.append(round_trip(workshop, environment, client, count, options))
        return ", ".join(counts)
    finally:
        process.kill()  # not kept
        process.wait(20)
        log.close()


def uploaded(workshop, environment, s3):
    """Runs the script twice."""
    values = workshop.infra / "aws/artifacts.auto.tfvars.json"
    folder = workshop.directory / "artifacts"
    folder.mkdir()
    files = {}
    for name in ("WAR", "CLIENT", "TOMCAT"):
        files[name] = str(folder / name)
        (folder / name).write_text(name, encoding="utf-8")
    for part in ("rules", "dashboards"):
        (folder / part).mkdir()
    need("aws", "awscli (2, or 1 of PyPI)")
    for _ in range(2):
        call(AWS / "upload", "--bucket", "chatflow-artifacts", "--out", values, environment=environment | files | {"MONITORING": str(folder)})
    keys = {o["Key"] for o in s3.list_objects_v2(Bucket="chatflow-artifacts")["Contents"]}
    noted = json.loads(values.read_text(encoding="utf-8"))["artifacts"]
    expect(keys == {a["key"] for a in noted.values()}, f"uploaded {keys}, noted {noted}")
    expect(s3.get_public_access_block(Bucket="chatflow-artifacts")["PublicAccessBlockConfiguration"]["BlockPublicPolicy"], "bucket open")


def round_trip(workshop, environment, client, count, options):
    variables = {"client_cidrs": ["203.0.113.0/24"], "server_count": count, "amqp_passwords": SECRETS, "token_key": KEY, "erlang_cookie": COOKIE,
                 "detailed_monitoring": False} | options
    (workshop.infra / "aws/moto.auto.tfvars.json").write_text(json.dumps(variables), encoding="utf-8")
    out = workshop.terraform("apply", "-input=false", "-no-color", "-auto-approve", environment=environment)
    try:
        state(workshop, environment)
        firewall(client("ec2"), options)
        servers(client, count, options)
        secrets(client, count, options.get("broker_nodes", 1))
    finally:
        gone = workshop.terraform("destroy", "-input=false", "-no-color", "-auto-approve", environment=environment)
    made = out.split("Apply complete! Resources: ")[1].split(" ")[0]
    expect(f"Resources: {made} destroyed" in gone, gone[-400:])
    nothing_left(client)
    return f"{count} servers {made} resources"


def state(workshop, environment):
    text = (workshop.infra / "aws/terraform.tfstate").read_text(encoding="utf-8")
    text += workshop.terraform("output", "-json", environment=environment)
    expect(KEY not in text and COOKIE not in text, "the token key or the nodes' cookie is in the state")
    for user, password in SECRETS.items():
        expect(password not in text, f"the password of {user} is in the state")
    expect("chatflow/server/amqp_uri" in text, "that state is not this one")


def firewall(ec2, options):
    groups = {g["GroupId"]: g for g in ec2.describe_security_groups()["SecurityGroups"] if g["GroupName"].startswith("chatflow-")}
    open_to_addresses = {g["GroupName"] for g in groups.values() for p in g["IpPermissions"] if p["IpRanges"] or p.get("Ipv6Ranges")}
    expect(open_to_addresses == {"chatflow-balancer"}, f"open to addresses: {open_to_addresses}")
    addresses = {f"{a['PublicIp']}/32" for a in ec2.describe_addresses()["Addresses"]} if "load_client" in options else set()
    for group in groups.values():
        for permission in group["IpPermissions"]:
            strangers = {r["CidrIp"] for r in permission["IpRanges"]} - {"203.0.113.0/24"} - addresses
            expect(not strangers, f"{group['GroupName']}: {permission}")
            one = permission.get("FromPort") == permission.get("ToPort")
            expect(one or group["GroupName"] == "chatflow-broker" and permission["FromPort"] == 6000, f"a range of ports: {permission}")
    for instance in instances(ec2):
        expect(not instance.get("PublicIpAddress"), f"{instance['InstanceId']} has a public address")
        expect(instance["MetadataOptions"]["HttpTokens"] == "required" or "aws:autoscaling:groupName" in tags(instance), "IMDSv1")
    expect(len(groups) == 3 + len({"load_client", "monitor"} & set(options)), f"{len(groups)} groups")


def instances(ec2):
    live = [{"Name": "instance-state-name", "Values": ["pending", "running"]}]
    return [i for r in ec2.describe_instances(Filters=live)["Reservations"] for i in r["Instances"]]


def tags(thing):
    return {t["Key"]: t["Value"] for t in thing.get("Tags", [])}


def servers(client, count, options):
    groups = client("autoscaling").describe_auto_scaling_groups()["AutoScalingGroups"]
    expect([g["AutoScalingGroupName"] for g in groups] == ["chatflow-server"], groups)
    expect(all(len(g["Instances"]) == count and g["MaxSize"] == 2 * count for g in groups), "the servers in one group")
    for group in groups:
        hooks = client("autoscaling").describe_lifecycle_hooks(AutoScalingGroupName=group["AutoScalingGroupName"])["LifecycleHooks"]
        expect([h["HeartbeatTimeout"] for h in hooks] == [180], f"hooks: {hooks}")
    kinds = [tags(i).get("Role") for i in instances(client("ec2"))]
    wanted = {"server": count, "broker": options.get("broker_nodes", 1), "client": int("load_client" in options), "monitor": int("monitor" in options)}
    expect(all(kinds.count(k) == n for k, n in wanted.items()), f"machines: {kinds}")
    elb = client("elbv2")
    balancer = elb.describe_load_balancers()["LoadBalancers"][0]
    expect(balancer["Type"] == ("network" if options.get("balancer") == "nlb" else "application"), balancer["Type"])


def secrets(client, count, brokers):
    values = {}
    for page in client("ssm").get_paginator("get_parameters_by_path").paginate(Path="/chatflow", Recursive=True, WithDecryption=True):
        values |= {p["Name"]: p["Value"] for p in page["Parameters"]}
    uri = values.get("/chatflow/server/amqp_uri", "")
    expect(SECRETS["server"] in uri and uri.count(":5672") == brokers, f"{count}: no URI for the servers: {sorted(values)}")
    expect(values.get("/chatflow/broker/erlang_cookie") == (COOKIE if brokers > 1 else None), "the nodes' cookie")
    expect(not any(SECRETS["admin"] in v for n, v in values.items() if not n.startswith("/chatflow/broker/")), "admin's password is in another parameter")


def nothing_left(client):
    ec2 = client("ec2")
    left = [i["InstanceId"] for i in instances(ec2)] + [v["VpcId"] for v in ec2.describe_vpcs()["Vpcs"] if not v["IsDefault"]]
    left += [r["RoleName"] for r in client("iam").list_roles()["Roles"] if r["RoleName"].startswith("chatflow")]
    left += [p["Name"] for p in client("ssm").get_parameters_by_path(Path="/chatflow", Recursive=True)["Parameters"]]
    left += [b["LoadBalancerName"] for b in client("elbv2").describe_load_balancers()["LoadBalancers"]]
    expect(not left, f"left behind: {left}")
