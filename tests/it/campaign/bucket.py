"""The objects of an S3 stand-in, which does not check signatures.

Arguments: the address of the service, and one of `create BUCKET`, `list BUCKET PREFIX`, `get BUCKET/OBJECT FILE` and
`put BUCKET/OBJECT FILE`.
"""

import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml

SPACE = "{http://s3.amazonaws.com/doc/2006-03-01/}"


def request(path, method="GET", data=None):
    with urllib.request.urlopen(urllib.request.Request(f"{service}/{path}", method=method, data=data)) as answer:
        return answer.read()


def names(bucket, prefix):
    """Returns the names of all objects, page by page."""
    token = ""
    while True:
        query = {"list-type": "2", "prefix": prefix} | ({"continuation-token": token} if token else {})
        page = xml.fromstring(request(f"{bucket}?{urllib.parse.urlencode(query)}"))
        yield from (entry.findtext(f"{SPACE}Key") for entry in page.iter(f"{SPACE}Contents"))
        token = page.findtext(f"{SPACE}NextContinuationToken")
        if not token:
            return


service, command, *arguments = sys.argv[1:]
if command == "create":
    request(arguments[0], "PUT", b"")
elif command == "list":
    print("\n".join(names(*arguments)))
elif command == "get":
    with open(arguments[1], "wb") as file:
        file.write(request(arguments[0]))
else:
    with open(arguments[1], "rb") as file:
        request(arguments[0], "PUT", file.read())
