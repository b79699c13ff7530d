// Says on a form that somebody saved while it was open, and offers what can be done. The form's fields show what was saved. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "../renderer/render-context.tsx";
import { Alert } from "./Alert.tsx";
import { Button } from "./Button.tsx";

/** @param props.maySave whether the form is of the newer version now, so that it can be sent as it stands */
export function ChangedAlert({ maySave }: { maySave: boolean }) {
  const { t } = useTranslation();
  const { url } = useRequest();
  return (
    <Alert tone="bad" title={t("errors:refusals.changedMeanwhile")}>
      <p>{t("errors:changed.text")}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {maySave && <Button size="sm">{t("errors:changed.mine")}</Button>}
        {/* In a tab of its own: what was typed stays in this one. */}
        <Button size="sm" variant="ghost" href={url.pathname} target="_blank">
          {t("errors:changed.newer")}
        </Button>
      </div>
    </Alert>
  );
}
