#!/usr/bin/env python3
"""enter.py ROOT USER GROUP COMMAND...: becomes COMMAND in the root directory ROOT, as a container's engine starts it: as another user,
with no capability, no new privileges and no environment. Root only."""

import ctypes
import os
import sys

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38

root, user, group, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
libc = ctypes.CDLL(None, use_errno=True)
os.chroot(root)
os.chdir("/")
with open("/proc/sys/kernel/cap_last_cap") as file:
    last = int(file.read())
for capability in range(last + 1):
    if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
        sys.exit(f"enter: capability {capability}: {os.strerror(ctypes.get_errno())}")
os.setgroups([])
os.setresgid(group, group, group)
# The capabilities go with the user.
os.setresuid(user, user, user)
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
    sys.exit(f"enter: no new privileges: {os.strerror(ctypes.get_errno())}")
os.execve(command[0], command, {})
