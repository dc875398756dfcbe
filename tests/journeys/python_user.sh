#!/usr/bin/env bash
# The first ten minutes of a user of Python: `bash tests/journeys/python_user.sh WHEEL` installs the wheel, types the first
# commands of docs/python.md and the script of README.md, writes another one, and runs the tests of docs/python.md.
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
install_packages numpy pytest
become_user

mapfile -t commands < <(first_commands docs/python.md)
[ "${#commands[@]}" -gt 0 ] || fail "docs/python.md begins with no command"
for command in "${commands[@]}"; do
    bash -c "$command" >log.txt 2>&1 || { cat log.txt && fail "of docs/python.md: $command"; }
done

# The script of README.md.
sed -n '/^```python$/,/^```$/p' "$root/README.md" | sed '1d;$d' >readme.py
grep -q bridgehead.Host readme.py || fail "README.md has no script"
python readme.py
python "$here/python_user.py"

# The worlds are found by their names.
sed -n '/^# test_robot.py$/,/^```$/p' "$root/docs/python.md" | sed '$d' >test_robot.py
printf '[pytest]\n' >pytest.ini
python -m pytest -q test_robot.py
echo "the user of Python is content"
