# The design, with a provider that makes nothing.

mock_provider "aws" {
  source          = "./tests/mocks"
  override_during = plan
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
  token_key = "sentinel-token-00000000000000000000"
}

run "servers_are_one_self_healing_group" {
  command = plan
  variables {
    server_count = 4
  }

  assert {
    condition     = aws_autoscaling_group.server.min_size == 4 && aws_autoscaling_group.server.desired_capacity == 4 && aws_autoscaling_group.server.max_size == 8 && aws_autoscaling_group.server.health_check_type == "ELB"
    error_message = "the group holds the servers, replaces each by the balancer's judgement, and has room for the next ones beside them"
  }
  assert {
    condition     = aws_autoscaling_group.server.instance_refresh[0].preferences[0].min_healthy_percentage == 100 && aws_autoscaling_group.server.instance_refresh[0].preferences[0].max_healthy_percentage == 125 && aws_autoscaling_group.server.instance_refresh[0].preferences[0].auto_rollback
    error_message = "one after the other: a replacement starts before the old server goes, and is taken back when it fails"
  }
  assert {
    condition     = aws_autoscaling_group.server.min_elb_capacity == 4
    error_message = "an apply ends when the balancer uses all servers"
  }
  assert {
    condition     = !strcontains(module.user_data.server, "CHATFLOW_SERVER_ID=server") && strcontains(module.user_data.server, "GROUP=chatflow-server\n")
    error_message = "a server's id is its machine's: two never share one"
  }
}

run "logs_leave_the_machines" {
  command = plan

  assert {
    condition     = aws_cloudwatch_log_group.this.name == "/chatflow" && aws_cloudwatch_log_group.this.retention_in_days == 30
    error_message = "one group of logs, kept for a month"
  }
  assert {
    condition     = strcontains(module.user_data.server, "StandardOutput=append:/var/log/chatflow/server.log") && strcontains(module.user_data.server, "amazon-cloudwatch-agent") && strcontains(module.user_data.broker["1"], "--log-driver awslogs")
    error_message = "the server's output goes to the agent, the broker's to the driver"
  }
}

run "a_leaving_server_is_empty_before_the_balancer_cuts" {
  command = plan

  assert {
    condition     = one(aws_autoscaling_group.server.initial_lifecycle_hook).heartbeat_timeout == var.drain_seconds + 60 && one(aws_autoscaling_group.server.initial_lifecycle_hook).default_result == "CONTINUE"
    error_message = "the hook outlasts the drain and lets go by itself"
  }
  assert {
    condition     = tonumber(aws_lb_target_group.shared.deregistration_delay) == var.drain_seconds && var.drain_seconds > aws_lb_target_group.shared.health_check[0].interval * aws_lb_target_group.shared.health_check[0].unhealthy_threshold
    error_message = "the balancer gives drain_seconds, more than it needs to see a server fail"
  }
  assert {
    condition     = strcontains(module.user_data.server, "CHATFLOW_DRAIN_DELAY=15s") && strcontains(module.user_data.server, "CHATFLOW_DRAIN_TIMEOUT=45s") && strcontains(module.user_data.server, "TimeoutStopSec=105")
    error_message = "delay and drain (60 s) end before the unit's stop (105 s), that before the balancer cuts (120 s)"
  }
}

run "strangers_are_bounded_by_their_own_address" {
  command = plan

  assert {
    condition     = strcontains(module.user_data.server, "CHATFLOW_TOKEN_KEYS=/srv/chatflow/conf/token.key") && strcontains(module.user_data.server, "CHATFLOW_RATE_LIMIT=50") && strcontains(module.user_data.server, "CHATFLOW_MAX_PER_ADDRESS=200")
    error_message = "tokens are asked for, and one address has so many connections and so many frames a second"
  }
  assert {
    condition     = strcontains(module.user_data.server, "CHATFLOW_TRUSTED_PROXIES=${var.vpc_cidr}")
    error_message = "the balancer's X-Forwarded-For is believed, or all have its address"
  }
}

