// Searches the choices of a form below it where there is no script, so that each of them can be chosen. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "../render/render-context.tsx";
import { type Choices, FIND } from "../request/choices.ts";
import { Button } from "./Button.tsx";
import { Input } from "./Input.tsx";

export function ChoiceSearch({ choices, label }: { choices: Choices; label: string }) {
  const { t } = useTranslation("app");
  const { searchParams } = useRequest().url;
  if (!choices.isPartial) return null;
  const kept = [...searchParams].filter(([name]) => name !== FIND);
  return (
    <form method="get" className="mb-5 hidden gap-2 noscript:flex">
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Input
        type="search"
        name={FIND}
        aria-label={t("labelled", { label: t("search"), value: label })}
        placeholder={label}
        defaultValue={searchParams.get(FIND) ?? ""}
      />
      <Button className="h-9">{t("search")}</Button>
    </form>
  );
}
