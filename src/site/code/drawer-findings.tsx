import type { JSX } from "preact";
import type { DrawerFinding, EntryDrawer } from "../../lib/code/aggregate/drawer.ts";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { countText, numberText } from "../../lib/code/aggregate/numbers-text.ts";
import type { EntryData } from "../../lib/code/derive/data-schema.ts";
import { SEVERITY_WEIGHTS } from "../../lib/code/score/findings.ts";
import { Level } from "../ui/level.tsx";
import { Text } from "../ui/text.tsx";
import { METHODS } from "./defects.tsx";

/** Severities, the gravest first. */
const SEVERITIES = ["critical", "high", "medium", "low", "nit"] as const;

/** Which hidden categories failed: by opaque ids, since what they test stays private. */
export function HiddenFacts({ entry: { hidden } }: { readonly entry: EntryData }): JSX.Element {
  if (hidden === null) return <p>The hidden suite was not run.</p>;
  return (
    <p>
      {`Passes ${countText(hidden)} categories.`} <Level level={hidden.level} />
      {hidden.failed.length === 0 ? null : (
        <>
          {" Failed: "}
          {hidden.failed.map((id, place) => (
            <span key={id}>
              {place === 0 ? "" : ", "}
              <code>
                <Text>{id}</Text>
              </code>
            </span>
          ))}
          . What they test stays private.
        </>
      )}
    </p>
  );
}

interface DrawerFindingsProps {
  readonly drawer: EntryDrawer;
  /** Whether the findings have their texts. */
  readonly texts: "loaded" | "loading" | "failed";
}

/** Every finding of every seat, by severity. */
export function DrawerFindings({ drawer: { findings, seats }, texts }: DrawerFindingsProps): JSX.Element {
  if (findings.length === 0)
    return (
      <p class="none">{seats.length === 0 ? "Nobody reviewed it." : "No judge found anything to report."}</p>
    );
  const wrong = findings.filter(({ false_positive }) => false_positive).length;
  const count = `${findings.length} ${findings.length === 1 ? "finding" : "findings"}`;
  return (
    <>
      <p>
        {count}
        {wrong === 0 ? "." : `, ${wrong} of them shown to be wrong: false positives count nowhere.`}
      </p>
      {texts === "loaded" ? (
        SEVERITIES.map((severity) => (
          <SeverityGroup
            key={severity}
            severity={severity}
            findings={findings.filter((finding) => finding.severity === severity)}
          />
        ))
      ) : (
        <p class="wait" role="status">
          {texts === "loading"
            ? "Loading what they say …"
            : "What they say could not be loaded. Loading the page again tries once more; the file of the run, below, has it too."}
        </p>
      )}
    </>
  );
}

interface SeverityGroupProps {
  readonly severity: DrawerFinding["severity"];
  readonly findings: readonly DrawerFinding[];
}

const SeverityGroup = ({ severity, findings }: SeverityGroupProps): JSX.Element | null =>
  findings.length === 0 ? null : (
    <>
      <h4>{`${severity} (${findings.length}, weight ${numberText(SEVERITY_WEIGHTS[severity], 1)} each)`}</h4>
      <ul class="findings">
        {findings.map((finding) => (
          <li key={`${finding.session} ${finding.judge} ${finding.id}`}>
            <Finding finding={finding} />
          </li>
        ))}
      </ul>
    </>
  );

function Finding({ finding }: { readonly finding: DrawerFinding }): JSX.Element {
  const { category, group, file, line, judge_name, text, false_positive, note, defect, classified_by } =
    finding;
  return (
    <>
      <div class="finding-head">
        <strong>{category}</strong> <span class="soft">{`(${group})`}</span>{" "}
        {file === null ? (
          <span class="soft">no place named</span>
        ) : (
          <code>
            <Text>{line === null ? file : `${file}:${line}`}</Text>
          </code>
        )}{" "}
        <span class="soft">
          by <Text>{judge_name}</Text>
          {classified_by === "judge"
            ? ""
            : `, category set by ${classified_by === "keywords" ? "keyword rules" : "hand"}`}
        </span>
        {false_positive ? <strong class="wrong"> False positive, counts nowhere</strong> : null}
      </div>
      <p>
        {false_positive ? (
          <s>
            <Text>{text}</Text>
          </s>
        ) : (
          <Text>{text}</Text>
        )}
      </p>
      {note === null ? null : (
        <p class="soft">
          Note: <Text>{note}</Text>
        </p>
      )}
      {defect === null ? null : <p class="soft">{`Reports the verified defect ${defect}.`}</p>}
    </>
  );
}

/** Verified defects that the entry has, found or not. */
export const DefectFacts = ({
  drawer: { defects, seats },
  index,
}: {
  readonly drawer: EntryDrawer;
  readonly index: DataIndex;
}): JSX.Element | null => {
  if (defects.length === 0) return null;
  const judges = new Set(seats.map(({ judge }) => judge)).size;
  return (
    <>
      <h4>Verified defects that it has</h4>
      <ul>
        {defects.map(({ id, title, severity, category, method, found_by }) => (
          <li key={id}>
            <strong>{id}</strong> <Text>{title}</Text>{" "}
            <span class="soft">
              {`${severity}, ${category}; confirmed by ${METHODS[method]}; `}
              {found_by.length === 0 ? (
                judges === 0 ? (
                  "nobody reviewed the entry"
                ) : (
                  `reported by none of ${judges} judges`
                )
              ) : (
                <>
                  {`reported by ${found_by.length} of ${judges}: `}
                  <Text>{found_by.map((judge) => index.judges.get(judge)?.name ?? judge).join(", ")}</Text>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};
