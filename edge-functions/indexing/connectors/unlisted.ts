// Owns the last step of a full listing whose service's lists are incomplete: each document that no list named is requested alone, and
// deleted only when the service says that it is gone.
import { sentenceOf } from "../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  hasFailed,
  ItemGone,
  ItemUnreadable,
  type ListPage,
  type ListPosition,
  SourceRefused,
} from "./connector.ts";
import { cursorAfter } from "./moments.ts";

/** Documents per listed page. */
const askedAtOnce = 20;

/** What a listing's position holds of it so far. */
interface Listed {
  /** The last change seen, and when the listing began. */
  latest?: string | undefined;
  begunAt?: string | undefined;
  /** Whether it met anything: a service that shows nothing at all may have hidden it. */
  hasMet: boolean;
}

/**
 * A page of the last step, which a position at the end of the lists begins.
 * @param next the position, which this step does not change
 * @throws SourceRefused when nothing was met, and as fetch() for what concerns the whole source
 */
export async function requestUnlisted(
  { declaration, fetch }: Pick<Connector, "declaration" | "fetch">,
  context: ConnectorContext,
  at: Listed,
  { next = "", findUnlisted, acceptsEmpty }: ListPosition,
): Promise<ListPage> {
  const ids = (await findUnlisted?.(askedAtOnce)) ?? [];
  if (ids.length > 0 && !at.hasMet && !acceptsEmpty)
    throw new SourceRefused(sentenceOf("listedNothing", { service: declaration.name }), "credentials");
  const gone: string[] = [];
  const kept: string[] = [];
  for (const id of ids) {
    try {
      await fetch(context, id);
      kept.push(id);
    } catch (error) {
      if (error instanceof ItemGone) gone.push(id);
      // It exists, or may.
      else if (error instanceof ItemUnreadable || hasFailed(error)) kept.push(id);
      else throw error;
    }
  }
  return { items: [], gone, kept, ...(ids.length < askedAtOnce ? cursorAfter(at) : { next }) };
}
