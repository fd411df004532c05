# One group of all servers. A server's id is its machine's: the one that replaces it is another server.

data "aws_ssm_parameter" "image" {
  count = var.ami_id == "" ? 1 : 0
  name  = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

locals {
  image = var.ami_id == "" ? nonsensitive(data.aws_ssm_parameter.image[0].value) : var.ami_id
  hook  = "${var.name}-drain"
}

module "user_data" {
  source = "./render"

  name            = var.name
  region          = var.region
  artifact_bucket = var.artifact_bucket
  artifacts       = var.artifacts
  shards          = var.shards
  drain_seconds   = var.drain_seconds
  trusted_proxies = local.alb ? var.vpc_cidr : ""
  server_settings = var.server_settings
  server_heap     = var.server_heap
  hook            = local.hook
  logs            = aws_cloudwatch_log_group.this.name
  jdk_package     = var.jdk_package
  images          = var.images
  brokers         = { for n in local.brokers : n => { host = local.broker_hosts[n], volume = aws_ebs_volume.broker[n].id } }
}

resource "aws_launch_template" "server" {
  name                   = "${var.name}-server"
  image_id               = local.image
  instance_type          = var.server_instance_type
  user_data              = base64gzip(module.user_data.server)
  update_default_version = true
  vpc_security_group_ids = [aws_security_group.this["server"].id]

  iam_instance_profile {
    name = local.instance_profile["server"]
  }
  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }
  monitoring {
    enabled = var.detailed_monitoring
  }
  block_device_mappings {
    device_name = "/dev/xvda"
    ebs {
      volume_type           = "gp3"
      volume_size           = 10
      encrypted             = true
      delete_on_termination = true
    }
  }
  # The newest image of the day is no reason to replace servers: ami_id, or a new one with the next template, is.
  lifecycle {
    ignore_changes = [image_id]
  }
  tag_specifications {
    resource_type = "volume"
    tags          = { Name = "${var.name}-server", Project = var.name }
  }
}

resource "aws_autoscaling_group" "server" {
  name                      = "${var.name}-server"
  min_size                  = var.server_count
  desired_capacity          = var.server_count
  max_size                  = 2 * var.server_count # replacements start before the old ones go
  vpc_zone_identifier       = aws_subnet.private[*].id
  target_group_arns         = [aws_lb_target_group.shared.arn]
  health_check_type         = "ELB"
  health_check_grace_period = 180
  wait_for_capacity_timeout = "15m"
  min_elb_capacity          = var.server_count # an apply ends when the balancer uses all of them

  launch_template {
    id      = aws_launch_template.server.id
    version = aws_launch_template.server.latest_version
  }

  initial_lifecycle_hook {
    name                 = local.hook
    lifecycle_transition = "autoscaling:EC2_INSTANCE_TERMINATING"
    heartbeat_timeout    = var.drain_seconds + 60
    default_result       = "CONTINUE"
  }

  # A changed launch template (a new WAR, a setting) replaces the machine.
  instance_refresh {
    strategy = "Rolling"
    preferences {
      min_healthy_percentage = 100 # one more server, then one less
      max_healthy_percentage = min(200, 100 + ceil(100 / var.server_count))
      auto_rollback          = true
    }
  }

  dynamic "tag" {
    for_each = { Name = "${var.name}-server", Role = "server", Project = var.name }
    content {
      key                 = tag.key
      value               = tag.value
      propagate_at_launch = true
    }
  }

  # A server reads its parameters at boot and asks for packages.
  depends_on = [
    aws_ssm_parameter.secret, aws_iam_role_policy.machine, aws_route.private, aws_route_table_association.private,
    aws_vpc_security_group_egress_rule.internet, aws_vpc_security_group_egress_rule.flow,
    aws_vpc_security_group_ingress_rule.flow, aws_lb_listener.http, aws_lb_listener.https,
  ]
}

# Addresses for measurements from inside.
data "aws_instances" "server" {
  instance_tags        = { Role = "server", Project = var.name }
  instance_state_names = ["running"]

  depends_on = [aws_autoscaling_group.server]
}
