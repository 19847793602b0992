import type { Page } from "../ui/document.tsx";

/** What a hoster shows for an address without a page. Its links are absolute where the site's address is known. */
export const notFoundPage = (url: string | null): Page => ({
  path: "404.html",
  title: "There is no such page",
  description: "There is no such page.",
  section: "start",
  body: (
    <>
      <h1>There is no such page</h1>
      <p>
        A result that was withdrawn or superseded keeps its document in the repository, and its page goes.{" "}
        <a href={url ?? "index.html"}>To the first page</a>
      </p>
    </>
  ),
});
