// Settings of an agent to try before they are saved: one set, or two to compare. Stored in this tab until then.
import { useCallback, useEffect, useState } from "react";
import { ownInTab } from "#web/client/own-storage.ts";

export interface AgentSettings {
  instructions: string;
  temperature: number;
  retrieval: { topK: number; minScore: number; mode: "hybrid" | "vector" | "text" };
  knowledgeIds: string[];
}

export type VariantName = "a" | "b";
interface Variants {
  a: AgentSettings;
  /** Null when nothing is compared. */
  b: AgentSettings | null;
}

export interface Trial {
  saved: AgentSettings;
  variants: Variants;
  /** A variant's settings, if they differ from the saved ones. */
  unsavedSettings(name: VariantName): AgentSettings | undefined;
  change(name: VariantName, part: Partial<AgentSettings>): void;
  /** Starts the comparison with a copy of the first variant, or ends it. */
  compare(on: boolean): void;
  discard(name: VariantName): void;
  /** @param version the agent's current version */
  markSaved(settings: AgentSettings, version: string): void;
  /** The version of the agent that these changes started from, however old. */
  version: string;
}

const isSame = (one: AgentSettings, other: AgentSettings) => JSON.stringify(one) === JSON.stringify(other);

/** @param opened the version of the agent in `initial` */
export function useTrial(agentId: string, initial: AgentSettings, opened: string): Trial {
  const key = `parley-trial:${agentId}`;
  const [saved, setSaved] = useState(initial);
  const [version, setVersion] = useState(opened);
  const [variants, setVariants] = useState<Variants>({ a: initial, b: null });

  useEffect(() => {
    const kept = ownInTab.get(key);
    if (!kept) return;
    const { version, ...variants } = JSON.parse(kept) as Variants & { version?: string };
    setVariants(variants);
    // The stored changes started from that version, so saving them detects a conflict.
    if (version) setVersion(version);
  }, [key]);

  const put = useCallback(
    (next: Variants, nowSaved: AgentSettings, version: string) => {
      setVariants(next);
      if (next.b === null && isSame(next.a, nowSaved)) ownInTab.remove(key);
      else ownInTab.set(key, JSON.stringify({ ...next, version }));
    },
    [key],
  );

  return {
    saved,
    variants,
    unsavedSettings: (name) => {
      const settings = variants[name] ?? variants.a;
      return isSame(settings, saved) ? undefined : settings;
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
