// Owns the gallery's index page: every view and state in a frame of a selected width, theme and language.
import { escapeHtml } from "../render/document.ts";
import { addressOfView, views } from "./views.ts";

const WIDTHS = [360, 768, 1440];
const THEMES = ["light", "dark"];
const HEIGHT = 900;

/** @param chosen theme, lang and width from the address */
export function frontPage(chosen: URLSearchParams, languages: readonly string[]): string {
  const theme = chosen.get("theme") ?? "light";
  const lang = chosen.get("lang") ?? "en";
  const width = Number(chosen.get("width")) || 1440;
  const choice = (name: string, value: string | number, now: string | number) => {
    const params = new URLSearchParams({ theme, lang, width: String(width), [name]: String(value) });
    const mark = value === now ? ' aria-current="true"' : "";
    return `<a href="/gallery?${escapeHtml(String(params))}"${mark}>${value}</a>`;
  };
  const bar = [
    THEMES.map((one) => choice("theme", one, theme)),
    languages.map((one) => choice("lang", one, lang)),
    WIDTHS.map((one) => choice("width", one, width)),
  ].map((links) => `<span>${links.join(" ")}</span>`);
  const frames = views.flatMap((view) =>
    view.states.map((state) => {
      const address = escapeHtml(addressOfView(view, state, lang, theme));
      const name = escapeHtml([view.path, view.opened, state].filter(Boolean).join(" · "));
      return `<h2><a href="${address}">${name}</a></h2><iframe src="${address}" title="${name}" loading="lazy" width="${width}" height="${HEIGHT}"></iframe>`;
    }),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Gallery · Parley</title>
<style>
body { margin: 0 1rem 3rem; font: 14px/1.5 system-ui; }
nav { position: sticky; top: 0; display: flex; gap: 2rem; padding: .75rem 0; background: #fff; }
[aria-current] { font-weight: 700; color: inherit; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; }
iframe { border: 1px solid #ccc; }
</style></head>
<body><h1>Gallery</h1><nav>${bar.join("")}</nav>${frames.join("")}</body></html>`;
}
