// A person's and a team's settings.
import { AppShell } from "./AppShell.tsx";

export function AccountLayout() {
  return <AppShell width="narrow" />;
}
