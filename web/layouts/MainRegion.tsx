// The main region, which navigation swaps. Every layout contains exactly one; its HTML is rendered before the layout.
import { useRender } from "../render/render-context.tsx";

export function MainRegion({ className }: { className?: string }) {
  const { mainHtml } = useRender();
  return (
    <main
      id="main"
      tabIndex={-1}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React rendered this markup for the same request
      dangerouslySetInnerHTML={{ __html: mainHtml }}
    />
  );
}
