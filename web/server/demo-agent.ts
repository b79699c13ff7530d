// Owns which agent the front page and the widget's demo page let people try: one chosen by its id, never found by its name,
// which anybody's agent may have. Does not read the agent.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { env } from "./env.ts";

let noted: string | undefined;

/** DEMO_AGENT_ID; on the local stack the id that its seed has noted. Undefined: there is nothing to try. */
export async function demoAgentId(): Promise<string | undefined> {
  if (env.DEMO_AGENT_ID) return env.DEMO_AGENT_ID;
  if (!env.DEMO_AGENT_FILE || noted) return noted;
  const text = await readFile(env.DEMO_AGENT_FILE, "utf8").catch(() => "");
  noted = z.uuid().safeParse(text.trim()).data;
  return noted;
}
