// The saved value of a field, when its form is shown again because somebody else saved in the meantime. Server only.
import type { TFunction } from "i18next";
import type { FormState } from "../render/action.ts";

const plain = (text: string) => text.replaceAll("\r\n", "\n").trim();

/**
 * The sentence under a field; undefined when there is no conflict, or the same value was typed.
 * @param typed the typed and the saved value, as the field holds them
 * @param shown the saved value as displayed
 */
export function newerValue(
  t: TFunction,
  form: FormState | undefined,
  { typed, saved, shown = saved }: { typed: string | undefined; saved: string; shown?: string },
): string | undefined {
  if (!form?.changed || typed === undefined || plain(typed) === plain(saved)) return undefined;
  return shown.trim() === "" ? t("errors:changed.empty") : t("errors:changed.value", { value: shown });
}
