# Values known only after an apply, with a provider that creates nothing.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  client_cidrs    = ["203.0.113.0/24"]
  artifact_bucket = "chatflow-artifacts"
  artifacts = {
    war        = { key = "chatflow/war/a.war", sha256 = "0000000000000000000000000000000000000000000000000000000000000001" }
    tomcat     = { key = "chatflow/tomcat/b.tar.gz", sha256 = "0000000000000000000000000000000000000000000000000000000000000002" }
    client     = { key = "chatflow/client/c.jar", sha256 = "0000000000000000000000000000000000000000000000000000000000000003" }
    monitoring = { key = "chatflow/monitoring/d.tar.gz", sha256 = "0000000000000000000000000000000000000000000000000000000000000004" }
  }
  amqp_passwords = {
    server   = "sentinel-server-0000000"
    consumer = "sentinel-consumer-00000"
    monitor  = "sentinel-monitor-000000"
    admin    = "sentinel-admin-00000000"
  }
  token_key     = "sentinel-token-00000000000000000000"
  erlang_cookie = "" # none for one broker
}

run "applied_user_data_is_whole_and_small" {
  command = apply
  variables {
    server_count = 4
    load_client  = true
    monitor      = true
  }

  assert {
    condition     = alltrue([for n in values(module.user_data.bytes) : n < 16384])
    error_message = "compressed user data below 16,384 bytes"
  }
  assert {
    condition     = alltrue([for i in concat(values(aws_instance.extra), [aws_instance.broker["1"]]) : i.subnet_id == aws_subnet.private[0].id]) && toset(aws_autoscaling_group.server.vpc_zone_identifier) == toset(aws_subnet.private[*].id) && toset(aws_lb.this.subnets) == toset(aws_subnet.public[*].id)
    error_message = "machines are in private subnets, only the balancer is in public ones"
  }
  assert {
    condition     = length(yamldecode(module.user_data.server).runcmd) == 2 && strcontains(module.user_data.server, "LimitNOFILE=1048576")
    error_message = "a server loads the kernel's settings, then is installed; the unit raises the file limit"
  }
  assert {
    condition     = strcontains(module.user_data.monitor, "region: us-east-1") && strcontains(module.user_data.monitor, "[chatflow]") && strcontains(module.user_data.monitor, "10.42.128.10:15692")
    error_message = "Prometheus finds the servers by tag and the broker by its fixed address"
  }
  assert {
    condition     = length(output.server_urls) == 2 && output.server_urls[0] == "ws://10.42.128.9:8080/chat" && output.client_url == "ws://chatflow.example/chat"
    error_message = "URLs for clients outside, and of the servers for measurements from inside"
  }
  assert {
    condition     = toset(keys(output.tunnels)) == toset(["management", "prometheus", "grafana"]) && output.client_session != null
    error_message = "a command for everything that has no open port"
  }
}
