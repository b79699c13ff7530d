// Creates an API key and shows it once.
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { failureToast, refusedFields, sendOnce } from "../client/call-api.ts";
import { showToast, visit } from "../client/page.ts";
import { unsavedText } from "../client/unsaved-text.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";

export interface NewApiKeyProps {
  teamId: string;
  /** Address of the page, to refresh the list. */
  path: string;
  roles: { id: string; name: string; isDefault: boolean }[];
}

NewApiKey.namespaces = ["apiKeys", "errors"];

const FIELDS = ["name", "roleId"] as const;

export function NewApiKey({ teamId, path, roles }: NewApiKeyProps) {
  const { t } = useTranslation("apiKeys");
  const id = useId();
  const [key, setKey] = useState<string | null>(null);
  const [refused, setRefused] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({});
  const [busy, setBusy] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const unsaved = unsavedText(`apiKey:${teamId}`);

  // A name that was not saved before a reload or a login.
  useEffect(() => {
    const { current: field } = nameField;
    const stored = unsavedText(`apiKey:${teamId}`).read();
    // Text that was typed before hydration is newer.
    if (field && !field.value && stored) field.value = stored;
  }, [teamId]);

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setRefused({});
    try {
      const body = { name: String(form.get("name")).trim(), roleId: String(form.get("roleId")) };
      setKey((await sendOnce("/v1/teams/{teamId}/apiKeys", { teamId }, body)).key);
      unsaved.drop();
      visit(path);
    } catch (error) {
      const errors = refusedFields(error, t, FIELDS);
      setRefused(errors ?? {});
      if (!errors) showToast(failureToast(error, t));
    } finally {
      setBusy(false);
    }
  }

  if (key) {
    return (
      <div role="status" className="rounded-md bg-good-soft p-4">
        <p className="font-medium text-good">{t("made.title")}</p>
        <p className="mt-0.5 text-sm">{t("made.text")}</p>
        <div className="mt-3 flex gap-2">
          <Input readOnly autoFocus aria-label={t("key")} value={key} className="font-mono" />
          <CopyButton text={key} label={t("copy")} copied={t("copied")} className="size-9" />
          <Button
            type="button"
            className="h-9"
            onClick={() => {
              setKey(null);
              visit(path);
            }}
          >
            {t("made.done")}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form
      onSubmit={(event) => void create(event)}
      className="grid items-end gap-3 lg:grid-cols-[1fr_fit-content(24rem)_auto]"
    >
      <Field id={`${id}name`} label={t("name")} error={refused.name}>
        {(attributes) => (
          <Input
            {...attributes}
            ref={nameField}
            name="name"
            required
            maxLength={200}
            placeholder={t("placeholder")}
            onChange={({ target }) => unsaved.write(target.value)}
          />
        )}
      </Field>
      <Field id={`${id}role`} label={t("role")} error={refused.roleId}>
        {(attributes) => (
          <Select
            {...attributes}
            name="roleId"
            defaultValue={roles.find(({ isDefault }) => isDefault)?.id}
            options={roles.map((role) => ({ value: role.id, label: role.name }))}
          />
        )}
      </Field>
      <Button variant="primary" aria-disabled={busy} className="h-9">
        {t("create")}
      </Button>
    </form>
  );
}
