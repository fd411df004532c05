# --- what must be given ---

variable "client_cidrs" {
  description = "Address ranges that may reach the balancer. No default: opening it to the world must be written down."
  type        = set(string)

  validation {
    condition     = length(var.client_cidrs) > 0 && alltrue([for c in var.client_cidrs : can(cidrhost(c, 0))])
    error_message = "client_cidrs needs at least one range such as 203.0.113.7/32, each a valid IPv4 CIDR."
  }
}

variable "amqp_passwords" {
  description = "Passwords of the broker's users, one each. Written to Parameter Store only: neither state nor user data hold them."
  type        = object({ server = string, consumer = string, monitor = string, admin = string })
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = alltrue([for p in values(var.amqp_passwords) : can(regex("^[A-Za-z0-9_-]{20,128}$", p))])
    error_message = "Each of amqp_passwords needs 20 to 128 of A-Z a-z 0-9 _ - (openssl rand -hex 24 makes one)."
  }
  validation {
    condition     = length(toset(values(var.amqp_passwords))) == 4
    error_message = "Two of amqp_passwords are equal: each user needs its own."
  }
}

variable "token_key" {
  description = "Secret by which tokens of users are signed (HS256). Written to Parameter Store only, as the passwords."
  type        = string
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = can(regex("^[A-Za-z0-9_-]{32,256}$", var.token_key))
    error_message = "token_key needs 32 to 256 of A-Z a-z 0-9 _ - (openssl rand -hex 32 makes one)."
  }
}

variable "erlang_cookie" {
  description = "Secret that the nodes of a cluster of brokers share; none for a single one. Written to Parameter Store only, as the passwords."
  type        = string
  default     = ""
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = can(regex("^[A-Za-z0-9]{32,255}$", var.erlang_cookie)) || (var.broker_nodes == 1 && var.erlang_cookie == "")
    error_message = "Several brokers need an erlang_cookie of 32 to 255 of A-Z a-z 0-9 (openssl rand -hex 24 makes one)."
  }
}

variable "artifact_bucket" {
  description = "Bucket that infra/aws/upload filled; it writes this variable and artifacts to artifacts.auto.tfvars.json."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", var.artifact_bucket))
    error_message = "artifact_bucket is no bucket name. Run infra/aws/upload first: it makes the bucket and writes this value."
  }
}

variable "artifacts" {
  description = "Key and SHA-256 of what the machines fetch at boot; each machine checks the sum before it uses a file."
  type = object({
    war        = object({ key = string, sha256 = string })
    tomcat     = object({ key = string, sha256 = string })
    client     = object({ key = string, sha256 = string })
    monitoring = object({ key = string, sha256 = string })
  })

  validation {
    condition     = alltrue([for a in values(var.artifacts) : can(regex("^[0-9a-f]{64}$", a.sha256))])
    error_message = "Each of artifacts needs a SHA-256 of 64 hexadecimal digits, as infra/aws/upload writes them."
  }
}

# --- what is often chosen ---

variable "region" {
  description = "AWS region."
  type        = string
  default     = "us-east-1"
}

variable "name" {
  description = "Begins the name of everything, and the parameters' path."
  type        = string
  default     = "chatflow"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,18}[a-z0-9]$", var.name))
    error_message = "name needs 3 to 20 of a-z 0-9 -, beginning with a letter (the balancer's name has room for no more)."
  }
}

variable "server_count" {
  description = "Servers; a dead one is replaced."
  type        = number
  default     = 2

  validation {
    condition     = var.server_count >= 1 && var.server_count <= 16 && floor(var.server_count) == var.server_count
    error_message = "server_count is a whole number from 1 to 16: more than sixteen were never tried anywhere."
  }
}

variable "broker_nodes" {
  description = "Nodes of RabbitMQ: 1, or 3 in three zones, which bear the loss of one. Going from one to the other begins with empty logs."
  type        = number
  default     = 1

  validation {
    condition     = contains([1, 3], var.broker_nodes)
    error_message = "broker_nodes is 1 or 3."
  }
}

variable "balancer" {
  description = "alb (HTTP) or nlb (raw throughput)."
  type        = string
  default     = "alb"

  validation {
    condition     = contains(["alb", "nlb"], var.balancer)
    error_message = "balancer is alb or nlb."
  }
}

variable "load_client" {
  description = "A machine for the load client inside the network."
  type        = bool
  default     = false
}

variable "monitor" {
  description = "A machine with Prometheus and Grafana, reached through a tunnel only."
  type        = bool
  default     = false
}

variable "server_instance_type" {
  description = "Machine of a server. Burstable types run at a fraction of a core once their credits are gone."
  type        = string
  default     = "c7i.large"
}

