// A source's written answers, each with the fields to change it. Server only.
import { PenLine } from "lucide-react";
import { useTranslation } from "#translations";
import { perLanguage } from "#web/client/per-language.ts";
import { useFormState, useRender, useRequest } from "#web/render/render-context.tsx";
import type { Choices } from "#web/request/choices.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { FilterForm, FilterSearch } from "#web/ui/FilterForm.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { Form } from "#web/ui/Form.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { EntryFields } from "../EntryFields.tsx";

const dayFormat = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }),
);

interface Entry {
  id: string;
  question: string;
  answer: string;
  owner: { id: string; name: string } | null;
  expiresAt: string | null;
  isExpired: boolean;
  reviewedAt: string;
  reviewer: { id: string; name: string } | null;
  version: string;
}

export interface QaEntriesProps {
  entries: { data: Entry[]; page: number; perPage: number; total: number };
  members: Choices;
  mayWrite: boolean;
}

export function QaEntries({ entries, members, mayWrite }: QaEntriesProps) {
  const { t } = useTranslation("entries");
  const { url } = useRequest();
  const { form } = useRender();
  const searched = url.searchParams.get("question");
  return (
    <section aria-labelledby="entries">
      <h2 id="entries" className="mb-3 font-medium text-lg">
        {t("title")}
      </h2>
      {(entries.total > 0 || searched) && (
        <FilterForm label={t("search")} names={["question"]}>
          <FilterSearch name="question" label={t("search")} />
        </FilterForm>
      )}
      {entries.total === 0 && (
        <p className="mb-4 text-muted">{searched ? t("noMatch", { searched }) : t("none")}</p>
      )}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {entries.data.map((entry) => (
          <EntryRow key={entry.id} entry={entry} members={members} mayWrite={mayWrite} />
        ))}
      </ul>
      <Pagination page={entries.page} perPage={entries.perPage} total={entries.total} />
      {mayWrite && <ChoiceSearch choices={members} label={t("owner")} />}
      {mayWrite && (
        <div className="mt-4">
          <Fold title={t("add")} open={entries.total === 0 || form?.name === "entry"}>
            <Form name="entry" className="max-w-2xl space-y-4">
              <EntryFields form="entry" members={members} />
              <Button variant="primary" icon={<PenLine aria-hidden className="size-4" />}>
                {t("add")}
              </Button>
            </Form>
          </Fold>
        </div>
      )}
    </section>
  );
}

function EntryRow({ entry, members, mayWrite }: { entry: Entry; members: Choices; mayWrite: boolean }) {
  const { t, i18n } = useTranslation("entries");
  const name = `entry-${entry.id}`;
  const edited = useFormState(name);
  const deleted = useFormState("deleteEntry", { entryId: entry.id });
  const { expiresAt, isExpired, owner, reviewer } = entry;
  const until = expiresAt && dayFormat(i18n.language).format(new Date(expiresAt));
  return (
    <li>
      <details open={(edited ?? deleted) !== undefined}>
        <summary className="-mx-2 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-md px-2 py-3 hover:bg-sunken">
          <span className="min-w-0 flex-1 truncate font-medium max-sm:basis-full" dir="auto">
            {entry.question}
          </span>
          {isExpired ? (
            <Badge tone="careful">{t("expired")}</Badge>
          ) : (
            until && <Badge>{t("until", { date: until })}</Badge>
          )}
          {owner && <span className="max-w-40 truncate text-muted text-sm">{owner.name}</span>}
        </summary>
        <div className="space-y-4 pt-2 pb-5">
          {isExpired && <p className="text-careful text-sm">{t("expiredText")}</p>}
          <p className="text-muted text-sm">
            {t("reviewed")} <DateTime value={entry.reviewedAt} />{" "}
            {reviewer && t("by", { name: reviewer.name })}
          </p>
          {mayWrite ? (
            <>
              <Form name={name} version={entry.version} className="max-w-2xl space-y-4">
                <input type="hidden" name="entryId" value={entry.id} />
                <EntryFields form={name} entry={entry} members={members} />
                <Button>{t("save")}</Button>
              </Form>
              <Form name="deleteEntry" fields={{ entryId: entry.id }}>
                <Button variant="ghost">{t("delete")}</Button>
              </Form>
            </>
          ) : (
            <p className="whitespace-pre-wrap" dir="auto">
              {entry.answer}
            </p>
          )}
        </div>
      </details>
    </li>
  );
}
