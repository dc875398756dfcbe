#!/usr/bin/env bash
# The first ten minutes of a user of the browser: `bash tests/journeys/web_user.sh WHEEL` installs the wheel, starts the demo,
# and uses its page in Chromium. Needs Node and the packages of host/page.
node="$(command -v node)"
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
install_packages
become_user
cat >parcel.sdf <<'END'
<sdf version="1.9"><model name="parcel"><link name="body">
  <inertial><mass>2</mass></inertial>
  <collision name="shape"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision>
  <visual name="shape"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></visual>
</link></model></sdf>
END
bridgehead demo --no-open >demo.txt 2>&1 &
address() { grep -o 'http://127\.0\.0\.1:[0-9]*' demo.txt | head -n 1; }
until [ -n "$(address)" ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
[ -n "$(address)" ] || { cat demo.txt && fail "the demo has no page"; }
"$node" "$here/web_user.mjs" "$(address)" || { cat demo.txt && fail "a step on the page did not work"; }
wait %1 || fail "the demo ended with $?"
echo "the user of the browser is content"
