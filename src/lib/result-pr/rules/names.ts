import type { Finding } from "../../findings.ts";
import { isResultPath } from "../change-set.ts";
import { LIMITS } from "../facts.ts";
import type { Rule } from "./rule.ts";

const SEGMENT = /^[a-z0-9][a-z0-9._-]*$/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;

/** True of names that Windows keeps for devices, with any extension. */
export const isDeviceName = (segment: string): boolean => DEVICE.test(segment.toLowerCase());

/** F48: names that every file system keeps apart and nobody's shell or log can trip over. */
export const names: Rule = {
  id: "names",
  title: "Names are made of a-z, 0-9, dot, dash and underscore, and are short.",
  check: ({ changes }) =>
    changes.flatMap(({ path, after }) => (after !== null && isResultPath(path) ? nameFindings(path) : [])),
};

function nameFindings(path: string): Finding[] {
  const segments = path.split("/");
  const finding = (code: string, message: string, more: Partial<Finding>): Finding => ({
    code,
    severity: "error",
    message,
    path,
    hint: "Do not name the file yourself: npm run bench:run writes it under the name it must have.",
    ...more,
  });
  const findings: Finding[] = [];
  const odd = segments.find(
    (segment) => !SEGMENT.test(segment) || segment.endsWith(".") || segment.includes(".."),
  );
  if (odd !== undefined)
    findings.push(
      finding("pr-name-characters", "A name in this path holds characters that results may not have.", {
        expected: "segments of a-z, 0-9, '.', '_' and '-' that begin with a letter or digit, without '..'",
        actual: odd,
      }),
    );
  const long = segments.find((segment) => segment.length > LIMITS.segment);
  if (long !== undefined || path.length > LIMITS.path)
    findings.push(
      finding("pr-name-length", "A name in this path is too long.", {
        expected: `names of at most ${LIMITS.segment} characters, paths of at most ${LIMITS.path}`,
        actual: `${long?.length ?? path.length} characters`,
      }),
    );
  const device = segments.find(isDeviceName);
  if (device !== undefined)
    findings.push(
      finding("pr-name-device", "Windows keeps this name for a device, so nobody there could check it out.", {
        actual: device,
      }),
    );
  return findings;
}
