// Deletes an agent: what is deleted, with counts, and what stays.
import { Trash2 } from "lucide-react";
import { useTranslation } from "#translations";
import { numberFormat } from "#web/client/per-language.ts";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { may } from "#web/request/current-team.ts";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { Section } from "#web/ui/Section.tsx";
import type { AgentData } from "./+data.ts";

/** The API does not count beyond this. */
const MANY = 10_000;

export function DeleteAgent() {
  const { t, i18n } = useTranslation("agents");
  const request = useRequest();
  const { agent, uses } = useData<AgentData>();
  const number = numberFormat(i18n.language);
  const countText = (key: string, count: number) =>
    count > 0
      ? t(`delete.${key}`, {
          count,
          number: `${number.format(Math.min(count, MANY))}${count > MANY ? "+" : ""}`,
        })
      : null;
  // The number is only accurate for readers who may see the chats.
  const goes =
    uses &&
    [
      may(request, "chats.read") ? countText("chats", uses.chats) : t("delete.chatsUnseen"),
      may(request, "apps.read") ? countText("apps", uses.apps) : t("delete.appsUnseen"),
      t(agent.visibility === "public" ? "delete.page" : "delete.noPage"),
    ].filter((line) => line !== null);
  const stays = uses && countText("stays", uses.documents);
  return (
    <div className="border-line border-t pt-6">
      <Section title={t("delete.section")} description={t("delete.sectionText")}>
        <ConfirmDialog
          id="delete-agent"
          form="delete"
          icon={<Trash2 aria-hidden className="size-4" />}
          label={t("delete.button")}
          title={t("app:deleteQuestion", { name: agent.name })}
          confirm={t("delete.confirm")}
        >
          <p>{t("delete.text")}</p>
          {goes && (
            <ul className="my-2 list-disc space-y-0.5 pl-5 text-ink">
              {goes.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          {stays && <p>{stays}</p>}
        </ConfirmDialog>
      </Section>
    </div>
  );
}
