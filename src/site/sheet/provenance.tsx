import type { JSX } from "preact";
import type { ResultDocument } from "../../lib/benchmarks/result-schema.ts";
import { Level } from "../ui/level.tsx";
import { Text } from "../ui/text.tsx";
import { usdText } from "./format.ts";
import { Code, Digest, Facts } from "./parts.tsx";

/** Everything the document says of how it came to be. */
export function Provenance({ document }: { readonly document: ResultDocument }): JSX.Element {
  const { suite, model, prompt, caps, pacing, runner, totals, supersedes } = document;
  const { temperature, max_tokens, response_format } = model.parameters;
  return (
    <section aria-labelledby="provenance">
      <h2 id="provenance">Provenance</h2>
      <p>
        Scores are <Level level="recomputed" />; everything else here is <Level level="declared" /> by whoever
        sent the result.
      </p>
      <Facts
        facts={[
          { name: "Suite", value: <Code>{suite.id}</Code> },
          { name: "Suite digest", value: <Digest>{suite.digest}</Digest> },
          { name: "Model", value: <Code>{model.id}</Code> },
          {
            name: "Parameters sent",
            value: `temperature ${temperature ?? "not sent"}, maximum tokens ${max_tokens ?? "not sent"}, response format ${response_format}`,
          },
          {
            name: "Prompt",
            value: (
              <>
                mode <Code>{prompt.mode}</Code>, version <Code>{prompt.version}</Code>,{" "}
                <Digest>{prompt.sha256}</Digest>
              </>
            ),
          },
          ...(prompt.measured === undefined
            ? []
            : [
                {
                  name: "First prompts, measured",
                  value: (
                    <>
                      {prompt.measured.total_tokens} tokens of <Code>{prompt.measured.tokenizer}</Code> in{" "}
                      {prompt.measured.prompts} prompts, the largest {prompt.measured.largest_tokens}
                    </>
                  ),
                },
              ]),
          { name: "Pipeline version", value: <Code>{document.pipeline_version}</Code> },
          { name: "Started", value: document.started_at },
          { name: "Finished", value: document.finished_at },
          {
            name: "Caps",
            value: `${caps.calls} calls for the run, ${caps.attempts_per_member} attempts a member`,
          },
          { name: "Pacing", value: `at least ${pacing.min_interval_ms} ms between calls` },
          {
            name: "Runner",
            value: (
              <Text>{`${runner.name} ${runner.version}; ${runner.environment}; ${runner.transport}`}</Text>
            ),
          },
          { name: "Invocation", value: <Code>{runner.invocation}</Code> },
          {
            name: "Deterministic components",
            value: <Text>{runner.deterministic_components.join(", ") || "none named"}</Text>,
          },
          { name: "Model output", value: "declared not to be deterministic" },
          {
            name: "Members",
            value: `${totals.passed} passed, ${totals.partial} partial, ${totals.failed} failed, ${totals.skipped} skipped`,
          },
          { name: "Calls", value: String(totals.calls) },
          { name: "Tokens", value: tokensText(totals) },
          { name: "Cost", value: costText(document.cost) },
          {
            name: "Supersedes",
            value:
              supersedes === undefined ? (
                "no other result"
              ) : (
                <>
                  <Digest>{supersedes.digest}</Digest>: <Text>{supersedes.reason}</Text>
                </>
              ),
          },
        ]}
      />
    </section>
  );
}

const tokensText = ({ prompt_tokens, completion_tokens }: ResultDocument["totals"]): string =>
  prompt_tokens === null || completion_tokens === null
    ? "unknown: the provider reported none"
    : `${prompt_tokens} prompt, ${completion_tokens} completion, as reported`;

function costText({ total_usd, complete }: ResultDocument["cost"]): string {
  if (total_usd === null) return "unknown: the provider reported none";
  return complete
    ? `${usdText(total_usd)}, as reported`
    : `${usdText(total_usd)} at least: the cost of some calls was not reported`;
}
