//! Services and actions of the run for ROS 2.