run "health_is_asked_as_the_assignment_says" {
  command = plan

  assert {
    condition     = aws_lb_target_group.shared.health_check[0].path == "/health" && aws_lb_target_group.shared.health_check[0].interval == 30 && aws_lb_target_group.shared.health_check[0].timeout == 5 && aws_lb_target_group.shared.health_check[0].healthy_threshold == 2 && aws_lb_target_group.shared.health_check[0].unhealthy_threshold == 3
    error_message = "GET /health each 30 s, 5 s patience, 2 to be well, 3 to be ill"
  }
  assert {
    condition     = aws_lb_target_group.shared.stickiness[0].type == "lb_cookie" && aws_lb_target_group.shared.stickiness[0].cookie_duration == 86400
    error_message = "the balancer's cookie for a day"
  }
  assert {
    condition     = aws_lb.this.idle_timeout > 25 && aws_lb_target_group.shared.load_balancing_algorithm_type == "least_outstanding_requests"
    error_message = "idle longer than a ping; new connections to the emptiest server"
  }
}

run "only_the_balancer_is_open_to_addresses" {
  command = plan
  variables {
    load_client  = true
    monitor      = true
    client_cidrs = ["203.0.113.0/24", "198.51.100.7/32"]
  }

  assert {
    condition     = keys(aws_vpc_security_group_ingress_rule.load_client) == ["http"] && aws_vpc_security_group_egress_rule.balancer[0].from_port == 80 && length([for f in local.flows : f if f.to == "balancer"]) == 0
    error_message = "the load client reaches the balancer as users do: out through the NAT, by whose address it is let in"
  }
  assert {
    condition     = toset([for r in aws_vpc_security_group_ingress_rule.clients : r.cidr_ipv4]) == var.client_cidrs && alltrue([for r in aws_vpc_security_group_ingress_rule.clients : r.from_port == 80 && r.to_port == 80])
    error_message = "the balancer is open to client_cidrs on port 80"
  }
  assert {
    condition     = alltrue([for r in aws_vpc_security_group_ingress_rule.flow : r.cidr_ipv4 == null && r.from_port == r.to_port])
    error_message = "flows name groups, never addresses, and one port"
  }
  assert {
    condition = toset([for k, f in local.flows : "${f.from}>${f.to}:${f.port}"]) == toset(["balancer>server:8080", "server>broker:5672",
      "client>server:8080", "client>broker:5672", "client>broker:15672",
    "monitor>server:8081", "monitor>broker:15692", "monitor>broker:15672"])
    error_message = "these flows and no other"
  }
}

run "three_brokers_stand_in_three_zones" {
  command = plan
  variables {
    broker_nodes  = 3
    shards        = 64
    erlang_cookie = "sentinel0cookie0000000000000000000"
  }

  assert {
    condition     = length(toset([for v in aws_ebs_volume.broker : v.availability_zone])) == 3 && alltrue([for n, i in aws_instance.broker : i.private_ip == local.broker_hosts[n]]) && local.broker_urls == ["10.42.128.10:5672", "10.42.144.10:5672", "10.42.160.10:5672"]
    error_message = "a machine and a volume in each zone, each with an address that stays"
  }
  assert {
    condition     = toset([for k, f in local.flows : "${f.from}>${f.to}:${f.port}" if f.to == "broker"]) == toset(["server>broker:5672", "broker>broker:4369", "broker>broker:25672", "broker>broker:6000"])
    error_message = "servers reach only AMQP; names, nodes and copies of logs are between brokers"
  }
  assert {
    condition     = [for k, r in aws_vpc_security_group_ingress_rule.flow : "${k} ${r.from_port}-${r.to_port}" if r.from_port != r.to_port] == ["broker_replication 6000-6500"]
    error_message = "copies of logs have a range of ports, nothing else has"
  }
  assert {
    condition     = alltrue([for v in aws_ebs_volume.broker : v.size * 1073741824 > 2 * 64 * 272000000 + 2000000000])
    error_message = "a volume holds the logs twice, and the disk limit"
  }
  assert {
    condition     = toset(keys(aws_cloudwatch_metric_alarm.broker)) == toset([for p in setproduct(["1", "2", "3"], ["away", "disk", "memory"]) : join("-", p)]) && alltrue([for k, a in aws_cloudwatch_metric_alarm.broker : a.treat_missing_data == (endswith(k, "away") ? "breaching" : "notBreaching")])
    error_message = "each node that is unavailable or short of disk or memory has an alarm"
  }
  assert {
    condition     = contains([for p in aws_ssm_parameter.secret : p.name], "/chatflow/broker/erlang_cookie") && alltrue([for t in values(module.user_data.broker) : !strcontains(t, "sentinel")])
    error_message = "the nodes' cookie is a parameter like the passwords"
  }
  assert {
    condition     = alltrue([for n, t in module.user_data.broker : strcontains(t, "NODENAME=rabbit@${local.broker_hosts[n]}\n") && strcontains(t, "classic_config.nodes.3 = rabbit@10.42.160.10") && strcontains(t, "SHARDS=64\n") && strcontains(t, "cluster_partition_handling = pause_minority")])
    error_message = "each node knows its name, and the others'"
  }
}

