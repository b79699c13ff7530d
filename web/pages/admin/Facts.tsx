// The properties of one resource, as terms and values. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { numberFormat } from "../../client/per-language.ts";

export function Facts({ facts }: { facts: [label: ReactNode, value: ReactNode][] }) {
  const { i18n } = useTranslation();
  const numbers = numberFormat(i18n.language);
  return (
    <dl className="mb-8 grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([label, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is written out on its page and never changes its order
        <div key={index} className="min-w-0">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="mt-0.5 break-words">{typeof value === "number" ? numbers.format(value) : value}</dd>
        </div>
      ))}
    </dl>
  );
}
