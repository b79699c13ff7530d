// What the page's data says of a field whose form comes back because somebody saved meanwhile. Server only.
import type { TFunction } from "i18next";
import type { FormState } from "../renderer/action.ts";

const plain = (text: string) => text.replaceAll("\r\n", "\n").trim();

/**
 * The sentence under a field; undefined where the form is not told of a change, or the same was typed.
 * @param typed what was typed and what is saved, as the field has them
 * @param shown what is saved, as people read it
 */
export function newerValue(
  t: TFunction,
  form: FormState | undefined,
  { typed, saved, shown = saved }: { typed: string | undefined; saved: string; shown?: string },
): string | undefined {
  if (!form?.changed || typed === undefined || plain(typed) === plain(saved)) return undefined;
  return shown.trim() === "" ? t("errors:changed.empty") : t("errors:changed.value", { value: shown });
}
