// Language and theme: one form that posts to /preferences, which stores them in cookies and redirects back.
import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "#translations";
import { announcedLocales, localeNames } from "../render/locale.ts";
import { useFrame } from "../render/render-context.tsx";
import { Button } from "../ui/Button.tsx";

const themes = [
  ["system", Monitor],
  ["light", Sun],
  ["dark", Moon],
] as const;

const choice =
  "inline-flex h-7 items-center justify-center rounded-sm px-2 text-muted text-sm transition-colors hover:text-ink aria-pressed:bg-pressed aria-pressed:text-ink";

/**
 * `stacked` puts the two selects on top of each other, as in a menu; `themeOnly` is for pages where the language has
 * its own field.
 */
export function Preferences({ stacked, themeOnly }: { stacked?: boolean; themeOnly?: boolean }) {
  const { t } = useTranslation("app");
  const { locale, theme } = useFrame();
  return (
    <form
      method="post"
      action="/preferences"
      data-reload
      className={stacked ? "space-y-2" : "flex flex-wrap items-center gap-3"}
    >
      {!themeOnly && (
        <fieldset className="flex items-center gap-0.5">
          <legend className="sr-only">{t("language")}</legend>
          {localeNames.map(({ code, name }) => (
            <Button
              variant="bare"
              key={code}
              type="submit"
              name="locale"
              value={code}
              lang={code}
              aria-pressed={code === locale}
              className={choice}
            >
              {name}
            </Button>
          ))}
          {announcedLocales.map(({ code, name }) => (
            <Button
              variant="bare"
              key={code}
              type="button"
              lang={code}
              disabled
              className={`${choice} opacity-55`}
            >
              {name}
            </Button>
          ))}
        </fieldset>
      )}
      <fieldset className="flex items-center gap-0.5">
        <legend className="sr-only">{t("theme.label")}</legend>
        {themes.map(([name, Icon]) => (
          <Button
            variant="bare"
            key={name}
            type="submit"
            name="theme"
            value={name}
            data-tooltip={t(`theme.${name}`)}
            aria-label={t(`theme.${name}`)}
            aria-pressed={name === theme}
            className={choice}
          >
            <Icon aria-hidden className="size-4" />
          </Button>
        ))}
      </fieldset>
    </form>
  );
}
