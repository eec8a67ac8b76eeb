// SPDX-License-Identifier: MIT
//
// A Hugging Face hub as far as downloads need one, on loopback over plain HTTP. Its repositories are called after what is wrong
// with them. Usage: node hub.mjs MODEL FOLDER; writes FOLDER/port once it listens, and a line for each request to FOLDER/requests.
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { createServer } from "node:http";

const [model, folder] = process.argv.slice(2);
const weights = readFileSync(model);
const half = Math.floor(weights.length / 2);
const commit = "c".repeat(40);
const token = "hf_" + "a".repeat(34);
const wait = 300; // before a file comes, in ms: what comes in an instant is not told of
const open = new Set(); // what has been asked for once, for those that fail once

const one = { "tiny-Q8_0.gguf": weights };
const repositories = {
    "hub/good": { "README.md": Buffer.from("words"), "mmproj-F16.gguf": Buffer.from("no model"), "tiny-Q8_0.gguf": weights,
        "more/tiny-Q4_K_M.gguf": weights },
    "hub/parts": { "tiny-Q4_0-00002-of-00002.gguf": Buffer.from("the rest"), "tiny-Q4_0-00001-of-00002.gguf": weights },
    "hub/half-the-parts": { "tiny-Q4_0-00001-of-00002.gguf": weights },
    "hub/no-model": { "README.md": Buffer.from("words"), "mmproj-F16.gguf": Buffer.from("no model") },
    "hub/no-gguf": { "tiny-Q8_0.gguf": Buffer.from("hello, hello, hello") },
    "hub/preset": { "preset.ini": Buffer.from("[*]") },
    "hub/gated": one, "hub/private": one, "hub/breaks-once": one, "hub/breaks": one, "hub/stalls-once": one, "hub/trickles-once": one,
    "hub/short": one, "hub/huge": one, "hub/busy": one,
};

const oid = (bytes) => createHash("sha256").update(bytes).digest("hex");

function tree(files) {
    return Object.entries(files).map(([path, bytes]) => ({ type: "file", path, size: bytes.length, oid: "0".repeat(40),
        lfs: { oid: oid(bytes), size: bytes.length } }));
}

function json(response, status, value) {
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

// Sends bytes from `start` on, in the way that the repository is known for.
function send(repository, response, bytes, start) {
    const first = !open.has(repository);
    open.add(repository);
    const headers = { "Accept-Ranges": "bytes" };
    if (repository === "hub/short") {
        response.writeHead(200, headers); // chunked: no length
        return response.end(bytes.subarray(0, half));
    }
    headers["Content-Length"] = bytes.length - start;
    if (start > 0) headers["Content-Range"] = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
    response.writeHead(start > 0 ? 206 : 200, headers);
    if (repository === "hub/breaks" || (repository === "hub/breaks-once" && first)) {
        const end = repository === "hub/breaks" ? start + 1000 : half;
        return response.write(bytes.subarray(start, end), () => response.destroy());
    }
    if (repository === "hub/stalls-once" && first) return response.write(bytes.subarray(0, half));
    if (repository === "hub/trickles-once" && first) {
        let at = 0;
        const more = setInterval(() => response.write(bytes.subarray(at, (at += bytes.length >> 9))), 100);
        return response.on("close", () => clearInterval(more));
    }
    return response.end(bytes.subarray(start));
}

function file(repository, path, request, response) {
    const bytes = repositories[repository][decodeURIComponent(path)];
    if (!bytes) return json(response, 404, { error: "Entry not found" });
    if (request.method === "HEAD") {
        const length = repository === "hub/huge" ? "1000000000000000000" : bytes.length;
        return response.writeHead(200, { "Content-Length": length, "Accept-Ranges": "bytes", ETag: `"${oid(bytes)}"` }).end();
    }
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    return setTimeout(() => send(repository, response, bytes, start), wait);
}

function answer(request, response) {
    appendFileSync(`${folder}/requests`, `${request.method} ${request.url} ${request.headers.range ?? ""}\n`);
    const asked = /^\/(api\/models\/)?([^/]+\/[^/]+)\/(refs|tree|resolve)\b(?:\/c{40})?\/?([^?]*)/.exec(request.url);
    const [, , repository, what, path] = asked ?? [];
    const known = request.headers.authorization === `Bearer ${token}`;
    if (!repositories[repository]) return json(response, 404, { error: "Repository not found" });
    if (repository === "hub/private" && !known) return json(response, 401, { error: "Invalid username or password." });
    if (repository === "hub/busy") return json(response, 503, { error: "Service unavailable" });
    if (what === "refs") return json(response, 200, { branches: [{ name: "main", ref: "refs/heads/main", targetCommit: commit }] });
    if (what === "tree") return json(response, 200, tree(repositories[repository]));
    if (repository === "hub/gated" && !known) return json(response, 403, { error: "Access to model hub/gated is restricted." });
    return file(repository, path, request, response);
}

const server = createServer(answer);
server.listen(0, "127.0.0.1", () => {
    writeFileSync(`${folder}/port.new`, String(server.address().port));
    renameSync(`${folder}/port.new`, `${folder}/port`);
});
