// A full-height chat: the page owns its header and footer.
import { MainRegion } from "./MainRegion.tsx";
import { SkipLink } from "./SkipLink.tsx";

export function ChatLayout() {
  return (
    <div data-fills className="flex h-dvh flex-col">
      <SkipLink />
      <MainRegion className="flex min-h-0 w-full flex-1 flex-col" />
    </div>
  );
}
