// Renames a page's resource in its heading: a pencil next to the name, and the name's field in its place. Posts the
// form "rename"; works without JavaScript. With it (client/every-page/renaming.ts), Escape and Cancel reset the field.
// Server only.
import { Pencil } from "lucide-react";
import { useTranslation } from "#translations";
import { useRender, useRequest } from "../render/render-context.tsx";
import { Button } from "./Button.tsx";
import { Form } from "./Form.tsx";
import { FormField } from "./FormField.tsx";

export interface RenameFormProps {
  name: string;
  version: string;
}

export function RenameForm({ name, version }: RenameFormProps) {
  const { t } = useTranslation();
  const { form } = useRender();
  const { url } = useRequest();
  return (
    <details
      data-rename
      open={form?.name === "rename"}
      className="group/rename -ml-1.5 min-w-0 open:mb-2 open:ml-0 open:w-full"
    >
      <summary
        aria-label={t("rename.button", { name })}
        data-tooltip={t("rename.hint")}
        className="icon-button group-open/rename:hidden"
      >
        <Pencil aria-hidden className="size-4" />
      </summary>
      <Form name="rename" version={version} className="max-w-lg space-y-2">
        <FormField
          form="rename"
          name="name"
          label={t("rename.label")}
          required
          maxLength={200}
          defaultValue={name}
          autoComplete="off"
        />
        <div className="flex gap-2">
          <Button variant="primary">{t("save")}</Button>
          <Button variant="ghost" href={url.pathname} data-take-back>
            {t("cancel")}
          </Button>
        </div>
      </Form>
    </details>
  );
}
