// Searches the lists that a SearchSelect offers, through the API.
import { useEffect, useState } from "react";
import type { Option } from "../ui/Select.tsx";
import { getApi } from "./call-api.ts";

const SEARCH_DELAY_MS = 150;
const FOUND_AT_ONCE = 20;
const paths = {
  agents: ["/v1/teams/{teamId}/agents", "/v1/teams/{teamId}/agents/{id}"],
} as const;
/** A team's list that is searched by name. */
export type ChoiceList = keyof typeof paths;

const toOption = ({ id, name }: { id: string; name: string }): Option => ({ value: id, label: name });

/** One row. Throws CallFailure. */
export async function readChoice(list: ChoiceList, teamId: string, id: string): Promise<Option> {
  return toOption(await getApi(paths[list][1], { teamId, id }));
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
      const { data, total } = await getApi(paths[list][0], { teamId, name: text, perPage: FOUND_AT_ONCE });
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
