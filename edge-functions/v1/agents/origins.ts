// Owns whether a site may embed an agent's chat. Pure. The widget's frame enforces the same in the browser with frame-ancestors.

/** @param allowed origins, whose host may start with "*."; if empty, every site may embed */
export function mayEmbed(allowed: string[], origin: string): boolean {
  if (allowed.length === 0) return true;
  return allowed.some((one) => {
    const [scheme, host = ""] = one.split("://");
    if (!host.startsWith("*.")) return origin === one;
    return origin.startsWith(`${scheme}://`) && origin.endsWith(host.slice(1));
  });
}
