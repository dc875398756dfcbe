"""A conformance suite of the ROS 2 interfaces `simulation_interfaces`, for any simulator.

`bridgehead-conformance run simulator.toml --transport dds` runs it; README.md explains the description of a simulator.
"""
