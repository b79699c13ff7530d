// The words and the link of the note about the built-in model, for the reader of a page.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { may, teamPath } from "#web/request/current-team.ts";
import type { OfflineNoteProps } from "./OfflineNote.tsx";

export function useOfflineNote(): OfflineNoteProps {
  const { t } = useTranslation("models");
  const request = useRequest();
  return {
    text: t("offline.agent"),
    connect: may(request, "models.write")
      ? {
          label: t("offline.connect"),
          href: `${teamPath(request, "models")}?role=chat&provider=openai`,
        }
      : null,
  };
}
