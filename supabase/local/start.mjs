// Entry point of `npm start`: checks that this Node is new enough, then runs set-up.mjs. No import and no newer syntax
// above that check: an old Node must be able to print the sentence.
const wanted = [20, 19];
const parts = process.versions.node.split(".").map(Number);

if (parts[0] < wanted[0] || (parts[0] === wanted[0] && parts[1] < wanted[1])) {
  console.error(
    `Parley needs Node 20.19 or newer and this is Node ${process.versions.node}: install a newer one from https://nodejs.org.`,
  );
  process.exit(1);
} else {
  import("./set-up.mjs").then((module) => module.setUp(process.env));
}
