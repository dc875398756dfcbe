"""The objects of an S3 stand-in.

Arguments: the address of the service, and one of `create BUCKET`, `list BUCKET PREFIX`, `get BUCKET OBJECT FILE` and
`put BUCKET OBJECT FILE`.
"""

import sys

import boto3

address, command, bucket, *arguments = sys.argv[1:]
service = boto3.client(
    "s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id="testing", aws_secret_access_key="testing"
)
if command == "create":
    service.create_bucket(Bucket=bucket)
elif command == "list":
    pages = service.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=arguments[0])
    print("\n".join(found["Key"] for page in pages for found in page.get("Contents", [])))
elif command == "get":
    service.download_file(bucket, *arguments)
else:
    name, path = arguments
    service.upload_file(path, bucket, name)
