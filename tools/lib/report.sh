# Runs the steps of ./test one after the other, goes on after a failure, and counts. Sourced after build.sh.
# shellcheck shell=bash

passed=0
failed=0
failures=()
notes=()

# step NAME COMMAND...: runs it into a log. Counts what the log tells (ctest, node --test, gtest) or else itself as one.
step() {
  local name=$1
  shift
  local log began status=0 counts
  log=$log_dir/$(tr -c 'a-z0-9\n' '-' <<<"${name,,}").log
  began=$SECONDS
  printf '%-28s ' "$name"
  # In a subshell: some errors of bash itself end the shell that meets them.
  ("$@") >"$log" 2>&1 || status=$?
  counts=$(counts_in "$log")
  local good=${counts% *} bad=${counts#* }
  # A command that failed without a failed test in its log is one failure; one that says nothing of tests is one gate.
  if [[ $status -ne 0 && $bad -eq 0 ]]; then bad=1; fi
  if [[ $status -eq 0 && $good -eq 0 && $bad -eq 0 ]]; then good=1; fi
  passed=$((passed + good))
  failed=$((failed + bad))
  if [[ $bad -eq 0 ]]; then
    echo "ok      $good passed, $((SECONDS - began)) s"
    return 0
  fi
  echo "FAILED  $good passed, $bad failed, $((SECONDS - began)) s"
  failures+=("$name: $log")
  # What names the fault, without the lines of what went well around it.
  grep -E '\*\*\*|: Failure|^not ok|[Ee]rror|violation|FAILED|: ' "$log" | grep -vE 'Passed|^ +Start ' | head -n 30 |
    cut -c 1-240 | sed 's/^/    /' || tail -n 15 "$log" | cut -c 1-240 | sed 's/^/    /'
}

# "PASSED FAILED" as the last summary in a log says, "0 0" if there is none.
counts_in() {
  awk '
    / tests? failed out of / { bad = $4; all = $NF; good = all - bad }
    /^(# |ℹ )pass [0-9]+$/ { good += $NF }
    /^(# |ℹ )fail [0-9]+$/ { bad += $NF }
    END { print good + 0, bad + 0 }
  ' "$1"
}

note() {
  notes+=("$1")
}

# The last lines: what failed and where its log is, what was left out, and the closing count.
finish() {
  local line
  echo
  for line in "${failures[@]}"; do echo "failed: $line"; done
  for line in "${notes[@]}"; do echo "note: $line"; done
  echo "$passed passed, $failed failed"
  [[ $failed -eq 0 ]]
}
