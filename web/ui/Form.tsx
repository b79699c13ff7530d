// A form that posts to its page's +action. Works without JavaScript; with it, the navigation client posts it and swaps
// the main region. Shows the API's failure above the fields. Server only.
import type { ReactNode } from "react";
import { PERSON_FIELD } from "../render/action.ts";
import { useFormState, useRender, useRequest } from "../render/render-context.tsx";
import { Alert } from "./Alert.tsx";
import { ChangedAlert } from "./ChangedAlert.tsx";
import { SupportText } from "./SupportText.tsx";

export interface FormProps {
  /** Identifies the form in its page's action, as the hidden field `form`. */
  name?: string;
  /** For buttons outside the form. */
  id?: string;
  className?: string;
  /** True for forms with files. */
  multipart?: boolean;
  /** The version of the resource on the page. It is sent with the form, so that saving detects a conflict. */
  version?: string;
  /** True when nothing is lost by leaving the page: the reader is not asked, and nothing is stored. */
  casual?: boolean;
  /** Hidden fields. Of several forms of one name, they tell which one was posted. */
  fields?: Record<string, string>;
  children: ReactNode;
}

export function Form({
  name = "",
  id,
  className = "space-y-4",
  multipart,
  version,
  casual,
  fields = {},
  children,
}: FormProps) {
  const { shownForms } = useRender();
  const { user } = useRequest();
  const mine = useFormState(name, fields);
  if (mine) shownForms.add(mine);
  const failure = mine?.failure;
  // A form that was refused for another reason keeps the version that it was opened with.
  const opened = mine?.changed ? version : (mine?.values.version?.[0] ?? version);
  const refused = failure !== undefined || Object.keys(mine?.errors ?? {}).length > 0;
  return (
    <form
      id={id}
      method="post"
      encType={multipart ? "multipart/form-data" : undefined}
      className={className}
      noValidate={false}
      data-casual={casual ? "" : undefined}
      data-refused={refused ? "" : undefined}
    >
      {name && <input type="hidden" name="form" value={name} />}
      {user && <input type="hidden" name={PERSON_FIELD} value={user.id} />}
      {version && <input type="hidden" name="version" value={opened} />}
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      {mine?.changed && (
        <div className="mb-4">
          <ChangedAlert maySave={version !== undefined} />
        </div>
      )}
      {failure && !mine?.changed && (
        <div className="mb-4">
          <Alert tone="bad" title={failure.title}>
            <SupportText text={failure.description} />
          </Alert>
        </div>
      )}
      {children}
    </form>
  );
}
