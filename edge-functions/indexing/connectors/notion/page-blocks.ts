// Owns the reading of a page's blocks at any depth, within a limit of calls and of time. Does not write them out: blocks.ts does.
import { z } from "zod";
import { ItemGone, RequestRefused } from "../connector.ts";
import * as answers from "./answers.ts";
import type { BlockNode, gaps, PageBlocks } from "./blocks.ts";

/** Maximum calls for one page: Notion answers three calls a second, and a document has a minute. */
const mostCalls = 100;
const longestMs = 40_000;

/** A page of the blocks directly below one. */
type ListChildren = (
  of: string,
  after: string | undefined,
) => Promise<{ results: unknown[]; next?: string; isIncomplete: boolean }>;

/** A page or a database inside a page is a document of its own. What the API does not provide has children that it refuses. */
const childless = new Set(["child_page", "child_database", "unsupported"]);

/** Each level takes a call. A block nested in itself is read once. @throws ItemGone when there is no such page */
export async function readBlocks(id: string, listChildren: ListChildren): Promise<PageBlocks> {
  const lacking: Set<(typeof gaps)[number]> = new Set();
  const seen = new Set<string>();
  const until = Date.now() + longestMs;
  let calls = 0;
  const childrenOf = async (of: string): Promise<BlockNode[]> => {
    const nodes: BlockNode[] = [];
    if (seen.has(of)) return nodes;
    seen.add(of);
    let after: string | undefined;
    do {
      if (calls >= mostCalls || Date.now() > until) {
        lacking.add("cut");
        return nodes;
      }
      calls++;
      const found = await listChildren(of, after);
      if (found.isIncomplete) lacking.add("cut");
      for (const raw of found.results) {
        const one = answers.block.safeParse(raw).data;
        if (!one) lacking.add("damaged");
        if (!one || one.in_trash === true || one.archived === true) continue;
        if (one.type === "unsupported") lacking.add("unsupported");
        nodes.push({ block: one, children: await below(one) });
      }
      after = found.next;
    } while (after);
    return nodes;
  };
  const below = async (one: answers.Block): Promise<BlockNode[]> => {
    if (one.has_children !== true || childless.has(one.type)) return [];
    const origin = originOf(one);
    try {
      return await childrenOf(origin ?? one.id);
    } catch (error) {
      if (error instanceof RequestRefused) {
        lacking.add("unsupported");
        return [];
      }
      if (!(error instanceof ItemGone)) throw error;
      // The synced block's original is on a page that the connection cannot see. Any other block was deleted just now.
      if (origin) lacking.add("hidden");
      return [];
    }
  };
  return { nodes: await childrenOf(id), gaps: lacking };
}

/** The id of a synced block's original, if it shows another block's content. */
function originOf(one: answers.Block): string | undefined {
  const { data } = z
    .object({
      synced_block: z.object({
        synced_from: z.object({ block_id: z.string().regex(/^[0-9a-f-]{32,36}$/i) }),
      }),
    })
    .safeParse(one);
  return data?.synced_block.synced_from.block_id;
}
