/**
 * The filter of system calls, as the bytes that bubblewrap hands to the kernel: classic BPF, one `struct sock_filter`
 * (u16 code, u8 jump if true, u8 jump if false, u32 operand; little endian) after the other.
 *
 * It is a list of what is refused, because compilers and runtimes of five languages call nearly everything else; the
 * namespaces, the missing capabilities and the limits carry the isolation, and the filter takes away what would get
 * round them: kernel interfaces with a history of holes, memory that no limit counts, and kinds of sockets that a
 * network namespace does not hold.
 */

export type SandboxArchitecture = "x64" | "arm64";

/** Refused with EPERM: only a privileged program, a debugger or an attack calls these. */
const FORBIDDEN = {
  // Namespaces, mounts and the root.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // The kernel itself.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // The clock.
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
} as const;

/** Refused with ENOSYS: programs fall back to something that the limits count. */
const MISSING = {
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_setup: [206, 0],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
} as const;

/** Calls of which some arguments are refused. */
const CLONE = [56, 220] as const;
const SOCKET = [41, 198] as const;
const IOCTL = [16, 29] as const;

/** All numbers by name, for a test that compares them with the kernel's headers. */
export const SYSTEM_CALLS: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  ...FORBIDDEN,
  ...MISSING,
  clone: CLONE,
  socket: SOCKET,
  ioctl: IOCTL,
};

const AUDIT_ARCH: Readonly<Record<SandboxArchitecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Numbers from here on are the x32 variants of the same calls. */
const X32_BIT = 0x40000000;
/** CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
/** AF_UNIX, AF_INET, AF_INET6. Others (vsock above all) are not bound to the network namespace, or are seldom tested. */
const FAMILIES = [1, 2, 10];
/** TIOCSTI and TIOCLINUX: typing into somebody's terminal. */
const TERMINAL_TRICKS = [0x5412, 0x541c];

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;
const KILL_PROCESS = 0x80000000;
const ALLOW = 0x7fff0000;
const errno = (code: number): number => 0x00050000 | code;

/** Offsets in `struct seccomp_data`; of an argument the lower half, which is all that these calls read. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

type Step = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];
const load = (offset: number): Step => [LOAD, 0, 0, offset];
const finish = (action: number): Step => [RETURN, 0, 0, action];
const refuse = (number: number, code: number): Step[] => [[EQUAL, 0, 1, number], finish(errno(code))];
/** Steps that are done only for one call; they leave the call's number loaded for those after them. */
const only = (number: number, steps: readonly Step[]): Step[] => [
  [EQUAL, 0, steps.length + 1, number],
  ...steps,
  load(NUMBER),
];

/** The filter for a machine, ready to be written to the file descriptor of `bwrap --seccomp`. */
export function renderSeccompFilter(architecture: SandboxArchitecture): Uint8Array<ArrayBuffer> {
  const at = architecture === "x64" ? 0 : 1;
  const steps: Step[] = [
    load(ARCHITECTURE),
    [EQUAL, 1, 0, AUDIT_ARCH[architecture]],
    finish(KILL_PROCESS),
    load(NUMBER),
    ...(architecture === "x64" ? ([[AT_LEAST, 0, 1, X32_BIT], finish(KILL_PROCESS)] as Step[]) : []),
    ...Object.values(FORBIDDEN).flatMap((numbers) => refuse(numbers[at], EPERM)),
    ...Object.values(MISSING).flatMap((numbers) => refuse(numbers[at], ENOSYS)),
    ...only(CLONE[at], [load(argument(0)), [ANY_BIT, 0, 1, NEW_NAMESPACES], finish(errno(EPERM))]),
    ...only(SOCKET[at], [
      load(argument(0)),
      ...FAMILIES.map((family, index): Step => [EQUAL, FAMILIES.length - index, 0, family]),
      finish(errno(EAFNOSUPPORT)),
    ]),
    ...only(IOCTL[at], [load(argument(1)), ...TERMINAL_TRICKS.flatMap((request) => refuse(request, EPERM))]),
    finish(ALLOW),
  ];
  const bytes = new Uint8Array(8 * steps.length);
  const view = new DataView(bytes.buffer);
  steps.forEach(([code, ifTrue, ifFalse, operand], index) => {
    view.setUint16(8 * index, code, true);
    view.setUint8(8 * index + 2, ifTrue);
    view.setUint8(8 * index + 3, ifFalse);
    view.setUint32(8 * index + 4, operand, true);
  });
  return bytes;
}
