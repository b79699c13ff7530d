// A setting of an agent's version as text, in the words of the agent's own form. Pure.
import type { TFunction } from "i18next";
import { numberFormat } from "#web/client/per-language.ts";

/** Settings with a word for each value, by the key of those words. */
const WORDED: Record<string, string> = {
  mode: "agents:mode",
  unsupportedClaims: "agents:unsupported",
  visibility: "agents:visibility",
};

export interface SettingWords {
  t: TFunction;
  language: string;
  /** The names of the knowledge bases, by id. */
  names: Record<string, string>;
}

/** One line per item of a list and per part of a group, in a fixed order. */
export function settingText(name: string, value: unknown, words: SettingWords): string {
  const { t, language, names } = words;
  if (Array.isArray(value))
    return value
      .map((one) => names[String(one)] ?? String(one))
      .sort()
      .join("\n");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .sort()
      .map(([part, inner]) =>
        t("app:labelled", { label: t(`agents:${part}.label`), value: settingText(part, inner, words) }),
      )
      .join("\n");
  if (typeof value === "number") return numberFormat(language).format(value);
  const worded = WORDED[name];
  return worded ? t(`${worded}.${String(value)}`) : String(value ?? "");
}
