// The widget's frame on customers' sites: the chat and nothing around it.
import { SAY_READY } from "../render/inline-scripts.ts";
import { MainRegion } from "./MainRegion.tsx";

export function FrameLayout() {
  return (
    <div data-fills>
      <script
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, which the policy names by its hash
        dangerouslySetInnerHTML={{ __html: SAY_READY }}
      />
      <MainRegion className="flex h-dvh flex-col" />
    </div>
  );
}
