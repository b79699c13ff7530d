// Loaded before the embedded Postgres in a test: while the file that PARLEY_TEST_FULL_DISK names is there, no table or index
// can grow, as on a disk that is full. Its log still can, as where that is on a disk of its own. --require takes it into
// the engine's thread too, which --import does not.
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const mark = process.env.PARLEY_TEST_FULL_DISK ?? "";
const tables = new Set();

const { openSync, closeSync, writeSync } = fs;
fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest);
  if (String(path).includes("/base/")) tables.add(file);
  return file;
};
fs.closeSync = (file) => {
  tables.delete(file);
  closeSync(file);
};
fs.writeSync = (file, bytes, offset, length, position) => {
  const grows = tables.has(file) && (position ?? 0) + (length ?? 0) > fs.fstatSync(file).size;
  if (grows && fs.existsSync(mark)) {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", errno: -28 });
  }
  return writeSync(file, bytes, offset, length, position);
};
syncBuiltinESMExports();
