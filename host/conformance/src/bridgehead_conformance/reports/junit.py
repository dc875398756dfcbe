"""A report as JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree

from bridgehead_conformance.reports import Entry, Report


def _case(entry: Entry) -> ElementTree.Element:
    found = ElementTree.Element(
        "testcase", classname=f"simulation_interfaces.{entry.service}", name=entry.id, time=f"{entry.seconds:.3f}"
    )
    text = f"{entry.file} ({entry.field}): {entry.says}"
    if entry.outcome in ("failed", "error"):
        tag = "failure" if entry.outcome == "failed" else "error"
        ElementTree.SubElement(found, tag, message=entry.text).text = text
    elif entry.outcome == "skipped":
        ElementTree.SubElement(found, "skipped", message=entry.text)
    elif entry.outcome == "unspecified":
        ElementTree.SubElement(found, "system-out").text = f"unspecified: {entry.text}"
    return found


def text(report: Report) -> str:
    """Returns the XML."""
    counts = report.counts()
    numbers = {
        "tests": str(len(report.cases)),
        "failures": str(counts["failed"]),
        "errors": str(counts["error"]),
        "skipped": str(counts["skipped"]),
        "time": f"{report.seconds:.3f}",
    }
    name = f"{report.simulator} over {report.transport}"
    root = ElementTree.Element("testsuites", numbers | {"name": "bridgehead-conformance"})
    suite = ElementTree.SubElement(root, "testsuite", numbers | {"name": name})
    suite.extend(_case(entry) for entry in report.cases)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
