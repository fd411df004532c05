# Passwords go to Parameter Store through write-only arguments. Each machine may read below its own path only.

locals {
  secrets = merge(
    {
      "server/amqp_uri"         = "amqp://server:${var.amqp_passwords.server}@${join(",", local.broker_urls)}"
      "client/monitor_password" = var.amqp_passwords.monitor
      "server/token_key"        = var.token_key
      "client/token_key"        = var.token_key
      "broker/erlang_cookie"    = var.erlang_cookie
    },
    { for user in ["server", "consumer", "monitor", "admin"] : "broker/${user}_password" => var.amqp_passwords[user] },
  )

  # Keys are no secret, and decide what there is.
  secret_names = toset(concat(["server/amqp_uri", "server/token_key"], var.load_client ? ["client/monitor_password", "client/token_key"] : [],
  var.broker_nodes > 1 ? ["broker/erlang_cookie"] : [], [for user in ["server", "consumer", "monitor", "admin"] : "broker/${user}_password"]))
}

resource "aws_ssm_parameter" "secret" {
  for_each         = local.secret_names
  name             = "/${var.name}/${each.key}"
  type             = "SecureString"
  value_wo         = local.secrets[each.key]
  value_wo_version = var.amqp_passwords_version
}
