import { boundPaths, deriveEnvironment, type SandboxOrder } from "./order.ts";

/**
 * From an order to command lines. A run has two rooms, one in the other:
 *
 * - the **stage**: a mount namespace of our own shell script (below), in which a file system in memory of the ordered
 *   size is mounted over a folder that every system has, and the inputs are bound to plain names. The script also
 *   outlives the guest, so that results can be fetched when nothing runs any more.
 * - the **sandbox**: bubblewrap, started by the script under the throw-away uid, in namespaces of its own.
 *
 * Both exist only as long as their processes: no mount and no file is left behind, whoever dies first.
 */

/** What the launcher finds out about the host. */
export interface SandboxHost {
  /** Where a stage can be mounted: folders that exist on this host, in order of preference. */
  readonly stageFolders: readonly string[];
  /** `/bin`, `/lib`, `/lib64` and the like: where each leads, or null for a real folder. */
  readonly rootFolders: Readonly<Record<string, string | null>>;
  /** A uid that nobody has, for harnesses that are root; null where the harness is an ordinary user. */
  readonly throwAwayUid: number | null;
  /** A cgroup made for this run, whose `cgroup.procs` the script may write; null where there is none. */
  readonly cgroup: string | null;
}

/** The uid inside. Nothing is owned by it outside. */
export const INNER_UID = 1000;
/** What stands on the stage beside what the guest makes: its root, four folders, three files of /etc, the inputs' names. */
export const countStageFiles = (order: SandboxOrder): number => 8 + boundPaths(order).length;
/** Of these the files of /etc take a page each. */
export const STAGE_PAGES = 3;
/** Seconds after which the kernel-side alarm ends a run whose harness no longer watches. */
const ALARM_SLACK_SECONDS = 5;

/**
 * The script of the stage. Descriptors: 3 what it says ("ready", bubblewrap's status, "done"), 4 what it is told
 * ("go", and the end of file as "leave"), 5 the filter of system calls. Everything else that leaked into it is closed first.
 */
const STAGE_SCRIPT = `
set -eu
for entry in /proc/self/fd/*; do
  number=\${entry##*/}
  if [ "$number" -gt 5 ]; then eval "exec $number>&-"; fi
done
stage=$1 bytes=$2 files=$3 owner=$4 cgroup=$5 inputs=$6
shift 6
bytes=$((bytes + ${STAGE_PAGES} * $(getconf PAGESIZE)))
mount -t tmpfs -o "size=$bytes,nr_inodes=$files,mode=0755,nosuid,nodev" assay-sandbox "$stage"
mkdir "$stage/work" "$stage/tmp" "$stage/shm" "$stage/in"
chown "$owner:$owner" "$stage/work" "$stage/tmp" "$stage/shm"
printf 'guest:x:${INNER_UID}:${INNER_UID}::/job:/bin/sh\\n' > "$stage/passwd"
printf 'guest:x:${INNER_UID}:\\n' > "$stage/group"
printf '127.0.0.1 localhost\\n::1 localhost\\n' > "$stage/hosts"
index=0
while [ "$index" -lt "$inputs" ]; do
  if [ -d "$1" ]; then mkdir "$stage/in/$index"; else : > "$stage/in/$index"; fi
  mount --rbind "$1" "$stage/in/$index"
  shift
  index=$((index + 1))
done
printf 'ready\\n' >&3
read -r -u 4 go
[ "$go" = go ]
set +e
(
  if [ -n "$cgroup" ]; then echo 0 > "$cgroup/cgroup.procs" || exit 125; fi
  echo 1000 > /proc/self/oom_score_adj
  exec "$@" 4<&-
)
code=$?
exec 0<&- 1>&- 2>&-
{ printf 'done %s\\n' "$code"; times; printf 'end\\n'; } >&3
read -r -u 4 leave
exit 0
`;

const isAncestor = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The first folder that a stage can cover without hiding what the order needs; null when all of them do. */
export function pickStageFolder(host: SandboxHost, order: SandboxOrder): string | null {
  return (
    host.stageFolders.find((folder) => !boundPaths(order).some(({ from }) => isAncestor(folder, from))) ??
    null
  );
}

/** Parts of /etc that compilers and the loader read. Each is optional. */
const ETC = ["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime"];

