import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where a browser is on this machine; null without one. */
export const chromiumPath = (): string | null => PLACES.find((path) => existsSync(path)) ?? null;

/** Why tests in a browser are not run here; null when they are. Under CI a missing browser is a failure. */
export const withoutChromium = (): string | null =>
  chromiumPath() !== null || process.env.CI !== undefined ? null : "there is no Chromium here";

/** A browser that speaks with nobody but the test. */
export function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error(`no Chromium: looked for ${PLACES.join(", ")}`);
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
