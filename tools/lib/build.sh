# Messages, configuration and build, shared by ./run, ./test and the scripts of tools/. Sourced from the checkout's root.
# shellcheck shell=bash

log_dir=build/log
mkdir -p "$log_dir"

# Compiles of another checkout of the same text are found again in ccache, where there is one.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

say() { echo "$(basename "$0"): $*"; }

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# configure DIR ARGS...: runs CMake only if DIR was never configured or was configured with other arguments.
configure() {
  local dir=$1
  shift
  local stamp=$dir/configured
  if [[ -f $dir/build.ninja && -f $stamp && $(cat "$stamp") == "$*" ]]; then return 0; fi
  local log
  log=$log_dir/cmake-$(basename "$dir").log
  if ! cmake -S . -B "$dir" -G Ninja "$@" >"$log" 2>&1; then
    grep -A 4 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
    echo "configuring $dir failed; whole log: $log" >&2
    return 1
  fi
  echo "$*" >"$stamp"
}

# build_targets DIR TARGETS...: with ninja's own progress line where somebody watches, else into a log whose errors are
# shown if it fails.
build_targets() {
  local dir=$1
  shift
  if [[ -t 1 ]]; then
    (cd "$dir" && ninja "$@")
    return
  fi
  local log
  log=$log_dir/build-$(basename "$dir").log
  if ! ninja -C "$dir" "$@" >"$log" 2>&1; then
    grep -E -A 12 'FAILED:|error:' "$log" | head -n 60 >&2 || tail -n 20 "$log" >&2
    echo "building $dir failed; whole log: $log" >&2
    return 1
  fi
}
