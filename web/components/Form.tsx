// A form that posts to its page's +action. Works without JavaScript; with it, the navigation client posts it and swaps
// the main region. Shows what the API refused above the fields. Server only.
import type { ReactNode } from "react";
import { useRender } from "../renderer/render-context.tsx";
import { Alert } from "./Alert.tsx";
import { ChangedAlert } from "./ChangedAlert.tsx";
import { SupportText } from "./SupportText.tsx";

export interface FormProps {
  /** Tells the page's forms apart in its action, as the hidden field `form`. */
  name?: string;
  /** For buttons that stand outside of it. */
  id?: string;
  /** The page itself when absent. */
  action?: string;
  className?: string;
  /** True for forms with files. */
  multipart?: boolean;
  /** Of what it changes, as the page shows it: goes along with the form, so that its save says when somebody saved meanwhile. */
  version?: string;
  /** Whether nothing is lost where its page is left: nobody is asked, and nothing is kept. */
  casual?: boolean;
  children: ReactNode;
}

export function Form({
  name = "",
  id,
  action,
  className = "space-y-4",
  multipart,
  version,
  casual,
  children,
}: FormProps) {
  const { form } = useRender();
  const mine = form?.name === name ? form : undefined;
  const failure = mine?.failure;
  // A form that comes back for another reason is still of the version that it was opened with.
  const opened = mine?.changed ? version : (mine?.values.version?.[0] ?? version);
  const refused = failure !== undefined || Object.keys(mine?.errors ?? {}).length > 0;
  return (
    <form
      id={id}
      method="post"
      action={action}
      encType={multipart ? "multipart/form-data" : undefined}
      className={className}
      noValidate={false}
      data-casual={casual ? "" : undefined}
      data-refused={refused ? "" : undefined}
    >
      {name && <input type="hidden" name="form" value={name} />}
      {version && <input type="hidden" name="version" value={opened} />}
      {mine?.changed && <ChangedAlert maySave={version !== undefined} />}
      {failure && !mine?.changed && (
        <Alert tone="bad" title={failure.title}>
          <SupportText text={failure.description} />
        </Alert>
      )}
      {children}
    </form>
  );
}
