#!/usr/bin/env bash
# Draws the pictures of worlds/README.md with the built host and plugins: `bash worlds/pictures/make.sh`. A row is a world
# and the place of the camera; without a place it is that of the world, or one from above. Worlds without visuals have none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
host="${CARGO_TARGET_DIR:-target}/debug/bridgehead"

draw() {
    "$host" world picture --overwrite --size 480x270 "${@:2}" "worlds/$1.sdf" "worlds/pictures/$1.png"
}

draw minimal_vehicle --camera '-0.75 -0.75 0.6 0 0.46 0.785'
draw two_vehicles
draw arm --camera '2.4 -2.4 1.5 0 0.17 2.356'
draw car --camera '-4.5 -6 3.6 0 0.4 0.8'
draw cloisim_yard
draw turtlebot3_like --camera '0.33 -0.30 0.24 0 0.38 2.40'
draw husky_like --camera '1.1 -1.15 0.8 0 0.40 2.36'
draw racecar_like --camera '0.75 -2.95 0.50 0 0.42 2.25'
draw create3_like --camera '0.42 -0.40 0.30 0 0.44 2.37'
