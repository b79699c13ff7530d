// Owns the contrast of fields: axe judges texts alone. It runs inside the page and may use nothing of this module.

/** Fields whose edge has less than 3 to 1 against what surrounds them (WCAG 1.4.11), one line each. */
export function faintFields(): string[] {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  /** The channels of colors painted over each other, the lowest first. */
  const paint = (colors: string[]): number[] => {
    for (const color of colors) {
      if (!canvas) continue;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  };
  const luminance = (channels: number[]): number => {
    const linear = channels.map((one) => {
      const share = one / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return linear.reduce((sum, one, at) => sum + one * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0);
  };
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const groundsOf = (element: Element): string[] => {
    const grounds: string[] = [];
    for (let at: Element | null = element; at; at = at.parentElement)
      grounds.unshift(getComputedStyle(at).backgroundColor);
    return [isDark ? "#000" : "#fff", ...grounds];
  };
  const fields = document.querySelectorAll(
    "main :is(textarea, select, input:not([type=hidden], [type=checkbox], [type=radio], [type=file]))",
  );
  return [...fields].flatMap((field) => {
    const { borderTopWidth, borderTopColor } = getComputedStyle(field);
    const around = field.parentElement;
    // Others are marked by the box around them.
    if (!around || borderTopWidth === "0px" || !field.checkVisibility() || field.matches(":focus, :disabled"))
      return [];
    const grounds = groundsOf(around);
    const [edge, ground] = [[...grounds, borderTopColor], grounds].map((one) => luminance(paint(one)) + 0.05);
    const ratio = Math.max(edge ?? 0, ground ?? 0) / Math.min(edge ?? 1, ground ?? 1);
    return ratio < 3 ? [`${ratio.toFixed(2)} to 1: ${field.outerHTML.slice(0, 120)}`] : [];
  });
}
