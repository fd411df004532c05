# One role for each kind of machine, with what that machine does and no more.

data "aws_caller_identity" "current" {}

data "aws_partition" "current" {}

locals {
  own_roles = var.instance_profile_name == "" ? local.machines : toset([])

  instance_profile = { for m in local.machines : m => var.instance_profile_name == "" ? aws_iam_instance_profile.machine[m].name : var.instance_profile_name }

  prefix = "arn:${data.aws_partition.current.partition}"
  here   = "${var.region}:${data.aws_caller_identity.current.account_id}"

  # Unlike the managed policy for Session Manager, this one does not allow reading every parameter.
  sessions = {
    Effect = "Allow"
    Action = ["ssm:UpdateInstanceInformation", "ssmmessages:CreateControlChannel", "ssmmessages:CreateDataChannel",
    "ssmmessages:OpenControlChannel", "ssmmessages:OpenDataChannel"]
    Resource = "*"
  }

  own_parameters = { for m in local.machines : m => {
    Effect   = "Allow"
    Action   = ["ssm:GetParameter", "ssm:GetParameters", "ssm:GetParametersByPath"]
    Resource = ["${local.prefix}:ssm:${local.here}:parameter/${var.name}/${m}/*"]
  } }

  own_artifacts = { for m, names in { server = ["war", "tomcat"], client = ["client"], monitor = ["monitoring"] } : m => {
    Effect   = "Allow"
    Action   = ["s3:GetObject"]
    Resource = [for a in names : "${local.prefix}:s3:::${var.artifact_bucket}/${var.name}/${a}/*"]
  } }

  find_machines = {
    Effect   = "Allow"
    Action   = ["ec2:DescribeInstances"] # knows no resources
    Resource = "*"
  }

  leave_group = {
    Effect   = "Allow"
    Action   = ["autoscaling:CompleteLifecycleAction"]
    Resource = ["${local.prefix}:autoscaling:${local.here}:autoScalingGroup:*:autoScalingGroupName/${var.name}-server"]
  }

  tell_figures = {
    Effect    = "Allow"
    Action    = ["cloudwatch:PutMetricData"] # knows no resources
    Resource  = "*"
    Condition = { StringEquals = { "cloudwatch:namespace" = var.name } }
  }

  write_logs = {
    Effect   = "Allow"
    Action   = ["logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"]
    Resource = ["${local.prefix}:logs:${local.here}:log-group:/${var.name}:*"]
  }

  statements = {
    server  = [local.sessions, local.own_parameters["server"], local.own_artifacts["server"], local.leave_group, local.write_logs]
    broker  = [local.sessions, local.own_parameters["broker"], local.tell_figures, local.write_logs]
    client  = [local.sessions, try(local.own_parameters["client"], null), local.own_artifacts["client"], local.find_machines]
    monitor = [local.sessions, local.own_artifacts["monitor"], local.find_machines]
  }
}

resource "aws_iam_role" "machine" {
  for_each = local.own_roles
  name     = "${var.name}-${each.key}"

  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
}

resource "aws_iam_role_policy" "machine" {
  for_each = local.own_roles
  name     = each.key
  role     = aws_iam_role.machine[each.key].id

  policy = jsonencode({ Version = "2012-10-17", Statement = local.statements[each.key] })
}

resource "aws_iam_instance_profile" "machine" {
  for_each = local.own_roles
  name     = "${var.name}-${each.key}"
  role     = aws_iam_role.machine[each.key].name
}
