// Deleting an agent, with what goes and what stays.
import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../../../components/ConfirmDialog.tsx";
import { Section } from "../../../../../components/Section.tsx";
import { useData } from "../../../../../renderer/render-context.tsx";
import type { AgentData } from "./+data.ts";

export function DeleteAgent() {
  const { t } = useTranslation("agents");
  const { agent } = useData<AgentData>();
  return (
    <div className="border-line border-t pt-6">
      <Section title={t("delete.section")} description={t("delete.sectionText")}>
        <ConfirmDialog
          id="delete-agent"
          form="delete"
          icon={<Trash2 aria-hidden className="size-4" />}
          label={t("delete.button")}
          title={t("delete.title", { name: agent.name })}
          confirm={t("delete.confirm")}
        >
          {t("delete.text")}
        </ConfirmDialog>
      </Section>
    </div>
  );
}
