// Never shown: ./+data.ts redirects.
export function Page() {
  return null;
}
