// Removes a source from a knowledge base, after a confirmation: on the page of either. Server only.
import { useTranslation } from "#translations";
import { ConfirmDialog, type ConfirmDialogProps } from "#web/ui/ConfirmDialog.tsx";

export interface RemoveSourceProps extends Pick<ConfirmDialogProps, "form" | "fields"> {
  source: { name: string };
  /** What its row on the page names. */
  row: { id: string; name: string };
}

export function RemoveSource({ form, fields, source, row }: RemoveSourceProps) {
  const { t } = useTranslation("knowledges");
  return (
    <ConfirmDialog
      id={`remove-${row.id}`}
      form={form}
      fields={fields}
      variant="ghost"
      label={
        <>
          {t("sources.remove")}
          <span className="sr-only"> {row.name}</span>
        </>
      }
      title={t("sources.removeTitle", { name: source.name })}
      confirm={t("sources.removeConfirm")}
    >
      {t("sources.removeText")}
    </ConfirmDialog>
  );
}
