// A conversation and nothing else: the page owns the whole height under a thin head.
import { Logo } from "../components/Logo.tsx";
import { useFrame } from "../renderer/render-context.tsx";
import { MainRegion } from "./MainRegion.tsx";
import { PreferencesMenu } from "./PreferencesMenu.tsx";
import { SkipLink } from "./SkipLink.tsx";
import { UserMenu } from "./UserMenu.tsx";

export function ChatLayout() {
  const { user } = useFrame();
  return (
    <div data-fills className="flex h-dvh flex-col">
      <SkipLink />
      <header className="flex h-12 shrink-0 items-center justify-between gap-3 border-line border-b px-4">
        <a href="/" className="rounded-md">
          <Logo />
        </a>
        {user ? <UserMenu /> : <PreferencesMenu />}
      </header>
      <MainRegion className="flex min-h-0 w-full flex-1 flex-col" />
    </div>
  );
}
