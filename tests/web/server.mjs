// A host of static files: a folder, below a path of its own, since addresses in it must be relative.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

/** Serves a folder below `/some/place/` on a free port of this machine; gives its address, what was asked, and an end. */
export async function serve(folder) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
    const file = join(folder, path.replace(/^\/some\/place\//, "/").replace(/\/$/, "/index.html"));
    const found = path.startsWith("/some/place/") && statSync(file, { throwIfNoEntry: false })?.isFile();
    response.writeHead(found ? 200 : 404, { "content-type": KINDS[extname(file)] ?? "text/plain" });
    return found ? createReadStream(file).pipe(response) : response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/some/place/`, asked, end: () => server.close() };
}
