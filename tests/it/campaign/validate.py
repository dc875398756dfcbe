"""Validates manifests of Kubernetes strictly for two versions; prints a line for each version and file."""

import sys

import kubernetes_validate
import yaml

VERSIONS = ["1.31", "1.37"]

for version in VERSIONS:
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            manifest = yaml.safe_load(file)
        try:
            kubernetes_validate.validate(manifest, version, strict=True)
            print(f"{version}: valid")
        except kubernetes_validate.ValidationError as error:
            print(f"{version}: {error.message}")
