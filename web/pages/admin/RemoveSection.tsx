// Deletes the resource of an admin page, after a question. Server only.
import { Trash2 } from "lucide-react";
import { useTranslation } from "#translations";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Section } from "../../ui/Section.tsx";

export interface RemoveSectionProps {
  list: "agents" | "apiKeys" | "knowledges" | "sources" | "teams" | "users";
  name: string;
}

export function RemoveSection({ list, name }: RemoveSectionProps) {
  const { t } = useTranslation("admin");
  const text = t(list === "apiKeys" ? "apiKeys:revoke.text" : `remove.${list}.text`);
  return (
    <Section title={t(`remove.${list}.title`)} description={text}>
      <ConfirmDialog
        id="delete"
        form="delete"
        icon={<Trash2 aria-hidden className="size-4" />}
        label={t(`remove.${list}.button`)}
        title={t("app:deleteQuestion", { name })}
        confirm={t(`remove.${list}.confirm`)}
      >
        {text}
      </ConfirmDialog>
    </Section>
  );
}
