// One part of a scene, in a place of its own, with its name over it.
import type { ReactNode } from "react";
import { Section } from "../../components/Section.tsx";

export interface SceneData {
  /** Whether names are such as nobody has thought of. */
  isLong: boolean;
}

export function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Section title={name}>
      <div className="space-y-4">{children}</div>
    </Section>
  );
}
