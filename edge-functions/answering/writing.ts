// Owns a reply while the model writes it: the prompt, the stream, and the filters of its marks and links. Does not check its claims.
import type { Claims } from "../_shared/database/db.ts";
import type { ModelClient } from "../_shared/models/model-client.ts";
import type { Candidates } from "./candidates.ts";
import { MarkFilter } from "./citations.ts";
import type { FindRequest } from "./find.ts";
import { LinkFilter, originsIn } from "./links.ts";
import { nothingFoundFor } from "./no-passage.ts";
import type { KeptPassage } from "./passages.ts";
import { buildPrompt } from "./prompt.ts";
import type { Usage } from "./rewriting.ts";
import { openTables } from "./table-toolbox.ts";
import { replyWithTools } from "./tool-rounds.ts";

export type Written = {
  reply: string;
  /** The numbers of the passages that it cites, in order of first use. */
  cited: Iterable<number>;
  /** Passages from the model's computations. */
  computed: KeptPassage[];
  /** Cited ones of the built-in model's second look. */
  further: KeptPassage[];
  usages: Usage[];
  /** The failure or stop that ended the reply. */
  failure: { cause: unknown } | undefined;
};

/**
 * Streams the model's reply, unless it is held back, and returns it. The model's failure is returned with the text before it.
 * @param isGrounded whether the reply has to come from the passages @param isHeld without deltas
 */
export async function* writeReply(
  reader: Claims,
  models: ModelClient,
  {
    request,
    candidates,
    isGrounded,
    isHeld,
  }: { request: FindRequest; candidates: Candidates; isGrounded: boolean; isHeld: boolean },
): AsyncGenerator<{ type: "delta"; text: string }, Written> {
  const { agent, history, model, question, signal } = request;
  const { kept, found, further } = candidates;
  const tables =
    isGrounded && !models.inUse.offline ? openTables(reader, { found, question, kept: kept.length }) : null;
  const messages = buildPrompt({
    agent,
    passages: [...kept, ...further.map((one) => ({ ...one, isFurther: true as const }))],
    history,
    question: candidates.question,
    nonce: crypto.randomUUID(),
    grounded: isGrounded,
    tables: tables?.said,
  });
  const marks = new MarkFilter([...kept, ...further].map(({ index }) => index));
  const links = new LinkFilter(
    allowedOrigins(request, [...kept, ...further]),
    originsIn([agent.instructions]),
  );
  const usages: Usage[] = [];
  let reply = "";
  let failure: Written["failure"];
  try {
    const options = { messages, model, temperature: agent.temperature, signal };
    for await (const event of replyWithTools(models, options, tables)) {
      if (event.type === "usage") {
        usages.push(event);
        continue;
      }
      marks.add(tables?.found.map(({ index }) => index) ?? []);
      const text = links.push(marks.push(event.text));
      reply += text;
      if (text && !isHeld) yield { type: "delta", text };
    }
  } catch (cause) {
    failure = { cause };
  }
  let rest = links.push(marks.end()) + links.end();
  // A model that only made tool calls has found nothing to say.
  if (tables && !failure && !`${reply}${rest}`.trim()) rest = nothingFoundFor(question);
  reply += rest;
  if (rest && !isHeld) yield { type: "delta", text: rest };
  const cited = [...marks.cited];
  return {
    reply,
    cited,
    computed: tables?.found ?? [],
    further: further.filter(({ index }) => cited.includes(index)),
    usages,
    failure,
  };
}

/**
 * Links are kept only to origins in the team's words, the asker's words or a document's own URL: the author of a document must not decide
 * where readers are sent.
 */
function allowedOrigins({ agent, history, question }: FindRequest, kept: KeptPassage[]): Set<string> {
  const asked = history.filter(({ role }) => role === "user").map(({ content }) => content);
  return originsIn([agent.instructions, ...asked, question, ...kept.map(({ url }) => url)]);
}
