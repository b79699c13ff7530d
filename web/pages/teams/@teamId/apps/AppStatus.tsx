// An app's connection status, as a label with its tone.
import { useTranslation } from "#translations";
import { Badge, type Tone } from "#web/ui/Badge.tsx";

const tones: Record<string, Tone> = { connected: "good", pending: "careful", disconnected: "bad" };

export function AppStatus({ status }: { status: string }) {
  const { t } = useTranslation("apps");
  return <Badge tone={tones[status]}>{t(`statuses.${status}`)}</Badge>;
}
