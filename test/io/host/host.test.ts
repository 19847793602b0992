import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeHostKey, readHostKey, verifySignature } from "../../../src/io/host/keys.ts";
import { type HostWorld, readHost } from "../../../src/io/host/read.ts";
import { MACOS_COMMANDS } from "../../../src/lib/host/macos.ts";
import { mac, macTexts, ryzen, ryzenTexts } from "../../lib/host/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-host-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const world = (change: Partial<HostWorld>): HostWorld => ({
  platform: "linux",
  arch: "x64",
  root: folder,
  run: async () => null,
  control: () => 20,
  ...change,
});

describe("reading a host", () => {
  it("finds the files of a recorded Linux machine, those of each core and device too", async () => {
    const root = join(folder, "ryzen");
    for (const [path, text] of ryzenTexts())
      if (path.endsWith("/")) mkdirSync(join(root, path), { recursive: true });
      else {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text ?? "");
      }
    const tools = { cc: "gcc 14.2.0\nmore\n", rustc: "rustc 1.91.0\n" } as Record<string, string>;
    const run = async ([program = ""]: readonly string[]) => tools[program] ?? null;
    const read = await readHost(world({ root, run }));
    expect(read.fingerprint).toEqual({
      ...ryzen().fingerprint,
      compiler: "gcc 14.2.0",
      rustc: "rustc 1.91.0",
      node: null,
    });
    expect(read.sensors).toEqual({ ...ryzen().sensors, control_ms: { state: "value", value: 20 } });
  });

  it("F66: tells a file that is not there from one that cannot be read", async () => {
    const root = join(folder, "odd");
    // Reading a folder as a file fails for root as well.
    mkdirSync(join(root, "proc/loadavg"), { recursive: true });
    const { sensors } = await readHost(world({ root }));
    expect(sensors.load_1m).toEqual({ state: "unreadable" });
    expect(sensors.cpu_pressure).toEqual({ state: "absent" });
  });

  it("asks a Mac's own tools", async () => {
    const names = Object.entries(MACOS_COMMANDS);
    const run = async (argv: readonly string[]): Promise<string | null> => {
      const name = names.find(([, command]) => command.join(" ") === argv.join(" "))?.[0];
      return name === undefined ? null : (macTexts().get(name) ?? null);
    };
    const read = await readHost(world({ platform: "darwin", arch: "arm64", run }));
    expect(read.fingerprint).toMatchObject(mac().fingerprint);
    expect(read.sensors).toMatchObject(mac().sensors);
  });

  it("reads no other system", async () => {
    await expect(readHost(world({ platform: "win32" }))).rejects.toThrow(/win32/);
  });
});

describe("a host's key", () => {
  it("is made for its owner alone, and never over another file", async () => {
    const path = join(folder, "host.pem");
    const key = await makeHostKey(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect(makeHostKey(path)).rejects.toThrow(/EEXIST/);
    const read = await readHostKey(path);
    expect(read.publicHex).toBe(key.publicHex);
    expect(verifySignature(key.publicHex, "words", read.sign("words"))).toBe(true);
    expect(verifySignature(key.publicHex, "other words", read.sign("words"))).toBe(false);
  });

  it("may be the 32 bytes in hex (RFC 8032, section 7.1, test 1)", async () => {
    const path = join(folder, "host.hex");
    writeFileSync(path, "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n");
    const key = await readHostKey(path);
    expect(key.publicHex).toBe("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    expect(key.sign("")).toBe(
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    );
  });

  it("is never quoted when it is none", async () => {
    const path = join(folder, "secret.txt");
    writeFileSync(path, "hunter2");
    chmodSync(path, 0o600);
    await expect(readHostKey(path)).rejects.toThrow(/no Ed25519 key/);
    await expect(readHostKey(path)).rejects.not.toThrow(/hunter2/);
    await expect(readHostKey(join(folder, "nowhere"))).rejects.toThrow(/cannot be read/);
    expect(readFileSync(path, "utf8")).toBe("hunter2");
  });
});
