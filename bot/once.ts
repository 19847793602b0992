import { loadEnvFile, readSettings } from "./settings.ts";
import { startOffice } from "./start-office.ts";

/** The same app without a server: looks at everything once, does what there is to do, and ends (docs/operations.md). */

if (process.argv.length > 2) {
  process.stderr.write(
    "npm run bot:once takes no options; docs/operations.md lists the settings it reads.\n",
  );
  process.exit(2);
}
loadEnvFile();
const { office } = await startOffice(readSettings(process.env));
const failed = await office.reconcile();
process.stdout.write(failed === 0 ? "Everything was looked at.\n" : `${failed} pieces of work failed.\n`);
process.exit(failed === 0 ? 0 : 1);
