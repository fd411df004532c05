# User data of every kind of machine. No provider: what is checked here without AWS is what machines get.
terraform {
  required_version = ">= 1.11, < 2.0"
}

locals {
  repository = "${path.module}/../.."

  # The settings of the boot scripts. No secrets.
  machine = {
    NAME   = var.name
    REGION = var.region
    BUCKET = var.artifact_bucket
  }

  server_machine = merge(local.machine, {
    GROUP         = "${var.name}-server"
    HOOK          = var.hook
    WAR_KEY       = var.artifacts.war.key
    WAR_SHA256    = var.artifacts.war.sha256
    TOMCAT_KEY    = var.artifacts.tomcat.key
    TOMCAT_SHA256 = var.artifacts.tomcat.sha256
  })

  # The address is open on all interfaces: the security group lets only the monitor to the admin port.
  # The server's id is the machine's, which install-server asks for.
  server_env = merge({
    CHATFLOW_ADDRESS       = "0.0.0.0"
    CHATFLOW_PORT          = "8080"
    CHATFLOW_ADMIN_ADDRESS = "0.0.0.0"
    CHATFLOW_ADMIN_PORT    = "8081"
    CHATFLOW_TOKEN_KEYS    = "/srv/chatflow/conf/token.key" # install-server fetches it
    # From both limits service tokens are exempt, such as chatflow-load's.
    CHATFLOW_RATE_LIMIT      = "50"
    CHATFLOW_MAX_PER_ADDRESS = "200"
    CHATFLOW_SHARDS          = tostring(var.shards)
    CHATFLOW_DRAIN_DELAY     = "15s"
    CHATFLOW_DRAIN_TIMEOUT   = "45s"
  }, var.trusted_proxies == "" ? {} : { CHATFLOW_TRUSTED_PROXIES = var.trusted_proxies }, var.server_settings)

  env = { for kind, values in merge(
    { machine = local.server_machine, server = local.server_env },
    { for n, broker in var.brokers : "broker-${n}" => merge(local.machine, {
      VOLUME   = broker.volume, IMAGE_RABBITMQ = var.images.rabbitmq, SHARDS = tostring(var.shards)
      LOGS     = var.logs
      NODE     = n, NODES = tostring(length(var.brokers))
      NODENAME = length(var.brokers) > 1 ? "rabbit@${broker.host}" : "rabbit@localhost"
      LONGNAME = length(var.brokers) > 1 ? "true" : "false"
    }) },
    {
      client = merge(local.machine, { BROKER_HOST = var.brokers["1"].host, CLIENT_KEY = var.artifacts.client.key, CLIENT_SHA256 = var.artifacts.client.sha256 })
      monitor = merge(local.machine, {
        IMAGE_PROMETHEUS = var.images.prometheus, IMAGE_GRAFANA = var.images.grafana
        MONITORING_KEY   = var.artifacts.monitoring.key, MONITORING_SHA256 = var.artifacts.monitoring.sha256
      })
    },
  ) : kind => join("", [for k, v in values : "${k}=${v}\n"]) }

  fetch    = { path = "/usr/local/bin/chatflow-fetch", permissions = "0755", content = file("${path.module}/../files/chatflow-fetch") }
  sysctl   = { path = "/etc/sysctl.d/90-chatflow.conf", permissions = "0644", content = file("${local.repository}/systemd/90-chatflow.conf") }
  settings = "/etc/chatflow/machine.env"

  unit   = { for u in ["chatflow-leave", "chatflow-broker", "chatflow-watch", "chatflow-prometheus", "chatflow-grafana"] : u => { path = "/etc/systemd/system/${u}.service", permissions = "0644", content = file("${path.module}/../files/${u}.service") } }
  script = { for s in ["install-server", "install-broker", "install-monitor", "install-client", "chatflow-leave", "chatflow-load", "chatflow-logs", "chatflow-watch"] : s => { path = "/usr/local/bin/${s}", permissions = "0755", content = file("${path.module}/../files/${s}") } }

  timer = { path = "/etc/systemd/system/chatflow-watch.timer", permissions = "0644", content = file("${path.module}/../files/chatflow-watch.timer") }

  # As docs/how-to/run-one-server.md has them.
  cluster_conf = length(var.brokers) < 2 ? "" : join("", concat(
    ["\nnet_ticktime = 10\ncluster_partition_handling = pause_minority\ncluster_formation.peer_discovery_backend = classic_config\n"],
  [for n, broker in var.brokers : "cluster_formation.classic_config.nodes.${n} = rabbit@${broker.host}\n"]))

  dropin = <<-UNIT
    # This machine's part of chatflow.service.
    [Service]
    Environment="CATALINA_OPTS=${var.server_heap}"
    TimeoutStopSec=${min(var.drain_seconds - 15, 300)}
    StandardOutput=append:/var/log/chatflow/server.log
    StandardError=inherit
  UNIT

  # For CloudWatch's agent: one stream for each machine, by its id.
  shipped = jsonencode({ logs = { logs_collected = { files = { collect_list = [{
    file_path = "/var/log/chatflow/server.log", log_group_name = var.logs, log_stream_name = "{instance_id}"
  }] } } } })

  prometheus = templatefile("${path.module}/../templates/prometheus.yml.tftpl", {
    name = var.name, region = var.region, brokers = jsonencode([for broker in var.brokers : "${broker.host}:15692"])
  })

  cloud_config = {
    client = {
      packages = [var.jdk_package]
      write_files = [
        { path = local.settings, permissions = "0644", content = local.env.client },
        { path = "/etc/security/limits.d/90-chatflow.conf", permissions = "0644", content = "* - nofile 1048576\n" },
        local.sysctl, local.fetch, local.script["install-client"], local.script["chatflow-load"],
      ]
      runcmd = [["sysctl", "--quiet", "--system"], ["/usr/local/bin/install-client"]]
    }
    monitor = {
      packages = ["docker"]
      write_files = [
        { path = local.settings, permissions = "0640", content = local.env.monitor },
        { path = "/etc/chatflow/prometheus.yml", permissions = "0644", content = local.prometheus },
        { path = "/etc/chatflow/grafana/datasources/prometheus.yml", permissions = "0644", content = file("${path.module}/../files/grafana-datasources.yml") },
        { path = "/etc/chatflow/grafana/dashboards/chatflow.yml", permissions = "0644", content = file("${path.module}/../files/grafana-dashboards.yml") },
        local.fetch, local.script["install-monitor"], local.unit["chatflow-prometheus"], local.unit["chatflow-grafana"],
      ]
      runcmd = [["/usr/local/bin/install-monitor"]]
    }
  }

  broker_config = { for n in keys(var.brokers) : n => {
    packages = ["docker"]
    write_files = [
      { path = local.settings, permissions = "0640", content = local.env["broker-${n}"] },
      { path = "/etc/chatflow/rabbitmq.conf", permissions = "0644", content = "${file("${local.repository}/rabbitmq/rabbitmq.conf")}${local.cluster_conf}" },
      { path = "/etc/chatflow/enabled_plugins", permissions = "0644", content = file("${local.repository}/rabbitmq/enabled_plugins") },
      { path = "/etc/chatflow/definitions", permissions = "0755", content = file("${local.repository}/rabbitmq/definitions") },
      local.sysctl, local.fetch, local.script["install-broker"], local.script["chatflow-logs"], local.script["chatflow-watch"],
      local.unit["chatflow-broker"], local.unit["chatflow-watch"], local.timer,
    ]
    runcmd = [["sysctl", "--quiet", "--system"], ["/usr/local/bin/install-broker"]]
  } }

  server_config = {
    packages = [var.jdk_package, "amazon-cloudwatch-agent"]
    write_files = [
      { path = local.settings, permissions = "0644", content = local.env.machine },
      { path = "/etc/chatflow/logs.json", permissions = "0644", content = local.shipped },
      { path = "/etc/logrotate.d/chatflow", permissions = "0644", content = file("${path.module}/../files/logrotate") },
      { path = "/etc/chatflow/chatflow.env", permissions = "0640", content = local.env.server },
      { path = "/etc/chatflow/server.xml", permissions = "0644", content = file("${local.repository}/tomcat/server.xml") },
      { path = "/etc/chatflow/setenv.sh", permissions = "0755", content = file("${local.repository}/tomcat/setenv.sh") },
      { path = "/etc/systemd/system/chatflow.service", permissions = "0644", content = file("${local.repository}/systemd/chatflow.service") },
      { path = "/etc/systemd/system/chatflow.service.d/machine.conf", permissions = "0644", content = local.dropin },
      local.sysctl, local.fetch, local.script["install-server"], local.script["chatflow-leave"], local.unit["chatflow-leave"],
    ]
    runcmd = [["sysctl", "--quiet", "--system"], ["/usr/local/bin/install-server"]]
  }
}

output "server" {
  description = "Every server's machine."
  value       = "#cloud-config\n${yamlencode(local.server_config)}"
}

output "broker" {
  description = "By node."
  value       = { for n in keys(var.brokers) : n => "#cloud-config\n${yamlencode(local.broker_config[n])}" }
}

output "client" {
  description = "The load client's machine."
  value       = "#cloud-config\n${yamlencode(local.cloud_config.client)}"
}

output "monitor" {
  description = "Prometheus and Grafana."
  value       = "#cloud-config\n${yamlencode(local.cloud_config.monitor)}"
}

output "bytes" {
  description = "Compressed size of each; a machine takes 16,384."
  value = { for kind, text in merge(
    { server = "#cloud-config\n${yamlencode(local.server_config)}" },
    { for n in keys(var.brokers) : "broker-${n}" => "#cloud-config\n${yamlencode(local.broker_config[n])}" },
    { for k, c in local.cloud_config : k => "#cloud-config\n${yamlencode(c)}" },
  ) : kind => floor(length(base64gzip(text)) * 3 / 4) }
}
