// Confirms an action and names what is lost, if anything: the button, the dialog and its form. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useFormState } from "../render/render-context.tsx";
import { Button, type ButtonProps } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Form } from "./Form.tsx";

export interface ConfirmDialogProps {
  /** Unique on the page. */
  id: string;
  /** The button that opens the dialog. */
  label: ReactNode;
  variant?: ButtonProps["variant"];
  icon?: ReactNode;
  title: ReactNode;
  /** What will be lost or changed. */
  children: ReactNode;
  /** The label of the confirming button. */
  confirm: ReactNode;
  /** The form's name in the page's action, and its hidden fields. */
  form: string;
  fields?: Record<string, string>;
  /** For an action that loses nothing: its button is not red. */
  isHarmless?: boolean;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { id, label, variant, icon, title, children, confirm, form, fields = {}, isHarmless } = props;
  const { t } = useTranslation("app");
  const isRefused = useFormState(form, fields) !== undefined;
  return (
    <>
      <Button type="button" variant={variant} icon={icon} command="show-modal" commandfor={id}>
        {label}
      </Button>
      <Dialog id={id} title={title} open={isRefused}>
        <div className="mt-2 text-muted">{children}</div>
        <Form name={form} fields={fields} className="mt-5 space-y-4">
          <div className="flex justify-end gap-2">
            <Button type="button" command="close" commandfor={id}>
              {t("cancel")}
            </Button>
            <Button variant={isHarmless ? "primary" : "danger"}>{confirm}</Button>
          </div>
        </Form>
      </Dialog>
    </>
  );
}
