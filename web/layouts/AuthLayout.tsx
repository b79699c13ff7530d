// Login and related pages: one narrow form in the middle.
import { Logo } from "../ui/Logo.tsx";
import { MainRegion } from "./MainRegion.tsx";
import { Preferences } from "./Preferences.tsx";
import { SkipLink } from "./SkipLink.tsx";

export function AuthLayout() {
  return (
    <div data-canvas="sunken" className="flex min-h-dvh flex-col bg-sunken">
      <SkipLink />
      <header className="flex h-16 items-center justify-center">
        <a href="/" className="rounded-md">
          <Logo />
        </a>
      </header>
      <div className="flex flex-1 items-start justify-center px-4 pt-[6vh] pb-10">
        <MainRegion className="w-full max-w-sm rounded-md border border-line bg-ground p-7" />
      </div>
      <footer className="flex justify-center py-5">
        <Preferences />
      </footer>
    </div>
  );
}
