// `#translations` on the server (package.json, "imports"). Messages do not change while the server runs, so there is
// nothing to subscribe to. Each language's translator of a namespace is created once, and a text without values is
// looked up once. The package creates a translator and a wrapper for every rendered component.
import type { i18n as I18n, TFunction } from "i18next";
import { createContext, type ReactNode, use } from "react";
import { I18nextProvider as PackageProvider } from "react-i18next";

interface Translation {
  t: TFunction;
  i18n: I18n;
}

const Context = createContext<I18n | null>(null);
const made = new WeakMap<I18n, Map<string, Translation>>();

/** Keys are constants in the code. The limit guards against keys that are built from other data. */
const MOST_TEXTS = 5_000;

function translationOf(i18n: I18n, namespace: string): Translation {
  const translate = i18n.getFixedT(i18n.language, namespace);
  const texts = new Map<string, string>();
  const t = (key: string, ...values: []) => {
    if (values.length > 0) return translate(key, ...values);
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = translate(key);
    if (texts.size < MOST_TEXTS) texts.set(key, text);
    return text;
  };
  // `t` takes the same arguments as the translator, whose type has many overloads.
  return { t: Object.assign(t, translate) as TFunction, i18n };
}

/** Sets the language of everything below it. */
export function I18nextProvider({ i18n, children }: { i18n: I18n; children?: ReactNode }) {
  return (
    <PackageProvider i18n={i18n}>
      <Context value={i18n}>{children}</Context>
    </PackageProvider>
  );
}

export function useTranslation(namespace = "app"): Translation {
  const i18n = use(Context);
  if (!i18n) throw new Error("useTranslation() needs an I18nextProvider above it");
  const translations = made.get(i18n) ?? new Map<string, Translation>();
  made.set(i18n, translations);
  const kept = translations.get(namespace) ?? translationOf(i18n, namespace);
  translations.set(namespace, kept);
  return kept;
}
