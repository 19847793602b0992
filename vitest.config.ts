import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: end-to-end tests start servers and children of their own.
    maxWorkers: 2,
    server: { deps: { inline: [/@actions\/(workflow-parser|expressions)/] } },
  },
});
