// fast-check as every property test has it: in CI it draws the same cases every time, so that a change is judged by what it
// changes. Elsewhere each run draws new ones: what they find is worth a test of its own. No set-up file of all tests, since
// most of them would load it for nothing.
// biome-ignore lint/style/noRestrictedImports: the one place that sets it up
import fc from "fast-check";

if (process.env.CI) fc.configureGlobal({ seed: 20_261 });

export default fc;
