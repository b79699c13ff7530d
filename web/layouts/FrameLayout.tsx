// The widget's frame on other people's pages: the conversation and nothing around it.
import { useRequest } from "../renderer/render-context.tsx";
import { MainRegion } from "./MainRegion.tsx";

/** Tells the widget's script (web/sdk/widget.ts), before the frame has loaded, that it was let in. */
const SAY_READY = 'parent.postMessage("parley:ready", "*")';

export function FrameLayout() {
  const { nonce } = useRequest();
  return (
    <div data-fills>
      <script
        nonce={nonce}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, three lines above
        dangerouslySetInnerHTML={{ __html: SAY_READY }}
      />
      <MainRegion className="flex h-dvh flex-col" />
    </div>
  );
}
