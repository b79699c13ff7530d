// A source's settings, the knowledge bases that use it, and its deletion. Server only.

import { Library, Trash2 } from "lucide-react";
import { useTranslation } from "#translations";
import { toOption } from "#web/client/choice-lists.ts";
import { useRequest } from "#web/render/render-context.tsx";
import type { SourceType } from "#web/request/api-types.ts";
import type { Choices } from "#web/request/choices.ts";
import { may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { RemoveSource } from "../../knowledges/RemoveSource.tsx";
import { SourceFields } from "../SourceFields.tsx";
import { isSynced } from "../source-types.ts";
import { TestedConnection } from "../TestedConnection.tsx";

export interface SourceSettingsProps {
  source: {
    id: string;
    name: string;
    config: Record<string, unknown>;
    hasCredentials: boolean;
    schedule: string;
    documentsCount: number;
    version: string;
  };
  usedBy: { id: string; name: string }[];
  knowledges: Choices<"knowledges">;
  type: SourceType;
  agents: Choices;
}

export function SourceSettings({ source, type, usedBy, knowledges, agents }: SourceSettingsProps) {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const others = knowledges.rows.filter(({ sourceIds }) => !sourceIds.includes(source.id)).map(toOption);
  return (
    <div className="space-y-8">
      <section aria-labelledby="source-knowledges">
        <h2 id="source-knowledges" className="mb-3 font-medium text-lg">
          {t("usedBy")}
        </h2>
        {usedBy.length === 0 && <p className="mb-3 text-muted text-sm">{t("usedByNone")}</p>}
        <ul className="mb-3 space-y-1.5 empty:hidden">
          {usedBy.map(({ id, name }) => (
            <li key={id} className="flex items-center gap-2">
              <Library aria-hidden className="size-4 shrink-0 text-faint" />
              <a
                href={teamPath(request, `knowledges/${id}`)}
                className="min-w-0 grow truncate rounded-sm hover:underline"
              >
                {name}
              </a>
              {may(request, "knowledges.write") && (
                <RemoveSource form="unlink" fields={{ knowledge: id }} source={source} row={{ id, name }} />
              )}
            </li>
          ))}
        </ul>
        <ChoiceSearch choices={knowledges} label={t("addToKnowledge")} />
        {others.length > 0 ? (
          <Form name="knowledge" className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <FormChoice
                form="knowledge"
                name="knowledge"
                label={t("addToKnowledge")}
                choices={{ ...knowledges, options: others }}
              />
            </div>
            <Button className="h-9">{t("addTo")}</Button>
          </Form>
        ) : (
          usedBy.length === 0 &&
          may(request, "knowledges.write") && (
            <Form name="newKnowledge">
              <Button size="sm">{t("newKnowledge")}</Button>
            </Form>
          )
        )}
      </section>
      {isSynced(type) && (
        <section aria-labelledby="source-settings" className="border-line border-t pt-6">
          <h2 id="source-settings" className="mb-4 font-medium text-lg">
            {t("settings")}
          </h2>
          <ChoiceSearch choices={agents} label={t("settings")} />
          <Form name="settings" version={source.version}>
            <SourceFields {...source} type={type} agents={agents} form="settings" />
            <FormField
              as="select"
              form="settings"
              name="schedule"
              label={t("schedule.label")}
              defaultValue={source.schedule}
              options={type.schedules.map((value) => ({
                value,
                label: t(`schedule.${value}`),
              }))}
            />
            <TestedConnection form="settings" type={type}>
              <Button>{t("app:save")}</Button>
            </TestedConnection>
          </Form>
        </section>
      )}
      <div className="border-line border-t pt-6">
        <ConfirmDialog
          id="delete-source"
          form="delete"
          icon={<Trash2 aria-hidden className="size-4" />}
          label={t("delete.button")}
          title={t("delete.title", { name: source.name })}
          confirm={t("delete.confirm")}
        >
          {t("delete.text", { count: source.documentsCount })}{" "}
          {usedBy.length > 0 && t("delete.knowledges", { names: usedBy.map(({ name }) => name).join(", ") })}
        </ConfirmDialog>
      </div>
    </div>
  );
}
