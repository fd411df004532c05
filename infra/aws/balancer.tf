locals {
  alb = var.balancer == "alb"
}

resource "aws_lb" "this" {
  name                             = var.name
  load_balancer_type               = local.alb ? "application" : "network"
  security_groups                  = [aws_security_group.this["balancer"].id]
  subnets                          = aws_subnet.public[*].id
  idle_timeout                     = local.alb ? 300 : null # the servers ping every 25 s
  drop_invalid_header_fields       = local.alb ? true : null
  enable_cross_zone_load_balancing = true
  tags                             = { Name = var.name }
}

resource "aws_lb_target_group" "shared" {
  name                          = var.name
  vpc_id                        = aws_vpc.this.id
  port                          = local.ports.chat
  protocol                      = local.alb ? "HTTP" : "TCP"
  target_type                   = "instance" # a network balancer keeps the client's address for these; for addresses it would not
  deregistration_delay          = var.drain_seconds
  connection_termination        = local.alb ? null : true
  load_balancing_algorithm_type = local.alb ? "least_outstanding_requests" : null

  health_check {
    protocol            = "HTTP"
    path                = "/health"
    matcher             = "200"
    interval            = 30
    timeout             = 5
    healthy_threshold   = 2
    unhealthy_threshold = 3
  }

  # Not needed for correctness. Never source_ip on a network balancer: it sends a load client to one server.
  stickiness {
    enabled         = local.alb
    type            = local.alb ? "lb_cookie" : "source_ip"
    cookie_duration = local.alb ? 86400 : null
  }
}

resource "aws_lb_listener" "http" {
  count             = contains(local.balancer_ports, "http") ? 1 : 0
  load_balancer_arn = aws_lb.this.arn
  port              = 80
  protocol          = local.alb ? "HTTP" : "TCP"

  default_action {
    type             = local.tls ? "redirect" : "forward"
    target_group_arn = local.tls ? null : aws_lb_target_group.shared.arn

    dynamic "redirect" {
      for_each = local.tls ? [443] : []
      content {
        port        = redirect.value
        protocol    = "HTTPS"
        status_code = "HTTP_301"
      }
    }
  }
}

resource "aws_lb_listener" "https" {
  count             = local.tls ? 1 : 0
  load_balancer_arn = aws_lb.this.arn
  port              = 443
  protocol          = local.alb ? "HTTPS" : "TLS"
  certificate_arn   = var.certificate_arn
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.shared.arn
  }
}

resource "aws_cloudwatch_metric_alarm" "unhealthy" {
  alarm_name          = "${var.name}-unhealthy-servers"
  alarm_description   = "A server of ${var.name} fails its health check."
  namespace           = local.alb ? "AWS/ApplicationELB" : "AWS/NetworkELB"
  metric_name         = "UnHealthyHostCount"
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 60
  evaluation_periods  = 2
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  dimensions = {
    LoadBalancer = aws_lb.this.arn_suffix
    TargetGroup  = aws_lb_target_group.shared.arn_suffix
  }
}
