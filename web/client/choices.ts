// Searches the lists that a SearchSelect offers, through the API.
import { useEffect, useState } from "react";
import type { Option } from "../ui/Select.tsx";
import { getApi } from "./call-api.ts";
import { type ChoiceList, readChoices, toOption } from "./choice-lists.ts";

const SEARCH_DELAY_MS = 150;
const FOUND_AT_ONCE = 20;

/** One row; undefined when there is none. Throws CallFailure. */
export async function readChoice(list: ChoiceList, teamId: string, id: string): Promise<Option | undefined> {
  const { data } = await readChoices(list, getApi, teamId, { ids: id, perPage: 1 });
  return data.map(toOption)[0];
}

/** The known options, and those of further ids once they are read. */
export function useNamedChoices(list: ChoiceList, teamId: string, known: Option[], ids: string[]): Option[] {
  const [others, setOthers] = useState<Option[]>([]);
  const named = [...known, ...others];
  const missing = ids.filter((id) => !named.some(({ value }) => value === id)).join(",");
  useEffect(() => {
    if (!missing) return;
    readChoices(list, getApi, teamId, { ids: missing, perPage: 100 }).then(
      ({ data }) => setOthers((before) => [...before, ...data.map(toOption)]),
      () => undefined,
    );
  }, [missing, list, teamId]);
  return named;
}

interface FoundChoices {
  options: Option[];
  /** Whether there are more than these. */
  isPartial: boolean;
  isFailed: boolean;
}

/** The rows with a text in their name; null while they are searched, and for an empty text. */
export function useFoundChoices(list: ChoiceList, teamId: string, text: string): FoundChoices | null {
  const [found, setFound] = useState<(FoundChoices & { text: string }) | null>(null);
  useEffect(() => {
    if (!text) return;
    let isCurrent = true;
    const search = async () => {
      const query = { name: text, perPage: FOUND_AT_ONCE };
      const { data, total } = await readChoices(list, getApi, teamId, query);
      return { options: data.map(toOption), isPartial: total > data.length, isFailed: false };
    };
    const timer = setTimeout(async () => {
      const answer = await search().catch(() => ({ options: [], isPartial: false, isFailed: true }));
      if (isCurrent) setFound({ text, ...answer });
    }, SEARCH_DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, list, teamId]);
  return text !== "" && found?.text === text ? found : null;
}
