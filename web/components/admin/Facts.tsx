// What is known of one thing, as terms and their values. Server only.
import type { ReactNode } from "react";

export function Facts({ facts }: { facts: [label: ReactNode, value: ReactNode][] }) {
  return (
    <dl className="mb-8 grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([label, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is written out on its page and never changes its order
        <div key={index} className="min-w-0">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="mt-0.5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
