// Filters a list of tasks through the address, so that a filtered list can be shared. Works without JavaScript. Server only.
import { useTranslation } from "react-i18next";
import { useRequest } from "../../renderer/render-context.tsx";
import { Button } from "../Button.tsx";
import { Field } from "../Field.tsx";
import { Input } from "../Input.tsx";
import { Select } from "../Select.tsx";

const types = ["index", "loadDocuments", "sync"];
const statuses = ["queued", "running", "waiting", "stopping", "stopped", "succeeded", "failed"];

export function TaskFilters() {
  const { t } = useTranslation("tasks");
  const { url } = useRequest();
  const value = (name: string) => url.searchParams.get(name) ?? "";
  const all = { value: "", label: t("filter.all") };
  return (
    <form method="get" className="mb-5 flex flex-wrap items-end gap-3">
      <Field id="type" label={t("filter.type")}>
        {(attributes) => (
          <Select
            {...attributes}
            name="type"
            defaultValue={value("type")}
            options={[all, ...types.map((one) => ({ value: one, label: t(`type.${one}`) }))]}
          />
        )}
      </Field>
      <Field id="status" label={t("filter.status")}>
        {(attributes) => (
          <Select
            {...attributes}
            name="status"
            defaultValue={value("status")}
            options={[all, ...statuses.map((one) => ({ value: one, label: t(`app:status.${one}`) }))]}
          />
        )}
      </Field>
      <Field id="date" label={t("filter.date")}>
        {(attributes) => (
          <Input {...attributes} type="date" name="date" defaultValue={value("date")} className="h-9" />
        )}
      </Field>
      <Field id="taskId" label={t("filter.taskId")}>
        {(attributes) => (
          <Input
            {...attributes}
            name="taskId"
            defaultValue={value("taskId")}
            pattern="[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
            className="h-9 w-40"
          />
        )}
      </Field>
      <Button className="h-9">{t("filter.apply")}</Button>
      {["type", "status", "date", "taskId"].some(value) && (
        <Button href={url.pathname} variant="ghost" className="h-9">
          {t("filter.clear")}
        </Button>
      )}
    </form>
  );
}
