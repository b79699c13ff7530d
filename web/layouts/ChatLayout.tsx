// A conversation and nothing else: the page owns the whole height, its head and its foot.
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
