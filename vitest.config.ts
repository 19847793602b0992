import { defineConfig } from "vitest/config";

/** Tests of pure code leave nothing behind in their process: it is used again, and loads what it tests once. */
const PURE = "test/lib/**/*.test.{ts,tsx}";

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: end-to-end tests start servers and children of their own.
    maxWorkers: 2,
    server: { deps: { inline: [/@actions\/(workflow-parser|expressions)/] } },
    projects: [
      { extends: true, test: { name: "pure", include: [PURE], isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.{ts,tsx}"], exclude: [PURE] } },
    ],
  },
});
