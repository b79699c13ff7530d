// One part of a scene in a box of its own, under its name.
import type { ReactNode } from "react";
import { Section } from "../../ui/Section.tsx";

export interface SceneData {
  /** Whether to use extreme names. */
  isLong: boolean;
}

export function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Section title={name}>
      <div className="space-y-4">{children}</div>
    </Section>
  );
}
