// Owns when V8 optimizes the code of tests. By default it does so after 66 KB of a function's bytecode, and a test has often ended before
// that pays: compiling took a quarter of the unit tests' processor time.
import { setFlagsFromString } from "node:v8";

// Since Node 22 V8 has no such flag, and reports an unknown one on standard error.
if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString("--interrupt-budget=400000");
