// The size of a folder of static files as it is, and packed as hosts send it: gzip -9 and brotli, file by file.
import { readFileSync, readdirSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const GOAL = 3e6;
const [folder] = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const all = files.map(({ parentPath, path, name }) => readFileSync(`${parentPath ?? path}/${name}`));
const sum = (size) => all.reduce((total, bytes) => total + size(bytes).length, 0);
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
const [plain, gzip, brotli] = [(bytes) => bytes, (bytes) => gzipSync(bytes, { level: 9 }), (bytes) => brotliCompressSync(bytes, best)].map(sum);
console.log(`Size: ${files.length} files, ${plain} bytes; gzip -9 ${gzip}; brotli ${brotli}. Goal: ${GOAL} packed.`);
process.exitCode = gzip < GOAL ? 0 : 1;
