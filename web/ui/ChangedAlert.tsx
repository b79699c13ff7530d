// Reports on a form that somebody else saved while it was open, and offers the next actions. The form's fields show the
// saved values. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "../render/render-context.tsx";
import { Alert } from "./Alert.tsx";
import { Button } from "./Button.tsx";

/** @param props.maySave whether the form has the newer version now and can be submitted */
export function ChangedAlert({ maySave }: { maySave: boolean }) {
  const { t } = useTranslation();
  const { url } = useRequest();
  return (
    <Alert tone="bad" title={t("errors:refusals.changedMeanwhile")}>
      <p>{t("errors:changed.text")}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {maySave && <Button size="sm">{t("errors:changed.mine")}</Button>}
        {/* Opens in a new tab: the typed values stay in this one. */}
        <Button size="sm" variant="ghost" href={url.pathname} target="_blank">
          {t("errors:changed.newer")}
        </Button>
      </div>
    </Alert>
  );
}
