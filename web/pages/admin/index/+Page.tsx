// Never shown: +data redirects.
export function Page() {
  return null;
}
