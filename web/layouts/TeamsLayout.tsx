// Choosing or creating a team: no sidebar yet, the user at the top.
import { Logo } from "../ui/Logo.tsx";
import { MainRegion } from "./MainRegion.tsx";
import { SkipLink } from "./SkipLink.tsx";
import { UserMenu } from "./UserMenu.tsx";

export function TeamsLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="flex h-14 items-center justify-between gap-4 border-line border-b px-4">
        <a href="/teams" className="shrink-0 rounded-md">
          <Logo />
        </a>
        <UserMenu />
      </header>
      <MainRegion className="mx-auto w-full max-w-xl flex-1 px-5 py-12" />
    </div>
  );
}
