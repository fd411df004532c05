locals {
  tunnel = "aws ssm start-session --region ${var.region} --document-name AWS-StartPortForwardingSession"
}

output "client_url" {
  description = "For clients outside."
  value       = "${local.tls ? "wss" : "ws"}://${aws_lb.this.dns_name}/chat"
}

output "page_url" {
  description = "The browser's page."
  value       = "${local.tls ? "https" : "http"}://${aws_lb.this.dns_name}/"
}

output "server_urls" {
  description = "The servers themselves, for measurements from inside. After a replacement: terraform apply -refresh-only."
  value       = [for a in sort(data.aws_instances.server.private_ips) : "ws://${a}:${local.ports.chat}/chat"]
}

output "server_group" {
  description = "The servers' Auto Scaling group."
  value       = aws_autoscaling_group.server.name
}

output "logs" {
  description = "What servers and brokers log, as it comes."
  value       = "aws logs tail --region ${var.region} --follow ${aws_cloudwatch_log_group.this.name}"
}

output "broker_sessions" {
  description = "A shell on each broker's machine; there: docker exec rabbitmq rabbitmqctl cluster_status"
  value       = { for n, i in aws_instance.broker : n => "aws ssm start-session --region ${var.region} --target ${i.id}" }
}

output "client_session" {
  description = "A shell on the load client's machine; chatflow-load --help there."
  value       = var.load_client ? "aws ssm start-session --region ${var.region} --target ${aws_instance.extra["client"].id}" : null
}

output "tunnels" {
  description = "Commands that bring the broker's management pages, Prometheus and Grafana to this machine."
  value = merge(
    { management = "${local.tunnel} --target ${aws_instance.broker["1"].id} --parameters portNumber=15672,localPortNumber=15672" },
    var.monitor ? {
      prometheus = "${local.tunnel} --target ${aws_instance.extra["monitor"].id} --parameters portNumber=9090,localPortNumber=9090"
      grafana    = "${local.tunnel} --target ${aws_instance.extra["monitor"].id} --parameters portNumber=3000,localPortNumber=3000"
    } : {},
  )
}
