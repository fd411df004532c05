# Allowed connections. Machines refer to each other's groups; only the balancer is open to address ranges.

locals {
  tls = var.certificate_arn != ""

  ports = {
    chat           = 8080
    admin          = 8081
    amqp           = 5672
    management     = 15672
    broker_metrics = 15692
    epmd           = 4369
    distribution   = 25672
    replication    = 6000 # to 6500: each log that a node leads has one
    http           = 80
    https          = 443
  }

  balancer_ports = toset(local.tls && var.balancer == "nlb" ? ["https"] : local.tls ? ["http", "https"] : ["http"])

  # The machines there are; the balancer has a group too.
  machines = toset(concat(["server", "broker"], var.load_client ? ["client"] : [], var.monitor ? ["monitor"] : []))
  groups   = setunion(local.machines, ["balancer"])

  flows = merge(
    {
      balancer_to_server = { from = "balancer", to = "server", port = local.ports.chat }
      server_to_broker   = { from = "server", to = "broker", port = local.ports.amqp }
    },
    var.broker_nodes > 1 ? {
      broker_names        = { from = "broker", to = "broker", port = local.ports.epmd }
      broker_distribution = { from = "broker", to = "broker", port = local.ports.distribution }
      broker_replication  = { from = "broker", to = "broker", port = local.ports.replication, last = 6500 }
    } : {},
    var.load_client ? {
      client_to_server     = { from = "client", to = "server", port = local.ports.chat }
      client_to_amqp       = { from = "client", to = "broker", port = local.ports.amqp }
      client_to_management = { from = "client", to = "broker", port = local.ports.management }
    } : {},
    var.monitor ? {
      monitor_to_server            = { from = "monitor", to = "server", port = local.ports.admin }
      monitor_to_broker_metrics    = { from = "monitor", to = "broker", port = local.ports.broker_metrics }
      monitor_to_broker_management = { from = "monitor", to = "broker", port = local.ports.management }
    } : {},
  )

  entrances = { for pair in setproduct(local.balancer_ports, var.client_cidrs) : "${pair[0]} from ${pair[1]}" => { port = local.ports[pair[0]], cidr = pair[1] } }
}

resource "aws_security_group" "this" {
  for_each    = local.groups
  name        = "${var.name}-${each.key}"
  description = "${var.name}: ${each.key}"
  vpc_id      = aws_vpc.this.id
  tags        = { Name = "${var.name}-${each.key}" }
}

resource "aws_vpc_security_group_ingress_rule" "flow" {
  for_each                     = local.flows
  security_group_id            = aws_security_group.this[each.value.to].id
  referenced_security_group_id = aws_security_group.this[each.value.from].id
  ip_protocol                  = "tcp"
  from_port                    = each.value.port
  to_port                      = try(each.value.last, each.value.port)
  description                  = replace(each.key, "_", " ")
}

resource "aws_vpc_security_group_egress_rule" "flow" {
  for_each                     = local.flows
  security_group_id            = aws_security_group.this[each.value.from].id
  referenced_security_group_id = aws_security_group.this[each.value.to].id
  ip_protocol                  = "tcp"
  from_port                    = each.value.port
  to_port                      = try(each.value.last, each.value.port)
  description                  = replace(each.key, "_", " ")
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each          = local.entrances
  security_group_id = aws_security_group.this["balancer"].id
  cidr_ipv4         = each.value.cidr
  ip_protocol       = "tcp"
  from_port         = each.value.port
  to_port           = each.value.port
  description       = "clients"
}

# Packages, images, parameters and Session Manager, through the NAT.
resource "aws_vpc_security_group_egress_rule" "internet" {
  for_each          = local.machines
  security_group_id = aws_security_group.this[each.key].id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  description       = "packages, parameters, sessions"
}

# The balancer's name leads to its public addresses, from inside too: the load client gets there through the NAT, by whose
# address the balancer knows it. The rule above allows its traffic to 443.
resource "aws_vpc_security_group_egress_rule" "balancer" {
  count             = var.load_client && contains(local.balancer_ports, "http") ? 1 : 0
  security_group_id = aws_security_group.this["client"].id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = local.ports.http
  to_port           = local.ports.http
  description       = "the balancer, from outside as users come"
}

resource "aws_vpc_security_group_ingress_rule" "load_client" {
  for_each          = var.load_client ? local.balancer_ports : toset([])
  security_group_id = aws_security_group.this["balancer"].id
  cidr_ipv4         = "${aws_eip.nat.public_ip}/32"
  ip_protocol       = "tcp"
  from_port         = local.ports[each.value]
  to_port           = local.ports[each.value]
  description       = "load client, through the NAT"
}
