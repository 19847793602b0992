/**
 * The first program inside the sandbox of a run. There is no network there, so it listens on the sandbox's own loopback, hands every
 * connection to the proxy's unix socket as it is, and starts the harness in the work folder. What it passes on is the proxy's business
 * alone: a contestant that replaces it, or calls the socket itself, gets at nothing more.
 */

/** Where it listens: the sandbox has a loopback of its own, so any port is free. */
export const FORWARDER_PORT = 8787;
export const FORWARDER_URL = `http://127.0.0.1:${FORWARDER_PORT}`;
export const EGRESS_SOCKET = "/in/egress.sock";
/** Where node and this script are inside. */
export const NODE_INSIDE = "/opt/node/bin/node";
export const FORWARDER_INSIDE = "/in/forwarder.mjs";

/** Plain JavaScript without packages. Arguments: socket, port, work folder, then the harness's command. Ends as the harness does. */
export const FORWARDER_SCRIPT = `import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

const [socket, port, folder, program, ...words] = process.argv.slice(2);
const server = createServer((inside) => {
  const outside = connect(socket);
  const end = () => {
    inside.destroy();
    outside.destroy();
  };
  inside.on("error", end).on("close", end);
  outside.on("error", end).on("close", end);
  inside.pipe(outside);
  outside.pipe(inside);
});
server.on("error", (error) => {
  console.error(error.message);
  process.exit(70);
});
server.listen(Number(port), "127.0.0.1", () => {
  const harness = spawn(program, words, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  harness.on("error", (error) => {
    console.error(error.message);
    process.exit(71);
  });
  harness.on("exit", (code, signal) => process.exit(signal === null ? code : 72));
});
`;

/** Exit codes that are the forwarder's, not the harness's. */
export const FORWARDER_CODES: ReadonlyMap<number, string> = new Map([
  [70, "the forwarder to the proxy could not listen"],
  [71, "the harness's program could not be started"],
  [72, "a signal ended the harness"],
]);

/** The command of the sandbox. */
export const forwarderCommand = (
  folder: string,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] => [
  NODE_INSIDE,
  FORWARDER_INSIDE,
  EGRESS_SOCKET,
  `${FORWARDER_PORT}`,
  folder,
  ...command,
];
