// Pages to read: one column of text at a comfortable width.
import { MainRegion } from "./MainRegion.tsx";
import { PublicFooter } from "./PublicFooter.tsx";
import { PublicHeader } from "./PublicHeader.tsx";
import { SkipLink } from "./SkipLink.tsx";

export function ContentLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader />
      <MainRegion className="mx-auto w-full max-w-2xl flex-1 px-5 py-10" />
      <PublicFooter />
    </div>
  );
}
