#!/bin/sh
# Run a command quietly: sh tools/log.sh LOG COMMAND...  Its output goes to LOG, and to the screen only if it fails.
# Ends with the command's own exit code.
log=$1
shift
mkdir -p "$(dirname "$log")"
"$@" >"$log.log" 2>&1 </dev/null && exit 0
code=$?
tail -n 40 "$log.log" >&2
echo "This failed (code $code): $*   The whole output is in $log.log" >&2
exit "$code"
