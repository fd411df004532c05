locals {
  # Fixed, so that the servers' URIs survive a replacement.
  broker_host = cidrhost(cidrsubnet(var.vpc_cidr, 4, 8), 10)
}

resource "aws_ebs_volume" "broker" {
  availability_zone = local.zones[0]
  size              = var.broker_volume_gib
  type              = "gp3"
  encrypted         = true
  tags              = { Name = "${var.name}-broker" }
}

resource "aws_instance" "broker" {
  ami                         = local.image
  instance_type               = var.broker_instance_type
  subnet_id                   = aws_subnet.private[0].id
  private_ip                  = local.broker_host
  vpc_security_group_ids      = [aws_security_group.this["broker"].id]
  iam_instance_profile        = local.instance_profile["broker"]
  user_data_base64            = base64gzip(module.user_data.broker)
  user_data_replace_on_change = true
  tags                        = { Name = "${var.name}-broker", Role = "broker" }

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
  aws_route_table_association.private, aws_vpc_security_group_egress_rule.internet]
}

resource "aws_volume_attachment" "broker" {
  device_name                    = "/dev/sdf"
  volume_id                      = aws_ebs_volume.broker.id
  instance_id                    = aws_instance.broker.id
  stop_instance_before_detaching = true
}
