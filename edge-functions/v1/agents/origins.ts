// Owns whether a site may embed an agent's chat. Pure; the widget's frame says the same to the browser, as frame-ancestors.

/** @param allowed origins, whose host may begin with "*."; none: every site may */
export function mayEmbed(allowed: string[], origin: string): boolean {
  if (allowed.length === 0) return true;
  return allowed.some((one) => {
    const [scheme, host = ""] = one.split("://");
    if (!host.startsWith("*.")) return origin === one;
    return origin.startsWith(`${scheme}://`) && origin.endsWith(host.slice(1));
  });
}
