variable "name" {
  description = "As in the root module; so are all without a description of their own."
  type        = string
  default     = "chatflow"
}

variable "region" {
  type    = string
  default = "us-east-1"
}

variable "artifact_bucket" {
  type    = string
  default = "artifacts"
}

variable "artifacts" {
  type = map(object({ key = string, sha256 = string }))
}

variable "shards" {
  type    = number
  default = 4
}

variable "drain_seconds" {
  type    = number
  default = 120
}

variable "trusted_proxies" {
  description = "Whose X-Forwarded-For is believed; empty: nobody's."
  type        = string
  default     = "10.42.0.0/16"
}

variable "server_settings" {
  type    = map(string)
  default = {}
}

variable "server_heap" {
  type    = string
  default = "-Xms1g -Xmx1g"
}

variable "hook" {
  description = "Lifecycle hook that holds a leaving server."
  type        = string
  default     = "chatflow-drain"
}

variable "jdk_package" {
  type    = string
  default = "java-25-amazon-corretto-headless"
}

variable "images" {
  type    = object({ rabbitmq = string, prometheus = string, grafana = string })
  default = { rabbitmq = "rabbitmq", prometheus = "prometheus", grafana = "grafana" }
}

variable "brokers" {
  description = "Nodes of RabbitMQ by number, as text: address, and id of the data volume."
  type        = map(object({ host = string, volume = string }))
  default     = { "1" = { host = "10.42.128.10", volume = "vol-0123456789abcdef0" } }
}

variable "logs" {
  description = "Log group of servers and brokers."
  type        = string
  default     = "/chatflow"
}
