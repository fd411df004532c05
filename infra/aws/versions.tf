terraform {
  required_version = ">= 1.11, < 2.0"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100, < 6.0"
    }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = { Project = var.name }
  }
}
