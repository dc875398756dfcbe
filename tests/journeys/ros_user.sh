#!/usr/bin/env bash
# The first ten minutes of a user of ROS 2: `bash tests/journeys/ros_user.sh WHEEL` installs the wheel and Cyclone DDS, runs a
# world of Gazebo with the bridge to ROS 2, and lets a program of Cyclone DDS read sensors and frames, and drive. No ROS is
# installed. ROS_DOMAIN_ID chooses the domain.
domain="${ROS_DOMAIN_ID:-42}"
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
install_packages "$(grep '^cyclonedds==' "$root/tests/requirements.txt")"
become_user
cp "$here/robot.sdf" .

# Words of ROS are answered with the line to type.
for words in "node list" "bag record -a" "param list"; do
    # Without quotes: two words each.
    if bridgehead $words >log.txt 2>&1; then fail "\`$words\` was accepted"; fi
    grep -q "command of ROS 2" log.txt || { cat log.txt && fail "no answer to \`$words\`"; }
done

bridgehead world check --strict robot.sdf
bridgehead run robot.sdf --speed 1 --http 127.0.0.1:0 --bridge "*=ros2:domain=$domain;interface=lo" >host.txt 2>&1 &
python "$here/ros_user.py" "$domain" || { cat host.txt && fail "a part of ROS is missing"; }
address="$(grep -o '127\.0\.0\.1:[0-9]*' host.txt | head -n 1)"
bridgehead topic list --address "$address" | grep -qx /bot/scan
bridgehead ctl quit --address "$address"
wait %1
echo "the user of ROS is content"
