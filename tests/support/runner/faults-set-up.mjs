// Builds the local processes for the vitest project "faults", which starts single ones.
export { buildOutdated as default } from "./build.mjs";
