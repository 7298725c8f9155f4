#!/usr/bin/env python3
"""test.py OVERLAY MANIFEST: fails where the DaemonSet of an overlay has more than the agent needs."""

import sys

import yaml

overlay, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    objects = {(item["kind"]): item for item in yaml.safe_load_all(file) if item["kind"] != "ConfigMap"}
pod = objects["DaemonSet"]["spec"]["template"]["spec"]
(container,) = pod["containers"]
security = container["securityContext"]

checks = {
    "kinds": set(objects) == {"Namespace", "ServiceAccount", "DaemonSet"},
    "host network alone": pod["hostNetwork"] and not pod.get("hostPID") and not pod.get("hostIPC"),
    "no files of the host": all("hostPath" not in volume for volume in pod["volumes"]),
    "no token": pod["automountServiceAccountToken"] is False,
    "read-only root": security["readOnlyRootFilesystem"] is True,
    "no escalation": security["allowPrivilegeEscalation"] is False and not security.get("privileged"),
    "capabilities": security["capabilities"]
    == ({"drop": ["ALL"]} if overlay == "base" else {"drop": ["ALL"], "add": ["NET_RAW"]}),
    "user": pod["securityContext"]["runAsUser"] == (65532 if overlay == "base" else 0),
    "seccomp": pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"},
    "probes": all(container[f"{kind}Probe"] for kind in ("startup", "liveness", "readiness")),
    "bounds": set(container["resources"]["limits"]) == {"memory", "ephemeral-storage"},
    "writable folders are mounted": {mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")}
    == {"/var/lib/sonde", "/run/sonde"},
    "a configuration by its content": any(
        volume.get("configMap", {}).get("name", "").startswith("sonde-") for volume in pod["volumes"]),
}
failed = [name for name, holds in checks.items() if not holds]
for name in failed:
    print(f"{overlay}: {name}", file=sys.stderr)
sys.exit(bool(failed))
