// Owns which agent visitors can try on the front page and the widget's demo page. It is chosen by id, never by name,
// since any team can give its agent that name. Does not load the agent.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { env } from "./env.ts";

let noted: string | undefined;

/** DEMO_AGENT_ID, or the id that the local stack's seed wrote to a file. Undefined when there is no demo agent. */
export async function demoAgentId(): Promise<string | undefined> {
  if (env.DEMO_AGENT_ID) return env.DEMO_AGENT_ID;
  if (!env.DEMO_AGENT_FILE || noted) return noted;
  const text = await readFile(env.DEMO_AGENT_FILE, "utf8").catch(() => "");
  noted = z.uuid().safeParse(text.trim()).data;
  return noted;
}
