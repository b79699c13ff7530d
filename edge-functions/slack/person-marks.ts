// Owns the mark on what our bot posts in a thread beside the replies of an agent: a person's answer, and that one will come. Everybody in the
// channel may read it, so it names an id and nothing else.
import { textAt } from "./api.ts";

const type = "parley_person";

/** The `metadata` of such a message. */
export const personMark = (id: string) => ({ event_type: type, event_payload: { id } });

/** The id of a marked message, which `include_all_metadata` returns with it. */
export const personIdOf = (message: unknown): string | undefined =>
  textAt(message, "metadata", "event_type") === type
    ? textAt(message, "metadata", "event_payload", "id")
    : undefined;
