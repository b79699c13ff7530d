// Makes an API key and shows it, this once.
import { Check, Copy } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "#translations";
import { sendApi, wordsOf } from "../browser/call-api.ts";
import { showToast, visit } from "../browser/page.ts";

export interface NewApiKeyProps {
  teamId: string;
  /** Address of the page, to show the list anew. */
  path: string;
  roles: { id: string; name: string; isDefault: boolean }[];
}

NewApiKey.namespaces = ["apiKeys", "errors"];

const field = "h-10 w-full rounded-md border border-line-strong bg-ground px-3";
const button = "h-10 rounded-md px-4 font-medium";

export function NewApiKey({ teamId, path, roles }: NewApiKeyProps) {
  const { t } = useTranslation("apiKeys");
  const id = useId();
  const [key, setKey] = useState<string | null>(null);
  const [copied, setCopied] = useState(false);
  const [busy, setBusy] = useState(false);

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    try {
      const body = { name: String(form.get("name")).trim(), roleId: String(form.get("roleId")) };
      setKey((await sendApi("POST", "/v1/teams/{teamId}/apiKeys", { teamId }, body)).key);
    } catch (error) {
      showToast({ ...wordsOf(error, t), variant: "destructive" });
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
          <input readOnly aria-label={t("key")} value={key} className={`${field} font-mono text-sm`} />
          <button
            type="button"
            aria-label={copied ? t("copied") : t("copy")}
            onClick={() => void navigator.clipboard.writeText(key).then(() => setCopied(true))}
            className="icon-button size-10 border border-line bg-ground"
          >
            {copied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
          </button>
          <button
            type="button"
            onClick={() => {
              setKey("");
              visit(path);
            }}
            className={`${button} border border-line bg-ground hover:bg-hover`}
          >
            {t("made.done")}
          </button>
        </div>
      </div>
    );
  }
  return (
    <form
      onSubmit={(event) => void create(event)}
      className="grid items-end gap-3 sm:grid-cols-[1fr_10rem_auto]"
    >
      <label htmlFor={`${id}name`} className="font-medium text-sm">
        <span className="mb-1.5 block">{t("name")}</span>
        <input
          id={`${id}name`}
          name="name"
          required
          maxLength={200}
          placeholder={t("placeholder")}
          className={`${field} font-normal text-base`}
        />
      </label>
      <label htmlFor={`${id}role`} className="font-medium text-sm">
        <span className="mb-1.5 block">{t("role")}</span>
        <select
          id={`${id}role`}
          name="roleId"
          defaultValue={roles.find(({ isDefault }) => isDefault)?.id}
          className={`${field} font-normal text-base`}
        >
          {roles.map((role) => (
            <option key={role.id} value={role.id}>
              {role.name}
            </option>
          ))}
        </select>
      </label>
      <button
        type="submit"
        disabled={busy}
        className={`${button} bg-accent text-on-accent hover:bg-accent-hover disabled:opacity-55`}
      >
        {t("create")}
      </button>
    </form>
  );
}
