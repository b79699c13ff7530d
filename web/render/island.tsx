// Renders islands in server-rendered pages. Each island is rendered on its own, so the browser can hydrate it without
// the page around it. Never imported by an island.
import { renderToString } from "react-dom/server";
import { TimeZone } from "../client/time-zone.ts";
import { i18nFor } from "../request/i18n.ts";
import { type IslandComponent, IslandRoot, type Json, type Seed } from "./island-root.tsx";
import { useRender } from "./render-context.tsx";
import { I18nextProvider } from "./server-translations.tsx";

const modules = import.meta.glob<Record<string, IslandComponent>>("../islands/*.tsx", { eager: true });

/** The component of web/islands/NAME.tsx. Throws when there is no such file. */
function islandComponent(name: string): IslandComponent {
  const component = modules[`../islands/${name}.tsx`]?.[name];
  if (!component) throw new Error(`No island is named ${name}: web/islands/${name}.tsx must export ${name}`);
  return component;
}

export interface IslandProps<Props> {
  /** File name in web/islands/ without .tsx, and the name of its exported component. */
  name: string;
  props: Props;
  /** When the browser hydrates it: at once, when idle, or when it scrolls into view. */
  load?: "load" | "idle" | "visible";
  /** Server state to start from, so the island does not fetch it again. */
  seed?: Seed[];
}

/**
 * Renders web/islands/NAME.tsx here and hydrates it in the browser. `props` must be JSON. Name the props' type to have
 * it checked: `<Island<ChatProps> name="Chat" props={...} />`.
 */
export function Island<Props extends object>({ name, props, load = "load", seed = [] }: IslandProps<Props>) {
  const context = useRender();
  const component = islandComponent(name);
  // Counts islands of the same name, so the id stays the same when other islands come before it.
  const place = context.islands.filter((other) => other.name === name).length;
  const id = `${context.region}-${name}${place}-`;
  context.islands.push({ id, name, load });
  for (const namespace of component.namespaces ?? []) context.namespaces.add(namespace);

  if (seed.length > 0 && !component.provider)
    throw new Error(`${name} names no provider that a seed could go to`);
  const json = JSON.stringify(props);
  const html = renderToString(
    <I18nextProvider i18n={i18nFor(context.frame.locale)}>
      <TimeZone value={context.timeZone}>
        <IslandRoot component={component} props={JSON.parse(json) as Record<string, Json>} seed={seed} />
      </TimeZone>
    </I18nextProvider>,
    { identifierPrefix: id },
  );
  return (
    <div
      id={`${id}island`}
      className="contents"
      data-island={name}
      data-id={id}
      data-load={load}
      data-stays={component.stays ? "" : undefined}
      data-props={json}
      data-seed={seed.length > 0 ? JSON.stringify(seed) : undefined}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React rendered this markup two lines above
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
