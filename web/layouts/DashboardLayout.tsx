// The overview of a team.
import { AppShell } from "./AppShell.tsx";

export function DashboardLayout() {
  return <AppShell width="wide" />;
}
