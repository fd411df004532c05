# Values of the shapes that the provider and the sources insist on.

mock_data "aws_availability_zones" {
  defaults = { names = ["us-east-1a", "us-east-1b", "us-east-1c", "us-east-1d"] }
}
mock_data "aws_caller_identity" {
  defaults = { account_id = "123456789012" }
}
mock_data "aws_partition" {
  defaults = { partition = "aws" }
}
mock_data "aws_ssm_parameter" {
  defaults = { value = "ami-0123456789abcdef0" }
}
mock_data "aws_instances" {
  defaults = { private_ips = ["10.42.144.7", "10.42.128.9"] }
}
mock_resource "aws_lb" {
  defaults = { arn = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/chatflow/0123456789abcdef", dns_name = "chatflow.example" }
}
mock_resource "aws_lb_target_group" {
  defaults = { arn = "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/chatflow/0123456789abcdef" }
}
mock_resource "aws_lb_listener" {
  defaults = { arn = "arn:aws:elasticloadbalancing:us-east-1:123456789012:listener/app/chatflow/0123456789abcdef/0123456789abcdef" }
}
mock_resource "aws_launch_template" {
  defaults = { id = "lt-0123456789abcdef0", latest_version = 1 }
}
mock_resource "aws_ebs_volume" {
  defaults = { id = "vol-0123456789abcdef0" }
}
mock_resource "aws_instance" {
  defaults = { id = "i-0123456789abcdef0", key_name = "" }
}
mock_resource "aws_security_group" {
  defaults = { id = "sg-0123456789abcdef0" }
}
mock_resource "aws_eip" {
  defaults = { public_ip = "198.51.100.9" }
}
