// The landing page: header, page, footer.
import { MainRegion } from "./MainRegion.tsx";
import { PublicFooter } from "./PublicFooter.tsx";
import { PublicHeader } from "./PublicHeader.tsx";
import { SkipLink } from "./SkipLink.tsx";

export function HomeLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader />
      <MainRegion className="mx-auto w-full max-w-6xl flex-1 px-5" />
      <PublicFooter />
    </div>
  );
}