variable "broker_instance_type" {
  description = "Machine of a broker."
  type        = string
  default     = "c7i.large"
}

variable "client_instance_type" {
  description = "Machine of the load client. Four servers need four times the sender of one; the client says when it was the limit."
  type        = string
  default     = "c7i.2xlarge"
}

variable "monitor_instance_type" {
  description = "Machine of Prometheus and Grafana."
  type        = string
  default     = "t3.small"
}

variable "certificate_arn" {
  description = "Certificate for 443; port 80 then only redirects (alb) or stays closed (nlb). Empty: plain on port 80."
  type        = string
  default     = ""
}

variable "drain_seconds" {
  description = "What the balancer gives a server that leaves; the server is empty before. More than three health checks."
  type        = number
  default     = 120

  validation {
    condition     = var.drain_seconds > 90 && var.drain_seconds <= 900
    error_message = "drain_seconds is 91 to 900: the balancer needs 90 s to see three failed checks."
  }
}

variable "server_settings" {
  description = "Further settings of the servers, KEY = value as in docs/reference/configuration.md."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for k, v in var.server_settings : can(regex("^CHATFLOW_[A-Z_]+$", k)) && !can(regex("[\\s'\"]", v))])
    error_message = "server_settings takes CHATFLOW_ keys, and values without blanks or quotes."
  }
  validation {
    condition     = length(setintersection(keys(var.server_settings), ["CHATFLOW_AMQP_URI", "CHATFLOW_SERVER_ID", "CHATFLOW_PORT", "CHATFLOW_ADMIN_PORT", "CHATFLOW_SHARDS"])) == 0
    error_message = "server_settings may not set broker, server id, ports or shards: they belong to the network; shards is a variable of its own."
  }
}

variable "server_heap" {
  description = "JVM options of a server, after those of infra/tomcat/setenv.sh."
  type        = string
  default     = "-Xms1g -Xmx1g"
}

variable "shards" {
  description = "CHATFLOW_SHARDS of all servers."
  type        = number
  default     = 4

  validation {
    condition     = var.shards >= 1 && var.shards <= 256 && floor(var.shards) == var.shards
    error_message = "shards is a whole number from 1 to 256."
  }
}

# --- what is seldom chosen ---

variable "amqp_passwords_version" {
  description = "Raise it to write changed amqp_passwords, token_key or erlang_cookie."
  type        = number
  default     = 1
}

variable "broker_volume_gib" {
  description = "Data volume of each broker. Null: twice what the logs keep and 4 more, 20 at least."
  type        = number
  default     = null

  validation {
    condition     = var.broker_volume_gib == null || try(var.broker_volume_gib >= ceil(2 * var.shards * 272 / 1073) + 4, false)
    error_message = "broker_volume_gib is too small for these shards: each log keeps 256 MB and a segment of 16, twice that must fit, and 4 GiB more. Leave it out for the right size."
  }
}

variable "images" {
  description = "Container images of broker and monitor."
  type        = object({ rabbitmq = string, prometheus = string, grafana = string })
  default = {
    rabbitmq   = "rabbitmq:4.3.6-management"
    prometheus = "prom/prometheus:v3.5.0"
    grafana    = "grafana/grafana:13.1.0"
  }
}

variable "jdk_package" {
  description = "Package of a Java 25 runtime."
  type        = string
  default     = "java-25-amazon-corretto-headless"
}

variable "ami_id" {
  description = "Machine image (x86_64, Amazon Linux 2023). Empty: the newest."
  type        = string
  default     = ""
}

variable "instance_profile_name" {
  description = "An instance profile that is there already, for all machines: no role is made (teaching accounts)."
  type        = string
  default     = ""
}

variable "vpc_cidr" {
  description = "Network, a /16."
  type        = string
  default     = "10.42.0.0/16"

  validation {
    condition     = can(regex("/16$", var.vpc_cidr)) && can(cidrsubnet(var.vpc_cidr, 4, 0))
    error_message = "vpc_cidr is an IPv4 /16 such as 10.42.0.0/16."
  }
}

variable "detailed_monitoring" {
  description = "CloudWatch figures of the servers each minute."
  type        = bool
  default     = true
}

variable "log_days" {
  description = "How long CloudWatch keeps what servers and brokers log."
  type        = number
  default     = 30

  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 180, 365], var.log_days)
    error_message = "log_days is 1, 3, 5, 7, 14, 30, 60, 90, 180 or 365."
  }
}

variable "alarm_topic_arn" {
  description = "SNS topic of the alarms on unhealthy servers and on brokers. Empty: they only show."
  type        = string
  default     = ""
}
