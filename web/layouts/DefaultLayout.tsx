// Pages inside a team: lists and details.
import { AppShell } from "./AppShell.tsx";

export function DefaultLayout() {
  return <AppShell width="wide" />;
}
