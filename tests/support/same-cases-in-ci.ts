// In CI property tests draw the same cases every time, so that a change is judged by what it changes. Elsewhere each
// run draws new ones: what they find is worth a test of its own.
import fc from "fast-check";

if (process.env.CI) fc.configureGlobal({ seed: 20_261 });
