/** Why a guest was not run, or its run does not count: the host's or our own doing, never the guest's. */
export type SandboxFault =
  /** This kind of machine cannot isolate, or nobody has proved that it does. */
  | "sandbox-host"
  /** A program that builds the sandbox is missing. */
  | "sandbox-tool"
  /** There is no uid to run under that is neither root nor somebody's. */
  | "sandbox-uid"
  /** What was ordered makes no sense. */
  | "sandbox-order"
  /** An input or work folder cannot be used. */
  | "sandbox-input"
  /** The sandbox could not be set up. */
  | "sandbox-setup"
  /** Something of the run is still there. */
  | "sandbox-left-behind";

export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: SandboxFault;
  readonly hint: string;

  constructor(code: SandboxFault, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
