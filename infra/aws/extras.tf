# Machines on request: the load client, and Prometheus with Grafana. They have no open ports.

locals {
  extras = merge(
    var.load_client ? { client = { type = var.client_instance_type, disk = 20, user_data = module.user_data.client } } : {},
    var.monitor ? { monitor = { type = var.monitor_instance_type, disk = 20, user_data = module.user_data.monitor } } : {},
  )
}

resource "aws_instance" "extra" {
  for_each                    = local.extras
  ami                         = local.image
  instance_type               = each.value.type
  subnet_id                   = aws_subnet.private[0].id
  vpc_security_group_ids      = [aws_security_group.this[each.key].id]
  iam_instance_profile        = local.instance_profile[each.key]
  user_data_base64            = base64gzip(each.value.user_data)
  user_data_replace_on_change = true
  tags                        = { Name = "${var.name}-${each.key}", Role = each.key }

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }
  root_block_device {
    volume_type = "gp3"
    volume_size = each.value.disk
    encrypted   = true
  }
  lifecycle {
    ignore_changes = [ami]
  }

  depends_on = [aws_ssm_parameter.secret, aws_iam_role_policy.machine, aws_route.private,
  aws_route_table_association.private, aws_vpc_security_group_egress_rule.internet]
}