run "machines_are_hardened" {
  command = plan
  variables {
    load_client = true
    monitor     = true
  }

  assert {
    condition     = alltrue([for t in concat([aws_launch_template.server], values(aws_instance.extra), values(aws_instance.broker)) : t.metadata_options[0].http_tokens == "required" && t.metadata_options[0].http_put_response_hop_limit == 1 && try(length(t.key_name), 0) == 0])
    error_message = "metadata by token only and not through a container's hop; no SSH key"
  }
  assert {
    condition     = one(aws_launch_template.server.block_device_mappings[0].ebs).encrypted == "true" && alltrue([for i in concat(values(aws_instance.extra), values(aws_instance.broker)) : i.root_block_device[0].encrypted]) && alltrue([for v in aws_ebs_volume.broker : v.encrypted])
    error_message = "volumes are encrypted"
  }
}

run "a_role_reads_its_own_parameters_and_artifacts" {
  command = plan
  variables {
    load_client = true
    monitor     = true
  }

  assert {
    condition     = toset(keys(aws_iam_role.machine)) == toset(["server", "broker", "client", "monitor"])
    error_message = "one role for each kind of machine"
  }
  assert {
    condition = alltrue(flatten([for kind, p in aws_iam_role_policy.machine : [for s in jsondecode(p.policy).Statement :
      [for r in flatten([s.Resource]) : r == "arn:aws:ssm:us-east-1:123456789012:parameter/chatflow/${kind}/*"]
    if length([for a in s.Action : a if strcontains(a, "GetParameter")]) > 0]]))
    error_message = "a policy that reads parameters contains only its own path"
  }
  assert {
    condition = alltrue(flatten([for p in aws_iam_role_policy.machine : [for s in jsondecode(p.policy).Statement :
    [for a in s.Action : contains(["ssm:UpdateInstanceInformation", "ec2:DescribeInstances", "cloudwatch:PutMetricData"], a) || startswith(a, "ssmmessages:")] if s.Resource == "*"]]))
    error_message = "\"*\" as resource is for sessions, DescribeInstances and figures only"
  }
  assert {
    condition     = [for kind, p in aws_iam_role_policy.machine : kind if strcontains(p.policy, "autoscaling:")] == ["server"]
    error_message = "only servers end their lifecycle action"
  }
  assert {
    condition     = alltrue([for p in aws_iam_role_policy.machine : !strcontains(p.policy, "s3:*") && !strcontains(p.policy, "s3:Put") && !strcontains(p.policy, "iam:")])
    error_message = "no role may write artifacts or roles"
  }
}

run "passwords_are_written_and_not_kept" {
  command = plan
  variables {
    load_client = true
  }

  assert {
    condition = toset([for p in aws_ssm_parameter.secret : p.name]) == toset(["/chatflow/server/amqp_uri", "/chatflow/server/token_key", "/chatflow/client/monitor_password", "/chatflow/client/token_key",
    "/chatflow/broker/server_password", "/chatflow/broker/consumer_password", "/chatflow/broker/monitor_password", "/chatflow/broker/admin_password"])
    error_message = "each machine's secrets under its own path"
  }
  assert {
    condition     = alltrue([for p in aws_ssm_parameter.secret : p.type == "SecureString" && p.value_wo_version == 1])
    error_message = "encrypted, through the write-only argument"
  }
  assert {
    condition     = alltrue([for t in concat([module.user_data.server, module.user_data.broker["1"], module.user_data.client, module.user_data.monitor]) : !strcontains(t, "sentinel")])
    error_message = "no password in user data"
  }
}

