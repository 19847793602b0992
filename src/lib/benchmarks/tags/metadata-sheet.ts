import { evidenceOf, type TagPredicate } from "./evidence.ts";

/** Some header is resolved from another sheet than the value it describes. */
export const metadataSheet: TagPredicate = (input) =>
  evidenceOf(input).some(({ outputs }) =>
    outputs.some(({ uses }) =>
      uses.some(({ source, values }) => values.some(({ sheet }) => sheet !== source.sheet)),
    ),
  );
