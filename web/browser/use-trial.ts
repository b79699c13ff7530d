// Settings of an agent that are tried before they are saved: one set, or two to compare. Kept in this tab until then.
import { useCallback, useEffect, useState } from "react";
import { inTab } from "./storage.ts";

export interface AgentSettings {
  instructions: string;
  temperature: number;
  retrieval: { topK: number; minScore: number; mode: "hybrid" | "vector" | "text" };
  knowledgeIds: string[];
}

export type VariantName = "a" | "b";
interface Variants {
  a: AgentSettings;
  /** Null while nothing is compared. */
  b: AgentSettings | null;
}

export interface Trial {
  saved: AgentSettings;
  variants: Variants;
  /** The settings of a variant, where they differ from what is saved. */
  unsaved(name: VariantName): AgentSettings | undefined;
  change(name: VariantName, part: Partial<AgentSettings>): void;
  /** Begins with a copy of the first variant, or ends. */
  compare(on: boolean): void;
  discard(name: VariantName): void;
  markSaved(settings: AgentSettings): void;
}

const same = (one: AgentSettings, other: AgentSettings) => JSON.stringify(one) === JSON.stringify(other);

export function useTrial(agentId: string, initial: AgentSettings): Trial {
  const key = `parley-trial:${agentId}`;
  const [saved, setSaved] = useState(initial);
  const [variants, setVariants] = useState<Variants>({ a: initial, b: null });

  useEffect(() => {
    const kept = inTab.get(key);
    if (kept) setVariants(JSON.parse(kept) as Variants);
  }, [key]);

  const put = useCallback(
    (next: Variants, nowSaved: AgentSettings) => {
      setVariants(next);
      if (next.b === null && same(next.a, nowSaved)) inTab.remove(key);
      else inTab.set(key, JSON.stringify(next));
    },
    [key],
  );

  return {
    saved,
    variants,
    unsaved: (name) => {
      const settings = variants[name] ?? variants.a;
      return same(settings, saved) ? undefined : settings;
    },
    change: (name, part) =>
      put({ ...variants, [name]: { ...(variants[name] ?? variants.a), ...part } }, saved),
    compare: (on) => put({ ...variants, b: on ? variants.a : null }, saved),
    discard: (name) => put({ ...variants, [name]: saved }, saved),
    markSaved: (settings) => {
      setSaved(settings);
      put(variants, settings);
    },
  };
}
