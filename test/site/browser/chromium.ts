import type { Browser } from "playwright-core";
import { CHROMIUM_PLACES, chromiumPath, launchChromium as launch } from "../../../scripts/site/chromium.ts";

/** Why tests in a browser are not run here; null when they are. Under CI a missing browser is a failure. */
export const withoutChromium = (): string | null =>
  chromiumPath() !== null || process.env.CI !== undefined ? null : "there is no Chromium here";

/** A browser that speaks with nobody but the test. */
export function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error(`no Chromium: looked for ${CHROMIUM_PLACES.join(", ")}`);
  return launch(executablePath);
}
