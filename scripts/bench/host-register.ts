import { Option } from "commander";
import { registerHost } from "../../src/jobs/host-register.ts";
import type { Host } from "../../src/lib/code/schema/hosts-schema.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface RegisterOptions {
  id: string;
  class: Host["class"];
  name?: string;
  label?: string[];
  key?: string;
  root?: string;
  print?: boolean;
}

/** Makes this machine a host. */
export const hostRegister = register<RegisterOptions>({
  words: ["host", "register"],
  summary: "write this machine's record into data/hosts.json, and make its key",
  declare: (command) =>
    command
      .option("--id <id>", "what the host is called", "rehearsal")
      .addOption(
        new Option(
          "--class <class>",
          "`board` measures for the board; `rehearsal` is any machine and never does",
        )
          .choices(["board", "rehearsal"])
          .default("rehearsal"),
      )
      .option("--name <words>", "its name for people")
      .option("--label <label...>", "labels of its runner (default: self-hosted and the id)")
      .option("--key <file>", "file of its private key: made, for you alone, when it is not there")
      .option("--root <folder>", "the folder that holds data/ (default: this repository)")
      .option("--print", "only print the record; write no document"),
  async action(options, { stdout, stderr }) {
    const { id, name, label, key, root, print } = options;
    const registered = await registerHost({
      id,
      class: options.class,
      root: rootOf(root),
      write: print !== true,
      ...(name === undefined ? {} : { name }),
      ...(label === undefined ? {} : { labels: label }),
      ...(key === undefined ? {} : { key }),
    });
    if (!registered.ok) return registered.findings;
    const { host, made } = registered.value;
    stdout.write(`${JSON.stringify(host, null, 2)}\n`);
    if (made === true)
      stderr.write(`The private key is in ${key}. It stays on this machine; ASSAY_HOST_KEY names it.\n`);
    return registered.findings;
  },
});
