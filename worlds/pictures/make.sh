#!/usr/bin/env bash
# Draws the pictures of worlds/README.md with the built host and plugins: `bash worlds/pictures/make.sh [NAME…]`. A row is
# a world and the place of the camera; without a place it is that of the world, or one from above. Worlds without visuals
# have none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
host="${CARGO_TARGET_DIR:-target}/debug/bridgehead"
wanted=" $* "

is_wanted() { [ "$wanted" = "  " ] || [[ "$wanted" = *" $1 "* ]]; }

draw() {
    is_wanted "$1" || return 0
    "$host" world picture --overwrite --size 480x270 "${@:2}" "worlds/$1.sdf" "worlds/pictures/$1.png"
}

# Robots whose joints first move to their pose: `draw_after SECONDS NAME POSE [ARGUMENT…]` takes the picture of a camera in
# a run, with further arguments of `bridgehead run`. The pose is that of the camera, in metres and radians.
draw_after() {
    is_wanted "$2" || return 0
    local out
    out=$(mktemp -d)
    cat >"$out/camera.toml" <<END
[[sensor]]
attach = "ground"
name = "picture"
type = "camera"
link = "surface"
pose = [${3// /, }]
update_rate = 1
topic = "picture"
[sensor.params]
"bridgehead:compression" = "png"
"bridgehead:latency" = 0
camera = { horizontal_fov = 1.047, image = { width = ${columns:-480}, height = ${rows:-270} }, clip = { near = 0.05, far = 100 } }
END
    "$host" run "worlds/$2.sdf" --config "$out/camera.toml" --duration "$1" --speed unlimited --http off -qq \
        --bridge "ground=logging:$out/images.jsonl;topics=/ground/picture/image_raw/compressed" "${@:4}"
    # The last line is the last image; the bytes of its `data` are in base64.
    tail -n 1 "$out/images.jsonl" | sed 's/.*"data":"\([^"]*\)".*/\1/' | base64 -d >"worlds/pictures/$2.png"
    rm -r "$out"
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
draw_after 5s ur5e_like '1.5 -1.35 1.45 0 0.27 2.35' --bridge 'ur5e_like=replay:worlds/ur5e_like.commands.jsonl'
draw_after 2s go2_like '0.95 -1.0 0.62 0 0.27 2.32'
draw_after 9s fr3_like '1.35 -1.15 1.1 0 0.30 2.32' --bridge 'fr3_like=replay:worlds/fr3_like.commands.jsonl'
columns=960 rows=480 draw_after 3s robots "2.2 -1.45 1.1 0 0.28 2.36"
draw_after 4s x500_like '0.0 -0.75 1.72 0 0.32 0.75' --bridge 'x500_like=replay:worlds/x500_like.commands.jsonl'
