// Asks once before something is lost, and names what. The button, the dialog and the form that does it. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRender } from "../renderer/render-context.tsx";
import { Button, type ButtonProps } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Form } from "./Form.tsx";

export interface ConfirmDialogProps {
  /** Unique on the page. */
  id: string;
  /** The button that asks. */
  label: ReactNode;
  variant?: ButtonProps["variant"];
  icon?: ReactNode;
  title: ReactNode;
  /** What will be lost. */
  children: ReactNode;
  /** The word on the button that does it. */
  confirm: ReactNode;
  /** Name of the form in the page's action, and its hidden fields. */
  form: string;
  fields?: Record<string, string>;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { id, label, variant, icon, title, children, confirm, form, fields = {} } = props;
  const { t } = useTranslation("app");
  const state = useRender().form;
  // Several may share a form: it is the one whose hidden fields were posted.
  const isRefused =
    state?.name === form &&
    Object.entries(fields).every(([name, value]) => state.values[name]?.[0] === value);
  return (
    <>
      <Button type="button" variant={variant} icon={icon} command="show-modal" commandfor={id}>
        {label}
      </Button>
      <Dialog id={id} title={title} open={isRefused}>
        <div className="mt-2 text-muted">{children}</div>
        <Form name={form} className="mt-5 space-y-4">
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="flex justify-end gap-2">
            <Button type="button" command="close" commandfor={id}>
              {t("cancel")}
            </Button>
            <Button variant="danger">{confirm}</Button>
          </div>
        </Form>
      </Dialog>
    </>
  );
}
