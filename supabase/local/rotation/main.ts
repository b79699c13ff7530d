// Owns the command `npm run secrets:rotate [-- --forget-earlier]`: its argument and its output.
import { runCommand } from "../command.ts";
import { Fatal } from "../fatal.ts";
import { readSettings } from "../settings.ts";
import { rotateSecrets } from "./rotate.ts";

const [option, ...others] = process.argv.slice(2);

await runCommand(async () => {
  if ((option !== undefined && option !== "--forget-earlier") || others.length > 0) {
    throw new Fatal("It takes one option: npm run secrets:rotate -- --forget-earlier.");
  }
  const forget = option !== undefined;
  const { survey, earlierKeys, from } = await rotateSecrets(readSettings(process.env), process.env, {
    forget,
  });
  const { current, earlier, unreadable } = survey;
  console.log(
    `${current + earlier} stored secrets are sealed with the first key, ${earlier} of them since this run.`,
  );
  if (unreadable.length > 0) {
    console.warn(
      `${unreadable.length} open with none of the keys, ${unreadable[0]} for one: connect those sources and apps again, or put their key back and run this again.`,
    );
    process.exitCode = 1;
  } else if (forget) {
    console.log("The earlier keys are forgotten. Visitors whose chats began with one of them begin anew.");
  } else if (from === "environment" && earlierKeys === 0) {
    console.log(
      "SECRETS_KEY has one key. To change it, put a new one before it (openssl rand -base64 32), separated by a comma, give both to every function, and run this again.",
    );
  } else if (earlierKeys > 0) {
    const how =
      from === "folder"
        ? "forget them with npm run secrets:rotate -- --forget-earlier"
        : "leave them out of SECRETS_KEY";
    console.log(
      `The earlier keys still open visitors' tokens, which live for a year, and answers that are kept for a day: ${how} when those may end.`,
    );
  }
});
