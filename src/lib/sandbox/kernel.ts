/**
 * Whether a kernel counts `RLIMIT_NPROC` in each user namespace by itself, as it does since 5.14. Before, the harness's own
 * processes counted against the guest's bound, and a guest's against those of everybody with its uid.
 *
 * @param release as `uname -r` says it, for example `6.8.0-45-generic`
 */
export function isRecentKernel(release: string): boolean {
  const [, major = 0, minor = 0] = (/^(\d+)\.(\d+)/.exec(release) ?? []).map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
