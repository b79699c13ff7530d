// What the reader wrote into a posted form that the page does not show any more, to be copied. Server only.
import { useTranslation } from "#translations";
import type { FormState } from "../render/action.ts";
import { Textarea } from "./Textarea.tsx";

/** Only texts of several words: a choice is made again in a moment, and an id was never typed. */
const isText = (value: string) => /\S\s+\S/.test(value);

/** Null when nothing was written. */
export function TypedText({ form }: { form: FormState }) {
  const { t } = useTranslation("app");
  const texts = Object.values(form.values).flatMap((values) => values?.filter(isText) ?? []);
  if (texts.length === 0) return null;
  return (
    <section aria-labelledby="typed-text" className="my-8 w-full max-w-xl space-y-3">
      <h2 id="typed-text" className="font-medium text-lg">
        {t("typed.title")}
      </h2>
      <p className="text-muted">{t("typed.text")}</p>
      {texts.map((text, at) => (
        <Textarea
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, on the server
          key={at}
          readOnly
          dir="auto"
          aria-label={t("typed.label", { number: at + 1 })}
          rows={Math.min(8, text.split("\n").length + 1)}
          defaultValue={text}
        />
      ))}
    </section>
  );
}
