// A form that posts to its page's +action. Works without JavaScript; with it, the navigation client posts it and swaps
// the main region. Shows what the API refused above the fields. Server only.
import type { ReactNode } from "react";
import { useRender } from "../renderer/render-context.tsx";
import { Alert } from "./Alert.tsx";
import { SupportText } from "./SupportText.tsx";

export interface FormProps {
  /** Tells the page's forms apart in its action, as the hidden field `form`. */
  name?: string;
  /** The page itself when absent. */
  action?: string;
  className?: string;
  /** True for forms with files. */
  multipart?: boolean;
  children: ReactNode;
}

export function Form({ name = "", action, className = "space-y-4", multipart, children }: FormProps) {
  const { form } = useRender();
  const failure = form?.name === name ? form.failure : undefined;
  return (
    <form
      method="post"
      action={action}
      encType={multipart ? "multipart/form-data" : undefined}
      className={className}
      noValidate={false}
    >
      {name && <input type="hidden" name="form" value={name} />}
      {failure && (
        <Alert tone="bad" title={failure.title}>
          <SupportText text={failure.description} />
        </Alert>
      )}
      {children}
    </form>
  );
}
