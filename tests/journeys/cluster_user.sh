#!/usr/bin/env bash
# The first ten minutes of a user with many runs: `bash tests/journeys/cluster_user.sh WHEEL` installs the wheel, starts a
# campaign, kills it, continues it, and reads the report.
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
install_packages
become_user
cp "$here/robot.sdf" .
cat >masses.toml <<'END'
[campaign]
duration = "2s"

[matrix]
world = "robot.sdf"
seed = { from = 1, count = 5 }
"world.model[bot].link[chassis].inertial.mass" = [4, 5, 6, 7]
END
runs=20

entries() { find masses.campaign/runs -name entry.json 2>/dev/null | sort; }
count() { entries | wc -l; }

# A wrong path is an error that shows what is there.
sed 's/link\[chassis\]/link[chasis]/' masses.toml >wrong.toml
if bridgehead campaign plan wrong.toml >log.txt 2>&1; then fail "a wrong path was accepted"; fi
grep -q 'chassis' log.txt || { cat log.txt && fail "the error does not name the links that are there"; }

bridgehead campaign run masses.toml >first.txt 2>&1 &
campaign=$!
# Killed once a part is done, however fast the machine is. If it was faster, the rest is nothing.
until [ "$(count)" -ge 5 ] || ! kill -0 "$campaign" 2>/dev/null; do sleep 0.02; done
kill -9 "$campaign" 2>/dev/null || true
wait "$campaign" 2>/dev/null || true
kept="$(count)"
[ "$kept" -ge 5 ] || { cat first.txt && fail "the campaign kept $kept runs"; }
entries | xargs sha256sum >kept.txt

bridgehead campaign run masses.toml >second.txt 2>&1 || { cat second.txt && fail "the campaign does not continue"; }
grep -q "$runs, $runs passed" second.txt || { cat second.txt && fail "not all of $runs runs passed"; }
[ "$(count)" = "$runs" ] || fail "the store has $(count) of $runs runs"
sha256sum --check --quiet kept.txt || fail "runs that were kept were executed again"

# Nothing is left to do.
entries | xargs stat --format='%n %y' >before.txt
bridgehead campaign run masses.toml >third.txt 2>&1
entries | xargs stat --format='%n %y' | cmp before.txt - || fail "runs were executed again"
for file in report.html junit.xml runs.csv; do
    [ -s "masses.campaign/$file" ] || fail "there is no $file"
done
[ "$(wc -l <masses.campaign/runs.csv)" = $((runs + 1)) ] || fail "runs.csv has not one line for each run"
echo "the user with many runs is content: $kept of $runs runs were kept"
