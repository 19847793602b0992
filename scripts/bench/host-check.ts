import { printable } from "../../src/io/terminal.ts";
import { lookAtHost } from "../../src/jobs/host-check.ts";
import { readHosts } from "../../src/jobs/job-files.ts";
import type { Host } from "../../src/lib/code/schema/hosts-schema.ts";
import { padText } from "../../src/lib/picture/text.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

/** Shows what this machine is and does beside what its record wants. */
export const hostCheck = register<{ id: string; root?: string; json?: boolean }>({
  words: ["host", "check"],
  summary: "hold this machine against a host of data/hosts.json, as a job does before it measures",
  declare: (command) =>
    command
      .argument("<id>", "the host, as data/hosts.json names it")
      .option("--root <folder>", "the folder that holds data/ (default: this repository)")
      .option("--json", "the readings as JSON"),
  async action({ id, root, json }, { stdout }) {
    const hosts = await readHosts(rootOf(root));
    if (!hosts.ok) return hosts.findings;
    const host = hosts.value.hosts.find((each) => each.id === id);
    if (host === undefined)
      return [
        {
          code: "guard-host",
          severity: "error",
          message: "There is no such host.",
          actual: id,
          expected: hosts.value.hosts.map((each) => each.id).join(", "),
        },
      ];
    const { facts, read, findings } = await lookAtHost(host);
    if (json === true) stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
    else {
      const pins = new Map(Object.entries(host.fingerprint).map(([name, value]) => [name, String(value)]));
      for (const [name, value] of Object.entries(read.fingerprint))
        stdout.write(line(name, String(value ?? "-"), pins.get(name) ?? "part of the series"));
      stdout.write(line("digest", facts.fingerprint_digest, ""));
      for (const [name, sensor] of Object.entries(read.sensors))
        stdout.write(
          line(
            name,
            sensor.state === "value" ? String(sensor.value) : sensor.state,
            wanted(host.guards[name]),
          ),
        );
      stdout.write(
        findings.length === 0 ? `${host.name} may measure now.\n` : "Nothing is measured here now.\n",
      );
    }
    return [...findings];
  },
});

const line = (name: string, is: string, wants: string): string =>
  `${padText(name, 18)}  ${padText(printable(is).slice(0, 60), 40)}  ${wants}`.trimEnd().concat("\n");

function wanted(guard: Host["guards"][string] | undefined): string {
  if (guard === undefined) return "";
  if (guard === "absent") return "absent";
  return Object.entries(guard)
    .map(([how, value]) => `${how.replaceAll("_", " ")} ${value}`)
    .join(", ");
}
