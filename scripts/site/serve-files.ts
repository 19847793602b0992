import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { SiteFile } from "../../src/site/site.tsx";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  xml: "application/atom+xml",
};

export interface Served {
  /** With a slash at its end; below a path of its own, as project pages are. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a site's files on loopback, under `/sub/path/`. */
export async function serveFiles(files: readonly SiteFile[]): Promise<Served> {
  const byPath = new Map(files.map(({ path, data }) => [`/sub/path/${path}`, data]));
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const data = byPath.get(path);
    response.writeHead(data === undefined ? 404 : 200, {
      "content-type": TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    });
    response.end(data ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sub/path/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
