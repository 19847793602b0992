import { boardPagePath, resultPagePath } from "../sheet/addresses.ts";
import type { SheetInput } from "../sheet/input.ts";
import type { Page } from "../ui/document.tsx";
import { Text } from "../ui/text.tsx";
import { START_PATH } from "./start.tsx";

/** The first page of a preview: what the pull request brings, and where it would stand. */
export const previewPage = ({ site, suites }: SheetInput): Page => ({
  path: START_PATH,
  title: "What this pull request changes",
  description: "Pages as they would be with the pull request merged.",
  section: "start",
  body: (
    <>
      <h1>What this pull request changes</h1>
      {suites.map(({ suite, board, results }) => (
        <section key={suite.id} aria-labelledby={`suite-${suite.id}`}>
          <h2 id={`suite-${suite.id}`}>
            <Text>{suite.title}</Text>
          </h2>
          <ul>
            {results
              .filter(({ digest }) => site.preview?.results.includes(digest))
              .map(({ digest, document }) => (
                <li key={digest}>
                  <a href={resultPagePath(suite.id, document.model.id, digest)}>
                    The result of <Text>{document.model.id}</Text>
                  </a>
                  {rankWords(board.rows.find((row) => row.result.digest === digest)?.rank ?? null)}
                </li>
              ))}
          </ul>
          <p>
            <a href={boardPagePath(suite.id)}>The board with it</a>
          </p>
        </section>
      ))}
    </>
  ),
});

const rankWords = (rank: number | null): string =>
  rank === null ? ", which would have no rank" : `, which would have rank ${rank}`;
