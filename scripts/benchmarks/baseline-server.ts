// tsx scripts/benchmarks/baseline-server.ts [--port N]
// Serves the contestant baseline/heuristic on loopback until it is stopped; bench:run starts one by itself.
import { Command } from "commander";
import { startBaselineServer } from "../../src/io/run/baseline-server.ts";

const { port } = new Command("baseline-server")
  .option("--port <number>", "port to listen on; 0 takes a free one", "0")
  .parse()
  .opts<{ port: string }>();

if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
  console.error(`--port takes a number from 0 to 65535, not ${port}`);
  process.exitCode = 1;
} else {
  const server = await startBaselineServer({ port: Number(port) });
  console.log(`baseline/heuristic at ${server.url}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      server.close().then(() => process.exit(0));
    });
}
