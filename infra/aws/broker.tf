# RabbitMQ: one node, or three in three zones, each on a machine of its own with a volume of its own.

locals {
  brokers = toset([for n in range(1, var.broker_nodes + 1) : tostring(n)])

  # Fixed, so that the servers' URIs and the nodes' names survive a replacement.
  broker_hosts = { for n in local.brokers : n => cidrhost(cidrsubnet(var.vpc_cidr, 4, 7 + tonumber(n)), 10) }
  broker_urls  = [for n in sort(local.brokers) : "${local.broker_hosts[n]}:${local.ports.amqp}"]

  # The size of the logs, as much free space again, and the limit below which RabbitMQ accepts nothing.
  logs_need_gib = ceil(2 * var.shards * (256000000 + 16000000) / pow(2, 30)) + 4
  broker_gib    = coalesce(var.broker_volume_gib, max(20, local.logs_need_gib))

  # Of each node. A figure that does not come says that the machine, or its RabbitMQ, is away.
  broker_alarms = {
    away   = { metric = "BrokerRuns", below = 1, missing = "breaching", says = "does not run" }
    disk   = { metric = "BrokerDiskLeft", below = 2, missing = "notBreaching", says = "has less than twice its disk limit left: docs/how-to/runbook.md, BrokerDisk" }
    memory = { metric = "BrokerMemoryLeft", below = 0.1, missing = "notBreaching", says = "is nearly above its memory watermark, where nobody may publish: docs/how-to/runbook.md, BrokerAlarm" }
  }
}

resource "aws_ebs_volume" "broker" {
  for_each          = local.brokers
  availability_zone = local.zones[tonumber(each.key) - 1]
  size              = local.broker_gib
  type              = "gp3"
  encrypted         = true
  tags              = { Name = "${var.name}-broker-${each.key}" }
}

resource "aws_instance" "broker" {
  for_each                    = local.brokers
  ami                         = local.image
  instance_type               = var.broker_instance_type
  subnet_id                   = aws_subnet.private[tonumber(each.key) - 1].id
  private_ip                  = local.broker_hosts[each.key]
  vpc_security_group_ids      = [aws_security_group.this["broker"].id]
  iam_instance_profile        = local.instance_profile["broker"]
  user_data_base64            = base64gzip(module.user_data.broker[each.key])
  user_data_replace_on_change = true
  tags                        = { Name = "${var.name}-broker-${each.key}", Role = "broker" }

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }
  root_block_device {
    volume_type = "gp3"
    volume_size = 10
    encrypted   = true
  }
  lifecycle {
    ignore_changes = [ami]
  }

  depends_on = [aws_ssm_parameter.secret, aws_iam_role_policy.machine, aws_route.private,
    aws_route_table_association.private, aws_vpc_security_group_egress_rule.internet,
  aws_vpc_security_group_egress_rule.flow, aws_vpc_security_group_ingress_rule.flow]
}

resource "aws_volume_attachment" "broker" {
  for_each                       = local.brokers
  device_name                    = "/dev/sdf"
  volume_id                      = aws_ebs_volume.broker[each.key].id
  instance_id                    = aws_instance.broker[each.key].id
  stop_instance_before_detaching = true
}

# By chatflow-watch on each machine, once a minute.
resource "aws_cloudwatch_metric_alarm" "broker" {
  for_each            = { for pair in setproduct(local.brokers, keys(local.broker_alarms)) : "${pair[0]}-${pair[1]}" => merge(local.broker_alarms[pair[1]], { node = pair[0] }) }
  alarm_name          = "${var.name}-broker-${each.key}"
  alarm_description   = "Broker ${each.value.node} of ${var.name} ${each.value.says}."
  namespace           = var.name
  metric_name         = each.value.metric
  dimensions          = { Node = each.value.node }
  statistic           = "Minimum"
  comparison_operator = "LessThanThreshold"
  threshold           = each.value.below
  period              = 60
  evaluation_periods  = 3
  treat_missing_data  = each.value.missing
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
}
