// Panels side by side, each scrolling by itself.
import { AppShell } from "./AppShell.tsx";

export function PlaygroundLayout() {
  return <AppShell width="full" />;
}
