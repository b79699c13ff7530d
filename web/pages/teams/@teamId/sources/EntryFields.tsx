// The fields of a written answer. Server only.
import { useTranslation } from "#translations";
import { toOption } from "#web/client/choice-lists.ts";
import type { Choices } from "#web/request/choices.ts";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { FormField } from "#web/ui/FormField.tsx";

export interface EntryFieldsProps {
  /** Name of the form around them. */
  form: string;
  entry?: {
    question: string;
    answer?: string;
    owner?: { id: string; name: string } | null;
    expiresAt?: string | null;
  };
  /** Empty when the reader may not see the members: the owner then stays. */
  members: Choices;
}

export function EntryFields({ form, entry, members }: EntryFieldsProps) {
  const { t } = useTranslation("entries");
  const day = entry?.expiresAt?.slice(0, 10) ?? "";
  const owner = entry?.owner;
  // The owner may have left the team since.
  const former = owner && !members.options.some(({ value }) => value === owner.id) ? [toOption(owner)] : [];
  return (
    <>
      <FormField
        as="textarea"
        form={form}
        name="question"
        label={t("question")}
        rows={2}
        required
        maxLength={2000}
        defaultValue={entry?.question}
      />
      <FormField
        as="textarea"
        form={form}
        name="answer"
        label={t("answer")}
        rows={6}
        required
        maxLength={20_000}
        defaultValue={entry?.answer}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <input type="hidden" name="expiresBefore" value={day} />
        <FormField
          form={form}
          type="date"
          name="expiresAt"
          label={t("expires")}
          hint={t("expiresHint")}
          aside={t("app:optional")}
          defaultValue={day}
        />
        {entry?.answer !== undefined && members.options.length > 0 && (
          <FormChoice
            form={form}
            name="ownerId"
            label={t("owner")}
            hint={t("ownerHint")}
            defaultValue={owner?.id ?? ""}
            choices={{ ...members, options: [...former, ...members.options] }}
            none={{ value: "", label: t("nobody") }}
          />
        )}
      </div>
    </>
  );
}
