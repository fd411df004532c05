# What servers and brokers log outlives their machines: one stream for each.
resource "aws_cloudwatch_log_group" "this" {
  name              = "/${var.name}"
  retention_in_days = var.log_days
}
