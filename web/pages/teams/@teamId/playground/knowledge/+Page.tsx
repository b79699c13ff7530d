// Searches a knowledge base without an agent: the passages that an agent would find, and their ranks.

import { Library, SearchX } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { Field } from "#web/ui/Field.tsx";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { Input } from "#web/ui/Input.tsx";
import { OfferedButton } from "#web/ui/OfferedButton.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { PassageText } from "#web/ui/PassageText.tsx";
import { ScrollArea } from "#web/ui/ScrollArea.tsx";
import { Select } from "#web/ui/Select.tsx";
import { PassageRanks } from "../PassageRanks.tsx";
import { counts, type FoundPassage, type KnowledgePlaygroundData, modes } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("knowledgePlayground");
  const request = useRequest();
  const { knowledges, knowledge, query, mode, count, found, byWordsAlone } =
    useData<KnowledgePlaygroundData>();
  return (
    <ScrollArea className="min-h-0 w-full flex-1 px-5 py-6 md:py-9 md:pr-[max(2.5rem,calc(50%-14.5rem))] md:pl-[max(2.5rem,calc(50%-33.5rem))]">
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      >
        {t("intro")}
      </PageHeader>
      <ChoiceSearch choices={knowledges} label={t("knowledge")} />
      {knowledge ? (
        // biome-ignore lint/a11y/useSemanticElements: <search> is not known to every screen reader yet
        <form
          role="search"
          method="get"
          className="grid items-end gap-3 lg:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_minmax(0,7rem)]"
        >
          <FormChoice
            name="knowledgeId"
            label={t("knowledge")}
            choices={knowledges}
            defaultValue={knowledge.id}
          />
          <Field id="query" label={t("query")}>
            {(attributes) => (
              <Input
                {...attributes}
                type="search"
                name="query"
                required
                maxLength={4000}
                defaultValue={query}
                placeholder={t("placeholder")}
                className="h-9"
              />
            )}
          </Field>
          <Field id="count" label={t("count")}>
            {(attributes) => (
              <Select
                {...attributes}
                name="count"
                defaultValue={String(count)}
                options={counts.map((one) => ({ value: String(one), label: String(one) }))}
              />
            )}
          </Field>
          <fieldset className="flex flex-wrap gap-x-5 gap-y-2 lg:col-span-2">
            <legend className="sr-only">{t("playground:mode.label")}</legend>
            {modes.map((one) => (
              <label key={one} className="flex items-center gap-2 text-sm">
                <input type="radio" name="mode" value={one} defaultChecked={one === mode} />
                {t(`playground:mode.${one}`)}
              </label>
            ))}
          </fieldset>
          <Button variant="primary">{t("search")}</Button>
        </form>
      ) : (
        <EmptyState
          icon={<Library />}
          title={t("empty")}
          action={
            <OfferedButton href={teamPath(request, "knowledges/create")} variant="primary">
              {t("create")}
            </OfferedButton>
          }
        >
          {t(may(request, "knowledges.write") ? "emptyText" : "knowledges:list.emptyRead")}
        </EmptyState>
      )}
      {byWordsAlone && (
        <div className="mt-6 max-w-2xl">
          <Alert tone="careful" title={t("wordsAlone")}>
            {t("wordsAloneText")}
          </Alert>
        </div>
      )}
      {found && found.length === 0 && (
        <EmptyState icon={<SearchX />} title={t("nothing")}>
          {t("nothingText")}
        </EmptyState>
      )}
      {found && found.length > 0 && (
        <>
          <h2 className="mt-8 mb-3 font-medium text-lg">{t("found", { count: found.length })}</h2>
          <ol className="divide-y divide-line border-line border-y">
            {found.map((passage) => (
              <Passage key={passage.id} passage={passage} />
            ))}
          </ol>
        </>
      )}
    </ScrollArea>
  );
}

function Passage({ passage }: { passage: FoundPassage }) {
  const { t } = useTranslation("passages");
  const request = useRequest();
  const { documentId, sourceId, title, heading, page, content } = passage;
  const address = teamPath(request, `source/${sourceId}/documents/${documentId}`);
  return (
    <li className="py-4">
      <a
        href={`${address}?${new URLSearchParams({ quote: content })}#quote`}
        className="block truncate rounded-sm font-medium hover:underline"
      >
        {title}
        {heading && <span className="font-normal text-muted"> · {heading}</span>}
        {page !== null && <span className="font-normal text-muted"> · {t("page", { page })}</span>}
      </a>
      <div className="mt-1 line-clamp-6 max-h-48">
        <PassageText content={content} heading={heading} />
      </div>
      <div className="mt-3 max-w-xl">
        <PassageRanks {...passage} />
      </div>
    </li>
  );
}
