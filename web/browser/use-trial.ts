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
  /** @param version the agent's, in which it is now */
  markSaved(settings: AgentSettings, version: string): void;
  /** Of the agent that these are changes of, however long ago they began. */
  version: string;
}

const same = (one: AgentSettings, other: AgentSettings) => JSON.stringify(one) === JSON.stringify(other);

/** @param opened the version of the agent in which `initial` is */
export function useTrial(agentId: string, initial: AgentSettings, opened: string): Trial {
  const key = `parley-trial:${agentId}`;
  const [saved, setSaved] = useState(initial);
  const [version, setVersion] = useState(opened);
  const [variants, setVariants] = useState<Variants>({ a: initial, b: null });

  useEffect(() => {
    const kept = inTab.get(key);
    if (!kept) return;
    const { version, ...variants } = JSON.parse(kept) as Variants & { version?: string };
    setVariants(variants);
    // They began with that version: saving them says what was saved since.
    if (version) setVersion(version);
  }, [key]);

  const put = useCallback(
    (next: Variants, nowSaved: AgentSettings, version: string) => {
      setVariants(next);
      if (next.b === null && same(next.a, nowSaved)) inTab.remove(key);
      else inTab.set(key, JSON.stringify({ ...next, version }));
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
      put({ ...variants, [name]: { ...(variants[name] ?? variants.a), ...part } }, saved, version),
    compare: (on) => put({ ...variants, b: on ? variants.a : null }, saved, version),
    discard: (name) => put({ ...variants, [name]: saved }, saved, version),
    version,
    markSaved: (settings, version) => {
      setSaved(settings);
      setVersion(version);
      put(variants, settings, version);
    },
  };
}
