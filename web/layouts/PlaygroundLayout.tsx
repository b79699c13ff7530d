// Panels side by side, each with its own scroll area.
import { AppShell } from "./AppShell.tsx";

export function PlaygroundLayout() {
  return <AppShell width="full" />;
}
