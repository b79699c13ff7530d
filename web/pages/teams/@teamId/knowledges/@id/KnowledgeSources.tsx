// The sources that a knowledge base reads from: each with its state, and for those who may write, adding and removing one. Server only.

import { Plug } from "lucide-react";
import { useTranslation } from "#translations";
import { toOption } from "#web/client/choice-lists.ts";
import { useRequest } from "#web/render/render-context.tsx";
import type { Source } from "#web/request/api-types.ts";
import type { Choices } from "#web/request/choices.ts";
import { teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { Status } from "#web/ui/Status.tsx";
import { RemoveSource } from "../RemoveSource.tsx";

export interface KnowledgeSourcesProps {
  sources: Source[];
  /** The team's sources; absent for those who may not change the knowledge base. */
  choices: Choices<"sources"> | undefined;
}

export function KnowledgeSources({ sources, choices }: KnowledgeSourcesProps) {
  const { t } = useTranslation("knowledges");
  const request = useRequest();
  const used = new Set(sources.map(({ id }) => id));
  const others = (choices?.rows ?? []).filter(({ id }) => !used.has(id)).map(toOption);
  if (sources.length === 0 && others.length === 0) return null;
  return (
    <section aria-labelledby="knowledge-sources" className="mt-10 border-line border-t pt-6">
      <h2 id="knowledge-sources" className="mb-3 font-medium text-lg">
        {t("sources.title")}
      </h2>
      <ul className="mb-4 divide-y divide-line empty:hidden">
        {sources.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <Plug aria-hidden className="size-4 shrink-0 text-faint" />
            <a
              href={teamPath(request, `sources/${one.id}`)}
              className="min-w-0 grow basis-40 truncate rounded-sm hover:underline"
            >
              {one.name}
            </a>
            <span className="text-sm">
              <Status value={one.status} />
            </span>
            {choices && (
              <RemoveSource form="removeSource" fields={{ source: one.id }} source={one} row={one} />
            )}
          </li>
        ))}
      </ul>
      {choices && others.length > 0 && (
        <>
          <ChoiceSearch choices={choices} label={t("sources.add")} />
          <Form name="addSource" className="flex max-w-md items-end gap-2">
            <div className="min-w-0 flex-1">
              <FormChoice
                form="addSource"
                name="source"
                label={t("sources.add")}
                choices={{ ...choices, options: others }}
              />
            </div>
            <Button className="h-9">{t("sources.addButton")}</Button>
          </Form>
        </>
      )}
    </section>
  );
}
