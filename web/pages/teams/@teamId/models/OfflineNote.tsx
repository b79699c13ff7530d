// The note beside an agent's settings that the built-in model ignores some of them. Works in pages and in islands.
import { Alert } from "#web/ui/Alert.tsx";

export interface OfflineNoteProps {
  /** In the reader's language. */
  text: string;
  /** Null for readers who may not connect a model. */
  connect: { label: string; href: string } | null;
}

export function OfflineNote({ text, connect }: OfflineNoteProps) {
  return (
    <Alert>
      {text}{" "}
      {connect && (
        <a className="font-medium underline" href={connect.href}>
          {connect.label}
        </a>
      )}
    </Alert>
  );
}