function deriveRoot(host: SandboxHost, stage: string): string[] {
  const folders = Object.entries(host.rootFolders).flatMap(([path, target]) =>
    target === null ? ["--ro-bind", path, path] : ["--symlink", target, path],
  );
  return [
    ...["--ro-bind", "/usr", "/usr"],
    ...folders,
    ...ETC.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...["passwd", "group", "hosts"].flatMap((name) => ["--ro-bind", `${stage}/${name}`, `/etc/${name}`]),
  ];
}

/**
 * Hard limits that the kernel keeps for each process, bubblewrap's own among them. Data is more than the order's memory
 * because stacks of threads are reserved in full and mostly never used; what is really used is bounded by the cgroup or
 * the sampler.
 */
function deriveResourceLimits({ limits }: SandboxOrder): string[] {
  const data = limits.memoryBytes + 8 * 1024 * 1024 * limits.processes;
  const hard: Readonly<Record<string, number>> = {
    core: 0,
    cpu: limits.cpuSeconds + 1,
    data,
    fsize: limits.fileBytes,
    nofile: limits.openFiles,
    memlock: 65536,
    msgqueue: 0,
    sigpending: 1024,
    nice: 0,
    rtprio: 0,
  };
  return Object.entries(hard).map(([name, value]) => `--${name}=${value}:${value}`);
}

/** Set inside, where it counts the processes of this sandbox only; its first process is one of them. */
const deriveProcessLimit = ({ limits }: SandboxOrder): string =>
  `--nproc=${limits.processes + 1}:${limits.processes + 1}`;

const DISCARD = 'exec "$@" </dev/null >/dev/null 2>&1';

function deriveSandbox(host: SandboxHost, order: SandboxOrder, stage: string): string[] {
  return [
    "bwrap",
    ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"],
    ...["--unshare-cgroup-try", "--disable-userns"],
    ...["--uid", `${INNER_UID}`, "--gid", `${INNER_UID}`, "--cap-drop", "ALL", "--hostname", "sandbox"],
    ...["--die-with-parent", "--new-session", "--json-status-fd", "3", "--seccomp", "5"],
    ...deriveRoot(host, stage),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--bind", `${stage}/work`, "/job", "--bind", `${stage}/tmp`, "/tmp"],
    ...["--bind", `${stage}/shm`, "/dev/shm"],
    ...boundPaths(order).flatMap(({ to }, index) => ["--ro-bind", `${stage}/in/${index}`, to]),
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/job", "--clearenv"],
    ...Object.entries(deriveEnvironment(order)).flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
    ...["/usr/bin/prlimit", deriveProcessLimit(order), "--"],
    ...(order.stdio === "discard" ? ["/bin/sh", "-c", DISCARD, "sh"] : []),
    ...order.command,
  ];
}

/** What the harness starts: the stage, which starts everything else. */
export function deriveLaunch(host: SandboxHost, order: SandboxOrder, stage: string): string[] {
  const asUser =
    host.throwAwayUid === null
      ? []
      : ["--reuid", `${host.throwAwayUid}`, "--regid", `${host.throwAwayUid}`, "--clear-groups"];
  return [
    // An ordinary user needs a user namespace of its own before it may mount anything.
    ...["unshare", ...(host.throwAwayUid === null ? ["--user", "--map-root-user"] : [])],
    ...["--mount", "--propagation", "private", "--"],
    ...["setpriv", "--pdeathsig", "KILL", "--", "bash", "--noprofile", "--norc", "-c", STAGE_SCRIPT, "stage"],
    ...[stage, `${order.work.bytes}`, `${order.work.files + countStageFiles(order)}`],
    ...[`${host.throwAwayUid ?? 0}`, host.cgroup ?? "", `${boundPaths(order).length}`],
    ...boundPaths(order).map(({ from }) => from),
    ...["setpriv", ...asUser, "--inh-caps=-all", "--no-new-privs", "--pdeathsig", "KILL", "--"],
    ...["timeout", "--foreground", "-s", "KILL", `${order.limits.wallSeconds + ALARM_SLACK_SECONDS}`],
    ...["prlimit", ...deriveResourceLimits(order), "--"],
    ...deriveSandbox(host, order, stage),
  ];
}