run "a_network_balancer_by_switch" {
  command = plan
  variables {
    balancer = "nlb"
  }

  assert {
    condition     = aws_lb.this.load_balancer_type == "network" && aws_lb_target_group.shared.protocol == "TCP" && aws_lb.this.enable_cross_zone_load_balancing
    error_message = "TCP through a network balancer over all zones"
  }
  assert {
    condition     = aws_lb_target_group.shared.health_check[0].protocol == "HTTP" && !aws_lb_target_group.shared.stickiness[0].enabled
    error_message = "health by HTTP here too; no stickiness by address: it sends a load client to one server"
  }
  assert {
    condition     = !strcontains(module.user_data.server, "CHATFLOW_TRUSTED_PROXIES") && aws_lb_target_group.shared.target_type == "instance"
    error_message = "a network balancer adds no X-Forwarded-For, so nobody's is believed; to instances it hands on the client's own address"
  }
}

run "tls_by_certificate" {
  command = plan
  variables {
    certificate_arn = "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000"
  }

  assert {
    condition     = aws_lb_listener.https[0].ssl_policy == "ELBSecurityPolicy-TLS13-1-2-2021-06" && aws_lb_listener.http[0].default_action[0].type == "redirect"
    error_message = "TLS 1.3 on 443; port 80 only redirects"
  }
  assert {
    condition     = output.client_url == "wss://chatflow.example/chat"
    error_message = "the client's URL is wss"
  }
}

run "a_profile_that_is_there_replaces_all_roles" {
  command = plan
  variables {
    instance_profile_name = "LabInstanceProfile"
  }

  assert {
    condition     = length(aws_iam_role.machine) == 0 && aws_launch_template.server.iam_instance_profile[0].name == "LabInstanceProfile"
    error_message = "no role is made; every machine takes the given profile"
  }
}

run "no_server_is_refused" {
  command = plan
  variables {
    server_count = 0
  }
  expect_failures = [var.server_count]
}

run "too_many_servers_are_refused" {
  command = plan
  variables {
    server_count = 17
  }
  expect_failures = [var.server_count]
}

run "two_brokers_are_refused" {
  command = plan
  variables {
    broker_nodes  = 2
    erlang_cookie = "sentinel0cookie0000000000000000000"
  }
  expect_failures = [var.broker_nodes]
}

run "brokers_without_a_cookie_are_refused" {
  command = plan
  variables {
    broker_nodes = 3
  }
  expect_failures = [var.erlang_cookie]
}

run "a_disk_that_the_logs_fill_is_refused" {
  command = plan
  variables {
    shards            = 64
    broker_volume_gib = 20
  }
  expect_failures = [var.broker_volume_gib]
}

run "nobody_as_client_is_refused" {
  command = plan
  variables {
    client_cidrs = []
  }
  expect_failures = [var.client_cidrs]
}

run "a_weak_or_shared_password_is_refused" {
  command = plan
  variables {
    amqp_passwords = { server = "short", consumer = "sentinel-consumer-00000", monitor = "sentinel-consumer-00000", admin = "sentinel-admin-00000000" }
  }
  expect_failures = [var.amqp_passwords]
}

run "a_short_token_key_is_refused" {
  command = plan
  variables {
    token_key = "0123456789abcdef"
  }
  expect_failures = [var.token_key]
}

run "a_short_drain_is_refused" {
  command = plan
  variables {
    drain_seconds = 90
  }
  expect_failures = [var.drain_seconds]
}

run "a_setting_of_the_network_is_refused" {
  command = plan
  variables {
    server_settings = { CHATFLOW_AMQP_URI = "amqp://elsewhere" }
  }
  expect_failures = [var.server_settings]
}
