# shellcheck shell=sh
# with_lock PLACE COMMAND...: runs COMMAND while no other process of this machine holds PLACE.
#
# The lock is a symbolic link whose target is the holder's process id: made in one step, its owner known
# from the first moment. A lock whose owner is gone is removed; one that is held is waited for.

lock_wait_seconds_max=600

with_lock() {
  lock_place=$1
  shift
  lock_waited=0
  until ln -s "$$" "$lock_place" 2>/dev/null; do
    lock_owner=$(readlink "$lock_place" 2>/dev/null) || continue
    if ! kill -0 "$lock_owner" 2>/dev/null; then
      # Taken aside first: of two processes that see the dead owner, one alone gets to remove the link.
      mv "$lock_place" "$lock_place.$$" 2>/dev/null && rm -f "$lock_place.$$"
      continue
    fi
    if [ "$lock_waited" -ge "$lock_wait_seconds_max" ]; then
      printf 'Process %s has held %s for too long. Stop it, or remove that file.\n' "$lock_owner" "$lock_place" >&2
      return 1
    fi
    [ "$lock_waited" -gt 0 ] || printf 'Waiting for process %s, which is preparing the same folder ...\n' "$lock_owner" >&2
    sleep 1
    lock_waited=$((lock_waited + 1))
  done
  trap 'rm -f "$lock_place"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  "$@"
  rm -f "$lock_place"
  trap - EXIT INT TERM HUP
}
