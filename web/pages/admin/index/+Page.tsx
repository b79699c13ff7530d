// Never shown: +data leads on.
export function Page() {
  return null;
}
