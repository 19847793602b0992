import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where systems put their Chromium. */
export const CHROMIUM_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
] as const;

/** Where a browser is on this machine; null without one. */
export const chromiumPath = (): string | null => CHROMIUM_PLACES.find((path) => existsSync(path)) ?? null;

/** A browser that speaks with nobody but whom it is sent to. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({
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
