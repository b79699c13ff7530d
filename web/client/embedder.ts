// Owns the site of the page around the widget's frame, which its calls name so that the API refuses one that may no longer embed the agent.

export const EMBEDDER_HEADER = "x-embedder";

/** Null outside a frame, and where the browser does not say. The widget's script has its frame's requests name the site (referrerpolicy). */
export function embedder(): string | null {
  if (window.parent === window) return null;
  // Firefox has no ancestorOrigins.
  const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList };
  return ancestorOrigins?.[0] ?? originOf(document.referrer) ?? null;
}

/** Undefined for what is no address. */
export const originOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).origin : undefined;
